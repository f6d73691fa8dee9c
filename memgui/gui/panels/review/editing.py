"""The field in which a hunk's new lines are edited where they stand."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from memgui.domain.invisible import places
from memgui.domain.review import Hunk
from memgui.gui.kit.difference_model import said_of_hidden
from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.theme import current, theme
from memgui.i18n import _

_FEWEST, _MOST = 3, 14
"""So many lines high it is at least, and at most."""


class HunkEditor(QWidget):
    """Ctrl+Enter saves, Escape leaves all as it was."""

    saved = Signal(str)
    cancelled = Signal()
    grew = Signal()

    def __init__(self, hunk: Hunk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reviewEditor")
        self.hunk = hunk
        self.field = _Field(self)
        self.field.setPlainText("".join(hunk.added).rstrip("\r\n"))
        self.field.saved.connect(self._save)
        self.field.cancelled.connect(self.cancelled)
        self._hidden = ThemedLabel("", self, colour="warning", scale=0.88)
        self._hidden.setObjectName("reviewEditHidden")
        self._hidden.setWordWrap(True)
        self._tell_hidden()
        self.field.textChanged.connect(self._tell_hidden)
        self.field.textChanged.connect(self.grew)
        hint = ThemedLabel(
            _("Ctrl+Enter saves it into the file · Esc leaves all as it was"), self, colour="muted", scale=0.88
        )
        hint.setWordWrap(True)
        save, cancel = QPushButton(_("Save"), self), QPushButton(_("Cancel"), self)
        save.setProperty("primary", True)
        save.clicked.connect(self._save)
        cancel.clicked.connect(self.cancelled)
        for button, name in ((save, "reviewEditSave"), (cancel, "reviewEditCancel")):
            button.setObjectName(name)
            button.setAccessibleName(button.text())
        below = row(gap=6)
        below.addWidget(hint, 1)
        below.addWidget(cancel)
        below.addWidget(save)
        box = column(self, margins=(8, 6, 8, 6), gap=4)
        box.addWidget(self.field, 1)
        box.addWidget(self._hidden)
        box.addLayout(below)

    @property
    def is_changed(self) -> bool:
        """Whether something was typed."""
        return self.field.document().isModified()

    def sizeHint(self) -> QSize:
        line = QFontMetrics(self.field.font()).lineSpacing()
        lines = min(max(self.field.document().size().toSize().height(), _FEWEST), _MOST)
        said = 0 if self._hidden.isHidden() else self._hidden.sizeHint().height() + theme().px(4)
        return QSize(theme().px(300), (lines + 1) * line + theme().px(56) + said)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(current().side))
        painter.setPen(QColor(current().focus))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    @Slot()
    def _tell_hidden(self) -> None:
        """The field draws text as it is: what cannot be seen in it is told below."""
        found = "".join(line[at] for line in self.field.toPlainText().split("\n") for at in places(line))
        self._hidden.setText("⚑ " + said_of_hidden(found))
        self._hidden.setVisible(bool(found))

    @Slot()
    def _save(self) -> None:
        self.saved.emit(self.field.toPlainText())


class _Field(QPlainTextEdit):
    saved = Signal()
    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("reviewEdit")
        self.setAccessibleName(_("New lines of this change"))
        self.setTabChangesFocus(True)
        self.setFont(theme().mono(0.95))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and held:
            self.saved.emit()
        else:
            super().keyPressEvent(event)
