"""The review and the session: what pends is listed, read and decided; pages, tree and badge follow by what happens."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal, Slot

from memgui.domain.documents import Document
from memgui.domain.errors import MemguiError
from memgui.domain.paths import DocPath, name_of, shown
from memgui.domain.review import PendingChange, ShownChange, Verdict, VerdictKind
from memgui.gui.disk import View
from memgui.gui.jobs import Desk
from memgui.gui.models.review_model import moment_words
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.panels.review.panel import ReviewPanel
from memgui.gui.panels.review.wishes import Wish, WishForAll
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.moves import Moves, Spot
from memgui.gui.wiring.owing import Owing
from memgui.gui.wiring.pending import Pending
from memgui.gui.wiring.review_notes import ReviewNotes
from memgui.gui.wiring.verdicts import Verdicts, sentence_of
from memgui.i18n import _, ngettext

SAY_MS = 8_000
WRITING = "writing"
"""The kind of the pill that tells that a verdict waits."""


class Review(QObject):
    """Shows the changes in the middle, asks for their texts, and passes on what the person decides."""

    undo_changed = Signal()
    """There is more, or less, to take back."""
    history_wanted = Signal(object)
    """`DocPath`"""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        tabs: DocumentTabs,
        moves: Moves,
        pending: Pending,
        *,
        offers_note: Callable[[], bool] = lambda: False,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`offers_note`: whether a rejection is to be followed by the question for a note."""
        super().__init__(window)
        self._window, self._session, self._tabs, self._moves, self.pending = window, session, tabs, moves, pending
        self.panel: ReviewPanel = ReviewPanel()
        self.verdicts = Verdicts(session, self._unlocked, self._current, self, now=now)
        self.notes = ReviewNotes(session, tabs, self.panel, offers_note, self)
        self.owing = Owing(window, session, pending, self.show_change_of, self)
        self._desk = Desk()
        self._done: dict[DocPath, int] = {}
        self._left: dict[DocPath, int] = {}
        self._marked: list[PendingChange] = []
        self._touched: list[PendingChange | None] = []
        """What verdicts were about since nothing was on its way; None: more than one document."""
        self._unlocking: DocPath | None = None
        window.place_review(self.panel)
        self._connect()
        self._bind_keys()
        if pending.known:
            self._show(pending.changes)

    def _connect(self) -> None:
        panel, pending, verdicts = self.panel, self.pending, self.verdicts
        self._session.document_read.connect(self._unlock_read)
        pending.changed.connect(self._show)
        pending.failed.connect(self._show_trouble)
        pending.progressed.connect(panel.show_progress)
        panel.text_requested.connect(self._read)
        panel.wished.connect(verdicts.ask)
        panel.looked_at.connect(pending.look_at)
        panel.open_requested.connect(self._open)
        panel.history_requested.connect(self.history_wanted)
        panel.unlock_requested.connect(self._unlock)
        panel.all_seen_requested.connect(self._mark_all_seen)
        self._window.notices.acted.connect(self._act)
        self._window.notices.dismissed.connect(self._dismiss)
        verdicts.decided.connect(self._note)
        verdicts.decided.connect(self.notes.offer)
        verdicts.undone.connect(self._return_to)
        verdicts.settled.connect(self._settle)
        verdicts.failed.connect(self._tell_failed)
        verdicts.waiting_changed.connect(self._tell_waiting)
        verdicts.undo_changed.connect(self.undo_changed)

    def _bind_keys(self) -> None:
        """Single letters are keys of this panel alone; the buttons show them."""
        detail = self.panel.detail
        for name, button in (
            ("review.accept", detail.accept),
            ("review.edit", detail.edit),
            ("review.next", detail.skip),
            ("review.reject", detail.reject),
            ("review.accept_file", detail.accept_file),
            ("review.reject_file", detail.reject_file),
            ("review.put_back", detail.put_back),
        ):
            button.show_key(self._window.action(name))
        for name in PANEL_ACTIONS:
            action = self._window.action(name)
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self.panel.addAction(action)

    # Showing -------------------------------------------------------------------------------------------------------

    @Slot()
    def show(self) -> None:
        """Bring the review to the front, with the keyboard in its list."""
        self._window.show_middle("review")
        self.panel.list.setFocus()

    def end(self) -> None:
        """The window is about to go: nothing that was decided may be lost with it."""
        self.verdicts.end()

    def show_change_of(self, path: DocPath) -> None:
        """Bring the review to the front, at the change of a document."""
        self.show()
        self.panel.choose(path)

    @Slot(object)
    def _show(self, changes: tuple[PendingChange, ...]) -> None:
        there = {change.path for change in changes}
        for path in [path for path in self._done if path not in there]:
            del self._done[path]
        wanted = self.panel.missing(changes)
        if wanted is None:
            self._list(changes)
        else:
            # The list and the text of what it chooses come together: one can go on deciding without a gap.
            show = partial(self._list_with, changes)
            failed = partial(self._list_without, changes)
            self._session.ask(partial(_text, change=wanted), show, failed, ticket=self._desk.next())

    def _list(self, changes: tuple[PendingChange, ...]) -> None:
        self.panel.show_changes(changes, last=self._last_words())
        self._show_progress()
        self.verdicts.check()

    def _list_with(self, changes: tuple[PendingChange, ...], shown_change: ShownChange) -> None:
        self.panel.expect(shown_change.change)
        self._list(changes)
        self._take(shown_change)

    def _list_without(self, changes: tuple[PendingChange, ...], error: MemguiError) -> None:  # noqa: ARG002
        # It was written while it was read: the next list is on its way.
        self._list(changes)
        self.pending.refresh()

    def _last_words(self) -> str:
        last = self.pending.last_outside
        if last is None:
            return _("Nothing waits for you. What others write from now on is listed here.")
        moment, path = last
        return _("Last outside change: {moment}, {name}").format(moment=moment_words(moment), name=shown(name_of(path)))

    @Slot(object)
    def _show_trouble(self, error: MemguiError) -> None:
        if not self.pending.known:
            self.panel.show_trouble(sentence_of(error))
        else:
            self.panel.say(sentence_of(error))

    @Slot(object)
    def _read(self, change: PendingChange) -> None:
        ticket = self._desk.next()
        failed = partial(self._tell_text_failed, change)
        self._session.ask(partial(_text, change=change), self._take, failed, ticket=ticket)

    def _take(self, shown_change: ShownChange) -> None:
        self._left[shown_change.path] = len(shown_change.hunks)
        waiting = [wish for wish in self.verdicts.waiting if wish.change.path == shown_change.path]
        hunks = [hunk for wish in waiting for hunk in ((wish.hunk,) if wish.hunk is not None else wish.hunks)]
        self.panel.show_change(shown_change, hunks)
        self._show_progress()

    def _tell_text_failed(self, change: PendingChange, error: MemguiError) -> None:
        # Where it was written since it was listed, the next list has it as it is now.
        self.panel.show_failed_text(change, sentence_of(error))
        self.pending.refresh()

    def _current(self, path: DocPath) -> PendingChange | None:
        return next((change for change in self.pending.changes if change.path == path and not change.held), None)

    def _show_progress(self) -> None:
        told = {path: (done, done + self._left.get(path, 0)) for path, done in self._done.items() if done}
        self.panel.show_progress_of(told)

    # Verdicts ------------------------------------------------------------------------------------------------------

    def _unlocked(self) -> frozenset[DocPath]:
        return frozenset(page.path for page in self._tabs.pages if page.is_protected and not page.is_locked)

    @Slot(object, object)
    def _note(self, wish: Wish | WishForAll, verdict: Verdict) -> None:
        self._touch(wish.change if isinstance(wish, Wish) and not wish.change.held else None)
        if isinstance(wish, Wish) and wish.hunk is not None:
            self._done[wish.change.path] = self._done.get(wish.change.path, 0) + 1
            self._left[wish.change.path] = max(0, self._left.get(wish.change.path, 1) - 1)
            self._show_progress()
        self._read_pages(verdict)
        self.panel.tell_decided(verdict.kind)

    def _touch(self, change: PendingChange | None) -> None:
        if not any(change is not None and one is not None and one.path == change.path for one in self._touched):
            self._touched.append(change)

    @Slot(object)
    def _return_to(self, verdict: Verdict) -> None:
        self._touch(None)
        if verdict.hunk is not None and self._done.get(verdict.path):
            self._done[verdict.path] -= 1
        self.panel.return_to(verdict.path)
        self._read_pages(verdict)

    def _read_pages(self, verdict: Verdict) -> None:
        """Open pages learn of what was written for the person from here."""
        for move in verdict.moves:
            if move.disk is not None:
                self._tabs.read_own(move.path)

    @Slot()
    def _settle(self) -> None:
        """Nothing is on its way any more: look at what was decided of; at all of it, where that was much."""
        touched, self._touched = self._touched, []
        if len(touched) == 1 and touched[0] is not None and touched[0].source == touched[0].path:
            self.pending.look_again(touched[0])
        elif touched:
            self.pending.refresh()
        if not self.verdicts.waiting and not touched:
            self.panel.detail.undecide()

    @Slot(str, object)
    def _tell_failed(self, words: str, locked: DocPath | None) -> None:
        self.panel.say(words, locked=locked)
        if self._window.middle != "review":
            self._window.status.showMessage(words, SAY_MS)
        self.pending.refresh()

    @Slot()
    def undo(self) -> None:
        """Take back the last verdict, or that all was marked as seen."""
        if self._marked:
            marked, self._marked = self._marked, []
            paths = {change.path for change in marked}
            self.pending.mark([change for change in self.pending.changes if change.path in paths], seen=False)
            return
        self.panel.withdraw()
        self.verdicts.undo()

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._marked) or self.verdicts.can_undo or bool(self.verdicts.waiting)

    @Slot()
    def _mark_all_seen(self) -> None:
        self._marked = [change for change in self.pending.changes if not change.seen]
        self.pending.mark(self._marked, seen=True)
        words = ngettext("{count} change marked as seen.", "{count} changes marked as seen.", len(self._marked))
        self.panel.say(words.format(count=f"{len(self._marked):,}") + " " + _("Ctrl+Z takes that back."))
        self.undo_changed.emit()

    # While somebody writes -----------------------------------------------------------------------------------------

    @Slot(object)
    def _tell_waiting(self, wishes: tuple[Wish, ...]) -> None:
        # Over the whole window: what waits may have been asked for from anywhere.
        notices = self._window.notices
        self.undo_changed.emit()
        if not wishes:
            notices.withdraw(WRITING)
            return
        names = list(dict.fromkeys(shown(name_of(wish.change.path)) for wish in wishes))
        words = ngettext(
            "Somebody is writing into {names}. Your decision will be applied when it is quiet for 10 s.",
            "Somebody is writing into {names}. Your {count} decisions will be applied when it is quiet for 10 s.",
            len(wishes),
        )
        told = words.format(names=", ".join(names[:3]) + (" …" if len(names) > 3 else ""), count=len(wishes))
        notices.tell(WRITING, told, _("Apply now"), dismissal=_("Cancel"), lasting=True)

    @Slot(str)
    def _act(self, kind: str) -> None:
        if kind == WRITING:
            self.verdicts.apply_now()

    @Slot(str)
    def _dismiss(self, kind: str) -> None:
        if kind == WRITING:
            self.verdicts.give_up()

    # Elsewhere -----------------------------------------------------------------------------------------------------

    @Slot(object, int)
    def _open(self, path: DocPath, line: int) -> None:
        self._window.show_middle("documents")
        self._moves.go(Spot(path, line))

    @Slot(object)
    def _unlock(self, path: DocPath) -> None:
        self.panel.withdraw()
        self._window.show_middle("documents")
        page = self._moves.go(Spot(path))
        if page.ready:
            page.ask_to_unlock()
        else:
            self._unlocking = path

    def unlock(self) -> None:
        """Ask whether the identity file whose change is shown is to be unlocked."""
        if self.can_unlock and self.panel.change is not None:
            self._unlock(self.panel.change.path)

    @property
    def can_unlock(self) -> bool:
        """Whether the change that is shown is one of an identity file that is locked, and there."""
        change, view = self.panel.change, self._session.view
        if change is None or view is None or change.disk is None:
            return False
        return view.workspace.protects(change.path) and change.path not in self._unlocked()

    @Slot(object)
    def _unlock_read(self, document: Document) -> None:
        page = self._tabs.page_for(document.path)
        if document.path == self._unlocking and page is not None and page.ready:
            self._unlocking = None
            page.ask_to_unlock()

    def restore_all(self, changes: tuple[PendingChange, ...]) -> None:
        """Put all of these documents back."""
        self.verdicts.ask(WishForAll(VerdictKind.REJECT, changes))

    def put_back(self, change: PendingChange) -> None:
        """Put the lines that a document lost back, and keep its new ones."""
        self.verdicts.ask(Wish(VerdictKind.PUT_BACK, change))


PANEL_ACTIONS = (
    "review.accept",
    "review.reject",
    "review.edit",
    "review.next",
    "review.previous",
    "review.accept_file",
    "review.reject_file",
    "review.put_back",
    "review.note",
    "review.history",
)


def _text(view: View, *, change: PendingChange) -> ShownChange:
    from memgui.ops import review

    return review.show(view.workspace, change)
