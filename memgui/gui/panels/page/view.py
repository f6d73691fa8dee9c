"""A plain-text view with line numbers, the caret's line, found places and signs for what cannot be seen."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent, QTextBlock, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from memgui.domain.lines import Lines
from memgui.gui import theme
from memgui.gui.panels.page import marks, painting
from memgui.gui.panels.page.arrivals import Arrivals
from memgui.gui.panels.page.breaks import Breaks, place, units
from memgui.gui.panels.page.gutter import Gutter
from memgui.gui.panels.page.highlighter import Highlighter
from memgui.i18n import _


class TextView(QPlainTextEdit):
    """Shows lines and gives them back, each with its own ending."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("editor")
        self.setAccessibleName(_("Text"))
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.breaks = Breaks(self.document())
        self.highlighter = Highlighter(self.document())
        self.arrivals = Arrivals(self)
        self.gutter = Gutter(self)
        self._show_invisibles = True
        self._found: list[QTextEdit.ExtraSelection] = []
        self._marked_line = -1
        self._beside: QWidget | None = None
        self.document().setDocumentMargin(4)
        self.setCenterOnScroll(False)
        self.updateRequest.connect(self._scroll_gutter)
        self.blockCountChanged.connect(self._make_room)
        self.cursorPositionChanged.connect(self._follow_caret)
        self.arrivals.changed.connect(self.gutter.update)
        theme.theme().changed.connect(self._dress)
        self._dress()

    # Text ------------------------------------------------------------------------------------------------------------

    def show_lines(self, lines: Lines, *, coloured: bool = True) -> None:
        """Show these lines and forget what was there, undo included."""
        self.highlighter.set_enabled(False)
        self.arrivals.clear()
        self.breaks.load(lines)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.highlighter.set_enabled(coloured)

    def show_some(self, lines: Lines) -> bool:
        """Begin to show a long text, or go on with it for a moment; whether `show_lines` has little left to do."""
        self.highlighter.set_enabled(False)
        done = self.breaks.load_some(lines)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        return done

    def lines(self) -> Lines:
        """The text, exactly."""
        return self.breaks.lines()

    def go_to(self, line: int, column: int = 1) -> None:
        """Put the caret there (both count from 1, the column in characters); centred if it was not seen."""
        block = self.document().findBlockByNumber(min(max(line, 1), self.blockCount()) - 1)
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + min(units(block.text()[: max(column, 1) - 1]), block.length() - 1))
        self.setTextCursor(cursor)
        if (
            not self.viewport().rect().contains(self.cursorRect())
            or self.cursorRect().bottom() > self.viewport().height() * 0.9
        ):
            self.centerCursor()

    def set_caret(self, caret: int) -> None:
        """Put the caret after so many characters of the text, each ending counting as one."""
        raw = self.document().toRawText()
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(units(raw[: max(caret, 0)]), max(self.document().characterCount() - 1, 0)))
        self.setTextCursor(cursor)

    def caret(self) -> int:
        """How many characters stand before the caret."""
        return place(self.document().toRawText(), self.textCursor().position())

    # Looks -----------------------------------------------------------------------------------------------------------

    def set_wrap(self, wrap: bool) -> None:
        """Whether long lines turn at the edge."""
        mode = QPlainTextEdit.LineWrapMode.WidgetWidth if wrap else QPlainTextEdit.LineWrapMode.NoWrap
        self.setLineWrapMode(mode)

    def set_beside(self, column: QWidget | None) -> None:
        """Show a column before the line numbers, as wide as it wants to be; None: none."""
        self._beside = column
        self._make_room()
        if column is not None:
            column.show()

    def set_show_invisibles(self, shown: bool) -> None:
        """Whether blanks that look alike are marked. What deceives is marked always."""
        self._show_invisibles = shown
        self.viewport().update()

    def show_found(self, found: list[QTextEdit.ExtraSelection]) -> None:
        """Mark these places as found."""
        self._found = found
        self._mark_current_line()

    def visible_blocks(self, within: QRect | None = None) -> Iterator[tuple[QTextBlock, float, float]]:
        """The lines in sight (of them, those within a rectangle): block, top in the viewport, height."""
        first, last = (within.top(), within.bottom()) if within is not None else (0, self.viewport().height())
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= last:
            height = self.blockBoundingRect(block).height()
            if block.isVisible() and top + height >= first:
                yield block, top, height
            top += height
            block = block.next()

    def flag_of(self, block: QTextBlock) -> str:
        """The sign beside a line that holds hidden characters."""
        return "⚑" if marks.hidden(block.text()) else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painting.paint_marks(self, QPainter(self.viewport()), event.rect(), self._show_invisibles)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._beside is not None:
            self._make_room()
        self._place_gutter()

    @Slot()
    def _dress(self) -> None:
        self.setFont(theme.theme().mono())
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self._make_room()
        self._mark_current_line()

    @Slot()
    def _make_room(self) -> None:
        self.setViewportMargins(self._beside_width + self.gutter.wanted_width(), 0, 0, 0)
        self._place_gutter()

    @property
    def _beside_width(self) -> int:
        return 0 if self._beside is None else self._beside.sizeHint().width()

    def _place_gutter(self) -> None:
        box, high, beside = self.contentsRect(), self.viewport().height(), self._beside_width
        if self._beside is not None:
            self._beside.setGeometry(QRect(box.left(), box.top(), beside, high))
        self.gutter.setGeometry(QRect(box.left() + beside, box.top(), self.gutter.wanted_width(), high))

    @Slot(QRect, int)
    def _scroll_gutter(self, box: QRect, by: int) -> None:
        if by:
            self.gutter.scroll(0, by)
        else:
            self.gutter.update(0, box.y(), self.gutter.width(), box.height())
        if self._beside is not None and (by or box.contains(self.viewport().rect())):
            # What it says of a line depends on those above it in sight.
            self._beside.update()

    @Slot()
    def _follow_caret(self) -> None:
        # Within its line the caret changes nothing that is marked; to mark it anew would paint all of the view.
        if self.textCursor().blockNumber() != self._marked_line:
            self._mark_current_line()

    @Slot()
    def _mark_current_line(self) -> None:
        self._marked_line = self.textCursor().blockNumber()
        line = QTextEdit.ExtraSelection()
        line.format.setBackground(QColor(theme.current().current_line))
        line.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        cursor = self.textCursor()
        cursor.clearSelection()
        line.cursor = cursor
        self.setExtraSelections([line, *self._found])
        self.gutter.update()
