"""Buttons that show the key that does the same."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Slot
from PySide6.QtGui import QAction, QColor, QFontMetrics, QKeySequence, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QStylePainter, QWidget

from memgui.gui.kit.labels import draw_key
from memgui.gui.theme import current, theme


class KeyButton(QPushButton):
    """A push button with its key beside the words."""

    def __init__(self, name: str, words: str, parent: QWidget | None = None, *, key: str = "", tip: str = "") -> None:
        super().__init__(words, parent)
        self._key = key
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setToolTip(tip or words)
        theme().changed.connect(self._dress)

    def show_key(self, action: QAction) -> None:
        """Show the key that an action has now."""
        self._key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self._dress()

    @property
    def _key_width(self) -> int:
        if not self._key:
            return 0
        return QFontMetrics(theme().font(0.8)).horizontalAdvance(self._key) + theme().px(10)

    def sizeHint(self) -> QSize:
        dress = theme()
        words = QFontMetrics(dress.font(bold=bool(self.property("primary")))).horizontalAdvance(self.text())
        gap = dress.px(8) if self._key else 0
        return QSize(words + gap + self._key_width + dress.px(24), max(26, dress.px(28)))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width() - self._key_width, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        dress = theme()
        shows_key = bool(self._key) and self.width() >= self.sizeHint().width() - dress.px(6)
        font = dress.font(bold=bool(self.property("primary")))
        wide = QFontMetrics(font).horizontalAdvance(self.text())
        used = wide + (dress.px(8) + self._key_width if shows_key else 0)
        left = max(dress.px(6), (self.width() - used) // 2)
        painter.setFont(font)
        painter.setPen(self._ink())
        painter.drawText(QRect(left, 0, wide + 2, self.height()), _LINE, self.text())
        if shows_key:
            self._paint_key(painter, left + wide + dress.px(8))

    def _ink(self) -> QColor:
        if not self.isEnabled():
            return self.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText)
        return QColor(current().button_text if self.property("primary") else current().text)

    def _paint_key(self, painter: QPainter, left: int) -> None:
        painter.setFont(theme().font(0.8))
        high = painter.fontMetrics().height() + theme().px(3)
        box = QRect(left, (self.height() - high) // 2, self._key_width, high)
        if self.property("primary"):
            painter.setPen(self._ink())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._key)
        else:
            draw_key(painter, box, self._key)

    @Slot()
    def _dress(self) -> None:
        self.updateGeometry()
        self.update()


_LINE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
