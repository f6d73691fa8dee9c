"""A question to the meaning of memory: put here and now, or written down for the process that answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgui.domain.language import is_english
from memgui.domain.paths import DocPath
from memgui.search.meaning import index
from memgui.search.meaning.embedders import Embedder, Model
from memgui.search.meaning.index import Asking, Lines, Near, Nearness
from memgui.search.segments import Key

if TYPE_CHECKING:
    from memgui.search.meaning.embedders import Vectors

LONGEST = 1_000
"""Characters of a question that count; models read no more than some hundred words."""


Queries = dict[str, "Vectors"]
"""One text as each model reads it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The nearest `limit` passages for a text, and how near those are that stand in the named lines."""

    text: str
    limit: int
    named: tuple[Lines, ...] = ()


class Question:
    """Answers questions from what is in the cache. One thread at a time uses it."""

    def __init__(self, folder: Path, models: Sequence[Model], embedder: Callable[[str], Embedder | None]) -> None:
        self._embedder = embedder
        self._asking = Asking(folder, models)

    def read(self, text: str) -> Queries:
        """A text as vectors, by model; none where there is no model, no vector to compare them with, or a damaged one.

        What the models compute keeps nobody else waiting.
        """
        text, queries = _asked(text), Queries()
        with self._guarded():
            # A model that has read nothing here is not even loaded.
            for name in self._asking.models if text else ():
                embedder = self._embedder(name)
                if embedder is not None:
                    queries[name] = embedder.query(text)
        return queries

    def answer(self, wanted: Wanted, queries: Queries | None = None) -> Nearness | None:
        """None where nothing is known: there is no model, no vector yet, or the vectors are damaged.

        `queries`: the text as it was read already.
        """
        queries = self.read(wanted.text) if queries is None else queries
        with self._guarded():
            if queries:
                english = is_english(_asked(wanted.text))
                return self._asking.ask(queries, limit=wanted.limit, named=wanted.named, english=english)
        return None

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (*index.Broken, OSError, RuntimeError, ValueError):
            # Whoever writes them makes them anew; until then the words answer alone.
            self._asking.close()

    def close(self) -> None:
        """Let go of the files."""
        self._asking.close()


def _asked(text: str) -> str:
    return text.strip()[:LONGEST]


# As a message -------------------------------------------------------------------------------------------------------


def wanted_values(wanted: Wanted) -> dict[str, Any]:
    """A question as a message holds it."""
    return {"text": wanted.text, "limit": wanted.limit, "named": [list(place) for place in wanted.named]}


def wanted_of(values: Mapping[str, Any]) -> Wanted:
    """The question that a message holds."""
    named = tuple((DocPath(path), int(first), int(end)) for path, first, end in values["named"])
    return Wanted(str(values["text"]), int(values["limit"]), named)


def nearness_values(found: Nearness) -> dict[str, Any]:
    """An answer as a message holds it."""
    return {
        "found": [
            [near.path, near.first, near.end, *_key_values(near.key), near.print_.hex(), near.closeness]
            for near in found.found
        ],
        "named": [[path, first, closeness] for (path, first), closeness in found.named.items()],
        "typical": found.typical,
        "as_of": [[path, *_key_values(key)] for path, key in found.as_of.items()],
    }


def nearness_of(values: Mapping[str, Any]) -> Nearness:
    """The answer that a message holds."""
    found = tuple(
        Near(DocPath(path), first, end, Key(size, mtime, ctime, inode), bytes.fromhex(print_), closeness)
        for path, first, end, size, mtime, ctime, inode, print_, closeness in values["found"]
    )
    named = {(DocPath(path), first): closeness for path, first, closeness in values["named"]}
    as_of = {DocPath(path): Key(*key) for path, *key in values["as_of"]}
    return Nearness(found, named, float(values["typical"]), as_of)


def _key_values(key: Key) -> tuple[int, int, int, int]:
    return key.size, key.mtime_ns, key.ctime_ns, key.inode
