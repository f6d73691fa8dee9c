"""The words of a query: what a file must hold where nothing holds the query as a whole."""

from __future__ import annotations

import re

MOST_WORDS = 24
"""Of a longer query only so many words are looked for, the longest."""

_EDGES = "\"'“”„‘’«»()[]{}<>.,;:!?…*`、。，；：！？「」『』（）"
_UNSPACED = re.compile(
    "[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+"
)
"""Scripts that put no blanks between words."""


def words_of(text: str) -> tuple[str, ...]:
    """The words between blanks, each once, without the punctuation around them."""
    found = dict.fromkeys(word for piece in text.split() if (word := piece.strip(_EDGES) or piece))
    return _longest(list(found))


def parts_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words, with runs of a script that has no blanks (a Chinese question) taken apart into pairs."""
    parts: dict[str, None] = {}
    for word in words:
        at = 0
        for run in _UNSPACED.finditer(word):
            parts.update(dict.fromkeys(filter(None, (word[at : run.start()].strip(_EDGES),))))
            parts.update(dict.fromkeys(_pairs(run[0])))
            at = run.end()
        parts.update(dict.fromkeys(filter(None, (word[at:].strip(_EDGES) if at else word,))))
    return _longest(list(parts))


def _pairs(run: str) -> list[str]:
    return [run] if len(run) <= 2 else [run[i : i + 2] for i in range(len(run) - 1)]


def _longest(words: list[str]) -> tuple[str, ...]:
    if len(words) <= MOST_WORDS:
        return tuple(words)
    kept = set(sorted(words, key=len, reverse=True)[:MOST_WORDS])
    return tuple(word for word in words if word in kept)[:MOST_WORDS]
