"""One line of text with some of its characters marked: bold, in the colour of a link."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption

from memgui.gui.theme import current


def draw_marked(
    painter: QPainter, rect: QRect, text: str, marks: Collection[int], *, font: QFont, colour: str, mark_colour: str
) -> int:
    """Draw it, cut with `…` at the end if need be, and answer how wide it came out."""
    wide = QFont(font)
    wide.setWeight(QFont.Weight.Bold)
    if QFontMetrics(wide if marks else font).horizontalAdvance(text) > rect.width():
        text = QFontMetrics(wide).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    layout = QTextLayout(text, font)
    option = QTextOption()
    # A name begins at the left whatever script it is in, so that its ending stays at its end.
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    layout.setFormats([_format(text, start, length, mark_colour) for start, length in _runs(marks, len(text))])
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    layout.endLayout()
    painter.setPen(QColor(str(getattr(current(), colour))))
    layout.draw(painter, QPointF(rect.left(), rect.top() + (rect.height() - line.height()) / 2))
    return round(line.naturalTextWidth())


def _format(text: str, start: int, length: int, colour: str) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    # Qt counts UTF-16 units where Python counts characters.
    made.start = _units(text[:start])
    made.length = _units(text[start : start + length])
    style = QTextCharFormat()
    style.setFontWeight(QFont.Weight.Bold)
    style.setForeground(QColor(str(getattr(current(), colour))))
    made.format = style
    return made


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _runs(marks: Collection[int], end: int) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for mark in sorted(mark for mark in marks if mark < end):
        if runs and mark == runs[-1][0] + runs[-1][1]:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((mark, 1))
    return runs
