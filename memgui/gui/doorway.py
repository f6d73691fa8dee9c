"""The door of the first program, as its loop of events sees it: later starts come in with what they were to open."""

from __future__ import annotations

import socket

from PySide6.QtCore import QObject, QSocketNotifier, Signal, Slot

from memgui.ops.instance import Door, Wish

MOST_CALLERS = 32


class Doorway(QObject):
    """Hears who knocks. `wished` carries a `Wish`. Nothing waits for a caller who says nothing."""

    wished = Signal(object)

    def __init__(self, door: Door, parent: QObject) -> None:
        super().__init__(parent)
        self._door = door
        self._callers: dict[QObject, tuple[socket.socket, bytes]] = {}
        self._notifier = QSocketNotifier(door.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._let_in)

    def close(self) -> None:
        """Be the first no longer."""
        self._notifier.setEnabled(False)
        for notifier in list(self._callers):
            self._see_out(notifier)
        self._door.close()

    @Slot()
    def _let_in(self) -> None:
        caller = self._door.caller()
        if caller is None:
            return
        if len(self._callers) >= MOST_CALLERS:
            self._see_out(next(iter(self._callers)))
        notifier = QSocketNotifier(caller.fileno(), QSocketNotifier.Type.Read, self)
        self._callers[notifier] = caller, b""
        notifier.activated.connect(self._hear)

    @Slot()
    def _hear(self) -> None:
        notifier = self.sender()
        if notifier not in self._callers:
            return
        caller, said = self._callers[notifier]
        said, is_all = self._door.hear(caller, said)
        self._callers[notifier] = caller, said
        if is_all:
            self._see_out(notifier)
            wish = Wish.of(said)
            if wish is not None:
                self.wished.emit(wish)

    def _see_out(self, notifier: QObject) -> None:
        caller, _said = self._callers.pop(notifier)
        if isinstance(notifier, QSocketNotifier):
            notifier.setEnabled(False)
        notifier.deleteLater()
        caller.close()
