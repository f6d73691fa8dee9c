"""A page: one document with its editor, its bars and the state of its saving. It asks by signals and is told facts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QWidget

from memgui.domain.documents import Document
from memgui.domain.errors import MemguiError
from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath, shown
from memgui.domain.requests import SaveResult, Unsaved
from memgui.domain.text import HUGE_BYTES, Editability, Encoding, Text, decode, lossy
from memgui.gui.kit.layout import column
from memgui.gui.notices import Notices
from memgui.gui.panels.page import saying
from memgui.gui.panels.page.adopting import adopt
from memgui.gui.panels.page.banner import Banner
from memgui.gui.panels.page.breaks import place
from memgui.gui.panels.page.crossing import Crossing
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.find_bar import FindBar
from memgui.gui.panels.page.keeping import PageOptions
from memgui.gui.panels.page.lock_bar import LockBar
from memgui.gui.panels.page.reasons import Reason, show_reason
from memgui.gui.panels.page.saving import Saver
from memgui.gui.panels.page.standing import Meeting
from memgui.gui.state import DocumentState
from memgui.i18n import _

UNDO_OUTSIDE = "undo-outside"
LONGEST_SHOWN = 100_000
"""A longer line is shown up to here until the person chooses to edit the document: laying it out takes its time."""


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
    lock_changed = Signal(object, bool)
    """A path, and whether it is now unlocked."""
    state_changed = Signal()
    caret_moved = Signal(int, int)
    """Line and column, from 1, in characters."""
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
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.path = path
        self._now = now
        self._encoding = Encoding.UTF8
        self._protected = self._unlocked = self._forced = False
        self._closing = self._in_part = False
        self._later: Document | None = None
        self._outside_at: datetime | None = None
        self._told: tuple[DocumentState, str] = (DocumentState.VIEW, "")
        self.editor = MemoryEditor(self)
        self.banner = Banner(self)
        self.lock_bar = LockBar(self)
        self.find_bar = FindBar(self.editor, self)
        self.notices = Notices(self)
        self._saver = Saver(path, self.editor.document(), self.text_bytes, self.editor.caret, now, self)
        self._crossing = Crossing(self.editor.document())
        box = column(self)
        for widget in (self.notices, self.banner, self.lock_bar, self.find_bar):
            box.addWidget(widget)
        box.addWidget(self.editor, 1)
        self.setFocusProxy(self.editor)
        self.setAccessibleName(shown(path))
        self.setProperty("path", str(path))
        self.setProperty("ready", False)
        self.setProperty("state", DocumentState.VIEW.value)
        self.editor.set_locked(True)
        self._connect()
        self.set_options(options or PageOptions())

    def _connect(self) -> None:
        saver = self._saver
        for own, its in (
            (self.save_requested, saver.save_requested),
            (self.journal_requested, saver.journal_requested),
            (self.journal_dropped, saver.journal_dropped),
            (self.reread_requested, saver.reread_requested),
        ):
            its.connect(own)
        saver.changed.connect(self._refresh)
        saver.finished.connect(self._saving_ended)
        saver.keeping.save_due.connect(self.autosave)
        saver.keeping.lock_due.connect(self.lock)
        self.editor.cursorPositionChanged.connect(self._tell_caret)
        self.editor.settled.connect(self._apply_later)
        self.editor.refused.connect(self._explain_refusal)
        self.banner.chosen.connect(self._choose)
        self.banner.encoding_chosen.connect(self.reopen_as)
        self.banner.difference_wanted.connect(self._show_difference)
        self.lock_bar.unlock_confirmed.connect(self.unlock)
        self.lock_bar.lock_requested.connect(self.lock)
        self.lock_bar.save_confirmed.connect(self._save_confirmed)
        self.lock_bar.save_dropped.connect(self.drop_text)
        self.lock_bar.save_put_off.connect(self._refresh_lock_bar)
        self.notices.acted.connect(self._notice_acted)
        self._crossing.changed.connect(self._tell_crossing)

    # What it shows ---------------------------------------------------------------------------------------------------

    @property
    def document(self) -> Document | None:
        """What the page stands on: the bytes it was last one with. None: no such file yet, or not read yet."""
        return self._saver.standing.base

    @property
    def ready(self) -> bool:
        """Whether its text is loaded."""
        return bool(self.property("ready"))

    @property
    def encoding(self) -> Encoding:
        """How its text is written."""
        return self._encoding

    def lines(self) -> Lines:
        """The text on the page, with each line's own ending."""
        return self.editor.lines()

    def text_bytes(self) -> bytes:
        """The text on the page as the bytes it would be saved as."""
        document = self.document
        if document is not None and not self._is_text(document):
            return document.data
        return Text(self.editor.lines(), self._encoding).encode()

    def set_options(self, options: PageOptions) -> None:
        """Go by these settings from now on."""
        self._saver.keeping.set_options(options)
        self.editor.set_wrap(options.wrap_lines)
        self.editor.set_show_invisibles(options.show_invisibles)

    def show_document(self, document: Document, *, protected: bool = False) -> None:
        """Show what was read, in the place of anything that was there."""
        self._protected = protected
        self._encoding = document.text.encoding if document.text else Encoding.UTF8
        small = len(document.data) <= HUGE_BYTES
        self.editor.set_codec(self._encoding.codec)
        with QSignalBlocker(self._saver):
            # Between the old text and the new there is no state that anybody should hear of.
            lines, self._in_part = (document.display, False) if self._is_text(document) else _glimpse(document)
            self.editor.show_lines(lines, coloured=small)
        self._began(document)

    def show_absent(self) -> None:
        """Show an empty page for a file that does not exist; saving creates it, if nobody else did meanwhile."""
        self._encoding = Encoding.UTF8
        with QSignalBlocker(self._saver):
            self.editor.show_lines(Lines.split(""))
        self._began(None)

    def read_failed(self, error: MemguiError) -> None:
        """The document could not be read: say so; text that is here already stays."""
        self.said.emit(error.message)
        if not self.ready:
            self.banner.tell("save-failed", error.message, ())

    def _began(self, document: Document | None) -> None:
        self._crossing.forget()
        self._later = None
        self._saver.begin(document)
        self.setProperty("ready", True)
        self._refresh()

    @Slot(object)
    def reopen_as(self, encoding: Encoding) -> None:
        """Read the same bytes in another encoding."""
        document = self.document
        if document is not None and not self.is_dirty:
            self.show_document(
                Document.of(document.path, document.data, document.node, encoding=encoding), protected=self._protected
            )

    def edit_anyway(self) -> None:
        """Open a large document for editing after all."""
        document = self.document
        if document is not None and document.editability.can_be_forced:
            self._forced = True
            self.show_document(document, protected=self._protected)

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
        if standing.base is not None and not self._can_be_edited(standing.base):
            return DocumentState.VIEW
        if self.is_dirty:
            return DocumentState.UNSAVED
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
        return self._protected

    @property
    def is_locked(self) -> bool:
        """Whether it is protected and not unlocked."""
        return self._protected and not self._unlocked

    def _is_text(self, document: Document) -> bool:
        return document.text is not None and (self._forced or not document.editability.can_be_forced)

    def _can_be_edited(self, document: Document) -> bool:
        return document.editability is Editability.EDITABLE or (self._forced and document.editability.can_be_forced)

    @Slot()
    def _refresh(self) -> None:
        document = self.document
        open_to_edit = self.ready and (document is None or self._can_be_edited(document)) and not self.is_locked
        if self.editor.locked == open_to_edit:
            self.editor.set_locked(not open_to_edit)
        show_reason(self.banner, self._reason())
        self._refresh_lock_bar()
        standing = self._saver.standing
        told = (
            self.state,
            saying.state_sentence(
                self.state,
                written=standing.written,
                gone=standing.gone,
                why=saying.short_reason(standing.failure)
                if standing.failure
                else saying.why_view(document.editability if document else Editability.EDITABLE),
                journalled=self._saver.journalled,
            ),
        )
        if told != self._told or told[0].value != self.property("state"):
            self._told = told
            self.setProperty("state", told[0].value)
            self.state_changed.emit()

    def _reason(self) -> Reason:
        standing = self._saver.standing
        return Reason(standing, dirty=self.is_dirty, forced=self._forced, ready=self.ready, in_part=self._in_part)

    @Slot()
    def _refresh_lock_bar(self) -> None:
        self.lock_bar.setVisible(self._protected)
        if not self._protected or self.lock_bar.is_asking:
            return
        if self._unlocked:
            self.lock_bar.show_unlocked()
        else:
            self.lock_bar.show_locked()

    # Saving ----------------------------------------------------------------------------------------------------------

    @Slot()
    def save(self) -> None:
        """Put the text on the disk, or say why that has to wait. Without an edit nothing is written."""
        if not self.ready or self._held():
            return
        data = self.text_bytes()
        if not self._saver.is_new(data):
            self._saver.clean()
        elif self._protected:
            self._ask_before_saving()
        elif self.is_dirty or self._saver.standing.gone is not None:
            self._saver.ask(data, unlocked=False)

    @Slot()
    def autosave(self) -> None:
        """Save by itself, where that is allowed: never in conflict, never what is protected, never while composing."""
        if self.state is DocumentState.UNSAVED and not self._protected and not self._crossing.crossed:
            if self.editor.busy:
                self._saver.keeping.key_typed(autosave=True)
            else:
                self.save()
        elif self.state is DocumentState.NOT_SAVED and not self._protected:
            self.save()

    def journal_now(self) -> None:
        """Hand unsaved text to the crash journal at once."""
        self._saver.journal_now()

    def try_to_close(self) -> None:
        """Save what is unsaved, then tell `close_ready`; where that cannot be, stay and say why."""
        if self.is_dirty or self._saver.is_waiting:
            self._closing = True
            self.save()
        if not self.is_dirty and not self._saver.is_waiting:
            self._leave()
        elif not self._saver.is_waiting:
            self._stay()

    def drop_text(self) -> None:
        """Give up what was typed: it becomes a kept copy, and the page shows the disk's text again."""
        document = self.document
        if self.is_dirty and document is not None and document.text is not None:
            self.keep_requested.emit(self.path, self.text_bytes())
            self._take_in(document)
        self.lock_bar.end_asking()
        self._refresh()

    def _held(self) -> bool:
        standing = self._saver.standing
        if standing.conflicting:
            self.banner.come_back()
            self._refresh()
            return True
        if self._crossing.crossed and self.is_dirty:
            self._tell_crossing(True)
            return True
        return standing.base is not None and not self._can_be_edited(standing.base)

    def _ask_before_saving(self) -> None:
        document = self.document
        old = document.text.lines if document is not None and document.text is not None else Lines.split("")
        self.lock_bar.show_saving(old, self.lines())

    @Slot()
    def _save_confirmed(self) -> None:
        self.lock_bar.end_asking()
        if not self._held():
            self._saver.ask(self.text_bytes(), unlocked=True)
        self._refresh()

    @Slot()
    def _saving_ended(self) -> None:
        if self._closing and not self._saver.is_waiting:
            if self.is_dirty:
                self._stay()
            else:
                self._leave()

    def _leave(self) -> None:
        self._closing = False
        self.lock()
        self._saver.keeping.stop()
        self.close_ready.emit()

    def _stay(self) -> None:
        self._closing = False
        self.said.emit(_("{name} stays open: {why}").format(name=shown(self.path), why=self.sentence))

    # What the disk says ----------------------------------------------------------------------------------------------

    @Slot(object)
    def apply_disk(self, document: Document) -> None:
        """The disk holds this now. A page without unsaved text takes it in; one with such text keeps it, and asks."""
        if not self.ready:
            self.show_document(document, protected=self._protected)
            return
        if self.editor.busy:
            self._later = document
            return
        self._later = None
        if self._saver.standing.base is not None and self._encoding is not Encoding.UTF8:
            document = _in_encoding(document, self._encoding)
        meeting = self._saver.meet(document)
        if meeting is Meeting.NEWER:
            self._take_in(document)
        elif meeting is Meeting.CONFLICT:
            self.banner.come_back()
            self._saver.journal_now()
        self._refresh()
        self._show_difference()

    def deleted(self) -> None:
        """The file is gone from the disk. Its text stays here."""
        standing = self._saver.standing
        if standing.gone is None and standing.base is not None:
            standing.gone = self._now()
            standing.theirs, standing.conflicting = None, False
            self.keep_requested.emit(self.path, standing.base.data)
            self.banner.come_back()
        self._refresh()

    @Slot(object)
    def saved(self, result: SaveResult) -> None:
        """The disk holds what was asked to be saved."""
        theirs = self._saver.standing.theirs
        self._saver.saved(result)
        if theirs is not None:
            self.apply_disk(theirs)

    def save_failed(self, error: MemguiError) -> None:
        """The disk does not hold what was asked to be saved. The text is kept."""
        self.banner.come_back()
        self._saver.failed(error)

    def restore_unsaved(self, unsaved: Unsaved, document: Document | None, *, protected: bool = False) -> None:
        """Bring back text that was never saved, over the file of now (None: gone). A newer file is not replaced."""
        if document is not None:
            self.show_document(document, protected=protected)
            if document.data == unsaved.data:
                self.journal_dropped.emit(self.path)
                return
        else:
            self._protected = protected
            self.show_absent()
        text = decode(unsaved.data, self._encoding) or decode(unsaved.data)
        if text is None:
            self.keep_requested.emit(self.path, unsaved.data)
            return
        self._encoding = text.encoding
        self.editor.set_codec(self._encoding.codec)
        adopt(self.editor, text.lines)
        self.editor.document().setModified(True)
        self._saver.standing.recover(unsaved, document, self._now())
        self._saver.journalled = True
        self.editor.set_caret(unsaved.caret)
        self._refresh()

    @Slot()
    def _apply_later(self) -> None:
        if self._later is not None:
            self.apply_disk(self._later)

    def _take_in(self, document: Document) -> None:
        """Show the disk's text; the person's caret, view and undo stay."""
        if document.text is None or not self._can_be_edited(document):
            self.show_document(document, protected=self._protected)
            return
        with QSignalBlocker(self._saver):
            adopt(self.editor, document.text.lines)
        self._encoding = document.text.encoding
        self.editor.set_codec(self._encoding.codec)
        self._outside_at = self._now()
        self._saver.standing.settle(document)
        self._saver.clean()
        self._crossing.mark()

    # Choices ---------------------------------------------------------------------------------------------------------

    @Slot(str)
    def _choose(self, name: str) -> None:
        deeds = {
            "keepMine": self._keep_mine,
            "takeTheirs": self._take_theirs,
            "restoreFile": self.save,
            "letGo": self._let_go,
            "tryAgain": self.save,
            "editAnyway": self.edit_anyway,
        }
        deeds[name]()

    def _keep_mine(self) -> None:
        theirs = self._saver.standing.theirs
        if theirs is None:
            return
        self.keep_requested.emit(self.path, theirs.data)
        self._saver.standing.settle(theirs)
        self._crossing.forget()
        self.editor.document().setModified(True)
        self._refresh()
        self.save()

    def _take_theirs(self) -> None:
        theirs = self._saver.standing.theirs
        if theirs is not None:
            self.keep_requested.emit(self.path, self.text_bytes())
            self._take_in(theirs)
            self._refresh()

    def _let_go(self) -> None:
        """Close without the text: it becomes a kept copy."""
        if self.is_dirty:
            self.keep_requested.emit(self.path, self.text_bytes())
        self._saver.clean()
        self._leave()

    @Slot()
    def _show_difference(self) -> None:
        theirs = self._saver.standing.theirs
        if theirs is not None and self.banner.difference_shown:
            self.banner.show_difference(self.lines(), theirs.display)

    @Slot(bool)
    def _tell_crossing(self, crossed: bool) -> None:
        if crossed:
            self.notices.tell(UNDO_OUTSIDE, saying.undo_outside(self._outside_at), _("Save this text"), lasting=True)
        else:
            self.notices.withdraw(UNDO_OUTSIDE)

    @Slot(str)
    def _notice_acted(self, kind: str) -> None:
        if kind == UNDO_OUTSIDE:
            self._crossing.forget()
            self.save()

    # Protection ------------------------------------------------------------------------------------------------------

    def ask_to_unlock(self) -> None:
        """Open the question whether to unlock."""
        if self.is_locked:
            self.lock_bar.ask_to_unlock()

    @Slot()
    def unlock(self) -> None:
        """Open a protected document for editing, in this page, until it locks again."""
        if self._protected and not self._unlocked:
            self._set_unlocked(True)
            self.editor.setFocus()

    @Slot()
    def lock(self) -> None:
        """Lock a protected document again. Text that was typed stays, and is asked about."""
        if self._unlocked:
            self._saver.journal_now()
            self._set_unlocked(False)
            if self.is_dirty:
                self._ask_before_saving()

    def _set_unlocked(self, unlocked: bool) -> None:
        self._unlocked = unlocked
        self._saver.keeping.watch_lock(unlocked)
        self.lock_bar.end_asking()
        self.lock_changed.emit(self.path, unlocked)
        self._refresh()

    @Slot()
    def _explain_refusal(self) -> None:
        self.said.emit(self.sentence)

    @Slot()
    def _tell_caret(self) -> None:
        cursor = self.editor.textCursor()
        self._saver.keeping.stirred()
        column = place(cursor.block().text(), cursor.positionInBlock()) + 1
        self.caret_moved.emit(cursor.blockNumber() + 1, column)


def _glimpse(document: Document) -> tuple[Lines, bool]:
    """As much of a document that is no text, or a large one, as can be shown at once; and whether that is a part."""
    lines = lossy(document.data[:HUGE_BYTES])
    texts = tuple(text[:LONGEST_SHOWN] for text in lines.texts)
    return Lines(texts, lines.breaks), texts != lines.texts or len(document.data) > HUGE_BYTES


def _in_encoding(document: Document, encoding: Encoding) -> Document:
    reread = Document.of(document.path, document.data, document.node, encoding=encoding)
    return reread if reread.text is not None else document
