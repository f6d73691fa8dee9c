"""The history in the window: a document of a thousand versions opened, versions of two thousand lines compared."""

from __future__ import annotations

import random
import sys
from functools import partial
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QListView

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.ops import documents, workspace
from tests.bench.measure import (
    Paints,
    Probe,
    Row,
    application,
    open_document,
    opened,
    part,
    percentile,
    rest,
    settled,
    spread,
    tell,
    until,
)

_VERSIONS, _LINES = 1000, 2000
_LONG = DocPath("many versions.md")


def _write(root: Path) -> None:
    """Each version has other lines in three places; many of its lines are alike."""
    ws, chance = workspace.open(root), random.Random(3)
    lines = ["- [ ] the same\n" if number % 2 else f"- [ ] item {number}\n" for number in range(_LINES)]
    before: Fingerprint | None = None
    for number in range(_VERSIONS):
        for _edit in range(3):
            lines[chance.randrange(_LINES)] = f"- [x] edited {number} {chance.random()}\n"
        data = "".join(lines).encode()
        documents.write(ws, _LONG, data, expected=before, origin=Origin.agent("bench"), now=1e9 + number * 1000)
        before = fingerprint(data)


def measure(root: Path) -> list[Row]:
    """One window on it."""
    app = application()
    _write(root)
    window = opened(root)
    settled(window)
    open_document(window, _LONG)
    versions = part(window, QListView, "historyList")
    difference = part(window, QListView, "historyDiff")
    paints = Paints(difference.viewport())
    with Probe().watching() as probe:
        shown = paints.after(
            part(window, QAction, "view.history").trigger,
            lambda: versions.model().rowCount() == _VERSIONS and difference.model().rowCount() > 0,
            "the history",
        )
        taken = []
        for number in (*range(100, _VERSIONS, 100), _VERSIONS - 1):
            versions.setCurrentIndex(versions.model().index(number - 50, 0))
            until(lambda: difference.model().rowCount() > 0, "a difference")
            rest(0.2)
            before = difference.model().rowCount()
            choose = partial(versions.setCurrentIndex, versions.model().index(number, 0))
            other = lambda before=before: difference.model().rowCount() not in (0, before)  # noqa: E731
            taken.append(paints.after(choose, other, "the next difference"))
    window.close()
    app.quit()
    return [
        Row(f"history of {_VERSIONS:,} versions on screen", shown, "ms", 250.0),
        Row(f"two versions of {_LINES:,} lines compared", percentile(taken, 0.95), "ms", 100.0, "", spread(taken)),
        Row("longest stall: going through versions", probe.worst, "ms", Probe.LIMIT, "", probe.report),
    ]


if __name__ == "__main__":
    tell(measure(Path(sys.argv[1])))
