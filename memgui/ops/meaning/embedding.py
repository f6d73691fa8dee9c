"""`Embedding`: brings the vectors of a workspace up to what its documents are, the weightiest documents first.

It may end at any moment, and goes on where it was. What is damaged it makes anew; no document is ever touched.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from filelock import FileLock, Timeout

from memgui.domain.paths import DocPath
from memgui.i18n import _
from memgui.ops.meaning.progress import FOLDER, MeaningProgress, TellMeaning, unheard
from memgui.ops.words.progress import Rows
from memgui.search.fold import is_binary
from memgui.search.literal import Stop, never
from memgui.search.meaning import index, writing
from memgui.search.meaning.catalogue import Catalogue
from memgui.search.meaning.embedders import BrokenModelError, Embedder, Model, load, models, shared_out
from memgui.search.meaning.sharing import mark_of, rough_of
from memgui.search.ranking import weight_of
from memgui.search.segments import Key
from memgui.storage.reader import Reader

LARGEST = 1 << 20
"""Larger documents are left to the other searches: nobody means a megabyte."""

_AT_ONCE = 4
"""So many passages are embedded before somebody else may have a turn."""

_NEXT = 50
"""So many documents are taken in a row before it is asked again which are the weightiest."""

_AT_ONCE_QUICKLY = 64
_NEXT_QUICKLY = 500
"""The same for the quick model."""

_TOLD_SECONDS = 1.0


@dataclass(slots=True)
class Embedding:
    """Writes the vectors of one workspace. One thread uses it; other processes are kept out by a lock."""

    root: Path
    cache: Path
    tell: TellMeaning = unheard
    stop: Stop = never
    chosen: Path | None = None
    """A folder with a model of the person's own."""
    progress: MeaningProgress = field(default_factory=MeaningProgress)
    _models: tuple[Model, ...] | None = None
    _loaded: dict[str, Embedder | None] = field(default_factory=dict)
    _catalogue: Catalogue | None = None
    _known: dict[DocPath, Key] = field(default_factory=dict)
    _left: set[DocPath] = field(default_factory=set)
    """Documents whose passages could not be embedded: they are not tried again and again."""
    _damaged: list[str] = field(default_factory=list)
    """What is said of models that cannot be loaded."""
    _owed: set[DocPath] = field(default_factory=set)
    """Documents of which it was told that they changed, until they are held as they are."""
    _failure: str = ""
    """What is said of a disk that does not take the vectors, until it does."""
    _told: float = 0.0

    @property
    def folder(self) -> Path:
        """Where the vectors lie."""
        return self.cache / FOLDER

    @property
    def models(self) -> tuple[Model, ...]:
        """What there is to embed with."""
        if self._models is None:
            self._use(models(self.chosen))
        return self._models or ()

    def _use(self, found: tuple[Model, ...]) -> None:
        self._models = found
        names = tuple(model.name for model in found if not model.rough)
        self.progress = replace(self.progress, models=names)

    def refresh(self, rows: Rows, *, anew: bool = False) -> bool:
        """Hold these documents and no others; vectors are made by `work`. False where another process does it."""
        with self._alone() as may_write:
            if not may_write:
                return False
            if anew:
                self.close()
                writing.discard(self.folder)
            return self._guarded(rows)

    def update(self, paths: Sequence[DocPath]) -> bool:
        """Hold these documents as they are now, or forget those that are gone."""
        with self._alone() as may_write:
            if not may_write or self._catalogue is None:
                return False
            self._owed.update(paths)
            try:
                self._pay(self._catalogue)
            except (*index.Broken, OSError) as error:
                self._failed(error)
                return False
            self._say(always=True)
            return True

    def work(self, *, interrupted: Stop = never) -> bool:
        """Make vectors until none is missing. False where it was interrupted, or another process does it."""
        with self._alone() as may_write:
            if not may_write or self._catalogue is None:
                return False
            if not self.models:
                return True
            try:
                return self._worked(interrupted)
            except (*index.Broken, OSError, RuntimeError) as error:
                self._failed(error)
                return True
            finally:
                self.progress = replace(self.progress, working=False)
                self._say(always=True)

    def embedder(self, name: str) -> Embedder | None:
        """A model, loaded when first asked for; None where its files are damaged."""
        if name not in self._loaded:
            model = next((model for model in self.models if model.name == name), None)
            try:
                self._loaded[name] = None if model is None else load(model)
            except BrokenModelError as error:
                reason = str(error).rstrip(". ")
                told = _("The model {name} cannot be loaded: {reason}.").format(name=name, reason=reason)
                meanwhile = _("Until it is mended, the other models and the words do its work.")
                self._damaged.append(f"{told} {meanwhile}")
                self._loaded[name] = None
                # The others do its work from now on.
                self._use(shared_out(model for model in self.models if model.name != name))
        return self._loaded[name]

    def rest(self) -> None:
        """Give the memory of the models back until they are wanted again."""
        self._loaded = {name: embedder for name, embedder in self._loaded.items() if embedder is None}

    def close(self) -> None:
        """Let go of everything."""
        self._loaded.clear()
        if self._catalogue is not None:
            self._catalogue.close()
            self._catalogue = None

    # ---------------------------------------------------------------------------------------------------------------

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Keep other embedders out: one is enough for a workspace. False where there is one."""
        try:
            self.cache.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = FileLock(self.cache / f"{FOLDER}.lock", mode=0o600)
            lock.acquire(timeout=0)
        except Timeout:
            self.progress = replace(self.progress, waiting=True)
            self._say()
            yield False
            return
        except OSError as error:
            self._failed(error)
            yield False
            return
        self.progress = replace(self.progress, waiting=False)
        try:
            yield True
        finally:
            lock.release()

    def _worked(self, interrupted: Stop) -> bool:
        """Make what is missing. What turns out damaged on the way is made anew, once."""
        for last in (False, True):
            try:
                while self._catalogue is not None:
                    self._pay(self._catalogue)
                    if self._catalogue.mark != mark_of(self.models):
                        self._bring_up(self._catalogue, dict(self._known))
                    done = self._work(self._catalogue, interrupted)
                    if self.stop() or self._catalogue.mark == mark_of(self.models):
                        self._failure = ""
                        return done
            except index.Broken:
                if last:
                    raise
                self.close()
                self._guarded(dict(self._known))
        return True

    def _pay(self, catalogue: Catalogue) -> None:
        self._hold(catalogue, list(self._owed))
        self._owed.clear()

    def _guarded(self, rows: Rows) -> bool:
        for last in (False, True):
            try:
                if self._catalogue is None or not self.folder.is_dir():
                    self.close()
                    self._catalogue = writing.open_writer(self.folder)
                    writing.check_vectors(self.folder, self._catalogue, self.models)
                self._bring_up(self._catalogue, rows)
            except index.Broken as error:
                self.close()
                writing.discard(self.folder)
                if last:
                    self._failed(error)
                continue
            except OSError as error:
                self._failed(error)
                return False
            self._failure = ""
            self._say(always=True)
            return True
        return False

    def _bring_up(self, catalogue: Catalogue, rows: Rows) -> None:
        self._known = catalogue.known()
        gone = [path for path in self._known if path not in rows]
        mark = mark_of(self.models)
        if catalogue.mark != mark:
            # Its passages were shared out among other models; what those made of them is left out of everything.
            self._known = {}
        todo = [path for path, key in rows.items() if self._known.get(path) != key]
        todo.sort(key=lambda path: weight_of(path, rows[path].mtime_ns), reverse=True)
        catalogue.forget(gone)
        for path in gone:
            self._known.pop(path, None)
        self._left.clear()
        self._hold(catalogue, todo)
        if not self.stop():
            catalogue.mark = mark

    def _hold(self, catalogue: Catalogue, paths: Sequence[DocPath]) -> None:
        with Reader(self.root) as reader:
            for path in paths:
                if self.stop():
                    return
                self._left.discard(path)
                found = reader.read(path, refuse=is_binary)
                if found is None:
                    if not reader.holds(path):
                        catalogue.forget([path])
                        self._known.pop(path, None)
                    continue
                data, stat = found
                key = Key(stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode)
                if self._known.get(path) == key:
                    continue
                text = b"" if is_binary(data) or stat.size > LARGEST else data
                weight = weight_of(path, stat.mtime_ns)
                writing.hold(catalogue, path, text, key, weight=weight, models=self.models)
                self._known[path] = key
                self._say()

    def _work(self, catalogue: Catalogue, interrupted: Stop) -> bool:
        rough = rough_of(self.models)
        paths = catalogue.next_without(_NEXT, self._left)
        with Reader(self.root) as reader:
            # Where there is more to do than is soon done, the quick model goes before.
            if rough and len(paths) == _NEXT and not self._stand_in(catalogue, reader, rough, interrupted):
                return False
            while not self.stop():
                if not paths:
                    return self._leave(catalogue, reader, rough, interrupted)
                for path in paths:
                    if interrupted() or self.stop():
                        return False
                    self.progress = replace(self.progress, working=True)
                    self._embed(catalogue, reader, path, rough, interrupted)
                    self._say()
                paths = catalogue.next_without(_NEXT, self._left)
        return False

    def _leave(self, catalogue: Catalogue, reader: Reader, rough: str, interrupted: Stop) -> bool:
        """Where every passage was read by its own model, none has to stand in any more; where not, one has to."""
        if not rough:
            return True
        if self._left:
            return self._stand_in(catalogue, reader, rough, interrupted)
        writing.drop(self.folder, catalogue, rough)
        return True

    def _stand_in(self, catalogue: Catalogue, reader: Reader, rough: str, interrupted: Stop) -> bool:
        """Have the quick model read what no model has read: some seconds where the others take an hour.

        False where it was interrupted.
        """
        left: set[DocPath] = set()
        texts: dict[bytes, str] = {}
        while paths := catalogue.next_without(_NEXT_QUICKLY, left, rough=rough):
            for number, path in enumerate(paths, 1):
                texts |= writing.lacking(catalogue, path, _data(reader, path), rough)
                if len(texts) < _AT_ONCE_QUICKLY and number < len(paths):
                    continue
                embedder = self.embedder(rough)
                if embedder is None:
                    return True
                if texts:
                    self.progress = replace(self.progress, working=True)
                    writing.embed_roughly(self.folder, catalogue, embedder, texts)
                    texts.clear()
                self._say()
                if interrupted() or self.stop():
                    return False
            left.update(path for path in paths if catalogue.without(path, rough=rough))
        return True

    def _embed(self, catalogue: Catalogue, reader: Reader, path: DocPath, rough: str, interrupted: Stop) -> None:
        """Make what a document lacks, a few passages at a time."""
        data = _data(reader, path)
        while not self.stop():
            if not writing.embed(self.folder, catalogue, path, data, self.embedder, most=_AT_ONCE, rough=rough):
                if catalogue.without(path):
                    # It changed since, or its model is not there: the next look decides.
                    self._left.add(path)
                return
            if interrupted():
                return

    def _failed(self, error: Exception) -> None:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        kept = _("What was read so far stays; the next change or start goes on from there.")
        self._failure = _("The meaning of memory cannot be kept: {reason}.").format(reason=reason) + " " + kept
        self._say(always=True)

    def _say(self, *, always: bool = False) -> None:
        now = time.monotonic()
        problems = (*self._damaged, self._failure) if self._failure else tuple(self._damaged)
        self.progress = replace(self.progress, problems=problems)
        if always or now - self._told >= _TOLD_SECONDS:
            self._told = now
            if self._catalogue is not None:
                with suppress(*index.Broken, OSError):
                    covered, passages = self._catalogue.coverage()
                    rough = self._catalogue.roughly(rough_of(self.models)) if covered < passages else 0
                    self.progress = replace(self.progress, covered=covered, passages=passages, rough=rough)
            self.tell(self.progress)


def _data(reader: Reader, path: DocPath) -> bytes:
    found = reader.read(path, refuse=is_binary)
    return b"" if found is None or is_binary(found[0]) else found[0]
