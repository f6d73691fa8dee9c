"""Lanes: work that must not hold up the window runs here, and its answer comes back on the GUI thread."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from memgui.domain.errors import ExecutionFailed, MemguiError
from memgui.i18n import _

log = logging.getLogger(__name__)
T = TypeVar("T")

GIVE_WAY_SECONDS = 0.6
"""So long after a key in search long work behind the window stands still."""

_LOOK_SECONDS = 0.02


class Failure(ExecutionFailed):
    """An error nobody expected, as a sentence that can be shown; the log has the whole of it."""


class Ticket:
    """A number for one question. It is stale as soon as its desk has given out a later one."""

    __slots__ = ("_desk", "number")

    def __init__(self, desk: Desk, number: int) -> None:
        self._desk = desk
        self.number = number

    @property
    def stale(self) -> bool:
        """True once only the answer to a later question counts. May be asked from any thread."""
        return self.number != self._desk.latest


class GiveWay:
    """Lets long work behind the window wait while somebody is at something that has to come at once. Any thread."""

    def __init__(self) -> None:
        self._until = 0.0

    def ask(self) -> None:
        """Somebody is at it now."""
        self._until = time.monotonic() + GIVE_WAY_SECONDS

    def stop_of(self, ticket: Ticket) -> Callable[[], bool]:
        """What such work asks between its steps: whether to stop. The answer comes once nobody is in the way."""

        def stop() -> bool:
            while not ticket.stale and time.monotonic() < self._until:
                time.sleep(_LOOK_SECONDS)
            return ticket.stale

        return stop


class Desk:
    """Gives out tickets for questions of which only the latest one's answer counts."""

    def __init__(self) -> None:
        self.latest = 0

    def next(self) -> Ticket:
        """The ticket of a new question; all earlier ones are stale from now on."""
        self.latest += 1
        return Ticket(self, self.latest)

    def cancel(self) -> None:
        """No answer counts any more."""
        self.latest += 1


class _Job(NamedTuple):
    work: Callable[[], Any]
    done: Callable[[Any], None]
    failed: Callable[[MemguiError], None]
    ticket: Ticket | None

    @property
    def stale(self) -> bool:
        return self.ticket is not None and self.ticket.stale


class _Answer(NamedTuple):
    job: _Job
    value: Any = None
    error: MemguiError | None = None

    def deliver(self) -> None:
        if self.job.stale:
            return
        if self.error is not None:
            self.job.failed(self.error)
        else:
            self.job.done(self.value)


def _answer(job: _Job) -> _Answer:
    """Run a job. The one place where an error that nobody expected becomes a sentence."""
    try:
        return _Answer(job, value=job.work())
    except MemguiError as error:
        return _Answer(job, error=error)
    except Exception as error:
        log.exception("a job failed unexpectedly")
        sentence = _("Something inside memgui went wrong ({kind}). Nothing was lost; the log has the details.")
        return _Answer(job, error=Failure(sentence.format(kind=type(error).__name__)))


class Lane(QObject):
    """A queue of jobs with threads of its own. Jobs start in order; answers arrive on the thread that owns the lane."""

    _answered = Signal()

    def __init__(self, name: str, *, threads: int = 1, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: deque[_Job] = deque()
        # What a job refers to may be the last of a closed page: the thread that ran it must not be the one to free it.
        self._answers: deque[_Answer] = deque()
        self._wake = threading.Condition()
        self._closed = False
        self._silent = False
        self._answered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._name, self._most = name, threads
        self._threads: list[threading.Thread] = []
        """One more with each of the first jobs: a window waits a millisecond for each, and needs few at first."""

    def submit(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[MemguiError], None],
        *,
        ticket: Ticket | None = None,
    ) -> None:
        """Run `work` on one of the lane's threads, then `done` or `failed` here, unless the ticket is stale by then."""
        job = _Job(work, done, failed, ticket)
        with self._wake:
            if self._closed:
                return
            self._jobs.append(job)
            self._wake.notify()
            if len(self._threads) < self._most:
                self._begin_thread()

    def close(self, wait: float, *, finish: bool = False) -> bool:
        """Take no more jobs, drop those that wait (or `finish` them) and end the threads. True if they ended in time.

        No answer is delivered any more.
        """
        with self._wake:
            self._closed = True
            self._silent = True
            if not finish:
                self._jobs.clear()
            self._wake.notify_all()
        end = time.monotonic() + wait
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _begin_thread(self) -> None:
        # A daemon: a read that hangs on a dead network disk must not keep the process from ending.
        name = f"memgui-{self._name}-{len(self._threads)}"
        thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._jobs and not self._closed:
                    self._wake.wait()
                if not self._jobs:
                    return
                job = self._jobs.popleft()
            self._answers.append(_Answer(job) if job.stale else _answer(job))
            del job
            with self._wake:
                # Under the lock: once closed, this object may be gone and must not be asked to emit.
                if not self._silent:
                    self._answered.emit()

    @Slot()
    def _deliver(self) -> None:
        if not self._silent and self._answers:
            self._answers.popleft().deliver()


class InlineLane(Lane):
    """For tests: every job runs at once, on the caller's thread, and its answer is there when `submit` returns."""

    def __init__(self, name: str = "inline", *, parent: QObject | None = None) -> None:
        super().__init__(name, threads=0, parent=parent)

    def submit(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[MemguiError], None],
        *,
        ticket: Ticket | None = None,
    ) -> None:
        if not self._closed:
            _answer(_Job(work, done, failed, ticket)).deliver()


@dataclass(frozen=True, slots=True)
class Lanes:
    """The two lanes of a window: `writes` keeps the order of what is written, `reads` answers questions."""

    writes: Lane
    reads: Lane

    @staticmethod
    def threaded(parent: QObject | None = None) -> Lanes:
        """One thread that writes, two that read."""
        return Lanes(Lane("write", threads=1, parent=parent), Lane("read", threads=2, parent=parent))

    @staticmethod
    def inline(parent: QObject | None = None) -> Lanes:
        """For tests: both run on the caller's thread."""
        return Lanes(InlineLane("write", parent=parent), InlineLane("read", parent=parent))

    def close(self, wait: float = 5.0) -> bool:
        """Finish what is to be written, drop what is still asked, end the threads. True if they ended in time."""
        end = time.monotonic() + wait
        read = self.reads.close(0.0)
        written = self.writes.close(wait, finish=True)
        return (self.reads.close(max(0.05, end - time.monotonic())) or read) and written
