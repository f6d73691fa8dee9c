"""Where what happened is written: journal, refusals, deeds, and the logs of versions. Each is read newest first."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import groupby

from memgui.domain.activity import Event, EventKind
from memgui.domain.errors import InvalidParameters
from memgui.domain.origin import Origin, OriginKind
from memgui.domain.paths import DocPath, parse, shown
from memgui.domain.refusals import Refusal
from memgui.domain.versions import Version
from memgui.i18n import _, ngettext
from memgui.storage import salvage
from memgui.storage.baselines import Baselines
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.history import History, Line
from memgui.storage.journal import Intent, IntentState, Journal

_AT_ONCE, _MORE = 400, 4
"""So many rows are asked for at first, and so many times more each time that those were not enough."""
_BELONGS_SECONDS = 2.0
"""A write so shortly before a deed of the same origin on the same document is a part of that deed."""

_KINDS = {
    "accept": EventKind.VERDICT,
    "reject": EventKind.VERDICT,
    "put-back": EventKind.VERDICT,
    "edit": EventKind.VERDICT,
    "merge": EventKind.MERGE,
    "restore": EventKind.RESTORE,
    "ratify": EventKind.FACT,
    "withdraw": EventKind.FACT,
    "bring-back": EventKind.FACT,
    "hold": EventKind.HELD,
    "forget": EventKind.FORGET,
    "recover": EventKind.RECOVERY,
}
_WRITING = frozenset(
    "reject put-back edit undo restore ratify withdraw bring-back rename move trash".split()  # noqa: SIM905
)

Key = tuple[float, str]
Place = tuple[DocPath, Origin]


class DoneDeeds:
    """The deeds of one workspace, read anew where there are more."""

    def __init__(self, deeds: Deeds) -> None:
        self._deeds = deeds
        self._stamp: tuple[int, int, int] | None = None
        self._events: list[Event] = []
        self._writing: dict[Place, list[float]] = {}
        self._named: dict[DocPath, list[float]] = {}

    def refresh(self) -> None:
        """Read what there is."""
        stamp = self._deeds.stamp
        if stamp == self._stamp:
            return
        self._stamp = stamp
        deeds = self._deeds.all()
        self._events = sorted(_events(deeds), key=lambda event: event.key, reverse=True)
        self._writing, self._named = {}, {}
        for deed in sorted(deeds, key=lambda one: one.time):
            if deed.kind in _WRITING:
                self._writing.setdefault((deed.path, deed.origin), []).append(deed.time)
            if deed.kind in ("rename", "move", "trash", "restore"):
                self._named.setdefault(deed.path, []).append(deed.time)

    def events(self, before: Key | None) -> Iterator[Event]:
        """Those before a place, the newest first."""
        at = 0 if before is None else bisect_left(self._events, _turned(before), key=lambda one: _turned(one.key))
        return (event for event in self._events[at:] if before is None or event.key < before)

    def parts(self) -> Callable[[Intent], bool]:
        """Asked of rows from the newest on: whether one is a part of a deed. Of each deed it is the last before it."""
        used: set[tuple[Place, float]] = set()

        def is_part(row: Intent) -> bool:
            place = (row.path, row.origin)
            times = self._writing.get(place, [])
            at = bisect_left(times, row.time)
            while at < len(times) and times[at] <= row.time + _BELONGS_SECONDS:
                if (place, times[at]) not in used:
                    used.add((place, times[at]))
                    return True
                at += 1
            return False

        return is_part

    def named(self, path: DocPath, time: float) -> bool:
        """Whether a person gave that name, or took it away, about then."""
        return any(abs(one - time) <= _BELONGS_SECONDS for one in self._named.get(path, ()))


class SeenOutside:
    """What others wrote, as far as the logs of versions tell: read once, then again only where there is more."""

    def __init__(self, history: History, baselines: Baselines) -> None:
        self._history, self._baselines = history, baselines
        self._logs: dict[str, tuple[tuple[int, int, int], tuple[Event, ...]]] = {}
        self._began: float | None = None
        self._events: list[Event] = []

    def refresh(self, deeds: DoneDeeds, stop: Callable[[], bool]) -> None:
        """Read the logs that are others than before."""
        began = self._baselines.opening().began
        if began != self._began:
            self._began = began
            self._logs.clear()
        found, is_same = {}, True
        for id_, stamp in self._history.stamps():
            known = self._logs.get(id_)
            if known is None or known[0] != stamp:
                if stop():
                    return
                is_same = False
                known = (stamp, tuple(self._of_log(id_, deeds)))
            found[id_] = known
        if not is_same or len(found) != len(self._logs):
            self._logs = found
            events = (event for _stamp, told in found.values() for event in told)
            self._events = sorted(events, key=lambda event: event.key, reverse=True)

    def events(self, before: Key | None) -> Iterator[Event]:
        """Those before a place, the newest first."""
        at = 0 if before is None else bisect_left(self._events, _turned(before), key=lambda one: _turned(one.key))
        return (event for event in self._events[at:] if before is None or event.key < before)

    def _of_log(self, id_: str, deeds: DoneDeeds) -> Iterator[Event]:
        newest: Version | None = None
        path: DocPath | None = None
        for line in self._history.lines(id_):
            version = line.version
            if version is None:
                if line.time is not None and path is not None and not deeds.named(line.path, line.time):
                    yield _moved(id_, line, path)
            elif version.origin.kind is OriginKind.OUTSIDE and self._is_told(version, newest):
                yield _outside(id_, line.path, version, newest)
            path, newest = line.path, version or newest

    def _is_told(self, version: Version, before: Version | None) -> bool:
        """What stood there at the first opening nobody saw coming; what came to stand there since, somebody wrote."""
        if before is not None:
            return before.hash != version.hash
        return self._began is not None and version.time > self._began


def writes(journal: Journal, deeds: DoneDeeds, before: Key | None) -> Iterator[Event]:
    """What the journal has, but for what is a part of a deed."""
    is_part = deeds.parts()
    upto = float("inf") if before is None else before[0] + _BELONGS_SECONDS
    below: int | None = None
    limit = _AT_ONCE
    while rows := journal.newest(upto=upto, limit=limit, below=below):
        for row in rows:
            if is_part(row):
                continue
            event = _write(row)
            if before is None or event.key < before:
                yield event
        upto, below, limit = rows[-1].time, rows[-1].id, limit * _MORE


def refused(journal: Journal, before: Key | None) -> Iterator[Event]:
    """What was refused."""
    upto = float("inf") if before is None else before[0]
    below: int | None = None
    limit = _AT_ONCE
    while rows := journal.newest_refusals(upto=upto, limit=limit, below=below):
        for number, refusal in rows:
            event = _refusal(number, refusal)
            if before is None or event.key < before:
                yield event
        below, last = rows[-1]
        upto, limit = last.time, limit * _MORE


def salvaged(deeds: Deeds, before: Key | None) -> Iterator[Event]:
    """The last damage of the journal."""
    found = salvage.last(deeds.folder)
    if found is not None:
        rows = ngettext("{count} row was saved", "{count} rows were saved", found.rows).format(count=f"{found.rows:,}")
        event = Event(f"salvage-{found.time!r}", found.time, EventKind.RECOVERY, "salvage", detail=rows)
        if before is None or event.key < before:
            yield event


def _events(deeds: tuple[Deed, ...]) -> Iterator[Event]:
    """One event for each, and one for those that were done at once."""
    alike: Counter[str] = Counter()
    for _same, group in groupby(deeds, key=lambda one: (one.time, one.kind, one.origin, one.detail)):
        some = tuple(group)
        first = some[0]
        told = f"{first.time!r}\0{first.kind}\0{first.origin.label}\0{first.detail}\0{first.path}"
        hashed = hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        alike[hashed] += 1
        yield Event(
            f"deed-{hashed}-{alike[hashed]:06}",
            first.time,
            _kind(first),
            first.kind,
            first.origin,
            tuple(dict.fromkeys(one.path for one in some if one.path)),
            detail=first.detail,
        )


def _kind(deed: Deed) -> EventKind:
    if deed.kind == "undo":
        return EventKind.RESTORE if deed.detail and not deed.detail.isdigit() else EventKind.VERDICT
    return _KINDS.get(deed.kind, EventKind.FILING)


def _write(row: Intent) -> Event:
    deed = "edit" if row.before and row.after else "create" if row.after else "delete"
    return Event(
        f"write-{row.id:012}",
        row.time,
        EventKind.WRITE,
        "aborted" if row.state is IntentState.ABORTED else deed,
        row.origin,
        (row.path,),
        before=row.before,
        after=row.after,
    )


def _refusal(number: int, refusal: Refusal) -> Event:
    paths: tuple[DocPath, ...] = ()
    if refusal.tool not in ("memory_search", "recall", "remember", "memory"):
        with suppress(InvalidParameters):
            paths = (parse(refusal.target),)
    return Event(
        f"refusal-{number:012}",
        refusal.time,
        EventKind.REFUSAL,
        refusal.tool,
        refusal.origin,
        paths,
        target=refusal.target,
        detail=refusal.message,
        code=refusal.code,
        count=refusal.count,
    )


def _outside(id_: str, path: DocPath, version: Version, before: Version | None) -> Event:
    was_there = before is not None and before.hash is not None
    deed = "delete" if version.hash is None else "edit" if was_there else "create"
    return Event(
        f"version-{id_}-{version.number:09}",
        version.time,
        EventKind.WRITE,
        deed,
        version.origin,
        (path,),
        before=before.hash if before is not None else None,
        after=version.hash,
    )


def _moved(id_: str, line: Line, source: DocPath) -> Event:
    assert line.time is not None
    detail = _("it was {path}").format(path=shown(source))
    return Event(
        f"moved-{id_}-{line.time!r}",
        line.time,
        EventKind.FILING,
        "rename",
        Origin.outside(),
        (line.path,),
        detail=detail,
    )


def _turned(key: Key) -> tuple[float, tuple[int, ...]]:
    """By it the newest comes first."""
    return -key[0], tuple(-ord(letter) for letter in key[1])
