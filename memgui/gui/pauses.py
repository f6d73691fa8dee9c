"""Keeps the interpreter from holding up the window: how threads take turns, and when Python looks for garbage.

Python would collect in whichever thread asks for memory next. A widget or timer that is freed that way in a thread
beside the window's ends the process. So while there is a window nothing is collected but here, in the window's thread.
"""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication

SWITCH_SECONDS = 0.0001
"""How long a thread beside the window may keep the interpreter from it. With Python's own 5 ms frames are dropped."""

LOOK_MS = 400
"""How often the window's thread sees whether there is enough to look through."""

YOUNG, MIDDLE = 2_000, 8
"""So many new things are worth a look; after so many looks those that outlived the first are looked through too."""

MANY = 60_000
"""Where so many things came at once, as in opening a folder or in a storm of files, looking through them would hold up
the window: they are put with what will stay, until everything is looked through. So are those of several looks."""

TIDY_MS = 5 * 60_000
PATIENCE = 6
"""Everything is looked through when nobody is at work: with ten thousand files that takes 60 to 250 ms. After so many
rounds in which somebody was, it is done all the same."""


class Pauses(QObject):
    """One for the process, a child of the application."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self.setObjectName("pauses")
        self._windows = 0
        self._put_off = 0
        self._looked_through = 0
        """So many things were young in the looks since those that outlived them were looked through."""
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_SECONDS))
        self._looks = QTimer(self, interval=LOOK_MS, timerType=Qt.TimerType.CoarseTimer)
        self._looks.timeout.connect(self._look)
        self._rounds = QTimer(self, interval=TIDY_MS, timerType=Qt.TimerType.VeryCoarseTimer)
        self._rounds.timeout.connect(self._tidy_if_idle)

    def begin(self) -> None:
        """There is one window more: from now on garbage is collected in this thread alone."""
        self._windows += 1
        if self._windows == 1:
            gc.disable()
            self._looks.start()
            self._rounds.start()

    def end(self) -> None:
        """There is one window less. After the last, Python collects by itself again, and nothing is kept from it."""
        self._windows = max(0, self._windows - 1)
        if not self._windows:
            self._looks.stop()
            self._rounds.stop()
            gc.unfreeze()
            gc.enable()

    def settle(self) -> None:
        """What is there now will stay: the collector passes it by."""
        if self._windows:
            gc.freeze()

    @Slot()
    def _look(self) -> None:
        young, middle, _old = gc.get_count()
        if young <= YOUNG:
            return
        self._looked_through += young
        outlived = middle >= MIDDLE
        if young > MANY or (outlived and self._looked_through > MANY):
            gc.freeze()
        gc.collect(1 if outlived else 0)
        if outlived:
            self._looked_through = 0

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
