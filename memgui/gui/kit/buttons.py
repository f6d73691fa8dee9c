"""Buttons: flat tools with an icon, the tabs over the side panel, and the field-like button that opens the search."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Slot
from PySide6.QtGui import QAction, QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QToolButton, QWidget

from memgui.gui import icons
from memgui.gui.kit.labels import draw_key
from memgui.gui.theme import blend, current, theme


class IconButton(QToolButton):
    """A flat button with an icon and no words; its name is for the tip and the screen reader."""

    def __init__(self, icon: str, name: str, parent: QWidget | None = None, *, size: int = 18) -> None:
        super().__init__(parent)
        self._size = size
        self.setIcon(icons.icon(icon))
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._dress()
        theme().changed.connect(self._dress)

    @staticmethod
    def of(action: QAction, parent: QWidget | None = None, *, size: int = 18) -> IconButton:
        """The button of an action: enabled, checked, named and drawn as it is."""
        button = IconButton("more", action.text(), parent, size=size)
        button.setDefaultAction(action)
        button.setAccessibleName(action.text().replace("&", ""))
        return button

    @Slot()
    def _dress(self) -> None:
        side = theme().px(self._size)
        self.setIconSize(QSize(side, side))
        self.setMinimumSize(QSize(max(24, theme().px(self._size + 10)), max(24, theme().px(self._size + 10))))


class SideTab(QPushButton):
    """One of a row of views to choose from; the chosen one is underlined and said to be checked."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFlat(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(theme().font(bold=True))
        return QSize(metrics.horizontalAdvance(self.text()) + theme().px(20), max(24, theme().px(34)))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        colours, painter = current(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen, hot = self.isChecked(), self.underMouse()
        painter.setFont(theme().font(bold=chosen))
        painter.setPen(QColor(colours.text if chosen or hot else colours.muted))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if chosen:
            line = theme().px(2)
            edge = theme().px(10)
            painter.fillRect(edge, self.height() - line, self.width() - 2 * edge, line, QColor(colours.focus))
        if self.hasFocus():
            draw_focus_ring(painter, self.rect().adjusted(2, 4, -2, -4))


class SearchButton(QPushButton):
    """Looks like a search field and opens the search; it never holds text."""

    def __init__(self, text: str, key: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._key = key
        self.setAccessibleName(text.rstrip("…"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(460), max(24, theme().px(28)))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(120), max(24, theme().px(28)))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        colours, dress, painter = current(), theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = (
            colours.border if self.underMouse() or self.hasFocus() else blend(colours.border, colours.page, 0.25).name()
        )
        painter.setPen(QColor(edge if self.isEnabled() else colours.hairline))
        painter.setBrush(QColor(colours.page if self.isEnabled() else colours.side))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), dress.px(6), dress.px(6))
        side, pad = dress.px(16), dress.px(9)
        icons.paint(painter, "search", QRect(pad, (self.height() - side) // 2, side, side), "muted")
        painter.setFont(dress.font(0.85))
        width = painter.fontMetrics().horizontalAdvance(self._key) + dress.px(12)
        high = painter.fontMetrics().height() + dress.px(3)
        if self.width() > width + dress.px(190):
            draw_key(
                painter, QRect(self.width() - width - dress.px(5), (self.height() - high) // 2, width, high), self._key
            )
        painter.setFont(dress.font())
        painter.setPen(QColor(colours.muted))
        room = QRect(pad + side + dress.px(8), 0, self.width() - pad - side - dress.px(16), self.height())
        words = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect())


def draw_focus_ring(painter: QPainter, rect: QRect) -> None:
    """Two pixels around what has the keyboard."""
    pen = painter.pen()
    pen.setColor(QColor(current().focus))
    pen.setWidth(2)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.toRectF().adjusted(1, 1, -1, -1), theme().px(6), theme().px(6))
