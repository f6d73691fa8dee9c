"""Words of a text as the index knows them: folded, identifiers whole and in their parts, unspaced scripts in pairs.

No word is too common or too short to be kept. What is asked and what is indexed go through the same rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from memgui.search.fold import fold
from memgui.search.words.stems import stem

RULE = 2
"""Counts up whenever the same text gives other words than before: an index made by another rule is made anew."""

LONGEST = 64
"""No word is longer; of a longer identifier only the parts are kept."""

MOST_PAIRS = 32
"""Of a longer run of an unspaced script only so many pairs are asked for."""

_MOST_REMEMBERED = 1 << 16
_CHUNK = re.compile(r"\S{1,512}")
_CONNECTORS = frozenset("_-./@'’")
_SOUND_MARKS = frozenset("\uff9e\uff9f")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff]"
)
"""Scripts that put no blanks between words, or hang endings on them."""

_RUN = re.compile("(?P<identifier>w[wm]*(?:c+w[wm]*)*)|(?P<unspaced>(?:um*)+)|(?P<sign>sm*)")
_PART = re.compile("w[wm]*")
_CLUSTER = re.compile("um*")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text: how the index knows it, and the characters it came from."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One piece of a query. A passage holds it if it holds `whole`, or its `stem`, or else all the `parts`.

    Each of them may be empty.
    """

    whole: str
    parts: tuple[str, ...] = ()
    stem: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Every word that counts for it."""
        return tuple(dict.fromkeys(filter(None, (self.whole, *self.parts))))


class _Kinds(dict[int, str]):
    """Code point -> what it is in a word: `w` letter or digit, `u` unspaced, `m` mark, `c` connector, `s` sign."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character in _CONNECTORS:
            kind = "c"
        elif character in _SOUND_MARKS or unicodedata.category(character)[0] == "M":
            kind = "m"
        elif character.isalnum():
            kind = "u" if _UNSPACED.match(character) else "w"
        else:
            kind = "s" if unicodedata.category(character) == "So" else " "
        self[code] = kind
        return kind


_KINDS = _Kinds()
_REMEMBERED: dict[str, tuple[str, ...]] = {}


def words(text: str) -> list[str]:
    """The words of a text, in order, each as often as it stands there."""
    found: list[str] = []
    remembered = _REMEMBERED
    for chunk in text.split():
        known = remembered.get(chunk)
        found += _remember(chunk) if known is None else known
    return found


def spans(text: str) -> Iterator[Word]:
    """The words of a text with their places."""
    for chunk in _CHUNK.finditer(text):
        for word in _words_in(chunk[0]):
            yield Word(word.text, chunk.start() + word.start, chunk.start() + word.end)


def asked(text: str) -> tuple[Asked, ...]:
    """The pieces of what somebody asks for, each once."""
    found: dict[Asked, None] = {}
    for chunk in _CHUNK.finditer(text):
        for run in _RUN.finditer(chunk[0].translate(_KINDS)):
            found[_asked_run(chunk[0][slice(*run.span())], run)] = None
    return tuple(piece for piece in found if piece.words)


def _remember(chunk: str) -> tuple[str, ...]:
    found = tuple(word.text for piece in _CHUNK.finditer(chunk) for word in _words_in(piece[0]))
    if len(_REMEMBERED) >= _MOST_REMEMBERED:
        _REMEMBERED.clear()
    if len(chunk) <= LONGEST:
        _REMEMBERED[chunk] = found
    return found


def _words_in(chunk: str) -> Iterator[Word]:
    for run in _RUN.finditer(chunk.translate(_KINDS)):
        if run["unspaced"] is not None:
            yield from _singles_and_pairs(chunk, run)
        elif run["sign"] is not None:
            yield Word(fold(chunk[slice(*run.span())]), *run.span())
        else:
            yield from _identifier(chunk, run)


def _identifier(chunk: str, run: re.Match[str]) -> Iterator[Word]:
    start, end = run.span()
    parts = [(start + part.start(), start + part.end()) for part in _PART.finditer(run[0])]
    if len(parts) > 1 and end - start <= LONGEST:
        yield Word(fold(chunk[start:end]), start, end)
    for begin, stop in parts:
        yield Word(fold(chunk[begin:stop])[:LONGEST], begin, stop)
        humps = _humps(chunk, begin, stop)
        if len(humps) > 1:
            yield from (Word(fold(chunk[a:b])[:LONGEST], a, b) for a, b in humps)


def _humps(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the words of `camelCase` begin and end."""
    inner = text[start + 1 : end]
    if inner.islower() or not any(character.isupper() for character in inner):
        return [(start, end)]
    cuts = [start]
    for at in range(start + 1, end):
        before, here = text[at - 1], text[at]
        after = text[at + 1] if at + 1 < end else ""
        if here.isupper() and (not before.isupper() or after.islower()):
            cuts.append(at)
    return list(zip(cuts, [*cuts[1:], end], strict=True))


def _singles_and_pairs(chunk: str, run: re.Match[str]) -> Iterator[Word]:
    places = [(run.start() + one.start(), run.start() + one.end()) for one in _CLUSTER.finditer(run[0])]
    for number, (start, end) in enumerate(places):
        yield Word(_pair(chunk[start:end]), start, end)
        if number + 1 < len(places):
            yield Word(_pair(chunk[start : places[number + 1][1]]), start, places[number + 1][1])


def _pair(text: str) -> str:
    return fold(unicodedata.normalize("NFKC", text))


def _asked_run(text: str, run: re.Match[str]) -> Asked:
    kinds = run[0]
    if run["sign"] is not None:
        return Asked(fold(text))
    if run["unspaced"] is not None:
        places = [one.span() for one in _CLUSTER.finditer(kinds)]
        if len(places) == 1:
            return Asked(_pair(text))
        pairs = (_pair(text[start:end]) for (start, _), (_, end) in pairwise(places))
        return Asked("", tuple(dict.fromkeys(pairs))[:MOST_PAIRS])
    whole = fold(text)
    humps = [hump for part in _PART.finditer(kinds) for hump in _humps(text, *part.span())]
    smallest = tuple(dict.fromkeys(fold(text[start:end])[:LONGEST] for start, end in humps))
    if len(smallest) == 1 and smallest[0] == whole[:LONGEST]:
        return Asked(smallest[0], stem=stem(text))
    return Asked(whole if len(text) <= LONGEST else "", smallest)
