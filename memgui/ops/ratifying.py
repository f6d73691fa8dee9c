"""What only a person decides of facts: ratify, withdraw, bring back, and what becomes of held changes. Lane: writes."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from memgui.domain import fact_index, facts, frontmatter
from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict, ExecutionFailed, MemguiError
from memgui.domain.facts import PROPOSED, RATIFIED, Fact, Malformed
from memgui.domain.held import Held
from memgui.domain.layouts import Store
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, name_of, shown
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import fact_deeds, fact_stores, holding
from memgui.ops.fact_stores import Source, text_of
from memgui.ops.holding import check_person
from memgui.ops.together import Deed
from memgui.storage import deeds as noted
from memgui.storage.deeds import Deeds
from memgui.storage.facts import FactRecords, Withdrawn
from memgui.storage.held import HeldChanges
from memgui.storage.locks import workspace_lock


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
    check_person(origin)

    def once() -> Deed:
        store = fact_stores.store_of(ws, path)
        source = fact_deeds.seen(ws, store, path, expected)
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
        deed = fact_deeds.change(ws, store, source, text, origin=origin, now=now.timestamp(), path=path)
        return _stood_behind(ws, deed, fact_deeds.fact_in(path, text, store), origin, now)

    with workspace_lock(ws.state):
        fact_deeds.repair(ws)
        done = fact_deeds.retried(once)
        _note(ws, "ratify", path, origin, now)
        return done


def withdraw(
    ws: Workspace, path: DocPath, *, origin: Origin, now: datetime, expected: Fingerprint | None = None
) -> Deed:
    """Take a fact away, its index line with it. Its bytes stay in the undelete store. NotAuthorized for agents."""
    check_person(origin)

    def once() -> Deed:
        store = fact_stores.store_of(ws, path)
        source = fact_deeds.seen(ws, store, path, expected)
        line = fact_index.line_of(fact_stores.index_of(ws, store).text, name_of(path), store.layout)
        records = FactRecords(ws.state)
        try:
            kept = records.withdraw(path, source.data, line, time=now.timestamp())
        except OSError as error:
            raise fact_deeds.state_failed(error) from error
        try:
            deed = fact_deeds.change(ws, store, source, None, origin=origin, now=now.timestamp(), path=path)
        except MemguiError:
            records.brought_back(kept)
            raise
        records.unratify(path)
        return deed

    with workspace_lock(ws.state):
        fact_deeds.repair(ws)
        done = fact_deeds.retried(once)
        _note(ws, "withdraw", path, origin, now)
        return done


def withdrawn(ws: Workspace) -> tuple[Withdrawn, ...]:
    """What was withdrawn and can be brought back, the newest first."""
    return tuple(sorted(FactRecords(ws.state).withdrawn(), key=lambda one: one.time, reverse=True))


def bring_back(ws: Workspace, fact: Withdrawn, *, origin: Origin, now: datetime) -> Deed:
    """Put a withdrawn fact into its place again. Conflict where another one has come to stand there."""
    check_person(origin)
    with workspace_lock(ws.state):
        fact_deeds.repair(ws)
        records = FactRecords(ws.state)
        data = records.bytes_of(fact)
        store = fact_stores.store_of(ws, fact.path)

        def once() -> Deed:
            if fact_stores.source(ws, store, fact.path) is not None:
                raise ExecutionFailed(_("Another fact stands at '{path}'.").format(path=shown(fact.path)))
            when, text = now.timestamp(), text_of(data)
            return fact_deeds.change(ws, store, None, text, origin=origin, now=when, path=fact.path, line=fact.line)

        deed = fact_deeds.retried(once)
        records.brought_back(fact)
        _note(ws, "bring-back", fact.path, origin, now)
        return deed


def held(ws: Workspace) -> tuple[Held, ...]:
    """The changes that wait for a person, of facts and of any other document, the oldest first."""
    return holding.waiting(ws)


def accept_held(ws: Workspace, id_: str, *, origin: Origin, now: datetime) -> Deed:
    """Let a held change come true: the person stands behind it.

    Conflict where its fact has changed since, or a document so that the two do not go together.
    """
    check_person(origin)
    with workspace_lock(ws.state):
        fact_deeds.repair(ws)
        change = holding.one_waiting(ws, id_)
        if not ws.holds_facts(change.path):
            return holding.accept(ws, id_, origin=origin, now=now)
        store = fact_stores.store_of(ws, change.path)
        text = text_of(change.data)
        if change.base is None:
            if fact_stores.source(ws, store, change.path) is not None:
                raise Conflict(change.path, expected=None, found=None, hint=_("Look at it anew."))
            return _accept(ws, store, None, text, change, origin, now)
        source = fact_deeds.seen(ws, store, change.path, change.base)
        if isinstance(source.found, Malformed) and fact_deeds.fact_in(change.path, text, store).status == PROPOSED:
            text = frontmatter.with_value(text, "status", RATIFIED)
        return _accept(ws, store, source, text, change, origin, now)


def _accept(
    ws: Workspace, store: Store, source: Source | None, text: str, change: Held, origin: Origin, now: datetime
) -> Deed:
    deed = fact_deeds.change(ws, store, source, text, origin=origin, now=now.timestamp(), path=change.path)
    fact = fact_deeds.fact_in(change.path, text, store)
    if fact.is_ratified:
        deed = _stood_behind(ws, deed, fact, origin, now)
    HeldChanges(ws.state).drop(change.id)
    return deed


def reject_held(ws: Workspace, id_: str, *, origin: Origin) -> Held:
    """Let a held change go, and tell what it was."""
    return holding.reject(ws, id_, origin=origin)


def take_back(ws: Workspace, deed: Deed, *, origin: Origin, now: datetime) -> Deed:
    """Undo one of these deeds as one, and what was noted of it. Conflict where somebody changed a document since."""
    check_person(origin)
    with workspace_lock(ws.state):
        undone = fact_deeds.take_back(ws, deed, origin=origin, now=now.timestamp())
        records = FactRecords(ws.state)
        for step in undone.steps:
            if not facts.is_fact_file(name_of(step.path)):
                continue
            records.unratify(step.path)
            if step.after is None:
                continue
            layout = fact_stores.store_of(ws, step.path).layout
            found = facts.read(step.path, text_of(step.after), layout)
            try:
                if isinstance(found, Fact) and found.status == RATIFIED:
                    records.ratify(step.path, found.body, time=now.timestamp())
            except OSError as error:
                raise fact_deeds.state_failed(error) from error
            for gone in list(records.withdrawn()):
                if (gone.path, gone.data) == (step.path, fingerprint(step.after)):
                    records.brought_back(gone)
        return undone


def _note(ws: Workspace, kind: str, path: DocPath, origin: Origin, now: datetime) -> None:
    """For the list of what happened; what was decided holds also where that cannot be kept."""
    with suppress(OSError):
        Deeds(ws.state).note(noted.Deed(now.timestamp(), kind, path, origin))


def _stood_behind(ws: Workspace, deed: Deed, fact: Fact, origin: Origin, now: datetime) -> Deed:
    """The deed, noted as the person's word on this body; where it cannot be noted, it is taken back."""
    try:
        FactRecords(ws.state).ratify(fact.path, fact.body, time=now.timestamp())
    except OSError as error:
        fact_deeds.take_back(ws, deed, origin=origin, now=now.timestamp())
        raise fact_deeds.state_failed(error) from error
    return deed
