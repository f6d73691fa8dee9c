"""Finding text in lines as a person means it: by default without regard to case, accents or width."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from memgui.domain.signs import is_whole


@dataclass(frozen=True, slots=True, order=True)
class Match:
    """A place in the text: a line from 0, and from where up to where in it, in characters."""

    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for."""

    text: str
    exact: bool = False
    """Case, accents and width count."""
    whole_words: bool = False

    def in_line(self, line: str) -> list[tuple[int, int]]:
        """Where it stands in a line, from left to right, apart from each other."""
        needle = self.text if self.exact else folded(self.text)
        if not needle:
            return []
        if self.exact:
            spans = _spans(line, needle)
        elif line.isascii():
            spans = _spans(line.lower(), needle)
        else:
            hay, origin = _fold_with_origin(line)
            spans = [(origin[start], _end(line, origin[end - 1] + 1)) for start, end in _spans(hay, needle)]
            # Half of a ligature is no place: nothing could be put there without what the other half says.
            spans = [span for span in spans if folded(line[slice(*span)]) == needle]
        whole = self.whole_words
        return [span for span in spans if is_whole(line, *span) and not (whole and not _stands_alone(line, *span))]


@lru_cache(maxsize=64)
def folded(text: str) -> str:
    """The form in which two texts are the same to a reader."""
    if text.isascii():
        return text.lower()
    return "".join(map(_folded_character, text))


@lru_cache(maxsize=4096)
def _folded_character(character: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", character).casefold() if not unicodedata.combining(c))


def _fold_with_origin(line: str) -> tuple[str, list[int]]:
    pieces: list[str] = []
    origin: list[int] = []
    for at, character in enumerate(line):
        piece = _folded_character(character)
        pieces.append(piece)
        origin.extend([at] * len(piece))
    return "".join(pieces), origin


def _spans(hay: str, needle: str) -> list[tuple[int, int]]:
    spans, at = [], hay.find(needle)
    while at >= 0:
        spans.append((at, at + len(needle)))
        at = hay.find(needle, at + len(needle))
    return spans


def _end(line: str, end: int) -> int:
    """An accent written as a character of its own belongs to the letter before it."""
    while end < len(line) and unicodedata.combining(line[end]):
        end += 1
    return end


def _stands_alone(line: str, start: int, end: int) -> bool:
    return not (_is_word(line, start - 1) and _is_word(line, start)) and not (
        _is_word(line, end - 1) and _is_word(line, end)
    )


def _is_word(line: str, at: int) -> bool:
    return 0 <= at < len(line) and (line[at].isalnum() or line[at] == "_")
