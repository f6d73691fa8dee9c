"""One deed on a fact: its document and its line in the index, changed together. Lane: writes.

A deed that was killed half-way is finished by whoever next asks for facts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from memgui.domain import fact_index, facts
from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict, ExecutionFailed, MemguiError, NotAuthorized, NotFound, WriteFailed
from memgui.domain.facts import Fact, Malformed
from memgui.domain.layouts import Store
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, name_of, shown
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import documents, fact_stores, together
from memgui.ops.fact_stores import Source, bytes_of
from memgui.ops.together import Deed, Step
from memgui.storage.facts import FactRecords, Pending
from memgui.storage.locks import workspace_lock
from memgui.storage.spot import reason_of

_TRIES = 8

T = TypeVar("T")


def repair(ws: Workspace) -> None:
    """Finish the deed that somebody was killed in, if there is one: the index is brought to say what its fact does.

    Where it cannot be finished, it is tried again the next time; nobody is kept from reading by it.
    """
    records = FactRecords(ws.state)
    if not records.has_pending():
        return
    with suppress(ExecutionFailed, OSError), workspace_lock(ws.state):
        for pending in list(records.pending()):
            with suppress(ExecutionFailed, NotAuthorized, Conflict):
                _finish(ws, pending)
                records.end(pending.path)


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
    index = _index_step(ws, store, pending.path, found, keep_text=pending.keep_text)
    together.do(ws, index, origin=pending.origin)


def change(
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
    keep_text = isinstance(old, Fact) and isinstance(found, Fact) and old.description == found.description
    steps = [Step(path, before, after), *_index_step(ws, store, path, found, keep_text=keep_text, line=line)]
    if all(step.before == step.after for step in steps):
        return Deed()
    for step in steps:
        if step.before is not None:
            documents.check_editable(step.path, step.before, origin)
    return _do(ws, steps, origin=origin, now=now, keep_text=keep_text)


def take_back(ws: Workspace, deed: Deed, *, origin: Origin, now: float) -> Deed:
    """Undo a deed on one fact. The lock is held."""
    # Here as well the document goes first: by it the index can be put right.
    steps = sorted((step.back for step in deed.steps), key=lambda step: not facts.is_fact_file(name_of(step.path)))
    return _do(ws, steps, origin=origin, now=now, keep_text=True) if steps else Deed()


def _do(ws: Workspace, steps: Sequence[Step], *, origin: Origin, now: float, keep_text: bool) -> Deed:
    """The steps, a fact's document first; noted before the first byte, so that others can finish them."""
    first, records = steps[0], FactRecords(ws.state)
    after = None if first.after is None else fingerprint(first.after)
    try:
        records.begin(Pending(first.path, after, origin, keep_text))
    except OSError as error:
        raise state_failed(error) from error
    try:
        done = together.do(ws, steps, origin=origin, now=now)
    except MemguiError:
        # Taken back. Where something else ends it, the note stays, and the next load finishes the deed.
        records.end(first.path)
        raise
    records.end(first.path)
    return done


def _index_step(
    ws: Workspace, store: Store, path: DocPath, found: Fact | Malformed | None, *, keep_text: bool, line: str = ""
) -> list[Step]:
    index = fact_stores.index_of(ws, store)
    if line and index.data is not None and not fact_index.line_of(index.text, name_of(path), store.layout):
        return [Step(index.path, index.data, bytes_of(fact_index.appended(index.text, line)))]
    if found is None:
        if index.data is None:
            return []
        text = fact_index.without(index.text, name_of(path), store.layout)
    elif isinstance(found, Fact):
        text = fact_index.upserted(index.text, found, store.layout, keep_text=keep_text)
    else:
        return []
    return [Step(index.path, index.data, bytes_of(text))]


def retried(deed: Callable[[], T]) -> T:
    """The deed, begun anew where somebody outside writes into its documents meanwhile."""
    for _try in range(_TRIES - 1):
        try:
            return deed()
        except Conflict as conflict:
            if conflict.hint is not None:
                raise
    return deed()


def seen(ws: Workspace, store: Store, path: DocPath, expected: Fingerprint | None) -> Source:
    """The document as it is; Conflict where it has other bytes than those `expected`, if any."""
    source = fact_stores.source(ws, store, path)
    if source is None:
        raise NotFound(_("There is no fact '{path}'.").format(path=shown(path)))
    if expected is not None and fingerprint(source.data) != expected:
        raise Conflict(path, expected=expected, found=fingerprint(source.data), hint=_("Look at it anew."))
    return source


def fact_in(path: DocPath, text: str, store: Store) -> Fact:
    """The fact in a text that is known to hold one."""
    found = facts.read(path, text, store.layout)
    assert isinstance(found, Fact)
    return found


def state_failed(error: OSError) -> MemguiError:
    """The sentence for a state folder that takes nothing."""
    return WriteFailed(
        _("memgui's own record of it could not be kept: {reason}. Nothing was written.").format(
            reason=reason_of(error)
        ),
        errno=error.errno,
        hint=_("Make room on the disk of memgui's state folder."),
    )
