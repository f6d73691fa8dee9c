"""`MeaningIndex`: the passages and vectors of a workspace in its cache folder, as one process writes and others ask."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memgui.domain.paths import DocPath
from memgui.search.meaning.catalogue import BrokenCatalogueError, Catalogue, Spot
from memgui.search.meaning.common import common_of, keep_common
from memgui.search.meaning.embedders import Embedder, Model, Tongue
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


def open_writer(folder: Path) -> Catalogue:
    """The catalogue, to be written: made where there is none, made anew where it is damaged."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    try:
        return Catalogue(folder / CATALOGUE, writes=True)
    except BrokenCatalogueError:
        discard(folder)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        return Catalogue(folder / CATALOGUE, writes=True)


def discard(folder: Path) -> None:
    """Take the index away: it can be made again from the documents."""
    shutil.rmtree(folder, ignore_errors=True)


def model_for(passage: PassageText, models: Sequence[Model]) -> Model | None:
    """Which model a passage is for."""
    tongue = Tongue.ENGLISH if passage.english else Tongue.OTHERS
    return next((model for model in models if model.tongue in (tongue, Tongue.ALL)), None)


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
) -> int:
    """Make the vectors that a document lacks, at most so many of them; how many were made."""
    wanted = catalogue.without(path)
    made = 0
    for name in sorted({model for model, _print in wanted}):
        embedder = embedder_of(name)
        texts = {one.print_: one.text for one in passage_texts(path, data) if (name, one.print_) in wanted}
        some = dict(list(texts.items())[: max(0, most - made)])
        if embedder is None or not some:
            continue
        file = _file(folder, name)
        if not file.common_path.exists():
            keep_common(file.common_path, common_of(embedder))
        first = file.add(embedder.passages(list(some.values())))
        catalogue.put(name, [(print_, first + number) for number, print_ in enumerate(some)])
        made += len(some)
    return made


def check_vectors(folder: Path, catalogue: Catalogue, models: Iterable[Model]) -> None:
    """Forget the vectors of a file that is damaged, gone or shorter than it was."""
    for model in models:
        try:
            rows = _file(folder, model.name).rows
        except BrokenVectorsError:
            rows = 0
        if rows <= catalogue.last_row(model.name):
            with suppress(FileNotFoundError):
                os.unlink(_path(folder, model.name))
            catalogue.drop_vectors(model.name)


class Asking:
    """Compares a query with all vectors that there are. One thread at a time uses it."""

    def __init__(self, folder: Path, models: Sequence[Model]) -> None:
        self._folder = folder
        self._models = tuple(models)
        self._files = {model.name: _file(folder, model.name) for model in models}
        self._catalogue: Catalogue | None = None

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
        import numpy as np

        if self._catalogue is None:
            self._catalogue = Catalogue(self._folder / CATALOGUE)
        found: list[Near] = []
        closeness: dict[str, Vectors] = {}
        for model in self._models:
            query = queries.get(model.name)
            if query is None:
                continue
            file = self._files[model.name]
            file.refresh()
            near = model.calibrated(file.similarities(query))
            if english and model.tongue is Tongue.OTHERS:
                near = near - _ACROSS
            closeness[model.name] = near
            nearest = self._nearest(self._catalogue, model, file, near, limit)
            if not english and model.tongue is Tongue.OTHERS and nearest:
                # The English model knows nothing of this language; what it would find is noise.
                found, closeness = nearest, {model.name: near}
                break
            found += nearest
        known = [values for values in closeness.values() if len(values)]
        typical = float(np.median(np.concatenate(known))) if known else 0.0
        found.sort(key=lambda near: (-near.closeness, near.path, near.first))
        return Nearness(tuple(found[:limit]), self._named(self._catalogue, closeness, named), typical)

    @property
    def has_any(self) -> bool:
        """Whether any passage has a vector."""
        if self._catalogue is None:
            self._catalogue = Catalogue(self._folder / CATALOGUE)
        return self._catalogue.has_any

    def close(self) -> None:
        """Let go of the files."""
        for file in self._files.values():
            file.close()
        if self._catalogue is not None:
            self._catalogue.close()
            self._catalogue = None

    def _nearest(
        self, catalogue: Catalogue, model: Model, file: VectorFile, closeness: Vectors, limit: int
    ) -> list[Near]:
        import numpy as np

        most = min(len(closeness), limit * _SPARE)
        if not most:
            return []
        best = np.argpartition(-closeness, most - 1)[:most]
        rows = [int(row) for row in best if closeness[row] > 0.0]
        if not rows:
            return []
        spots: list[Spot] = [spot for spot in catalogue.spots(model.name, rows) if file.is_whole(spot.row)]
        return [
            Near(spot.path, spot.first, spot.end, spot.key, spot.print_, float(closeness[spot.row])) for spot in spots
        ]

    def _named(
        self, catalogue: Catalogue, closeness: Mapping[str, Vectors], named: Collection[Lines]
    ) -> dict[tuple[DocPath, int], float]:
        found: dict[tuple[DocPath, int], float] = {}
        for path, first, end in named:
            for model, row in catalogue.rows_at(path, first, end):
                values = closeness.get(model)
                if values is not None and row < len(values):
                    # Of a list, that of its nearest item.
                    found[path, first] = max(found.get((path, first), -_FAR), float(values[row]))
        return found


def _path(folder: Path, model: str) -> Path:
    return folder / f"{model}.vectors"


def _file(folder: Path, model: str) -> VectorFile:
    return VectorFile(_path(folder, model), model)
