"""The searches of a workspace in its state folder: a line each, so that one can be forgotten without the others."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from memgui.domain.searches import LONGEST, MOST_RECENT, MOST_SAVED, SavedSearch, Searches
from memgui.storage import private

_FILE = "searches.jsonl"
_MOST_BYTES = 16 << 20
"""More than the longest of them take together."""
_MOST_READ = 4 * MOST_SAVED
"""Two windows may each have saved as many as one may."""


def read(state: Path) -> Searches:
    """What was kept; lines that cannot be used are left out."""
    try:
        with open(state / _FILE, "rb") as file:
            lines = file.read(_MOST_BYTES).splitlines()
    except OSError:
        return Searches()
    recent: list[str] = []
    saved: list[SavedSearch] = []
    for line in lines:
        with contextlib.suppress(ValueError, RecursionError, KeyError, TypeError):
            values = json.loads(line)
            query, name = values["query"], values.get("name")
            if not isinstance(query, str) or not 0 < len(query) <= LONGEST:
                continue
            if isinstance(name, str):
                saved.append(SavedSearch(query, name))
            else:
                recent.append(query)
    return Searches(tuple(dict.fromkeys(recent))[:MOST_RECENT], tuple(dict.fromkeys(saved))[:_MOST_READ])


def put(state: Path, searches: Searches) -> None:
    """Keep these. OSError where the disk does not take them: those from before stay."""
    rows = [{"query": one.query, "name": one.name} for one in searches.saved]
    data = b"".join(json.dumps(row).encode() + b"\n" for row in (*rows, *({"query": one} for one in searches.recent)))
    private.put(private.folder(state) / _FILE, data)
