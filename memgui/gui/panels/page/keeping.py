"""When unsaved text goes into the crash journal, when it is saved by itself, and when an unlocked page locks again."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance


@dataclass(frozen=True, slots=True)
class PageOptions:
    """What a person may set about pages. Times are in seconds; an autosave of 0 is none."""

    journal_seconds: float = 1.0
    autosave_seconds: float = 5.0
    relock_seconds: float = 600.0
    wrap_lines: bool = True
    show_invisibles: bool = True


class Keeping(QObject):
    """Three timers. The journal's runs from the first key that is in no journal yet; the others from the last key."""

    journal_due = Signal()
    save_due = Signal()
    lock_due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._journal = self._timer(self.journal_due)
        self._save = self._timer(self.save_due)
        self._lock = self._timer(self.lock_due)
        self._options = PageOptions()

    def set_options(self, options: PageOptions) -> None:
        """Go by these times from now on."""
        self._options = options
        for timer, seconds in (
            (self._journal, options.journal_seconds),
            (self._save, options.autosave_seconds),
            (self._lock, options.relock_seconds),
        ):
            timer.setInterval(max(0, round(seconds * 1000)))
        if not options.autosave_seconds:
            self._save.stop()

    def key_typed(self, *, autosave: bool) -> None:
        """The text changed by a person's hand."""
        if not self._journal.isActive():
            self._journal.start()
        if autosave and self._options.autosave_seconds:
            self._save.start()
        self.stirred()

    def stirred(self) -> None:
        """The person is at work on an unlocked page."""
        if self._lock.isActive():
            self._lock.start()

    def watch_lock(self, unlocked: bool) -> None:
        """Begin or end waiting for the person to leave an unlocked page alone."""
        if unlocked:
            self._lock.start()
        else:
            self._lock.stop()

    def forget_journal(self) -> None:
        """All keys are in the journal."""
        self._journal.stop()

    def forget_save(self) -> None:
        """A save is on its way already."""
        self._save.stop()

    def forget_text(self) -> None:
        """There is nothing left to keep or save."""
        self._journal.stop()
        self._save.stop()

    def stop(self) -> None:
        """End all waiting."""
        self.forget_text()
        self._lock.stop()

    def _timer(self, due: SignalInstance) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(due)
        return timer
