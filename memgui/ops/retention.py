"""Retention: versions over the age go, saves in a row fold, and what nothing refers to any more is removed.

A sweep may be stopped or killed at any moment: first the logs say which versions there are no longer, then their copies
go; what is left of that is found by the next. Lane: one where nobody waits.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memgui.domain.documents import Fingerprint
from memgui.domain.errors import MemguiError
from memgui.domain.paths import DocPath
from memgui.domain.retention import DAY_SECONDS, begun_by, folded, is_needed, outdated
from memgui.domain.workspace import Workspace
from memgui.ops.forgetting import purge_copies
from memgui.ops.room import Room
from memgui.storage.baselines import Baselines
from memgui.storage.deeds import Deeds
from memgui.storage.folders import never
from memgui.storage.history import History, versions_in
from memgui.storage.kept import KeptCopies
from memgui.storage.locks import workspace_lock
from memgui.storage.purging import sweep_leftovers
from memgui.storage.undelete import UndeleteStore

DAYS, MEGABYTES = 90, 500
_HASHES = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_OWN = frozenset({"history", "kept"})
_LEDGERS = frozenset({"baselines.jsonl", "seen.jsonl", "deeds.jsonl"})
"""These also name what was needed once."""
_AT_ONCE = 200
"""So many copies are removed, then the lock is let go for those who write."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is kept: for so many days, and so many megabytes. 0: without a limit."""

    days: int = DAYS
    megabytes: int = MEGABYTES

    @property
    def bytes(self) -> int:
        return self.megabytes * 1_000_000

    def oldest(self, now: float) -> float:
        """What was replaced before this moment is over the age."""
        return now - self.days * DAY_SECONDS if self.days else 0.0

    def young(self, now: float) -> float:
        """What stood there since this moment goes only where a person said so."""
        return now - (self.days or DAYS) * DAY_SECONDS


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep did: versions and bytes that went, bytes that are kept, and by how many they are too many."""

    versions: int = 0
    freed: int = 0
    kept: int = 0
    over: int = 0
    """A person has to say that versions under the age may go, or allow more room."""


def sweep(
    ws: Workspace,
    limits: Limits,
    *,
    now: float | None = None,
    keep: Collection[Fingerprint] = frozenset(),
    asked: bool = False,
    stop: Callable[[], bool] = never,
) -> Swept:
    """Keep what is to be kept, and no more. `keep`: bytes that are needed for something else as well.

    `asked`: a person said that versions under the age may go, as many as the room takes, the least needed first.
    """
    now = time.time() if now is None else now
    begun, stop = time.time(), _Stop(stop)
    history, copies = History(ws.state), KeptCopies(ws.state / "kept")
    referred = references(ws.state) | frozenset(keep)
    with suppress(OSError, MemguiError), workspace_lock(ws.state):
        sweep_leftovers(ws.state)
        UndeleteStore(ws.root, ws.state).sweep(limits.oldest(now))
    gone, prints = _leave_out(ws, history, _over_age(history, _deeds(ws), referred, limits.oldest(now), stop), stop)
    _finish_forgetting(ws, history, copies, stop)
    freed = _remove(ws, history, copies, referred, prints, now=now, limits=limits, since=begun, stop=stop)
    kept = usage(ws)
    if limits.megabytes and kept > limits.bytes and not stop():
        room = Room(history, copies, referred, before=None if asked else limits.young(now))
        more, more_prints = _leave_out(ws, history, room.made(kept - limits.bytes, stop=stop), stop)
        gone += more
        freed += _remove(ws, history, copies, referred, more_prints, now=now, limits=limits, since=begun, stop=stop)
        kept = usage(ws)
    over = max(0, kept - limits.bytes) if limits.megabytes else 0
    _mend(ws, copies, stop)
    return Swept(gone, freed, kept, over)


class _Stop:
    """Whether it was told to stop; once it was, it stays so."""

    def __init__(self, told: Callable[[], bool]) -> None:
        self._told = told
        self._is_stopped = False

    def __call__(self) -> bool:
        self._is_stopped = self._is_stopped or self._told()
        return self._is_stopped


def usage(ws: Workspace) -> int:
    """How many bytes versions take: their copies, and the logs that tell of them."""
    return sum(_size(ws.state / name) for name in _OWN)


def _size(folder: Path) -> int:
    size = 0
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                is_folder = entry.is_dir(follow_symlinks=False)
                size += _size(Path(entry.path)) if is_folder else entry.stat(follow_symlinks=False).st_size
    return size


def references(state: Path) -> frozenset[Fingerprint]:
    """The hashes that anything else in the state folder names: baselines, held changes, what was withdrawn."""
    found: set[bytes] = set()
    for file in _beside(state):
        with suppress(OSError):
            found.update(_HASHES.findall(file.read_bytes()))
    return Baselines(state).prints() | {Fingerprint(print_.decode()) for print_ in found}


Numbers = Iterator[tuple[str, frozenset[int]]]


def _over_age(
    history: History,
    deeds: dict[DocPath, list[float]],
    referred: frozenset[Fingerprint],
    oldest: float,
    stop: Callable[[], bool],
) -> Numbers:
    """Of each document the versions that are over the age, or fold into another."""
    for document in history.documents():
        if stop():
            return
        lines = list(history.lines(document))
        found = versions_in(lines)
        if not found:
            continue
        decided = [moment for path in {line.path for line in lines} for moment in deeds.get(path, ())]
        numbers = outdated(found, oldest) | folded(found, decided).keys()
        free = {one.number for one in found if not is_needed(one, found[-1], referred)}
        if numbers & free:
            yield document, numbers & free


def _leave_out(
    ws: Workspace, history: History, wanted: Numbers, stop: Callable[[], bool]
) -> tuple[int, set[Fingerprint]]:
    """Have the logs no longer tell of these versions. How many they were, and the hashes of their bytes."""
    count = 0
    prints: set[Fingerprint] = set()
    for document, numbers in wanted:
        if stop():
            break
        with suppress(OSError, MemguiError), workspace_lock(ws.state):
            found = history.versions(document)
            gone = [one for one in found if one.number in numbers]
            history.leave_out(document, numbers, begun=begun_by(found, numbers))
            count += len(gone)
            prints |= {one.hash for one in gone if one.hash is not None}
    return count, prints


def _finish_forgetting(ws: Workspace, history: History, copies: KeptCopies, stop: Callable[[], bool]) -> None:
    """What somebody who was killed had marked as forgotten, goes."""
    marked = set()
    for document in history.documents():
        if stop():
            return
        for one in history.versions(document):
            if one.is_forgotten and one.hash is not None and not copies.is_forgotten(one.hash):
                marked.add(one.hash)
    if marked:
        with suppress(OSError, MemguiError), workspace_lock(ws.state):
            purge_copies(copies, marked)


def _remove(
    ws: Workspace,
    history: History,
    copies: KeptCopies,
    referred: frozenset[Fingerprint],
    gone: set[Fingerprint],
    *,
    now: float,
    limits: Limits,
    since: float,
    stop: Callable[[], bool],
) -> int:
    """Remove the copies that nothing needs: those that just `gone`, and old ones that no version ever told of.

    A younger one of those was kept by somebody for a reason: what a write displaced, a text that was given up.
    """
    needed = set(referred)
    for document in history.documents():
        if stop():
            return 0
        needed |= {one.hash for one in history.versions(document) if one.hash is not None}
    every = {copy.hash: copy for copy in copies.all() if not stop()}
    if stop():
        # What is not known of everything that is needed removes nothing.
        return 0
    oldest = limits.oldest(now)
    unneeded = [
        copy
        for copy in every.values()
        if copy.hash not in needed and not copy.is_forgotten and (copy.hash in gone or copy.time < oldest)
    ]
    names = {copy.hash for copy in unneeded}
    stood_on = {copy.base for copy in every.values() if copy.hash not in names}
    # Those that stand on others before these, so that a kill leaves none without its base.
    removable = sorted((copy for copy in unneeded if copy.hash not in stood_on), key=lambda copy: copy.base is None)
    freed = 0
    for begin in range(0, len(removable), _AT_ONCE):
        if stop():
            break
        with suppress(OSError, MemguiError), workspace_lock(ws.state):
            wanted_again = _told_since(history, since)
            for copy in removable[begin : begin + _AT_ONCE]:
                if copy.hash not in wanted_again and copies.time_of(copy.hash) == copy.time:
                    copies.drop(copy.hash)
                    freed += copy.size
    return freed


def _told_since(history: History, since: float) -> set[Fingerprint]:
    """The hashes of versions in logs that were added to since."""
    found = set()
    for document in history.changed_since(since):
        found |= {one.hash for one in history.versions(document) if one.hash is not None}
    return found


def _mend(ws: Workspace, copies: KeptCopies, stop: Callable[[], bool]) -> None:
    """Give bases that have lost one of their two files the other again."""
    for base in {copy.base for copy in copies.all() if copy.base is not None}:
        if stop():
            return
        with suppress(OSError, MemguiError), workspace_lock(ws.state):
            copies.mend(base)


def _deeds(ws: Workspace) -> dict[DocPath, list[float]]:
    found: dict[DocPath, list[float]] = {}
    for deed in Deeds(ws.state).all():
        found.setdefault(deed.path, []).append(deed.time)
    return found


def _beside(state: Path) -> Iterator[Path]:
    with suppress(OSError):
        for entry in state.iterdir():
            if entry.name in _OWN | _LEDGERS or entry.name.startswith("journal.sqlite"):
                continue
            yield from (file for file in (entry, *entry.rglob("*")) if _is_file(file))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
