"""What must be said at once: identity files changed, memory lost, many documents deleted. A pill, never a dialog."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from memgui.domain.paths import DocPath, name_of, shown
from memgui.domain.review import Alarm, PendingChange, deletions
from memgui.gui.kit.speech import announce
from memgui.gui.models.review_model import moment_words
from memgui.gui.parts import Part
from memgui.gui.window import MainWindow
from memgui.gui.wiring.pending import Pending
from memgui.gui.wiring.review import Review
from memgui.i18n import _, ngettext

ALARM, DELETIONS = "alarm", "deletions"
_LOST = frozenset({Alarm.SHRUNK, Alarm.REWRITTEN})


class Alarms(QObject):
    """Tells each alarm once, whatever the settings say about notices."""

    def __init__(
        self,
        window: MainWindow,
        pending: Pending,
        review: Part[Review],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._pending, self._review = window, pending, review
        self._told: set[str] = set()
        self._about: tuple[PendingChange, ...] = ()
        self._gone: tuple[PendingChange, ...] = ()
        pending.changed.connect(self._look)
        window.notices.acted.connect(self._act)
        window.middle_changed.connect(self._make_room)
        if pending.known:
            self._look(pending.changes)

    @Slot(object)
    def _look(self, changes: tuple[PendingChange, ...]) -> None:
        self._tell_alarms(changes)
        self._tell_deletions(changes)

    def _tell_alarms(self, changes: tuple[PendingChange, ...]) -> None:
        # What a page shows is what is left: that something was lost is not seen there.
        open_ = {change.id for change in changes if not change.seen or _is_memory_lost(change)}
        self._about = tuple(change for change in self._about if change.id in open_)
        grave = [change for change in changes if _is_grave(change) and not change.seen]
        new = [change for change in grave if change.id not in self._told]
        self._told |= {change.id for change in new}
        if not self._about and not new:
            self._window.notices.withdraw(ALARM)
        if not new:
            return
        # Of a file that was written again, the newest change is told, and the older one no more.
        paths = {change.path for change in new}
        self._about = (*new, *(change for change in self._about if change.path not in paths))
        first, others = self._about[0], len(self._about) - 1
        words = _sentence(first)
        if others:
            words += " " + ngettext("And {count} more.", "And {count} more.", others).format(count=others)
        can_put_back = not others and _is_memory_lost(first)
        self._window.notices.withdraw(ALARM)
        self._window.notices.tell(ALARM, words, _("Put lost lines back") if can_put_back else _("Review"), lasting=True)
        announce(self._window, words)

    def _tell_deletions(self, changes: tuple[PendingChange, ...]) -> None:
        batches = [batch for batch in deletions(changes) if not all(change.seen for change in batch)]
        gone = tuple(change for batch in batches for change in batch)
        if not gone:
            self._window.notices.withdraw(DELETIONS)
        elif gone != self._gone and any(change.id not in self._told for change in gone):
            self._told |= {change.id for change in gone}
            names = ", ".join(shown(name_of(change.path)) for change in gone[:3]) + (" …" if len(gone) > 3 else "")
            words = ngettext(
                "{count} document was deleted within a minute: {names}",
                "{count} documents were deleted within a minute: {names}",
                len(gone),
            ).format(count=f"{len(gone):,}", names=names)
            self._window.notices.tell(DELETIONS, words, _("Restore all"), lasting=True)
            announce(self._window, words)
        self._gone = gone

    @Slot(str)
    def _make_room(self, middle: str) -> None:
        """Whoever goes to the review finds the alarms first in its list."""
        if middle == "review":
            self._about = ()
            self._window.notices.withdraw(ALARM)

    @Slot(str)
    def _act(self, kind: str) -> None:
        if kind == DELETIONS and self._gone:
            self._review().restore_all(self._gone)
        elif kind == ALARM and self._about:
            first, alone = self._about[0], len(self._about) == 1
            self._about = ()
            if alone and _is_memory_lost(first):
                self._review().put_back(first)
            else:
                self._review().show_change_of(first.path)


def _is_grave(change: PendingChange) -> bool:
    return Alarm.PROTECTED in change.reasons or Alarm.STATUS in change.reasons or _is_memory_lost(change)


def _is_memory_lost(change: PendingChange) -> bool:
    """The curated memory itself lost over a quarter of its lines."""
    return _is_memory(change.path) and bool(_LOST & set(change.reasons)) and Alarm.PROTECTED not in change.reasons


def _is_memory(path: DocPath) -> bool:
    return name_of(path).casefold() == "memory.md"


def _sentence(change: PendingChange) -> str:
    name, moment = shown(change.path), moment_words(change.changed or change.since)
    if Alarm.PROTECTED in change.reasons:
        words = _("The identity file {name} was changed outside memgui ({moment}).")
    elif Alarm.STATUS in change.reasons:
        words = _("In {name} what you ratified, or the status of a fact, was changed ({moment}).")
    else:
        words = _("{name} lost {count} lines ({moment}).")
    return words.format(name=name, moment=moment, count=change.removed)
