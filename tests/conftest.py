"""What every test stands on: places of its own, no network, no display, and nothing left behind.

A test fails on any warning (Python's, Qt's, or a logged one) that it did not announce, and on anything it leaves
running: a thread, a window, a timer.
"""

from __future__ import annotations

import functools
import gc
import itertools
import logging
import os
import re
import socket
import sys
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import hypothesis
import pytest

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.setdefault("QT_QUICK_BACKEND", "software")

hypothesis.settings.register_profile(
    "desk", deadline=None, max_examples=50, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.register_profile("ci", hypothesis.settings.get_profile("desk"), derandomize=True, database=None)
hypothesis.settings.register_profile("deep", hypothesis.settings.get_profile("desk"), max_examples=2000)
hypothesis.settings.register_profile("brief", hypothesis.settings.get_profile("ci"), max_examples=5)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "desk"))

ALLOWED_LEFTOVERS = re.compile(r"pytest_timeout.*|pydevd.*|qtooltip_label")
"""Names of threads and windows that belong to the test tools or to Qt itself and not to the program."""

GRACE_SECONDS = 5.0
"""How long a thread that was told to stop may take to do so; a healthy one takes milliseconds."""


# Places ------------------------------------------------------------------------------------------------------------

_numbers = itertools.count(1)


@pytest.fixture(autouse=True)
def places(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stands in for the person's home, so that no test ever sees or writes the real one. Returns `$MEMGUI_HOME`."""
    person = tmp_path_factory.getbasetemp() / "people" / str(next(_numbers))
    home, runtime = person / "home", person / "runtime"
    home.mkdir(parents=True)
    runtime.mkdir(mode=0o700)
    for name in [name for name in os.environ if name.startswith(("MEMGUI_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.setenv("MEMGUI_HOME", str(person / "memgui"))
    return person / "memgui"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuses every connection but those to sockets of this machine's file system."""
    real = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            raise AssertionError(f"a test reached for the network: {address!r}")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", refuse)


# Time --------------------------------------------------------------------------------------------------------------


@dataclass
class Clock:
    """A clock that stands still until a test moves it. Calling it answers the moment, as `datetime.now(tz)` would."""

    now: datetime = field(default_factory=lambda: datetime(2026, 11, 30, 14, 3, 5, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.now

    def time(self) -> float:
        """Seconds since the epoch, as `time.time()`."""
        return self.now.timestamp()

    def monotonic(self) -> float:
        """Seconds from some beginning, as `time.monotonic()`."""
        return self.now.timestamp()

    def advance(self, seconds: float) -> None:
        """Lets time pass."""
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    """A clock of the test's own: Monday, 30 November 2026, 14:03:05 UTC."""
    return Clock()


# A workspace -------------------------------------------------------------------------------------------------------

_WORKSPACE = {
    "AGENTS.md": "# How we work\n\n- Read MEMORY.md before you answer.\n- Write what happened into today's log.\n",
    "SOUL.md": "# Soul\n\nCalm, exact, a little dry. Never pretends to remember.\n",
    "USER.md": "# The person\n\nMara Lindqvist, runs the harbour office. Prefers short answers.\n",
    "IDENTITY.md": "# Identity\n\nName: Pilot\nWorks for: the harbour office\n",
    "TOOLS.md": "# Tools\n\n- `tide-table` answers in local time.\n",
    "HEARTBEAT.md": "# Heartbeat\n\n- [ ] Check the tide table for tomorrow\n- [x] Ask Mara about berth 7\n",
    "MEMORY.md": (
        "# Memory\n\n## Berths\n\n- Berth 7 is closed until the crane is repaired.\n"
        "- The ferry *Saltholm* needs berth 2 on Fridays.\n\n## People\n\n- Jürgen answers faster by telephone.\n"
    ),
    "memory/2026-11-28.md": "# 2026-11-28\n\n09:10 Mara asked for the list of closed berths.\n",
    "memory/2026-11-29.md": "# 2026-11-29\n\n08:02 Tide table read.\n16:40 Crane part ordered (POL-358).\n",
    "memory/2026-11-30.md": "# 2026-11-30\n\n07:55 Berth 7 still closed.\n",
    "projects/crane/plan.md": "# Crane\n\n1. Part arrives on 3 December\n2. Two days of work\n",
    "projects/notes.md": "# Notes\n\n港口 means harbour. Café Anker opens at seven.\n",
}


@pytest.fixture
def workspace_root(tmp_path: Path) -> Path:
    """A small OpenClaw workspace: five identity files, a heartbeat, memory, three days, a project."""
    root = tmp_path / "harbour"
    for name, text in _WORKSPACE.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return root


# Warnings ----------------------------------------------------------------------------------------------------------


class _Heard(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def expected_log() -> list[str]:
    """Patterns of logged warnings that this test means to cause; append to it. Each has to be heard."""
    return []


@pytest.fixture(autouse=True)
def no_logged_warnings(expected_log: list[str]) -> Iterator[None]:
    """Fails a test that logs a warning it did not announce through `expected_log`."""
    heard = _Heard()
    root = logging.getLogger()
    root.addHandler(heard)
    try:
        yield
    finally:
        root.removeHandler(heard)
    said = [record.getMessage() for record in heard.records]
    surprises = [text for text in said if not any(re.search(pattern, text) for pattern in expected_log)]
    silent = [pattern for pattern in expected_log if not any(re.search(pattern, text) for text in said)]
    assert not surprises, f"logged, and not expected: {surprises}"
    assert not silent, f"expected in the log, and not heard: {silent}"


# Leftovers ---------------------------------------------------------------------------------------------------------


def _left_threads(before: set[threading.Thread]) -> list[str]:
    def running() -> list[threading.Thread]:
        return [
            thread
            for thread in threading.enumerate()
            if thread not in before
            # A thread that Qt began keeps its stand-in after it has ended.
            and not isinstance(thread, threading._DummyThread)
            and not ALLOWED_LEFTOVERS.fullmatch(thread.name)
        ]

    for thread in running():
        thread.join(GRACE_SECONDS)
    return [f"thread {thread.name}" for thread in running()]


def _qt() -> Any | None:
    """The Qt modules where a QApplication lives, None where this test run has none."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    return sys.modules["PySide6.QtCore"] if widgets is not None and widgets.QApplication.instance() else None


def _windows() -> dict[int, str]:
    import shiboken6
    from PySide6.QtWidgets import QApplication

    return {
        shiboken6.getCppPointer(widget)[0]: f"window {type(widget).__name__} {widget.objectName()!r}"
        for widget in QApplication.topLevelWidgets()
        if not ALLOWED_LEFTOVERS.fullmatch(widget.objectName())
    }


_timers: weakref.WeakSet[Any] = weakref.WeakSet()
"""Every QTimer that was made. To find them among all objects after each test would take longer than most tests."""


@functools.cache
def _note_timers() -> None:
    from PySide6.QtCore import QTimer

    begin = QTimer.__init__

    def noted(timer: QTimer, *arguments: Any, **named: Any) -> None:
        begin(timer, *arguments, **named)
        _timers.add(timer)

    QTimer.__init__ = noted  # type: ignore[method-assign]


def _active_timers() -> dict[int, str]:
    import shiboken6

    return {
        id(timer): f"timer {timer.objectName() or type(timer.parent()).__name__!r} every {timer.interval()} ms"
        for timer in list(_timers)
        if shiboken6.isValid(timer) and timer.isActive()
    }


_told_timers: set[int] = set()


def pytest_collection_finish() -> None:
    """What has been loaded by now stays to the end: nobody need look through it again after each test."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def no_leftovers(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test that leaves a thread, a window or a running timer behind."""
    threads = set(threading.enumerate())
    with_qt = "qapp" in request.fixturenames
    if with_qt:
        _note_timers()
    windows = _windows() if with_qt and _qt() else {}
    yield
    left = _left_threads(threads)
    if with_qt and (core := _qt()):
        core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)
        if not core.QThreadPool.globalInstance().waitForDone(int(GRACE_SECONDS * 1000)):
            left.append("work in the shared thread pool")
        left += [name for key, name in _windows().items() if key not in windows]
        timers = _active_timers()
        left += [name for key, name in timers.items() if key not in _told_timers]
        _told_timers.update(timers)
    assert not left, f"left behind: {', '.join(left)}"
