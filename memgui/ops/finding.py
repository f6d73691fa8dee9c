"""Finding: `open` a workspace's finder for a window, or answer one query of a tool with `memory_search`."""

from __future__ import annotations

from typing import Any

from memgui.domain.errors import InvalidParameters
from memgui.domain.hits import Reading, document_id
from memgui.domain.passages import Place
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import sync
from memgui.ops.finder import Finder

__all__ = ["Finder", "answer_of", "find_places", "memory_search", "open"]

LEAST, MOST = 1, 20
"""`limit` is clamped to this."""


def open(ws: Workspace) -> Finder:
    """The finder of a workspace. It knows nothing until it is refreshed, and is to be closed."""
    return Finder(ws)


def memory_search(ws: Workspace, query: str, limit: int = 5, *, exact: bool = False) -> dict[str, Any]:
    """The places in documents that answer a query. `exact`: only those that hold it as typed, case and accents aside.

    InvalidParameters for a blank query and a limit that is no whole number.
    """
    found, reading = find_places(ws, query, limit, exact=exact)
    return answer_of(ws, query, found, reading)


def find_places(ws: Workspace, query: str, limit: int = 5, *, exact: bool = False) -> tuple[tuple[Place, ...], Reading]:
    """The places themselves, best first, and how the query was read."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidParameters(_("query cannot be empty"))
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise InvalidParameters(_("limit must be a whole number"))
    finder = open(ws)
    try:
        finder.refresh(sync.look(ws))
        return finder.places(query, limit=max(LEAST, min(MOST, limit)), exact=exact)
    finally:
        finder.close()


def answer_of(ws: Workspace, query: str, found: tuple[Place, ...], reading: Reading) -> dict[str, Any]:
    """The answer in the form that tools are given."""
    return {
        "query": query,
        "results": [_result(ws, place) for place in found],
        "result_count": len(found),
        "terms": "any" if reading is Reading.ANY else "all",
        "confident": any(place.strong for place in found),
    }


def _result(ws: Workspace, place: Place) -> dict[str, Any]:
    return {
        "content": place.content,
        "score": place.score,
        "document_id": document_id(str(ws.root), place.path),
        "is_hybrid_match": False,
        "path": place.path,
        "line": place.hit.line,
        "match": "strong" if place.strong else "weak",
    }
