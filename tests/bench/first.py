"""The first minute with a new workspace: nothing of it is known, and somebody searches and opens pages at once."""

from __future__ import annotations

import os
import sys
from functools import partial
from itertools import cycle
from pathlib import Path
from time import perf_counter

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QMainWindow

from tests.bench.measure import (
    News,
    Paints,
    Probe,
    Row,
    application,
    open_document,
    opened,
    part,
    percentile,
    press,
    rest,
    settled,
    spread,
    tell,
    until,
)
from tests.bench.workspace import RARE, words

_SECONDS = 60.0
_BETWEEN_KEYS = 0.12
"""As a person types."""
_LOOKS = 3.0
"""So long they look at a page then; what reads beside the window has that time for itself."""


def _type(window: QMainWindow, query: str) -> list[float]:
    """Types it letter by letter; how long it took, each time, until rows for it have been painted."""
    field, results = part(window, QLineEdit, "searchField"), part(window, QAbstractItemView, "searchResults")
    model, taken = results.model(), []
    part(window, QAction, "view.search").trigger()
    field.setFocus()
    field.clear()
    until(lambda: model.rowCount() == 0, "the results to go")
    paints, news = Paints(results.viewport()), News(model)
    for end, letter in enumerate(query, start=1):
        news.clear()
        taken.append(paints.after(partial(press, field, letter), news.rows, f"rows for {query[:end]}"))
        rest(_BETWEEN_KEYS)
    return taken


def measure(root: Path) -> list[Row]:
    """One window, from its first picture on."""
    app = application()
    begun = perf_counter()
    with Probe().watching() as probe:
        window = opened(root)
        settled(window)
        known = perf_counter() - begun
        taken = []
        plain = [word for word in words() if word.isascii() and len(word) > 3]
        queries = cycle([plain[5], "POL-35", plain[100], RARE, plain[400], plain[1200]])
        for number, query in enumerate(queries):
            taken += _type(window, query)
            open_document(window, f"memory/2026-11-{number % 20 + 10}.md")
            rest(_LOOKS)
            if perf_counter() - begun > _SECONDS:
                break
    window.close()
    app.quit()
    return [
        Row("longest stall: a new workspace's minute", probe.worst, "ms", Probe.LIMIT, "", probe.report),
        Row("first rows after a key in it, p95", percentile(taken, 0.95), "ms", 30.0, "", f"{spread(taken)} ms"),
        Row("all of it searchable after", known, "s", None),
    ]


if __name__ == "__main__":
    place = Path(sys.argv[1])
    # One that was never opened before.
    os.environ["MEMGUI_HOME"] = str(place.parent / "new")
    tell(measure(place))
