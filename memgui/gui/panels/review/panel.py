"""`ReviewPanel`: what was written and not accepted, left the documents, right the text of the chosen one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from memgui.domain.paths import DocPath
from memgui.domain.review import Hunk, PendingChange, ShownChange, VerdictKind
from memgui.gui.kit.layout import EmptyState, HairLine, Splitter, column
from memgui.gui.kit.speech import announce
from memgui.gui.models.review_model import ReviewModel
from memgui.gui.panels.review.changes import ChangeList
from memgui.gui.panels.review.deciding import Deciding
from memgui.gui.panels.review.detail import ChangeDetail
from memgui.gui.panels.review.header import ReviewHeader, ReviewMessage
from memgui.gui.panels.review.rejection_note import RejectionNote
from memgui.gui.theme import theme
from memgui.i18n import _

LOOK_MS = 900
"""So long a text has to be in front before it counts as looked at."""
NARROW, LOW = 620, 420
"""Narrower, the list stands above the text; lower, what is less needed makes room for the text."""


class ReviewPanel(QWidget):
    """Goes through the changes, and tells what the person wishes."""

    text_requested = Signal(object)
    """`PendingChange`: show me its text (`show_change`)."""
    wished = Signal(object)
    """`Wish` or `WishForAll`."""
    change_chosen = Signal()
    """Another change is the chosen one, or there is none."""
    looked_at = Signal(object)
    """`PendingChange`: its text was in front for a while."""
    open_requested = Signal(object, int)
    """`DocPath` and a line."""
    history_requested = Signal(object)
    unlock_requested = Signal(object)
    all_seen_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reviewPanel")
        self.setAccessibleName(_("Review"))
        self.setProperty("ready", False)
        self.model = ReviewModel(self)
        self._path: DocPath | None = None
        self._row = 0
        self._choose_last = False
        self._asked: str | None = None
        self._look = QTimer(self, singleShot=True, interval=LOOK_MS)
        self._look.timeout.connect(self._tell_looked)
        self.header = ReviewHeader(self)
        self._message = ReviewMessage(self)
        self.note = RejectionNote(self)
        self._build_places()
        box = column(self)
        box.addWidget(self.header)
        box.addWidget(HairLine(self))
        box.addWidget(self._message)
        box.addWidget(self.note)
        box.addWidget(self._stack, 1)
        self.deciding = Deciding(self.detail, self.model, self)
        self._connect()
        self.setFocusProxy(self.list)
        self.show_loading()

    def _build_places(self) -> None:
        self.list = ChangeList(self.model, self)
        self.list.setProperty("pane", True)
        self.list.setMinimumHeight(48)
        self.detail = ChangeDetail(self)
        self._splitter = Splitter(Qt.Orientation.Horizontal, self)
        self._splitter.addWidget(self.list)
        self._splitter.addWidget(self.detail)
        self._splitter.setStretchFactor(0, 0)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.splitterMoved.connect(self._leave_sizes)
        self._is_dragged = False
        self._empty = EmptyState(self)
        self._empty.setObjectName("reviewEmpty")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._splitter)

    def _connect(self) -> None:
        detail = self.detail
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.list.opened.connect(self._open_current)
        self.list.entered_text.connect(detail.view.setFocus)
        detail.view.line_requested.connect(self._open_line)
        detail.skip.clicked.connect(self.go_to_next)
        self.deciding.wished.connect(self._pass_on)
        detail.open.clicked.connect(self._open_current)
        detail.history.clicked.connect(self.ask_for_history)
        self.header.accept_all.clicked.connect(self.deciding.accept_every)
        self.header.all_seen.clicked.connect(self.all_seen_requested)
        self._message.unlock_requested.connect(self.unlock_requested)
        self.note.left.connect(self._focus_list)

    # What it is told ---------------------------------------------------------------------------------------------

    def show_loading(self) -> None:
        """Nothing is known yet."""
        self.header.show_since(0.0)
        self._empty.show_state(icon="", title="", text=_("Comparing with what you accepted…"))
        self._stack.setCurrentWidget(self._empty)
        self._allow(False)

    def show_progress(self, done: int, total: int) -> None:
        """What is there is being taken in for the first time, or looked through."""
        if not self.model.changes:
            words = _("Looking through {done} of {total} files…").format(done=f"{done:,}", total=f"{total:,}")
            self._empty.show_state(icon="", title="", text=words)

    def show_trouble(self, words: str) -> None:
        """The changes cannot be told."""
        self._empty.show_state(icon="error", title=_("The changes cannot be shown"), text=words)
        self._stack.setCurrentWidget(self._empty)
        self._allow(False)

    def show_changes(self, changes: Sequence[PendingChange], *, last: str = "") -> None:
        """List these. The chosen document stays chosen; where it is gone, the next one is. `last`: what is told where
        there is nothing: when somebody last wrote, and where."""
        self.model.show(changes)
        self.setProperty("ready", True)
        self._allow(bool(changes))
        if not changes:
            self._path = self._asked = None
            self.detail.clear()
            self.header.show_since(0.0)
            self._empty.show_state(icon="check", title=_("All seen"), text=last)
            held_focus = self._stack.currentWidget() is self._splitter and self.isAncestorOf(
                self.window().focusWidget()
            )
            self._stack.setCurrentWidget(self._empty)
            if held_focus:
                self._focus_list()
            return
        self.header.show_since(min((change.since for change in changes if change.since > 0), default=0.0))
        self._stack.setCurrentWidget(self._splitter)
        self._keep_chosen()

    def missing(self, changes: Sequence[PendingChange]) -> PendingChange | None:
        """The change whose text is needed once these are listed; None where that is shown already, or nobody looks."""
        if not self.isVisible() or not changes:
            return None
        kept = next((change for change in changes if change.path == self._path), None)
        chosen = kept or changes[min(self._row, len(changes) - 1)]
        return None if chosen.id == self._asked else chosen

    def expect(self, change: PendingChange) -> None:
        """The text of this change comes right after the list."""
        if change.path != self._path:
            self._path = change.path
            self.detail.clear()
        self._asked = change.id

    def show_progress_of(self, progress: Mapping[DocPath, tuple[int, int]]) -> None:
        """How many hunks of each document are decided, of how many."""
        self.model.show_progress(progress)

    def show_change(self, shown_change: ShownChange, waiting: Sequence[Hunk] = ()) -> None:
        """The text of the chosen change has come; for these hunks of it there are verdicts that wait."""
        if shown_change.path != self._path:
            return
        self.detail.show_change(shown_change, waiting)
        if self._choose_last and shown_change.hunks:
            self.detail.view.choose_part(shown_change.hunks[-1].id)
        self._choose_last = False
        self._begin_look()

    def return_to(self, path: DocPath) -> None:
        """What was decided of a document was taken back: choose it, as soon as it is listed."""
        if not self.choose(path):
            self._path, self._asked = path, None
            self.detail.clear()

    def show_failed_text(self, change: PendingChange, words: str) -> None:
        """The text of a change could not be read."""
        if change.path == self._path:
            self.detail.clear()
            self.detail.announce_change(change)
            self.detail.note.setText(words)
            self.detail.note.show()

    def say(self, words: str, *, locked: DocPath | None = None) -> None:
        """Say what came of a wish; `locked`: the identity file that has to be unlocked first."""
        self._message.say(words, locked=locked)
        self.detail.undecide()
        announce(self, words)

    def tell_decided(self, kind: VerdictKind) -> None:
        """Say aloud what was done, and what the next keys are about."""
        done = {
            VerdictKind.ACCEPT: _("accepted"),
            VerdictKind.REJECT: _("rejected"),
            VerdictKind.EDIT: _("edited"),
            VerdictKind.PUT_BACK: _("put back"),
        }.get(kind, _("undone"))
        hunk = self.detail.hunk
        next_one = "" if hunk is None else "".join(hunk.added or hunk.removed).strip()[:120]
        announce(self, f"{done}. {next_one}".strip())

    @Slot()
    def withdraw(self) -> None:
        """The message no longer holds."""
        self._message.hide()

    @property
    def said(self) -> str:
        """The message, empty where none is shown."""
        return self._message.said

    def _allow(self, wanted: bool) -> None:
        self.header.accept_all.setEnabled(wanted)
        self.header.all_seen.setEnabled(wanted and any(not change.seen for change in self.model.changes))

    # Going through it --------------------------------------------------------------------------------------------

    @property
    def change(self) -> PendingChange | None:
        """The chosen change."""
        return self.model.change_at(self.list.currentIndex().row())

    def choose(self, path: DocPath) -> bool:
        """Choose the change of a document; False where it has none."""
        row = self.model.row_of(path)
        if row >= 0:
            self._go_to_row(row)
        return row >= 0

    def _keep_chosen(self) -> None:
        row = self.model.row_of(self._path)
        if row < 0:
            row = min(self._row, len(self.model.changes) - 1)
        index = self.list.currentIndex()
        if index.row() != row or self.model.change_at(row) is None:
            self._go_to_row(row)
        else:
            self._ask_for(self.model.change_at(row))

    def _go_to_row(self, row: int) -> None:
        index = self.model.index(row)
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, before: QModelIndex) -> None:  # noqa: ARG002
        self._ask_for(self.model.change_at(index.row()))
        self.change_chosen.emit()

    def _ask_for(self, change: PendingChange | None) -> None:
        if change is None:
            return
        self._row = self.model.row_of(change.path)
        if change.path != self._path:
            self._path, self._asked = change.path, None
            self.detail.clear()
            self.detail.announce_change(change)
        if change.id != self._asked and self.isVisible():
            self._asked = change.id
            self.text_requested.emit(change)

    @Slot()
    def go_to_next(self) -> None:
        """To the next hunk, and after the last one of a document to the next document."""
        if self.detail.is_editing:
            return
        if not self.detail.view.step_part(1):
            self._step_change(1)

    @Slot()
    def go_to_previous(self) -> None:
        """To the hunk before, and before the first one of a document to the document before."""
        if self.detail.is_editing:
            return
        if not self.detail.view.step_part(-1):
            self._step_change(-1)

    def _step_change(self, step: int) -> None:
        row = self.list.currentIndex().row() + step
        if 0 <= row < len(self.model.changes):
            self._choose_last = step < 0
            self._go_to_row(row)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask_for(self.change)
        self._begin_look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._look.stop()

    def _begin_look(self) -> None:
        shown_change = self.detail.shown
        if shown_change is not None and not shown_change.change.seen and self.isVisible():
            self._look.start()

    @Slot()
    def _tell_looked(self) -> None:
        if self.detail.shown is not None and self.isVisible():
            self.looked_at.emit(self.detail.shown.change)

    # Elsewhere ---------------------------------------------------------------------------------------------------

    @Slot(object)
    def _pass_on(self, wish: object) -> None:
        self.withdraw()
        self.wished.emit(wish)

    @Slot()
    def ask_for_history(self) -> None:
        """Ask for the history of the chosen document."""
        if self._path is not None:
            self.history_requested.emit(self._path)

    @Slot()
    def _open_current(self) -> None:
        self._open_line(self.detail.view.current_line)

    @Slot(int)
    def _open_line(self, line: int) -> None:
        if self._path is not None:
            self.open_requested.emit(self._path, line)

    @Slot()
    def _focus_list(self) -> None:
        (self.list if self._stack.currentWidget() is self._splitter else self._empty).setFocus()

    # Its shape -----------------------------------------------------------------------------------------------------

    def _stack_sizes(self) -> None:
        """The list above the text: three rows of it, or one where there is little height."""
        row = self.list.sizeHintForRow(0) if self.model.changes else theme().px(48)
        rows = 1 if self.height() < theme().px(LOW) else 3
        self._splitter.setSizes([rows * row + 8, max(1, self.height() - rows * row)])
        self.list.scrollTo(self.list.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.detail.show_low(self.height() < theme().px(LOW))
        narrow = self.width() < theme().px(NARROW)
        wanted = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if self._splitter.orientation() != wanted or event.oldSize().width() <= 0:
            self._splitter.setOrientation(wanted)
            self._is_dragged = False
        if self._is_dragged:
            return
        if narrow:
            self._stack_sizes()
        else:
            side = min(theme().px(320), round(self.width() * 0.4))
            self._splitter.setSizes([side, self.width() - side])

    @Slot()
    def _leave_sizes(self) -> None:
        """The person chose how the room is shared."""
        self._is_dragged = True
