"""Who wrote each line, in a narrow column beside the line numbers: a name and a moment where another's lines begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from memgui.gui.models.review_model import moment_words
from memgui.gui.theme import current, theme
from memgui.i18n import _

if TYPE_CHECKING:
    from memgui.gui.panels.page.view import TextView
    from memgui.ops.blame import Written

WIDE, _LARGEST_SHARE = 178, 0.34
_LINE = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine

Told = tuple["Written | None", ...]


class WriterColumn(QWidget):
    """Paints beside a text view. `show_writers` fills it, line by line; until then it is empty."""

    def __init__(self, view: TextView) -> None:
        super().__init__(view)
        self._view = view
        self._told: Told = ()
        self.setObjectName("writers")
        self.setAccessibleName(_("Who wrote each line"))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme().changed.connect(self.update)

    def show_writers(self, told: Told) -> None:
        """By whom each line is, from the first on; None: it is not saved. Nothing: it is not known (yet)."""
        self._told = told
        self.update()

    @property
    def told(self) -> Told:
        """What is shown."""
        return self._told

    def words_at(self, line: int) -> str:
        """Who wrote a line (from 1) and when, in a sentence; empty where that is not known."""
        if not 1 <= line <= len(self._told):
            return ""
        written = self._told[line - 1]
        if written is None:
            return _("Line {line} is not saved yet").format(line=line)
        if not written.who:
            return _("Line {line}: a version is lost, so that nobody can be named").format(line=line)
        when = moment_words(written.time)
        if written.is_first:
            text = _("Line {line} stood there when memgui first saw it, {when} (version {number})")
        else:
            text = _("Line {line}: {who}, {when} (version {number})")
        return text.format(line=line, who=written.who, when=when, number=written.version)

    def sizeHint(self) -> QSize:
        return QSize(min(theme().px(WIDE), round(self._view.width() * _LARGEST_SHARE)), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, painter = current(), QPainter(self)
        painter.fillRect(event.rect(), QColor(colours.page))
        edge = self.width() - 1
        painter.fillRect(edge, event.rect().top(), 1, event.rect().height(), QColor(colours.hairline))
        font = theme().font(0.85)
        before: object = self
        here = self._view.textCursor().blockNumber()
        for block, top, height in self._view.visible_blocks():
            number = block.blockNumber()
            if number >= len(self._told):
                break
            written = self._told[number]
            if written != before:
                line = block.layout().lineAt(0).height() if block.layout().lineCount() else height
                if top + height < line:
                    # Too little of it is in sight; the next line of the same writer says it.
                    continue
                room = QRect(theme().px(8), round(max(top, 0)), edge - theme().px(14), round(min(height, line)))
                if before is not self:
                    painter.fillRect(theme().px(8), round(top), edge - theme().px(14), 1, QColor(colours.hairline))
                self._paint_words(painter, room, written, font, is_here=number == here)
            before = written

    def _paint_words(
        self, painter: QPainter, room: QRect, written: Written | None, font: QFont, *, is_here: bool
    ) -> None:
        colours = current()
        painter.setFont(font)
        metrics = QFontMetrics(font)
        name, moment = name_of(written), "" if written is None or not written.who else moment_words(written.time)
        width = metrics.horizontalAdvance(moment)
        gap = theme().px(8)
        left = room.width() - width - gap if moment else room.width()
        if left < metrics.horizontalAdvance("mmm"):
            # Where there is room for one of them, it is the name; the moment is in the tip.
            moment, left = "", room.width()
        painter.setPen(QColor(colours.text if is_here else colours.accent if _is_agent(written) else colours.muted))
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, left)
        painter.drawText(room, _LINE | Qt.AlignmentFlag.AlignLeft, shown)
        if moment:
            painter.setPen(QColor(colours.muted))
            painter.drawText(room, _LINE | Qt.AlignmentFlag.AlignRight, moment)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self.words_at(self._line_at(event.pos()))
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def _line_at(self, at: QPoint) -> int:
        for block, top, height in self._view.visible_blocks():
            if top <= at.y() < top + height:
                return int(block.blockNumber()) + 1
        return 0

    @Slot()
    def follow_caret(self) -> None:
        """The line of the caret is another: say of that who wrote it."""
        line = self._view.textCursor().blockNumber() + 1
        self.setAccessibleDescription(self.words_at(line))
        self.update()


def name_of(written: Written | None) -> str:
    """The writer in a word: an agent by the name that it gives itself."""
    if written is None:
        return _("not saved")
    if not written.who:
        return _("unknown")
    if written.is_first:
        return _("first seen")
    return written.who.removeprefix('agent "').removesuffix('"') if _is_agent(written) else written.who


def _is_agent(written: Written | None) -> bool:
    return written is not None and written.who.startswith("agent ")
