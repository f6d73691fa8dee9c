"""A heartbeat file as a checklist: sections, items, and what is neither, each with its line. It is read, never changed.

Headings are sections; fences, comments and tables hold no items; a line that only looks like an item is told as such.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, lru_cache

from memgui.domain.blocks import indent
from memgui.domain.outline import heading_of
from memgui.domain.paths import name_of

DONE_MARKS = frozenset("xX")
_STEP = 2
"""So many columns deeper than the item above, an item belongs to that one."""
_CODE_COLUMNS = 4
_LONGEST_WITH_CODE = 2_000
"""In longer lines code is not told from text: finding where it ends would take too long."""

_ITEM = re.compile(r"(?P<indent>[ \t]*)(?P<bullet>[-*+]|[0-9]{1,9}[.)])(?P<gap>[ \t]+|\Z)")
_BOX = re.compile(r"\[([^\[\]])\](?:([ \t]+)|\Z)")
_BROKEN_BOX = re.compile(r"\[[ \txX]{0,3}\](?![(\[:])")
_NO_ITEM = re.compile(r"[ \t]*[-*+]?\[[ \txX]{0,3}\](?![(\[:])")
_FENCE = re.compile(r"[ \t]*(`{3,}(?=[^`]*\Z)|~{3,})")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*\Z")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading. Lines count from 1, here and below."""

    line: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """One item: its own line, and `last`, the last line of all that belongs to it (its children, its further text).

    `mark` is the character in the box at `mark_at` of its line, None where there is no box.
    """

    line: int
    last: int
    depth: int
    indent: str
    bullet: str
    mark: str | None
    mark_at: int
    text: str
    text_at: int

    @property
    def is_done(self) -> bool:
        """Whether its box is ticked."""
        return self.mark is not None and self.mark in DONE_MARKS

    @property
    def is_numbered(self) -> bool:
        """Whether it has a number for a bullet."""
        return self.bullet not in ("-", "*", "+")


class PassageKind(Enum):
    """What lines are that are no items."""

    TEXT = "text"
    MORE = "more of the item above"
    UNREAD = "looks like an item and is none"
    COMMENT = "comment"
    CODE = "code"
    TABLE = "table"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines that are no item, as they are written."""

    kind: PassageKind
    line: int
    last: int
    depth: int
    text: str


Row = Section | Item | Passage


@dataclass(frozen=True)
class Checklist:
    """All rows of a heartbeat file, in its order."""

    rows: tuple[Row, ...] = ()

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items alone."""
        return tuple(row for row in self.rows if isinstance(row, Item))

    @property
    def boxes(self) -> int:
        """How many items can be ticked."""
        return sum(item.mark is not None for item in self.items)

    @property
    def done(self) -> int:
        """How many are."""
        return sum(item.is_done for item in self.items)

    @property
    def tick(self) -> str:
        """How this file spells a tick: `X` where it never writes `x`."""
        marks = {item.mark for item in self.items}
        return "X" if "X" in marks and "x" not in marks else "x"

    def item_at(self, line: int) -> Item | None:
        """The item whose own line that is."""
        return next((item for item in self.items if item.line == line), None)

    def item_over(self, line: int) -> Item | None:
        """The deepest item that the line belongs to."""
        return max((item for item in self.items if item.line <= line <= item.last), key=_own_line, default=None)


def _own_line(item: Item) -> int:
    return item.line


def is_heartbeat(path: str) -> bool:
    """Whether a document is a heartbeat, by its name."""
    return name_of(path).casefold() == "heartbeat.md"


def read(texts: Sequence[str]) -> Checklist:
    """The checklist in these lines. Whatever they hold, it is read; nothing is refused."""
    return _read(tuple(texts))


@lru_cache(maxsize=4)
def _read(texts: tuple[str, ...]) -> Checklist:
    # One edit asks several times for the same lines: to find the item, to check the edit, to show it.
    return Checklist(_Reader(texts).rows())


class _Reader:
    """Goes through the lines once, and knows which items are open."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._rows: list[Row] = []
        self._open: list[tuple[int, int]] = []
        """Of each open item: its column, and which row it is."""
        self._lasts: dict[int, int] = {}
        self._reached = 0
        """The last line that is not blank."""
        self._after_blank = True

    def rows(self) -> tuple[Row, ...]:
        at = 0
        while at < len(self._texts):
            text = self._texts[at]
            if text.strip():
                at = self._block(at, text, indent(text))
                self._reached, self._after_blank = at, False
            else:
                at, self._after_blank = at + 1, True
        self._leave(-1)
        return tuple(_ended(row, self._lasts.get(number)) for number, row in enumerate(self._rows))

    def _block(self, at: int, text: str, column: int) -> int:
        """Take what begins at this line; answer the line after it."""
        within = bool(self._open) or column < _CODE_COLUMNS
        if within and (fence := _FENCE.match(text)) is not None:
            self._leave(column)
            return self._passage(PassageKind.CODE, at, self._end_of_fence(at + 1, fence[1]))
        if within and text.lstrip().startswith("<!--"):
            self._leave(column)
            return self._passage(PassageKind.COMMENT, at, self._end_of_comment(at, text.index("<!--") + 4))
        if (heading := heading_of(text)) is not None and not self._is_inside(column):
            self._leave(-1)
            self._rows.append(Section(at + 1, *heading))
            return at + 1
        if self._is_underline(at, text):
            title = self._rows.pop()
            assert isinstance(title, Passage)
            self._rows.append(Section(title.line, 1 if "=" in text else 2, title.text.strip()))
            return at + 1
        if _RULE.match(text):
            self._leave(column)
            return self._passage(PassageKind.RULE, at, at + 1)
        if within and (found := _ITEM.match(text)) is not None and not self._is_prose(found):
            return self._item(at, text, column, found)
        if self._begins_table(at, text):
            self._leave(column)
            return self._passage(PassageKind.TABLE, at, self._end_of_table(at + 1))
        if within and _NO_ITEM.match(text):
            self._leave(column)
            return self._passage(PassageKind.UNREAD, at, at + 1)
        return self._prose(at, column)

    def _item(self, at: int, text: str, column: int, found: re.Match[str]) -> int:
        self._leave(column)
        box = _BOX.match(text, found.end())
        begins = box.end() if box is not None else found.end()
        self._open.append((column, len(self._rows)))
        if box is None and text[begins:].strip() and _BROKEN_BOX.match(text, begins):
            row: Row = Passage(PassageKind.UNREAD, at + 1, at + 1, len(self._open) - 1, text.strip())
        else:
            row = Item(
                line=at + 1,
                last=at + 1,
                depth=len(self._open) - 1,
                indent=found["indent"],
                bullet=found["bullet"],
                mark=box[1] if box is not None else None,
                mark_at=box.start(1) if box is not None else -1,
                text=text[begins:].rstrip(),
                text_at=begins,
            )
        self._rows.append(row)
        if (fence := _FENCE.match(text, begins)) is not None:
            return self._passage(PassageKind.CODE, at + 1, self._end_of_fence(at + 1, fence[1]))
        return self._comment_after(at)

    def _prose(self, at: int, column: int) -> int:
        before = self._rows[-1] if self._rows else None
        goes_on = not self._after_blank and isinstance(before, Item | Passage)
        if goes_on and isinstance(before, Passage) and before.kind in (PassageKind.TEXT, PassageKind.MORE):
            self._rows[-1] = _joined(before, at + 1, self._texts[at])
            return self._comment_after(at)
        if not goes_on or not isinstance(before, Item):
            self._leave(column)
        if column >= _CODE_COLUMNS and not self._open and not goes_on:
            end = at + 1
            while end < len(self._texts) and self._texts[end].strip() and indent(self._texts[end]) >= _CODE_COLUMNS:
                end += 1
            return self._passage(PassageKind.CODE, at, end)
        self._passage(PassageKind.MORE if self._open else PassageKind.TEXT, at, at + 1)
        return self._comment_after(at)

    def _comment_after(self, at: int) -> int:
        """Where a comment that this line leaves open ends; else the next line."""
        opened = _comment_left_open(self._texts[at])
        if opened is None:
            return at + 1
        return self._passage(PassageKind.COMMENT, at + 1, self._end_of_comment(at, opened))

    def _passage(self, kind: PassageKind, at: int, end: int) -> int:
        if end > at:
            text = "\n".join(self._texts[at:end]) if kind in _AS_WRITTEN else self._texts[at].strip()
            self._rows.append(Passage(kind, at + 1, end, len(self._open), text))
        return end

    # Where things end ------------------------------------------------------------------------------------------------

    def _leave(self, column: int) -> None:
        """Close the items that what begins at this column does not belong to."""
        while self._open and column < self._open[-1][0] + _STEP:
            self._lasts[self._open.pop()[1]] = self._reached

    def _is_inside(self, column: int) -> bool:
        return bool(self._open) and column >= self._open[-1][0] + _STEP

    def _end_of_fence(self, at: int, fence: str) -> int:
        inner = self._open[-1][0] + _STEP if self._open else 0
        while at < len(self._texts):
            text = self._texts[at]
            stripped = text.strip()
            if stripped.startswith(fence) and not stripped.strip(fence[0]):
                return at + 1
            if stripped and indent(text) < inner:
                return at
            at += 1
        return at

    def _end_of_comment(self, at: int, begins: int) -> int:
        """A comment that is never closed goes on to the end."""
        while at < len(self._texts):
            if "-->" in self._texts[at][begins:]:
                return at + 1
            at, begins = at + 1, 0
        return at

    def _begins_table(self, at: int, text: str) -> bool:
        if text.lstrip().startswith("|"):
            return True
        below = self._texts[at + 1] if at + 1 < len(self._texts) else ""
        return "|" in text and "|" in below and _TABLE_RULE.match(below) is not None

    def _end_of_table(self, at: int) -> int:
        while at < len(self._texts) and "|" in self._texts[at] and _ITEM.match(self._texts[at]) is None:
            at += 1
        return at

    def _is_prose(self, found: re.Match[str]) -> bool:
        """Whether a number at a line's start only goes on with a sentence, as Markdown has it."""
        before = self._rows[-1] if self._rows else None
        in_text = not self._after_blank and isinstance(before, Passage) and before.kind is PassageKind.TEXT
        bullet = found["bullet"]
        return in_text and len(bullet) > 1 and bullet[:-1].lstrip("0") != "1"

    def _is_underline(self, at: int, text: str) -> bool:
        before = self._rows[-1] if self._rows else None
        return (
            not self._after_blank
            and isinstance(before, Passage)
            and before.kind is PassageKind.TEXT
            and before.line == before.last == at
            and _UNDERLINE.match(text) is not None
        )


_AS_WRITTEN = frozenset({PassageKind.COMMENT, PassageKind.CODE, PassageKind.TABLE})


def _ended(row: Row, last: int | None) -> Row:
    if last is None or not isinstance(row, Item) or last == row.last:
        return row
    return replace(row, last=last)


def _joined(passage: Passage, line: int, text: str) -> Passage:
    return Passage(passage.kind, passage.line, line, passage.depth, f"{passage.text} {text.strip()}")


def _comment_left_open(text: str) -> int | None:
    """Where the text of a comment begins that this line opens and does not close."""
    if "<!--" not in text:
        return None
    bare = _CODE_SPAN.sub(_blanks, text) if len(text) <= _LONGEST_WITH_CODE else text
    begins = bare.rfind("<!--")
    return begins + 4 if begins >= 0 and "-->" not in bare[begins + 4 :] else None


def _blanks(span: re.Match[str]) -> str:
    return " " * len(span[0])
