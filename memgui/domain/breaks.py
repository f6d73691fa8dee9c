"""The endings of lines through edits, by the texts alone, or by a table that is told of every change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memgui.domain.differences import matches
from memgui.domain.lines import Lines


def carried(base: Lines, texts: Sequence[str]) -> Lines:
    """`texts` with the endings of `base`, by the texts alone: a line that stands in both keeps its own, one in another
    wording that of the line in its place, a new one takes that of the line above (the first: of the one below)."""
    breaks: list[str | None] = [None] * (len(texts) - 1)
    old_gap = gap = 0
    for old_index, index in (*matches(base.texts, texts), (len(base.texts), len(texts))):
        pairs = [(old_index, index)]
        if old_index - old_gap == index - gap:
            pairs += zip(range(old_gap, old_index), range(gap, index), strict=True)
        for old_line, line in pairs:
            if line < len(breaks) and old_line < len(base.breaks):
                breaks[line] = base.breaks[old_line]
        old_gap, gap = old_index + 1, index + 1
    last = next((ending for ending in breaks if ending is not None), base.ending_for_new(0))
    filled = [last := ending if ending is not None else last for ending in breaks]
    return Lines(tuple(texts), tuple(filled))


@dataclass(frozen=True, slots=True)
class _Made:
    """A break that is none of the base's. `loose`: it came where others went; the texts may tell where it is from."""

    ending: str
    loose: bool = False


_Origin = int | _Made
"""Where a break comes from: its number among the base's, or made."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """One change of the table: at `at`, `removed` gave way to `added` new breaks. `told`: where it was said to be."""

    told: tuple[int, bool, bool]
    at: int
    removed: tuple[_Origin, ...]
    added: int

    def is_taken_back_by(self, told: tuple[int, bool, bool], removed: int, added: int) -> bool:
        return (self.told, self.added, len(self.removed)) == (told, removed, added)


class BreakTable:
    """The endings of a text that was `base` and is edited since, in a widget that knows no endings.

    Told of every change, it answers with the lines as they are now. A break stands behind its line and goes where it
    goes; a new line takes the ending of the line above it; a break that comes back (undo) is the same again.
    """

    _REMEMBERED = 5000
    _FOLLOWED = 32
    _FOLLOWED_BREAKS = 2000

    def __init__(self, base: Lines) -> None:
        self._base = base
        self._origins: list[_Origin] = list(range(len(base.breaks)))
        self._edits: list[_Edit] = []
        self._undone: list[_Edit] = []

    def changed(
        self, block: int, column_zero: bool, removed_breaks: int, added_breaks: int, *, at_line_end: bool = False
    ) -> None:
        """The text changed from within line `block` on: so many breaks went, and so many came in their place.

        `column_zero`: the change began at the very beginning of the line. `at_line_end`: it ends at the end of a line,
        so that the lines that went or came are those below, and `block` keeps its own break.
        """
        if not removed_breaks and not added_breaks:
            return
        at = block
        if at_line_end and not column_zero and block + removed_breaks < len(self._origins):
            at = block + 1
        end = at + removed_breaks
        gone = tuple(self._origins[at:end])
        told = (block, column_zero, at_line_end)
        for one, other in ((self._edits, self._undone), (self._undone, self._edits)):
            if one and one[-1].is_taken_back_by(told, removed_breaks, added_breaks):
                self._origins[at:end] = one.pop().removed
                other.append(_Edit(told, at, gone, added_breaks))
                return
        self._undone.clear()
        back = self._taken_back(at, end, added_breaks)
        self._edits.append(_Edit(told, at, gone, added_breaks))
        del self._edits[: -self._REMEMBERED]
        if back is not None:
            self._origins[at:end] = back
        elif len(gone) == added_breaks:
            # As many lines as before: each is taken for the old one in another wording.
            self._origins[at:end] = [_Made(self._spelled(origin), loose=True) for origin in gone]
        else:
            ending = self._ending_for_new(block, column_zero, removed_breaks)
            self._origins[at:end] = [_Made(ending, loose=removed_breaks > 0)] * added_breaks

    def rebase(self, base: Lines) -> None:
        """The text is now that of `base`, as it came from the disk. Changes made before can still be taken back."""
        for edits in (self._edits, self._undone):
            edits[:] = [
                replace(edit, removed=tuple(_Made(self._spelled(origin)) for origin in edit.removed)) for edit in edits
            ]
        self._base = base
        self._origins = list(range(len(base.breaks)))

    def lines(self, texts: Sequence[str]) -> Lines:
        """The lines of the text as it is now. Where it is the text it began with, they are the base, to the byte."""
        now = tuple(texts)
        if now == self._base.texts:
            return self._base
        if len(now) != len(self._origins) + 1:
            # Told of less than what happened: the texts alone have to say which line is which.
            return carried(self._base, now)
        return Lines(now, tuple(map(self._spelled, self._found_again(now))))

    def _spelled(self, origin: _Origin) -> str:
        return origin.ending if isinstance(origin, _Made) else self._base.breaks[origin]

    def _ending_for_new(self, block: int, column_zero: bool, removed: int) -> str:
        """Of the line above; within a line, of the line that is split; for the first line, of the one below."""
        above, own = block - 1, block + removed
        for index in (above, own) if column_zero else (own, above):
            if 0 <= index < len(self._origins):
                return self._spelled(self._origins[index])
        return self._spelled(self._origins[block]) if removed else "\n"

    def _taken_back(self, start: int, end: int, added: int) -> list[_Origin] | None:
        """What stood from `start` to `end` before the latest changes, where taking those back explains this change."""
        if not added:
            return None
        first = last = start
        before: list[_Origin] = []
        for edit in self._edits[: -self._FOLLOWED - 1 : -1]:
            low, high = min(first, edit.at), max(first + len(before), edit.at + edit.added)
            if high - low > self._FOLLOWED_BREAKS:
                return None
            behind = last + high - (first + len(before))
            before = [*self._origins[low:first], *before, *self._origins[last:behind]]
            before[edit.at - low : edit.at - low + edit.added] = edit.removed
            first, last = low, behind
            if start <= first and last <= end and len(before) - (last - first) == added - (end - start):
                # It may also be told of as a longer stretch, with what is between several places.
                return [*self._origins[start:first], *before, *self._origins[last:end]]
        return None

    def _found_again(self, texts: tuple[str, ...]) -> list[_Origin]:
        """The origins, after old breaks have been known again, by their lines, in those made between two known ones."""
        found = list(self._origins)
        ends = [*(i for i, origin in enumerate(self._origins) if isinstance(origin, int)), len(self._origins)]
        begin, old_begin = 0, 0
        for end in ends:
            origin = self._origins[end] if end < len(self._origins) else len(self._base.breaks)
            old_end = origin if isinstance(origin, int) else len(self._base.breaks)
            if end > begin and old_end > old_begin:
                self._find_between(found, texts, (begin, end), (old_begin, old_end))
            begin, old_begin = end + 1, old_end + 1
        return found

    def _find_between(
        self, found: list[_Origin], texts: tuple[str, ...], now: tuple[int, int], old: tuple[int, int]
    ) -> None:
        """Of the lines from `now[0]` to `now[1]`, once those from `old[0]` to `old[1]`; the last break is known."""
        (begin, end), (old_begin, old_end) = now, old
        lost: dict[int, str] = {i: self._base.texts[i] for i in range(old_begin, old_end)}
        pairs = matches(self._base.texts[old_begin : old_end + 1], texts[begin : end + 1])
        for old_index, index in pairs:
            if begin + index < end and old_begin + old_index < old_end:
                found[begin + index] = old_begin + old_index
                del lost[old_begin + old_index]
        moved: dict[str, list[int]] = {}
        for old_line, text in reversed(lost.items()):
            moved.setdefault(text, []).append(old_line)
        for line in range(begin, end):
            origin = found[line]
            if isinstance(origin, _Made) and origin.loose and moved.get(texts[line]):
                found[line] = moved[texts[line]].pop()
