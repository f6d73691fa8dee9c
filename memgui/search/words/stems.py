"""What the forms of a word have in common, for languages that bend their words: Russian by its script, German.

A stem is kept beside the word, under a sign that no word begins with. English is left as it is written: its forms
differ little, and the meaning finds them. Other languages in Latin letters gain what they share with German: plurals.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache

from memgui.domain.language import is_english
from memgui.search.fold import fold

SIGN = "\N{SWUNG DASH}"
"""Stands before a stem."""

WEIGHT = 0.3
"""What a stem weighs, beside the 1.0 of a word as it was asked."""

LONGEST = 40
_SHORTEST = 4
_WORD = re.compile(r"[^\W\d_]{4,40}")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_MARKED = re.compile("[\u00df-\u024f\u0400-\u04ff]")
_SMALL = re.compile(r" (?:der|die|das|und|ist|nicht|mit|ein|eine|im|zu|auf|la|el|le|de|que|en|un|une|il|di) ")
_LATIN = re.compile("[a-z\u00df-\u024f]+")


def is_bent(text: str) -> bool:
    """Whether a text is in a language whose stems are kept. Plain English is told by a look."""
    if text.isascii():
        likely = _SMALL.search(text) is not None and " the " not in text
    else:
        likely = _MARKED.search(text) is not None
    return likely and not is_english(text)


def stems_in(text: str) -> Counter[str]:
    """The stems of the words of a text that is not English, each as often as it stands there."""
    return Counter(filter(None, map(stem, _WORD.findall(text))))


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """What the forms of a word share, under the sign; empty where there is no telling."""
    if not _SHORTEST <= len(word) <= LONGEST:
        return ""
    plain = unicodedata.normalize("NFC", word).lower()
    if _CYRILLIC.search(plain):
        found = _russian()(plain.replace("ё", "е"))
    elif _LATIN.fullmatch(plain):
        found = _german()(plain)
    else:
        return ""
    return SIGN + fold(found) if len(found) >= _SHORTEST - 1 else ""


# Loaded with the first word that is bent: most memories have none.


@cache
def _russian() -> Callable[[str], str]:
    from whoosh.lang.snowball import RussianStemmer

    stemmer: Callable[[str], str] = RussianStemmer().stem
    return stemmer


@cache
def _german() -> Callable[[str], str]:
    from whoosh.lang.snowball import GermanStemmer

    stemmer: Callable[[str], str] = GermanStemmer().stem
    return stemmer
