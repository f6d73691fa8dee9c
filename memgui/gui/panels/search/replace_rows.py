"""How the places of a replacement are drawn: a box to tick, the line before with its sign, and the line after."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from memgui.domain.replacing import Place, Span
from memgui.gui import icons
from memgui.gui.models.replace_model import ROW_ROLE, ReplaceRow, folder_said, places_said
from memgui.gui.models.results_model import excerpt
from memgui.gui.panels.search.rows import fade_away, room_before, row_ground
from memgui.gui.theme import Tokens, current, theme
from memgui.i18n import _

Index = QModelIndex | QPersistentModelIndex
Spans = tuple[Span, ...]
_CENTRED = Qt.AlignmentFlag.AlignVCenter


class ReplacePainter(QStyledItemDelegate):
    """Draws documents and places; a click into the box ticks, anywhere else it only chooses."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: ReplaceRow | None = index.data(ROW_ROLE)
        line = option.fontMetrics.height()
        lines = 1 if row is None or row.place is None else 2
        return QSize(theme().px(120), max(24, line * lines + theme().px(12)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ReplaceRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        painter.save()
        ground, colours = row_ground(painter, option, index, hot=True, under=current().page)
        _draw_box(painter, _box(option.rect, row), Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)))
        inner = option.rect.adjusted(_box(option.rect, row).right() + theme().px(10) - option.rect.left(), 0, 0, 0)
        inner.setRight(option.rect.right() - theme().px(12))
        if row.place is None:
            _draw_file(painter, inner, row, colours)
        else:
            _draw_place(painter, inner, row.place, colours, ground)
        painter.restore()

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        row: ReplaceRow | None = index.data(ROW_ROLE)
        if row is not None and event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            around = theme().px(6)
            if _box(option.rect, row).adjusted(-around, -around, around, around).contains(event.position().toPoint()):
                turn(model, index)
                return True
        return False


def turn(model: QAbstractItemModel, index: Index) -> None:
    """Tick what is not ticked, and the other way round."""
    ticked = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked
    wanted = Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked
    model.setData(model.index(index.row(), 0), wanted, Qt.ItemDataRole.CheckStateRole)


def _box(rect: QRect, row: ReplaceRow) -> QRect:
    side = theme().px(16)
    left = rect.left() + theme().px(14 if row.place is None else 34)
    return QRect(left, rect.center().y() - side // 2 + 1, side, side)


def _draw_box(painter: QPainter, box: QRect, state: Qt.CheckState) -> None:
    colours, dress = current(), theme()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    on = state != Qt.CheckState.Unchecked
    pen = painter.pen()
    pen.setWidthF(1.5)
    pen.setColor(QColor(colours.button if on else colours.border))
    painter.setPen(pen)
    painter.setBrush(QColor(colours.button if on else colours.page))
    painter.drawRoundedRect(box.toRectF().adjusted(0.75, 0.75, -0.75, -0.75), dress.px(4), dress.px(4))
    if state == Qt.CheckState.Checked:
        side = box.width() - dress.px(4)
        place = QRect(box.left() + dress.px(2), box.top() + dress.px(2), side, side)
        icons.paint(painter, "check", place, "button_text")
    elif on:
        high = max(2, dress.px(2))
        wide = box.width() - dress.px(8)
        painter.fillRect(
            QRect(box.left() + dress.px(4), box.center().y() - high // 2, wide, high), QColor(colours.button_text)
        )


def _draw_file(painter: QPainter, rect: QRect, row: ReplaceRow, colours: Tokens) -> None:
    dress = theme()
    count = places_said(len(row.file.places))
    if row.file.on_page:
        count = _("{count}, on its page with unsaved text").format(count=count)
    painter.setFont(dress.font(0.9))
    painter.setPen(QColor(colours.muted))
    metrics = painter.fontMetrics()
    room = min(metrics.horizontalAdvance(count) + 2, rect.width() // 2)
    elided = metrics.elidedText(count, Qt.TextElideMode.ElideRight, room)
    painter.drawText(rect, _CENTRED | Qt.AlignmentFlag.AlignRight, elided)
    rect = rect.adjusted(0, 0, -room - dress.px(12), 0)
    painter.setFont(dress.font(bold=True))
    painter.setPen(QColor(colours.text))
    name = painter.fontMetrics().elidedText(
        row.file.path.rpartition("/")[2], Qt.TextElideMode.ElideMiddle, rect.width()
    )
    painter.drawText(rect, _CENTRED, name)
    rect = rect.adjusted(painter.fontMetrics().horizontalAdvance(name) + dress.px(8), 0, 0, 0)
    painter.setFont(dress.font(0.92))
    painter.setPen(QColor(colours.muted))
    folder = folder_said(row.file.path)
    painter.drawText(
        rect, _CENTRED, painter.fontMetrics().elidedText(folder, Qt.TextElideMode.ElideMiddle, rect.width())
    )


def _draw_place(painter: QPainter, rect: QRect, place: Place, colours: Tokens, ground: QColor) -> None:
    dress = theme()
    font = dress.font(0.88)
    painter.setFont(font)
    metrics = painter.fontMetrics()
    column = metrics.horizontalAdvance("00000")
    painter.setPen(QColor(colours.muted))
    high = rect.height() // 2
    upper = QRect(rect.left(), rect.top() + dress.px(3), rect.width(), high - dress.px(3))
    lower = QRect(rect.left(), rect.top() + high, rect.width(), high - dress.px(3))
    number = QRect(upper.left(), upper.top(), column, upper.height())
    painter.drawText(number, _CENTRED | Qt.AlignmentFlag.AlignRight, f"{place.line:,}")
    text = column + dress.px(10)
    upper, lower = upper.adjusted(text, 0, 0, 0), lower.adjusted(text, 0, 0, 0)
    if place.in_link:
        words = _("in a link")
        painter.drawText(upper, _CENTRED | Qt.AlignmentFlag.AlignRight, words)
        wide = metrics.horizontalAdvance(words) + dress.px(12)
        upper, lower = upper.adjusted(0, 0, -wide, 0), lower.adjusted(0, 0, -wide, 0)
    before = _room_before(place, upper.width())
    old, new = (excerpt(*one, before=before) for one in ((place.before, (place.found,)), (place.after, (place.put,))))
    for room, sign, line, removed in ((upper, "\N{MINUS SIGN}", old, True), (lower, "+", new, False)):
        if _draw_line(painter, room, sign, line, removed=removed) > room.right():
            fade_away(painter, room, ground)


def _draw_line(painter: QPainter, rect: QRect, sign: str, line: tuple[str, Spans], *, removed: bool) -> float:
    """Draw what there is room for, and answer where the whole of it would end."""
    colours = current()
    font = theme().font(0.95)
    colour = QColor(colours.removed if removed else colours.added)
    painter.setFont(theme().font(0.95, bold=True))
    painter.setPen(colour)
    side = theme().px(16)
    painter.drawText(QRect(rect.left(), rect.top(), side, rect.height()), _CENTRED, sign)
    rect = rect.adjusted(side, 0, 0, 0)
    shown, marks = line
    layout = QTextLayout(shown, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    layout.setFormats([_format(shown, span, colours, removed=removed) for span in marks])
    layout.beginLayout()
    laid = layout.createLine()
    laid.setLineWidth(100_000)
    layout.endLayout()
    painter.save()
    painter.setClipRect(rect)
    painter.setPen(QColor(colours.text))
    layout.draw(painter, QPointF(rect.left(), rect.top() + (rect.height() - laid.height()) / 2))
    painter.restore()
    return rect.left() + laid.naturalTextWidth()


def _room_before(place: Place, width: int) -> int:
    """So many characters in front of the place that it is in sight in both lines, which begin alike."""
    metrics = QFontMetrics(theme().font(0.95))
    longer = max((place.before[slice(*place.found)], place.after[slice(*place.put)]), key=len)
    room = max(0, width - metrics.horizontalAdvance(longer))
    return room_before(metrics, place.before[: place.found[0]], room * 3 // 4)


def _format(text: str, mark: Span, colours: Tokens, *, removed: bool) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    # Qt counts in UTF-16 units, the mark in characters.
    made.start = _units(text[: mark[0]])
    made.length = _units(text[slice(*mark)])
    form = QTextCharFormat()
    form.setBackground(QColor(colours.removed_bg if removed else colours.added_bg))
    form.setForeground(QColor(colours.removed if removed else colours.added))
    form.setFontWeight(QFont.Weight.Bold)
    form.setFontStrikeOut(removed)
    made.format = form
    return made


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
