"""Replacing a text in many documents: what is wished, the places where it would be done, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memgui.domain.crosslinks import stands_in_target
from memgui.domain.documents import Fingerprint
from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath

_BEFORE, _LONGEST = 48, 240
_NEW_LINE = "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}"
"""Stands for the end of a line where a place is shown on one."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Exchange:
    """`what` is looked for, and `by` put into its place. Unless `exact`, case, accents and width make no difference."""

    what: str
    by: str
    exact: bool = False
    whole_words: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """One place in a document: its line from 1, and the line (cut where it is long) before and after."""

    number: int
    """Which place of its document it is, from 0."""
    line: int
    before: str
    found: Span
    """Where in `before` the text stands."""
    after: str
    put: Span
    """Where in `after` the other text stands."""
    in_link: bool = False
    """Whether it is part of the name of a file to which a link leads."""


@dataclass(frozen=True, slots=True)
class InFile:
    """The places of one document that holds the bytes `print_`; or those of the text on a page that is not saved."""

    path: DocPath
    print_: Fingerprint
    places: tuple[Place, ...]
    on_page: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document in which nothing is replaced, and why, as a sentence."""

    path: DocPath
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Where a text would be replaced. Not `whole`: it was stopped, or there are more places than are shown."""

    exchange: Exchange
    files: tuple[InFile, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    whole: bool = True

    @property
    def places(self) -> int:
        """How many there are."""
        return sum(len(file.places) for file in self.files)

    @property
    def in_links(self) -> int:
        """How many of them are part of where a link leads."""
        return sum(place.in_link for file in self.files for place in file.places)


@dataclass(frozen=True, slots=True)
class Done:
    """A document in which it was done: what stood there, what stands there now, and in how many places."""

    path: DocPath
    before: Fingerprint
    after: Fingerprint
    places: int


@dataclass(frozen=True, slots=True)
class Replaced:
    """One batch. What was left out, was so because it was other than in the plan, or could not be written."""

    exchange: Exchange
    done: tuple[Done, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    stopped: bool = False

    @property
    def places(self) -> int:
        """How many texts were replaced."""
        return sum(one.places for one in self.done)

    def and_then(self, later: Replaced) -> Replaced:
        """Both as one batch; the later one says whether it was stopped."""
        return replace(later, done=(*self.done, *later.done), left_out=(*self.left_out, *later.left_out))


def exchanged(line: str, spans: list[Span], by: str) -> str:
    """The line with `by` in the place of each span; these are ascending and apart."""
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces += (line[at:start], by)
        at = end
    return "".join((*pieces, line[at:]))


def place(number: int, line: int, text: str, span: Span, by: str) -> Place:
    """The place in a line, as it is shown."""
    start, end = span
    head = max(0, start - _BEFORE)
    lead = "…" if head else ""
    room = max(end, head + _LONGEST)
    tail = "…" if room < len(text) else ""
    left = lead + text[head:start]
    rest = text[end:room] + tail
    found, put = text[start:end][:_LONGEST], _NEW_LINE.join(Lines.split(by).texts)[:_LONGEST]
    return Place(
        number,
        line,
        left + found + rest,
        (len(left), len(left) + len(found)),
        left + put + rest,
        (len(left), len(left) + len(put)),
        stands_in_target(text, start, end),
    )
