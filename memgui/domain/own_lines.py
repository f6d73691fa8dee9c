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
    there, before = set(now_stands.texts), set(stood.texts)
    missed = {text: save.time for save in saves for text in save.brought if text in before and text not in there}
    texts = {text: time for text, time in missed.items() if not any(text.strip() in line for line in there)}
    return Lost(tuple(texts), max(texts.values())) if texts else None


def put_back(saves: Sequence[OwnSave], gone: Lost, stands: Lines) -> Lines:
    """The text that stands there with the lost lines at their place again, beside all that is new in it."""
    wanted = set(gone.texts)
    for save in saves:
        if not wanted.isdisjoint(save.brought):
            stands = _with(save, wanted, stands)
    return stands


def _with(save: OwnSave, wanted: set[str], stands: Lines) -> Lines:
    """What a save did, done again. Where another program wrote something else, its lines stay before the lost ones."""
    merged = merge_pieces(pieces_of(save.before), pieces_of(save.after), pieces_of(stands))
    lines: list[str] = []
    done = 0
    for overlap in merged.overlaps:
        lines += merged.lines[done : overlap.start]
        lines += overlap.theirs
        lines += [line for line in overlap.mine if Lines.split(line).texts[0] in wanted]
        done = overlap.start + len(overlap.mine)
    return text_of([*lines, *merged.lines[done:]])
