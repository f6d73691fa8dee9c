"""Looks for text through one editor, a slice at a time, and marks what is in sight."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtWidgets import QTextEdit

from memgui.domain.lines import Lines
from memgui.gui import theme
from memgui.gui.panels.page.breaks import exact, place, units
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.matches import Match, Sought

MOST_MATCHES = 10_000
MOST_MARKED = 400
_SLICE_SECONDS = 0.008
_PAUSE_MS = 80
"""How long the text rests before it is looked through again; a key must not wait for that."""
_MANY_LINES = 500


class Finder(QObject):
    """The matches of what is sought in the editor's present text. `changed`: there are more, fewer or others."""

    changed = Signal()

    def __init__(self, editor: MemoryEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._sought = Sought("")
        self._texts: tuple[str, ...] = ()
        self._at = 0
        self.matches: list[Match] = []
        self.capped = False
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)
        self._wait = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._wait.timeout.connect(self._anew)
        editor.document().contentsChanged.connect(self._text_changed)
        editor.verticalScrollBar().valueChanged.connect(self.mark)
        theme.theme().changed.connect(self.mark)

    @property
    def complete(self) -> bool:
        """Whether all of the text was looked through."""
        return not self._timer.isActive() and not self._wait.isActive()

    def seek(self, sought: Sought) -> None:
        """Look for this from now on; nothing, for empty text."""
        self._sought = sought
        self._anew()

    @Slot()
    def _text_changed(self) -> None:
        if self._sought.text:
            self._wait.start()

    def settle(self) -> None:
        """Know every match of the text as it is now."""
        if self._wait.isActive():
            self._anew()
        while self._timer.isActive():
            self._go_on()

    @Slot()
    def _anew(self) -> None:
        self._timer.stop()
        self._wait.stop()
        had, self.matches, self.capped, self._at = bool(self.matches), [], False, 0
        if self._sought.text:
            self._texts = self._editor.lines().texts
            self._timer.start()
            self._go_on()
        elif had:
            self.mark()
            self.changed.emit()

    @Slot()
    def _go_on(self) -> None:
        deadline = perf_counter() + _SLICE_SECONDS
        while self._at < len(self._texts) and not self.capped:
            line = self._at
            self.matches.extend(Match(line, *span) for span in self._sought.in_line(self._texts[line]))
            self.capped = len(self.matches) >= MOST_MATCHES
            self._at += 1
            if self._at % 64 == 0 and perf_counter() > deadline:
                break
        if self._at >= len(self._texts) or self.capped:
            self._timer.stop()
            self._texts = ()
        self.mark()
        self.changed.emit()

    # Places ----------------------------------------------------------------------------------------------------------

    def here(self) -> int | None:
        """The number of the match that is selected, from 0."""
        chosen = self._chosen()
        at = bisect_left(self.matches, chosen)
        return at if at < len(self.matches) and self.matches[at] == chosen else None

    def nearest(self, *, back: bool = False, stay: bool = False) -> Match | None:
        """The next match from the caret on (or back), round the end of the text. `stay`: one at the caret counts."""
        if not self.matches:
            return None
        chosen = self._chosen()
        if back:
            return self.matches[bisect_left(self.matches, Match(chosen.line, chosen.start, 0)) - 1]
        start = Match(chosen.line, chosen.start, 0) if stay else Match(chosen.line, chosen.end, 0)
        if not stay and chosen.start == chosen.end:
            start = Match(chosen.line, chosen.start, 0)
        at = bisect_left(self.matches, start)
        return self.matches[at % len(self.matches)]

    def from_caret(self) -> Match | None:
        """The match at the caret or the next one, round the end of the text; None while that is not known."""
        chosen = self._chosen()
        at = bisect_left(self.matches, Match(chosen.line, chosen.start, 0))
        return self.matches[at] if at < len(self.matches) else self.nearest(stay=True) if self.complete else None

    def select(self, match: Match) -> None:
        """Select a match and bring it into sight."""
        self._editor.setTextCursor(self._cursor(match))
        if not self._editor.viewport().rect().contains(self._editor.cursorRect()):
            self._editor.centerCursor()
        self._editor.ensureCursorVisible()

    def _chosen(self) -> Match:
        cursor = self._editor.textCursor()
        block = self._editor.document().findBlock(cursor.selectionStart())
        start = place(block.text(), cursor.selectionStart() - block.position())
        end = place(block.text(), min(cursor.selectionEnd() - block.position(), block.length() - 1))
        return Match(block.blockNumber(), start, end)

    def _cursor(self, match: Match) -> QTextCursor:
        block = self._editor.document().findBlockByNumber(match.line)
        text = block.text()
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + units(text[: match.start]))
        cursor.setPosition(block.position() + units(text[: match.end]), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    # Marks -----------------------------------------------------------------------------------------------------------

    @Slot()
    def mark(self) -> None:
        """Mark the matches in sight."""
        if not self.matches:
            self._editor.show_found([])
            return
        numbers = [block.blockNumber() for block, _top, _height in self._editor.visible_blocks()]
        first = bisect_left(self.matches, Match(min(numbers, default=0), 0, 0))
        last = bisect_right(self.matches, Match(max(numbers, default=0) + 1, 0, 0))
        self._editor.show_found([self._mark(match) for match in self.matches[first : min(last, first + MOST_MARKED)]])

    def _mark(self, match: Match) -> QTextEdit.ExtraSelection:
        marked = QTextEdit.ExtraSelection()
        marked.cursor = self._cursor(match)
        marked.format.setBackground(QColor(theme.current().mark))
        return marked

    # Replacing -------------------------------------------------------------------------------------------------------

    def replace(self, match: Match, text: str) -> None:
        """Put `text` in the place of one match."""
        cursor = self._cursor(match)
        cursor.insertText(exact(text))
        self._editor.setTextCursor(cursor)
        self.settle()

    def replace_all(self, text: str) -> int:
        """Put `text` in the place of every match, as one step of undo. Answers how many there were."""
        lines = self._editor.lines()
        found: dict[int, list[tuple[int, int]]] = {}
        for number, line in enumerate(lines.texts):
            if spans := self._sought.in_line(line):
                found[number] = spans
        if not found:
            return 0
        cursor = QTextCursor(self._editor.document())
        cursor.beginEditBlock()
        if len(found) > _MANY_LINES:
            self._replace_lines(cursor, lines, found, text)
        else:
            for number in reversed(found):
                for start, end in reversed(found[number]):
                    cursor = self._cursor(Match(number, start, end))
                    cursor.insertText(exact(text))
        cursor.endEditBlock()
        return sum(map(len, found.values()))

    def _replace_lines(
        self, cursor: QTextCursor, lines: Lines, found: dict[int, list[tuple[int, int]]], text: str
    ) -> None:
        # One insertion instead of thousands, so that the window does not stand still.
        texts = list(lines.texts)
        for number, spans in found.items():
            pieces, after = [], 0
            for start, end in spans:
                pieces += [texts[number][after:start], text]
                after = end
            texts[number] = "".join(pieces) + texts[number][after:]
        first, last = min(found), max(found)
        document = self._editor.document()
        cursor.setPosition(document.findBlockByNumber(first).position())
        final = document.findBlockByNumber(last)
        cursor.setPosition(final.position() + final.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        self._editor.breaks.insert(cursor, Lines(tuple(texts[first : last + 1]), lines.breaks[first:last]))
