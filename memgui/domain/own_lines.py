"""Lines that a person saved, and what becomes of them when another program writes the same document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memgui.domain.differences import differences
from memgui.domain.lines import Lines
from memgui.domain.pieces import merge_pieces, pieces_of, text_of

KEPT_SECONDS = 600.0
"""So long after a save it is noticed when its lines go."""


@dataclass(frozen=True, slots=True)
class OwnSave:
    """A person's save at `time` (seconds since 1970): what stood there before it and after, and which lines it brought.

    Blank lines are left out of these.
    """

    time: float
    before: Lines
    after: Lines
    brought: tuple[str, ...]

    @staticmethod
    def of(time: float, before: Lines, after: Lines) -> OwnSave:
        """The save that made `after` of `before`."""
        changes = differences(before.texts, after.texts)
        return OwnSave(time, before, after, tuple(text for change in changes for text in change.texts if text.strip()))


@dataclass(frozen=True, slots=True)
class Lost:
    """Lines of a person's that are nowhere any more, and when the last of them was saved."""

    texts: tuple[str, ...]
    time: float


def recent(saves: Iterable[OwnSave], now: float) -> tuple[OwnSave, ...]:
    """The saves that still count."""
    return tuple(save for save in saves if 0 <= now - save.time <= KEPT_SECONDS)


def lost(saves: Sequence[OwnSave], stood: Lines, now_stands: Lines) -> Lost | None:
    """Which lines of these saves `stood` there before another program wrote, and stand nowhere now.

    A line to which something was added still stands.
    """
    before = set(stood.texts)
    times = {text: save.time for save in saves for text in save.brought if text in before}
    texts = {text: times[text] for text in _missing(times, now_stands)}
    return Lost(tuple(texts), max(texts.values())) if texts else None


def put_back(saves: Sequence[OwnSave], gone: Lost, stands: Lines) -> Lines:
    """The text that stands there with the lost lines at their place again; all else in it stays."""
    for save in saves:
        wanted = set(_missing(gone.texts, stands)) & set(save.brought)
        if wanted:
            stands = _with(save, wanted, stands)
    return stands


def _missing(texts: Iterable[str], stands: Lines) -> list[str]:
    """Those of the lines that are in no line that stands there."""
    there = set(stands.texts)
    missing = [text for text in texts if text not in there]
    return [text for text in missing if not any(text.strip() in line for line in there)]


def _with(save: OwnSave, wanted: set[str], stands: Lines) -> Lines:
    """What a save did for these lines, done again. Where others wrote something else, it stays before them."""
    before = pieces_of(save.before)
    merged = merge_pieces(before, _only(save, wanted), pieces_of(stands))
    lines: list[str] = []
    done = 0
    for overlap in merged.overlaps:
        lines += merged.lines[done : overlap.start]
        lines += overlap.theirs
        lines += [line for line in overlap.mine if _text(line) in wanted]
        done = overlap.start + len(overlap.mine)
    return text_of([*lines, *merged.lines[done:]])


def _only(save: OwnSave, wanted: set[str]) -> tuple[str, ...]:
    """What stood before the save with these of its lines: in the place of their own former ones, or added."""
    before, lines, done = pieces_of(save.before), list[str](), 0
    for change in differences(before, pieces_of(save.after)):
        lines += before[done : change.start]
        gone = before[change.start : change.start + change.removed]
        if len(gone) == len(change.texts):
            pairs = zip(gone, change.texts, strict=True)
            lines += [new if _text(new) in wanted else old for old, new in pairs]
        else:
            lines += [*gone, *(new for new in change.texts if _text(new) in wanted)]
        done = change.start + change.removed
    return (*lines, *before[done:])


def _text(piece: str) -> str:
    """A line without its ending."""
    return Lines.split(piece).texts[0]
