"""Review: what stands on disk and was not accepted by a person, in which pieces, and what became of it.

A pending change is the baseline (the bytes last accepted) against the disk. It is named by both, so that a verdict
holds for what was shown and for nothing else.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from memgui.domain.documents import Fingerprint
from memgui.domain.errors import Conflict, MemguiError
from memgui.domain.held import Held
from memgui.domain.paths import DocPath
from memgui.domain.tree import Stat
from memgui.i18n import _

QUIET_SECONDS = 10.0
"""Who changed a file less than this ago may still be at it."""
BATCH_SECONDS = 60.0
BATCH = 5
"""So many deletions within `BATCH_SECONDS` are told as one."""


class ChangeShape(StrEnum):
    """What a change did to its document: the first of these that fits."""

    CREATE = "create"
    DELETE = "delete"
    RENAME = "rename"
    APPEND = "append"
    REWRITE = "rewrite"
    SHRINK = "shrink"
    EDIT = "edit"


class Alarm(StrEnum):
    """Why a change is shown before all others."""

    PROTECTED = "protected"
    DAILY_LOG = "daily-log"
    STATUS = "status"
    DELETED = "deleted"
    REWRITTEN = "rewritten"
    SHRUNK = "shrunk"

    @property
    def sentence(self) -> str:
        """The reason as a person reads it."""
        sentences = {
            Alarm.PROTECTED: _("A protected file was changed."),
            Alarm.DAILY_LOG: _("A daily log was changed other than by adding to its end."),
            Alarm.STATUS: _("What a person ratified, or the status of a fact, was changed."),
            Alarm.DELETED: _("A document was deleted."),
            Alarm.REWRITTEN: _("Little of what stood there is left."),
            Alarm.SHRUNK: _("Many lines were lost."),
        }
        return sentences[self]


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place where a change differs from what was accepted. All lines are with their endings.

    `start` and `new_start` count from 0: where `removed` stood in the baseline, where `added` stands on disk.
    """

    id: str
    """`ID.N`: the change's id, and N from 1 in the order of the file."""
    number: int
    start: int
    new_start: int
    removed: tuple[str, ...]
    added: tuple[str, ...]
    before: tuple[bytes, ...] = ()
    """The lines of `removed` as they are, byte for byte; those of `whole` are not split."""
    after: tuple[bytes, ...] = ()
    moved_away: frozenset[int] = frozenset()
    """Which of `removed` stand in another place now: they are not lost."""
    moved_here: frozenset[int] = frozenset()
    """Which of `added` stood in another place before."""
    whole: bool = False
    """The document is not shown by lines (binary, or very large): it is accepted or rejected as one."""

    @property
    def line(self) -> int:
        """The line on disk, from 1, where it begins; for what was only removed, the line before which that stood."""
        return self.new_start + 1

    @property
    def lost(self) -> tuple[bytes, ...]:
        """The removed lines that stand nowhere else now."""
        return tuple(line for at, line in enumerate(self.before) if at not in self.moved_away)


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change that no person has accepted. `since` and `changed` are seconds since 1970."""

    id: str
    path: DocPath
    kind: ChangeShape
    reasons: tuple[Alarm, ...] = ()
    who: tuple[str, ...] = ()
    """The labels of those who wrote since the baseline, the first first."""
    since: float = 0.0
    """When the first of what is pending was written, as far as was seen."""
    changed: float = 0.0
    """When somebody other than the person last changed the document."""
    added: int = 0
    removed: int = 0
    renamed_from: DocPath | None = None
    baseline: Fingerprint | None = None
    """The bytes last accepted; None: accepted was that nothing stands there."""
    disk: Fingerprint | None = None
    """The bytes on disk, or of the held change; None: nothing stands there."""
    stat: Stat | None = None
    """The state of the file when it had these bytes."""
    held: bool = False
    """It waits for a person and is not on disk. `baseline` is what is there instead."""
    seen: bool = False
    """A person looked at these bytes, which accepts nothing."""

    @property
    def alarm(self) -> bool:
        return bool(self.reasons)

    @property
    def source(self) -> DocPath:
        """The path that the baseline belongs to."""
        return self.renamed_from or self.path


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A change with its text. `before` and `after` are lines with their endings, U+FFFD for what is no UTF-8."""

    change: PendingChange
    hunks: tuple[Hunk, ...]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    note: str = ""
    """A sentence on what cannot be shown, or not exactly; empty where nothing is to be said."""

    @property
    def id(self) -> str:
        return self.change.id

    @property
    def path(self) -> DocPath:
        return self.change.path


class VerdictKind(StrEnum):
    """What a person did with a change."""

    ACCEPT = "accept"
    REJECT = "reject"
    PUT_BACK = "put-back"
    EDIT = "edit"
    UNDO = "undo"


class Accepted(NamedTuple):
    """What was accepted at a path: bytes with this hash (None: that nothing stands there), and writers up to where."""

    hash: Fingerprint | None
    settled: int = 0


@dataclass(frozen=True, slots=True)
class Moved:
    """What a verdict did at one path: what was accepted, and what stood on disk, before and after."""

    path: DocPath
    accepted: tuple[Accepted, Accepted] | None = None
    """None: it stayed."""
    disk: tuple[Fingerprint | None, Fingerprint | None] | None = None
    """None: the disk was not touched."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person decided, by which it can be undone. One verdict may be about many documents."""

    kind: VerdictKind
    path: DocPath
    """The document that it was about, or the first of them."""
    moves: tuple[Moved, ...] = ()
    hunk: str | None = None
    """The id of the hunk that it was about; None: all of them."""
    held: Held | None = None
    """The held change that it was about, as it was before."""
    parts: tuple[Verdict, ...] = ()
    """Verdicts on held changes that were given along with it."""

    @property
    def paths(self) -> tuple[DocPath, ...]:
        """All documents that it was about."""
        inner = [path for part in self.parts for path in part.paths]
        return tuple(dict.fromkeys([*(move.path for move in self.moves), *inner])) or (self.path,)


@dataclass(frozen=True, slots=True)
class Owed:
    """What a person decided, of which it is not known that it was done."""

    kind: VerdictKind
    path: DocPath


class StaleChange(Conflict):
    """The change is no longer what it was when it was shown: its document was written, or it was decided."""

    def __init__(self, change: str, path: str = "") -> None:
        MemguiError.__init__(
            self,
            _("The change {id} is no longer as it was shown; nothing was done.").format(id=change),
            hint=_("Its document was changed since, or it was decided. Look at the list anew."),
        )
        self.path = path
        self.expected = self.found = None


def change_id(
    path: DocPath, baseline: Fingerprint | None, disk: Fingerprint | None, *, source: DocPath | None = None
) -> str:
    """The name of the change from these bytes to those: the same whoever asks, another one after any write."""
    pieces = [os.fsencode(path), (baseline or "").encode(), (disk or "").encode()]
    if source is not None and source != path:
        pieces.append(os.fsencode(source))
    return hashlib.sha256(b"\0".join(pieces)).hexdigest()[:16]


def quiet_in(change: PendingChange, now: float) -> float:
    """So many seconds until nobody can be thought to be writing into it any more; 0: it is quiet."""
    ago = now - change.changed
    return 0.0 if change.held or ago < 0 or ago >= QUIET_SECONDS else QUIET_SECONDS - ago


def is_writing(change: PendingChange, now: float) -> bool:
    """Whether anyone but the person changed the document so short a time ago that more may be on its way."""
    return quiet_in(change, now) > 0


def deletions(changes: Iterable[PendingChange]) -> tuple[tuple[PendingChange, ...], ...]:
    """The deletions that came so close together that they are told, and put back, as one."""
    gone = sorted((one for one in changes if one.kind is ChangeShape.DELETE), key=lambda one: (one.since, one.path))
    batches: list[tuple[PendingChange, ...]] = []
    first = 0
    while first < len(gone):
        last = first
        while last < len(gone) and gone[last].since - gone[first].since <= BATCH_SECONDS:
            last += 1
        if last - first >= BATCH:
            batches.append(tuple(gone[first:last]))
            first = last
        else:
            first += 1
    return tuple(batches)
