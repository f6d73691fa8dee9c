"""Rows after a key in the search field, and the exact search beside a process of ripgrep."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from time import perf_counter

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QLineEdit

from memgui.ops import finding, workspace
from memgui.ops.sync import look
from tests.bench.measure import (
    News,
    Paints,
    Row,
    application,
    opened,
    part,
    percentile,
    press,
    settled,
    spread,
    tell,
    until,
)
from tests.bench.workspace import RARE, words


def _queries() -> list[str]:
    """Words from everywhere to rare, a code, and two characters of Chinese."""
    plain = [word for word in words() if word.isascii() and len(word) > 3]
    return [plain[5], plain[100], plain[400], plain[1200], "POL-358", RARE, "港口"]


def rows_after_a_key(root: Path) -> list[Row]:
    """Types each query letter by letter; a key's time ends when rows for it have been painted."""
    app = application()
    window = opened(root)
    settled(window)
    field, results = part(window, QLineEdit, "searchField"), part(window, QAbstractItemView, "searchResults")
    part(window, QAction, "view.search").trigger()
    field.setFocus()
    until(field.isVisible, "the search panel")
    model = results.model()
    paints, news = Paints(results.viewport()), News(model)
    taken = []
    for query in (query for query in _queries() if query.isascii()):
        field.clear()
        until(lambda: model.rowCount() == 0, "the results to go")
        for letter in query:
            news.clear()
            taken.append(paints.after(partial(press, field, letter), news.rows, f"rows for {query}"))
    window.close()
    app.quit()
    return [Row("first rows after a key, p95", percentile(taken, 0.95), "ms", 30.0, "", spread(taken) + " ms")]


def exact_search(root: Path) -> list[Row]:
    """The same words looked for by the scan in memory and by a process of ripgrep over the folder."""
    space = workspace.open(root)
    finder = finding.open(space)
    finder.refresh(look(space))
    ours, theirs = [], []
    ripgrep = shutil.which("rg")
    for query in _queries() * 5:
        begun = perf_counter()
        finder.search(query)
        ours.append((perf_counter() - begun) * 1000)
        if ripgrep:
            begun = perf_counter()
            subprocess.run([ripgrep, "-i", "-F", "-n", "--", query, str(root)], capture_output=True, check=False)
            theirs.append((perf_counter() - begun) * 1000)
    finder.close()
    if not ripgrep:
        return [Row("exact search, p50", percentile(ours, 0.5), "ms", None, "ripgrep is not installed", spread(ours))]
    reference = percentile(theirs, 0.5)
    first = f"when first asked {percentile(ours[: len(_queries())], 0.5) / reference:.2f} x"
    worst = max(mine / other for mine, other in zip(ours, theirs, strict=True))
    return [
        Row(
            "exact search",
            percentile(ours, 0.5) / reference,
            "x",
            0.1,
            f"ripgrep {reference:.0f} ms",
            f"{spread(ours)} ms; worst ratio {worst:.2f}; {first}",
        )
    ]


if __name__ == "__main__":
    tell(exact_search(Path(sys.argv[1])))
    tell(rows_after_a_key(Path(sys.argv[1])))
