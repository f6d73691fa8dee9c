"""Source and preview scroll together: whichever the person moves leads, the other follows and answers nothing."""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QColor, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from memgui.gui import theme
from memgui.gui.panels.preview.browser import PreviewBrowser

_LEADING = frozenset({QEvent.Type.Wheel, QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress, QEvent.Type.FocusIn})
_MOST_MARKS = 200


class Sync(QObject):
    """Keeps one source and one preview at the same line. Lines count from 0; a fraction is a way down a line."""

    def __init__(self, source: QPlainTextEdit, preview: PreviewBrowser, parent: QObject) -> None:
        super().__init__(parent)
        self._source, self._preview = source, preview
        self._leader: QWidget = source
        self._moving = False
        for view in (source, preview):
            for part in (view, view.viewport(), view.verticalScrollBar()):
                part.installEventFilter(self)
        source.verticalScrollBar().valueChanged.connect(self._source_moved)
        preview.verticalScrollBar().valueChanged.connect(self._preview_moved)
        source.cursorPositionChanged.connect(self._caret_moved)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _LEADING:
            here = watched if isinstance(watched, QWidget) else None
            self._leader = (
                self._preview
                if here is not None and (here is self._preview or self._preview.isAncestorOf(here))
                else self._source
            )
        return super().eventFilter(watched, event)

    # Following -------------------------------------------------------------------------------------------------------

    @Slot()
    def _source_moved(self) -> None:
        if self._leader is self._source and not self._moving and self._source.isVisible():
            self.follow_source()

    @Slot()
    def _preview_moved(self) -> None:
        if self._leader is self._preview and not self._moving and self._preview.isVisible():
            self.follow_preview()

    def follow_source(self) -> None:
        """The preview goes where the source is."""
        bar = self._source.verticalScrollBar()
        if bar.value() >= bar.maximum() > 0:
            self._preview.lay_out()
            self._scroll_preview(float(self._preview.verticalScrollBar().maximum()))
        else:
            self.show_line(self.source_line())

    def follow_preview(self) -> None:
        """The source goes where the preview is."""
        if self._preview.is_at_end:
            self._scroll_source(self._source.verticalScrollBar().maximum())
        else:
            self.show_source_line(self.preview_line())

    def show_line(self, line: float) -> None:
        """Bring a line to the top of the preview."""
        self._scroll_preview(0.0 if line <= 0 else self._height_of(line))

    def show_source_line(self, line: float) -> None:
        """Bring a line to the top of the source."""
        block = self._source.document().findBlockByNumber(int(line))
        if block.isValid():
            self._scroll_source(block.firstLineNumber() + int((line - int(line)) * max(1, block.lineCount())))

    def _scroll_source(self, value: int) -> None:
        self._moving = True
        self._source.verticalScrollBar().setValue(value)
        self._moving = False

    def _scroll_preview(self, height: float) -> None:
        self._moving = True
        bar = self._preview.verticalScrollBar()
        if height >= bar.maximum():
            self._preview.lay_out()
        bar.setValue(round(height))
        self._moving = False

    # Lines -----------------------------------------------------------------------------------------------------------

    def source_line(self) -> float:
        """The line at the top of the source."""
        block = self._source.firstVisibleBlock()
        geometry = self._source.blockBoundingGeometry(block).translated(self._source.contentOffset())
        return block.blockNumber() + min(max(-geometry.top() / max(geometry.height(), 1.0), 0.0), 0.999)

    def preview_line(self) -> float:
        """The line of the source whose rendering is at the top of the preview."""
        written = self._preview.written
        height = float(self._preview.verticalScrollBar().value())
        index = bisect_right(written.positions, height, key=self._preview.top_of) - 1
        if index < 0:
            return 0.0
        first, last = self._span(index)
        top, bottom = self._edges(index)
        return first + (last - first) * min(max((height - top) / max(bottom - top, 1.0), 0.0), 0.999)

    def _height_of(self, line: float) -> float:
        written = self._preview.written
        index = bisect_right(written.lines, line) - 1
        if index < 0:
            return 0.0
        first, last = self._span(index)
        top, bottom = self._edges(index)
        return top + (bottom - top) * min(max((line - first) / max(last - first, 1), 0.0), 1.0)

    def _span(self, index: int) -> tuple[int, int]:
        written = self._preview.written
        following = written.lines[index + 1] if index + 1 < len(written.lines) else written.end
        return written.lines[index], max(following, written.lines[index] + 1)

    def _edges(self, index: int) -> tuple[float, float]:
        positions = self._preview.written.positions
        top = self._preview.top_of(positions[index])
        if index + 1 < len(positions):
            return top, self._preview.top_of(positions[index + 1])
        return top, self._preview.document().size().height()

    # The caret -------------------------------------------------------------------------------------------------------

    @Slot()
    def _caret_moved(self) -> None:
        if self._source.isVisible():
            self._leader = self._source
        elif self._preview.isVisible():
            self.show_caret()

    def show_caret(self) -> None:
        """Where the source cannot be seen: bring the caret's line into sight, and mark what is selected there."""
        cursor = self._source.textCursor()
        line = self._source.document().findBlock(cursor.selectionStart()).blockNumber()
        height, bar = self._height_of(line), self._preview.verticalScrollBar()
        if not bar.value() <= height <= bar.value() + self._preview.viewport().height() * 0.85:
            self._scroll_preview(max(0.0, height - self._preview.viewport().height() * 0.3))
        self._mark(cursor.selectedText(), line)

    def _mark(self, words: str, line: int) -> None:
        written = self._preview.written
        marks: list[QTextEdit.ExtraSelection] = []
        index = bisect_right(written.lines, line) - 1
        if words.strip() and "\u2029" not in words and index >= 0:
            document = self._preview.document()
            end = written.positions[index + 1] if index + 1 < len(written.positions) else document.characterCount()
            at = QTextCursor(document)
            at.setPosition(min(written.positions[index], max(0, document.characterCount() - 1)))
            while len(marks) < _MOST_MARKS:
                at = document.find(words, at, QTextDocument.FindFlag(0))
                if at.isNull() or at.selectionEnd() > end:
                    break
                mark = QTextEdit.ExtraSelection()
                mark.cursor = QTextCursor(at)
                mark.format.setBackground(QColor(theme.current().mark))
                marks.append(mark)
        self._preview.setExtraSelections(marks)
