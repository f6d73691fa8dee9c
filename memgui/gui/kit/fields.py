"""Fields: one line to type into, with a magnifier at its beginning."""

from __future__ import annotations

from PySide6.QtCore import QRect, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from memgui.gui import icons
from memgui.gui.theme import theme


class FilterField(QLineEdit):
    """Narrows what stands below it. The magnifier grows with the text."""

    def __init__(self, name: str, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setClearButtonEnabled(True)
        self._dress()
        theme().changed.connect(self._dress)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = theme().px(15)
        icons.paint(QPainter(self), "search", QRect(theme().px(9), (self.height() - side) // 2, side, side))

    @Slot()
    def _dress(self) -> None:
        self.setTextMargins(theme().px(20), 0, 0, 0)
