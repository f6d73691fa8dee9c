"""The yardsticks: percentiles, a window driven from outside, and a probe that notices when it stands still."""

from __future__ import annotations

import json
import math
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, thread_time
from types import FrameType
from typing import TypeVar

from PySide6.QtCore import QAbstractItemModel, QEvent, QEventLoop, QModelIndex, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QMainWindow,
    QPlainTextEdit,
    QTabWidget,
    QTreeView,
    QWidget,
)

from memgui.gui.app import open_workspace

Part = TypeVar("Part", bound=QObject)
_PLACES = 4


@dataclass
class Row:
    """One line of the report. `goal` is for `figure`; `lower` says that less is better, as it always is here."""

    what: str
    figure: float
    unit: str
    goal: float | None = None
    reference: str = ""
    note: str = ""

    @property
    def kept(self) -> bool:
        return self.goal is None or self.figure <= self.goal


def tell(rows: Iterable[Row]) -> None:
    """Hands the rows of one bench to the process that prints the report."""
    for row in rows:
        print("row " + json.dumps(asdict(row)), flush=True)


def percentile(values: list[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def spread(values: list[float]) -> str:
    """Median and largest, in words."""
    return f"p50 {percentile(values, 0.5):.1f}, max {max(values):.1f}, n {len(values)}"


class Paints(QObject):
    """Counts the paint events that a widget has been through."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.count += 1
        return False

    def after(self, deed: Callable[[], object], condition: Callable[[], bool], what: str) -> float:
        """Does the deed; answers how many milliseconds until the condition held and the widget was painted again."""
        begun, seen = perf_counter(), self.count
        deed()
        until(lambda: self.count > seen and condition(), what)
        return (perf_counter() - begun) * 1000


class News(QObject):
    """Notices that a model has changed."""

    def __init__(self, model: QAbstractItemModel) -> None:
        super().__init__()
        self._model, self._changed = model, False
        for change in (model.modelReset, model.rowsInserted, model.rowsRemoved, model.layoutChanged, model.dataChanged):
            change.connect(self._note)

    @Slot()
    def _note(self) -> None:
        self._changed = True

    def clear(self) -> None:
        self._changed = False

    def rows(self) -> bool:
        """Whether the model has changed since `clear` and holds rows."""
        return self._changed and self._model.rowCount() > 0

    def taken(self) -> bool:
        """Whether the model has changed since `taken` was last asked."""
        changed, self._changed = self._changed, False
        return changed


def until(condition: Callable[[], bool], what: str, *, seconds: float = 60.0) -> float:
    """Runs the event loop until the condition holds; answers how long that took, in milliseconds."""
    begun = perf_counter()
    tick = QTimer()
    tick.start(1)
    while not condition():
        if perf_counter() - begun > seconds:
            raise SystemExit(f"waited {seconds:.0f} s in vain for {what}")
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    return (perf_counter() - begun) * 1000


def rest(seconds: float) -> None:
    """Runs the event loop for a while."""
    end = perf_counter() + seconds
    until(lambda: perf_counter() > end, "the time to pass", seconds=seconds + 60)


def press(widget: QWidget, text: str = "", key: int = 0) -> None:
    """Sends one key to a widget as the keyboard would."""
    code = key or (ord(text.upper()) if text.isascii() else 0)
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, code, Qt.KeyboardModifier.NoModifier, text))


def application() -> QApplication:
    """The one application of this process."""
    return QApplication([sys.argv[0]])


def opened(root: Path) -> QMainWindow:
    """memgui's window on a workspace, its tree usable."""
    window = open_workspace(root)
    until(lambda: window.property("ready") is True, "the tree")
    return window


def settled(window: QMainWindow) -> None:
    """Waits until the index covers the workspace."""
    until(lambda: window.property("indexed") is True, "the index", seconds=300)


def part(window: QWidget, kind: type[Part], name: str) -> Part:
    """The widget or action of the window with that object name."""
    found = window.findChild(kind, name)
    if found is None:
        raise SystemExit(f"the window has no {kind.__name__} named {name!r}")
    return found


def row_of(view: QAbstractItemView, path: str) -> QModelIndex:
    """The first row of a view that stands for a path, its branches opened on the way."""
    model = view.model()

    def below(parent: QModelIndex) -> Iterator[QModelIndex]:
        while model.canFetchMore(parent):
            model.fetchMore(parent)
        for row in range(model.rowCount(parent)):
            index = model.index(row, 0, parent)
            yield index
            # A folder's rows are looked at only where the path may lie below it.
            name = index.data(Qt.ItemDataRole.UserRole)
            if name is None or path.startswith(f"{name}/"):
                yield from below(index)

    for index in below(QModelIndex()):
        if index.data(Qt.ItemDataRole.UserRole) == path:
            return index
    raise SystemExit(f"no row for {path}")


def open_document(window: QMainWindow, path: str) -> QPlainTextEdit:
    """Opens a document from the tree, as Enter does; answers its editor once the text is there."""
    tree = part(window, QTreeView, "workspaceTree")
    index = row_of(tree, path)
    tree.setCurrentIndex(index)
    tree.scrollTo(index)
    tree.setFocus()
    press(tree, key=Qt.Key.Key_Return)
    tabs = part(window, QTabWidget, "documentTabs")

    def page() -> QWidget | None:
        widget = tabs.currentWidget()
        return widget if widget is not None and widget.property("path") == path else None

    until(lambda: (shown := page()) is not None and shown.property("ready") is True, f"the page of {path}")
    shown = page()
    assert shown is not None
    return part(shown, QPlainTextEdit, "editor")


BUSY = 35.0
"""A stall in which the window's thread itself worked longer than this is its own. In a shorter one others had the
machine, as happens on one that is shared."""


def _queued() -> float:
    """How many milliseconds this thread has waited for a processor so far; 0 on systems that do not tell."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_bytes().split()[1]) / 1e6
    except (OSError, IndexError, ValueError):
        return 0.0


@dataclass
class Stall:
    """One moment in which the window stood still: how long, how much of it this thread worked, and at what.

    `queued`: how much of it this thread could have worked and no processor was free. What is left is waiting for the
    interpreter, or for the disk.
    """

    milliseconds: float
    worked: float
    place: str
    queued: float = 0.0


class Probe:
    """Watches the GUI thread: a timer that should fire every few milliseconds, and where it is when that fails.

    Where it is comes from an alarm, which Python answers in this very thread. Another thread that looked would hold the
    frames it saw, and might free a widget that way.
    """

    LIMIT = 50.0
    INTERVAL = 0.005
    LOOK_AFTER = 0.030

    def __init__(self) -> None:
        self.gaps: list[float] = []
        self.works: list[float] = []
        self.stalls: list[Stall] = []
        self._place = ""
        self._beat = perf_counter()
        self._worked, self._queued = thread_time(), _queued()

    def _tick(self) -> None:
        now, worked = perf_counter(), thread_time()
        gap = (now - self._beat - self.INTERVAL) * 1000
        self.gaps.append(max(0.0, gap))
        self.works.append((worked - self._worked) * 1000)
        if gap > self.LIMIT:
            place, queued = self._place or "outside Python", _queued() - self._queued
            self.stalls.append(Stall(gap, (worked - self._worked) * 1000, place, queued))
        self._begin()

    def _begin(self) -> None:
        self._place = ""
        self._beat, self._worked, self._queued = perf_counter(), thread_time(), _queued()
        signal.setitimer(signal.ITIMER_REAL, self.LOOK_AFTER)

    def _look(self, _number: int, frame: FrameType | None) -> None:
        own: list[str] = []
        while frame is not None and len(own) < 3:
            code = frame.f_code
            if "/memgui/" in code.co_filename:
                own.append(f"{Path(code.co_filename).name}:{frame.f_lineno} {code.co_name}")
            frame = frame.f_back
        self._place = " < ".join(own) or "outside memgui"

    @contextmanager
    def watching(self) -> Iterator[Probe]:
        """Watches while the body runs."""
        timer = QTimer(interval=int(self.INTERVAL * 1000), timerType=Qt.TimerType.PreciseTimer)
        timer.timeout.connect(self._tick)
        before = signal.signal(signal.SIGALRM, self._look)
        self._begin()
        timer.start()
        try:
            yield self
            # A stall at the very end is only seen by the tick after it.
            seen = len(self.gaps)
            until(lambda: len(self.gaps) > seen, "the probe")
        finally:
            timer.stop()
            timer.timeout.disconnect(self._tick)
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    @property
    def worst(self) -> float:
        return max(self.gaps, default=0.0)

    @property
    def most(self) -> float:
        """The longest that this thread worked between two ticks, in milliseconds."""
        return max(self.works, default=0.0)

    @property
    def places(self) -> str:
        """Where the stalls were in which this thread worked the most."""
        heaviest = sorted(self.stalls, key=lambda stall: -stall.worked)[:_PLACES]
        return "; ".join(
            f"worked {stall.worked:.0f} of {stall.milliseconds:.0f} at {stall.place}" for stall in heaviest
        )

    @property
    def report(self) -> str:
        if not self.stalls:
            return f"p99 {percentile(self.gaps, 0.99):.1f}"
        worst = max(self.stalls, key=lambda stall: stall.milliseconds)
        return (
            f"{len(self.stalls)} over {self.LIMIT:.0f} ms; worst worked {worst.worked:.0f} ms, "
            f"waited {worst.queued:.0f} ms for a processor, at {worst.place}"
        )
