"""Which files come first, and which of their lines are shown: the answer to a query as a person reads it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2

from memgui.domain.hits import FileHits, Found, HitGroup, Reading
from memgui.domain.paths import DocPath, is_document, name_of, sort_key
from memgui.domain.query import words_of
from memgui.search.excerpts import Query, line_hits, name_hit
from memgui.search.fold import needle_of
from memgui.search.literal import LiteralIndex, Match, Matches, Stop, never

Read = Callable[[DocPath], bytes | None]
"""Gives the bytes of a file as it is now; None where it cannot be read."""

CURATED, DOCUMENT, NAMED = 4.0, 2.0, 3.0
_CURATED_NAMES = frozenset(
    f"{name}.md" for name in ("memory", "heartbeat", "soul", "identity", "user", "agents", "tools", "claude", "readme")
)
_DAY = 86_400_000_000_000
_MONTH = 30.0
_LINES_WEIGHED = 40
"""Of a file so many lines are weighed, where few files hold the query; where many do, only those that are shown."""
_WEIGHED_ONE_BY_ONE = 1200
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


def answer(
    index: LiteralIndex,
    text: str,
    read: Read,
    *,
    limit: int,
    per_file: int,
    relax: bool = True,
    stop: Stop = never,
) -> Found:
    """The files that hold `text` as it is typed; where none does and `relax`, those that hold all of its words."""
    whole = needle_of(text)
    if not whole:
        return Found(text)
    query = Query(text.strip(), (whole,))
    matches = index.search(whole.encode(), stop=stop)
    holders = Holders(best(matches, whole.encode(), limit), matches.files, matches.total, matches.stopped)
    words = needles_of(words_of(text)) if relax and not holders.files and not holders.stopped else ()
    if len(words) > 1:
        query = Query(text.strip(), words, HitGroup.WORDS)
        holders = holding_all(index, words, stop=stop)
    return _answer(text, query, holders, read, limit=limit, per_file=per_file, stop=stop)


@dataclass(frozen=True, slots=True)
class Holders:
    """Files that hold a query, as many as are worth looking at; and how many there are, with how many places."""

    chosen: Sequence[Match]
    files: int
    total: int
    stopped: bool = False


def needles_of(words: Sequence[str]) -> tuple[str, ...]:
    """The words folded, each once."""
    return tuple(dict.fromkeys(filter(None, map(needle_of, words))))


def holding_all(index: LiteralIndex, needles: Sequence[str], *, stop: Stop = never) -> Holders:
    """The files that hold every needle, in the text or the path."""
    if not needles:
        return Holders((), 0, 0)
    # The longest is likely to be the rarest, and leaves least to be looked through for the others.
    first, *others = sorted((needle.encode() for needle in needles), key=len, reverse=True)
    found = index.search(first, stop=stop)
    files = [match for match in found.all() if all(match.holds(needle) for needle in others)]
    files.sort(key=lambda match: (-match.entry.weight, match.entry.path))
    return Holders(files, len(files), sum(match.count_all((first, *others)) for match in files), found.stopped)


def _answer(
    text: str,
    query: Query,
    holders: Holders,
    read: Read,
    *,
    limit: int,
    per_file: int,
    stop: Stop,
) -> Found:
    needles = tuple(needle.encode() for needle in query.needles)
    reading = Reading.ALL if query.group is HitGroup.WORDS and holders.files else Reading.WHOLE
    chosen = holders.chosen[: limit + limit // 2]
    newest = max((match.entry.key.mtime_ns for match in chosen), default=0)
    weighed = _LINES_WEIGHED if len(chosen) <= limit // 2 else per_file
    total_hits, total_files, stopped = holders.total, holders.files, holders.stopped
    files: list[FileHits] = []
    for match in chosen:
        if stop():
            stopped = True
            break
        file = _file_hits(match, query, needles, read, newest=newest, per_file=per_file, weighed=weighed)
        if file is None:
            # The file changed since it was folded; the index will hear of it, this answer already knows.
            total_hits -= match.count_all(needles)
            total_files -= 1
        else:
            files.append(file)
    files.sort(key=lambda file: (-file.score, sort_key(file.path)))
    return Found(text, tuple(files[:limit]), max(total_hits, 0), max(total_files, 0), reading, stopped=stopped)


def best(matches: Matches, needle: bytes, limit: int) -> list[Match]:
    """The files that promise most: somewhat more than `limit` of them, where there are."""
    if matches.files <= _WEIGHED_ONE_BY_ONE:
        return promising(matches.all(), needle, limit)
    files = [match for segment in matches.segments for match in segment.weightiest(limit)]
    ranked = [(-match.entry.weight - NAMED * match.named, match.entry.path, i) for i, match in enumerate(files)]
    return [files[i] for _worth, _path, i in heapq.nsmallest(limit, ranked)]


def promising(files: list[Match], needle: bytes, limit: int) -> list[Match]:
    """Those of the files that promise most, by what the folded text tells; somewhat more than `limit`."""
    if len(files) <= limit:
        return files
    ranked = [(-_promise(match, needle), match.entry.path, i) for i, match in enumerate(files)]
    return [files[i] for _worth, _path, i in heapq.nsmallest(limit + limit // 2, ranked)]


def _promise(match: Match, needle: bytes) -> float:
    worth = match.entry.weight + NAMED * match.named
    if match.at < 0:
        return worth
    data, end = match.segment.texts.data, match.segment.texts.ends[match.index]
    at = match.at
    for _try in range(2):
        after = at + len(needle)
        if (at == 0 or data[at - 1] not in _WORD_BYTES) and (after >= len(data) or data[after] not in _WORD_BYTES):
            worth += 4.0
            break
        at = data.find(needle, after, end)
        if at < 0:
            break
    start = match.segment.texts.starts[match.index]
    line = max(start, data.rfind(b"\n", start, match.at) + 1)
    return worth + 3.0 * (data[line : line + 1] == b"#")


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
    data = read(path) if match.at >= 0 or len(needles) > 1 else None
    hits = line_hits(path, data, query, limit=max(per_file, weighed)) if data is not None else ()
    if match.named:
        hits = (name_hit(path, query), *hits)
    if not hits:
        return None
    total = match.count_all(needles)
    worth = max(hit.score for hit in hits) + match.entry.weight - weight_of(DocPath(""), match.entry.key.mtime_ns)
    worth += 1 / (1 + (newest - match.entry.key.mtime_ns) / _DAY / _MONTH) + 0.3 * log2(1 + total)
    shown = sorted(hits, key=lambda hit: (-hit.score, hit.line))[:per_file]
    shown.sort(key=lambda hit: (hit.line, not hit.in_name))
    return FileHits(path, tuple(shown), total, worth)
