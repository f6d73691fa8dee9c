"""Draws the signs of `marks` over the text of an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextBlock

from memgui.gui import theme
from memgui.gui.panels.page import marks
from memgui.gui.panels.page.breaks import units

if TYPE_CHECKING:
    from memgui.gui.panels.page.editor import MemoryEditor

_MOST_SIGNS_IN_A_LINE = 400


def paint_marks(editor: MemoryEditor, painter: QPainter, all_kinds: bool) -> None:
    """Paint the signs of every line in sight."""
    mixed = all_kinds and len(editor.breaks.kinds) > 1
    tag_font = QFont(editor.font())
    tag_font.setPointSizeF(max(6.0, tag_font.pointSizeF() * 0.62))
    for block, top, _height in editor.visible_blocks():
        origin = QPointF(editor.contentOffset().x() + block.layout().position().x(), top)
        text = block.text()
        for mark in marks.marks(text, all_kinds=all_kinds)[:_MOST_SIGNS_IN_A_LINE]:
            _paint_mark(painter, block, origin, mark, text, tag_font)
        if mixed:
            _paint_ending(painter, block, origin, editor.breaks.ending_after(block), tag_font)


def _paint_mark(
    painter: QPainter, block: QTextBlock, origin: QPointF, mark: marks.Mark, text: str, tag_font: QFont
) -> None:
    for at in range(mark.start, mark.end):
        place = units(text[:at])
        line = block.layout().lineForTextPosition(place)
        if not line.isValid():
            continue
        left, right = line.cursorToX(place)[0], line.cursorToX(place + units(text[at]))[0]  # type: ignore[index]
        left, right = min(left, right), max(left, right)
        box = QRectF(origin.x() + left, origin.y() + line.y(), right - left, line.height())
        if mark.tag:
            _paint_tag(painter, box, mark.tag, tag_font, loud=True)
        else:
            _paint_blank(painter, box, text[at])


def _paint_blank(painter: QPainter, box: QRectF, character: str) -> None:
    painter.setPen(QPen(QColor(theme.current().border), 1))
    middle = box.center()
    if character == "\t":
        end = QPointF(box.right() - 3, middle.y())
        painter.drawLine(QPointF(box.left() + 3, middle.y()), end)
        painter.drawLine(end, end + QPointF(-3, -3))
        painter.drawLine(end, end + QPointF(-3, 3))
    elif character == " ":
        painter.setBrush(QColor(theme.current().border))
        painter.drawEllipse(middle, 1.0, 1.0)
    else:
        foot = box.bottom() - 3
        painter.setPen(QPen(QColor(theme.current().warning), 1))
        painter.drawPolyline(
            [
                QPointF(box.left() + 1, foot - 4),
                QPointF(box.left() + 1, foot),
                QPointF(box.right() - 1, foot),
                QPointF(box.right() - 1, foot - 4),
            ]
        )


def _paint_ending(painter: QPainter, block: QTextBlock, origin: QPointF, ending: str | None, tag_font: QFont) -> None:
    layout = block.layout()
    if ending is None or not layout.lineCount():
        return
    line = layout.lineAt(layout.lineCount() - 1)
    box = QRectF(origin.x() + line.naturalTextRect().right() + 4, origin.y() + line.y(), 0, line.height())
    _paint_tag(painter, box, marks.ENDING_NAMES.get(ending, "?"), tag_font, loud=ending not in ("\n", "\r\n"))


def _paint_tag(painter: QPainter, box: QRectF, tag: str, font: QFont, *, loud: bool) -> None:
    colours = theme.current()
    metrics = QFontMetricsF(font)
    label = QRectF(box.left(), box.top() + 1, metrics.horizontalAdvance(tag) + 6, metrics.height())
    painter.setPen(QPen(QColor(colours.warning if loud else colours.border), 1))
    painter.setBrush(QColor(colours.warning_bg if loud else colours.page))
    painter.setFont(font)
    if loud:
        painter.drawLine(box.topLeft(), box.bottomLeft())
    painter.drawRoundedRect(label, 2, 2)
    painter.setPen(QColor(colours.warning if loud else colours.muted))
    painter.drawText(label, Qt.AlignmentFlag.AlignCenter, tag)
