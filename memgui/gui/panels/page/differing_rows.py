"""Draws the rows of a difference: sign and number in a column, the line beside them, turned at the edge."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from memgui.gui.panels.page.breaks import units
from memgui.gui.theme import current, theme

Index = QModelIndex | QPersistentModelIndex


class DifferingRole(IntEnum):
    """What a row answers beside its text."""

    SIGN = Qt.ItemDataRole.UserRole + 60
    """`+` or `−`; none for a sentence."""
    HEAD = Qt.ItemDataRole.UserRole + 62
    """How much of the text is the sign, the number and the blanks between."""
    CHANGED = Qt.ItemDataRole.UserRole + 61
    """From where to where it differs from the line that it stands for."""


class DifferenceRows(QStyledItemDelegate):
    """Rows as high as their text is at the width of the view."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view

    def line_height(self) -> int:
        """How high one line of text is."""
        return QFontMetrics(self._view.font()).height() + theme().px(2)

    def height(self, index: Index) -> int:
        """How high a row is at the present width."""
        return round(self._laid_out(index)[0].boundingRect().height()) + theme().px(2)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return QSize(self._width(), self.height(index))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours = current()
        ink, ground = {
            "+": (colours.added, colours.added_bg),
            "−": (colours.removed, colours.removed_bg),
        }.get(index.data(DifferingRole.SIGN) or "", (colours.text, colours.page))
        if option.state & QStyle.StateFlag.State_Selected and self._view.hasFocus():
            ink, ground = colours.text, colours.selection
        layout, prefix, indent = self._laid_out(index)
        painter.save()
        painter.fillRect(option.rect, QColor(ground))
        painter.setPen(QColor(ink))
        painter.setFont(self._view.font())
        place = QPointF(option.rect.topLeft()) + QPointF(theme().px(6), theme().px(1))
        if prefix:
            painter.drawText(place + QPointF(0, QFontMetrics(self._view.font()).ascent()), prefix)
        layout.draw(painter, place + QPointF(indent, 0))
        painter.restore()

    def _width(self) -> int:
        return max(self._view.viewport().width(), theme().px(120))

    def _laid_out(self, index: Index) -> tuple[QTextLayout, str, float]:
        text = str(index.data() or "")
        start = int(index.data(DifferingRole.HEAD) or 0)
        font = self._view.font()
        indent = QFontMetrics(font).horizontalAdvance("0") * start
        layout = QTextLayout(text[start:], font)
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        if changed := index.data(DifferingRole.CHANGED):
            layout.setFormats([_bold(text, start, *changed)])
        width, top = self._width() - indent - theme().px(12), 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, top))
            top += line.height()
        layout.endLayout()
        return layout, text[:start], indent


def _bold(text: str, skipped: int, start: int, end: int) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length = units(text[skipped:start]), units(text[start:end])
    style = QTextCharFormat()
    style.setFontWeight(QFont.Weight.Bold)
    made.format = style
    return made
