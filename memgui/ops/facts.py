"""Facts: recalled, remembered, ratified and withdrawn. Lane of all but `recall`: writes.

A fact's document and its line in the index change as one deed. One that was killed half-way is finished by whoever next
asks for facts.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from memgui.domain import fact_index, facts, frontmatter
from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import (
    Conflict,
    ExecutionFailed,
    InvalidParameters,
    MemguiError,
    NotAuthorized,
    NotFound,
    ProtectedDocument,
    WriteFailed,
)
from memgui.domain.facts import PROPOSED, RATIFIED, Fact, FactType, Malformed, Wanted
from memgui.domain.held import Held
from memgui.domain.layouts import IDENTITY_NAMES, Store
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, comparable, join, name_of, shown, stem_of
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import documents, fact_stores, limits, refusals, together
from memgui.ops.fact_stores import Source, bytes_of, text_of
from memgui.ops.preferences import Settings
from memgui.ops.together import Deed, Step
from memgui.storage.facts import FactRecords, Pending, Withdrawn
from memgui.storage.held import HeldChanges
from memgui.storage.locks import workspace_lock
from memgui.storage.spot import reason_of

HELD = "held"
"""The status in the answer for a change that waits for a person."""

_TRIES = 8

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Recalled:
    """The facts that answer a query, best first, and the documents that are no facts, with the reason."""

    facts: tuple[Fact, ...]
    skipped: tuple[Malformed, ...] = ()


# Recall ------------------------------------------------------------------------------------------------------------


def recall(ws: Workspace, *, query: str) -> dict[str, Any]:
    """The facts that hold every token of the query, in the form that programs are given."""
    return {"facts": [_answer(fact) for fact in find(ws, query=query).facts]}


def recall_text(ws: Workspace, *, query: str) -> str:
    """The same facts as an agent reads them."""
    return facts.told(find(ws, query=query).facts, query)


def find(ws: Workspace, *, query: str) -> Recalled:
    """The facts that hold every token of the query. A missing store is an empty one."""
    if not isinstance(query, str):
        raise InvalidParameters(_("query must be a text"))
    known, skipped = all_facts(ws)
    return Recalled(tuple(facts.recalled(query, known)), skipped)


def all_facts(ws: Workspace) -> tuple[tuple[Fact, ...], tuple[Malformed, ...]]:
    """Every fact of the workspace, by store and name, and what is none although it lies there."""
    repair(ws)
    found = [source.found for store in fact_stores.stores(ws) for source in fact_stores.sources(ws, store)]
    return (
        tuple(one for one in found if isinstance(one, Fact)),
        tuple(one for one in found if isinstance(one, Malformed)),
    )


def _answer(fact: Fact) -> dict[str, Any]:
    return {
        "name": fact.name,
        "type": str(fact.type),
        "status": fact.status,
        "description": fact.description,
        "body": fact.body,
        "path": fact.path,
    }


# Remember ----------------------------------------------------------------------------------------------------------


def remember(
    ws: Workspace,
    *,
    name: str,
    type: str,
    description: str,
    body: str = "",
    origin: Origin,
    now: datetime,
    near: Path | None = None,
    settings: Settings | None = None,
) -> dict[str, Any]:
    """Keep a fact, new or changed, as an agent may. The answer of contract §3. `near`: the working folder.

    What a person stands behind is not touched: the change is held until a person decides. Refusals are noted.
    """
    with refusals.noted(ws, origin, "remember", name, now=now), workspace_lock(ws.state):
        limits.rate(ws, origin, now, settings=settings)
        repair(ws)
        store = fact_stores.store_for(ws, near)
        wish = facts.wanted(name, type, description, body, store.layout)
        return _retried(lambda: _remember(ws, store, wish, origin, now.timestamp()))


def _remember(ws: Workspace, store: Store, wish: Wanted, origin: Origin, now: float) -> dict[str, Any]:
    there = {stem_of(name_of(one.path)): one for one in fact_stores.sources(ws, store)}
    _check_identity(store, wish.name)
    stem = facts.stem_for(wish.name, ((stem, one.name) for stem, one in there.items()))
    source = there.get(stem)
    path = join(store.path, f"{stem}.md") if source is None else source.path
    documents.guard(ws, path, origin)
    if source is None:
        text = facts.new_text(stem, wish)
    elif isinstance(source.found, Malformed):
        if source.data:
            documents.check_editable(path, source.data, origin)
        return _hold(ws, source, bytes_of(facts.new_text(stem, wish)), wish.type, origin, now)
    else:
        text = facts.changed_text(source.text, source.found, wish)
        if not source.found.is_open:
            return _over_ratified(ws, source, source.found, text, origin, now)
    fact = _fact(path, text, store)
    _change(ws, store, source, text, origin=origin, now=now, path=path)
    return {
        "name": stem,
        "type": str(fact.type),
        "status": fact.status,
        "path": path,
        "message": _said(stem, fact, wish, is_new=source is None),
    }


def _check_identity(store: Store, name: str) -> None:
    """The identity files of a store that is only about to be made are protected as well."""
    if comparable(f"{facts.slug(name)}.md") in IDENTITY_NAMES or comparable(f"{name}.md") in IDENTITY_NAMES:
        raise ProtectedDocument(join(store.path, f"{name}.md"))


def _said(stem: str, fact: Fact, wish: Wanted, *, is_new: bool) -> str:
    done = _("Remembered '{name}'.") if is_new else _("Changed '{name}'.")
    said = [done.format(name=stem)]
    if fact.type is not wish.type:
        said.append(_("It stays feedback: only a person changes that."))
    if fact.status == PROPOSED:
        said.append(_("It is proposed until a person ratifies it."))
    return " ".join(said)


def _over_ratified(ws: Workspace, source: Source, fact: Fact, text: str, origin: Origin, now: float) -> dict[str, Any]:
    if text == source.text:
        return {
            "name": stem_of(name_of(fact.path)),
            "type": str(fact.type),
            "status": fact.status,
            "path": fact.path,
            "message": _("'{name}' says so already.").format(name=stem_of(name_of(fact.path))),
        }
    return _hold(ws, source, bytes_of(text), fact.type, origin, now)


def _hold(ws: Workspace, source: Source, data: bytes, kind: FactType, origin: Origin, now: float) -> dict[str, Any]:
    held = Held.of(source.path, fingerprint(source.data), data, origin, now)
    try:
        HeldChanges(ws.state).put(held)
    except OSError as error:
        raise _state_failed(error) from error
    stem = stem_of(name_of(source.path))
    if isinstance(source.found, Malformed):
        message = _("The document '{name}' cannot be read as a fact. Your change is held until a person decides.")
    else:
        message = _("A person stands behind '{name}'. Your change is held until a person decides; nothing is written.")
    return {
        "name": stem,
        "type": str(kind),
        "status": HELD,
        "path": source.path,
        "message": message.format(name=stem),
        "change": held.id,
    }


# The person's deeds ------------------------------------------------------------------------------------------------


def ratify(
    ws: Workspace,
    path: DocPath,
    *,
    origin: Origin,
    now: datetime,
    description: str | None = None,
    body: str | None = None,
    expected: Fingerprint | None = None,
) -> Deed:
    """Stand behind a fact, as it is or with another description or body: in its document, and in the index.

    `expected`: the bytes that the person saw; Conflict where others stand there. NotAuthorized for agents.
    """
    _check_person(origin)

    def once() -> Deed:
        store = fact_stores.store_of(ws, path)
        source = _source(ws, store, path, expected)
        if isinstance(source.found, Malformed):
            raise ExecutionFailed(
                _("'{path}' is no fact: {reason}.").format(path=shown(path), reason=source.found.reason)
            )
        text = source.text
        if description is not None:
            line = facts.one_line(description)
            text = text if line == source.found.description else frontmatter.with_value(text, "description", line)
        if body is not None:
            text = facts.with_body(text, body)
        if source.found.status != RATIFIED:
            text = frontmatter.with_value(text, "status", RATIFIED)
        deed = _change(ws, store, source, text, origin=origin, now=now.timestamp(), path=path)
        try:
            FactRecords(ws.state).ratify(path, _fact(path, text, store).body, time=now.timestamp())
        except OSError as error:
            raise _state_failed(error) from error
        return deed

    with workspace_lock(ws.state):
        repair(ws)
        return _retried(once)


def withdraw(
    ws: Workspace, path: DocPath, *, origin: Origin, now: datetime, expected: Fingerprint | None = None
) -> Deed:
    """Take a fact away, its index line with it. Its bytes stay in the undelete store. NotAuthorized for agents."""
    _check_person(origin)

    def once() -> Deed:
        store = fact_stores.store_of(ws, path)
        source = _source(ws, store, path, expected)
        try:
            line = fact_index.line_of(fact_stores.index_of(ws, store).text, name_of(path), store.layout)
            FactRecords(ws.state).withdraw(path, source.data, line, time=now.timestamp())
        except OSError as error:
            raise _state_failed(error) from error
        deed = _change(ws, store, source, None, origin=origin, now=now.timestamp(), path=path)
        FactRecords(ws.state).unratify(path)
        return deed

    with workspace_lock(ws.state):
        repair(ws)
        return _retried(once)


def withdrawn(ws: Workspace) -> tuple[Withdrawn, ...]:
    """What was withdrawn and can be brought back, the newest first."""
    return tuple(sorted(FactRecords(ws.state).withdrawn(), key=lambda one: one.time, reverse=True))


def bring_back(ws: Workspace, fact: Withdrawn, *, origin: Origin, now: datetime) -> Deed:
    """Put a withdrawn fact into its place again. Conflict where another one has come to stand there."""
    _check_person(origin)
    with workspace_lock(ws.state):
        repair(ws)
        records = FactRecords(ws.state)
        data = records.bytes_of(fact)
        store = fact_stores.store_of(ws, fact.path)

        def once() -> Deed:
            if fact_stores.source(ws, store, fact.path) is not None:
                raise ExecutionFailed(_("Another fact stands at '{path}'.").format(path=shown(fact.path)))
            when, text = now.timestamp(), text_of(data)
            return _change(ws, store, None, text, origin=origin, now=when, path=fact.path, line=fact.line)

        deed = _retried(once)
        records.brought_back(fact)
        return deed


def held(ws: Workspace) -> tuple[Held, ...]:
    """The changes that wait for a person, the oldest first."""
    return HeldChanges(ws.state).all()


def accept_held(ws: Workspace, id_: str, *, origin: Origin, now: datetime) -> Deed:
    """Let a held change come true: the person stands behind it. Conflict where its fact has changed since."""
    _check_person(origin)
    with workspace_lock(ws.state):
        repair(ws)
        change = _held(ws, id_)
        store = fact_stores.store_of(ws, change.path)
        source = _source(ws, store, change.path, change.base)
        text = text_of(change.data)
        if isinstance(source.found, Malformed) and _fact(change.path, text, store).status == PROPOSED:
            text = frontmatter.with_value(text, "status", RATIFIED)
        deed = _change(ws, store, source, text, origin=origin, now=now.timestamp(), path=change.path)
        fact = _fact(change.path, text, store)
        try:
            if fact.is_ratified:
                FactRecords(ws.state).ratify(change.path, fact.body, time=now.timestamp())
        except OSError as error:
            raise _state_failed(error) from error
        HeldChanges(ws.state).drop(id_)
        return deed


def reject_held(ws: Workspace, id_: str, *, origin: Origin) -> None:
    """Let a held change go."""
    _check_person(origin)
    with workspace_lock(ws.state):
        HeldChanges(ws.state).drop(_held(ws, id_).id)


# One deed: a document and its index line ---------------------------------------------------------------------------


def repair(ws: Workspace) -> None:
    """Finish the deed that somebody was killed in, if there is one: the index is brought to say what its fact does.

    Where it cannot be finished, it is tried again the next time; nobody is kept from reading by it.
    """
    records = FactRecords(ws.state)
    if not records.has_pending():
        return
    with suppress(ExecutionFailed, NotAuthorized, Conflict, OSError), workspace_lock(ws.state):
        pending = records.pending()
        if pending is not None:
            _finish(ws, pending)
        records.end()


def _finish(ws: Workspace, pending: Pending) -> None:
    try:
        store = fact_stores.store_of(ws, pending.path)
    except NotFound:
        return
    source = fact_stores.source(ws, store, pending.path)
    now = None if source is None else fingerprint(source.data)
    if now != pending.after:
        return
    found = None if source is None else source.found
    index = _index_step(ws, store, pending.path, found, keep_hook=pending.keep_hook)
    together.do(ws, index, origin=pending.origin)


def _change(
    ws: Workspace,
    store: Store,
    source: Source | None,
    text: str | None,
    *,
    origin: Origin,
    now: float,
    path: DocPath,
    line: str = "",
) -> Deed:
    """Put a text into a fact's document (None: take it away), and its line into the index. The lock is held.

    `line`: the index line that a fact had before it was withdrawn.
    """
    before = None if source is None else source.data
    after = None if text is None else bytes_of(text)
    found = None if text is None else facts.read(path, text, store.layout)
    old = source.found if source is not None else None
    keep_hook = isinstance(old, Fact) and isinstance(found, Fact) and old.description == found.description
    steps = [Step(path, before, after), *_index_step(ws, store, path, found, keep_hook=keep_hook, line=line)]
    if all(step.before == step.after for step in steps):
        return Deed()
    for step in steps:
        if step.before is not None:
            documents.check_editable(step.path, step.before, origin)
    records = FactRecords(ws.state)
    try:
        records.begin(Pending(path, None if after is None else fingerprint(after), origin, keep_hook))
    except OSError as error:
        raise _state_failed(error) from error
    try:
        return together.do(ws, steps, origin=origin, now=now)
    finally:
        records.end()


def _index_step(
    ws: Workspace, store: Store, path: DocPath, found: Fact | Malformed | None, *, keep_hook: bool, line: str = ""
) -> list[Step]:
    index = fact_stores.index_of(ws, store)
    if line and index.data is not None and not fact_index.line_of(index.text, name_of(path), store.layout):
        return [Step(index.path, index.data, bytes_of(fact_index.appended(index.text, line)))]
    if found is None:
        if index.data is None:
            return []
        text = fact_index.without(index.text, name_of(path), store.layout)
    elif isinstance(found, Fact):
        text = fact_index.upserted(index.text, found, store.layout, keep_hook=keep_hook)
    else:
        return []
    return [Step(index.path, index.data, bytes_of(text))]


def _retried(deed: Callable[[], T]) -> T:
    """The deed, begun anew where somebody outside writes into its documents meanwhile."""
    for _try in range(_TRIES - 1):
        try:
            return deed()
        except Conflict as conflict:
            if conflict.hint is not None:
                raise
    return deed()


def _source(ws: Workspace, store: Store, path: DocPath, expected: Fingerprint | None) -> Source:
    source = fact_stores.source(ws, store, path)
    if source is None:
        raise NotFound(_("There is no fact '{path}'.").format(path=shown(path)))
    if expected is not None and fingerprint(source.data) != expected:
        raise Conflict(path, expected=expected, found=fingerprint(source.data), hint=_("Look at it anew."))
    return source


def _fact(path: DocPath, text: str, store: Store) -> Fact:
    found = facts.read(path, text, store.layout)
    assert isinstance(found, Fact)
    return found


def _held(ws: Workspace, id_: str) -> Held:
    change = HeldChanges(ws.state).get(id_)
    if change is None:
        raise NotFound(_("There is no held change '{id}'.").format(id=shown(id_[:80])))
    return change


def _check_person(origin: Origin) -> None:
    if not origin.is_person:
        raise NotAuthorized(_("only a person ratifies, withdraws and decides"))


def _state_failed(error: OSError) -> MemguiError:
    return WriteFailed(
        _("memgui's own record of it could not be kept: {reason}. Nothing was written.").format(
            reason=reason_of(error)
        ),
        errno=error.errno,
        hint=_("Make room on the disk of memgui's state folder."),
    )
