"""Rows of a list that a field drives: name and dim word with the found letters marked, and a key at the end."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from memgui.gui import icons
from memgui.gui.kit.labels import draw_key
from memgui.gui.kit.marked import draw_marked
from memgui.gui.kit.rows import RowRole, paint_row_ground, quiet_colour, row_height
from memgui.gui.theme import theme

Index = QModelIndex | QPersistentModelIndex


class OfferDelegate(QStyledItemDelegate):
    """Draws one thing to choose."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return QSize(60, row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        dress, rect = theme(), option.rect
        hot = self._view.underMouse() and rect.contains(self._view.viewport().mapFromGlobal(self._view.cursor().pos()))
        paint_row_ground(painter, rect, self._view, index, hot=hot and bool(index.flags()), typed=True)
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        side, gap = dress.px(16), dress.px(8)
        quiet = quiet_colour(self._view, index, typed=True)
        mark = "accent" if quiet == "muted" else "text"
        left = rect.left() + dress.px(14) + int(index.data(RowRole.INDENT) or 0) * dress.px(12)
        right = rect.right() - dress.px(12)
        if name := index.data(RowRole.ICON):
            icons.paint(painter, name, QRect(left, rect.center().y() - side // 2 + 1, side, side), quiet)
        left += side + gap
        if key := index.data(RowRole.KEY):
            painter.setFont(dress.font(0.85))
            width = painter.fontMetrics().horizontalAdvance(key) + dress.px(12)
            high = painter.fontMetrics().height() + dress.px(3)
            draw_key(painter, QRect(right - width, rect.center().y() - high // 2 + 1, width, high), key)
            right -= width + gap
        room = QRect(left, rect.top(), max(0, right - left), rect.height())
        marks = index.data(RowRole.TITLE_MARKS)
        colour = "text" if enabled else "muted"
        used = draw_marked(painter, room, index.data() or "", marks, font=dress.font(), colour=colour, mark_colour=mark)
        detail = index.data(RowRole.DETAIL) or ""
        room.setLeft(left + used + gap)
        if detail and room.width() > dress.px(30):
            marks = index.data(RowRole.DETAIL_MARKS)
            draw_marked(painter, room, detail, marks, font=dress.font(0.9), colour=quiet, mark_colour=mark)
