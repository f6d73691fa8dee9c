"""The only room where the parts of a workspace's window meet: session, panels, tabs and the window around them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from memgui.domain.errors import MemguiError, NotFound
from memgui.domain.watch import WatchState
from memgui.gui.panels.memory import MemoryPanel
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.pauses import pauses
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.beginning import Beginning
from memgui.gui.wiring.commands import Commands
from memgui.gui.wiring.indexing import meaning_said, words_said
from memgui.gui.wiring.loading import (
    ACTIVITY,
    DAYS,
    FILING,
    HEARTBEATS,
    HISTORY,
    PAGES,
    PREVIEWS,
    REPLACE,
    REVIEW,
    SEARCH,
)
from memgui.gui.wiring.moves import Moves, first_of
from memgui.gui.wiring.pages import Pages, page_options
from memgui.gui.wiring.pill_in_front import PillInFront
from memgui.gui.wiring.pills import Pills
from memgui.i18n import _
from memgui.ops.preferences import Settings

if TYPE_CHECKING:
    from memgui.domain.changes import ChangeSet
    from memgui.domain.hits import Coverage
    from memgui.gui.disk import View
    from memgui.gui.wiring.activity import Activities
    from memgui.gui.wiring.days import Days
    from memgui.gui.wiring.filing import Filing
    from memgui.gui.wiring.finding import Finding
    from memgui.gui.wiring.heartbeat import Heartbeats
    from memgui.gui.wiring.history import Recall
    from memgui.gui.wiring.keeping import Keeping
    from memgui.gui.wiring.pending import Pending
    from memgui.gui.wiring.preview import Previews
    from memgui.gui.wiring.replacing import Replacing
    from memgui.gui.wiring.review import Review
    from memgui.gui.wiring.sitting import Sittings
    from memgui.gui.wiring.writers import Writers
    from memgui.ops.finding import MeaningProgress, Progress

SAY_MS = 8_000
REVIEW_DEEDS: dict[str, Callable[[Review], object]] = {
    "review.accept": lambda review: review.panel.deciding.accept(),
    "review.reject": lambda review: review.panel.deciding.reject(),
    "review.edit": lambda review: review.panel.deciding.edit(),
    "review.put_back": lambda review: review.panel.deciding.put_back(),
    "review.next": lambda review: review.panel.go_to_next(),
    "review.previous": lambda review: review.panel.go_to_previous(),
    "review.history": lambda review: review.panel.ask_for_history(),
    "review.note": lambda review: review.notes.begin(),
    "review.accept_file": lambda review: review.panel.deciding.accept_file(),
    "review.reject_file": lambda review: review.panel.deciding.reject_file(),
    "review.accept_all": lambda review: review.panel.deciding.accept_every(),
    "review.all_seen": lambda review: review.panel.all_seen_requested.emit(),
}
RECALL_DEEDS: dict[str, Callable[[Recall], object]] = {
    "history.restore": lambda recall: recall.panel.restore(),
    "history.restore_place": lambda recall: recall.panel.restore_place(),
    "history.compare": lambda recall: recall.panel.mark(),
    "history.copy": lambda recall: recall.panel.copy(),
    "history.next": lambda recall: recall.panel.detail.view.step_part(1),
    "history.previous": lambda recall: recall.panel.detail.view.step_part(-1),
    "history.deleted": lambda recall: recall.show_deleted(),
    "history.forget": lambda recall: recall.panel.forget(),
    "history.forget_text": lambda recall: recall.ask_to_forget(),
    "history.lay_out": lambda recall: recall.choose_folder(),
}
MOST_FRESH = 200
"""Where more files changed at once, a dot on each would say nothing."""


class Wiring(QObject):
    """One window on one workspace: builds its parts, connects them, and ends them with the window."""

    def __init__(self, window: MainWindow, session: Session, *, settings: Settings, remembers: bool = False) -> None:
        """`session`: it may be opening already; from here on it is this one's.

        `remembers`: what is open is kept for the next time, and what was open the last time is open again.
        """
        super().__init__(window)
        pauses().begin()
        self.root = root = session.root
        self._window = window
        self._settings = settings
        self._closed = False
        self._coverage: Coverage | None = None
        self.session = session
        session.setParent(self)
        self.memory = MemoryPanel()
        self.tabs = DocumentTabs(page_options(settings))
        window.place_memory(self.memory)
        window.place_documents(self.tabs)
        self.moves = Moves(self.tabs, self)
        self.pages = Pages(self.session, self.tabs, self.moves, window.status, self)
        self.beginning = Beginning(window, self.session, self.tabs, self.moves, self)
        self.commands = Commands(window, self.session, self.memory, self.tabs, self.moves)
        self._name_parts(window)
        self.pills = Pills(self)
        for notices in (window.notices, self.memory.notices):
            self.pills.hear(notices)
        self.tabs.page_made.connect(self.pills.hear_page)
        self.pill_in_front = PillInFront(window, self.tabs, (window.notices, self.memory.notices), self)
        self._sittings: Sittings | None = None
        if remembers:
            from memgui.gui.wiring.sitting import Sittings

            self._sittings = Sittings(window, self.session, self.tabs, self.previews, self)
        self._connect()
        window.choices.show_settings(settings)
        window.connects_to = root
        window.setWindowTitle(_("{name} — memgui").format(name=root.name or root))
        window.show_middle("empty")
        window.empty_state.show_state(icon="folder", title=_("Opening…"), text="")

    def _connect(self) -> None:
        session, window = self.session, self._window
        session.opened.connect(self._show_workspace)
        session.open_failed.connect(self._show_trouble)
        session.view_changed.connect(self._show_view)
        session.changed.connect(self._show_changes)
        session.watch_state_changed.connect(self._show_watch)
        session.coverage_changed.connect(self._show_coverage)
        session.index_changed.connect(self._show_indexed)
        session.words.progressed.connect(self._show_words)
        session.words.meaning_progressed.connect(self._show_meaning)
        window.action("workspace.reconcile").triggered.connect(session.words.try_again)
        session.failed.connect(self.show_failure)
        self.memory.document_previewed.connect(self.moves.preview)
        self.memory.document_opened.connect(self.moves.open)
        self.commands.memory_missed.connect(self.beginning.offer_memory)
        self.tabs.said.connect(self.say)
        self.tabs.page_wanted.connect(self._prepare_pages)
        window.settings_requested.connect(self._choose)
        window.activated.connect(session.reconcile)
        window.middle_changed.connect(self._show_in_front)
        window.empty_state.chosen.connect(self._answer_trouble)
        window.closing.connect(self.close)

    # Parts that are built late -----------------------------------------------------------------------------------

    def _name_parts(self, window: MainWindow) -> None:
        """In the order in which they are built while nobody asks for them."""
        window.part("pages", self.tabs.prepare).is_made_of(*PAGES)
        self.previews = window.part("previews", self._build_previews)
        self.previews.is_made_of(*PREVIEWS)
        self.previews.answers("view.source", lambda previews: previews.toggle_alone())
        self.previews.answers("view.side_by_side", lambda previews: previews.toggle_beside())
        self.heartbeats = window.part("heartbeats", self._build_heartbeats)
        self.heartbeats.is_made_of(*HEARTBEATS)
        self.heartbeats.answers("view.heartbeat", lambda heartbeats: heartbeats.show())
        self.filing = window.part("filing", self._build_filing)
        self.filing.is_made_of(*FILING)
        self.filing.answers("document.new", lambda filing: filing.begin_document())
        self.filing.answers("folder.new", lambda filing: filing.begin_folder())
        self.filing.answers("trash.show", lambda filing: filing.show_trash())
        self._first_look = window.part("first look", self._look)
        self.finding = window.part("search", self._build_search)
        self.finding.is_made_of(*SEARCH)
        self.finding.answers("view.search", lambda finding: finding.begin())
        self.finding.answers("search.next_hit", lambda finding: finding.go_to_next())
        self.finding.answers("search.previous_hit", lambda finding: finding.go_to_previous())
        self.finding.answers("search.save", lambda finding: finding.save_search())
        self.finding.answers("search.why", lambda finding: finding.ask_why())
        self.finding.answers("search.why_not", lambda finding: finding.ask_why_not())
        self.finding.answers("search.saved", lambda finding: finding.offer_searches())
        self.replacing = window.part("replace", self._build_replacing)
        self.replacing.is_made_of(*REPLACE)
        self.replacing.answers("search.replace", self._begin_replacing)
        self.days = window.part("days", self._build_days)
        self.days.is_made_of(*DAYS)
        self.days.answers("view.days", lambda days: days.show())
        self.days.answers("go.today", lambda days: days.show_today())
        self.review = window.part("review", self._build_review)
        self.review.is_made_of(*REVIEW)
        self.review.answers("view.review", lambda review: review.show())
        for name, deed in REVIEW_DEEDS.items():
            self.review.answers(name, deed)
        self.pending = window.part("pending", self._build_pending)
        self.recall = window.part("history", self._build_history)
        self.recall.is_made_of(*HISTORY)
        self.recall.answers("view.history", lambda recall: recall.show())
        for name, wish in RECALL_DEEDS.items():
            self.recall.answers(name, wish)
        self.activity = window.part("activity", self._build_activity)
        self.activity.is_made_of(*ACTIVITY)
        self.activity.answers("view.activity", lambda activity: activity.show())
        self.activity.answers("activity.export", lambda activity: activity.choose_file())
        self.activity.answers("activity.history", lambda activity: activity.panel.ask_for_history())
        self.writers = window.part("writers", self._build_writers)
        self.writers.answers("view.writers", lambda writers: writers.toggle())
        self.keeping = window.part("keeping", self._build_keeping)
        self.days.answers("day.add", lambda days: days.begin_line())

    @Slot()
    def _prepare_pages(self) -> None:
        """A page is about to be made: what may stand beside it has to know."""
        self.previews()
        self.heartbeats()

    def _build_previews(self) -> Previews:
        from memgui.gui.wiring.preview import Previews

        previews = Previews(self._window, self.session, self.tabs, self.moves, self)
        previews.said.connect(self.say)
        return previews

    def _build_heartbeats(self) -> Heartbeats:
        from memgui.gui.wiring.heartbeat import Heartbeats

        heartbeats = Heartbeats(self._window, self.session, self.tabs, self.moves, self)
        heartbeats.said.connect(self.say)
        return heartbeats

    def _build_search(self) -> Finding:
        from memgui.gui.panels.search.panel import SearchPanel
        from memgui.gui.wiring.finding import Finding

        panel = SearchPanel()
        self._window.place_search(panel)
        finding = Finding(self._window, self.session, panel, self.tabs, self.moves, self)
        finding.hits_changed.connect(self.commands.set_hits)
        finding.version_wanted.connect(lambda path, number: self.recall().show_of(path, number))
        if self._coverage is not None:
            finding.show_coverage(self._coverage)
        return finding

    def _build_replacing(self) -> Replacing:
        from memgui.gui.wiring.replacing import Replacing

        replacing = Replacing(self._window, self.session, self.tabs, self.moves, self)
        self.commands.undo_by(replacing.undo, lambda: replacing.can_undo, place="replace")
        replacing.undo_changed.connect(self.commands.refresh)
        return replacing

    def _begin_replacing(self, replacing: Replacing) -> None:
        """What is sought, or selected on the page, is what is to be replaced."""
        replacing.begin(self.finding().wanted)

    def _build_filing(self) -> Filing:
        from memgui.gui.wiring.filing import Filing

        filing = Filing(self._window, self.session, self.memory, self.tabs, self.moves, self)
        filing.said.connect(self.say)
        self.commands.file_by(filing)
        return filing

    def _build_days(self) -> Days:
        from memgui.gui.wiring.days import Days

        newest_first = self._settings.newest_day_first
        return Days(self._window, self.session, self.tabs, self.moves, newest_first=newest_first)

    def _build_pending(self) -> Pending:
        from memgui.gui.wiring.alarms import Alarms
        from memgui.gui.wiring.opening import Opening
        from memgui.gui.wiring.pending import Pending
        from memgui.gui.wiring.unseen import Unseen

        pending = Pending(self.session, self)
        Unseen(self._window, self.memory, self.tabs, self.moves, pending, self)
        Alarms(self._window, pending, self.review, self)
        Opening(self._window, self.session, self.moves, pending, self)
        pending.changed.connect(self._ask_of_unseen)
        return pending

    def _build_review(self) -> Review:
        from memgui.gui.wiring.review import Review

        review = Review(
            self._window,
            self.session,
            self.tabs,
            self.moves,
            self.pending(),
            offers_note=lambda: self._settings.note_after_reject,
        )
        self.commands.undo_by(review.undo, lambda: review.can_undo)
        review.undo_changed.connect(self.commands.refresh)
        self.commands.unlock_by(review.unlock, lambda: review.can_unlock, place="review")
        review.panel.change_chosen.connect(self.commands.refresh)
        review.history_wanted.connect(lambda path: self.recall().show_of(path))
        return review

    def _build_history(self) -> Recall:
        from memgui.gui.wiring.history import Recall

        recall = Recall(self._window, self.session, self.tabs, self.moves, self)
        self.commands.undo_by(recall.undo, lambda: recall.can_undo, place="history")
        recall.undo_changed.connect(self.commands.refresh)
        recall.forgetting.done.connect(lambda: self.finding().recall_searches())
        return recall

    def _build_activity(self) -> Activities:
        from memgui.gui.wiring.activity import Activities

        activity = Activities(self._window, self.session, self.moves, self.pills, self.recall, self)
        activity.said.connect(self.say)
        return activity

    def _build_writers(self) -> Writers:
        from memgui.gui.wiring.writers import Writers

        writers = Writers(self._window, self.session, self.tabs, self)
        writers.said.connect(self.say)
        return writers

    def _build_keeping(self) -> Keeping:
        from memgui.gui.wiring.keeping import Keeping

        keeping = Keeping(self._window, self.session, lambda: self._settings, self)
        keeping.said.connect(self.say)
        return keeping

    # From the beginning to the end -------------------------------------------------------------------------------

    @Slot()
    def close(self) -> None:
        """Save and journal what is unsaved, then end everything that this window began."""
        if self._closed:
            return
        self._closed = True
        if self._sittings is not None:
            self._sittings.end()
        self.tabs.flush()
        if self.review.made is not None:
            self.review.made.end()
        if self.pending.made is not None:
            self.pending.made.stop()
        self.session.close()
        for timer in self._window.findChildren(QTimer):
            timer.stop()
        pauses().end()

    def show_file(self, path: Path, line: int | None = None) -> None:
        """Open a file of this workspace, at a line, as soon as that can be; one that does not exist yet is begun."""
        self.moves.open_when_ready(path, line)

    def keep_sitting(self) -> None:
        """Keep what is open before this returns: the process may end right after."""
        if self._sittings is not None:
            self._sittings.keep_at_once()

    def journal_everything(self) -> None:
        """Every page's unsaved text into the crash journal, before this returns."""
        self.pages.journal_everything()

    # What the session tells --------------------------------------------------------------------------------------

    @Slot(object)
    def _show_workspace(self, view: View) -> None:
        self.memory.show_workspace(view.groups, view.snapshot, view.states)
        self.moves.begin(view)
        if self._sittings is not None:
            self._sittings.begin()
        self._window.choices.workspace = view.workspace.root
        self._window.show_middle("documents" if self.tabs.count() else "empty")
        if self._first_look.is_made or first_of(view) is None:
            self._look()
        else:
            self.session.wait_for_first_look()
        self.commands.refresh()
        pauses().settle()
        self._window.setProperty("ready", True)
        self._window.parts.begin()

    def _look(self) -> None:
        """Where nobody has gone anywhere yet, show what says most of the memory; else say that nothing is open."""
        view = self.session.view
        if view is not None:
            self.beginning.say_nothing_open(view)
            if self._window.middle == "empty":
                self.moves.look(view)
        self.session.go_on()

    @Slot(object)
    def _show_trouble(self, error: MemguiError) -> None:
        text = error.message if error.hint is None else f"{error.message}\n{error.hint}"
        self._window.empty_state.show_state(
            icon="error",
            title=_("This folder cannot be opened"),
            text=text,
            buttons=[("retryOpen", _("Try again")), ("openOther", _("Open another folder…"))],
        )
        self._window.show_middle("empty")
        gone = isinstance(error, NotFound)
        self._window.status.show_watch(WatchState.FOLDER_MISSING if gone else WatchState.FOLDER_CLOSED)
        self._window.parts.begin()

    @Slot(str)
    def _answer_trouble(self, name: str) -> None:
        if name == "retryOpen":
            self.session.open()
        elif name == "openOther":
            self._window.action("workspace.open").trigger()

    @Slot(object)
    def _show_view(self, view: View) -> None:
        self.memory.apply(view.groups, view.snapshot, states=view.states)
        if not self.tabs.count() and self._first_look.is_made:
            self.beginning.say_nothing_open(view)

    @Slot(object)
    def _show_changes(self, changes: ChangeSet) -> None:
        if len(changes.changes) <= MOST_FRESH:
            # The page in front shows it itself.
            front = self.tabs.current.path if self.tabs.current and self._window.middle == "documents" else None
            self.memory.mark_fresh(
                change.path
                for change in changes.changes
                if change.node is not None and not change.origin.is_person and change.path != front
            )
        self.pages.meet(changes)

    @Slot(object)
    def _show_watch(self, state: WatchState) -> None:
        self._window.status.show_watch(state)
        self.pages.show_front()

    @Slot(object)
    def _show_coverage(self, coverage: Coverage) -> None:
        self._coverage = coverage
        self._window.status.show_index(coverage.done, coverage.total)
        if self.finding.made is not None:
            self.finding.made.show_coverage(coverage)

    @Slot(object)
    def _show_words(self, progress: Progress) -> None:
        """How far the words are; while they are not ready the exact search answers alone."""
        self._window.status.show_words(*words_said(progress))

    @Slot(object)
    def _show_meaning(self, progress: MeaningProgress) -> None:
        self._window.status.show_meaning(*meaning_said(progress))

    @Slot()
    def _show_indexed(self) -> None:
        if not self._window.property("indexed"):
            pauses().settle()
            self._window.setProperty("indexed", True)
        if self.finding.made is not None:
            self.finding.made.ask_again()

    @Slot()
    def _ask_of_unseen(self) -> None:
        """A verdict changes no file, but who asks for what nobody has looked at is answered otherwise."""
        if self.finding.made is not None:
            self.finding.made.ask_of_unseen()

    @Slot(object)
    def show_failure(self, error: MemguiError) -> None:
        """Say what went wrong, in the status bar: nothing modal, nothing in the way."""
        self.say(error.sentences)

    @Slot(str)
    def say(self, words: str) -> None:
        """Say something for a while."""
        self._window.status.showMessage(words, SAY_MS)

    @Slot(str)
    def _show_in_front(self, name: str) -> None:
        self.pages.set_in_front(name not in ("days", "review", "history", "activity", "empty"))

    @Slot(object)
    def _choose(self, settings: Settings) -> None:
        before, self._settings = self._settings, settings
        if self.days.made is not None:
            self.days.made.panel.set_newest_first(settings.newest_day_first)
        self.tabs.set_options(page_options(settings))
        self.session.save_settings(settings, known=before)
        if settings.protect_tools_and_bootstrap != before.protect_tools_and_bootstrap:
            self.session.choose(settings)
