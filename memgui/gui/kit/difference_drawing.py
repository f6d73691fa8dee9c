"""How the rows of a difference are drawn: two columns of numbers, the sign, and the line, turned at the edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption

from memgui.domain.invisible import LABEL
from memgui.gui import icons
from memgui.gui.kit.difference_breaks import Ruler
from memgui.gui.kit.difference_rows import Row, RowKind, Sign
from memgui.gui.kit.difference_words import Marks
from memgui.gui.theme import blend, current, theme
from memgui.i18n import _


@dataclass(frozen=True, slots=True)
class RowLook:
    """What a row is drawn with beside its place."""

    text: str
    marks: Marks = ()
    chosen: bool = False
    """Whether it is one of several that are chosen, to be copied."""
    current: bool = False
    """Whether the keyboard is on it."""
    hot: bool = False


class DifferencePainter:
    """Measures and draws rows for one width."""

    def __init__(self) -> None:
        self._digits = (1, 1)
        self.width = 400
        self.dress()

    def dress(self) -> None:
        """Take fonts and sizes from the theme anew."""
        dress = theme()
        self.font = dress.mono(0.95)
        self._number_font = dress.mono(0.82)
        self._head_font = dress.font(0.9)
        self.ruler = Ruler(self.font)
        self.line_height = round(self.ruler.height) + dress.px(3)
        self._small = QFontMetrics(self._number_font)
        self._head_height = max(24, QFontMetrics(self._head_font).height() + dress.px(10))

    def fit(self, width: int, last_old: int, last_new: int) -> None:
        """For a view of that width, and numbers up to these."""
        self.width = width
        self._digits = (len(str(last_old)), len(str(last_new)))

    @property
    def page(self) -> QColor:
        """The ground where there are no rows."""
        return QColor(current().page)

    @property
    def _old_width(self) -> int:
        return self._small.horizontalAdvance("0" * self._digits[0]) if self._shows_numbers else 0

    @property
    def _new_width(self) -> int:
        return self._small.horizontalAdvance("0" * self._digits[1])

    @property
    def _shows_numbers(self) -> bool:
        """Where it is narrow, only the numbers of the new side are shown."""
        return self.width > theme().px(420)

    @property
    def text_left(self) -> int:
        """Where the lines begin."""
        gap = theme().px(8)
        return gap + (self._old_width + gap if self._shows_numbers else 0) + self._new_width + gap + self._sign_width

    @property
    def _sign_width(self) -> int:
        return round(self.ruler.cell) + theme().px(16)

    @property
    def _room(self) -> float:
        return max(8 * self.ruler.cell, self.width - self.text_left - theme().px(8))

    def heights(self, rows: Sequence[Row]) -> list[int]:
        """How high each row is."""
        line_height, lines = self.line_height, self.ruler.lines
        room, less = self._room, self._room_before_word
        heights: list[int] = []
        for row in rows:
            if row.kind is not RowKind.LINE:
                heights.append(self._height_of_other(row))
            else:
                heights.append(line_height * lines(row.text, less if row.moved else room))
        return heights

    @property
    def _room_before_word(self) -> float:
        """Where a line has a word at its end, it turns before that."""
        return max(8 * self.ruler.cell, self._room - theme().px(90))

    def _height_of_other(self, row: Row) -> int:
        if row.kind is RowKind.HEAD:
            return self._head_height
        return max(24, self.line_height) if row.kind is RowKind.FOLD else self.line_height

    # Drawing -----------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, rect: QRect, row: Row, look: RowLook) -> None:
        """Draw one row into its place."""
        if row.kind is RowKind.HEAD:
            self._paint_head(painter, rect, look)
        elif row.kind is RowKind.FOLD:
            self._paint_fold(painter, rect, look)
        elif row.kind is RowKind.MORE:
            self._paint_more(painter, rect, row, look)
        elif row.kind is RowKind.NOTE:
            self._paint_note(painter, rect, row, look)
        elif row.kind is RowKind.LINE:
            self._paint_line(painter, rect, row, look)
        if look.current:
            self._paint_current(painter, rect)

    def _paint_current(self, painter: QPainter, rect: QRect) -> None:
        """A thin frame: on a ground of its own one would not see any more whether the line came or went."""
        painter.setPen(QPen(QColor(current().focus), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        edge = theme().px(4)
        painter.drawRoundedRect(rect.toRectF().adjusted(edge + 0.5, 1.5, -edge - 0.5, -1.5), 3, 3)

    def _paint_head(self, painter: QPainter, rect: QRect, look: RowLook) -> None:
        colours = current()
        painter.fillRect(rect, QColor(colours.selection if look.chosen else colours.page))
        painter.fillRect(rect.left(), rect.top(), rect.width(), 1, QColor(colours.hairline))
        painter.setFont(self._head_font)
        painter.setPen(QColor(colours.text if look.chosen else colours.muted))
        place = rect.adjusted(theme().px(10), theme().px(2), -theme().px(8), 0)
        words = painter.fontMetrics().elidedText(look.text, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, _MIDDLE, words)

    def _paint_fold(self, painter: QPainter, rect: QRect, look: RowLook) -> None:
        colours, dress = current(), theme()
        ground = colours.selection if look.chosen else colours.hover if look.hot else colours.side
        painter.fillRect(rect, QColor(ground))
        side = dress.px(12)
        icons.paint(
            painter, "more", QRect(self.text_left - side - dress.px(6), rect.center().y() - side // 2, side, side)
        )
        painter.setFont(self._head_font)
        painter.setPen(QColor(colours.text if look.chosen else colours.muted))
        painter.drawText(rect.adjusted(self.text_left, 0, -dress.px(8), 0), _MIDDLE, look.text)

    def _paint_more(self, painter: QPainter, rect: QRect, row: Row, look: RowLook) -> None:
        self._paint_ground(painter, rect, row, look)
        painter.setFont(self._head_font)
        painter.setPen(QColor(current().text if look.chosen else _ink(row.sign)))
        painter.drawText(rect.adjusted(self.text_left, 0, -theme().px(8), 0), _MIDDLE, look.text)

    def _paint_note(self, painter: QPainter, rect: QRect, row: Row, look: RowLook) -> None:
        colours, dress = current(), theme()
        self._paint_ground(painter, rect, row, look)
        painter.setFont(self._head_font)
        painter.setPen(QColor(colours.text if look.chosen else colours.warning))
        place = rect.adjusted(self.text_left, 0, -dress.px(8), 0)
        words = painter.fontMetrics().elidedText(f"⚑ {look.text}", Qt.TextElideMode.ElideRight, place.width())
        tag = QRectF(place.left() - dress.px(4), place.top() + 1, 0, place.height() - 2)
        tag.setWidth(painter.fontMetrics().horizontalAdvance(words) + dress.px(8))
        if not look.chosen:
            painter.fillRect(tag, QColor(colours.warning_bg))
        painter.drawText(place, _MIDDLE, words)

    def _paint_line(self, painter: QPainter, rect: QRect, row: Row, look: RowLook) -> None:
        colours, dress = current(), theme()
        self._paint_ground(painter, rect, row, look)
        ink = colours.text if look.chosen else _ink(row.sign)
        self._paint_numbers(painter, rect, row, ink)
        painter.setFont(self.font)
        painter.setPen(QColor(ink))
        if row.sign is not Sign.SAME:
            bold = QFont(self.font)
            bold.setWeight(QFont.Weight.Bold)
            painter.setFont(bold)
            sign = QRect(self._gutter_end, rect.top(), self._sign_width - dress.px(6), self.line_height)
            painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, row.sign)
            painter.setFont(self.font)
            if row.moved:
                self._paint_moved(painter, rect, row, ink)
        painter.setPen(QColor(colours.text))
        room, top = self._room_before_word if row.moved else self._room, rect.top() + dress.px(1)
        starts = [0, *self.ruler.breaks(look.text, room), len(look.text)]
        marked = _styles(look.text, look.marks, row.sign, chosen=look.chosen)
        for start, end in pairwise(starts):
            piece = look.text[start:end]
            styles = [
                (max(a, start) - start, min(b, end) - start, how) for a, b, how in marked if a < end and b > start
            ]
            _draw_piece(painter, QPointF(self.text_left, top), piece, self.font, styles, room)
            top += self.line_height

    def _paint_moved(self, painter: QPainter, rect: QRect, row: Row, ink: str) -> None:
        """A word at the end of the line: it is not lost, nor new."""
        words = _("moved away") if row.sign is Sign.REMOVED else _("moved here")
        painter.setFont(theme().font(0.8))
        painter.setPen(QColor(ink))
        place = rect.adjusted(0, 0, -theme().px(12), 0)
        place.setHeight(self.line_height)
        painter.drawText(place, _RIGHT, words)
        painter.setFont(self.font)

    @property
    def _gutter_end(self) -> int:
        return self.text_left - self._sign_width

    def _paint_ground(self, painter: QPainter, rect: QRect, row: Row, look: RowLook) -> None:
        if look.chosen:
            painter.fillRect(rect, QColor(current().selection))
        else:
            painter.fillRect(rect, QColor(_ground(row.sign)))
            painter.fillRect(QRect(rect.left(), rect.top(), self._gutter_end, rect.height()), _gutter(row.sign))

    def _paint_numbers(self, painter: QPainter, rect: QRect, row: Row, ink: str) -> None:
        gap = theme().px(8)
        painter.setFont(self._number_font)
        painter.setPen(QColor(ink))
        left = rect.left() + gap
        if self._shows_numbers:
            if row.old:
                painter.drawText(QRect(left, rect.top(), self._old_width, self.line_height), _RIGHT, str(row.old))
            left += self._old_width + gap
        number = row.new or (0 if self._shows_numbers else row.old)
        if number:
            painter.drawText(QRect(left, rect.top(), self._new_width, self.line_height), _RIGHT, str(number))

    def paint_frame(self, painter: QPainter, rect: QRect, *, focused: bool) -> None:
        """Draw the frame around the chosen part."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(current().focus if focused else current().border))
        pen.setWidth(2)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = theme().px(4)
        painter.drawRoundedRect(rect.toRectF().adjusted(2, -1, -2, 1), radius, radius)
        painter.restore()


_MIDDLE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine


def _ground(sign: Sign) -> str:
    colours = current()
    return {Sign.ADDED: colours.added_bg, Sign.REMOVED: colours.removed_bg}.get(sign, colours.page)


def _ink(sign: Sign) -> str:
    colours = current()
    return {Sign.ADDED: colours.added, Sign.REMOVED: colours.removed}.get(sign, colours.muted)


def _gutter(sign: Sign) -> QColor:
    return QColor(current().page) if sign is Sign.SAME else blend(_ink(sign), _ground(sign), 0.93)


def mark_ground(sign: Sign) -> QColor:
    """The ground of changed words."""
    return blend(_ink(sign), _ground(sign), 0.76)


def _styles(text: str, marks: Marks, sign: Sign, *, chosen: bool) -> list[tuple[int, int, QTextCharFormat]]:
    colours = current()
    styles: list[tuple[int, int, QTextCharFormat]] = []
    if marks:
        changed = QTextCharFormat()
        changed.setFontWeight(QFont.Weight.Bold)
        if not chosen:
            changed.setBackground(mark_ground(sign))
        styles += [(start, end, changed) for start, end in marks]
    if "‹" in text:
        label = QTextCharFormat()
        label.setForeground(QColor(colours.warning))
        label.setBackground(QColor(colours.warning_bg))
        styles += [(found.start(), found.end(), label) for found in LABEL.finditer(text)]
    return styles


def _draw_piece(
    painter: QPainter,
    place: QPointF,
    text: str,
    font: QFont,
    styles: Sequence[tuple[int, int, QTextCharFormat]],
    room: float,
) -> None:
    """One line of text, from the left whatever script it is in; squeezed if it came out wider than was reckoned."""
    if not styles and text.isascii():
        painter.drawText(QPointF(place.x(), place.y() + QFontMetrics(font).ascent()), text)
        return
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    layout.setFormats([_range(text, start, end, how) for start, end, how in styles])
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    layout.endLayout()
    wide = line.naturalTextWidth()
    # Letters of other scripts may stand higher than those that the row was measured by.
    lift = QFontMetrics(font).ascent() - line.ascent()
    if wide <= room + 1:
        layout.draw(painter, QPointF(place.x(), place.y() + lift))
        return
    painter.save()
    painter.translate(place.x(), place.y() + lift)
    painter.scale(room / wide, 1.0)
    layout.draw(painter, QPointF(0, 0))
    painter.restore()


def _range(text: str, start: int, end: int, how: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length = _units(text[:start]), _units(text[start:end])
    made.format = how
    return made


def _units(text: str) -> int:
    """Qt counts UTF-16 units where Python counts characters."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
