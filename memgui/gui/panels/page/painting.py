"""Draws the signs of `marks` over the text of an editor."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextBlock

from memgui.gui import theme
from memgui.gui.panels.page import marks
from memgui.gui.panels.page.breaks import units

if TYPE_CHECKING:
    from memgui.gui.panels.page.view import TextView

_MOST_SIGNS_IN_A_LINE = 400
_MOST_TAGS = 8


def paint_marks(editor: TextView, painter: QPainter, within: QRect, all_kinds: bool) -> None:
    """Paint the signs of the lines within a part of the view: at each character, and behind the line its names."""
    tag_font = QFont(editor.font())
    tag_font.setPointSizeF(max(6.0, tag_font.pointSizeF() * 0.68))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    mixed = all_kinds and len(editor.breaks.kinds) > 1
    for block, top, _height in editor.visible_blocks(within):
        layout = block.layout()
        if not layout.lineCount():
            continue
        origin = QPointF(editor.contentOffset().x() + layout.position().x(), top)
        found = marks.marks(block.text(), all_kinds=all_kinds)[:_MOST_SIGNS_IN_A_LINE]
        for mark in found:
            _paint_mark(painter, block, origin, mark)
        tags = [(mark.tag, True) for mark in found if mark.tag]
        ending = editor.breaks.ending_after(block) if mixed else None
        if ending is not None and ending != editor.breaks.prevailing:
            tags.append((marks.ENDING_NAMES.get(ending, "?"), ending not in ("\n", "\r\n")))
        if tags:
            last = layout.lineAt(layout.lineCount() - 1)
            edge = origin + QPointF(last.naturalTextRect().right() + 6, last.y())
            _paint_tags(painter, edge, last.height(), tags, tag_font)


def _paint_mark(painter: QPainter, block: QTextBlock, origin: QPointF, mark: marks.Mark) -> None:
    text = block.text()
    for at in range(mark.start, mark.end):
        place = units(text[:at])
        line = block.layout().lineForTextPosition(place)
        if not line.isValid():
            continue
        left, right = line.cursorToX(place)[0], line.cursorToX(place + units(text[at]))[0]  # type: ignore[index]
        left, right = min(left, right), max(left, right)
        box = QRectF(origin.x() + left, origin.y() + line.y(), right - left, line.height())
        if mark.tag:
            _paint_flag(painter, box)
        else:
            _paint_blank(painter, box, text[at])


def _paint_flag(painter: QPainter, box: QRectF) -> None:
    """A staff with a small flag, at a character that has no width of its own."""
    colour = QColor(theme.current().warning)
    painter.setPen(QPen(colour, 1.5))
    x, top = box.left(), box.top() + 1
    painter.drawLine(QPointF(x, top), QPointF(x, box.bottom() - 1))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    size = box.height() * 0.28
    painter.drawPolygon([QPointF(x, top), QPointF(x + size, top + size / 2), QPointF(x, top + size)])


def _paint_blank(painter: QPainter, box: QRectF, character: str) -> None:
    colours = theme.current()
    painter.setPen(QPen(QColor(colours.border), 1))
    middle = box.center()
    if character == "\t":
        end = QPointF(box.right() - 3, middle.y())
        painter.drawLine(QPointF(box.left() + 3, middle.y()), end)
        painter.drawLine(end, end + QPointF(-3, -3))
        painter.drawLine(end, end + QPointF(-3, 3))
    elif character == " ":
        painter.setBrush(QColor(colours.border))
        painter.drawEllipse(middle, 1.0, 1.0)
    else:
        painter.setPen(QPen(QColor(colours.warning), 1))
        left, right, foot = box.left() + 1, box.right() - 1, box.bottom() - 3
        ends = (QPointF(left, foot - 4), QPointF(left, foot), QPointF(right, foot), QPointF(right, foot - 4))
        painter.drawPolyline(list(ends))


def _paint_tags(painter: QPainter, edge: QPointF, height: float, tags: list[tuple[str, bool]], font: QFont) -> None:
    """The names, in the order of their first places, each with how often it stands there."""
    colours, metrics = theme.current(), QFontMetricsF(font)
    painter.setFont(font)
    counted = Counter(tags)
    for number, ((tag, loud), count) in enumerate(counted.items()):
        words = f"+{len(counted) - _MOST_TAGS}" if number == _MOST_TAGS else tag if count == 1 else f"{tag} ×{count}"
        box = QRectF(edge.x(), edge.y() + (height - metrics.height()) / 2, metrics.horizontalAdvance(words) + 8, 0)
        box.setHeight(metrics.height())
        painter.setPen(QPen(QColor(colours.warning if loud else colours.border), 1))
        painter.setBrush(QColor(colours.warning_bg if loud else colours.page))
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(QColor(colours.warning if loud else colours.muted))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
        edge = QPointF(box.right() + 4, edge.y())
        if number == _MOST_TAGS:
            return
