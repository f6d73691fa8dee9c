"""The index of words and the scan beside SQLite's FTS5 on the same passages; its building; a write until found."""

from __future__ import annotations

import importlib.util
import re
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

from PySide6.QtWidgets import QLabel

from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath
from memgui.ops import finding, workspace
from memgui.ops.sync import look
from memgui.ops.words.progress import FOLDER
from memgui.search.fold import text_of
from memgui.search.words.engine import WordsIndex
from memgui.search.words.index import AllOf, Has, Wanted
from memgui.search.words.pieces import pieces_of
from tests.bench.measure import Probe, Row, application, opened, part, percentile, settled, spread, tell, until
from tests.bench.workspace import RARE, words

_SHOWN = 50
_ROUNDS = 5
_WRITES = 40
_DOCUMENTS = 80
_BEGIN_SECONDS = 120.0


def building_and_writing(root: Path) -> list[Row]:
    """Opens the window, waits until the words are ready, then writes files and waits until each is found."""
    app = application()
    window = opened(root)
    settled(window)
    said = part(window, QLabel, "statusIndex")
    until(lambda: "indexing" in said.text(), "the building of the words to begin", seconds=_BEGIN_SECONDS)
    begun, probe = perf_counter(), Probe()
    with probe.watching():
        until(lambda: "all searchable" in said.text(), "the words", seconds=600)
    took = perf_counter() - begun
    finder = _Finder(workspace.open(root).cache / FOLDER)
    delays = []
    after = Probe()
    with after.watching():
        for number in range(_WRITES):
            word = f"zanzibar{number}"
            path = root / "memory" / ("2026-11-30.md" if number % 2 else f"late-{number}.md")
            with path.open("a", encoding="utf-8") as file:
                file.write(f"\n- 10:{number:02} {word} was here\n")
            written = perf_counter()
            until(finder.found(word), f"{word} to be found")
            delays.append((finder.at - written) * 1000)
    finder.close()
    window.close()
    app.quit()
    return [
        Row("words of 10,000 files built", took, "s", 60.0, "", "from the first file on, behind the window"),
        Row("window's worst stall meanwhile", probe.worst, "ms", 50.0, "", probe.report),
        Row(
            "a write until its words are found, p95", percentile(delays, 0.95), "ms", 300.0, "", spread(delays) + " ms"
        ),
        Row("window's worst stall meanwhile", after.worst, "ms", 50.0, "", after.report),
    ]


class _Finder:
    """Asks the index for a word again and again, beside the window and not in its thread."""

    def __init__(self, folder: Path) -> None:
        self._index = WordsIndex(folder)
        self._word = ""
        self._ended = threading.Event()
        self.at = 0.0
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def found(self, word: str) -> Callable[[], bool]:
        """Look for this word from now on; the answer says whether it was found, `at` when."""
        self.at, self._word = 0.0, word
        return lambda: self.at > 0

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        self._index.close()

    def _run(self) -> None:
        while not self._ended.wait(0.005):
            word = self._word
            if not self.at and word and self._index.refresh() and self._index.search(Has(word), limit=1):
                self.at = perf_counter()


def beside_fts5(root: Path, place: Path) -> list[Row]:
    """One rare to usual word, the commonest words, two words: both engines in turn, the best fifty passages."""
    vocabulary = [word for word in words() if word.isascii() and len(word) > 2]
    one = [*(vocabulary[number] for number in range(60, 1_600, 60)), RARE]
    two = [(vocabulary[30 + 37 * number], vocabulary[900 - 41 * number]) for number in range(20)]
    index = WordsIndex(workspace.open(root).cache / FOLDER)
    database = _fts5(root, place / "fts5.db")
    third = _tantivy(database) if importlib.util.find_spec("tantivy") else None
    rows = []
    for what, queries, goal in (
        ("one word, p95", [(word,) for word in one], 1.0),
        ("a common word, p95", [(word,) for word in vocabulary[:10]], 0.5),
        ("two words, p95", two, 4.0),
    ):
        ours: list[float] = []
        theirs: list[float] = []
        thirds: list[float] = []
        for query in queries * _ROUNDS:
            ours.append(_timed(lambda query=query: index.search(_wanted(query), limit=_SHOWN)))  # type: ignore[misc]
            theirs.append(_timed(lambda query=query: _ask(database, query)))  # type: ignore[misc]
            if third is not None:
                thirds.append(_timed(lambda query=query: third(query)))  # type: ignore[misc]
        reference = percentile(theirs, 0.95)
        rows.append(
            Row(
                what,
                percentile(ours, 0.95) / reference,
                "x",
                goal,
                f"FTS5 {reference:.1f} ms",
                f"{percentile(ours, 0.95):.1f} ms; {spread(ours)}; FTS5 {spread(theirs)}; tantivy "
                + (f"p95 {percentile(thirds, 0.95):.2f} ms" if thirds else "is not installed"),
            )
        )
    database.close()
    index.close()
    return rows


def scanned(root: Path, place: Path) -> list[Row]:
    """Phrases and beginnings of words as they stand in documents, each asked once.

    The scan of all texts, the best fifty files with their lines, beside FTS5's best fifty passages; neither counts the
    others.
    """
    space = workspace.open(root)
    finder = finding.open(space)
    finder.refresh(look(space))
    database = _fts5(root, place / "fts5-scanned.db")
    rows = []
    for what, queries, goal in (("a phrase", _phrases(root), 15.0), ("three letters", _beginnings(root), 1.0)):
        ours: list[float] = []
        theirs: list[float] = []
        for query in queries:
            text = f'"{query}"' if " " in query else f"{query}*"
            ours.append(_timed(partial(finding.search_text, finder, query, count=False)))
            theirs.append(_timed(partial(_matching, database, text)))
        mine, reference = percentile(ours, 0.95), percentile(theirs, 0.95)
        note = f"{mine:.1f} ms; {spread(ours)}; FTS5 {spread(theirs)}"
        rows.append(Row(f"{what} by the scan, p95", mine / reference, "x", goal, f"FTS5 {reference:.1f} ms", note))
    database.close()
    finder.close()
    return rows


def _said(root: Path) -> Iterator[list[str]]:
    """The words of one document of every so many."""
    paths = sorted(root.rglob("*.md"))
    for path in paths[:: max(1, len(paths) // _DOCUMENTS)]:
        yield re.findall(r"\w+", path.read_text(encoding="utf-8").lower())


def _phrases(root: Path) -> list[str]:
    """Two or three words as they stand one after the other."""
    found: dict[str, None] = {}
    for number, said in enumerate(_said(root)):
        at = number * 37 % (len(said) - 3)
        found[" ".join(said[at : at + 2 + number % 2])] = None
    return [phrase for phrase in found if phrase.isascii()]


def _beginnings(root: Path) -> list[str]:
    found: dict[str, None] = {}
    for number, said in enumerate(_said(root)):
        longer = [word[:3] for word in said if len(word) > 3 and word.isascii() and word.isalpha()]
        found[longer[number * 37 % len(longer)]] = None
    return list(found)


def _fts5(root: Path, file: Path) -> sqlite3.Connection:
    database = sqlite3.connect(file)
    database.execute("create virtual table passages using fts5(path, line unindexed, body)")
    for path in sorted(root.rglob("*.md")):
        name, data = DocPath(path.relative_to(root).as_posix()), path.read_bytes()
        lines = Lines.split(text_of(data)).texts
        database.executemany(
            "insert into passages values (?, ?, ?)",
            [(name, piece.first, "\n".join(lines[piece.first : piece.end])) for piece in pieces_of(name, data)],
        )
    database.commit()
    return database


def _tantivy(database: sqlite3.Connection) -> Callable[[tuple[str, ...]], object]:
    """The same passages in an engine of Rust, told beside the others where it is installed; it sets no goal."""
    import tantivy

    schema = tantivy.SchemaBuilder().add_text_field("path", stored=True).add_text_field("body").build()
    index = tantivy.Index(schema)
    writer = index.writer(128_000_000, 1)
    for path, body in database.execute("select path, body from passages"):
        writer.add_document(tantivy.Document(path=path, body=body))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def ask(query: tuple[str, ...]) -> object:
        wanted = index.parse_query(" AND ".join(f'"{word}"' for word in query), ["body"])
        return [searcher.doc(address) for _score, address in searcher.search(wanted, _SHOWN).hits]

    return ask


def _wanted(query: tuple[str, ...]) -> Wanted:
    return AllOf(tuple(Has(word) for word in query))


def _ask(database: sqlite3.Connection, query: tuple[str, ...]) -> list[tuple[str, int]]:
    return _matching(database, " ".join(f'"{word}"' for word in query))


def _matching(database: sqlite3.Connection, text: str) -> list[tuple[str, int]]:
    found = database.execute(
        "select path, line from passages where passages match ? order by rank limit ?", (text, _SHOWN)
    )
    return found.fetchall()


def _timed(deed: Callable[[], object]) -> float:
    begun = perf_counter()
    deed()
    return (perf_counter() - begun) * 1000


if __name__ == "__main__":
    tell(building_and_writing(Path(sys.argv[1])))
    tell(beside_fts5(Path(sys.argv[1]), Path(sys.argv[1]).parent))
    tell(scanned(Path(sys.argv[1]), Path(sys.argv[1]).parent))
