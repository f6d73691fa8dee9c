"""The index of a workspace, of words and of meaning, as a person asks for it on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import preferences, sync
from memgui.ops.meaning.embedding import Embedding
from memgui.ops.meaning.progress import FOLDER as MEANING
from memgui.ops.meaning.progress import ByModel, MeaningProgress, TellMeaning, unheard
from memgui.ops.words.progress import FOLDER, Progress, Tell, nobody, rows_of
from memgui.ops.words.service import Words
from memgui.search.meaning.catalogue import CATALOGUE, BrokenCatalogueError, Catalogue
from memgui.search.meaning.embedders import Model, models
from memgui.search.meaning.sharing import as_marked, mark_of
from memgui.search.meaning.writing import is_whole
from memgui.search.words.index import BrokenIndexError

__all__ = ["IndexState", "MeaningProgress", "Progress", "build", "state"]


@dataclass(frozen=True, slots=True)
class IndexState:
    """How much is indexed. `words` is `ready`, `building` (documents are still missing) or `missing`."""

    files: int = 0
    passages: int = 0
    words: str = "missing"
    problems: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    """What embeds the meaning; none where nothing here can."""
    covered: int = 0
    """How many texts are known by their meaning, and of how many: an item of a list is a text of its own."""
    meant: int = 0

    @property
    def covered_passages(self) -> int:
        """How many of the passages that makes."""
        return self.passages * self.covered // self.meant if self.meant else 0


def state(ws: Workspace) -> IndexState:
    """What the index holds, compared with the documents as they are now."""
    return _with_meaning(ws, _words_state(ws))


def _words_state(ws: Workspace) -> IndexState:
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


def build(ws: Workspace, *, anew: bool = False, tell: Tell = nobody, tell_meaning: TellMeaning = unheard) -> IndexState:
    """Bring the index up to date, or make it `anew`: first the words, then the meaning, which takes longer."""
    words = Words(ws, helped=False)
    snapshot = sync.look(ws)
    progress = words.bring_up_to_date(snapshot, anew=anew, tell=tell)
    if progress is None:
        return IndexState()
    ready = "ready" if progress.ready else "building"
    built = IndexState(progress.done, progress.passages, ready, progress.problems)
    by_model = ByModel.of(preferences.load())
    embedding = Embedding(ws.root, ws.cache, tell_meaning, chosen=by_model.folder)
    try:
        if by_model.wanted and embedding.models and embedding.refresh(rows_of(ws, snapshot), anew=anew):
            embedding.work()
    finally:
        embedding.close()
    problems = (*built.problems, *embedding.progress.problems)
    return _with_meaning(ws, replace(built, problems=problems))


def _names(some: Iterable[Model]) -> tuple[str, ...]:
    return tuple(model.name for model in some if not model.rough)


def _with_meaning(ws: Workspace, built: IndexState) -> IndexState:
    by_model = ByModel.of(preferences.load())
    here = models(by_model.folder) if by_model.wanted else ()
    found = replace(built, models=_names(here))
    folder = ws.cache / MEANING
    if not folder.exists():
        return found
    damage = _("What is known of the meaning is damaged; it is made anew by the next window or 'memgui index --wait'.")
    damaged = replace(found, problems=(*found.problems, damage))
    try:
        catalogue = Catalogue(folder / CATALOGUE)
        try:
            if not is_whole(folder, catalogue, here):
                found = damaged
            covered, meant = catalogue.coverage()
            used = as_marked(catalogue.mark, here)
            found = replace(found, models=_names(used))
            if catalogue.mark != mark_of(used):
                # Of the vectors of other models nothing can be asked.
                covered = 0
        finally:
            catalogue.close()
    except (BrokenCatalogueError, OSError):
        return damaged
    return replace(found, covered=covered, meant=meant)
