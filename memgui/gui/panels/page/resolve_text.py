"""The three texts of a conflict being resolved: mine, the result, and what is on the disk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QTextBlock, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QTextEdit, QWidget

from memgui.domain.lines import Lines
from memgui.domain.merging import Merged
from memgui.domain.overlaps import Region, follow, places_in, regions_of
from memgui.domain.pieces import merge_pieces, pieces_of, replaced, text_of
from memgui.gui import theme
from memgui.gui.panels.page.adopting import adopt
from memgui.gui.panels.page.breaks import units
from memgui.gui.panels.page.differing import alike
from memgui.gui.panels.page.editor import MemoryEditor

TYPED_MS = 120
"""How long after a key the tints follow what was typed."""
MINE, THEIRS, BOTH, OWN = "mine", "theirs", "both", "own"


class Pane(MemoryEditor):
    """One of the texts. Lines that both sides changed are tinted, and have a sign in the margin."""

    def __init__(self, name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setProperty("pane", True)
        self._signs: dict[int, str] = {}

    def flag_of(self, block: QTextBlock) -> str:
        return self._signs.get(block.blockNumber(), "") or super().flag_of(block)

    def show_regions(self, regions: list[tuple[int, int, str, bool]], words: Iterable[tuple[int, int, int]]) -> None:
        """(first line, how many, sign, whether it is the one at hand) each. `words` (line, from, to) are underlined."""
        self._signs = {first: sign for first, _count, sign, _here in regions}
        colours, found = theme.current(), []
        for first, count, _sign, here in regions:
            for line in range(first, first + max(count, 1 if here else 0)):
                found += _tints(
                    self.document().findBlockByNumber(line), colours.warning_bg if here else colours.info_bg
                )
        for line, start, end in words:
            mark = QTextEdit.ExtraSelection()
            block = self.document().findBlockByNumber(line)
            mark.cursor = QTextCursor(block)
            mark.cursor.setPosition(block.position() + start)
            mark.cursor.setPosition(block.position() + end, QTextCursor.MoveMode.KeepAnchor)
            mark.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            mark.format.setUnderlineColor(QColor(colours.warning))
            found.append(mark)
        self.show_found(found)

    def bring(self, line: int) -> None:
        """Let a line be seen, with the caret in it."""
        self.go_to(min(line, self.blockCount() - 1) + 1)


class Resolution(QObject):
    """Which overlaps there are, what the person made of each, and the text that comes of it."""

    changed = Signal()

    def __init__(self, mine: Pane, result: Pane, disk: Pane) -> None:
        super().__init__(result)
        self.mine, self.result, self.disk = mine, result, disk
        self._base: Lines | None = None
        self._overlaps: list[tuple[Region, QTextCursor, QTextCursor]] = []
        self._theirs: tuple[str, ...] = ()
        self._own_edit = False
        self.at = 0
        """Which overlap is at hand."""
        self._typed = QTimer(self, singleShot=True, interval=TYPED_MS)
        self._typed.timeout.connect(self.changed)
        result.document().contentsChanged.connect(self._edited)

    def begin(self, base: Lines | None, mine: Lines, theirs: Lines, merged: Merged[str]) -> None:
        """Show both sides and what comes of them, nothing decided."""
        self._base = base
        self._own_edit = True
        for pane, lines in ((self.mine, mine), (self.disk, theirs), (self.result, text_of(merged.lines))):
            pane.show_lines(lines)
        self._own_edit = False
        self._theirs = pieces_of(theirs)
        self._hold(regions_of(merged))
        self.at = 0
        self.changed.emit()

    def follow(self, theirs: Lines, anew: Merged[str]) -> None:
        """The disk holds something newer: it comes into the result where it can, and what was decided stays."""
        lines = pieces_of(self.result.lines())
        new, regions = follow(lines, self.regions, before=self._theirs, after=pieces_of(theirs), anew=anew)
        self._theirs = pieces_of(theirs)
        adopt(self.disk, theirs)
        self._put(text_of(new), regions)

    @property
    def regions(self) -> tuple[Region, ...]:
        """The overlaps where they stand in the result now."""
        found = []
        for region, start, end in self._overlaps:
            first = start.blockNumber()
            last = end.blockNumber() + (0 if end.atBlockStart() else 1)
            found.append(replace(region, first=first, count=max(0, last - first)))
        return tuple(found)

    @property
    def left(self) -> int:
        """How many are not decided yet."""
        return sum(not region.decided for region, _start, _end in self._overlaps)

    def choice(self, region: Region) -> str:
        """What stands in the result for an overlap: `mine`, `theirs`, `both`, or the person's own; empty: undecided."""
        if not region.decided:
            return ""
        stands = pieces_of(self.result.lines())[region.first : region.end]
        return next((side for side in (MINE, THEIRS, BOTH) if _same(stands, _side(region, side))), OWN)

    def take(self, side: str) -> None:
        """Let the overlap at hand be `mine`, `theirs` or `both`."""
        regions = list(self.regions)
        if not regions:
            return
        region, lines = regions[self.at], _side(regions[self.at], side)
        text = replaced(pieces_of(self.result.lines()), region.first, region.count, lines)
        by = len(lines) - region.count
        behind = [replace(one, first=one.first + by) for one in regions[self.at + 1 :]]
        regions[self.at :] = [replace(region, count=len(lines), decided=True), *behind]
        self._put(text_of(text), tuple(regions))

    def step(self, by: int) -> None:
        """Go on to the next overlap, or back; after the last comes the first."""
        if self._overlaps:
            self.at = (self.at + by) % len(self._overlaps)
            self.changed.emit()

    def next_left(self) -> None:
        """Go on to one that is not decided yet."""
        regions = self.regions
        order = [(self.at + step) % len(regions) for step in range(1, len(regions) + 1)] if regions else []
        self.at = next((at for at in order if not regions[at].decided), self.at)
        self.changed.emit()

    def show(self, *, bring: bool = False) -> None:
        """Tint the overlaps in all three texts; `bring` the one at hand into sight."""
        regions = self.regions
        firsts = [region.first for region in regions]
        merged = pieces_of(self.result.lines())
        sides = {
            self.mine: (pieces_of(self.mine.lines()), [region.overlap.mine for region in regions]),
            self.disk: (self._theirs, [region.overlap.theirs for region in regions]),
        }
        places = {self.result: [(region.first, region.count) for region in regions]}
        for pane, (side, found) in sides.items():
            near = places_in(side, merged, firsts)
            places[pane] = [(_find(side, lines, at), len(lines)) for lines, at in zip(found, near, strict=True)]
        signs = ["✓" if region.decided else "≠" for region in regions]
        words = {pane: _words(found, places[pane]) for pane, found in zip(sides, _differing(regions), strict=True)}
        for pane, spots in places.items():
            pane.show_regions(
                [(*spot, sign, at == self.at) for at, (spot, sign) in enumerate(zip(spots, signs, strict=True))],
                words.get(pane, []),
            )
            if bring and spots:
                pane.bring(spots[self.at][0])

    def joined(self, mine: Lines, theirs: Lines) -> Merged[str]:
        """How the two sides meet."""
        base = pieces_of(self._base) if self._base is not None else ()
        return merge_pieces(base, pieces_of(mine), pieces_of(theirs))

    def _put(self, lines: Lines, regions: tuple[Region, ...]) -> None:
        self._own_edit = True
        adopt(self.result, lines)
        self._own_edit = False
        self._hold(regions)
        self.at = min(self.at, max(len(regions) - 1, 0))
        self.changed.emit()

    def _hold(self, regions: tuple[Region, ...]) -> None:
        self._overlaps = []
        for region in regions:
            start, end = self._cursor(region.first), self._cursor(region.end)
            start.setKeepPositionOnInsert(True)
            self._overlaps.append((region, start, end))

    def _cursor(self, line: int) -> QTextCursor:
        document = self.result.document()
        block = document.findBlockByNumber(line)
        cursor = QTextCursor(block if block.isValid() else document.lastBlock())
        if not block.isValid():
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        return cursor

    @Slot()
    def _edited(self) -> None:
        """The person typed in the result: an overlap in which they did is decided by that."""
        if self._own_edit or not self._overlaps:
            return
        stands = pieces_of(self.result.lines())
        for at, region in enumerate(self.regions):
            if not region.decided and not _same(stands[region.first : region.end], region.overlap.mine):
                held = self._overlaps[at]
                self._overlaps[at] = (replace(held[0], decided=True), held[1], held[2])
        self._typed.start()


def _tints(block: QTextBlock, colour: str) -> list[QTextEdit.ExtraSelection]:
    """All of a line that may turn at the edge: its first and its last row to the edge, and what lies between."""
    tints = []
    start, end = block.position(), block.position() + block.length() - 1
    for anchor, position in ((start, end), (start, start), (end, end)):
        tint = QTextEdit.ExtraSelection()
        tint.cursor = QTextCursor(block)
        tint.cursor.setPosition(anchor)
        tint.cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        tint.format.setBackground(QColor(colour))
        tint.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        tints.append(tint)
    return tints


_Spans = list[list[tuple[int, int]]]
"""For each overlap, of each of its lines on one side, from where to where it differs from the other side's."""


def _differing(regions: tuple[Region, ...]) -> tuple[_Spans, _Spans]:
    """What is mine alone in my lines, and theirs in theirs, line for line."""
    mine: _Spans = []
    theirs: _Spans = []
    for region in regions:
        mine.append([])
        theirs.append([])
        for one, other in zip(region.overlap.mine, region.overlap.theirs, strict=False):
            head, tail = alike(one, other)
            for text, spans in ((one, mine[-1]), (other, theirs[-1])):
                spans.append((units(text[:head]), units(text[: len(text) - tail].rstrip("\r\n"))))
    return mine, theirs


def _words(found: _Spans, places: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """The same as (line, from, up to) in a text where the overlaps stand at these places."""
    return [
        (first + line, start, end)
        for spans, (first, _count) in zip(found, places, strict=True)
        for line, (start, end) in enumerate(spans)
        if start < end
    ]


def _side(region: Region, side: str) -> tuple[str, ...]:
    overlap = region.overlap
    return {MINE: overlap.mine, THEIRS: overlap.theirs, BOTH: overlap.mine + overlap.theirs}[side]


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether these are the same lines; how the last one ends is no matter."""
    return [text.rstrip("\r\n") for text in one] == [text.rstrip("\r\n") for text in other]


def _find(side: tuple[str, ...], lines: tuple[str, ...], near: int) -> int:
    """Where these lines stand in a side, near to where they are thought to be."""
    starts = [at for at in range(len(side) - len(lines) + 1) if side[at : at + len(lines)] == lines] if lines else []
    return min(starts, key=lambda at: abs(at - near), default=near)
