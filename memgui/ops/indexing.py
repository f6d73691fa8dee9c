"""The index of a workspace's words, as a person asks for it on the command line: its state, and building it."""

from __future__ import annotations

from dataclasses import dataclass

from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import sync
from memgui.ops.words.progress import FOLDER, Progress, Tell, nobody, rows_of
from memgui.ops.words.service import Words
from memgui.search.words.index import BrokenIndexError

__all__ = ["IndexState", "Progress", "build", "state"]


@dataclass(frozen=True, slots=True)
class IndexState:
    """How much is indexed. `words` is `ready`, `building` (documents are still missing) or `missing`."""

    files: int = 0
    passages: int = 0
    words: str = "missing"
    problems: tuple[str, ...] = ()


def state(ws: Workspace) -> IndexState:
    """What the index holds, compared with the documents as they are now."""
    from memgui.search.words.engine import WordsIndex

    if not (ws.cache / FOLDER).is_dir():
        return IndexState()
    rows = rows_of(ws, sync.look(ws))
    try:
        index = WordsIndex(ws.cache / FOLDER)
        try:
            known, passages = index.known(), index.passages
        finally:
            index.close()
    except BrokenIndexError:
        return IndexState(problems=(_("The index is damaged; the next search in the window builds it anew."),))
    # A document that was indexed the moment it was written is looked at once more, but is there.
    current = {path for path, key in known.items() if path in rows and rows[path].size == key.size}
    same = {path for path in current if rows[path].mtime_ns == known[path].mtime_ns}
    return IndexState(len(same), passages, "ready" if len(same) == len(rows) == len(known) else "building")


def build(ws: Workspace, *, anew: bool = False, tell: Tell = nobody) -> IndexState:
    """Bring the index up to date, or make it `anew`, and answer when that is done."""
    words = Words(ws, helped=False)
    progress = words.bring_up_to_date(sync.look(ws), anew=anew, tell=tell)
    if progress is None:
        return IndexState()
    return IndexState(progress.done, progress.passages, "ready" if progress.ready else "building", progress.problems)
