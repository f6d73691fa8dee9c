"""Facts: recalled and remembered. Lane of `remember`: writes. What a person decides of them is in `ratifying`.

A fact's document and its line in the index change as one deed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memgui.domain import facts
from memgui.domain.errors import InvalidParameters, ProtectedDocument
from memgui.domain.facts import PROPOSED, Fact, FactType, Malformed, Wanted
from memgui.domain.held import matches
from memgui.domain.layouts import Store
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, join, name_of, stem_of
from memgui.domain.protection import Protection
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import documents, fact_deeds, fact_stores, holding, limits, preferences, refusals
from memgui.ops.fact_stores import KnownFacts, Source, bytes_of
from memgui.ops.preferences import Settings
from memgui.ops.ratifying import accept_held, bring_back, held, ratify, reject_held, take_back, withdraw, withdrawn
from memgui.storage.locks import workspace_lock

__all__ = [
    "HELD",
    "Recalled",
    "accept_held",
    "all_facts",
    "bring_back",
    "find",
    "held",
    "ratify",
    "recall",
    "recall_both",
    "reject_held",
    "remember",
    "take_back",
    "withdraw",
    "withdrawn",
]

HELD = "held"
"""The status in the answer for a change that waits for a person."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """The facts that answer a query, best first, and the documents that are no facts, with the reason."""

    facts: tuple[Fact, ...]
    skipped: tuple[Malformed, ...] = ()


# Recall ------------------------------------------------------------------------------------------------------------


def recall(ws: Workspace, *, query: str) -> dict[str, Any]:
    """The facts that hold every token of the query, in the form that programs are given."""
    return {"facts": [_answer(fact) for fact in find(ws, query=query).facts]}


def recall_both(ws: Workspace, *, query: str, known: KnownFacts | None = None) -> tuple[dict[str, Any], str]:
    """The same, and as an agent reads it, of one reading."""
    found = find(ws, query=query, known=known).facts
    return {"facts": [_answer(fact) for fact in found]}, facts.told(found, query)


def find(ws: Workspace, *, query: str, known: KnownFacts | None = None) -> Recalled:
    """The facts that hold every token of the query. A missing store is an empty one."""
    if not isinstance(query, str):
        raise InvalidParameters(_("query must be a text"))
    every, skipped = all_facts(ws, known=known)
    return Recalled(tuple(facts.recalled(query, every)), skipped)


def all_facts(ws: Workspace, *, known: KnownFacts | None = None) -> tuple[tuple[Fact, ...], tuple[Malformed, ...]]:
    """Every fact of the workspace, by store and name, and what is none although it lies there."""
    fact_deeds.repair(ws)
    found = [source.found for store in fact_stores.stores(ws) for source in fact_stores.sources(ws, store, known)]
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
    body: str | None = None,
    origin: Origin,
    now: datetime,
    near: Path | None = None,
    settings: Settings | None = None,
    known: KnownFacts | None = None,
) -> dict[str, Any]:
    """Keep a fact, new or changed, as an agent may. The answer of contract §3. `near`: the working folder.
    Without a body, a fact that is there keeps its own.

    What a person stands behind is not touched: the change is held until a person decides. Refusals are noted.
    """
    with refusals.noted(ws, origin, "remember", name, now=now), workspace_lock(ws.state):
        limits.rate(ws, origin, now, settings=settings)
        fact_deeds.repair(ws)
        store = fact_stores.store_for(ws, near)
        wish = facts.wanted(name, type, description, body, store.layout)
        patterns = (preferences.load() if settings is None else settings).held_in(ws.root)
        return fact_deeds.retried(lambda: _remember(ws, store, wish, origin, now.timestamp(), patterns, known))


def _remember(
    ws: Workspace,
    store: Store,
    wish: Wanted,
    origin: Origin,
    now: float,
    patterns: tuple[str, ...],
    known: KnownFacts | None,
) -> dict[str, Any]:
    there = {stem_of(name_of(one.path)): one for one in fact_stores.sources(ws, store, known)}
    _check_identity(ws, store, wish.name)
    stem = facts.stem_for(wish.name, ((stem, one.name) for stem, one in there.items()))
    source = there.get(stem)
    path = join(store.path, f"{stem}.md") if source is None else source.path
    documents.guard(ws, path, origin)
    if source is None:
        text = facts.new_text(stem, wish)
    elif isinstance(source.found, Malformed):
        if source.data:
            documents.check_editable(path, source.data, origin)
        return _hold(ws, source, source.path, bytes_of(facts.new_text(stem, wish)), wish.type, origin, now)
    else:
        text = facts.changed_text(source.text, source.found, wish)
        if not source.found.is_open:
            return _over_ratified(ws, source, source.found, text, origin, now)
    fact = fact_deeds.fact_in(path, text, store)
    if matches(patterns, path) and (source is None or text != source.text):
        return _hold(ws, source, path, bytes_of(text), fact.type, origin, now)
    fact_deeds.change(ws, store, source, text, origin=origin, now=now, path=path)
    return {
        "name": stem,
        "type": str(fact.type),
        "status": fact.status,
        "path": path,
        "message": _said(stem, fact, wish, is_new=source is None),
    }


def _check_identity(ws: Workspace, store: Store, name: str) -> None:
    """The identity files of a store that is only about to be made are protected as well."""
    protection = ws.protection if store in ws.stores else Protection.of([*ws.stores, store])
    if any(protection.resembles(join(store.path, f"{one}.md")) for one in (facts.slug(name), name)):
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
    return _hold(ws, source, source.path, bytes_of(text), fact.type, origin, now)


def _hold(
    ws: Workspace, source: Source | None, path: DocPath, data: bytes, kind: FactType, origin: Origin, now: float
) -> dict[str, Any]:
    held = holding.hold(ws, path, None if source is None else source.data, data, origin=origin, now=now)
    stem = stem_of(name_of(path))
    if source is not None and isinstance(source.found, Malformed):
        message = _("The document '{name}' cannot be read as a fact. Your change is held until a person decides.")
    elif source is None or (isinstance(source.found, Fact) and source.found.is_open):
        message = _("A person wants to see changes of '{name}' first. Yours is held; nothing is written.")
    else:
        message = _("A person stands behind '{name}'. Your change is held until a person decides; nothing is written.")
    return {
        "name": stem,
        "type": str(kind),
        "status": HELD,
        "path": path,
        "message": message.format(name=stem),
        "change": held.id,
    }
