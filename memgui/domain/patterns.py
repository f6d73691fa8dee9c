"""Patterns of a query: compiled so that no pattern takes longer than the text is long, whatever it says."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

Spans = list[tuple[int, int]]
MOST_SPANS = 50
"""So many places of one line are told."""
_MEMORY = 8 << 20


@lru_cache(maxsize=64)
def places_of(pattern: str) -> Callable[[str], Spans] | None:
    """What tells where the pattern stands in a line, case aside; None where it is none. Nothing stands nowhere."""
    # Of all who search, few ask by pattern.
    import re2

    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        made = re2.compile(pattern, options)
        if made.search("") is not None:
            # It stands everywhere, and so tells nothing.
            return None
    except (re2.error, UnicodeEncodeError):
        return None

    def places(line: str) -> Spans:
        if not line.isascii():
            # What is no character of its own is no part of a text that the engine takes.
            line = line.encode("utf-8", "replace").decode("utf-8")
        found: Spans = []
        for match in made.finditer(line):
            if match.end() > match.start():
                found.append(match.span())
            if len(found) >= MOST_SPANS:
                break
        return found

    return places


_SHAPES = {"*": "[^/]*", "**": ".*", "?": "[^/]"}
_SHAPE = re.compile(r"(\*\*|[*?])")


def lies_at(wanted: str, path: str) -> bool:
    """Whether a path holds what is asked of it: a part of it, or where that has `*` or `?` in it, a part so shaped.

    `*` stands for what one name may hold, `**` for folders as well. Both are folded.
    """
    if wanted in path or not ("*" in wanted or "?" in wanted):
        return wanted in path
    # What is no character of its own may be any.
    pieces = _SHAPE.split(wanted.strip("*").encode("utf-8", "replace").decode())
    places = places_of("".join(_SHAPES.get(piece) or re.escape(piece) for piece in pieces))
    return places is None or bool(places(path))
