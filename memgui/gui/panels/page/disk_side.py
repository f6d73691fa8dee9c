"""What the disk says to a page, and what follows for the text on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, QSignalBlocker, Signal, Slot

from memgui.domain.documents import Document
from memgui.domain.errors import MemguiError
from memgui.domain.requests import SaveResult, Unsaved
from memgui.domain.text import decode
from memgui.gui.panels.page.banner import Banner
from memgui.gui.panels.page.crossing import Crossing
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.saving import Saver
from memgui.gui.panels.page.standing import Meeting
from memgui.gui.panels.page.text import PageText


class DiskSide(QObject):
    """Takes in what may be taken in, else keeps the person's text; carries out the person's choice between the two."""

    kept = Signal(object)
    """Bytes that would be lost otherwise."""
    show_wanted = Signal(object)
    """A `Document` that can only be shown anew."""
    changed = Signal()

    def __init__(
        self, editor: MemoryEditor, text: PageText, saver: Saver, banner: Banner, now: Callable[[], datetime]
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._text = text
        self._saver = saver
        self._banner = banner
        self._now = now
        self._later: Document | None = None
        self._own = False
        self.taken_at: datetime | None = None
        """When text from the disk last came in."""
        self.crossing = Crossing(editor.document())
        self.crossing.changed.connect(editor.arrivals.clear)
        editor.settled.connect(self._apply_later)
        banner.difference_wanted.connect(self.show_difference)

    def begin(self) -> None:
        """The page shows something new."""
        self._later = None
        self.crossing.forget()

    # Facts -----------------------------------------------------------------------------------------------------------

    def apply(self, document: Document) -> None:
        """The disk holds this now. Where the person is in the midst of something, it waits."""
        if self._editor.busy:
            self._later = document
            return
        self._later = None
        own, self._own = self._own, False
        document = self._text.read_alike(document)
        meeting = self._saver.meet(document)
        if self._text.editable:
            self._text.stay_editable(document)
        if meeting is Meeting.NEWER:
            places = self._take_in(document)
            if places and not own:
                self._editor.arrivals.add(places)
        elif meeting is Meeting.CONFLICT:
            self._banner.come_back()
            self._saver.journal_now()
        self.changed.emit()
        self.show_difference()

    def expect_own(self) -> None:
        """What comes in next was written for the person, from elsewhere in the window: it is no news."""
        self._own = True

    def deleted(self) -> None:
        """The file is gone. Its text becomes a kept copy, and stays on the page."""
        standing = self._saver.standing
        if standing.gone is None and standing.base is not None:
            standing.gone = self._now()
            standing.theirs, standing.conflicting, standing.failure = None, False, None
            self.kept.emit(standing.base.data)
            self._banner.come_back()
        self.changed.emit()

    def saved(self, result: SaveResult) -> None:
        """The disk holds what was asked to be saved; what was read meanwhile is met now."""
        standing = self._saver.standing
        theirs = standing.theirs
        self._editor.arrivals.clear()
        self._saver.saved(result)
        if standing.base is not None:
            standing.base = self._text.read_alike(standing.base)
            self._text.stay_editable(standing.base)
        if theirs is not None:
            self.apply(theirs)
        self.changed.emit()

    def failed(self, error: MemguiError) -> None:
        """The disk does not hold what was asked to be saved."""
        self._banner.come_back()
        self._saver.failed(error)

    def recover(self, unsaved: Unsaved, document: Document | None, error: MemguiError | None) -> None:
        """Put text that was never saved onto the page, which shows `document` (None: it is gone, or gives an error)."""
        if document is not None and document.data == unsaved.data:
            self._saver.journal_dropped.emit(unsaved.path)
            return
        text = decode(unsaved.data, unsaved.encoding) or decode(unsaved.data)
        if text is None:
            self.kept.emit(unsaved.data)
            return
        with QSignalBlocker(self._saver):
            self._text.take(text)
            self._editor.document().setModified(True)
        self._saver.standing.recover(unsaved, document, self._now(), error)
        self._saver.found_in_journal()
        self._editor.set_caret(unsaved.caret)
        self.changed.emit()

    # Choices ---------------------------------------------------------------------------------------------------------

    def keep_mine(self) -> bool:
        """Let the page's text replace theirs, which becomes a kept copy. False where theirs is not known yet."""
        theirs = self._saver.standing.theirs
        if theirs is None:
            return False
        self.kept.emit(theirs.data)
        self._saver.standing.settle(theirs)
        self.crossing.forget()
        self._editor.document().setModified(True)
        self.changed.emit()
        return True

    def take_theirs(self) -> None:
        """Let theirs replace the page's text, which becomes a kept copy and can be undone to."""
        theirs = self._saver.standing.theirs
        if theirs is not None:
            self.take_over(theirs)

    def take_over(self, document: Document) -> None:
        """Show this instead of the page's text, which becomes a kept copy."""
        self.kept.emit(self._text.bytes(self._saver.standing.base))
        self._take_in(document)
        self.changed.emit()

    def give_up(self) -> None:
        """The page's text is wanted no more: it becomes a kept copy."""
        if self._saver.is_dirty:
            self.kept.emit(self._text.bytes(self._saver.standing.base))
        self._saver.clean()

    @Slot()
    def show_difference(self) -> None:
        """Show what leads from the page's text to theirs, if the person wants to see it."""
        theirs = self._saver.standing.theirs
        if theirs is not None and self._banner.difference_shown:
            self._banner.show_difference(self._editor.lines(), theirs.display)

    @Slot()
    def _apply_later(self) -> None:
        if self._later is not None:
            self.apply(self._later)

    def _take_in(self, document: Document) -> tuple[tuple[int, int], ...]:
        """Take its text, and answer which lines are new."""
        if document.text is None or not self._text.can_be_edited(document):
            self.show_wanted.emit(document)
            return ()
        with QSignalBlocker(self._saver):
            # Between the old text and the new there is no state that anybody should hear of.
            places = self._text.take(document.text)
        self.taken_at = self._now()
        self._saver.standing.settle(document)
        self._saver.clean()
        self.crossing.mark()
        return places
