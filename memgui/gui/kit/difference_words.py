"""Which words of a line are others than in the line that stood in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

Marks = tuple[tuple[int, int], ...]
"""From where to where, in characters."""

MOST_TOKENS = 400
"""Lines of more pieces than this are compared only at their ends: every pair of pieces is looked at otherwise."""
_MOST_PAIRS = 400
_LEAST_ALIKE = 0.3
"""Lines that share less than this are told as wholly other: marks all over would say nothing."""
_TOKENS = re.compile("‹[^›]*›|[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|\\w+|\\s+|.")


def changed_words(old: str, new: str) -> tuple[Marks, Marks]:
    """Where the old line has words that the new one lacks, and the new one words that are new."""
    before, after = _TOKENS.findall(old), _TOKENS.findall(new)
    head = _alike_at_start(before, after)
    tail = _alike_at_start(before[head:][::-1], after[head:][::-1])
    inner_old, inner_new = before[head : len(before) - tail], after[head : len(after) - tail]
    shared = sum(map(len, (*before[:head], *(before[len(before) - tail :] if tail else ()))))
    runs = [(0, len(inner_old), 0, len(inner_new))]
    if len(inner_old) <= MOST_TOKENS and len(inner_new) <= MOST_TOKENS:
        matcher = SequenceMatcher(None, inner_old, inner_new, autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if _is_worth(inner_old, block.a, block.size)]
        shared += sum(len(token) for block in blocks for token in inner_old[block.a : block.a + block.size])
        runs, start_old, start_new = [], 0, 0
        for block in blocks:
            runs.append((start_old, block.a, start_new, block.b))
            start_old, start_new = block.a + block.size, block.b + block.size
        runs.append((start_old, len(inner_old), start_new, len(inner_new)))
    if shared < _LEAST_ALIKE * max(len(old), len(new)):
        return (), ()
    ours = _places(before, [(head + a, head + b) for a, b, _c, _d in runs])
    theirs = _places(after, [(head + c, head + d) for _a, _b, c, d in runs])
    return ours, theirs


def partners(removed: Sequence[str], added: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Which lost line stands for which new one: by place where there are as many, else by the words they share."""
    if len(removed) == len(added):
        return tuple((at, at) for at in range(len(removed)))
    if len(removed) * len(added) > _MOST_PAIRS:
        return ()
    ours, theirs = ([frozenset(_TOKENS.findall(line)) for line in side] for side in (removed, added))
    found: list[tuple[int, int]] = []
    free = 0
    for at, words in enumerate(ours):
        best, how_much = -1, 0.5
        for other in range(free, len(theirs)):
            together = len(words & theirs[other]) / max(1, len(words | theirs[other]))
            if together > how_much:
                best, how_much = other, together
        if best >= 0:
            found.append((at, best))
            free = best + 1
    return tuple(found)


def _is_worth(tokens: Sequence[str], start: int, size: int) -> bool:
    """A lone blank or comma that is alike between two changes parts one mark into crumbs."""
    return size > 0 and any(token.isalnum() or len(token) > 2 for token in tokens[start : start + size])


def _alike_at_start(one: Sequence[str], other: Sequence[str]) -> int:
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)


def _places(tokens: Sequence[str], runs: Sequence[tuple[int, int]]) -> Marks:
    starts = [0]
    for token in tokens:
        starts.append(starts[-1] + len(token))
    return tuple((starts[a], starts[b]) for a, b in (_without_blanks(tokens, a, b) for a, b in runs) if a < b)


def _without_blanks(tokens: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """Without the blanks around: those are marked only where nothing but blanks differs."""
    a, b = start, end
    while a < b and tokens[a].isspace():
        a += 1
    while b > a and tokens[b - 1].isspace():
        b -= 1
    return (a, b) if a < b else (start, end)
