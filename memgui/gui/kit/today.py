"""`Today`: which day it is where the person sits, told anew at midnight, after sleep, and when the clock is put."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

LONGEST_WAIT_MS = 5 * 60_000
"""A timer stands still while the machine sleeps, and knows nothing of a clock that is put: it never waits longer."""


def local_now() -> datetime.datetime:
    """This moment, in the zone of the machine."""
    return datetime.datetime.now().astimezone()


class Today(QObject):
    """The day by a clock. `changed` carries the new `date`; `check` looks at once."""

    changed = Signal(object)

    def __init__(self, now: Callable[[], datetime.datetime] = local_now, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.now = now
        self.day = now().date()
        self._ended = False
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.check)

    @Slot()
    def begin(self) -> None:
        """Watch for the next midnight from now on."""
        self.check()

    def end(self) -> None:
        """Watch no more, whoever asks."""
        self._ended = True
        self._timer.stop()

    @property
    def wait_ms(self) -> int:
        """How long until it is worth looking again."""
        now = self.now()
        midnight = datetime.datetime.combine(now.date() + datetime.timedelta(days=1), datetime.time(), now.tzinfo)
        left = round((midnight.timestamp() - now.timestamp()) * 1000)
        return min(max(left, 0) + 1, LONGEST_WAIT_MS)

    @Slot()
    def check(self) -> None:
        """Look at the clock; tell, where it is another day."""
        if self._ended:
            return
        day = self.now().date()
        self._timer.start(self.wait_ms)
        if day != self.day:
            self.day = day
            self.changed.emit(day)
