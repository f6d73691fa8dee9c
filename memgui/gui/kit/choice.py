"""A wide button that shows something to choose: icon, name, a dim line below, a word at the end."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from memgui.gui import icons
from memgui.gui.kit.buttons import draw_focus_ring
from memgui.gui.theme import current, theme


class ChoiceButton(QPushButton):
    """One thing among others to choose."""

    def __init__(
        self, title: str, detail: str, parent: QWidget | None = None, *, icon: str = "folder", note: str = ""
    ) -> None:
        super().__init__(title, parent)
        self._detail, self._icon, self._note = detail, icon, note
        self.setAccessibleName(", ".join(part for part in (title, detail, note) if part))
        self.setToolTip(detail)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._dress)

    def sizeHint(self) -> QSize:
        lines = QFontMetrics(theme().font()).height() + QFontMetrics(theme().font(0.9)).height()
        return QSize(theme().px(300), lines + theme().px(18))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(160), self.sizeHint().height())

    @Slot()
    def _dress(self) -> None:
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        colours, dress, painter = current(), theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.isDown():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.pressed if self.isDown() else colours.hover))
            painter.drawRoundedRect(self.rect().toRectF(), dress.px(6), dress.px(6))
        side, pad = dress.px(20), dress.px(10)
        icons.paint(painter, self._icon, QRect(pad, (self.height() - side) // 2, side, side))
        left, right = pad + side + pad, self.width() - pad
        if self._note:
            painter.setFont(dress.font(0.9))
            painter.setPen(QColor(colours.muted))
            width = painter.fontMetrics().horizontalAdvance(self._note)
            painter.drawText(
                QRect(right - width, 0, width + 1, self.height()), Qt.AlignmentFlag.AlignVCenter, self._note
            )
            right -= width + pad
        strong = dress.font(bold=True)
        painter.setFont(strong)
        painter.setPen(QColor(colours.text if self.isEnabled() else colours.muted))
        high = painter.fontMetrics().height()
        top = (self.height() - high - QFontMetrics(dress.font(0.9)).height()) // 2
        title = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, right - left)
        painter.drawText(QRect(left, top, right - left, high), Qt.AlignmentFlag.AlignVCenter, title)
        painter.setFont(dress.font(0.9))
        painter.setPen(QColor(colours.muted))
        detail = painter.fontMetrics().elidedText(self._detail, Qt.TextElideMode.ElideMiddle, right - left)
        below = QRect(left, top + high, right - left, painter.fontMetrics().height())
        painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, detail)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect())
