"""A thousand days of thirty entries: the week on screen, week after week, scrolling, a line of an agent, every log."""

from __future__ import annotations

import datetime
import random
import sys
from functools import partial
from pathlib import Path
from time import perf_counter, thread_time

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtWidgets import QApplication, QListView, QMainWindow, QToolButton

from memgui.ops import logs, workspace
from memgui.ops.sync import look
from tests.bench.measure import (
    Paints,
    Probe,
    Row,
    application,
    opened,
    part,
    percentile,
    rest,
    settled,
    spread,
    tell,
    until,
)
from tests.bench.workspace import words

_DAYS, _ENTRIES = 1_000, 30
_PATH = int(Qt.ItemDataRole.UserRole)


def _write(root: Path) -> list[datetime.date]:
    """Writes the days up to today, in the forms that agents write."""
    dice, known = random.Random(_DAYS), words()
    today = datetime.date.today()
    days = [today - datetime.timedelta(days=back) for back in range(_DAYS)]
    forms = ("- {time} {text}", "### {text} ({time})", "[{time}:07] {text}", "- **{time}** {text}")
    (root / "memory").mkdir(parents=True)
    for name in ("SOUL.md", "AGENTS.md", "MEMORY.md"):
        (root / name).write_text(f"# {name}\n")
    for day in days:
        form = dice.choice(forms)
        lines = [f"# {day}", ""]
        for number in range(_ENTRIES):
            text = " ".join(dice.choices(known, k=dice.randint(4, 40)))
            lines.append(form.format(time=f"{number * 48 // 60:02}:{number * 48 % 60:02}", text=text))
            lines += [f"  {' '.join(dice.choices(known, k=20))}" for _more in range(dice.choice((0, 0, 0, 2, 14)))]
        (root / "memory" / f"{day}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return days


def _every_log(root: Path) -> Row:
    space = workspace.open(root)
    snapshot = look(space)
    days = logs.days(space, snapshot)
    taken, count = [], 0
    for first in range(0, len(days.dates), logs.WEEK):
        begun = perf_counter()
        wanted = [log for day in days.dates[first : first + logs.WEEK] for log in days.on(day)]
        count += sum(len(text.entries) for text in logs.read_logs(space, snapshot, wanted).values())
        taken.append((perf_counter() - begun) * 1000)
    return Row(f"reading {count:,} entries, a week", percentile(taken, 0.95), "ms", None, "", f"{spread(taken)} ms")


def _scroll(view: QListView, step: int) -> None:
    place = QPointF(view.viewport().rect().center())
    for _turn in range(150):
        turned = QWheelEvent(
            place,
            QPointF(view.viewport().mapToGlobal(place.toPoint())),
            QPoint(),
            QPoint(0, step),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(view.viewport(), turned)
        rest(0.008)


def _in_the_window(window: QMainWindow, root: Path, days: list[datetime.date]) -> list[Row]:
    shown = part(window, QAction, "view.days")
    view = part(window, QListView, "dayEntries")
    model = view.model()
    paints = Paints(view.viewport())

    def first_path() -> object:
        return next((p for i in range(model.rowCount()) if (p := model.index(i, 0).data(_PATH)) is not None), None)

    def of(day: datetime.date) -> str:
        return f"memory/{day}.md"

    rows = [
        Row(
            "the week reader on screen",
            paints.after(shown.trigger, lambda: first_path() == of(days[0]), "the week"),
            "ms",
            100.0,
            "",
            f"{model.rowCount()} rows of {_DAYS:,} days",
        )
    ]
    taken, worked = [], []
    back = part(window, QToolButton, "dayPrevious")
    for week in range(1, 40):
        goal, begun = of(days[week * logs.WEEK]), thread_time()
        taken.append(paints.after(back.click, lambda goal=goal: first_path() == goal, goal))  # type: ignore[misc]
        worked.append((thread_time() - begun) * 1000)
    note = f"{spread(taken)} ms; of it the window's thread worked p50 {percentile(worked, 0.5):.0f}"
    rows.append(Row("another week on screen, p95", percentile(taken, 0.95), "ms", 100.0, "", note))
    part(window, QAction, "go.today").trigger()
    until(lambda: first_path() == of(days[0]), "today")
    with Probe().watching() as probe:
        _scroll(view, -240)
        _scroll(view, 240)
    rows.append(Row("longest stall: scrolling the week", probe.worst, "ms", Probe.LIMIT, "", probe.report))
    before = model.rowCount()
    taken = []
    for number in range(20):
        rest(0.05)
        line = partial(_append, root / of(days[0]), f"- 23:{number:02} A line of the agent\n")
        seen = before + number
        taken.append(paints.after(line, lambda seen=seen: model.rowCount() > seen, "the line"))  # type: ignore[misc]
    rows.append(
        Row("an agent's line in the week, p95", percentile(taken, 0.95), "ms", 250.0, "", f"{spread(taken)} ms")
    )
    return rows


def _append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(line)


def measure(root: Path) -> list[Row]:
    """All of it, on a workspace of its own beside the common one."""
    own = root.parent / "days"
    days = _write(own)
    rows = [_every_log(own)]
    app = application()
    window = opened(own)
    settled(window)
    rows += _in_the_window(window, own, days)
    window.close()
    app.quit()
    return rows


if __name__ == "__main__":
    tell(measure(Path(sys.argv[1])))
