"""A page: one document with its editor, its bars and the state of its saving. It asks by signals and is told facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QWidget

from memgui.domain.documents import Document
from memgui.domain.errors import MemguiError
from memgui.domain.lines import Lines
from memgui.domain.merging import Merged
from memgui.domain.own_lines import OwnSave
from memgui.domain.paths import DocPath, shown, told
from memgui.domain.requests import SaveResult, Unsaved
from memgui.domain.text import Encoding, Text
from memgui.gui.kit.layout import column
from memgui.gui.kit.speech import announce
from memgui.gui.notices import Notices
from memgui.gui.panels.page import saying
from memgui.gui.panels.page.banner import Banner
from memgui.gui.panels.page.breaks import place
from memgui.gui.panels.page.choosing import SideChoices
from memgui.gui.panels.page.companion import Halves
from memgui.gui.panels.page.disk_side import DiskSide
from memgui.gui.panels.page.editor import NUL, MemoryEditor
from memgui.gui.panels.page.filling import Filling
from memgui.gui.panels.page.find_bar import FindBar
from memgui.gui.panels.page.keeping import PageOptions
from memgui.gui.panels.page.lock_bar import LockBar
from memgui.gui.panels.page.locking import Lock
from memgui.gui.panels.page.losing import OwnLines
from memgui.gui.panels.page.reasons import Reason, show_reason
from memgui.gui.panels.page.resolving import Resolving
from memgui.gui.panels.page.save_desk import SaveDesk
from memgui.gui.panels.page.saving import Saver
from memgui.gui.panels.page.text import PageText
from memgui.gui.state import DocumentState
from memgui.i18n import _

_ANNOUNCED = frozenset({DocumentState.MERGED, DocumentState.CONFLICT, DocumentState.NOT_SAVED, DocumentState.DELETED})


class Page(QWidget):
    """Shows a `Document`, lets it be edited where it may be, and never lets bytes be replaced that it has not seen."""

    save_requested = Signal(object)
    """A `SaveRequest`."""
    journal_requested = Signal(object)
    """An `Unsaved`: text for the crash journal."""
    journal_dropped = Signal(object)
    """A path: nothing of it is unsaved any more."""
    keep_requested = Signal(object, object)
    """A path and bytes that would be lost otherwise."""
    reread_requested = Signal(object)
    """A path whose bytes on disk are others than was thought."""
    join_requested = Signal(object)
    """`Sides` that are too large to be joined at once; `joined` is told what came of it."""
    settled = Signal(object, str, object)
    """A path, how its text and the disk's became one, and the bytes of the person's side, where those stand nowhere."""
    lock_changed = Signal(object, bool)
    """A path, and whether it is now unlocked."""
    state_changed = Signal()
    caret_moved = Signal(int, int)
    """Line and column, from 1, in characters."""
    arrivals_changed = Signal()
    """Lines came in from the disk, or the person has been where they are."""
    close_ready = Signal()
    """The page was asked to close, and nothing of it is unsaved."""
    said = Signal(str)
    """A sentence for the status bar."""

    def __init__(
        self,
        path: DocPath,
        options: PageOptions | None = None,
        *,
        now: Callable[[], datetime] = datetime.now,
        saves: list[OwnSave] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.path = path
        self._told: tuple[DocumentState, str] = (DocumentState.VIEW, "")
        self.editor = MemoryEditor(self)
        self.banner = Banner(self)
        self.lock_bar = LockBar(self)
        self.find_bar = FindBar(self.editor, self)
        self.notices = Notices(self)
        self._text = PageText(self.editor)
        self._saver = Saver(path, self.editor, self._text, now, self)
        self._disk = DiskSide(self.editor, self._text, self._saver, self.banner, now)
        self._lock = Lock(self.lock_bar, self._saver.keeping, self)
        sides = (self.editor, self._text, self._saver, self._disk)
        self._choices = SideChoices(*sides, banner=self.banner, notices=self.notices, now=now)
        self._own = OwnLines(*sides, saves=saves if saves is not None else [], notices=self.notices, now=now)
        self._filling = Filling(self._text, self._saver, self)
        self._desk = SaveDesk(
            self.editor,
            self._text,
            self._saver,
            self._disk,
            self._lock,
            choices=self._choices,
            banner=self.banner,
            bar=self.lock_bar,
            notices=self.notices,
        )
        box = column(self)
        for widget in (self.notices, self.banner, self.lock_bar, self.find_bar):
            box.addWidget(widget)
        self.halves = Halves(self.editor, self)
        box.addWidget(self.halves, 1)
        self._resolving = Resolving(
            self,
            self.halves,
            box,
            self.editor,
            self._saver,
            self._disk,
            self._choices,
            notices=self.notices,
            now=now,
        )
        self._resolving.found_wanted.connect(self.change)
        self.setFocusProxy(self.halves)
        self.setAccessibleName(shown(path))
        self.setProperty("path", told(path))
        self.setProperty("ready", False)
        self.setProperty("state", DocumentState.VIEW.value)
        self.editor.set_locked(True)
        self._connect()
        self.set_options(options or PageOptions())

    def _connect(self) -> None:
        saver = self._saver
        saver.save_requested.connect(self.save_requested)
        saver.journal_requested.connect(self.journal_requested)
        saver.journal_dropped.connect(self.journal_dropped)
        saver.reread_requested.connect(self.reread_requested)
        self._desk.close_ready.connect(self.close_ready)
        self._desk.stayed.connect(self._explain_staying)
        for part in (saver, self._disk, self._desk, self._choices, self._resolving):
            part.changed.connect(self._refresh)
        self._own.save_wanted.connect(self.save)
        self._choices.settled.connect(self._tell_settled)
        self._disk.join_wanted.connect(self.join_requested)
        self.editor.arrivals.changed.connect(self._tell_arrivals)
        self._disk.kept.connect(self._keep)
        self._disk.show_wanted.connect(self._show_anew)
        self._lock.changed.connect(self._lock_turned)
        saver.keeping.lock_due.connect(self.lock)
        self.lock_bar.lock_requested.connect(self.lock)
        self.banner.chosen.connect(self._choose)
        self.banner.encoding_chosen.connect(self.reopen_as)
        self.editor.cursorPositionChanged.connect(self._tell_caret)
        self.editor.refused.connect(self._explain_refusal)
        self.editor.unspellable.connect(self._explain_unspellable)
        self.editor.tab_mode_changed.connect(self._explain_tab)

    # What it shows ---------------------------------------------------------------------------------------------------

    @property
    def document(self) -> Document | None:
        """What the page stands on: the bytes it was last one with. None: no such file yet, or not read yet."""
        return self._saver.standing.base

    @property
    def new_lines(self) -> int:
        """How many lines came from the disk, and places lost some, where the person has not been since."""
        return self.editor.arrivals.places

    @property
    def ready(self) -> bool:
        """Whether its text is loaded."""
        return bool(self.property("ready"))

    @property
    def encoding(self) -> Encoding:
        """How its text is written."""
        return self._text.encoding

    def lines(self) -> Lines:
        """The text on the page, with each line's own ending."""
        return self.editor.lines()

    def text_bytes(self) -> bytes:
        """The text on the page as the bytes it would be saved as."""
        return self._text.bytes(self.document)

    def change(self, lines: Lines) -> bool:
        """Make its text these lines, as one step of undo, if a person may type here now; if not, say why."""
        if not self.ready or not self.editor.may_put(lines.joined()):
            return False
        self._text.take(Text(lines, self.encoding))
        return True

    def set_options(self, options: PageOptions) -> None:
        """Go by these settings from now on."""
        self._saver.keeping.set_options(options)
        self.lock_bar.minutes = max(1, round(options.relock_seconds / 60))
        self.editor.set_wrap(options.wrap_lines)
        self.editor.set_show_invisibles(options.show_invisibles)

    def fill(self, document: Document, show: Callable[[], None]) -> None:
        """Call `show`, which shows this document on a new page: at once, or when a long text is in the editor."""
        self._filling.begin(document, show)

    def show_document(self, document: Document, *, protected: bool = False) -> None:
        """Show what was read, in the place of anything that was there."""
        self._filling.cancel()
        self._lock.protected = protected
        with QSignalBlocker(self._saver):
            self._text.show(document)
        self._began(document)
        self._own.look_back()

    def show_absent(self, *, protected: bool = False) -> None:
        """Show an empty page for a file that does not exist; saving creates it, if nobody else did meanwhile."""
        self._filling.cancel()
        self._lock.protected = protected
        with QSignalBlocker(self._saver):
            self._text.show_nothing()
        self._began(None)

    def read_failed(self, error: MemguiError) -> None:
        """The document could not be read: say so; text that is here already stays."""
        self._filling.finish()
        self.said.emit(error.message)
        self._disk.read_failed()
        if not self.ready:
            self.banner.tell("save-failed", error.message, ())

    def _began(self, document: Document | None) -> None:
        self._disk.begin()
        self._saver.begin(document)
        self.setProperty("ready", True)
        self._refresh()

    @Slot(object)
    def _show_anew(self, document: Document) -> None:
        self.show_document(document, protected=self._lock.protected)

    @Slot(object)
    def reopen_as(self, encoding: Encoding) -> None:
        """Read the same bytes in another encoding."""
        document = self.document
        if document is not None and not self.is_dirty:
            self._show_anew(Document.of(document.path, document.data, document.node, encoding=encoding))

    def edit_anyway(self) -> None:
        """Open a large document for editing after all."""
        document = self.document
        if document is not None and document.editability.can_be_forced:
            self._text.forced = True
            self._show_anew(document)

    def set_companion(self, widget: QWidget | None, *, side_by_side: bool) -> None:
        """Show a widget beside the source or in its place; with None, the source alone."""
        self.halves.set_companion(widget, side_by_side=side_by_side)

    def go_to(self, line: int, column: int = 1) -> None:
        """Put the caret there."""
        self.editor.go_to(line, column)

    # Its state -------------------------------------------------------------------------------------------------------

    @property
    def state(self) -> DocumentState:
        """The one state it is in."""
        standing = self._saver.standing
        if not self.ready:
            return DocumentState.VIEW
        if standing.conflicting:
            return DocumentState.CONFLICT
        if standing.gone is not None:
            return DocumentState.DELETED
        if standing.failure is not None:
            return DocumentState.NOT_SAVED
        if not self._text.editable:
            return DocumentState.VIEW
        if self.is_dirty:
            return DocumentState.MERGED if standing.merged else DocumentState.UNSAVED
        return DocumentState.PROTECTED if self.is_locked else DocumentState.SAVED

    @property
    def sentence(self) -> str:
        """Its state in words."""
        return self._told[1]

    @property
    def is_dirty(self) -> bool:
        """Whether it holds text that the disk does not."""
        return self._saver.is_dirty

    @property
    def is_protected(self) -> bool:
        """Whether it is an identity file."""
        return self._lock.protected

    @property
    def is_locked(self) -> bool:
        """Whether it is protected and not unlocked."""
        return self._lock.locked

    @Slot()
    def _refresh(self) -> None:
        text, standing = self._text, self._saver.standing
        self.editor.set_locked(not self.ready or not text.editable or self.is_locked)
        only_here = self._saver.only_here
        reason = Reason(standing, self.is_dirty, text.editable, self.ready, text.in_part, only_here)
        show_reason(self.banner, replace(reason, resolving=self._resolving.is_open))
        self._lock.show_bar()
        journalled = self._saver.journalled
        words = saying.state_sentence(self.state, standing, journalled=journalled, only_here=only_here)
        if self.state in (DocumentState.SAVED, DocumentState.PROTECTED) and (lines := self.editor.arrivals.lines):
            words = f"{words} · {saying.arrived(lines)}"
        told = (self.state, words)
        if told != self._told or told[0].value != self.property("state"):
            before, self._told = self._told, told
            self.setProperty("state", told[0].value)
            if told[0] is not before[0] and told[0] in _ANNOUNCED and self.isVisible():
                announce(self.editor, words)
            self.state_changed.emit()

    # Wishes ----------------------------------------------------------------------------------------------------------

    @Slot()
    def save(self) -> None:
        """Put the text on the disk, or say why that has to wait. Without an edit nothing is written."""
        if self._resolving.is_open:
            self._resolving.save()
        elif self.ready:
            self._desk.save()

    @Slot()
    def resolve(self) -> None:
        """Show the conflict in the place of the text, or go back from there."""
        if self._resolving.is_open:
            self._resolving.leave()
        else:
            self._resolving.open()

    def undo(self) -> None:
        """Take the latest step back, in the text that is shown."""
        (self._resolving.undoing or self.editor).undo()

    def redo(self) -> None:
        """Do again what was taken back."""
        (self._resolving.undoing or self.editor).redo()

    @Slot()
    def autosave(self) -> None:
        """Save by itself, where that is allowed: never in conflict, never what is protected, never while composing."""
        self._desk.autosave()

    def journal_now(self) -> None:
        """Hand unsaved text to the crash journal at once."""
        self._saver.journal_now()

    def journal_answered(self, error: MemguiError | None) -> None:
        """The crash journal has the text that it was given, or could not take it."""
        self._saver.journal_answered(error)

    def try_to_close(self) -> None:
        """Save what is unsaved, then tell `close_ready`; where that cannot be, stay and say why."""
        self._desk.try_to_close()

    def set_protected(self, protected: bool) -> None:
        """Whether it is an identity file may change while it is open: by settings, or by the files around it."""
        if protected != self._lock.protected:
            self._lock.protected = protected
            self._refresh()

    def rename(self, path: DocPath) -> None:
        """Its document has another name now; text, caret and undo stay."""
        self._filling.finish()
        self.path = path
        self.setAccessibleName(shown(path))
        self.setProperty("path", told(path))
        self._saver.rename(path)

    def ask_to_unlock(self) -> None:
        """Open the question whether to unlock."""
        self._lock.ask_to_unlock()

    def unlock(self) -> None:
        """Open a protected document for editing, in this page, until it locks again."""
        self._lock.unlock()

    @Slot()
    def lock(self) -> None:
        """Lock a protected document again. Text that was typed stays, and is asked about."""
        if self._lock.unlocked:
            self._saver.journal_now()
            self._lock.lock()
            if self.is_dirty:
                self._desk.ask_first()

    # What the disk says ----------------------------------------------------------------------------------------------

    @Slot(object)
    def apply_disk(self, document: Document) -> None:
        """The disk holds this now. A page without unsaved text takes it in; one with such text keeps it, and asks."""
        if self.ready:
            self._disk.apply(document)
        else:
            self._show_anew(document)

    def joined(self, ticket: int, merged: Merged[str] | None) -> None:
        """What came of the sides that were asked to be joined; None where that failed."""
        self._disk.joined(ticket, merged)

    def expect_own(self) -> None:
        """What the disk says next was written for the person, from elsewhere in the window."""
        self._disk.expect_own()

    def deleted(self) -> None:
        """The file is gone from the disk. Its text stays here."""
        self._filling.finish()
        self._disk.deleted()

    def saved(self, result: SaveResult) -> None:
        """The disk holds what was asked to be saved."""
        self._disk.saved(result)

    def save_failed(self, error: MemguiError) -> None:
        """The disk does not hold what was asked to be saved. The text is kept."""
        self._disk.failed(error)

    def restore_unsaved(
        self,
        unsaved: Unsaved,
        document: Document | None,
        *,
        protected: bool = False,
        error: MemguiError | None = None,
    ) -> None:
        """Bring back text that was never saved, over the file of now. A newer file is not replaced.

        Without a document the file is gone; with an `error` it is there and cannot be read.
        """
        self._filling.finish()
        if document is not None:
            document = self._text.read_as_typed(document, unsaved.encoding)
            self.show_document(document, protected=protected)
        else:
            self.show_absent(protected=protected)
        self._disk.recover(unsaved, document, error)
        if unsaved.beside is not None and unsaved.beside != unsaved.data:
            self._resolving.resume(unsaved.beside, datetime.fromtimestamp(unsaved.time))

    @Slot(object)
    def _keep(self, data: bytes) -> None:
        self.keep_requested.emit(self.path, data)

    @Slot(str, object)
    def _tell_settled(self, how: str, mine: bytes | None) -> None:
        self.settled.emit(self.path, how, mine)

    @Slot(bool)
    def _lock_turned(self, unlocked: bool) -> None:
        self._refresh()
        if unlocked:
            self.setFocus()
        self.lock_changed.emit(self.path, unlocked)

    # What it says ----------------------------------------------------------------------------------------------------

    @Slot(str)
    def _choose(self, name: str) -> None:
        if name == "editAnyway":
            self.edit_anyway()
        elif name == "resolve":
            self.resolve()

    @Slot()
    def _tell_arrivals(self) -> None:
        before = self.sentence
        self._refresh()
        self.arrivals_changed.emit()
        if self.isVisible() and self.editor.arrivals.lines and self.sentence != before:
            announce(self.editor, self.sentence)

    @Slot()
    def _explain_staying(self) -> None:
        self.said.emit(_("{name} stays open: {why}").format(name=shown(self.path), why=self.sentence))

    @Slot()
    def _explain_refusal(self) -> None:
        self.said.emit(self.sentence)

    @Slot(str)
    def _explain_unspellable(self, character: str) -> None:
        if character == NUL:
            self.said.emit(_("NUL characters were left out: with them the file would no longer be text"))
            return
        encoding = self.encoding.shown
        self.said.emit(
            _("“{character}” is not in {encoding} and was left out").format(character=character, encoding=encoding)
        )

    @Slot(bool)
    def _explain_tab(self, moves_focus: bool) -> None:
        self.said.emit(_("Tab moves to the next field") if moves_focus else _("Tab indents"))

    @Slot()
    def _tell_caret(self) -> None:
        cursor = self.editor.textCursor()
        self._saver.keeping.stirred()
        self.caret_moved.emit(cursor.blockNumber() + 1, place(cursor.block().text(), cursor.positionInBlock()) + 1)
