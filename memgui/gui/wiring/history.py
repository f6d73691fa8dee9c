"""The history and the session: versions are read, compared, restored and forgotten; a restore can be undone."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication

from memgui.domain.changes import ChangeSet
from memgui.domain.errors import MemguiError, ProtectedDocument
from memgui.domain.paths import DocPath, name_of, shown
from memgui.domain.versions import Version
from memgui.gui.disk import View
from memgui.gui.jobs import Desk, Lane
from memgui.gui.panels.history.panel import HistoryPanel
from memgui.gui.panels.history.wishes import Comparison
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring import recalling
from memgui.gui.wiring.beginning import memory_in
from memgui.gui.wiring.forgetting import Forgetting
from memgui.gui.wiring.laying_out import LayingOut
from memgui.gui.wiring.moves import Moves, Spot
from memgui.i18n import _
from memgui.ops.restoring import Gone, Restored
from memgui.ops.timeline import Compared, Timeline

BUTTON_ACTIONS = ("history.restore", "history.restore_place", "history.compare", "history.copy")
STEP_ACTIONS = ("history.next", "history.previous")
MOST_UNDONE = 50
_FOLLOW_MS = 120
"""So long after a change of the disk its version may be noted, before the list is read anew."""


class Recall(QObject):
    """Shows the history in the middle, asks for what it shows, and does what the person wishes."""

    undo_changed = Signal()
    """There is more, or less, to take back."""

    def __init__(self, window: MainWindow, session: Session, tabs: DocumentTabs, moves: Moves, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._session, self._tabs, self._moves = window, session, tabs, moves
        self.panel = HistoryPanel()
        self._path: DocPath | None = None
        self._id = session.view.workspace.id if session.view is not None else ""
        self._stale = False
        self._restored: list[Restored] = []
        self._readings, self._comparings, self._countings = Desk(), Desk(), Desk()
        # Long work of its own, so that it holds up neither reads nor writes.
        self._lane = Lane("recall", parent=self)
        message = self.panel.message
        self.forgetting = Forgetting(session, message, self._lane, self)
        self.laying_out = LayingOut(window, session, message, self._lane, self)
        self._follow = QTimer(self, singleShot=True, interval=_FOLLOW_MS)
        self._follow.timeout.connect(self._read)
        window.place_history(self.panel)
        self._connect()
        self._bind_keys()

    def _connect(self) -> None:
        panel = self.panel
        panel.document_chosen.connect(self._choose)
        panel.comparison_requested.connect(self._compare)
        panel.counts_requested.connect(self._count)
        panel.restore_requested.connect(self._restore)
        panel.place_requested.connect(self._restore_place)
        panel.copy_requested.connect(self._copy)
        panel.forget_requested.connect(self.forgetting.forget_version)
        self.forgetting.done.connect(self._read)
        panel.open_requested.connect(self._open)
        panel.deleted_requested.connect(self._read_deleted)
        self._session.changed.connect(self._follow_disk)
        self._session.view_changed.connect(self._follow_view)
        self._window.middle_changed.connect(self._refresh_if_stale)
        self._window.closing.connect(self._end)

    def _bind_keys(self) -> None:
        """Single letters are keys of this panel alone; the buttons show them."""
        detail = self.panel.detail
        buttons = (detail.restore, detail.restore_place, detail.compare, detail.copy)
        for name, button in zip(BUTTON_ACTIONS, buttons, strict=True):
            button.show_key(self._window.action(name))
        for name in (*BUTTON_ACTIONS, *STEP_ACTIONS):
            self.panel.addAction(self._window.action(name))
        names = ("history.forget", "history.forget_text", "history.lay_out")
        detail.add_more([self._window.action(name) for name in names])

    @Slot()
    def _end(self) -> None:
        self.laying_out.stop()
        self._lane.close(2.0)

    # Showing -------------------------------------------------------------------------------------------------------

    @Slot()
    def show(self) -> None:
        """Bring the history to the front: that of the page in front, else the one that was there, else the memory's."""
        page = self._tabs.current
        if (page is not None and self._window.middle == "documents") or (self._path is None and page is not None):
            self._path = page.path
        if self._path is None and self._session.view is not None:
            # Nothing was ever opened: the memory is what one wants to see the history of.
            self._path = memory_in(self._session.view)
        if self.panel.shows_deleted:
            self.panel.leave_deleted()
        self._window.show_middle("history")
        self._show_documents()
        self._read()
        self.panel.list.setFocus()

    def show_of(self, path: DocPath, version: int | None = None) -> None:
        """Bring the history of a document to the front, be it open or not; at a version, where one is named."""
        self._window.show_middle("history")
        self._path = path
        if self.panel.shows_deleted:
            self.panel.leave_deleted()
        self._show_documents()
        self._read(version)
        self.panel.list.setFocus()

    @Slot()
    def show_deleted(self) -> None:
        """Bring the documents that are gone to the front."""
        self._window.show_middle("history")
        self._show_documents()
        self._read_deleted()

    def _show_documents(self) -> None:
        paths = [page.path for page in self._tabs.pages]
        if self._path is not None and self._path not in paths:
            paths.insert(0, self._path)
        self.panel.show_documents(paths, self._path)

    @Slot(object)
    def _choose(self, path: DocPath) -> None:
        self._path = path
        self._read()

    @Slot()
    def _read(self, choose: int | None = None) -> None:
        self._stale = False
        if self._path is None:
            self.panel.show_nothing()
            return
        self.panel.show_loading(self._path)
        done = partial(self._take, self._path, choose)
        self._session.ask(
            partial(recalling.tried, partial(recalling.timeline, path=self._path)), done, ticket=self._readings.next()
        )

    def _take(self, path: DocPath, choose: int | None, answer: Timeline | MemguiError) -> None:
        if isinstance(answer, MemguiError):
            self.panel.show_trouble(path, answer.sentences)
        else:
            self.panel.show_timeline(answer, choose=choose)

    @Slot()
    def _read_deleted(self) -> None:
        def done(answer: tuple[Gone, ...] | MemguiError) -> None:
            if isinstance(answer, MemguiError):
                self.panel.message.say(answer.sentences)
            else:
                self.panel.show_deleted(answer)
                self.panel.gone_list.setFocus()

        self._session.ask(partial(recalling.tried, recalling.deleted), done, ticket=self._readings.next())

    @Slot(object)
    def _compare(self, comparison: Comparison) -> None:
        self._countings.cancel()

        def done(answer: Compared | MemguiError) -> None:
            if isinstance(answer, MemguiError):
                self.panel.detail.show_trouble(comparison, answer.sentences)
            else:
                self.panel.show_compared(comparison, answer)

        question = partial(recalling.tried, partial(recalling.compared, comparison=comparison))
        self._session.ask(question, done, ticket=self._comparings.next())

    @Slot(object)
    def _count(self, pairs: list[tuple[Version | None, Version]]) -> None:
        path, ticket = self.panel.path, self._countings.next()
        if path is not None:
            question = partial(recalling.counts, path=path, pairs=pairs, stop=lambda: ticket.stale)
            self._session.ask(question, partial(self.panel.show_counts, path), ticket=ticket)

    @Slot(object)
    def _follow_disk(self, changes: ChangeSet) -> None:
        """The disk is other than before: read on, now or when the history is next looked at."""
        for change in changes.changes:
            if change.renamed_from == self._path and self._path is not None:
                self._path = change.path
        if self._path is not None and (changes.reload or self._path in changes.paths):
            self._stale = True
            self._refresh_if_stale()

    @Slot(object)
    def _follow_view(self, view: View) -> None:
        """It may have another history by now: that of where it stood before."""
        if view.workspace.id != self._id:
            self._id, self._stale = view.workspace.id, self._path is not None
            self._restored.clear()
            self._refresh_if_stale()

    @Slot()
    def _refresh_if_stale(self) -> None:
        if self._stale and self._window.middle == "history" and not self.panel.shows_deleted:
            self._follow.start()

    @Slot(object, int)
    def _open(self, path: DocPath, line: int) -> None:
        self._window.show_middle("documents")
        self._moves.go(Spot(path, line))

    # Restoring -----------------------------------------------------------------------------------------------------

    def _unlocked(self) -> frozenset[DocPath]:
        return frozenset(page.path for page in self._tabs.pages if page.is_protected and not page.is_locked)

    @Slot(object, int)
    def _restore(self, path: DocPath, number: int) -> None:
        found = self.panel.detail.found
        deed = partial(recalling.restored, path=path, number=number, seen=found, unlocked=self._unlocked())
        self._session.change(deed, partial(self._tell_restored, path), partial(self._tell_failed, path))

    @Slot(object)
    def _restore_place(self, comparison: Comparison) -> None:
        found, place, version = self.panel.detail.found, self.panel.detail.place, comparison.before
        if found is not None and place is not None and version is not None:
            deed = partial(
                recalling.restored_place,
                path=comparison.path,
                number=version.number,
                place=place,
                seen=found,
                unlocked=self._unlocked(),
            )
            done = partial(self._tell_restored, comparison.path)
            self._session.change(deed, done, partial(self._tell_failed, comparison.path))

    def _tell_restored(self, path: DocPath, restored: Restored) -> None:
        if not restored.changes:
            self.panel.message.say(_("{name} is as that version was already.").format(name=_name(path)))
            return
        self._restored = [*self._restored, restored][-MOST_UNDONE:]
        self.undo_changed.emit()
        self._tabs.read_own(path)
        words = _("{name} is as version {number} was.").format(name=_name(path), number=restored.number)
        self.panel.message.say(words, action=_("Undo"), answer=lambda _text: self.undo())
        if self.panel.shows_deleted:
            self._path = path
            self._show_documents()
            self._read_deleted()
        else:
            self._read()

    def _tell_failed(self, path: DocPath, error: MemguiError) -> None:
        if isinstance(error, ProtectedDocument):
            words = _("{name} is an identity file; nothing was written. Unlock it first.").format(name=_name(path))
            self.panel.message.say(words, action=_("Unlock…"), answer=lambda _text: self._unlock(path))
        else:
            self.panel.message.say(error.sentences)
        self._read()

    def _unlock(self, path: DocPath) -> None:
        self._window.show_middle("documents")
        self._moves.go(Spot(path)).ask_to_unlock()

    @property
    def can_undo(self) -> bool:
        """Whether a restore can be taken back."""
        return bool(self._restored)

    @Slot()
    def undo(self) -> None:
        """Take back the last restore."""
        if not self._restored:
            return
        restored = self._restored.pop()
        self.undo_changed.emit()

        def done(_nothing: None) -> None:
            self._tabs.read_own(restored.path)
            self.panel.message.say(_("{name} is as it was before.").format(name=_name(restored.path)))
            if self.panel.shows_deleted:
                self._read_deleted()
            else:
                self._read()

        deed = partial(recalling.taken_back, restored=restored, unlocked=self._unlocked())
        self._session.change(deed, done, partial(self._tell_failed, restored.path))

    @Slot(object, object)
    def _copy(self, path: DocPath, version: Version) -> None:
        def done(answer: str | MemguiError) -> None:
            if isinstance(answer, MemguiError):
                self.panel.message.say(answer.sentences)
            else:
                QApplication.clipboard().setText(answer)
                words = _("The text of version {number} is on the clipboard.").format(number=version.number)
                self.panel.message.say(words)

        self._session.ask(partial(recalling.tried, partial(recalling.text, path=path, version=version)), done)

    # Beside the versions -------------------------------------------------------------------------------------------

    @Slot()
    def ask_to_forget(self) -> None:
        """Bring the history to the front, and ask for a text that is to be forgotten."""
        self._window.show_middle("history")
        self.forgetting.ask()

    @Slot()
    def choose_folder(self) -> None:
        """Ask where the workspace is to be laid out as of the chosen moment."""
        if self.panel.row is not None:
            self.laying_out.choose_folder(self.panel.row.time)


def _name(path: DocPath) -> str:
    return shown(name_of(path))
