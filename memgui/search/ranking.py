"""Which files come first, and which of their lines are shown: the answer to a query as a person reads it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log2

from memgui.domain.hits import FileHits, Found, HitGroup, Reading, SearchHit
from memgui.domain.paths import DocPath, is_document, name_of, sort_key
from memgui.domain.query import words_of
from memgui.search.excerpts import HEADING, WHOLE_WORD, Query, line_hits, name_hit
from memgui.search.fold import needle_of
from memgui.search.literal import Enough, LiteralIndex, Match, Matches, Stop, never
from memgui.search.segments import Key

Read = Callable[[DocPath], tuple[bytes, Key] | None]
"""Gives the bytes of a file as it is now, and what state that is; None where it cannot be read as text."""

CURATED, DOCUMENT, NAMED = 4.0, 2.0, 3.0
_CURATED_NAMES = frozenset(
    f"{name}.md" for name in ("memory", "heartbeat", "soul", "identity", "user", "agents", "tools", "claude", "readme")
)
_DAY = 86_400_000_000_000
_MONTH = 30.0
_LINES_WEIGHED = 40
"""Of a file so many lines are weighed, where few files hold the query; where many do, only those that are shown."""
_WEIGHED_ONE_BY_ONE = 800
"""Where more files than this hold the query, only what is known of each file decides which are looked at."""
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_")


def weight_of(path: DocPath, mtime_ns: int) -> float:
    """What is known of a file before anything is asked: curated files and documents are worth more, then newer ones."""
    worth = mtime_ns / _DAY / 1000
    if is_curated(path):
        return worth + CURATED + DOCUMENT
    return worth + DOCUMENT if is_document(path) else worth


def is_curated(path: DocPath) -> bool:
    """Whether its name says that a person or agent keeps it with care."""
    return name_of(path).lower() in _CURATED_NAMES


@dataclass(frozen=True, slots=True)
class Asked:
    """How an answer is wanted: so many files, so many lines of each; without `count`, all places are counted only where
    that is no work."""

    limit: int = 50
    per_file: int = 5
    relax: bool = True
    stop: Stop = never
    count: bool = True


def answer(index: LiteralIndex, text: str, read: Read, asked: Asked) -> Found:
    """The files that hold `text` as it is typed; where none does and `relax`, those that hold all of its words."""
    whole = needle_of(text)
    if not whole:
        return Found(text)
    query = Query(text.strip(), (whole,))
    enough = None if asked.count else Enough(_WEIGHED_ONE_BY_ONE, asked.limit + asked.limit // 10, NAMED)
    matches = index.search(whole.encode(), stop=asked.stop, enough=enough)
    count = partial(matches.count, asked.stop)
    holders = Holders(best(matches, asked.limit), matches.files, count, matches.stopped, matches.is_counted)
    words = needles_of(words_of(text)) if asked.relax and not holders.files and not holders.stopped else ()
    if len(words) > 1:
        query = Query(text.strip(), words, HitGroup.WORDS)
        holders = holding_all(index, words, stop=asked.stop)
    return _answer(text, query, holders, read, asked)


@dataclass(frozen=True, slots=True)
class Holders:
    """Files that hold a query, as many as are worth looking at; how many there are, and what counts the places."""

    chosen: Sequence[Match]
    files: int
    count: Callable[[], int]
    stopped: bool = False
    is_counted: bool = True
    """Whether counting is no work."""


def needles_of(words: Sequence[str]) -> tuple[str, ...]:
    """The words folded, each once."""
    return tuple(dict.fromkeys(filter(None, map(needle_of, words))))


def holding_all(index: LiteralIndex, needles: Sequence[str], *, stop: Stop = never) -> Holders:
    """The files that hold every needle, in the text or the path."""
    # The longest is likely to be the rarest, and leaves least to be looked through for the others.
    first, *others = sorted((needle.encode() for needle in needles), key=len, reverse=True)
    found = index.search(first, stop=stop)
    files = [match for match in found.all() if all(match.holds(needle) for needle in others)]
    files.sort(key=lambda match: (-match.entry.weight, match.entry.path))
    return Holders(files, len(files), lambda: sum(match.count((first, *others)) for match in files), found.stopped)


def best(matches: Matches, limit: int) -> list[Match]:
    """The files that promise most: somewhat more than `limit` of them, where there are."""
    if matches.files <= _WEIGHED_ONE_BY_ONE:
        return promising(matches.all(), matches.needle, limit)
    ranked: list[tuple[float, DocPath, int, int]] = []
    parts = sorted(enumerate(matches.parts), key=lambda one: one[1].bound(NAMED), reverse=True)
    for part, found in parts:
        if len(ranked) == limit and -ranked[-1][0] > found.bound(NAMED):
            # No file of this part, or of those after it, outweighs what there is.
            break
        ranked += [(-worth, path, part, i) for worth, path, i in found.weightiest(limit, NAMED)]
        ranked = heapq.nsmallest(limit, ranked)
    return [matches.parts[part].match(i) for _worth, _path, part, i in ranked]


def promising(files: list[Match], needle: bytes, limit: int) -> list[Match]:
    """Those of the files that promise most, by what the folded text tells; somewhat more than `limit`."""
    if len(files) <= limit:
        return files
    ranked = [(-_promise(match, needle), match.entry.path, i) for i, match in enumerate(files)]
    return [files[i] for _worth, _path, i in heapq.nsmallest(limit + limit // 10, ranked)]


def _promise(match: Match, needle: bytes) -> float:
    worth = match.entry.weight + NAMED * match.named
    if not match.inside:
        return worth
    data, (start, end) = match.segment.texts.data, match.span
    first = at = data.find(needle, start, end)
    for _try in range(2):
        after = at + len(needle)
        if (at == start or data[at - 1] not in _WORD_BYTES) and (after >= end or data[after] not in _WORD_BYTES):
            worth += WHOLE_WORD
            break
        at = data.find(needle, after, end)
        if at < 0:
            break
    line = max(start, data.rfind(b"\n", start, first) + 1)
    return worth + HEADING * (data[line : line + 1] == b"#")


def _answer(text: str, query: Query, holders: Holders, read: Read, asked: Asked) -> Found:
    needles = tuple(needle.encode() for needle in query.needles)
    reading = Reading.ALL if query.group is HitGroup.WORDS and holders.files else Reading.WHOLE
    chosen = holders.chosen[: asked.limit + asked.limit // 10]
    newest = max((match.entry.key.mtime_ns for match in chosen), default=0)
    lines = asked.per_file if len(chosen) > asked.limit // 2 else max(asked.per_file, _LINES_WEIGHED)
    stopped = holders.stopped
    files: list[FileHits] = []
    gone: list[Match] = []
    for match in chosen:
        if stopped or asked.stop():
            stopped = True
            break
        file = _file_hits(match, query, needles, read, newest=newest, per_file=asked.per_file, weighed=lines)
        if file is None:
            # The file changed since it was folded; the index will hear of it, this answer already knows.
            gone.append(match)
        else:
            files.append(file)
    files.sort(key=lambda file: (-file.score, sort_key(file.path)))
    files = files[: asked.limit]
    shown = sum(file.total for file in files)
    rows = Found(text, tuple(files), shown, holders.files - len(gone), reading, stopped=stopped, counted=False)
    if stopped or not (asked.count or holders.is_counted):
        return rows
    total = holders.count() - sum(match.count(needles) for match in gone)
    if asked.stop():
        return replace(rows, stopped=True)
    return replace(rows, total_hits=max(total, shown), counted=True)


def _file_hits(
    match: Match,
    query: Query,
    needles: tuple[bytes, ...],
    read: Read,
    *,
    newest: int,
    per_file: int,
    weighed: int,
) -> FileHits | None:
    path = match.entry.path
    data = read(path) if match.inside or len(needles) > 1 else None
    hits = _line_hits(match, data, query, max(per_file, weighed)) if data is not None else ()
    if match.named:
        hits = (name_hit(path, query), *hits)
    if not hits:
        return None
    total = match.count(needles)
    worth = max(hit.score for hit in hits) + match.entry.weight - weight_of(DocPath(""), match.entry.key.mtime_ns)
    worth += 1 / (1 + (newest - match.entry.key.mtime_ns) / _DAY / _MONTH) + 0.3 * log2(1 + total)
    shown = sorted(hits, key=lambda hit: (-hit.score, hit.line))[:per_file]
    shown.sort(key=lambda hit: (hit.line, not hit.in_name))
    return FileHits(path, tuple(shown), total, worth)


def _line_hits(match: Match, found: tuple[bytes, Key], query: Query, limit: int) -> tuple[SearchHit, ...]:
    data, key = found
    folded = match.segment.texts.text(match.index) if key == match.entry.key else None
    return line_hits(match.entry.path, data, query, limit=limit, folded=folded)
