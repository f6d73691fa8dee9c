"""What filing is made of: what may be filed and where to, a name's change with its history, and a folder's end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice

from memgui.domain import facts as fact_rules
from memgui.domain import filing as rules
from memgui.domain.changes import Change, ChangeKind
from memgui.domain.documents import fingerprint
from memgui.domain.errors import (
    ExecutionFailed,
    InvalidParameters,
    MemguiError,
    NotAuthorized,
    NotEditable,
    ProtectedDocument,
)
from memgui.domain.filing import Trashed
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, is_document, is_inside, name_of, parent_of, shown
from memgui.domain.tree import Node, NodeKind
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import documents
from memgui.ops.chronicle import Chronicle
from memgui.storage import files, filing, unfinished
from memgui.storage.filing import Standing
from memgui.storage.journal import IntentState
from memgui.storage.locks import workspace_lock
from memgui.storage.undelete import Entry, UndeleteStore

__all__ = ["UndeleteStore", "below", "change", "check_place", "check_source", "is_fact", "move", "standing"]

_AT_ONCE = 8
"""So many documents are noted, then the lock is let go for those who write."""


# What may be filed ---------------------------------------------------------------------------------------------------


def standing(ws: Workspace, path: DocPath) -> Standing:
    """What stands there. NotFound where nothing does, InvalidParameters for the workspace itself."""
    if not path or ws.is_private(path):
        raise InvalidParameters(_("That cannot be renamed, moved or put in the trash."))
    what = filing.standing(ws.root, path)
    if what is None:
        raise filing.gone(path)
    return what


def below(ws: Workspace, path: DocPath, what: Standing) -> Iterator[tuple[DocPath, Standing]]:
    """Everything in it, where it is a folder."""
    return filing.below(ws.root, path) if what.is_folder else iter(())


def is_fact(ws: Workspace, path: DocPath, what: Standing) -> bool:
    """Whether it is a fact of a store."""
    return what.is_file and _is_among_facts(ws, path) and fact_rules.is_fact_file(name_of(path))


def _is_among_facts(ws: Workspace, path: DocPath) -> bool:
    store = ws.store_of(path)
    if store.holds_facts:
        return parent_of(path) == store.path and is_document(path)
    return ws.holds_facts(path)


def check_source(ws: Workspace, path: DocPath, what: Standing, origin: Origin) -> None:
    """Refuse what stays where it is: identity files and folders that hold some, facts, and memgui's own."""
    if ws.protects(path):
        raise ProtectedDocument(path, hint=_("Identity files stay where they are."))
    if what.is_folder:
        _check_folder(ws, path)
    elif what.is_link:
        if _leads_to_identity(ws, path):
            raise ProtectedDocument(path, hint=_("It is a link to an identity file."))
    elif what.is_file:
        documents.guard(ws, path, origin)
        if _is_among_facts(ws, path):
            raise ExecutionFailed(
                _("'{name}' belongs to a store of facts, whose index names it; it was left as it is.").format(
                    name=shown(name_of(path))
                )
            )
    else:
        raise NotEditable(_("'{path}' is neither a file nor a folder.").format(path=shown(path)))


def _leads_to_identity(ws: Workspace, path: DocPath) -> bool:
    try:
        return ws.protects(files.real_path(ws.root, path))
    except NotAuthorized:
        return False


def _check_folder(ws: Workspace, path: DocPath) -> None:
    if any(is_inside(own, path) for own in ws.private):
        raise InvalidParameters(_("'{path}' holds memgui's own files.").format(path=shown(path)))
    if any(store.holds_facts and is_inside(store.path, path) for store in ws.stores):
        raise ExecutionFailed(
            _("'{path}' holds a store of facts, and was left as it is.").format(path=shown(path)),
            hint=_("Put its facts in the trash one by one."),
        )
    for inner, _what in filing.below(ws.root, path):
        if ws.protects(inner):
            raise ProtectedDocument(inner, hint=_("The folder holds an identity file, which stays where it is."))


def check_place(ws: Workspace, path: DocPath, origin: Origin, *, but_for: DocPath | None = None) -> None:
    """Refuse a new name that is taken, reads like one that is, or is nobody's to give. `but_for`: goes away by it."""
    others = filing.names(ws.root, parent_of(path))
    if but_for is not None and parent_of(but_for) == parent_of(path):
        others = tuple(name for name in others if name != name_of(but_for))
    other = rules.alike(name_of(path), others)
    if other == name_of(path):
        raise filing.taken(path)
    if other is not None:
        raise filing.Taken(
            _("There is already '{other}', which other systems take for the same name.").format(other=shown(other))
        )
    if _is_among_facts(ws, path):
        raise ExecutionFailed(
            _("That folder is a store of facts; nothing can be put there by hand."),
            hint=_("Agents add facts by their tool; in a terminal: memgui remember."),
        )
    documents.guard(ws, path, origin)


# Changes -------------------------------------------------------------------------------------------------------------


def change(
    ws: Workspace,
    path: DocPath,
    kind: ChangeKind,
    origin: Origin,
    *,
    what: Standing | None = None,
    renamed_from: DocPath | None = None,
) -> Change:
    """The change, with what stands there now."""
    if what is None or what.is_link or not (what.is_file or what.is_folder):
        try:
            node = files.look(ws.root, path)
        except NotAuthorized:
            node = Node(path, NodeKind.LINK_OUT)
    else:
        node = Node(path, NodeKind.FOLDER if what.is_folder else NodeKind.FILE, what.stat)
    return Change(path, kind, origin, node, renamed_from=renamed_from)


def move(ws: Workspace, old: DocPath, new: DocPath, what: Standing, origin: Origin, now: float) -> None:
    """Give it its new name; its history follows. The lock is held."""
    chronicle = Chronicle(ws)
    with chronicle.held():
        chronicle.recover()
        row = _intend(ws, chronicle, old, new, origin, now) if what.is_file and is_document(old) else 0
        try:
            filing.move(ws.root, old, new, step_aside=lambda aside: unfinished.note(ws.state, old, aside, new))
        except BaseException:
            if row:
                chronicle.journal.settle(row, IntentState.ABORTED)
            raise
        unfinished.done(ws.state)
        # What stands on the disk is right; should this not be kept, the next look finds the documents again.
        with suppress(OSError, MemguiError):
            follow(chronicle, old, new)
            if row:
                chronicle.journal.settle(row, IntentState.DONE)


def follow(chronicle: Chronicle, old: DocPath, new: DocPath) -> None:
    """The documents at or below the old name are known by the new one."""
    for document in chronicle.known.all():
        if is_inside(document.path, old):
            chronicle.move(document, DocPath(new + document.path[len(old) :]))


def _intend(ws: Workspace, chronicle: Chronicle, old: DocPath, new: DocPath, origin: Origin, now: float) -> int:
    """Who was about to put these bytes at the new name, for those who see them there before the deed is done."""
    try:
        data, node = files.read(ws.root, old)
    except MemguiError:
        return 0
    with suppress(OSError, MemguiError):
        chronicle.see(old, data, node.stat, now=now)
    return chronicle.journal.intend(new, origin, before=None, after=fingerprint(data), time=now, size=len(data))


# The trash -----------------------------------------------------------------------------------------------------------


def trash_document(
    ws: Workspace, store: UndeleteStore, path: DocPath, what: Standing, origin: Origin, now: float
) -> Trashed:
    """Put one document into the undelete store; its history ends with it. The lock is held."""
    chronicle = Chronicle(ws)
    with chronicle.held():
        chronicle.recover()
        row = 0
        with suppress(MemguiError):
            data, node = files.read(ws.root, path)
            with suppress(OSError, MemguiError):
                chronicle.see(path, data, node.stat, now=now)
            row = chronicle.journal.intend(path, origin, before=fingerprint(data), after=None, time=now)
        try:
            trashed = store.put(path, what, who=origin.label, time=now)
        except BaseException:
            if row:
                chronicle.journal.settle(row, IntentState.ABORTED)
            raise
        with suppress(OSError, MemguiError):
            if row:
                chronicle.journal.settle(row, IntentState.DONE)
            chronicle.see(path, None, None, now=now, origin=origin, row=row)
    return trashed


def see_again(ws: Workspace, path: DocPath, origin: Origin, now: float) -> None:
    """The documents at or below a path stand there again: those whose end is known go on."""
    chronicle = Chronicle(ws)
    with suppress(OSError, MemguiError), chronicle.held():
        for document in chronicle.known.all():
            if not is_inside(document.path, path):
                continue
            newest = chronicle.history.newest(document.id)
            if newest is not None and newest.hash is None:
                with suppress(OSError, MemguiError):
                    data, node = files.read(ws.root, document.path)
                    chronicle.see(document.path, data, node.stat, now=now, origin=origin)


def note_folder(ws: Workspace, store: UndeleteStore, entry: Entry, stop: Callable[[], bool]) -> None:
    """Tell the history of the documents of a folder in the store, a few at a time."""
    place, top = store.place(entry.trashed.id), entry.trashed.path
    inner = [one for one, what in filing.below(place, DocPath("")) if what.is_file and is_document(one)]
    rest = iter(inner)
    while not stop():
        some = list(islice(rest, _AT_ONCE))
        if not some:
            store.told(entry)
            return
        with workspace_lock(ws.state):
            if not place.is_dir():
                return
            chronicle = Chronicle(ws)
            with chronicle.held():
                for one in some:
                    with suppress(OSError, MemguiError):
                        _note_end(ws, chronicle, DocPath(f"{top}/{one}"), (place / one).read_bytes(), entry)


def _note_end(ws: Workspace, chronicle: Chronicle, path: DocPath, data: bytes, entry: Entry) -> None:
    if filing.standing(ws.root, path) is not None:
        return
    chronicle.see(path, data, None, now=entry.trashed.time)
    chronicle.see(path, None, None, now=entry.trashed.time, origin=Origin.you())
