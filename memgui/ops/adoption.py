"""Adoption: a workspace that is new here may have stood elsewhere. Its history is offered, and taken over on a word.

Lane: reads, for the look; writes, for the rest.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memgui.config.places import Places
from memgui.domain.documents import fingerprint
from memgui.domain.errors import ExecutionFailed, MemguiError, NotFound
from memgui.domain.origin import OriginKind
from memgui.domain.paths import DocPath
from memgui.domain.tree import Snapshot
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import sync
from memgui.storage import files, remembered
from memgui.storage.database import StateDatabase
from memgui.storage.history import History
from memgui.storage.known import Known, KnownDocuments
from memgui.storage.registry import WorkspaceRegistry

MOST_COMPARED = 400
"""Of more documents so many are looked at, from all over."""
_NOTE = "adoption"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A workspace that is gone and looks like this one: how many of the documents compared are the same."""

    id: str
    path: Path
    opened: float
    same: int
    compared: int


def candidates(
    ws: Workspace, *, snapshot: Snapshot | None = None, places: Places | None = None
) -> tuple[Candidate, ...]:
    """Workspaces that are gone, most of whose documents stand here; the one most alike first. Nothing once it lives."""
    places = places or Places.find()
    vanished = WorkspaceRegistry(places.state).vanished()
    if not vanished or not _is_new(ws):
        return ()
    declined = remembered.read(ws.state, _NOTE).get("declined", [])
    snapshot = snapshot or sync.look(ws)
    found = []
    for entry in vanished:
        if entry.id == ws.id or entry.id in declined:
            continue
        known = _known(places.of_workspace(entry.id).state)
        same = sum(_is_same(ws, one, snapshot) for one in known)
        if known and same * 2 > len(known):
            found.append(Candidate(entry.id, entry.path, entry.opened, same, len(known)))
    return tuple(sorted(found, key=lambda one: (-one.same / one.compared, -one.opened)))


def adopt(ws: Workspace, candidate: Candidate, *, places: Places | None = None) -> None:
    """Let this workspace be that one from now on: it has to be opened anew. WriteFailed where that cannot be noted."""
    places = places or Places.find()
    if not places.of_workspace(candidate.id).state.is_dir():
        raise NotFound(_("The history of {folder} is not there any more.").format(folder=candidate.path))
    WorkspaceRegistry(places.state).take_over(ws.root, candidate.id, candidate.path)


def decline(ws: Workspace, candidate: Candidate) -> None:
    """It is another one; it is not offered again."""
    declined = remembered.read(ws.state, _NOTE).get("declined", [])
    remembered.put(ws.state, _NOTE, {"declined": [*declined, candidate.id]})


def _is_new(ws: Workspace) -> bool:
    """Whether nothing was done here by memgui yet: only what was seen on the disk stands in its history."""
    history = History(ws.state)
    newest = (history.newest(document) for document in history.documents())
    return all(one is None or one.origin.kind is OriginKind.OUTSIDE for one in newest)


def _known(state: Path) -> list[Known]:
    """What stood there when it was last seen."""
    if not (state / "journal.sqlite").exists():
        return []
    with suppress(OSError, ExecutionFailed):
        found = sorted(
            (
                one
                for one in KnownDocuments(StateDatabase(state)).all()
                if one.hash is not None and one.inode is not None
            ),
            key=lambda one: one.path,
        )
        return found[:: len(found) // MOST_COMPARED + 1]
    return []


def _is_same(ws: Workspace, one: Known, snapshot: Snapshot) -> bool:
    node = snapshot.nodes.get(DocPath(one.path))
    if node is None or node.stat is None or node.stat.size != one.size:
        return False
    try:
        return fingerprint(files.read(ws.root, one.path)[0]) == one.hash
    except MemguiError:
        return False
