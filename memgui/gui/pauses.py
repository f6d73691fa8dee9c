"""Keeps the interpreter from holding up the window: how threads take turns, and when Python looks for garbage."""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication

SWITCH_SECONDS = 0.0005
"""How long a thread beside the window may keep the interpreter from it. With Python's own 5 ms frames are dropped."""

YOUNG, MIDDLE, NEVER = 5_000, 10, 1_000_000_000
"""Thresholds of the collector. What has lived long is looked through when nobody waits, never by itself: with ten
thousand files that takes 60 to 250 ms, in whatever thread it happens, and no other thread runs meanwhile."""

TIDY_MS = 5 * 60_000
PATIENCE = 6
"""After so many rounds in which the person was at work, it is done all the same."""


class Pauses(QObject):
    """One for the process, a child of the application."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self.setObjectName("pauses")
        self._put_off = 0
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_SECONDS))
        gc.set_threshold(YOUNG, MIDDLE, NEVER)
        self._rounds = QTimer(self, interval=TIDY_MS, timerType=Qt.TimerType.VeryCoarseTimer)
        self._rounds.timeout.connect(self._tidy_if_idle)

    def begin(self) -> None:
        """There is a window: look for garbage now and then."""
        self._rounds.start()

    def end(self) -> None:
        """The last window is gone: nothing is kept from the collector any more."""
        self._rounds.stop()
        gc.unfreeze()

    def settle(self) -> None:
        """What is there now will stay: the collector passes it by."""
        gc.freeze()

    @Slot()
    def _tidy_if_idle(self) -> None:
        if QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive and self._put_off < PATIENCE:
            self._put_off += 1
            return
        self._put_off = 0
        gc.unfreeze()
        gc.collect()
        gc.freeze()


def pauses() -> Pauses:
    """The one of the running application."""
    app = QCoreApplication.instance()
    assert app is not None, "there is no application"
    found = app.findChild(Pauses, "pauses", Qt.FindChildOption.FindDirectChildrenOnly)
    return found if isinstance(found, Pauses) else Pauses(app)
