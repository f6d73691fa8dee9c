"""What a difference shows, as values: `Difference` holds two texts and where they differ, `rows_of` makes rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import NamedTuple

from memgui.domain.differences import differences
from memgui.domain.invisible import labelled, places
from memgui.domain.lines import Lines

CONTEXT = 3
"""So many unchanged lines stand before and after what differs."""
_WORTH_FOLDING = 3
"""Fewer lines than this are shown rather than folded away."""
LONGEST = 6_000
"""So many characters of a line are shown; the rest is counted."""
MOST_LINES = 8_000
"""So many lines of one side of a part are shown; the rest is counted, and read in the file."""
TAB = "→   "
"""How a tab is shown in a line that changed: blanks in its place would tell nothing."""
_ENDINGS = {"\n": "‹LF›", "\r\n": "‹CRLF›", "\r": "‹CR›", "": "‹no line end›"}


class Sign(StrEnum):
    """What became of a line. The sign says it; the colour only helps."""

    SAME = " "
    ADDED = "+"
    REMOVED = "−"


@dataclass(frozen=True, slots=True)
class Part:
    """One place where the texts differ: `removed` lines of the old from `start`, `added` ones of the new from
    `new_start`, both counted from 0. `key` is what whoever made it knows it by."""

    key: str
    start: int
    removed: int
    new_start: int
    added: int
    moved_away: frozenset[int] = frozenset()
    """Which of the removed lines stand elsewhere now, from 0: they are not lost."""
    moved_here: frozenset[int] = frozenset()
    """Which of the added lines stood elsewhere before."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two texts as lines (with their endings, or all without) and the places where they differ, in order."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    parts: tuple[Part, ...]

    @staticmethod
    def between(before: Sequence[str], after: Sequence[str]) -> Difference:
        """Compared here; the keys are `1`, `2`, … Not for the GUI thread."""
        parts: list[Part] = []
        ahead = 0
        for number, splice in enumerate(differences(before, after), 1):
            parts.append(Part(str(number), splice.start, splice.removed, splice.start + ahead, len(splice.texts)))
            ahead += len(splice.texts) - splice.removed
        return Difference(tuple(before), tuple(after), tuple(parts))

    @staticmethod
    def of_texts(before: str, after: str) -> Difference:
        """The same for whole texts; their endings count. Not for the GUI thread."""
        return Difference.between(with_endings(before), with_endings(after))

    @property
    def added(self) -> int:
        """How many lines are new."""
        return sum(part.added for part in self.parts)

    @property
    def removed(self) -> int:
        """How many lines are gone."""
        return sum(part.removed for part in self.parts)


def with_endings(text: str) -> tuple[str, ...]:
    """The lines of a text, each with its own ending; joined they are the text."""
    lines = Lines.split(text)
    found = [line + ending for line, ending in zip(lines.texts, lines.breaks, strict=False)]
    return (*found, lines.texts[-1]) if lines.texts[-1] else tuple(found)


class RowKind(Enum):
    """What a row is."""

    HEAD = "head"
    LINE = "line"
    NOTE = "note"
    FOLD = "fold"
    MORE = "more"
    """Lines that are not shown, for there are too many."""
    EDITOR = "editor"
    """Room for a field in the place of the lines that are new."""


class Row(NamedTuple):
    """One row. `old` and `new` are its line on either side, from 1, 0 for none; `part` is -1 outside of all parts.

    A fold has the count of its lines in `old`, and its gap in `new`; what is not shown has its count in `old`.
    """

    kind: RowKind
    text: str = ""
    sign: Sign = Sign.SAME
    old: int = 0
    new: int = 0
    part: int = -1
    moved: bool = False
    """Whether the line stands, or stood, in another place too."""


def rows_of(
    difference: Difference, *, opened: Collection[int] = (), context: int = CONTEXT, edited: int = -1
) -> list[Row]:
    """The rows, top to bottom: a head over each part, the lines around it, and what is folded away between.

    `opened`: the gaps that are not folded. `edited`: the part whose new lines give way to a field.
    """
    rows: list[Row] = []
    done = 0
    for number, part in enumerate(difference.parts):
        ahead = part.new_start - part.start
        rows += _gap(difference, done, part.start, ahead, number, opened, context)
        mixed = _has_mixed_endings(difference, part)
        for at in range(part.start, part.start + min(part.removed, MOST_LINES)):
            moved = at - part.start in part.moved_away
            rows += _changed(difference.before[at], Sign.REMOVED, at + 1, number, mixed=mixed, moved=moved)
        rows += _more(part.removed, Sign.REMOVED, number)
        if number == edited:
            rows.append(Row(RowKind.EDITOR, part=number))
        else:
            for at in range(part.new_start, part.new_start + min(part.added, MOST_LINES)):
                moved = at - part.new_start in part.moved_here
                rows += _changed(difference.after[at], Sign.ADDED, at + 1, number, mixed=mixed, moved=moved)
            rows += _more(part.added, Sign.ADDED, number)
        done = part.start + part.removed
    if difference.parts:
        last = difference.parts[-1]
        ahead = last.new_start + last.added - last.start - last.removed
        rows += _gap(difference, done, len(difference.before), ahead, len(difference.parts), opened, context)
    return rows


def _more(lines: int, sign: Sign, part: int) -> Iterator[Row]:
    if lines > MOST_LINES:
        yield Row(RowKind.MORE, sign=sign, old=lines - MOST_LINES, part=part)


def _gap(
    difference: Difference, start: int, end: int, ahead: int, gap: int, opened: Collection[int], context: int
) -> Iterator[Row]:
    """What is alike between two parts, and the head of the second one over the lines that lead to it."""
    is_first, is_last = gap == 0, gap == len(difference.parts)
    length = end - start
    lead = 0 if is_last else min(context, length if is_first else (length + 1) // 2)
    trail = 0 if is_first else min(context, length - lead)
    folded = length - lead - trail
    if folded < _WORTH_FOLDING or gap in opened:
        trail, folded = length - lead, 0
    for at in range(start, start + trail):
        yield _alike(difference, at, ahead)
    if folded:
        yield Row(RowKind.FOLD, old=folded, new=gap)
    if not is_last:
        yield Row(RowKind.HEAD, part=gap)
    for at in range(end - lead, end):
        yield _alike(difference, at, ahead)


def _alike(difference: Difference, at: int, ahead: int) -> Row:
    return Row(RowKind.LINE, shown_line(difference.before[at]), Sign.SAME, at + 1, at + ahead + 1)


def _changed(line: str, sign: Sign, number: int, part: int, *, mixed: bool, moved: bool) -> Iterator[Row]:
    shown = shown_line(line, changed=True)
    text = shown + _ENDINGS.get(ending_of(line), "") if mixed else shown
    old, new = (number, 0) if sign is Sign.REMOVED else (0, number)
    yield Row(RowKind.LINE, text, sign, old, new, part, moved)
    if places(line[: len(line) - len(ending_of(line))]):
        yield Row(RowKind.NOTE, line, sign, old, new, part)


def shown_line(line: str, *, changed: bool = False) -> str:
    """A line as it is shown: without its ending, what cannot be seen labelled, and cut where it has no end."""
    text = line[: len(line) - len(ending_of(line))] if line and line[-1] in "\r\n" else line
    text = labelled(text) if len(text) <= LONGEST else f"{labelled(text[:LONGEST])}… (+{len(text) - LONGEST:,})"
    return text.replace("\t", TAB if changed else "    ") if "\t" in text else text


def ending_of(line: str) -> str:
    """How a line ends."""
    return "\r\n" if line.endswith("\r\n") else line[-1:] if line[-1:] in ("\n", "\r") else ""


def _has_mixed_endings(difference: Difference, part: Part) -> bool:
    removed = difference.before[part.start : part.start + part.removed]
    added = difference.after[part.new_start : part.new_start + part.added]
    return len({ending_of(line) for line in (*removed, *added)}) > 1


def heading_over(difference: Difference, part: Part) -> str:
    """The nearest Markdown heading at or over a part, without its signs; empty where there is none near."""
    for at in range(min(part.new_start, len(difference.after) - 1), max(-1, part.new_start - 400), -1):
        line = difference.after[at].strip()
        if line.startswith("#") and (words := line.lstrip("#")).startswith(" "):
            return labelled(words.strip())[:120]
    return ""
