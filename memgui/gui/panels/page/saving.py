"""Saves one page's text: at once, by itself, into the crash journal; and holds it back where bytes could be lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QObject, Signal, Slot

from memgui.domain.documents import Document
from memgui.domain.errors import Conflict, MemguiError
from memgui.domain.paths import DocPath
from memgui.domain.requests import SaveResult, Unsaved
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.keeping import Keeping
from memgui.gui.panels.page.standing import Meeting, Standing
from memgui.gui.panels.page.text import PageText


class Saver(QObject):
    """Asks for saves by signals and is told what came of them. `changed`: something about it is other than before."""

    save_requested = Signal(object)
    journal_requested = Signal(object)
    journal_dropped = Signal(object)
    reread_requested = Signal(object)
    changed = Signal()
    finished = Signal()
    """A save came to its end, well or not."""

    def __init__(
        self,
        path: DocPath,
        editor: MemoryEditor,
        text: PageText,
        now: Callable[[], datetime],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._path = path
        self._editor = editor
        self._document = document = editor.document()
        self._text = text
        self._now = now
        self._again = False
        self._revision = -1
        self.standing = Standing()
        self.keeping = Keeping(self)
        self.journalled = False
        """Whether the text of this page, as far as is known, lies in the crash journal."""
        self.beside: Callable[[], bytes | None] = _nothing
        """What is being made of the page's text and the disk's, which goes into the crash journal along with it."""
        self.only_here = False
        """The crash journal could not take the text: it is tried again."""
        self._to_forget = False
        self.is_filling = False
        """What comes into the editor is part of a document that is not all there yet: nobody typed it."""
        self.keeping.journal_due.connect(self.journal_now)
        document.contentsChanged.connect(self._text_changed)
        document.modificationChanged.connect(self._modified)

    # Facts -----------------------------------------------------------------------------------------------------------

    @property
    def is_dirty(self) -> bool:
        """Whether the page holds text that it did not get from the disk."""
        return self._document.isModified()

    @property
    def is_waiting(self) -> bool:
        """Whether a save is on its way."""
        return self.standing.in_flight is not None

    def _bytes(self) -> bytes:
        return self._text.bytes(self.standing.base)

    # Wishes ----------------------------------------------------------------------------------------------------------

    def begin(self, document: Document | None) -> None:
        """The page now shows what was read (None: there is no such file yet); nothing is typed."""
        self.standing = Standing(base=document, tickets=self.standing.tickets)
        self.clean()

    def clean(self) -> None:
        """The page's text is the disk's."""
        self.standing.merged = 0
        self._document.setModified(False)
        self.keeping.forget_text()
        self._forget_journalled()
        self.changed.emit()

    def differ(self) -> None:
        """The page's text is the person's own, whatever undo leads to: the disk holds other bytes by now."""
        # Twice: else an undo to where the text was last the disk's would be taken for the disk's text.
        self._document.setModified(False)
        self._document.setModified(True)
        self.keeping.key_typed(autosave=True)

    def is_foreign(self, document: Document) -> bool:
        """Whether these bytes are neither the page's, nor those that it stands on, nor those on their way."""
        standing = self.standing
        own = [standing.base.data if standing.base is not None else None, self._bytes()]
        if standing.in_flight is not None:
            own.append(standing.in_flight.data)
        return document.data not in own

    def found_in_journal(self) -> None:
        """The page's text came out of the crash journal, and is still there."""
        self.journalled = self._to_forget = True

    def journal_answered(self, error: MemguiError | None) -> None:
        """The crash journal has the text that it was given last, or could not take it."""
        if error is not None and self.is_dirty:
            self.journalled = False
            self.keeping.key_typed(autosave=False)
        if self.only_here != (error is not None):
            self.only_here = error is not None
            self.changed.emit()

    def is_new(self, data: bytes) -> bool:
        """Whether these bytes are others than the disk's, as far as is known."""
        base = self.standing.base
        return base is None or self.standing.gone is not None or data != base.data

    def ask(self, data: bytes, *, unlocked: bool) -> None:
        """Ask for a save, now or after the one that is on its way."""
        if self.is_waiting:
            self._again = True
            return
        self._revision = self._document.revision()
        self.keeping.forget_save()
        self.save_requested.emit(self.standing.ask(self._path, data, unlocked=unlocked))
        self.changed.emit()

    @Slot()
    def journal_now(self) -> None:
        """Hand the unsaved text to the crash journal."""
        if not self.is_dirty:
            return
        self.keeping.forget_journal()
        base = self.standing.base
        self.journal_requested.emit(
            Unsaved(
                self._path,
                base=base.fingerprint if base else None,
                data=self._bytes(),
                time=self._now().timestamp(),
                caret=self._editor.caret(),
                base_data=base.data if base else None,
                encoding=self._text.encoding,
                beside=self.beside(),
            )
        )
        self.found_in_journal()
        self.changed.emit()

    def _forget_journalled(self) -> None:
        self.journalled = self.only_here = False
        if self._to_forget:
            self._to_forget = False
            self.journal_dropped.emit(self._path)

    def rename(self, path: DocPath) -> None:
        """The document has another name from now on: what is unsaved is kept under that one."""
        to_forget, old, self._path = self._to_forget, self._path, path
        base = self.standing.base
        if base is not None:
            self.standing.base = replace(base, path=path, node=base.node._replace(path=path))
        self.journal_now()
        if to_forget:
            self.journal_dropped.emit(old)

    # Answers ---------------------------------------------------------------------------------------------------------

    def meet(self, document: Document) -> Meeting:
        """The disk holds this. What follows for the text is the page's to do."""
        meeting = self.standing.meet(document, self._bytes(), self._now())
        if meeting is Meeting.MINE or (meeting is Meeting.KNOWN and self.is_dirty and not self.is_new(self._bytes())):
            self.clean()
        self.changed.emit()
        return meeting

    def saved(self, result: SaveResult) -> None:
        """The disk holds what was asked."""
        if not self.standing.saved(result, self._now()):
            return
        self.journalled = False
        if self._document.revision() == self._revision or not self.is_new(self._bytes()):
            self.clean()
        else:
            # Taken back meanwhile to what the disk held before, it is not what the disk holds now.
            self._document.setModified(True)
            # What was typed meanwhile is in no journal: the save emptied it.
            self.keeping.key_typed(autosave=True)
        self._end()

    def failed(self, error: MemguiError) -> None:
        """The disk does not hold what was asked."""
        self.standing.failed(error, self._now())
        if isinstance(error, Conflict):
            self.reread_requested.emit(self._path)
        self.journal_now()
        self._end()

    def _end(self) -> None:
        again, self._again = self._again, False
        self.changed.emit()
        if again and self.is_dirty:
            self.keeping.save_due.emit()
        self.finished.emit()

    @Slot()
    def _text_changed(self) -> None:
        if self._document.isModified() and not self.is_filling:
            self.keeping.key_typed(autosave=True)

    @Slot(bool)
    def _modified(self, modified: bool) -> None:
        if not modified:
            self.keeping.forget_text()
            if not self.signalsBlocked():
                # Undone to what the disk holds: a text that was taken back does not come again.
                self._forget_journalled()
        self.changed.emit()


def _nothing() -> None:
    """Nothing is being made of anything."""
