"""How the rows of search results are drawn."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QLinearGradient,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from memgui.gui import icons
from memgui.gui.kit.rows import paint_row_ground
from memgui.gui.models.results_model import BEFORE, ROW_ROLE, Row, RowKind, excerpt
from memgui.gui.theme import Tokens, current, theme
from memgui.i18n import _

Index = QModelIndex | QPersistentModelIndex


class RowPainter(QStyledItemDelegate):
    """Draws headings, files and lines; the match stands on a ground of its own and is bold, never colour alone."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: Row | None = index.data(ROW_ROLE)
        look = theme()
        height = option.fontMetrics.height() + look.px(8)
        if row is not None and row.kind is RowKind.HEADING:
            height += look.px(4)
        return QSize(look.px(120), max(height, look.px(24)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row | None = index.data(ROW_ROLE)
        if row is None:
            return
        painter.save()
        ground, colours = row_ground(painter, option, index, hot=row.kind is not RowKind.HEADING, under=current().side)
        pad = theme().px(10)
        inner = option.rect.adjusted(pad, 0, -pad, 0)
        if row.kind is RowKind.HEADING:
            self._paint_heading(painter, inner, row, colours)
        elif row.kind is RowKind.FILE:
            self._paint_file(painter, inner, row, colours)
        else:
            self._paint_hit(painter, inner, row, colours)
            fade_away(painter, inner, ground)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, row: Row, colours: Tokens) -> None:
        painter.setFont(theme().font(0.88, bold=True))
        painter.setPen(QColor(colours.muted))
        text = painter.fontMetrics().elidedText(row.text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect.adjusted(0, theme().px(4), 0, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_file(self, painter: QPainter, rect: QRect, row: Row, colours: Tokens) -> None:
        look = theme()
        size, gap = look.px(16), look.px(6)
        icons.paint(painter, "document", QRect(rect.left(), rect.center().y() - size // 2 + 1, size, size))
        rect = rect.adjusted(size + gap, 0, 0, 0)
        count = f"{row.count:,}"
        painter.setFont(look.font(0.88))
        painter.setPen(QColor(colours.muted))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, count)
        rect = rect.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(count) - gap * 2, 0)
        painter.setFont(look.font(bold=True))
        painter.setPen(QColor(colours.text))
        name = painter.fontMetrics().elidedText(row.text, Qt.TextElideMode.ElideMiddle, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, name)
        rect = rect.adjusted(painter.fontMetrics().horizontalAdvance(name) + gap, 0, 0, 0)
        painter.setFont(look.font(0.92))
        painter.setPen(QColor(colours.muted))
        folder = painter.fontMetrics().elidedText(row.folder, Qt.TextElideMode.ElideMiddle, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, folder)

    def _paint_hit(self, painter: QPainter, rect: QRect, row: Row, colours: Tokens) -> None:
        look = theme()
        number = "" if row.hit is None else _("name") if row.hit.in_name else str(row.hit.line)
        if row.hit is not None and row.hit.version:
            number = _("v{number}").format(number=row.hit.version)
        font = look.font(0.88)
        painter.setFont(font)
        painter.setPen(QColor(colours.muted))
        column = painter.fontMetrics().horizontalAdvance("00000")
        painter.drawText(
            QRect(rect.left(), rect.top(), column, rect.height()),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
            number,
        )
        text = rect.adjusted(column + look.px(10), 0, 0, 0)
        painter.setClipRect(text)
        _draw_marked(painter, text, fitted_row(row, look.font(), text.width() - look.px(36)), colours, look.font())


def fitted_row(row: Row, font: QFont, width: int) -> Row:
    """The row with so little in front of its first match that the match is in sight."""
    metrics = QFontMetrics(font)
    if row.hit is None or not row.marks or metrics.horizontalAdvance(row.text[: row.marks[0][1]]) <= width:
        return row
    start = row.hit.marks[0][0]
    room = width - metrics.horizontalAdvance(row.text[slice(*row.marks[0])]) - metrics.horizontalAdvance("……")
    before = room_before(metrics, row.hit.content[:start], room)
    text, marks = excerpt(row.hit.content, row.hit.marks, before=before)
    return replace(row, text=text, marks=marks)


def room_before(metrics: QFontMetrics, text: str, width: int) -> int:
    """How many of the last characters of a text are no wider than that; Chinese ones take twice the room of others."""
    text = text[-BEFORE:]
    least, most = 0, len(text)
    while least < most:
        middle = (least + most + 1) // 2
        if metrics.horizontalAdvance(text[-middle:]) <= width:
            least = middle
        else:
            most = middle - 1
    return least


def row_ground(
    painter: QPainter, option: QStyleOptionViewItem, index: Index, *, hot: bool, under: str
) -> tuple[QColor, Tokens]:
    """Draw what a row stands on; answer its colour, and the colours that can be read on it. `under`: the list's own."""
    colours, view = current(), option.widget
    assert isinstance(view, QAbstractItemView)
    hot = hot and bool(option.state & QStyle.StateFlag.State_MouseOver)
    paint_row_ground(painter, option.rect, view, index, hot=hot)
    if not option.state & QStyle.StateFlag.State_Selected:
        return QColor(colours.hover if hot else under), colours
    if not view.hasFocus():
        return QColor(colours.selection_off), colours
    return QColor(colours.selection), colours._replace(muted=colours.text)


def fade_away(painter: QPainter, rect: QRect, ground: QColor) -> None:
    """Let what goes on beyond the right edge fade; the frame of a row stays."""
    frame, wide = 4, theme().px(28)
    end = QRect(rect.right() - wide + 1, rect.top() + frame, wide, rect.height() - 2 * frame)
    shade = QLinearGradient(end.left(), 0, end.right(), 0)
    clear = QColor(ground)
    clear.setAlpha(0)
    shade.setColorAt(0, clear)
    shade.setColorAt(1, ground)
    painter.fillRect(end, shade)


def _draw_marked(painter: QPainter, rect: QRect, row: Row, colours: Tokens, font: QFont) -> None:
    layout = QTextLayout(row.text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    marked = QTextCharFormat()
    marked.setBackground(QColor(colours.mark))
    marked.setForeground(QColor(colours.text))
    marked.setFontWeight(QFont.Weight.Bold)
    layout.setFormats([_format_range(row.text, mark, marked) for mark in row.marks])
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(100_000)
    layout.endLayout()
    top = rect.top() + (rect.height() - line.height()) / 2
    painter.setPen(QColor(colours.text))
    layout.draw(painter, QPointF(rect.left(), top))


def _format_range(text: str, mark: tuple[int, int], form: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    # Qt counts in UTF-16 units, the mark in characters.
    made.start = _units(text[: mark[0]])
    made.length = _units(text[mark[0] : mark[1]])
    made.format = form
    return made


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
