"""`Words`: the index of a workspace's words as a window or a verb uses it. Where there is none yet, it says so.

Nothing here loads Whoosh before somebody asks for words, and no trouble with the index is trouble for who asks: an
index that is damaged or gone answers nothing, the exact scan goes on, and the builder makes a new one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice

from memgui.domain.changes import ChangeKind, ChangeSet
from memgui.domain.hits import FileHits, Reading
from memgui.domain.paths import DocPath, is_document
from memgui.domain.tree import Snapshot
from memgui.domain.wishes import Asked
from memgui.domain.workspace import Workspace
from memgui.ops.meaning.asked import Wanted
from memgui.ops.meaning.progress import AS_IT_CAME, ByModel, TellMeaning, unheard
from memgui.ops.meaning.service import Answers
from memgui.ops.words.helper import Helper
from memgui.ops.words.progress import FOLDER, Progress, Tell, nobody, rows_of
from memgui.search.literal import Stop, never
from memgui.search.meaning.index import Nearness
from memgui.search.ranking import Read
from memgui.search.words.answering import Found, Search
from memgui.search.words.index import BrokenIndexError, SearchIndex
from memgui.search.words.snippets import by_file
from memgui.search.words.wanting import Paths

MOST_FOUND = 60


@dataclass(frozen=True, slots=True)
class Answer:
    """What the words say: files with the lines to show, and whether these hold all of the words or some."""

    files: tuple[FileHits, ...] = ()
    reading: Reading = Reading.ALL
    found: tuple[Found, ...] = ()


class Words:
    """Asks the index on any thread; has it brought up to date by the helper process, where one is wished for."""

    def __init__(
        self,
        ws: Workspace,
        *,
        tell: Tell = nobody,
        tell_meaning: TellMeaning = unheard,
        helped: bool = True,
        meaning: ByModel = AS_IT_CAME,
    ) -> None:
        self._ws = ws
        self._tell = tell
        self._lock = threading.Lock()
        self._index: SearchIndex | None = None
        self._users = 0
        """How many ask it just now."""
        self._snapshot: Snapshot | None = None
        self.meaning = Answers(tell_meaning)
        """What the same helper knows of the meaning."""
        self._helper = Helper(ws.root, ws.cache, self._progressed, self.meaning.heard, meaning) if helped else None
        self.progress = Progress()

    # Keeping it up to date ---------------------------------------------------------------------------------------

    def refresh(self, snapshot: Snapshot, *, anew: bool = False) -> None:
        """Have everything indexed that is new in this snapshot. Returns at once; `tell` hears how it goes."""
        self._snapshot = snapshot
        if self._helper is not None:
            self._helper.refresh(rows_of(self._ws, snapshot), anew=anew)

    def bring_up_to_date(
        self, snapshot: Snapshot, *, anew: bool = False, most: int | None = None, tell: Tell = nobody
    ) -> Progress | None:
        """The same here and now. None, and nothing done, where there are more than `most` documents."""
        if most is not None and next(islice(filter(is_document, snapshot.nodes), most, None), None) is not None:
            return None
        from memgui.ops.words.builder import Builder

        rows = rows_of(self._ws, snapshot)
        builder = Builder(self._ws.root, self._ws.cache, tell)
        try:
            builder.refresh(rows, anew=anew)
            return builder.progress
        finally:
            builder.close()

    def brought_up_to_date(
        self, snapshot: Snapshot, known: Snapshot | None, *, most: int | None = None
    ) -> Snapshot | None:
        """`bring_up_to_date`, unless the index is known to be as this snapshot already. As which it is from now on."""
        if snapshot is known and (self._ws.cache / FOLDER).is_dir():
            return known
        progress = self.bring_up_to_date(snapshot, most=most)
        return snapshot if progress is not None and progress.ready and not progress.waiting else None

    def apply(self, changes: ChangeSet) -> None:
        """Have these changes indexed. Returns at once."""
        paths: dict[DocPath, None] = {}
        for change in changes.changes:
            if change.renamed_from is not None:
                paths[change.renamed_from] = None
            if change.kind is ChangeKind.DELETED or not self._ws.is_private(change.path):
                paths[change.path] = None
        paths = dict.fromkeys(filter(is_document, paths))
        if paths and self._helper is not None:
            self._helper.update(paths)

    def _progressed(self, progress: Progress) -> None:
        self.progress = progress
        self._tell(progress)

    def close(self, wait: float = 5.0) -> None:
        """End the helper and let go of the index."""
        self.meaning.close()
        if self._helper is not None:
            self._helper.close(wait)
        with self._lock:
            self._drop()

    # Asking ------------------------------------------------------------------------------------------------------

    def answer(
        self,
        asked: Asked,
        read: Read,
        paths: Paths,
        *,
        limit: int = MOST_FOUND,
        per_file: int = 5,
        stop: Stop = never,
        before_any: Callable[[], bool] = never,
    ) -> Answer | None:
        """The passages for a query; None where there is no index that could say.

        Where nothing holds all the words and `before_any` knows no better, those that hold some.
        """
        with self._in_use():
            for _try in range(2):
                index = self._opened()
                if index is None:
                    return None
                try:
                    return _answer(Search(index, asked, read, paths, stop), limit, per_file, before_any)
                except BrokenIndexError:
                    self._forget(index)
            return None

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        with self._lock:
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1

    def rest(self) -> None:
        """Give the memory of the open index back until somebody asks again; not while somebody does."""
        from memgui.ops.meaning.memory import give_back

        with self._lock:
            if not self._users:
                self._drop()
        give_back()

    def near(self, wanted: Wanted) -> Nearness | None:
        """What is near in meaning; None where nothing is known, or nobody is there to say."""
        return self.meaning.ask(self._helper, wanted) if self._helper is not None else None

    @property
    def passages(self) -> int | None:
        """How many passages the index holds; None where there is none."""
        index = self._opened()
        return None if index is None else index.passages

    def _opened(self) -> SearchIndex | None:
        from memgui.search.words.engine import WordsIndex

        with self._lock:
            try:
                if self._index is None:
                    self._index = WordsIndex(self._ws.cache / FOLDER)
                elif not (self._ws.cache / FOLDER).is_dir():
                    self._drop()
                else:
                    self._index.refresh()
            except BrokenIndexError:
                self._drop()
                self._mend()
            return self._index

    def _forget(self, broken: SearchIndex) -> None:
        with self._lock:
            if self._index is broken:
                self._drop()
        self._mend()

    def _mend(self) -> None:
        """Have a damaged index made anew, unless it is being made just now."""
        if self._snapshot is not None and self.progress.ready:
            self.progress = Progress(total=self.progress.total)
            self.refresh(self._snapshot, anew=True)

    def _drop(self) -> None:
        if self._index is not None:
            with suppress(BrokenIndexError):
                self._index.close()
            self._index = None


def _answer(search: Search, limit: int, per_file: int, before_any: Callable[[], bool]) -> Answer:
    found = search.all_words(limit)
    reading = Reading.ALL
    if not found and not search.stop() and not before_any():
        found, reading = search.any_word(limit), Reading.ANY
    return Answer(by_file(found, search.asked.wish, per_file=per_file), reading, tuple(found))


def paths_of(ws: Workspace, known: Iterable[DocPath]) -> Paths:
    """The documents that a query's `path:` and `is:` speak of."""
    return Paths(tuple(filter(is_document, known)), ws.protects, cache(partial(_unseen, ws)))


def _unseen(ws: Workspace) -> frozenset[DocPath]:
    # Few queries ask for it, and only these pay for the look.
    from memgui.ops import review

    return frozenset(change.path for change in review.pending(ws) if not change.seen)
