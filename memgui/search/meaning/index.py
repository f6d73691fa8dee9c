"""`MeaningIndex`: the passages and vectors of a workspace in its cache folder, as one process writes and others ask."""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from memgui.domain.paths import DocPath
from memgui.search.meaning.catalogue import BrokenCatalogueError, Catalogue
from memgui.search.meaning.common import common_of, is_kept, keep_common
from memgui.search.meaning.embedders import Embedder, Model, Tongue, shared_out
from memgui.search.meaning.texts import PassageText, passage_texts
from memgui.search.meaning.vectors import BrokenVectorsError, VectorFile
from memgui.search.segments import Key

if TYPE_CHECKING:
    from memgui.search.meaning.embedders import Vectors

CATALOGUE = "catalogue.sqlite"

Broken = (BrokenCatalogueError, BrokenVectorsError)
"""What says that an index is to be made anew."""

Lines = tuple[DocPath, int, int]
"""Lines of a document, from the first up to the end (from 0)."""

_FAR = 1e9
_ACROSS = 0.4
"""So much nearer a passage in another language has to be to come before an English one, where English was asked."""

_SPARE = 4
"""So many times more rows than wanted are looked up: some belong to passages that stand nowhere any more."""


@dataclass(frozen=True, slots=True)
class Near:
    """A passage whose meaning is near the query's. `closeness`: 0 at its model's floor, 1 where it is clearly near."""

    path: DocPath
    first: int
    end: int
    key: Key
    print_: bytes
    closeness: float


@dataclass(frozen=True, slots=True)
class Nearness:
    """What the vectors say of a query: the nearest passages above the floor, and how near those are that were named."""

    found: tuple[Near, ...] = ()
    named: Mapping[tuple[DocPath, int], float] = field(default_factory=dict)
    typical: float = 0.0
    """The median over all passages: of one that has no vector yet, nothing better is known."""
    as_of: Mapping[DocPath, Key] = field(default_factory=dict)
    """The states of the documents in which the named passages stand, as they were read."""

    def of(self, path: DocPath, first: int, key: Key | None) -> float | None:
        """How near the passage is that begins there in the document's state `key`; None where that was not read."""
        return self.named.get((path, first)) if key is not None and self.as_of.get(path) == key else None


def open_writer(folder: Path) -> Catalogue:
    """The catalogue, to be written: made where there is none, made anew where it is damaged."""
    if folder.is_symlink() or not folder.is_dir():
        discard(folder)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    try:
        return Catalogue(folder / CATALOGUE, writes=True)
    except BrokenCatalogueError:
        discard(folder)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        return Catalogue(folder / CATALOGUE, writes=True)


def discard(folder: Path) -> None:
    """Take the index away: it can be made again from the documents."""
    with suppress(OSError):
        _clear(folder)


def _clear(path: Path) -> None:
    """Leave nothing at a path, whatever stands there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def model_for(passage: PassageText, models: Sequence[Model]) -> Model | None:
    """Which model a passage is for: one of its language, and none that only stands in."""
    tongues = (Tongue.ENGLISH if passage.english else Tongue.OTHERS, Tongue.ALL)
    return next((model for model in models if model.tongue in tongues and not model.rough), None)


def rough_of(models: Iterable[Model]) -> str:
    """The name of the model that stands in for the others; empty where there is none."""
    return next((model.name for model in models if model.rough), "")


def mark_of(models: Iterable[Model]) -> int:
    """What tells a catalogue whose passages are shared out among these models from one of others."""
    told = [(model.name, model.tongue.value) for model in models if not model.rough]
    return zlib.crc32(repr(told).encode()) & 0x7FFF_FFFF


def as_marked(mark: int, models: Sequence[Model]) -> tuple[Model, ...]:
    """Those of the models among which a catalogue's passages were shared out; all of them where it cannot be told.

    Whoever wrote it may have found one of them damaged.
    """
    for size in range(len(models), 0, -1):
        for some in combinations(models, size):
            shared = shared_out(some)
            if mark_of(shared) == mark:
                return shared
    return tuple(models)


def hold(catalogue: Catalogue, path: DocPath, data: bytes, key: Key, *, weight: float, models: Sequence[Model]) -> None:
    """Hold a document as it is now; its new passages have no vectors yet."""
    passages = [(one, model.name) for one in passage_texts(path, data) if (model := model_for(one, models)) is not None]
    catalogue.hold(path, key, weight, passages)


def embed(
    folder: Path,
    catalogue: Catalogue,
    path: DocPath,
    data: bytes,
    embedder_of: Callable[[str], Embedder | None],
    *,
    most: int,
    rough: str = "",
) -> int:
    """Make the vectors that a document lacks, at most so many of them; how many were made.

    They take the place of those that the model `rough` made meanwhile.
    """
    wanted = catalogue.without(path)
    made = 0
    for name in sorted({model for model, _print in wanted}):
        embedder = embedder_of(name)
        texts = {one.print_: one.text for one in passage_texts(path, data) if (name, one.print_) in wanted}
        some = dict(list(texts.items())[: max(0, most - made)])
        if embedder is None or not some:
            continue
        _add(folder, catalogue, embedder, some, rough=rough)
        made += len(some)
    return made


def lacking(catalogue: Catalogue, path: DocPath, data: bytes, rough: str) -> dict[bytes, str]:
    """The passages of a document, by their prints, that no model has read, neither their own nor the rough one."""
    wanted = {print_ for _model, print_ in catalogue.without(path, rough=rough)}
    return {one.print_: one.text for one in passage_texts(path, data) if one.print_ in wanted}


def embed_roughly(folder: Path, catalogue: Catalogue, embedder: Embedder, texts: Mapping[bytes, str]) -> None:
    """Make vectors that stand in for those of the passages' own models."""
    _add(folder, catalogue, embedder, texts)


def _add(
    folder: Path, catalogue: Catalogue, embedder: Embedder, texts: Mapping[bytes, str], *, rough: str = ""
) -> None:
    name = embedder.model.name
    file = _file(folder, name)
    if not is_kept(file.common_path):
        _clear(file.common_path)
        keep_common(file.common_path, common_of(embedder))
    first = file.add(embedder.passages(list(texts.values())))
    catalogue.put(name, [(print_, first + number) for number, print_ in enumerate(texts)], rough=rough)


def drop(folder: Path, catalogue: Catalogue, model: str) -> None:
    """Take the vectors of a model away."""
    path = _path(folder, model)
    if path.exists() or catalogue.has_of(model):
        catalogue.drop_vectors(model)
        _clear(path)


def check_vectors(folder: Path, catalogue: Catalogue, models: Iterable[Model]) -> None:
    """Forget the vectors of a file that is of nobody, gone or shorter than it was, and those that are damaged."""
    for model in models:
        damaged = _damaged(folder, catalogue, model)
        if damaged is None:
            catalogue.drop_vectors(model.name)
            _clear(_path(folder, model.name))
        elif damaged:
            catalogue.drop_rows(model.name, damaged)


def is_whole(folder: Path, catalogue: Catalogue, models: Iterable[Model]) -> bool:
    """Whether all vectors that the catalogue tells of are there as they were written."""
    return all(_damaged(folder, catalogue, model) == [] for model in models)


def _damaged(folder: Path, catalogue: Catalogue, model: Model) -> list[int] | None:
    """The rows that are damaged; None where all of them have to be made anew."""
    file = _file(folder, model.name)
    try:
        file.refresh()
        known = catalogue.rows(model.name)
        if max(known, default=-1) >= file.rows:
            return None
        damaged = set(file.damaged())
        return [row for row in known if row in damaged]
    except BrokenVectorsError:
        return None
    finally:
        file.close()


class Asking:
    """Compares a query with all vectors that there are. One thread at a time uses it."""

    def __init__(self, folder: Path, models: Sequence[Model]) -> None:
        self._folder = folder
        self._here = tuple(models)
        self._models = self._here
        self._by_name = {model.name: model for model in self._models}
        self._files = {name: _file(folder, name) for name in self._by_name}
        self._catalogue: Catalogue | None = None
        self._mark = 0

    def ask(
        self,
        queries: Mapping[str, Vectors],
        *,
        limit: int,
        named: Collection[Lines] = (),
        english: bool = True,
    ) -> Nearness:
        """The nearest passages for the vectors of a query, by model. BrokenCatalogueError where there is no index.

        `english`: whether the query is. One that is not means passages in its own language, as far as there are any.
        """
        catalogue = self._opened()
        alike = self._alike(queries)
        own = {model.name for model in self._models if not model.rough}
        others = {model.name for model in self._models if model.tongue is Tongue.OTHERS}
        found: list[Near] = []
        chosen = own
        # The English model knows nothing of another language: what it finds is noise, unless nothing else is there.
        for chosen in (own,) if english or not others else (others, own):
            for model in self._models:
                found += self._nearest(catalogue, model, alike, chosen, limit=limit, english=english)
            if found:
                break
        found.sort(key=lambda near: (-near.closeness, near.path, near.first))
        near, as_of = self._named(catalogue, alike, chosen, named, english=english)
        return Nearness(tuple(found[:limit]), near, self._typical(alike, chosen, english=english), as_of)

    @property
    def models(self) -> list[str]:
        """The names of the models that have read something here: others need not be asked."""
        catalogue = self._opened()
        return [model.name for model in self._models if catalogue.has_of(model.name)]

    def close(self) -> None:
        """Let go of the files."""
        for file in self._files.values():
            file.close()
        if self._catalogue is not None:
            self._catalogue.close()
            self._catalogue = None

    def _opened(self) -> Catalogue:
        path = self._folder / CATALOGUE
        if self._catalogue is not None and not self._catalogue.is_at(path):
            # It was made anew since.
            self.close()
        if self._catalogue is None:
            self._catalogue = Catalogue(path)
        if self._catalogue.mark != self._mark:
            self._mark = self._catalogue.mark
            self._models = as_marked(self._mark, self._here)
            self._by_name = {model.name: model for model in self._models}
        return self._catalogue

    def _alike(self, queries: Mapping[str, Vectors]) -> dict[str, Vectors]:
        """How alike the query and each row are, by model."""
        found = {}
        for name, query in queries.items():
            if name in self._by_name:
                self._files[name].refresh()
                found[name] = self._files[name].similarities(query)
        return found

    def _near(self, alike: Vectors, model: Model, own: str, *, english: bool) -> Vectors:
        """How near passages are that are read by `model`, while the model `own` is theirs."""
        across = self._by_name[own].tongue is Tongue.OTHERS
        near = model.calibrated(alike, across=across and model.rough)
        return near - _ACROSS if english and across else near

    def _nearest(
        self,
        catalogue: Catalogue,
        model: Model,
        alike: Mapping[str, Vectors],
        chosen: Collection[str],
        *,
        limit: int,
        english: bool,
    ) -> list[Near]:
        """The nearest rows of a model, of passages that are for one of the `chosen`."""
        import numpy as np

        values = alike.get(model.name)
        if values is None or not len(values) or not (model.rough or model.name in chosen):
            return []
        if model.rough:
            rows = np.array([row for row in catalogue.rows(model.name) if row < len(values)], dtype=np.int64)
        else:
            rows = np.arange(len(values))
        most = min(len(rows), limit * _SPARE)
        if most:
            rows = rows[np.argpartition(-values[rows], most - 1)[:most]]
        rows = rows[values[rows] > model.floor]
        found = []
        for spot in catalogue.spots(model.name, rows.tolist(), rough=model.rough):
            if spot.model in chosen and self._files[model.name].is_whole(spot.row):
                near = float(self._near(values[spot.row], model, spot.model, english=english))
                if near > 0.0:
                    found.append(Near(spot.path, spot.first, spot.end, spot.key, spot.print_, near))
        return found

    def _named(
        self,
        catalogue: Catalogue,
        alike: Mapping[str, Vectors],
        chosen: Collection[str],
        named: Collection[Lines],
        *,
        english: bool,
    ) -> tuple[dict[tuple[DocPath, int], float], dict[DocPath, Key]]:
        found: dict[tuple[DocPath, int], float] = {}
        as_of: dict[DocPath, Key] = {}
        for path, first, end in named:
            for own, name, row, key in catalogue.rows_at(path, first, end, rough=rough_of(self._models)):
                values = alike.get(name)
                if values is not None and own in chosen and row < len(values):
                    near = float(self._near(values[row], self._by_name[name], own, english=english))
                    # Of a list, that of its nearest item.
                    found[path, first] = max(found.get((path, first), -_FAR), near)
                    as_of[path] = key
        return found, as_of

    def _typical(self, alike: Mapping[str, Vectors], chosen: Collection[str], *, english: bool) -> float:
        """The median over what the passages' own models have read; over what stands in, where that is all."""
        import numpy as np

        known = {self._by_name[name]: values for name, values in alike.items() if len(values)}
        own = [
            self._near(values, one, one.name, english=english) for one, values in known.items() if one.name in chosen
        ]
        near = own or [one.calibrated(values) for one, values in known.items() if one.rough]
        return float(np.median(np.concatenate(near))) if near else 0.0


def _path(folder: Path, model: str) -> Path:
    return folder / f"{model}.vectors"


def _file(folder: Path, model: str) -> VectorFile:
    return VectorFile(_path(folder, model), model)
