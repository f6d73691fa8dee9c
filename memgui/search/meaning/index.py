"""Asking what is known of the meaning: which passages are near a query, from what is in the cache just now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memgui.domain.paths import DocPath
from memgui.search.meaning.catalogue import CATALOGUE, BrokenCatalogueError, Catalogue
from memgui.search.meaning.embedders import Model, Tongue
from memgui.search.meaning.sharing import as_marked, rough_of
from memgui.search.meaning.vectors import BrokenVectorsError, vectors_of
from memgui.search.segments import Key

if TYPE_CHECKING:
    from memgui.search.meaning.embedders import Vectors

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


class Asking:
    """Compares a query with all vectors that there are. One thread at a time uses it."""

    def __init__(self, folder: Path, models: Sequence[Model]) -> None:
        self._folder = folder
        self._here = tuple(models)
        self._models = self._here
        self._by_name = {model.name: model for model in self._models}
        self._files = {name: vectors_of(folder, name) for name in self._by_name}
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
