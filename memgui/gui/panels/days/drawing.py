"""Draws the rows of the week: day headings, logs, and entries with their time in a column of its own."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from memgui.gui import icons
from memgui.gui.kit.rows import Index, paint_row_ground, quiet_colour
from memgui.gui.models.days_model import ROW_ROLE, DayRow, RowKind
from memgui.gui.panels.days.told import Span, told
from memgui.gui.theme import current, theme
from memgui.i18n import ngettext

FOLDED_LINES = 6
"""So many lines of a long entry are shown until it is opened out."""
_FEWEST_HIDDEN = 3
"""An entry that is longer by less than this is shown whole: to fold it would save nothing."""
_MEASURE = 780
"""No line of text is wider: longer lines are hard to read."""
_REMEMBERED = 300
_MOST_SIZES = 20_000
_MOST_LINES = 4_000
_WRAPPED = QTextOption()
_WRAPPED.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
_LINE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine

_Key = tuple[str, tuple[str, ...], str, bool, int, bool]
"""What an entry's lines depend on: what it says, the width, and whether it is opened out."""


@dataclass(slots=True)
class _Laid:
    """An entry laid out for a width. `shown`: lines drawn; `lines`: lines there are."""

    layouts: list[tuple[QTextLayout, float, int]]
    height: int
    shown: int
    lines: int

    @property
    def hidden(self) -> int:
        return self.lines - self.shown


class DayDelegate(QStyledItemDelegate):
    """Draws rows of `DayRow`. `opened` are the places of entries that are opened out."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self.opened: set[object] = set()
        self.time_width = 0
        self._laid: OrderedDict[_Key, _Laid] = OrderedDict()
        self._sizes: dict[_Key, tuple[int, int]] = {}
        self.dress()

    def dress(self) -> None:
        """Take fonts and colours from the theme anew."""
        self._forget()
        self._font, self._small = theme().font(), theme().font(0.88)
        self._heading = theme().font(1.06, bold=True)
        self._time = theme().font(0.95)
        self._metrics = QFontMetrics(self._font)
        look = theme()
        self._pad, self._measure, self._least = look.px(14), look.px(_MEASURE), look.px(60)
        self._fold_height = self._metrics.height() + look.px(4)
        self._air = look.px(9)

    def set_times(self, rows: list[DayRow]) -> None:
        """Make the column of times as wide as the widest, within reason."""
        metrics = QFontMetrics(self._time)
        widest = max(
            (metrics.horizontalAdvance(time) for time in {row.time for row in rows if _is_told(row)}), default=0
        )
        room = max(self._view.viewport().width() * 3 // 10, theme().px(40))
        # A width is told without its fraction, and what is drawn may need that.
        width = min(max(widest, metrics.horizontalAdvance("00:00")) + 2, room)
        if width != self.time_width:
            self.time_width = width
            self._forget()

    @property
    def day_height(self) -> int:
        """How high the heading of a day is."""
        return max(24, QFontMetrics(self._heading).height() + theme().px(14))

    def is_folded(self, index: Index) -> bool:
        """Whether lines of the entry are hidden now."""
        row: DayRow | None = index.data(ROW_ROLE)
        return row is not None and _is_told(row) and self._size(row)[1] > 0

    def fold_rect(self, rect: QRect, index: Index) -> QRect:
        """Where the words that open an entry out stand; empty where nothing is hidden."""
        row: DayRow | None = index.data(ROW_ROLE)
        if row is None or not _is_told(row) or (hidden := self._size(row)[1]) <= 0:
            return QRect()
        height = self._fold_height
        left = rect.left() + self._text_left()
        width = QFontMetrics(self._small).horizontalAdvance(_more_words(hidden)) + theme().px(16)
        return QRect(left, rect.bottom() - theme().px(3) - height, width, height)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        row: DayRow | None = index.data(ROW_ROLE)
        if row is None:
            return QSize(0, 0)
        if row.kind is RowKind.DAY:
            return QSize(60, self.day_height + theme().px(6 if index.row() else 0))
        if row.kind is RowKind.LOG:
            return QSize(60, max(24, self._metrics.height() + theme().px(8)))
        return QSize(60, self._size(row)[0])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: DayRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        painter.save()
        rect: QRect = option.rect
        if row.kind is RowKind.DAY:
            self.paint_day(painter, rect.adjusted(0, theme().px(6 if index.row() else 0), 0, 0), row)
        else:
            hot = index == getattr(self._view, "hot", None)
            paint_row_ground(painter, rect, self._view, index, hot=hot)
            if row.kind is RowKind.LOG:
                self._paint_log(painter, rect, row, quiet_colour(self._view, index))
            else:
                self._paint_entry(painter, rect, row, quiet_colour(self._view, index), index)
        painter.restore()

    def paint_day(self, painter: QPainter, rect: QRect, row: DayRow) -> None:
        """The heading of a day: its date, how near it is, and what was logged."""
        colours, pad, gap = current(), theme().px(14), theme().px(8)
        painter.fillRect(rect, QColor(colours.page))
        painter.setFont(self._heading)
        painter.setPen(QColor(colours.text))
        inner = rect.adjusted(pad, 0, -pad, 0)
        title = painter.fontMetrics().elidedText(row.text, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, _LINE, title)
        left = inner.left() + painter.fontMetrics().horizontalAdvance(title) + gap
        painter.setFont(self._small)
        for words, colour in ((row.time, "accent"), (row.detail, "muted")):
            room = QRect(left, inner.top(), inner.right() - left, inner.height())
            width = painter.fontMetrics().horizontalAdvance(words)
            if words and room.width() >= width:
                painter.setPen(QColor(str(getattr(colours, colour))))
                painter.drawText(room.translated(0, theme().px(1)), _LINE, words)
                left += width + gap
        if left < inner.right():
            painter.fillRect(
                QRect(left, inner.center().y() + theme().px(1), inner.right() - left, 1), QColor(colours.hairline)
            )

    def _paint_log(self, painter: QPainter, rect: QRect, row: DayRow, quiet: str) -> None:
        side = theme().px(14)
        left = rect.left() + self._text_left()
        icons.paint(painter, "document", QRect(left, rect.center().y() - side // 2 + 1, side, side), quiet)
        left += side + theme().px(6)
        painter.setFont(self._small)
        painter.setPen(QColor(icons.current_colour(quiet)))
        room = QRect(left, rect.top(), rect.right() - theme().px(14) - left, rect.height())
        painter.drawText(
            room, _LINE, painter.fontMetrics().elidedText(row.text, Qt.TextElideMode.ElideMiddle, room.width())
        )

    def _paint_entry(self, painter: QPainter, rect: QRect, row: DayRow, quiet: str, index: Index) -> None:
        colours, laid = current(), self._lay(row)
        top = rect.top() + theme().px(4)
        if row.time:
            painter.setFont(self._time)
            painter.setPen(QColor(icons.current_colour(quiet)))
            place = QRect(rect.left() + theme().px(14), top, self.time_width, self._metrics.height())
            time = painter.fontMetrics().elidedText(row.time, Qt.TextElideMode.ElideRight, self.time_width)
            painter.drawText(place, _LINE, time)
        left = rect.left() + self._text_left()
        painter.setPen(QColor(icons.current_colour("text" if row.kind is not RowKind.NOTE else quiet)))
        left_over = laid.shown
        for layout, offset, count in laid.layouts:
            if left_over <= 0:
                break
            if count <= left_over:
                layout.draw(painter, QPointF(left, top + offset))
            else:
                for number in range(left_over):
                    layout.lineAt(number).draw(painter, QPointF(left, top + offset))
            left_over -= count
        if laid.hidden > 0:
            painter.setFont(self._small)
            painter.setPen(QColor(colours.accent if quiet == "muted" else colours.text))
            place = self.fold_rect(rect, index)
            side = theme().px(12)
            icons.paint(
                painter, "chevron-down", QRect(place.left(), place.center().y() - side // 2 + 1, side, side), quiet
            )
            painter.drawText(
                place.adjusted(side + theme().px(4), 0, theme().px(40), 0), _LINE, _more_words(laid.hidden)
            )

    # Laying out --------------------------------------------------------------------------------------------------

    def _text_left(self) -> int:
        return self._pad + self.time_width + self._pad

    def _text_width(self) -> int:
        room = self._view.viewport().width() - self._text_left() - self._pad
        return max(self._least, min(room, self._measure))

    def _forget(self) -> None:
        self._laid.clear()
        self._sizes.clear()

    def _key(self, row: DayRow) -> _Key:
        return row.text, row.body, row.date, row.is_titled, self._text_width(), row.place in self.opened

    def _size(self, row: DayRow) -> tuple[int, int]:
        """How high an entry is, and how many of its lines are hidden."""
        key = self._key(row)
        found = self._sizes.get(key)
        if found is None:
            laid = self._lay(row)
            if len(self._sizes) >= _MOST_SIZES:
                self._sizes.clear()
            found = self._sizes[key] = (laid.height, laid.hidden)
        return found

    def _lay(self, row: DayRow) -> _Laid:
        key = self._key(row)
        found = self._laid.get(key)
        if found is None:
            found = self._laid[key] = self._laid_out(row, key[4], key[5])
            if len(self._laid) > _REMEMBERED:
                self._laid.popitem(last=False)
        return found

    def _laid_out(self, row: DayRow, width: int, is_open: bool) -> _Laid:
        most = _MOST_LINES if is_open else FOLDED_LINES + _FEWEST_HIDDEN
        text = told(row, most)
        height, count = 0.0, 0
        layouts: list[tuple[QTextLayout, float, int]] = []
        # What is not drawn is counted by its lines of text: near enough to say how much there is.
        spare = text.more
        for line, spans in zip(text.lines, text.spans, strict=True):
            if count >= most:
                spare += 1
                continue
            layout = QTextLayout(line, self._font)
            layout.setTextOption(_WRAPPED)
            layout.setCacheEnabled(True)
            if spans:
                layout.setFormats([self._format(line, *span) for span in spans])
            offset, lines = height, 0
            layout.beginLayout()
            while (made := layout.createLine()).isValid():
                made.setLineWidth(width)
                made.setPosition(QPointF(0, height - offset))
                height += made.height()
                lines += 1
            layout.endLayout()
            count += lines
            layouts.append((layout, offset, lines))
        lines = count + spare
        shown = lines if is_open or lines < FOLDED_LINES + _FEWEST_HIDDEN else FOLDED_LINES
        each = self._metrics.lineSpacing()
        told_height = round(height) if shown == lines else sum(_heights(layouts, shown))
        more = self._fold_height if shown < lines else 0
        total = max(round(told_height), each) + more + self._air
        return _Laid(layouts, max(24, total), shown, lines)

    def _format(self, line: str, start: int, length: int, span: Span) -> QTextLayout.FormatRange:
        made = QTextLayout.FormatRange()
        plain = line.isascii()
        made.start = start if plain else _units(line[:start])
        made.length = length if plain else _units(line[start : start + length])
        style = QTextCharFormat()
        colours = current()
        if span is Span.BOLD:
            style.setFontWeight(QFont.Weight.DemiBold)
        elif span is Span.CODE:
            style.setFontFamilies(theme().mono().families())
            style.setForeground(QColor(colours.code))
        elif span is Span.LINK:
            style.setForeground(QColor(colours.link))
        else:
            style.setForeground(QColor(colours.muted))
        made.format = style
        return made


def _is_told(row: DayRow) -> bool:
    return row.kind not in (RowKind.DAY, RowKind.LOG)


def _heights(layouts: list[tuple[QTextLayout, float, int]], most: int) -> list[float]:
    heights = [layout.lineAt(number).height() for layout, _offset, count in layouts for number in range(count)]
    return heights[:most]


def _more_words(hidden: int) -> str:
    return ngettext("Show {count} more line", "Show {count} more lines", hidden).format(count=f"{hidden:,}")


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
