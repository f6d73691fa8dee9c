"""What a change did to its document, and why a person should see it before all others."""

from __future__ import annotations

from dataclasses import dataclass

from memgui.domain import facts, hunks
from memgui.domain.daily import day_of
from memgui.domain.facts import RATIFIED, Fact
from memgui.domain.layouts import Store
from memgui.domain.paths import DocPath, name_of, parent_of
from memgui.domain.review import Alarm, ChangeShape
from memgui.domain.text import BINARY_HEAD

MOST_BYTES = 16 << 20
"""Larger documents are compared as a whole."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How two states of a document differ: its kind, lines added and removed, and what was lost, whatever its name."""

    kind: ChangeShape
    added: int = 0
    removed: int = 0
    is_rewritten: bool = False
    is_shrunk: bool = False
    is_appended: bool = False


def measured(before: bytes | None, after: bytes | None, *, renamed: bool = False) -> Measured:
    """What became of `before`. None: nothing stood, or stands, there; one of them is not None."""
    if before is None or after is None:
        return _came_or_went(before, after)
    appended = after.startswith(before)
    if not has_lines(before, after):
        share = 1.0 if appended or not before else len(after) / len(before)
        rewritten, shrunk = share < 0.25, share < 0.75
        added = removed = 0
    else:
        old, new = hunks.pieces(before), hunks.pieces(after)
        places = hunks.places(old, new)
        added, removed = hunks.counted(places)
        rewritten = bool(old) and not appended and 4 * hunks.remaining(places, old, new) < len(old)
        shrunk = not appended and 4 * hunks.lost(places, old, new) > len(old)
    kind = ChangeShape.EDIT
    if renamed:
        kind = ChangeShape.RENAME
    elif appended:
        kind = ChangeShape.APPEND
    elif rewritten:
        kind = ChangeShape.REWRITE
    elif shrunk:
        kind = ChangeShape.SHRINK
    return Measured(kind, added, removed, rewritten, shrunk and not rewritten, appended)


def has_lines(*states: bytes) -> bool:
    """Whether these bytes are compared by lines: text, and not too much of it."""
    return all(b"\0" not in data[:BINARY_HEAD] and len(data) <= MOST_BYTES for data in states)


def is_same_document(before: bytes, after: bytes) -> bool:
    """Whether one may have become the other, and not only its file's number is used again: half of its lines stand."""
    if before == after or not has_lines(before, after):
        return before == after
    old, new = hunks.pieces(before), hunks.pieces(after)
    return bool(old) and 2 * hunks.remaining(hunks.places(old, new), old, new) >= len(old)


def _came_or_went(before: bytes | None, after: bytes | None) -> Measured:
    data = before if before is not None else after or b""
    count = len(hunks.pieces(data)) if has_lines(data) else 0
    if before is None:
        return Measured(ChangeShape.CREATE, added=count)
    return Measured(ChangeShape.DELETE, removed=count)


def alarms(
    store: Store,
    path: DocPath,
    source: DocPath,
    found: Measured,
    before: bytes | None,
    after: bytes | None,
    *,
    protected: bool,
) -> tuple[Alarm, ...]:
    """Why this change is an alarm; nothing where it is none."""
    reasons = []
    if protected:
        reasons.append(Alarm.PROTECTED)
    was_changed = found.kind not in (ChangeShape.CREATE, ChangeShape.APPEND)
    if was_changed and not (found.is_appended and path == source) and is_daily_log(store, source):
        reasons.append(Alarm.DAILY_LOG)
    if changes_status(store, path, before, after):
        reasons.append(Alarm.STATUS)
    if found.kind is ChangeShape.DELETE:
        reasons.append(Alarm.DELETED)
    if found.is_rewritten:
        reasons.append(Alarm.REWRITTEN)
    if found.is_shrunk:
        reasons.append(Alarm.SHRUNK)
    return tuple(reasons)


def is_daily_log(store: Store, path: DocPath) -> bool:
    """Whether it is a daily log, by the layout of the store that it lies in."""
    folder = path.removeprefix(f"{store.path}/" if store.path else "").partition("/")[0]
    name = day_of(path) if folder in store.layout.rules.day_folders else None
    return name is not None and name.day is not None


def changes_status(store: Store, path: DocPath, before: bytes | None, after: bytes | None) -> bool:
    """Whether a fact's status was set, removed or changed, or what a person ratified says something else now.

    A new fact may say that it is proposed; that a person stands behind it, nobody else can say.
    """
    if not store.holds_facts or parent_of(path) != store.path or not facts.is_fact_file(name_of(path)):
        return False
    old, new = _fact(store, path, before), _fact(store, path, after)
    if new is None:
        return old is not None and old.status is not None and after is not None
    if old is None:
        return new.status == RATIFIED
    return old.status != new.status or (old.is_ratified and old.body != new.body)


def _fact(store: Store, path: DocPath, data: bytes | None) -> Fact | None:
    if data is None or not has_lines(data):
        return None
    found = facts.read(path, data.decode("utf-8", "replace"), store.layout)
    return found if isinstance(found, Fact) else None
