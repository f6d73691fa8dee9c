"""The list of what happened: the newest page, further back, one that is rare; and 10,000 rows in the window."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QListView, QMainWindow, QWidget

from memgui.domain.activity import Event, EventKind, Wanted
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import baselines, sync, workspace, writing
from memgui.ops.activity import Activity
from memgui.storage.database import StateDatabase
from memgui.storage.deeds import Deed, Deeds
from tests.bench.measure import Probe, Row, application, opened, part, rest, settled, spread, tell, until

_WRITES, _REFUSALS, _DEEDS, _ROWS = 45_000, 10_000, 5_000, 10_000
_BEGIN = 1.79e9


def _fill(ws: Workspace) -> None:
    """Months of writes, refusals and deeds."""
    db = StateDatabase(ws.state)
    with db.held(), db.opened() as rows, rows:
        rows.executemany(
            "INSERT INTO intents (time, path, kind, name, before, after, size, state)"
            " VALUES (?, ?, 'agent', ?, NULL, ?, 100, 'done')",
            ((_BEGIN + n * 60, b"n/%d.md" % (n % 999), f"a{n % 5}", "1" * 64) for n in range(_WRITES)),
        )
        rows.executemany(
            "INSERT INTO refusals (time, kind, name, tool, target, code, message)"
            " VALUES (?, 'agent', ?, 'memory_write', 'SOUL.md', 'NotAuthorized', 'no')",
            ((_BEGIN + n * 270, f"a{n % 5}") for n in range(_REFUSALS)),
        )
    deeds = Deeds(ws.state)
    deeds.note(*(Deed(_BEGIN + n * 540, "accept", DocPath(f"n/{n}.md"), Origin.you(), "1") for n in range(_DEEDS)))


def _milliseconds(deed: Callable[[], object]) -> float:
    begun = perf_counter()
    deed()
    return (perf_counter() - begun) * 1000


def reading(ws: Workspace) -> list[Row]:
    """Page by page, beside the window."""
    reader = Activity(ws)
    first = _milliseconds(reader.page)
    again = [_milliseconds(partial(reader.page, limit=200)) for _round in range(7)]
    older: list[float] = []
    before: Event | None = None
    for _page in range(_ROWS // 200):
        begun = perf_counter()
        before = reader.page(before=before, limit=200).events[-1]
        older.append((perf_counter() - begun) * 1000)
    rare = _milliseconds(partial(reader.page, wanted=Wanted(text="n/998.md"), limit=200))
    refused = _milliseconds(partial(reader.page, wanted=Wanted(frozenset({EventKind.REFUSAL})), limit=200))
    with tempfile.TemporaryDirectory(prefix="memgui-activity-") as place:
        exported = _milliseconds(partial(reader.export, Path(place, "all.jsonl")))
    return [
        Row("newest page of 60,000 events, first", first, "ms", None, "", "with every log of versions"),
        Row("  again", sorted(again)[3], "ms", 150.0, "", spread(again)),
        Row("  200 older", sorted(older)[len(older) // 2], "ms", 150.0, "", spread(older)),
        Row("  200 of one document", rare, "ms", None, "", f"refusals {refused:.0f} ms"),
        Row("all exported", exported / 1000, "s", None, "", "in a lane, can be stopped"),
    ]


def _stall(what: str, flow: Callable[[], object]) -> Row:
    with Probe().watching() as probe:
        flow()
        rest(0.3)
    return Row(f"longest stall: {what}", probe.worst, "ms", Probe.LIMIT, "", probe.report)


def looking(root: Path, ws: Workspace) -> list[Row]:
    """In the window: to the 10,000th row, new ones on top of that, and narrowed."""
    window: QMainWindow = opened(root)
    settled(window)
    view, panel = part(window, QListView, "activityList"), part(window, QWidget, "activityPanel")
    kinds, model = part(window, QComboBox, "activityKind"), view.model()

    def show() -> None:
        part(window, QAction, "view.activity").trigger()
        until(lambda: panel.property("ready") is True and model.rowCount() > 100, "the first page", seconds=120)

    def go_back() -> None:
        while model.rowCount() < _ROWS:
            before = model.rowCount()
            view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
            if model.canFetchMore(QModelIndex()):
                model.fetchMore(QModelIndex())
            until(lambda before=before: model.rowCount() > before, "older events", seconds=60)  # type: ignore[misc]

    def follow() -> None:
        for number in range(5):
            before = model.rowCount()
            agent = {"target": "memory", "origin": Origin.agent("bench")}
            writing.memory_write(ws, content=f"entry {number}", now=datetime.now(UTC), **agent)  # type: ignore[arg-type]
            until(lambda before=before: model.rowCount() > before, "the entry", seconds=60)  # type: ignore[misc]

    def narrow() -> None:
        kinds.setCurrentIndex(kinds.findText(EventKind.RESTORE.words))
        until(lambda: model.rowCount() == 0, "nothing", seconds=60)

    rows = [_stall("activity comes to the front", show), _stall("back to the 10,000th event", go_back)]
    rows += [_stall("5 new above 10,000 events", follow), _stall("activity narrowed", narrow)]
    window.close()
    return rows


if __name__ == "__main__":
    application()
    place = Path(sys.argv[1])
    space = workspace.open(place)
    baselines.begin(space, sync.look(space))
    _fill(space)
    tell(reading(space))
    tell(looking(place, space))
