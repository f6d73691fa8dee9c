"""A coloured strip across the page, in one of the theme's tones."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QWidget

from memgui.gui import theme


class Strip(QWidget):
    """A ground, an edge below it, and text in a colour that can be read on it."""

    def __init__(self, parent: QWidget | None = None, *, tone: str = "") -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, False)
        self._tone = tone
        theme.theme().changed.connect(self._dress)
        self._dress()

    def set_tone(self, tone: str) -> None:
        """`warning`, `error`, `info`, or nothing for the quiet ground of a side panel."""
        if tone != self._tone:
            self._tone = tone
            self._dress()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        colours = theme.current()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(getattr(colours, f"{self._tone}_bg") if self._tone else colours.side))
        if self._tone:
            painter.fillRect(0, 0, theme.theme().px(3), self.height(), QColor(getattr(colours, self._tone)))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(colours.hairline))

    @Slot()
    def _dress(self) -> None:
        colours = theme.current()
        palette = self.palette()
        palette.setColor(
            QPalette.ColorRole.WindowText, QColor(getattr(colours, self._tone) if self._tone else colours.text)
        )
        self.setPalette(palette)
        self.update()
