"""Writing what is known of the meaning: documents held, vectors made, and what is damaged found and taken away."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from memgui.domain.paths import DocPath
from memgui.search.meaning.catalogue import CATALOGUE, BrokenCatalogueError, Catalogue
from memgui.search.meaning.common import common_of, is_kept, keep_common
from memgui.search.meaning.embedders import Embedder, Model
from memgui.search.meaning.sharing import model_for
from memgui.search.meaning.texts import passage_texts
from memgui.search.meaning.vectors import BrokenVectorsError, vectors_of, vectors_path
from memgui.search.segments import Key


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
    file = vectors_of(folder, name)
    if not is_kept(file.common_path):
        _clear(file.common_path)
        keep_common(file.common_path, common_of(embedder))
    first = file.add(embedder.passages(list(texts.values())))
    catalogue.put(name, [(print_, first + number) for number, print_ in enumerate(texts)], rough=rough)


def drop(folder: Path, catalogue: Catalogue, model: str) -> None:
    """Take the vectors of a model away."""
    path = vectors_path(folder, model)
    if path.exists() or catalogue.has_of(model):
        catalogue.drop_vectors(model)
        _clear(path)


def check_vectors(folder: Path, catalogue: Catalogue, models: Iterable[Model]) -> None:
    """Forget the vectors of a file that is of nobody, gone or shorter than it was, and those that are damaged."""
    for model in models:
        damaged = _damaged(folder, catalogue, model)
        if damaged is None:
            catalogue.drop_vectors(model.name)
            _clear(vectors_path(folder, model.name))
        elif damaged:
            catalogue.drop_rows(model.name, damaged)


def is_whole(folder: Path, catalogue: Catalogue, models: Iterable[Model]) -> bool:
    """Whether all vectors that the catalogue tells of are there as they were written."""
    return all(_damaged(folder, catalogue, model) == [] for model in models)


def _damaged(folder: Path, catalogue: Catalogue, model: Model) -> list[int] | None:
    """The rows that are damaged; None where all of them have to be made anew."""
    file = vectors_of(folder, model.name)
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
