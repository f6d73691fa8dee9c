"""The bar of the documents' tabs: names that stay apart, shortened in the middle, in the look of their state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QStyle, QStyleOptionTab, QStylePainter, QTabBar, QToolButton, QWidget

from memgui.domain.paths import DocPath, segments_of, shown
from memgui.gui import icons, theme
from memgui.gui.kit.buttons import draw_focus_ring
from memgui.i18n import _

_WIDEST, _NARROWEST = 240, 110
_GAP = 6


class PageTabBar(QTabBar):
    """Previews are italic, deleted documents struck out, locked ones carry a lock."""

    middle_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hints: dict[tuple[str, tuple[bool, bool, str], int], QSize] = {}
        self.setObjectName("documentTabBar")
        self.setAccessibleName(_("Open documents"))
        self.setExpanding(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for name, icon in (("ScrollLeftButton", "chevron-left"), ("ScrollRightButton", "chevron-right")):
            button = self.findChild(QToolButton, name)
            if button is not None:
                button.setAutoRaise(False)
                button.setArrowType(Qt.ArrowType.NoArrow)
                button.setIcon(icons.icon(icon))
        theme.theme().changed.connect(self._dress)
        self._dress()

    @Slot()
    def _dress(self) -> None:
        colours = theme.current()
        self._hints.clear()
        # What scrolls away must not show through the buttons that scroll it.
        for name in ("ScrollLeftButton", "ScrollRightButton"):
            button = self.findChild(QToolButton, name)
            if button is not None:
                button.setStyleSheet(f"background: {colours.side}; border: none; border-radius: 0; padding: 0;")
        self.updateGeometry()

    def show_name(self, index: int, text: str, *, italic: bool, struck: bool, icon: str) -> None:
        """What stands on a tab, how it is written, and the icon before it. What is there already costs nothing."""
        look = (italic, struck, icon)
        if self._look(index) != look or self.tabText(index) != text:
            self.setTabData(index, look)
            self.setTabText(index, text)

    def tabSizeHint(self, index: int) -> QSize:
        # Asked for every tab, several times over, whenever one of them changes.
        key = (self.tabText(index), self._look(index), theme.theme().zoom)
        hint = self._hints.get(key)
        if hint is None:
            hint = self._hints[key] = self._hint(index)
        return hint

    def _hint(self, index: int) -> QSize:
        wide = QFontMetrics(self._font(index)).horizontalAdvance(self.tabText(index).replace("&&", "&"))
        wide += self._pad() * 2 + self._button_width(index) + (self._icon_side() + _GAP if self._look(index)[2] else 0)
        px = theme.theme().px
        return QSize(min(max(wide + 2, px(_NARROWEST)), px(_WIDEST)), max(24, px(35)))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and index >= 0:
            self.middle_clicked.emit(index)
            event.accept()
            return
        super().mouseReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QStylePainter(self)
        for index in range(self.count()):
            option = QStyleOptionTab()
            self.initStyleOption(option, index)
            painter.drawControl(QStyle.ControlElement.CE_TabBarTabShape, option)
            self._paint_name(painter, index)
            if index == self.currentIndex() and self.hasFocus():
                draw_focus_ring(painter, self.tabRect(index).adjusted(3, 4, -3, -3))

    def _paint_name(self, painter: QStylePainter, index: int) -> None:
        colours = theme.current()
        room = self.tabRect(index).adjusted(self._pad(), 0, -self._pad() - self._button_width(index), 0)
        icon = self._look(index)[2]
        if icon:
            side = self._icon_side()
            icons.paint(painter, icon, QRect(room.left(), room.center().y() - side // 2, side, side), "muted")
            room.setLeft(room.left() + side + _GAP)
        painter.setFont(self._font(index))
        painter.setPen(QColor(colours.text if index == self.currentIndex() else colours.muted))
        text = painter.fontMetrics().elidedText(
            self.tabText(index).replace("&&", "&"), Qt.TextElideMode.ElideMiddle, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _font(self, index: int) -> QFont:
        font = theme.theme().font()
        font.setItalic(self._look(index)[0])
        font.setStrikeOut(self._look(index)[1])
        return font

    def _look(self, index: int) -> tuple[bool, bool, str]:
        look = self.tabData(index)
        return (bool(look[0]), bool(look[1]), str(look[2])) if look else (False, False, "")

    def _button_width(self, index: int) -> int:
        button = self.tabButton(index, QTabBar.ButtonPosition.RightSide)
        return button.sizeHint().width() if button is not None else 0

    def _pad(self) -> int:
        return theme.theme().px(12)

    def _icon_side(self) -> int:
        return theme.theme().px(14)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._hints.clear()
            self.updateGeometry()


def short_names(paths: Sequence[DocPath]) -> dict[DocPath, str]:
    """The shortest names that tell documents apart: the file's name, and as many folders before it as that takes."""
    names = {path: shown(segments_of(path)[-1]) for path in paths}
    for depth in range(2, 1 + max((len(segments_of(path)) for path in paths), default=0)):
        counts = Counter(names.values())
        for path in paths:
            if counts[names[path]] > 1:
                names[path] = shown("/".join(segments_of(path)[-depth:]))
    return names
