"""Labels: text that shortens itself, small headings, and the look of a key."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from memgui.gui.kit.tips import plain
from memgui.gui.theme import current, theme


class ThemedLabel(QLabel):
    """A label in a colour of the theme and a scale of its font; both follow the theme."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        colour: str = "text",
        scale: float = 1.0,
        bold: bool = False,
    ) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        # Within a list or a page Qt would write in the colour of their text.
        self.setForegroundRole(QPalette.ColorRole.WindowText)
        self._colour, self._scale, self._bold = colour, scale, bold
        self._dress()
        theme().changed.connect(self._dress)

    def set_colour(self, colour: str) -> None:
        """Write in another token's colour."""
        if colour != self._colour:
            self._colour = colour
            self._dress()

    @Slot()
    def _dress(self) -> None:
        self.setFont(theme().font(self._scale, bold=self._bold))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, QColor(str(getattr(current(), self._colour))))
        self.setPalette(palette)


class ElidedLabel(ThemedLabel):
    """One line that is cut with `…` where there is no room; the whole of it is then in the tip."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        colour: str = "text",
        scale: float = 1.0,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        self._whole = text
        self._mode = mode
        super().__init__(text, parent, colour=colour, scale=scale)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(24)

    def setText(self, text: str) -> None:
        self._whole = text
        self._shorten()

    def whole_text(self) -> str:
        """The text before it was shortened."""
        return self._whole

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._whole) + 2, metrics.height())

    def _shorten(self) -> None:
        shown = QFontMetrics(self.font()).elidedText(self._whole, self._mode, max(self.width(), 24))
        if shown != self.text():
            super().setText(shown)
        self.setToolTip(plain(self._whole) if shown != self._whole else "")


class SectionLabel(ThemedLabel):
    """A small, quiet heading over a group of things."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent, colour="muted", scale=0.9, bold=True)


def draw_key(painter: QPainter, rect: QRect, key: str) -> None:
    """Paint a key's name in its box."""
    colours = current()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(colours.hairline))
    painter.setBrush(QColor(colours.page))
    painter.drawRoundedRect(rect.adjusted(0, 0, -1, -1).toRectF().translated(0.5, 0.5), 4, 4)
    painter.setPen(QColor(colours.muted))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, key)
