"""Whether a protected page is locked, and the bar that says so and asks."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from memgui.domain.lines import Lines
from memgui.gui.panels.page.keeping import Keeping
from memgui.gui.panels.page.lock_bar import LockBar


class Lock(QObject):
    """Unprotected pages are never locked. `changed` tells that a protected one was locked or unlocked."""

    changed = Signal(bool)

    def __init__(self, bar: LockBar, keeping: Keeping, parent: QObject) -> None:
        super().__init__(parent)
        self._bar = bar
        self._keeping = keeping
        self.protected = False
        self._unlocked = False
        bar.unlock_confirmed.connect(self.unlock)
        bar.save_put_off.connect(self.show_bar)

    @property
    def locked(self) -> bool:
        """Whether nothing may be typed."""
        return self.protected and not self._unlocked

    @property
    def unlocked(self) -> bool:
        """Whether a protected page is open for this session."""
        return self.protected and self._unlocked

    def ask_to_unlock(self) -> None:
        """Open the question whether to unlock."""
        if self.locked:
            self._bar.ask_to_unlock()

    @Slot()
    def unlock(self) -> None:
        """Open for this session."""
        if self.locked:
            self._set(True)

    def lock(self) -> None:
        """Lock again."""
        if self.unlocked:
            self._set(False)

    def ask_to_save(self, old: Lines, new: Lines) -> None:
        """Ask whether to save, with what would change."""
        self._bar.show_saving(old, new)

    def answered(self) -> None:
        """The question was answered, or is none any more."""
        self._bar.end_asking()
        self.show_bar()

    @Slot()
    def show_bar(self) -> None:
        """Show how things stand, unless a question is open."""
        self._bar.setVisible(self.protected)
        if self._bar.is_asking:
            return
        if self._unlocked:
            self._bar.show_unlocked()
        else:
            self._bar.show_locked()

    def _set(self, unlocked: bool) -> None:
        self._unlocked = unlocked
        self._keeping.watch_lock(unlocked)
        self.answered()
        self.changed.emit(unlocked)
