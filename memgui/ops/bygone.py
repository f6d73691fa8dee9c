"""What stood in earlier versions of documents and stands nowhere now, found by its literal words. Lane: reads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
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
from memgui.search.excerpts import cut_around, marks_in, merged
from memgui.search.fold import fold, is_binary, text_of
from memgui.search.literal import Stop, never
from memgui.search.words.pieces import pieces_of
from memgui.search.words.wanting import fulfils_task
from memgui.storage.history import History, versions_in

SECONDS = 3.0
"""So long versions are looked through; the latest come first, and what was found by then is the answer."""

MOST_LINES, PER_FILE = 100, 10

Places = Callable[[str], list[tuple[int, int]]]
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
    """The lines of versions that are what is asked for. A query without a word, a pattern or a task finds nothing."""
    search = _Search(asked.wish, stands, ws.protects)
    if not search.asks_for_lines:
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
    protects: Callable[[DocPath], bool]
    needles: tuple[str, ...] = ()
    patterns: tuple[Places, ...] = ()
    tasks: tuple[Only, ...] = ()
    _read: set[tuple[DocPath, Fingerprint]] = field(default_factory=set)
    _known: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.needles = tuple(dict.fromkeys(filter(None, (fold(text).strip() for text in _texts(self.wish)))))
        asked = tuple(_asked(self.wish))
        patterns = (places_of(one.pattern) for one in asked if isinstance(one, Pattern))
        self.patterns = tuple(places for places in patterns if places is not None)
        self.tasks = tuple(one for one in asked if isinstance(one, Only))

    @property
    def asks_for_lines(self) -> bool:
        """Whether there is anything by which a line can be found."""
        return bool(self.needles or self.patterns or self.tasks)

    def may_lie_at(self, path: DocPath) -> bool:
        """Whether what is asked of the path is so of this one."""
        wanted = [one for one in self.wish.wishes if isinstance(one, Only) and one.field is Field.PATH]
        return all(lies_at(fold(only.value), fold(path)) for only in wanted)

    def lines_of(self, path: DocPath, version: Version, history: History, *, room: int) -> list[SearchHit]:
        """The lines of a version that stand nowhere now, if they together are what is asked for."""
        if version.hash is None or version.is_forgotten or (path, version.hash) in self._read:
            return []
        # Of two documents that held the same, only one may be what is asked for.
        self._read.add((path, version.hash))
        data = b""
        with suppress(MemguiError, OSError):
            data = history.bytes_of(version.hash)
        if not data or is_binary(data):
            return []
        text = text_of(data)
        folded = fold(text)
        if not self.patterns and not self.tasks and not any(needle in folded for needle in self.needles):
            return []
        gone = [
            (number, line, short)
            for number, (line, short) in enumerate(zip(_lines(text), folded.split("\n"), strict=False), 1)
            if self._may_answer(line, short) and not self._stands_now(short)
        ]
        if not gone or not _fulfilled(self.wish, _Lost(path, data, gone, self.protects)):
            return []
        gone.sort(key=lambda one: (-sum(needle in one[2] for needle in self.needles), one[0]))
        for _number, _line, short in gone:
            self._known[short.strip()] = True
        return [self._hit(path, version, number, line) for number, line, _short in gone[: max(0, room)]]

    def _may_answer(self, line: str, short: str) -> bool:
        return (
            any(needle in short for needle in self.needles)
            or any(places(line) for places in self.patterns)
            or any(fulfils_task(line, only) for only in self.tasks)
        )

    def _stands_now(self, short: str) -> bool:
        """Whether it stands somewhere; or was told of already, from a later version."""
        short = short.strip()
        if short not in self._known:
            self._known[short] = self.stands(short)
        return self._known[short]

    def _hit(self, path: DocPath, version: Version, number: int, line: str) -> SearchHit:
        asked = (*self.needles, *(word for only in self.tasks if (word := fold(only.value).strip())))
        spans = [*marks_in(line, asked), *(span for places in self.patterns for span in places(line))]
        marks = tuple(merged(spans))
        content, shifted = cut_around(line, marks)
        column = marks[0][0] if marks else 0
        return SearchHit(path, number, content, shifted, version.time, HitGroup.HISTORY, column, version.number)


def _lines(text: str) -> list[str]:
    """The lines as folding counts them."""
    return list(Lines.split(text).texts)


def _texts(wish: Wish) -> Iterator[str]:
    match wish:
        case Text(text) | Phrase(text):
            yield text
        case Every(wishes) | Either(wishes):
            for one in wishes:
                yield from _texts(one)
        case _:
            pass


def _asked(wish: Wish) -> Iterator[Pattern | Only]:
    """The patterns and tasks that a line is asked to be."""
    match wish:
        case Pattern() | Only(Field.TODO | Field.DONE):
            yield wish
        case Every(wishes) | Either(wishes):
            for one in wishes:
                yield from _asked(one)
        case _:
            pass


@dataclass(slots=True)
class _Lost:
    """The lines of one version that stand nowhere now: number, as it stood, folded."""

    path: DocPath
    data: bytes
    lines: list[tuple[int, str, str]]
    protects: Callable[[DocPath], bool]
    _marks: frozenset[str] | None = None

    @property
    def folded(self) -> str:
        return "\n".join(short for _number, _line, short in self.lines)

    @property
    def marks(self) -> frozenset[str]:
        """What the version said of itself: its type and status, its day."""
        if self._marks is None:
            self._marks = frozenset(mark for piece in pieces_of(self.path, self.data) for mark in piece.marks)
        return self._marks


def _fulfilled(wish: Wish, lost: _Lost) -> bool:
    match wish:
        case Text(text) | Phrase(text):
            return fold(text).strip() in lost.folded
        case Pattern(pattern):
            places = places_of(pattern)
            return places is not None and any(places(line) for _number, line, _short in lost.lines)
        case Without(inner):
            return not _fulfilled(inner, lost)
        case Either(wishes):
            return any(_fulfilled(one, lost) for one in wishes)
        case Every(wishes):
            return all(_fulfilled(one, lost) for one in wishes)
        case Only():
            return _fulfilled_only(wish, lost)


def _fulfilled_only(only: Only, lost: _Lost) -> bool:
    match only.field:
        case Field.PATH:
            return lies_at(fold(only.value), fold(lost.path))
        case Field.IN:
            return True
        case Field.TODO | Field.DONE:
            return any(fulfils_task(line, only) for _number, line, _short in lost.lines)
        case Field.TYPE | Field.STATUS | Field.DAY:
            return f"{only.field.value}={fold(only.value)}" in lost.marks
        case Field.IS:
            # What is unseen stands now.
            return only.value == "protected" and lost.protects(lost.path)
