"""Activity: what happened in a workspace, newest first, by whomever. Nothing is kept for it that is not kept anyway."""

from __future__ import annotations

import heapq
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from memgui.domain.activity import Event, EventKind, Wanted
from memgui.domain.errors import MemguiError, WriteFailed
from memgui.domain.moments import rfc3339
from memgui.domain.paths import told
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops.activity_sources import DoneDeeds, Key, SeenOutside, refused, salvaged, writes
from memgui.storage import private
from memgui.storage.baselines import Baselines
from memgui.storage.database import StateDatabase
from memgui.storage.deeds import Deeds
from memgui.storage.folders import never
from memgui.storage.history import History
from memgui.storage.journal import Journal
from memgui.storage.kept import KeptCopies
from memgui.storage.spot import reason_of

_LONGEST = 1 << 20
"""Of longer documents it is not looked up where they were changed."""
_MOST_LOOKED_UP = 5_000
_ASK_EVERY = 64
_LATEST = 2.0e11
_EXPORTED_AT_ONCE = 10_000

Stamp = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Events:
    """Some events, the newest first. `is_all`: nothing happened before them."""

    events: tuple[Event, ...] = ()
    is_all: bool = True


def activity(
    ws: Workspace,
    *,
    before: Event | None = None,
    limit: int = 100,
    kinds: frozenset[EventKind] = frozenset(),
    wanted: Wanted | None = None,
) -> tuple[Event, ...]:
    """What happened, the newest first; `before`: only what happened earlier than that. Lane: reads."""
    wanted = wanted if wanted is not None else Wanted(kinds=kinds)
    return Activity(ws).page(before=before, limit=limit, wanted=wanted).events


class Activity:
    """What happened in one workspace, for one who looks again and again. Used by several threads. Lane: reads."""

    def __init__(self, ws: Workspace) -> None:
        self.ws = ws
        self._lock = threading.Lock()
        self._db = StateDatabase(ws.state)
        self._deeds = Deeds(ws.state)
        self._done = DoneDeeds(self._deeds)
        self._outside = SeenOutside(History(ws.state), Baselines(ws.state))
        self._copies = KeptCopies(ws.state / "kept")
        self._looked_up: dict[str, Event] = {}
        self._begun = False

    def page(
        self,
        *,
        before: Event | None = None,
        limit: int = 100,
        wanted: Wanted | None = None,
        others: Sequence[Event] = (),
        stop: Callable[[], bool] = never,
    ) -> Events:
        """So many of the wanted events before one, the newest first. `others`: what only the caller knows.

        ExecutionFailed where the journal cannot be used.
        """
        with self._lock, self._db.held():
            if before is None or not self._begun:
                # Who reads on reads on in what was there when they began.
                self._done.refresh()
                self._outside.refresh(self._done, stop)
                self._begun = True
            wanted = wanted or Wanted()
            found = self._newest_first(before.key if before is not None else None, others, wanted.kinds)
            some = tuple(islice(_chosen(found, wanted, stop), max(1, limit)))
            return Events(tuple(map(self._with_place, some)), len(some) < limit and not stop())

    def writers(self) -> tuple[str, ...]:
        """Everybody who wrote or was refused something, as `Event.who`."""
        return tuple(dict.fromkeys(origin.label for origin in Journal(self._db).origins()))

    def stamp(self) -> Stamp:
        """Another one after each write, refusal and deed, be it by another process."""
        found = []
        for name in ("journal.sqlite", "journal.sqlite-wal", "deeds.jsonl"):
            try:
                stat = (self.ws.state / name).stat()
                found.append((stat.st_size, stat.st_mtime_ns))
            except OSError:
                found.append((0, 0))
        return tuple(found)

    def export(
        self,
        to: Path,
        *,
        wanted: Wanted | None = None,
        others: Sequence[Event] = (),
        stop: Callable[[], bool] = never,
    ) -> int:
        """Write all wanted events into a file, one JSON value a line, the newest first; how many there are.

        The file is whole or not there. WriteFailed where the disk does not take it.
        """
        lines: list[bytes] = []
        before: Event | None = None
        while not stop():
            some = self.page(before=before, limit=_EXPORTED_AT_ONCE, wanted=wanted, others=others, stop=stop)
            lines += [json.dumps(values(event), ensure_ascii=False).encode() + b"\n" for event in some.events]
            if some.is_all or not some.events:
                break
            before = some.events[-1]
        if stop():
            return 0
        try:
            private.put(to, b"".join(lines))
        except OSError as error:
            message = _("{file} could not be written: {reason}.").format(file=to.name, reason=reason_of(error))
            raise WriteFailed(message, errno=error.errno, hint=_("Choose another folder.")) from error
        return len(lines)

    def _newest_first(
        self, before: Key | None, others: Sequence[Event], kinds: frozenset[EventKind]
    ) -> Iterator[Event]:
        """What the places have where things of these kinds (none named: of all) are written down."""
        journal = Journal(self._db)
        told = sorted((one for one in others if before is None or one.key < before), key=_key, reverse=True)
        sources = [self._done.events(before), self._outside.events(before), iter(told)]
        if not kinds or EventKind.WRITE in kinds:
            sources.append(writes(journal, self._done, before))
        if not kinds or EventKind.REFUSAL in kinds:
            sources.append(refused(journal, before))
        if not kinds or EventKind.RECOVERY in kinds:
            sources.append(salvaged(self._deeds, before))
        return heapq.merge(*sources, key=_key, reverse=True)

    def _with_place(self, event: Event) -> Event:
        """Where the document was changed, and whether it was only added to, as far as both its bytes are kept."""
        if event.kind is not EventKind.WRITE or event.before is None or event.after is None:
            return event
        known = self._looked_up.get(event.id)
        if known is None:
            try:
                known = _placed(event, self._copies.get(event.before), self._copies.get(event.after))
            except (OSError, MemguiError):
                known = event
            if len(self._looked_up) >= _MOST_LOOKED_UP:
                self._looked_up.clear()
            self._looked_up[event.id] = known
        return known


def values(event: Event) -> dict[str, Any]:
    """An event as programs are told it: paths, and no text of a document, which a notice may quote."""
    is_notice = event.kind is EventKind.NOTICE
    found: dict[str, Any] = {
        "at": rfc3339(event.time),
        "kind": event.kind.value,
        "deed": event.deed,
        "who": event.who,
        "path": None if event.path is None else told(event.path),
        "line": event.line,
        "text": _("a notice was shown") if is_notice else event.sentence,
        "more": event.more,
        "count": event.count,
    }
    if len(event.paths) > 1:
        found["paths"] = [told(path) for path in event.paths]
    if event.code:
        found |= {"code": event.code, "target": event.target}
    return found


def _chosen(events: Iterator[Event], wanted: Wanted, stop: Callable[[], bool]) -> Iterator[Event]:
    for number, event in enumerate(events):
        if number % _ASK_EVERY == 0 and stop():
            return
        # A damaged row may tell of a moment that no calendar has.
        if 0 <= event.time < _LATEST and wanted.takes(event):
            yield event


def _placed(event: Event, before: bytes, after: bytes) -> Event:
    if max(len(before), len(after)) > _LONGEST or event.deed != "edit":
        return event
    if after.startswith(before):
        added = after[len(before) :]
        joint = added[: len(added) - len(added.lstrip(b"\r\n"))]
        line = before.count(b"\n") + joint.count(b"\n") + 1
        return replace(event, deed="append", line=line, added=len(added.strip(b"\r\n").split(b"\n")))
    old, new = before.split(b"\n"), after.split(b"\n")
    other = next((at for at, (one, two) in enumerate(zip(old, new, strict=False)) if one != two), None)
    return replace(event, line=min(len(old), len(new)) if other is None else other + 1)


def _key(event: Event) -> Key:
    return event.key
