"""Filing: documents and folders made, renamed, moved, duplicated, put in the trash and taken out again. Lane: writes.

Only a person files. Nothing is put over what stands there, identity files stay where they are, and a document keeps its
id and its history under another name.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from memgui.domain import filing as rules
from memgui.domain.changes import Change, ChangeKind, ChangeSet
from memgui.domain.errors import Conflict, ExecutionFailed, MemguiError, NotAuthorized
from memgui.domain.filing import FilingKind, Trashed
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, is_document, join, name_of, parent_of, shown
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import baselines, documents, filing_steps, ratifying, together
from memgui.ops.filing_steps import UndeleteStore, below, change, check_place, check_source, standing
from memgui.storage import files, filing, unfinished
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.filing import Standing
from memgui.storage.folders import never
from memgui.storage.locks import workspace_lock


@dataclass(frozen=True, slots=True)
class Filed:
    """What was done, and what it takes to take it back. `path`: where the thing is now, or was before it went."""

    kind: FilingKind
    path: DocPath
    source: DocPath | None = None
    trashed: Trashed | None = None
    fact: together.Deed | None = None
    made: tuple[DocPath, ...] = ()


Answer = tuple[ChangeSet, Filed]


def create(ws: Workspace, path: DocPath, *, data: bytes = b"", origin: Origin, now: float | None = None) -> Answer:
    """Make a document that is not there yet, with the folders that lead to it."""
    with _filing(ws, origin):
        check_place(ws, path, origin)
        changes = _write_new(ws, path, data, origin, now)
    return changes, Filed(FilingKind.CREATED, path)


def make_folder(ws: Workspace, path: DocPath, *, origin: Origin) -> Answer:
    """Make a folder that is not there yet."""
    with _filing(ws, origin):
        check_place(ws, path, origin)
        made = filing.make_folder(ws.root, path)
        changes = [change(ws, one, ChangeKind.CREATED, origin) for one in made]
    return ChangeSet(tuple(changes)), Filed(FilingKind.MADE, path, made=tuple(made))


def rename(ws: Workspace, path: DocPath, raw: str, *, origin: Origin, now: float | None = None) -> Answer:
    """Give a document or folder another name in its folder."""
    with _filing(ws, origin):
        what = standing(ws, path)
        return _move(ws, path, rules.renamed(path, raw, is_folder=what.is_folder), what, origin, now)


def move(ws: Workspace, path: DocPath, folder: DocPath, *, origin: Origin, now: float | None = None) -> Answer:
    """Put a document or folder into another folder, under the name it has."""
    with _filing(ws, origin):
        rules.check_move(path, folder)
        return _move(ws, path, join(folder, name_of(path)), standing(ws, path), origin, now)


def duplicate(ws: Workspace, path: DocPath, *, origin: Origin, now: float | None = None) -> Answer:
    """Put a copy of a document beside it, under a name that is free."""
    with _filing(ws, origin):
        what = standing(ws, path)
        if not what.is_file:
            raise ExecutionFailed(_("Only files can be duplicated."))
        check_source(ws, path, what, origin)
        data, _node = files.read(ws.root, path)
        folder = parent_of(path)
        copy = join(folder, rules.copy_name(name_of(path), filing.names(ws.root, folder)))
        check_place(ws, copy, origin)
        changes = _write_new(ws, copy, data, origin, now)
    return changes, Filed(FilingKind.DUPLICATED, copy, source=path)


def trash(
    ws: Workspace,
    path: DocPath,
    *,
    origin: Origin,
    now: float | None = None,
    progress: Callable[[int], object] = lambda _done: None,
    stop: Callable[[], bool] = never,
) -> Answer:
    """Put a document or folder into the undelete store, whole. A fact is withdrawn, its line in the index with it.

    The end of a folder's documents is for `note_history` to tell, which may take its time.
    """
    now = time.time() if now is None else now
    with _filing(ws, origin):
        what = standing(ws, path)
        if filing_steps.is_fact(ws, path, what):
            when = datetime.fromtimestamp(now, UTC)
            deed = ratifying.withdraw(ws, path, origin=origin, now=when)
            return deed.changes, Filed(FilingKind.TRASHED, path, fact=deed)
        check_source(ws, path, what, origin)
        gone = [path, *(inner for inner, _what in below(ws, path, what))]
        store = UndeleteStore(ws.root, ws.state)
        if what.is_file and is_document(path):
            trashed = filing_steps.trash_document(ws, store, path, what, origin, now)
        else:
            trashed = store.put(path, what, who=origin.label, time=now, progress=progress, stop=stop)
        _note(ws, "trash", path, origin, now)
        baselines.person_moved(ws, path, baselines.trash_place(trashed.id))
    changes = tuple(Change(one, ChangeKind.DELETED, origin) for one in gone)
    return ChangeSet(changes), Filed(FilingKind.TRASHED, path, trashed=trashed)


def undelete(ws: Workspace, id_: str, *, to: DocPath | None = None, origin: Origin, now: float | None = None) -> Answer:
    """Put a thing from the undelete store back where it stood, or elsewhere. Refused where something stands there."""
    now = time.time() if now is None else now
    with _filing(ws, origin):
        store = UndeleteStore(ws.root, ws.state)
        entry = store.entry(id_)
        path = entry.trashed.path if to is None else to
        check_place(ws, path, origin)
        store.take_out(id_, path)
        baselines.person_moved(ws, baselines.trash_place(id_), path)
        what = standing(ws, path)
        back = [(path, what), *below(ws, path, what)]
        filing_steps.see_again(ws, path, origin, now)
        _note(ws, "restore", path, origin, now, _("from the trash"))
        changes = tuple(change(ws, one, ChangeKind.CREATED, origin, what=inner) for one, inner in back)
    return ChangeSet(changes), Filed(FilingKind.RESTORED, path, trashed=entry.trashed)


def trashed(ws: Workspace) -> tuple[Trashed, ...]:
    """What lies in the undelete store, the newest first."""
    return tuple(entry.trashed for entry in UndeleteStore(ws.root, ws.state).entries())


def take_back(ws: Workspace, filed: Filed, *, origin: Origin, now: float | None = None) -> Answer:
    """Undo what was filed. Refused in a sentence where that cannot be any more; nothing is touched then."""
    if filed.fact is not None:
        when = datetime.fromtimestamp(time.time() if now is None else now, UTC)
        with _filing(ws, origin):
            deed = ratifying.take_back(ws, filed.fact, origin=origin, now=when)
        kind = FilingKind.RESTORED if filed.kind is FilingKind.TRASHED else FilingKind.TRASHED
        return deed.changes, Filed(kind, filed.path, fact=deed)
    if filed.kind is FilingKind.TRASHED and filed.trashed is not None:
        return undelete(ws, filed.trashed.id, to=filed.path, origin=origin, now=now)
    if filed.kind is FilingKind.RENAMED and filed.source is not None:
        with _filing(ws, origin):
            return _move(ws, filed.path, filed.source, standing(ws, filed.path), origin, now)
    if filed.kind is FilingKind.MADE:
        return _unmake(ws, filed, origin)
    return trash(ws, filed.path, origin=origin, now=now)


def finish(ws: Workspace) -> None:
    """Finish, or take back, what a process that was killed left half-done. Lane: any; it takes the lock."""
    with suppress(MemguiError, OSError), workspace_lock(ws.state):
        unfinished.finish(ws.root, ws.state)
        UndeleteStore(ws.root, ws.state).finish()


def note_history(ws: Workspace, *, stop: Callable[[], bool] = never) -> None:
    """Tell the history of the documents in folders that went to the trash. Lane: any but the window's thread."""
    store = UndeleteStore(ws.root, ws.state)
    for entry in store.entries():
        if entry.trashed.is_folder and not entry.is_told:
            with suppress(MemguiError, OSError):
                filing_steps.note_folder(ws, store, entry, stop)


# The steps -----------------------------------------------------------------------------------------------------------


@contextmanager
def _filing(ws: Workspace, origin: Origin) -> Iterator[None]:
    """A person's turn: under the lock, once what others left half-done is finished."""
    if not origin.is_person:
        raise NotAuthorized(_("only a person files documents"))
    with workspace_lock(ws.state):
        unfinished.finish(ws.root, ws.state)
        UndeleteStore(ws.root, ws.state).finish()
        yield


def _note(ws: Workspace, kind: str, path: DocPath, origin: Origin, now: float, detail: str = "") -> None:
    """For the list of what happened; what was done is not undone where that cannot be kept."""
    with suppress(OSError):
        Deeds(ws.state).note(Deed(now, kind, path, origin, detail))


def _write_new(ws: Workspace, path: DocPath, data: bytes, origin: Origin, now: float | None) -> ChangeSet:
    try:
        return documents.write(ws, path, data, expected=None, origin=origin, now=now)
    except Conflict:
        # It came up this instant.
        raise filing.taken(path) from None


def _move(ws: Workspace, old: DocPath, new: DocPath, what: Standing, origin: Origin, now: float | None) -> Answer:
    if new == old:
        return ChangeSet(), Filed(FilingKind.RENAMED, new, source=old)
    check_source(ws, old, what, origin)
    check_place(ws, new, origin, but_for=old)
    if what.is_link and parent_of(new) != parent_of(old):
        raise ExecutionFailed(_("A link leads elsewhere from another folder; it was left where it is."))
    now = time.time() if now is None else now
    filing_steps.move(ws, old, new, what, origin, now)
    kind = "rename" if parent_of(old) == parent_of(new) else "move"
    _note(ws, kind, new, origin, now, _("it was {path}").format(path=shown(old)))
    baselines.person_moved(ws, old, new)
    what = standing(ws, new)
    changes = [change(ws, new, ChangeKind.RENAMED, origin, what=what, renamed_from=old)]
    for inner, inside in below(ws, new, what):
        before = DocPath(old + inner[len(new) :])
        changes.append(change(ws, inner, ChangeKind.RENAMED, origin, what=inside, renamed_from=before))
    return ChangeSet(tuple(changes)), Filed(FilingKind.RENAMED, new, source=old)


def _unmake(ws: Workspace, filed: Filed, origin: Origin) -> Answer:
    """Take a folder that was made away again, with those made for it, as long as nothing lies there."""
    with _filing(ws, origin):
        filing.remove_folder(ws.root, filed.path)
        gone = [filed.path]
        for folder in reversed(filed.made[:-1]):
            with suppress(MemguiError):
                filing.remove_folder(ws.root, folder)
                gone.append(folder)
    changes = tuple(Change(one, ChangeKind.DELETED, origin) for one in gone)
    return ChangeSet(changes), Filed(FilingKind.MADE, filed.path)
