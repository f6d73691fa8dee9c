"""Finding: `open` a workspace's finder for a window, or answer one query of a tool with `memory_search`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from memgui.domain import wishes
from memgui.domain.errors import InvalidParameters
from memgui.domain.hits import FileHits, Found, Reading, SearchHit
from memgui.domain.passages import Place
from memgui.domain.paths import DocPath
from memgui.domain.wishes import Wish
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import bygone, preferences
from memgui.ops.finder import LINES, Finder
from memgui.ops.meaning.asked import Wanted
from memgui.ops.meaning.progress import ByModel, MeaningProgress
from memgui.ops.meaning.service import Meaning
from memgui.ops.versions import document_ids
from memgui.ops.words.behind import Behind
from memgui.ops.words.progress import Progress
from memgui.ops.words.service import Words, paths_of
from memgui.search.fold import fold, needle_of
from memgui.search.fusion import near_places
from memgui.search.literal import Stop, never
from memgui.search.meaning.index import Nearness
from memgui.search.places import ByWords, only_near, only_words
from memgui.search.ranking import Read
from memgui.search.words.answering import Found as Passage
from memgui.search.words.snippets import by_file
from memgui.search.words.wanting import Paths

if TYPE_CHECKING:
    from memgui.ops.apart.reading import Apart

__all__ = [
    "ByModel",
    "Finder",
    "MeaningProgress",
    "Mode",
    "Progress",
    "Words",
    "answer_of",
    "behind",
    "complete",
    "find_places",
    "join_meaning",
    "join_words",
    "memory_search",
    "open",
    "search_text",
]

LEAST, MOST = 1, 20
"""`limit` is clamped to this."""

FEW_DOCUMENTS = 500
"""Up to so many, one query brings the words up to date by itself; for more it takes them as a window left them."""

MOST_FOUND = 60
MOST_NEAR = 12
"""So many passages are shown for their meaning alone: further down they have less and less to do with it."""


class Mode(Enum):
    """What a query is looked for in."""

    HYBRID = "hybrid"
    LITERAL = "literal"
    WORDS = "words"
    MEANING = "meaning"


def open(ws: Workspace, *, apart: Apart | None = None) -> Finder:
    """The finder of a workspace. It knows nothing until it is refreshed, and is to be closed.

    `apart` reads many files at once, so that no window waits for the interpreter meanwhile.
    """
    return Finder(ws, apart=apart)


# In a window -------------------------------------------------------------------------------------------------------


def search_text(finder: Finder, text: str, *, count: bool = True, stop: Stop = never) -> Found:
    """The files that hold a text as it was typed; of a query that is one phrase in quotes, those that hold that.

    Without `count`, the places of a very common text are left uncounted: its rows are there sooner.
    """
    found = finder.search(text, relax=False, count=count, stop=stop)
    phrase = wishes.read(text).phrase
    if found.files or found.stopped or not phrase:
        return found
    return replace(finder.search(phrase, relax=False, count=count, stop=stop), query=text)


def complete(ws: Workspace, finder: Finder, words: Words, first: Found, *, stop: Stop = never) -> Found:
    """The whole answer, of which `first` is what could be had at once: everything counted, and what the words add."""
    exact = first if first.counted else search_text(finder, first.query, stop=stop)
    return exact if exact.stopped else join_words(ws, finder, words, exact, stop=stop)


def join_words(ws: Workspace, finder: Finder, words: Words, exact: Found, *, stop: Stop = never) -> Found:
    """The same answer with what the words add. Where no index can say, the scan answers alone."""
    asked = wishes.read(exact.query)
    if asked.in_history:
        past = bygone.find(ws, asked, finder.stands, stop=stop)
        return replace(exact, by_history=past.files, history_whole=past.whole)
    relaxed: list[Found] = []

    def knows_better() -> bool:
        if not relaxed and not exact.files and asked.is_plain:
            relaxed.append(finder.search(exact.query, stop=stop))
        return bool(exact.files) or any(found.files for found in relaxed)

    with finder.reading(links=False) as read:
        answer = words.answer(asked, read, paths_of(ws, finder.paths), stop=stop, before_any=knows_better)
        if answer is not None and answer.found:
            held = needle_of(asked.phrase or exact.query) if exact.files else ""
            more = [one for one in answer.found if not held or held not in fold(one.text)]
            files = by_file(more, asked.wish, per_file=LINES)
            return replace(exact, by_words=files, words_reading=answer.reading)
    reading = None if answer is None else answer.reading
    if not exact.files and knows_better():
        return replace(relaxed[0], words_reading=reading)
    return replace(exact, words_reading=reading)


def join_meaning(finder: Finder, words: Words, found: Found, *, stop: Stop = never) -> Found:
    """The same answer with what says the like in other words: passages of which nothing is shown yet."""
    asked = wishes.read(found.query)
    if found.stopped or stop() or not asked.is_plain:
        return found
    nearness = words.near(Wanted(found.query, MOST_NEAR))
    if nearness is None or not nearness.found or stop():
        return found
    shown = {(hit.path, hit.line) for file in (*found.files, *found.by_words) for hit in file.hits}
    files: dict[DocPath, list[SearchHit]] = {}
    clear = False
    with finder.reading(links=False) as read:
        for place, near in near_places(nearness.found, read, found.query):
            inside = range(place.first + 1, place.first + 1 + (near.end - near.first))
            if not any((place.path, line) in shown for line in inside):
                files.setdefault(place.path, []).append(place.hit)
                clear = clear or place.strong
    by_meaning = tuple(FileHits(path, tuple(hits), len(hits), hits[0].score) for path, hits in files.items())
    return replace(found, by_meaning=by_meaning, clear=clear)


# For tools and the command line ------------------------------------------------------------------------------------


def memory_search(
    ws: Workspace,
    query: str,
    limit: int = 5,
    *,
    exact: bool = False,
    finder: Finder | None = None,
) -> dict[str, Any]:
    """The places in documents that answer a query. `exact`: only those that hold it as typed, case and accents aside.

    InvalidParameters for a blank query and a limit that is no whole number. `finder`: one that stays open for the
    next query; it is brought up to date.
    """
    found, reading = find_places(ws, query, limit, mode=Mode.LITERAL if exact else Mode.HYBRID, finder=finder)
    return answer_of(ws, query, found, reading)


def find_places(
    ws: Workspace,
    query: str,
    limit: int = 5,
    *,
    mode: Mode = Mode.HYBRID,
    operators: bool = False,
    finder: Finder | None = None,
) -> tuple[tuple[Place, ...], Reading]:
    """The places themselves, best first, and how the query was read. `operators`: whether it may hold any."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidParameters(_("query cannot be empty"))
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise InvalidParameters(_("limit must be a whole number"))
    limit = max(LEAST, min(MOST, limit))
    asked = wishes.read(query) if operators else wishes.plain(query)
    stays = finder is not None
    finder = open(ws) if finder is None else finder
    meaning = finder.meaning
    words = finder.words
    by_hybrid = mode is Mode.HYBRID and asked.is_plain
    # The models work while the workspace is looked at and the words are asked.
    queries = meaning.begin(query) if by_hybrid or mode is Mode.MEANING else lambda: None
    try:
        snapshot = finder.look()
        if mode in (Mode.HYBRID, Mode.WORDS):
            finder.indexed = words.brought_up_to_date(
                snapshot, finder.indexed, most=FEW_DOCUMENTS if mode is Mode.HYBRID else None
            )
        finder.refresh(snapshot)
        paths = Paths() if asked.is_plain else paths_of(ws, finder.paths)

        def by_words(read: Read, before_any: Callable[[], bool]) -> tuple[Sequence[Passage], Reading, Wish] | None:
            answer = words.answer(asked, read, paths, limit=MOST_FOUND, before_any=before_any)
            return None if answer is None else (answer.found, answer.reading, asked.wish)

        def by_meaning(named: Collection[tuple[DocPath, int, int]] = ()) -> Nearness | None:
            wanted = Wanted(query, MOST_FOUND, tuple(named))
            return meaning.ask(wanted, queries())

        if mode is Mode.MEANING:
            with finder.reading(links=False) as read:
                nearness = by_meaning()
                return (() if nearness is None else only_near(nearness.found, read, query, limit)), Reading.ALL
        if mode is Mode.WORDS:
            with finder.reading(links=False) as read:
                answer = by_words(read, never)
            return ((), Reading.ALL) if answer is None else (only_words(answer[0], asked.wish, limit), answer[1])
        if asked.is_plain or mode is Mode.LITERAL:
            return finder.places(
                query,
                limit=limit,
                exact=mode is Mode.LITERAL,
                words=by_words if by_hybrid else None,
                meaning=by_meaning if by_hybrid else None,
            )
        if asked.in_history:
            return _in_history(ws, finder, asked, limit), Reading.ALL
        return _with_operators(finder, query, asked, by_words, limit)
    finally:
        queries()
        if not stays:
            finder.close()


def behind(ws: Workspace, finder: Finder) -> Behind:
    """What sees to the words and the meaning of a workspace behind a server; it is to be told of each search."""
    return Behind(ws, idle=finder.rest, meaning=ByModel.of(preferences.load()))


def knows_meaning(ws: Workspace) -> bool:
    """Whether anything of this workspace was ever embedded."""
    return Meaning(ws).is_there


def _in_history(ws: Workspace, finder: Finder, asked: wishes.Asked, limit: int) -> tuple[Place, ...]:
    """The lines of earlier versions, as places; the latest first."""
    hits = [hit for file in bygone.find(ws, asked, finder.stands).files for hit in file.hits]
    return tuple(Place(hit.path, hit.content, hit, 1.0, strong=True) for hit in hits[:limit])


def _with_operators(
    finder: Finder, query: str, asked: wishes.Asked, by_words: ByWords, limit: int
) -> tuple[tuple[Place, ...], Reading]:
    """First what holds the query as it was typed, operators and all, or its one phrase; then what it means."""
    exact, _reading = finder.places(query, limit=limit, exact=True)
    if not exact and asked.phrase:
        exact, _reading = finder.places(asked.phrase, limit=limit, exact=True)
    with finder.reading(links=False) as read:
        answer = by_words(read, lambda: bool(exact))
    if answer is None:
        return exact, Reading.ALL
    seen = {place.path for place in exact}
    more = only_words([one for one in answer[0] if one.path not in seen], asked.wish, limit)
    return (*exact, *more)[:limit], answer[1]


def answer_of(ws: Workspace, query: str, found: tuple[Place, ...], reading: Reading) -> dict[str, Any]:
    """The answer in the form that tools are given."""
    ids = document_ids(ws, [place.path for place in found])
    return {
        "query": query,
        "results": [_result(place, ids[place.path]) for place in found],
        "result_count": len(found),
        "terms": "any" if reading is Reading.ANY else "all",
        "confident": any(place.strong for place in found),
    }


def _result(place: Place, document_id: str) -> dict[str, Any]:
    found = {
        "content": place.content,
        "score": place.score,
        "document_id": document_id,
        "is_hybrid_match": place.hybrid,
        "path": place.path,
        "line": place.hit.line,
        "match": "strong" if place.strong else "weak",
    }
    # Only a person's query reaches what stands nowhere any more.
    return found | {"version": place.hit.version} if place.hit.version else found
