"""What is painted around the words of a rendered page: bars beside quotes, rules, bullets and the boxes of tasks."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF, QTextBlock, QTextDocument

from memgui.gui.panels.preview.style import BULLET, DISC, DONE, OPEN, QUOTE, RING, RULE, Style


def paint(painter: QPainter, document: QTextDocument, block: QTextBlock, box: QRectF, style: Style) -> None:
    """Paint what belongs to a block that fills `box` of its document."""
    look = block.blockFormat()
    if depth := int(look.property(QUOTE) or 0):
        _bars(painter, document, block, box, style, depth)
    if look.hasProperty(RULE):
        root = document.rootFrame().frameFormat()
        width = document.size().width() - root.leftMargin() - root.rightMargin()
        painter.fillRect(QRectF(root.leftMargin(), box.center().y(), width, 1), QColor(style.colours.border))
    if sign := int(look.property(BULLET) or 0):
        _bullet(painter, block, box, style, sign)


def _bars(painter: QPainter, document: QTextDocument, block: QTextBlock, box: QRectF, style: Style, depth: int) -> None:
    following, end = block.next(), box.bottom()
    if following.isValid() and following.blockFormat().hasProperty(QUOTE):
        end = document.documentLayout().blockBoundingRect(following).top()
    left = document.rootFrame().frameFormat().leftMargin() + block.blockFormat().indent() * style.indent
    for level in range(depth):
        bar = QRectF(left + level * style.quote_indent, box.top(), style.bar, end - box.top())
        painter.fillRect(bar, QColor(style.colours.border))


def _bullet(painter: QPainter, block: QTextBlock, box: QRectF, style: Style, sign: int) -> None:
    layout = block.layout()
    if not layout.lineCount():
        return
    line, metrics = layout.lineAt(0), QFontMetricsF(style.font)
    middle = box.top() + line.y() + line.ascent() - metrics.xHeight() / 2
    right_to_left = block.textDirection() == Qt.LayoutDirection.RightToLeft
    edge = box.left() + line.x() + (line.width() if right_to_left else 0)
    away = style.indent * 0.52
    centre = QPointF(edge + away if right_to_left else edge - away, middle)
    colours = style.colours
    if sign in (OPEN, DONE):
        _task(painter, centre, metrics.capHeight() * 1.25, style, done=sign == DONE)
        return
    radius = max(2.0, metrics.xHeight() * 0.27)
    painter.setPen(QPen(QColor(colours.muted), 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush if sign == RING else QColor(colours.muted))
    if sign in (DISC, RING):
        painter.drawEllipse(centre, radius, radius)
    else:
        painter.drawRect(QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius))


def _task(painter: QPainter, centre: QPointF, side: float, style: Style, *, done: bool) -> None:
    colours, half = style.colours, side / 2
    square = QRectF(centre.x() - half, centre.y() - half, side, side)
    painter.setPen(QPen(QColor(colours.button if done else colours.border), 1.4))
    painter.setBrush(QColor(colours.button) if done else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(square, side * 0.2, side * 0.2)
    if done:
        pen = QPen(QColor(colours.button_text), max(1.6, side * 0.13))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        points = [QPointF(square.left() + side * x, square.top() + side * y) for x, y in _TICK]
        painter.drawPolyline(QPolygonF(points))


_TICK = ((0.24, 0.53), (0.43, 0.71), (0.77, 0.31))
