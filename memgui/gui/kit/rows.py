"""Rows of lists and trees: icon, name, a dim word beside it, badges and a count at the end; drawn alike everywhere."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from memgui.gui import icons
from memgui.gui.theme import current, theme

Index = QModelIndex | QPersistentModelIndex


class RowRole(IntEnum):
    """What a model answers for a row to be drawn."""

    ICON = Qt.ItemDataRole.UserRole + 40
    DETAIL = Qt.ItemDataRole.UserRole + 41
    """A dim word after the name."""
    BADGES = Qt.ItemDataRole.UserRole + 42
    """Pairs of an icon and its colour, at the end."""
    COUNT = Qt.ItemDataRole.UserRole + 43
    """A number at the end, or such a number as words: `+3`."""
    HEADING = Qt.ItemDataRole.UserRole + 44
    """Whether it is drawn as a heading: bold, without a ground of its own."""
    KEY = Qt.ItemDataRole.UserRole + 45
    """The key that does the same."""
    TITLE_MARKS = Qt.ItemDataRole.UserRole + 46
    """Which characters of the name were found."""
    DETAIL_MARKS = Qt.ItemDataRole.UserRole + 47
    INDENT = Qt.ItemDataRole.UserRole + 48


class RowDelegate(QStyledItemDelegate):
    """Draws a row's content; the view draws the ground."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._plain, self._bold, self._small = theme().font(), theme().font(bold=True), theme().font(0.88)

    def dress(self) -> None:
        """Take fonts and sizes from the theme anew."""
        self._plain, self._bold, self._small = theme().font(), theme().font(bold=True), theme().font(0.88)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return QSize(60, row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours, dress = current(), theme()
        rect: QRect = option.rect
        side, gap = dress.px(16), dress.px(7)
        heading = bool(index.data(RowRole.HEADING))
        quiet = quiet_colour(self._view, index)
        left, right = rect.left() + dress.px(2), rect.right() - dress.px(8)
        if name := index.data(RowRole.ICON):
            place = QRect(left, rect.center().y() - side // 2 + 1, side, side)
            icons.paint(painter, name, place, "text" if heading else quiet)
            left += side + gap
        for badge, colour in reversed(index.data(RowRole.BADGES) or ()):
            small = dress.px(14)
            icons.paint(
                painter, badge, QRect(right - small + 1, rect.center().y() - small // 2 + 1, small, small), colour
            )
            right -= small + gap // 2
        right = self._paint_count(painter, rect, right, index.data(RowRole.COUNT), quiet)
        painter.setFont(self._bold if heading else self._plain)
        painter.setPen(QColor(colours.text))
        metrics = painter.fontMetrics()
        detail = index.data(RowRole.DETAIL) or ""
        room = max(0, right - left - gap)
        label = metrics.elidedText(index.data() or "", Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRect(left, rect.top(), room + 2, rect.height()), _LINE, label)
        left += metrics.horizontalAdvance(label) + gap
        if detail and right - left > dress.px(24):
            painter.setFont(self._small)
            painter.setPen(QColor(icons.current_colour(quiet)))
            painter.drawText(QRect(left, rect.top(), right - left, rect.height()), _LINE, detail)

    def _paint_count(self, painter: QPainter, rect: QRect, right: int, count: int | str | None, colour: str) -> int:
        if count is None:
            return right
        painter.setFont(self._small)
        painter.setPen(QColor(icons.current_colour(colour)))
        text = f"{count:,}" if isinstance(count, int) else count
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QRect(right - width, rect.top(), width + 1, rect.height()), _LINE, text)
        return right - width


_LINE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine


def quiet_colour(view: QAbstractItemView, index: Index, *, typed: bool = False) -> str:
    """The token for what stands back in a row: on the ground of a chosen row grey would be hard to read."""
    chosen = (
        (view.hasFocus() or typed) and view.selectionModel() is not None and view.selectionModel().isSelected(index)
    )
    return "text" if chosen else "muted"


def row_height() -> int:
    """How high a row is at the present zoom: never too small to hit."""
    return max(24, QFontMetrics(theme().font()).height() + theme().px(9))


def paint_row_ground(
    painter: QPainter, rect: QRect, view: QAbstractItemView, index: Index, *, hot: bool, typed: bool = False
) -> None:
    """The ground of a row: chosen, or `hot` (under the mouse). `typed`: a field with the keyboard drives the list."""
    colours = current()
    chosen = view.selectionModel() is not None and view.selectionModel().isSelected(index)
    focused = view.hasFocus()
    if not chosen and not hot and not (focused and index == view.currentIndex()):
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = rect.toRectF().adjusted(4, 1, -4, -1)
    radius = theme().px(5)
    painter.setPen(Qt.PenStyle.NoPen)
    if chosen or hot:
        painter.setBrush(
            QColor((colours.selection if focused or typed else colours.selection_off) if chosen else colours.hover)
        )
        painter.drawRoundedRect(box, radius, radius)
    if focused and index == view.currentIndex():
        pen = painter.pen()
        pen.setStyle(Qt.PenStyle.SolidLine)
        pen.setColor(QColor(colours.focus))
        pen.setWidth(2)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), radius, radius)
    painter.restore()


class Tree(QTreeView):
    """A tree of such rows in one column, without a header; the whole row is its ground."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._delegate = RowDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setExpandsOnDoubleClick(False)
        self._hot = QPersistentModelIndex()
        self.entered.connect(self._warm)
        self.viewportEntered.connect(self._cool)
        self.dress()
        theme().changed.connect(self.dress)

    @Slot()
    def dress(self) -> None:
        """Take fonts and sizes from the theme anew."""
        self._delegate.dress()
        self.setFont(theme().font())
        self.setIndentation(theme().px(15))
        self.doItemsLayout()

    @Slot(QModelIndex)
    def _warm(self, index: QModelIndex) -> None:
        self._hot = QPersistentModelIndex(index)
        self.viewport().update()

    @Slot()
    def _cool(self) -> None:
        self._hot = QPersistentModelIndex()
        self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._cool()

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: QRect = option.rect
        paint_row_ground(
            painter, QRect(0, row.top(), self.viewport().width(), row.height()), self, index, hot=index == self._hot
        )
        if index.data(RowRole.HEADING) and index.row() > 0:
            edge = theme().px(12)
            painter.fillRect(edge, row.top(), self.viewport().width() - 2 * edge, 1, QColor(current().hairline))
        inner = self.visualRect(index).adjusted(theme().px(4), 0, 0, 0)
        if self.model().hasChildren(index):
            self._draw_chevron(painter, inner, index)
        option.rect = QRect(inner.left(), row.top(), self.viewport().width() - inner.left(), row.height())
        self._delegate.paint(painter, option, index)

    def _draw_chevron(self, painter: QPainter, inner: QRect, index: Index) -> None:
        side = theme().px(12)
        place = QRect(inner.left() - side - theme().px(2), inner.center().y() - side // 2 + 1, side, side)
        icons.paint(painter, "chevron-down" if self.isExpanded(index) else "chevron-right", place)
