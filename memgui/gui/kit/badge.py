"""A tool button with words and a number that stands out."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from memgui.gui import icons
from memgui.gui.kit.buttons import draw_focus_ring
from memgui.gui.theme import current, theme


class BadgeButton(QPushButton):
    """Words and a count; `alert` draws the count in the colour of a warning, with its sign before it."""

    def __init__(self, icon: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(words, parent)
        self._icon = icon
        self._count = ""
        self._alert = False
        self.setFlat(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._dress)

    def show_count(self, count: int, *, alert: bool = False) -> None:
        """Show how many; nothing for none."""
        words = "" if not count else f"{count:,}" if count < 1000 else "999+"
        if (words, alert) != (self._count, self._alert):
            self._count, self._alert = words, alert
            self._dress()

    @property
    def shown_count(self) -> str:
        """The number as it is shown."""
        return self._count

    @property
    def _badge(self) -> str:
        return f"⚠ {self._count}" if self._alert and self._count else self._count

    def _badge_width(self) -> int:
        if not self._count:
            return 0
        return max(
            theme().px(18), QFontMetrics(theme().font(0.82, bold=True)).horizontalAdvance(self._badge) + theme().px(12)
        )

    def sizeHint(self) -> QSize:
        dress = theme()
        words = QFontMetrics(dress.font()).horizontalAdvance(self.text())
        wide = dress.px(34) + words + (self._badge_width() + dress.px(6) if self._count else 0)
        return QSize(wide + dress.px(4), max(24, dress.px(28)))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(34) + self._badge_width(), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        colours, dress, painter = current(), theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isEnabled() and (self.underMouse() or self.isDown()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.pressed if self.isDown() else colours.hover))
            painter.drawRoundedRect(self.rect().toRectF(), dress.px(6), dress.px(6))
        side, left = dress.px(18), dress.px(8)
        shade = "muted" if self.isEnabled() else "border"
        icons.paint(painter, self._icon, QRect(left, (self.height() - side) // 2, side, side), shade)
        left += side + dress.px(6)
        badge = self._badge_width()
        if self.width() >= self.sizeHint().width() - dress.px(4):
            painter.setFont(dress.font())
            painter.setPen(QColor(colours.text if self.isEnabled() else colours.muted))
            wide = painter.fontMetrics().horizontalAdvance(self.text())
            painter.drawText(QRect(left, 0, wide + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, self.text())
            left += wide + dress.px(6)
        if badge:
            high = dress.px(18)
            box = QRect(left, (self.height() - high) // 2, badge, high)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.warning_bg if self._alert else colours.button))
            painter.drawRoundedRect(box.toRectF(), high / 2, high / 2)
            painter.setPen(QColor(colours.warning if self._alert else colours.button_text))
            painter.setFont(dress.font(0.82, bold=True))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._badge)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect())

    @Slot()
    def _dress(self) -> None:
        self.updateGeometry()
        self.update()
