"""Decides whether a page's text may be saved now, has to be asked about first, or waits; and whether it may close."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from memgui.domain.lines import Lines
from memgui.gui.notices import Notices
from memgui.gui.panels.page import saying
from memgui.gui.panels.page.banner import Banner
from memgui.gui.panels.page.choosing import SideChoices
from memgui.gui.panels.page.disk_side import DiskSide
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.lock_bar import LockBar
from memgui.gui.panels.page.locking import Lock
from memgui.gui.panels.page.saving import Saver
from memgui.gui.panels.page.text import PageText
from memgui.i18n import _

UNDO_OUTSIDE = "undo-outside"


class SaveDesk(QObject):
    """The only way by which a page's text leaves it. What is held back is said, and nothing is lost by it."""

    changed = Signal()
    close_ready = Signal()
    stayed = Signal()
    """The page was asked to close, and has unsaved text that cannot be saved now."""

    def __init__(
        self,
        editor: MemoryEditor,
        text: PageText,
        saver: Saver,
        disk: DiskSide,
        lock: Lock,
        *,
        choices: SideChoices,
        banner: Banner,
        bar: LockBar,
        notices: Notices,
    ) -> None:
        super().__init__(editor)
        self._banner = banner
        self._editor = editor
        self._text = text
        self._saver = saver
        self._disk = disk
        self._choices = choices
        self._lock = lock
        self._notices = notices
        self._closing = False
        saver.finished.connect(self._saving_ended)
        saver.keeping.save_due.connect(self.autosave)
        disk.crossing.changed.connect(self._tell_crossing)
        disk.save_wanted.connect(self.save)
        choices.save_wanted.connect(self.save)
        notices.acted.connect(self._notice_acted)
        banner.chosen.connect(self._choose)
        bar.save_confirmed.connect(self._confirmed)
        bar.save_dropped.connect(self.drop_text)

    @Slot()
    def save(self) -> None:
        """Put the text on the disk, or say why that has to wait. Without an edit nothing is written."""
        if self._held():
            return
        data = self._text.bytes(self._saver.standing.base)
        if self._saver.is_waiting and not self._lock.protected:
            self._saver.ask(data, unlocked=False)
        elif not self._saver.is_waiting and not self._saver.is_new(data):
            self._saver.clean()
        elif self._lock.protected:
            self.ask_first()
        elif self._saver.is_dirty or self._saver.standing.gone is not None:
            self._saver.ask(data, unlocked=False)

    @Slot()
    def autosave(self) -> None:
        """Save by itself, where that is allowed: never in conflict, never what is protected, never while composing."""
        standing = self._saver.standing
        if standing.conflicting or standing.gone is not None or not self._saver.is_dirty:
            return
        if self._lock.protected or self._disk.crossing.crossed:
            return
        if self._editor.busy:
            self._saver.keeping.key_typed(autosave=True)
        else:
            self.save()

    def ask_first(self) -> None:
        """Ask whether to save a protected document, with its difference."""
        base = self._saver.standing.base
        old = base.text.lines if base is not None and base.text is not None else Lines.split("")
        self._lock.ask_to_save(old, self._editor.lines())

    def try_to_close(self) -> None:
        """Save what is unsaved, then tell `close_ready`; where that cannot be, tell `stayed`."""
        if self._saver.is_dirty or self._saver.is_waiting:
            self._closing = True
            self.save()
        self._saving_ended(asked=True)

    @Slot()
    def drop_text(self) -> None:
        """Give up what was typed: it becomes a kept copy, and the page shows the disk's text again."""
        base = self._saver.standing.base
        if self._saver.is_dirty and base is not None:
            self._choices.take_over(base)
        self._lock.answered()

    def _held(self) -> bool:
        standing = self._saver.standing
        if standing.conflicting:
            self._banner.come_back()
            self.changed.emit()
            self._disk.join_again(save=True)
            return True
        if self._disk.holds_save:
            self._disk.hold_save()
            return True
        if self._disk.crossing.crossed and self._saver.is_dirty:
            self._tell_crossing(True)
            return True
        return not self._text.editable

    @Slot()
    def _confirmed(self) -> None:
        self._lock.answered()
        if not self._held():
            self._saver.ask(self._text.bytes(self._saver.standing.base), unlocked=True)

    # Closing ---------------------------------------------------------------------------------------------------------

    @Slot()
    def _saving_ended(self, *, asked: bool = False) -> None:
        if self._saver.is_waiting or not (self._closing or asked):
            return
        self._closing = False
        if self._saver.is_dirty:
            self.stayed.emit()
        else:
            self._leave()

    def _leave(self) -> None:
        self._lock.lock()
        self._saver.keeping.stop()
        self.close_ready.emit()

    # Choices ---------------------------------------------------------------------------------------------------------

    @Slot(str)
    def _choose(self, name: str) -> None:
        if name in ("restoreFile", "tryAgain"):
            self.save()
        elif name == "letGo":
            self._choices.give_up()
            self._leave()

    @Slot(bool)
    def _tell_crossing(self, crossed: bool) -> None:
        if crossed:
            text = saying.undo_outside(self._disk.taken_at)
            self._notices.tell(UNDO_OUTSIDE, text, _("Save this text"), lasting=True)
        else:
            self._notices.withdraw(UNDO_OUTSIDE)

    @Slot(str)
    def _notice_acted(self, kind: str) -> None:
        if kind == UNDO_OUTSIDE:
            self._disk.crossing.forget()
            self.save()
