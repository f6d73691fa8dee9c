"""The field in which an item's words are typed: it turns lines where the list does, and grows with what it holds."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from memgui.domain.heartbeat_edits import one_line
from memgui.gui.theme import theme
from memgui.i18n import _


class WordsField(QPlainTextEdit):
    """One line of text, shown in as many as it needs. Enter is `committed`; Escape is the list's."""

    committed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("heartbeatField")
        self.setAccessibleName(_("Words of the item"))
        self.setPlaceholderText(_("What is to be done?"))
        self.setFont(theme().font())
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.edge = theme().px(4)
        """How far the words stand from the frame, above and below."""
        self.setViewportMargins(theme().px(6), self.edge - 2, theme().px(6), self.edge - 2)
        self.textChanged.connect(self.grow)

    def text(self) -> str:
        """The words, in one line."""
        return one_line(self.document().toRawText())

    def set_text(self, words: str) -> None:
        """Hold these words, all chosen."""
        self.setPlainText(words)
        self.selectAll()

    def place(self, left: int, top: int, width: int) -> None:
        """Stand there: so that words typed here lie where they will be shown."""
        self.setGeometry(left, top, width, self.height())
        self.grow()

    @Slot()
    def grow(self) -> None:
        """Be as high as the words need, as far as there is room below."""
        lines = max(round(self.document().size().height()), 1)
        wanted = lines * self.fontMetrics().lineSpacing() + 2 * self.edge + theme().px(2)
        parent = self.parentWidget()
        room = parent.height() - self.y() if parent is not None else wanted
        self.resize(self.width(), max(min(wanted, room), self.fontMetrics().lineSpacing() + 2 * self.edge))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.grow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            self.committed.emit()
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        cursor = self.textCursor()
        cursor.insertText(one_line(source.text()))
        self.setTextCursor(cursor)
