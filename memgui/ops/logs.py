"""Daily logs: which days have one, what a week says, and a line added to today's. Lane of `capture`: writes."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice

from memgui.domain import groups, log_forms
from memgui.domain.changes import ChangeSet
from memgui.domain.daily import Days, Log
from memgui.domain.documents import Document, Fingerprint, fingerprint
from memgui.domain.entries import Entry, EntryKind, entries, title_of
from memgui.domain.errors import Conflict, InvalidParameters, MemguiError, NotEditable, NotFound
from memgui.domain.layouts import Layout
from memgui.domain.log_forms import Form
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, join, name_of, parent_of, shown, stem_of, suffix_of
from memgui.domain.stamps import line_of
from memgui.domain.text import Text, decode
from memgui.domain.tree import Snapshot, Stat
from memgui.domain.workspace import Workspace
from memgui.i18n import _

WEEK = 7
MOST_BYTES = 8 << 20
"""A log over this size is opened, not read among others."""

_LOOKED_AT = 5
"""So many of the newest logs tell the form of the next entry."""
_FIXED_FORMS = {Layout.OPENCLAW: log_forms.LIST, Layout.IRONCLAW: log_forms.SQUARE}


@dataclass(frozen=True, slots=True)
class LogText:
    """A log as it was read: its lines and entries, or the sentence why there are none."""

    log: Log
    stat: Stat | None = None
    lines: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class LastEntry:
    """Where something was logged last; `time` is empty where the log tells none."""

    day: datetime.date
    time: str = ""


@dataclass(frozen=True, slots=True)
class Week:
    """Seven days up to and including `until`, their logs read. `last`: what was logged last before today."""

    until: datetime.date
    days: Days = field(default_factory=Days)
    texts: Mapping[DocPath, LogText] = field(default_factory=dict)
    last: LastEntry | None = None
    target: DocPath | None = None
    """Where a line for today goes; None where the layout has no daily log."""

    @property
    def dates(self) -> tuple[datetime.date, ...]:
        """The seven days, the oldest first."""
        return week_of(self.until)


@dataclass(frozen=True, slots=True)
class Addition:
    """A line on its way into a log: where it goes, and how it is written."""

    path: DocPath
    text: str
    title: str = ""
    """What stands above it in a log that is still empty."""

    def behind(self, text: str) -> str:
        """What has to be put behind the text of the log as it is."""
        if text.strip("\ufeff") or not self.title:
            return log_forms.piece(text, self.text)
        return log_forms.piece(text, f"{self.title}\n\n{self.text}")


@dataclass(frozen=True, slots=True)
class Captured:
    """A line that was added. `before` and `added` are bytes: by them it can be taken back."""

    path: DocPath
    changes: ChangeSet
    before: bytes
    added: bytes
    fingerprint: Fingerprint


def days(ws: Workspace, snapshot: Snapshot) -> Days:
    """Which days have which logs. Names alone are asked."""
    return groups.days(ws, snapshot)


def week_of(until: datetime.date) -> tuple[datetime.date, ...]:
    """The seven days that end with `until`; fewer at the end of the calendar."""
    return tuple(
        datetime.date.fromordinal(number)
        for number in range(max(1, until.toordinal() - WEEK + 1), until.toordinal() + 1)
    )


def week_to_begin_with(found: Days, today: datetime.date) -> datetime.date:
    """Up to which day to show seven at first: today, where those hold a log; else the last day that has one."""
    last = found.last_until(today)
    if last is None:
        return found.first_from(today) or today
    return today if last in week_of(today) else last


def read_week(
    ws: Workspace,
    snapshot: Snapshot,
    found: Days,
    *,
    until: datetime.date,
    today: datetime.date,
    known: Mapping[DocPath, LogText] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Week:
    """The week that ends with `until`. What is `known` and has not changed since is not read again."""
    wanted = [log for day in week_of(until) for log in found.on(day)]
    texts = read_logs(ws, snapshot, wanted, known=known or {}, stop=stop)
    last = None
    newest = found.last_until(today)
    if newest is not None and newest != today:
        logs = found.on(newest)
        there = {text.log.path: text for text in texts.values() if text.log.day == newest}
        if not there:
            there = read_logs(ws, snapshot, logs, known=known or {}, stop=stop)
        last = LastEntry(newest, _last_time([there[log.path] for log in logs if log.path in there]))
    return Week(until, found, texts, last, target(ws, found, today))


def read_logs(
    ws: Workspace,
    snapshot: Snapshot,
    logs: Iterable[Log],
    *,
    known: Mapping[DocPath, LogText] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> dict[DocPath, LogText]:
    """Read some logs, one after the other, until told to stop; one that cannot be read says why."""
    texts: dict[DocPath, LogText] = {}
    for log in logs:
        if stop():
            break
        node = snapshot.nodes.get(log.path)
        before = (known or {}).get(log.path)
        if before is not None and node is not None and before.stat == node.stat and not before.problem:
            texts[log.path] = before
        else:
            texts[log.path] = _read(ws, log, node.stat if node is not None else None)
    return texts


def _read(ws: Workspace, log: Log, stat: Stat | None) -> LogText:
    if stat is not None and stat.size > MOST_BYTES:
        problem = _("This log is larger than {size} MB. Open it to read it.").format(size=MOST_BYTES >> 20)
        return LogText(log, stat, problem=problem)
    from memgui.ops import documents

    try:
        document = documents.read(ws, log.path)
    except MemguiError as error:
        return LogText(log, stat, problem=error.message)
    lines = document.display.texts
    return LogText(log, document.node.stat, lines, entries(lines))


def _last_time(texts: Iterable[LogText]) -> str:
    times = [entry.time for text in texts for entry in text.entries if entry.time]
    return times[-1] if times else ""


# Adding a line -----------------------------------------------------------------------------------------------------


def target(ws: Workspace, found: Days, day: datetime.date) -> DocPath | None:
    """Where a line for that day goes: by the layout, or, where the layout is anybody's, beside the newest log."""
    store = ws.stores[0]
    rule = store.layout.rules.daily_log
    if store.layout not in _FIXED_FORMS:
        today = next((log for log in found.on(day) if log.is_bare), None)
        if today is not None:
            return today.path
        newest = next((log for log in _newest(found, day) if log.is_bare), None)
        if newest is not None:
            return _beside(newest, day)
    return join(store.path, rule.format(day=day.isoformat())) if rule is not None else None


def _beside(log: Log, day: datetime.date) -> DocPath:
    """The same place for another day; folders that tell year and month tell those of the new day."""
    old = log.day
    segments = parent_of(log.path).split("/") if parent_of(log.path) else []
    for index, name in enumerate(segments):
        if name == f"{old:%Y}":
            segments[index] = f"{day:%Y}"
        elif name == f"{old:%m}" and index and segments[index - 1] == f"{day:%Y}":
            segments[index] = f"{day:%m}"
        elif name == f"{old:%Y-%m}":
            segments[index] = f"{day:%Y-%m}"
    # An archive is where logs go, not where they are begun.
    kept = [name for name in segments if name.casefold() != "archive"]
    stem = stem_of(name_of(log.path)).replace(old.isoformat(), day.isoformat())
    return join("/".join(kept), f"{stem}{suffix_of(log.path)}")


def prepare(
    ws: Workspace, found: Days, text: str, *, now: datetime.datetime, zone: datetime.tzinfo | None = None
) -> Addition:
    """The line that `text` becomes now, in the form of this workspace. The clock is read once, by the caller.

    NULs are left out: with them the log would no longer be text.
    """
    text = text.replace("\0", "")
    if not text.strip():
        raise InvalidParameters(_("content cannot be empty"))
    now = now.astimezone(zone) if zone is not None else now
    path = target(ws, found, now.date())
    if path is None:
        raise InvalidParameters(_("This workspace keeps facts and no daily log."))
    newest = list(islice(_newest(found, now.date()), _LOOKED_AT))
    texts = [_read(ws, log, None) for log in newest]
    form = _FIXED_FORMS.get(ws.store_of(path).layout) or _form(texts)
    is_new = not any(log.path == path for log in found.on(now.date()))
    if is_new and form.marker.startswith("|"):
        form = log_forms.LIST
    return Addition(path, log_forms.written(form, text, now), _title(texts, now.date()))


def capture(
    ws: Workspace, found: Days, text: str, *, now: datetime.datetime, zone: datetime.tzinfo | None = None
) -> Captured:
    """Add a line to today's log, as the person. What others append meanwhile stays, in whatever order it came."""
    return add(ws, prepare(ws, found, text, now=now, zone=zone))


def add(ws: Workspace, addition: Addition) -> Captured:
    """Put a line at the end of its document, as the person."""
    from memgui.ops import documents

    before = added = b""

    def piece(there: bytes) -> bytes:
        nonlocal before, added
        before, added = there, _encoded(there, addition)
        return added

    changes = documents.append(ws, addition.path, piece, origin=Origin.you())
    return Captured(addition.path, changes, before, added, fingerprint(before + added))


def take_back(ws: Workspace, captured: Captured) -> ChangeSet:
    """Remove the line that was added; what was written since stays. Conflict where it cannot be told any more."""
    from memgui.ops import documents

    document = _document(ws, captured.path)
    if document is None:
        raise NotFound(_("'{path}' is not there any more.").format(path=shown(captured.path)))
    if document.fingerprint == captured.fingerprint:
        data = captured.before
    elif document.data.count(captured.added) == 1:
        # What was written below stays a line of its own.
        join = captured.added[: len(captured.added) - len(captured.added.lstrip(b"\r\n"))]
        data = document.data.replace(captured.added, join)
    else:
        raise Conflict(captured.path, expected=captured.fingerprint, found=document.fingerprint)
    return documents.write(ws, captured.path, data, expected=document.fingerprint, origin=Origin.you())


def _document(ws: Workspace, path: DocPath) -> Document | None:
    from memgui.ops import documents

    try:
        return documents.read(ws, path)
    except NotFound:
        return None


def _encoded(there: bytes, addition: Addition) -> bytes:
    text = decode(there)
    if text is None:
        raise NotEditable(
            _("'{path}' is not UTF-8; open it and choose its encoding.").format(path=shown(addition.path))
        )
    return _tail(text, addition)


def _tail(text: Text, addition: Addition) -> bytes:
    try:
        return addition.behind(text.lines.joined()).encode(text.encoding.codec)
    except UnicodeEncodeError:
        message = _("{encoding} cannot spell this line.").format(encoding=text.encoding.shown)
        raise NotEditable(message) from None


def _newest(found: Days, until: datetime.date) -> Iterable[Log]:
    for day in reversed(found.dates):
        if day <= until:
            yield from found.on(day)


def _form(texts: Iterable[LogText]) -> Form:
    """The form of the newest stamped entry; logs of mere items get items that tell their time."""
    items = False
    for text in texts:
        for entry in reversed(text.entries):
            if entry.stamp is not None:
                return log_forms.form_of(entry.stamp)
            items = items or (entry.kind is not EntryKind.FRAME and _has_items(text, entry))
    return log_forms.LIST if items else log_forms.SQUARE


def _has_items(text: LogText, entry: Entry) -> bool:
    return any(line_of(line).is_item for line in text.lines[entry.first : entry.end])


def _title(texts: Iterable[LogText], day: datetime.date) -> str:
    """The title that logs of this workspace have, for another day; empty where most have none."""
    titles = [
        log_forms.title_for(title_of(text.lines), of=text.log.day, day=day)
        for text in texts
        if text.log.is_bare and text.log.day != day and not text.problem
    ]
    return Counter(titles).most_common(1)[0][0] if titles else ""
