"""Line numbers beside the editor, and marks: of hidden characters, and of lines that came in from the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QTextBlock
from PySide6.QtWidgets import QToolTip, QWidget

from memgui.gui import theme
from memgui.gui.panels.page import marks
from memgui.i18n import _

if TYPE_CHECKING:
    from memgui.gui.panels.page.view import TextView

_LEAST_DIGITS = 3


class Gutter(QWidget):
    """A column as wide as the longest line number in the editor's font; the caret's line is bold and darker."""

    def __init__(self, editor: TextView) -> None:
        super().__init__(editor)
        self._editor = editor
        self.setObjectName("gutter")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def wanted_width(self) -> int:
        """The width that the numbers of this document take."""
        digits = max(_LEAST_DIGITS, len(str(max(1, self._editor.blockCount()))))
        advance = self._editor.fontMetrics().horizontalAdvance("9")
        return advance * digits + 2 * self._gap() + self._mark_width()

    def sizeHint(self) -> QSize:
        return QSize(self.wanted_width(), 0)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = event.pos().y()
            for block, top, height in self._editor.visible_blocks():
                if top <= at < top + height and (words := self._explained(block)):
                    QToolTip.showText(event.globalPos(), words, self)
                    return True
            QToolTip.hideText()
            return True
        return super().event(event)

    def _explained(self, block: QTextBlock) -> str:
        """What the marks of a line mean."""
        said = []
        if self._editor.arrivals.hold(block):
            said.append(_("Came in from the disk, and you have not been here since"))
        if next(self._editor.arrivals.gone_above([block])):
            said.append(_("Lines above this one went on the disk, and you have not been here since"))
        if found := marks.hidden(block.text()):
            said.append(_("Hidden characters in this line:"))
            said += [marks.explained(character) for character in dict.fromkeys(found)]
        return "\n".join(said)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(colours.page))
        font = self._editor.font()
        here = self._editor.textCursor().blockNumber()
        right = self.width() - self._gap()
        seen = list(self._editor.visible_blocks(event.rect()))
        arrived = self._editor.arrivals.among([block for block, _top, _height in seen])
        gone = self._editor.arrivals.gone_above([block for block, _top, _height in seen])
        for (block, top, height), is_new, has_gap in zip(seen, arrived, gone, strict=True):
            current = block.blockNumber() == here
            font.setBold(current)
            painter.setFont(font)
            painter.setPen(QColor(colours.text if current else colours.muted))
            line = min(height, block.layout().lineAt(0).height()) if block.layout().lineCount() else height
            number = QRect(self._mark_width(), round(top), right - self._mark_width(), round(line))
            painter.drawText(
                number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(block.blockNumber() + 1)
            )
            if is_new:
                bar = theme.theme().px(3)
                painter.fillRect(self.width() - bar - 1, round(top), bar, round(height), QColor(colours.focus))
            if has_gap:
                self._paint_gap(painter, top)
            flag = self._editor.flag_of(block)
            if flag:
                painter.setPen(QColor(colours.warning))
                painter.drawText(
                    QRect(0, round(top), self._mark_width() * 2, round(line)), Qt.AlignmentFlag.AlignVCenter, flag
                )

    def _paint_gap(self, painter: QPainter, top: float) -> None:
        """A wedge between two lines: something stood between them."""
        size, right = theme.theme().px(4), self.width() - 1.0
        middle = max(top, size)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.current().removed))
        painter.drawPolygon(
            [QPointF(right, middle - size), QPointF(right - 1.5 * size, middle), QPointF(right, middle + size)]
        )
        painter.restore()

    def _gap(self) -> int:
        return self._editor.fontMetrics().horizontalAdvance("9")

    def _mark_width(self) -> int:
        return max(6, self._editor.fontMetrics().horizontalAdvance("9") * 3 // 4)
