"""A document as the index takes it: passages, each with its words and what each word weighs there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from memgui.domain import frontmatter as block
from memgui.domain.daily import day_of
from memgui.domain.lines import Lines
from memgui.domain.outline import outline
from memgui.domain.passages import passages_of
from memgui.domain.paths import DocPath, name_of, parent_of, stem_of, visible
from memgui.search.fold import fold, text_of
from memgui.search.words import stems
from memgui.search.words.analysis import words

HEADING, ABOVE, NAME, FOLDER, TITLE = 2.0, 1.0, 3.5, 1.5, 2.5
"""What a word weighs, beside the 1.0 of the text: in the passage's own heading, in one above it, in the file's name,
in its folders, in the title, description and tags of its front matter."""

LATER = 0.3
"""So much of what a whole document shares counts after its first passage: enough to be found together with it."""

_MOST_META = 400
_TASK = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+\[(?P<mark>[ xX])\](?:\s|$)")
_KEPT_KEYS = ("title", "name", "description", "tags", "keywords", "aliases")


@dataclass(frozen=True, slots=True)
class Piece:
    """One passage: lines `first` up to `end` (from 0), the weight of each word, how many words it has, its marks."""

    first: int
    end: int
    weights: Mapping[str, float]
    length: int
    marks: frozenset[str]


def pieces_of(path: DocPath, data: bytes, *, first: int | None = None) -> list[Piece]:
    """The passages of a document, at least one. Never raises, whatever the bytes are.

    `first`: only the one that begins in this line is wanted, if there is one.
    """
    text = text_of(data)
    lines = Lines.split(text).texts
    entries = outline(lines)
    headings = {entry.line - 1: entry.level for entry in entries}
    meta = block.read(text)
    shared, marks = _of_the_file(path, text, meta)
    later = {word: weight * LATER for word, weight in shared.items()}
    day = day_of(path)
    found = []
    trail: list[tuple[int, int]] = []
    for passage in passages_of(lines, frozenset(headings), daily=day is not None):
        trail = _trail(trail, headings, passage.first)
        if first is not None and passage.first != first:
            shared = later
            continue
        body = lines[passage.first : passage.end]
        joined = "\n".join(body)
        inside = words(joined)
        weights: Counter[str] = Counter(inside)
        gained = dict(shared)
        shared = later
        for line, _level in trail:
            own = passage.first <= line < passage.end
            _add(gained, words(lines[line]), HEADING if own else ABOVE)
        heavy: dict[str, float] = {word: float(count) for word, count in weights.items()}
        for word, weight in gained.items():
            heavy[word] = heavy.get(word, 0.0) + weight
        if stems.is_bent(joined):
            heavy |= {one: count * stems.WEIGHT for one, count in stems.stems_in(joined).items()}
        found.append(Piece(passage.first, passage.end, heavy, len(inside), marks | task_marks(body)))
    if found or first:
        return found
    # A document without a word is found by its name.
    return [Piece(0, 1, shared, 0, marks)]


def task_marks(lines: Sequence[str]) -> frozenset[str]:
    """Whether open or finished tasks stand in these lines."""
    return frozenset("done" if is_done else "todo" for line in lines if (is_done := task_in(line)) is not None)


def task_in(line: str) -> bool | None:
    """Whether the task in a line is finished; None where the line is no task."""
    task = _TASK.match(line)
    return None if task is None else task["mark"] != " "


def _trail(trail: list[tuple[int, int]], headings: Mapping[int, int], first: int) -> list[tuple[int, int]]:
    """The headings that a passage beginning here stands below, the nearest last, and its own."""
    last = trail[-1][0] if trail else -1
    kept = list(trail)
    for line in sorted(line for line in headings if last < line <= first):
        kept = [(above, level) for above, level in kept if level < headings[line]]
        kept.append((line, headings[line]))
    return kept


def _of_the_file(path: DocPath, text: str, meta: block.FrontMatter | None) -> tuple[dict[str, float], frozenset[str]]:
    """What every passage of a document shares: the words of its path and front matter, and the marks of both."""
    shared: dict[str, float] = {}
    _add(shared, words(visible(stem_of(name_of(path)))), NAME)
    _add(shared, words(visible(parent_of(path)).replace("/", " ")), FOLDER)
    marks = set()
    day = day_of(path)
    if day is not None:
        marks |= {f"day={day.text}", f"day={day.text[:7]}", f"day={day.text[:4]}"}
    if meta is not None:
        _add(shared, _titles(text, meta)[:_MOST_META], TITLE)
        marks |= {f"{key}={fold(value)}" for key, value in (("type", meta.type), ("status", meta.status)) if value}
    return shared, frozenset(marks)


def _titles(text: str, meta: block.FrontMatter) -> list[str]:
    """The words of the keys that say what the document is about."""
    values = _loaded(text, meta)
    if values is None:
        return words(" ".join(filter(None, (meta.name, meta.description))))
    return [word for key in _KEPT_KEYS for value in _flat(values.get(key), 3) for word in words(value)]


def _loaded(text: str, meta: block.FrontMatter) -> Mapping[str, Any] | None:
    """The front matter as YAML; None where it is none. The library is given the block alone, and no aliases."""
    head = text[: meta.body].lstrip("\ufeff \t\r\n")
    if not head or "&" in head or "*" in head:
        # An alias can make a small block enormous; a block that has none of either sign cannot hold one.
        return None
    # Loaded with the first block that there is: a query needs neither.
    import frontmatter
    import yaml

    try:
        values = frontmatter.loads(head).metadata
    except (yaml.YAMLError, ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return None
    return values if isinstance(values, dict) and values else None


def _flat(value: Any, depth: int) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, (int, float, date, datetime)):
        return [str(value)]
    if isinstance(value, (list, tuple)) and depth:
        return [text for item in value[:50] for text in _flat(item, depth - 1)]
    return []


def _add(weights: dict[str, float], found: Sequence[str], weight: float) -> None:
    """Each word once: said twice in a path it weighs no more."""
    for word in dict.fromkeys(found):
        weights[word] = weights.get(word, 0.0) + weight
