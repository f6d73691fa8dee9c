"""What stood in earlier versions of documents and stands nowhere now, found by its literal words. Lane: reads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from memgui.domain.documents import Fingerprint
from memgui.domain.errors import MemguiError
from memgui.domain.hits import FileHits, HitGroup, SearchHit
from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath
from memgui.domain.patterns import lies_at, places_of
from memgui.domain.versions import Version
from memgui.domain.wishes import Asked, Either, Every, Field, Only, Pattern, Phrase, Text, Wish, Without
from memgui.domain.workspace import Workspace
from memgui.search.excerpts import cut_around, marks_in
from memgui.search.fold import fold, is_binary, text_of
from memgui.search.literal import Stop, never
from memgui.storage.history import History, versions_in

SECONDS = 3.0
"""So long versions are looked through; the latest come first, and what was found by then is the answer."""

MOST_LINES, PER_FILE = 100, 10

Stands = Callable[[str], bool]
"""Whether a folded line stands in any document now."""


@dataclass(frozen=True, slots=True)
class Bygone:
    """The lines found by document, the latest first. Not `whole`: more versions were there than could be read."""

    files: tuple[FileHits, ...] = ()
    whole: bool = True


def find(
    ws: Workspace,
    asked: Asked,
    stands: Stands,
    *,
    stop: Stop = never,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> Bygone:
    """The lines of versions that are what is asked for. A query without any word finds nothing."""
    search = _Search(asked.wish, stands)
    if not search.needles and not search.patterns:
        return Bygone()
    end = clock() + seconds
    history = History(ws.state)
    files: list[FileHits] = []
    found = 0
    for path, versions in _documents(history):
        if not search.may_lie_at(path):
            continue
        hits: list[SearchHit] = []
        for version in reversed(versions):
            if stop() or clock() > end or found >= MOST_LINES:
                return Bygone((*files, *_file(path, hits)), whole=False)
            new = search.lines_of(path, version, history, room=PER_FILE - len(hits))
            found += len(new)
            hits += new
            if len(hits) >= PER_FILE:
                break
        files += _file(path, hits)
    return Bygone(tuple(sorted(files, key=lambda file: -file.score)))


def _file(path: DocPath, hits: list[SearchHit]) -> tuple[FileHits, ...]:
    return (FileHits(path, tuple(hits), len(hits), max(hit.score for hit in hits)),) if hits else ()


def _documents(history: History) -> Iterator[tuple[DocPath, tuple[Version, ...]]]:
    """Where each document stood last, and its versions; those that changed last come first."""
    stamps = sorted(history.stamps(), key=lambda one: -one[1][2])
    for document, _stamp in stamps:
        lines = list(history.lines(document))
        if lines:
            yield lines[-1].path, versions_in(lines)


@dataclass(slots=True)
class _Search:
    wish: Every
    stands: Stands
    needles: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    _read: set[Fingerprint] = field(default_factory=set)
    _known: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.needles = tuple(dict.fromkeys(filter(None, (fold(text).strip() for text in _texts(self.wish)))))
        self.patterns = tuple(_patterns(self.wish))

    def may_lie_at(self, path: DocPath) -> bool:
        """Whether what is asked of the path is so of this one."""
        wanted = [one for one in self.wish.wishes if isinstance(one, Only) and one.field is Field.PATH]
        return all(lies_at(fold(only.value), fold(path)) for only in wanted)

    def lines_of(self, path: DocPath, version: Version, history: History, *, room: int) -> list[SearchHit]:
        """The lines of a version that stand nowhere now, if they together are what is asked for."""
        if version.hash is None or version.is_forgotten or version.hash in self._read:
            return []
        self._read.add(version.hash)
        data = b""
        with suppress(MemguiError, OSError):
            data = history.bytes_of(version.hash)
        if not data or is_binary(data):
            return []
        text = text_of(data)
        folded = fold(text)
        if not self.patterns and not any(needle in folded for needle in self.needles):
            return []
        gone = [
            (number, line, short)
            for number, (line, short) in enumerate(zip(_lines(text), folded.split("\n"), strict=False), 1)
            if self._may_answer(line, short) and not self._stands_now(short)
        ]
        if not gone or not _fulfilled(self.wish, path, "\n".join(short for _n, _line, short in gone), gone):
            return []
        gone.sort(key=lambda one: (-sum(needle in one[2] for needle in self.needles), one[0]))
        for _number, _line, short in gone:
            self._known[short.strip()] = True
        return [self._hit(path, version, number, line) for number, line, _short in gone[: max(0, room)]]

    def _may_answer(self, line: str, short: str) -> bool:
        if any(needle in short for needle in self.needles):
            return True
        return any(places is not None and bool(places(line)) for places in map(_places, self.patterns))

    def _stands_now(self, short: str) -> bool:
        """Whether it stands somewhere; or was told of already, from a later version."""
        short = short.strip()
        if short not in self._known:
            self._known[short] = self.stands(short)
        return self._known[short]

    def _hit(self, path: DocPath, version: Version, number: int, line: str) -> SearchHit:
        content, marks = cut_around(line, marks_in(line, self.needles))
        return SearchHit(path, number, content, marks, version.time, HitGroup.HISTORY, version=version.number)


def _places(pattern: Pattern) -> Callable[[str], object] | None:
    return places_of(pattern.pattern)


def _lines(text: str) -> list[str]:
    """The lines as folding counts them."""
    return list(Lines.split(text).texts)


def _texts(wish: Wish) -> Iterator[str]:
    match wish:
        case Text(text) | Phrase(text):
            yield text
        case Only(Field.TODO | Field.DONE, value) if value:
            yield value
        case Every(wishes) | Either(wishes):
            for one in wishes:
                yield from _texts(one)
        case _:
            pass


def _patterns(wish: Wish) -> Iterator[Pattern]:
    match wish:
        case Pattern():
            yield wish
        case Every(wishes) | Either(wishes):
            for one in wishes:
                yield from _patterns(one)
        case _:
            pass


def _fulfilled(wish: Wish, path: DocPath, folded: str, lines: Iterable[tuple[int, str, str]]) -> bool:
    match wish:
        case Text(text) | Phrase(text) | Only(Field.TODO | Field.DONE, text):
            return fold(text).strip() in folded
        case Pattern():
            places = _places(wish)
            return places is not None and any(places(line) for _number, line, _short in lines)
        case Only(Field.PATH, value):
            return lies_at(fold(value), fold(path))
        case Only(Field.IN):
            return True
        case Only(Field.DAY, value):
            return value in path
        case Only():
            return False
        case Without(inner):
            return not _fulfilled(inner, path, folded, lines)
        case Either(wishes):
            return any(_fulfilled(one, path, folded, lines) for one in wishes)
        case Every(wishes):
            return all(_fulfilled(one, path, folded, lines) for one in wishes)
