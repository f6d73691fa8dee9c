"""What the disk says to a page, and what follows for the text on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, QSignalBlocker, Signal, Slot

from memgui.domain.documents import Document
from memgui.domain.errors import Conflict, MemguiError
from memgui.domain.lines import Lines
from memgui.domain.merging import Merged
from memgui.domain.pieces import text_of
from memgui.domain.requests import SaveResult, Unsaved
from memgui.domain.text import Text, decode
from memgui.gui.panels.page.banner import Banner
from memgui.gui.panels.page.crossing import Crossing
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.joining import Sides, join, overlapping
from memgui.gui.panels.page.saving import Saver
from memgui.gui.panels.page.standing import Meeting
from memgui.gui.panels.page.text import PageText


class DiskSide(QObject):
    """Takes in what may be taken in, joins it with unsaved text where both can stand, else leaves it to the person."""

    kept = Signal(object)
    """Bytes that would be lost otherwise."""
    show_wanted = Signal(object)
    """A `Document` that can only be shown anew."""
    join_wanted = Signal(object)
    """`Sides` that are large: they are joined beside the window, and `joined` is told."""
    merging = Signal(object, object)
    """The text of the page as it was, and as it is with what came in: `Lines` both."""
    merged = Signal(int)
    """So many lines came in beside unsaved text."""
    moved = Signal(object, bool)
    """Other bytes became the page's ground: the `Lines` that stood before; whether a person's own deed wrote them."""
    conflicted = Signal()
    """What has to be left to the person is other than before."""
    save_wanted = Signal()
    """A save that met newer bytes can be tried again."""
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
        self._sides: Sides | None = None
        self._met: Merged[str] | None = None
        """What came of `_sides`, where that is left to the person."""
        self._tickets = 0
        self._save_again = False
        self.taken_at: datetime | None = None
        """When text from the disk last came in."""
        self.crossing = Crossing(editor.document())
        self.crossing.changed.connect(editor.arrivals.clear)
        editor.settled.connect(self._apply_later)
        banner.difference_wanted.connect(self.show_difference)

    def begin(self) -> None:
        """The page shows something new."""
        self._later = self._sides = None
        self._save_again = False
        self.crossing.forget()

    # Facts -----------------------------------------------------------------------------------------------------------

    def apply(self, document: Document) -> None:
        """The disk holds this now. Where the person, or a save, is in the midst of something, it waits."""
        if self._editor.busy or (self._saver.is_waiting and self._saver.is_foreign(document)):
            self._later = document
            return
        self._later = None
        own, self._own = self._own, False
        document = self._text.read_alike(document)
        stood = _lines(self._saver.standing.base)
        meeting = self._saver.meet(document)
        if self._text.editable:
            self._text.stay_editable(document)
        if meeting is Meeting.BOTH:
            self._own = own
            self._join(document)
        else:
            self._sides = None
            if meeting is Meeting.NEWER:
                self._replace(document, stood, own)
            self._settled()
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
            self._later = self._sides = None
            self._save_again = False
            self.kept.emit(standing.base.data)
            self._banner.come_back()
            self.conflicted.emit()
        self.changed.emit()

    def saved(self, result: SaveResult) -> None:
        """The disk holds what was asked to be saved; what was read meanwhile is met now."""
        standing, base = self._saver.standing, self._saver.standing.base
        self._save_again = False
        self._editor.arrivals.clear()
        self._saver.saved(result)
        if standing.base is not None and standing.base is not base:
            standing.base = self._text.read_alike(standing.base)
            self._text.stay_editable(standing.base)
            # The disk may have told of these bytes before the answer came: they are the save's all the same.
            self.moved.emit(_lines(standing.asked_over), True)
        self._apply_later()
        self.changed.emit()

    def failed(self, error: MemguiError) -> None:
        """The disk does not hold what was asked to be saved. Newer bytes there are joined, and it is tried again."""
        self._save_again = isinstance(error, Conflict) and error.found is not None
        self._banner.come_back()
        self._saver.failed(error)
        self._apply_later()

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
        if self._saver.standing.theirs is not None:
            self._join(self._saver.standing.theirs)
        self.changed.emit()

    # Joining ---------------------------------------------------------------------------------------------------------

    @property
    def holds_save(self) -> bool:
        """Whether it is still to be found out how the page's text and newer bytes go together."""
        standing = self._saver.standing
        return self._save_again or (standing.theirs is not None and not standing.conflicting)

    def hold_save(self) -> None:
        """A save was asked for while it cannot be: it is, as soon as it can."""
        self._save_again = True
        if self._saver.standing.theirs is not None and not self._editor.busy:
            # Should the answer to the last question never come, this one's will.
            self._join(self._saver.standing.theirs)

    def read_failed(self) -> None:
        """What stands on the disk cannot be read now: nobody waits for it."""
        self._save_again = False

    def joined_now(self) -> Merged[str] | None:
        """The page's text as it is now, joined with theirs. None where that cannot be."""
        theirs, was = self._saver.standing.theirs, self._sides
        sides = self._ask(theirs) if theirs is not None else None
        if sides is None or was is None or self._met is None:
            return join(sides) if sides is not None else None
        return self._met if (sides.mine, sides.theirs) == (was.mine, was.theirs) else join(sides)

    def join_again(self, *, save: bool = False) -> None:
        """What was typed since the conflict began may have made both one; then it can be saved."""
        theirs = self._saver.standing.theirs
        if theirs is not None and (self._sides is None or self._sides.mine != self._editor.lines()):
            self._save_again = save
            self._join(theirs)
            self.changed.emit()

    def joined(self, ticket: int, merged: Merged[str] | None) -> None:
        """What came of the sides that were asked to be joined (None: nothing). Those of an older text count no more."""
        theirs, sides = self._saver.standing.theirs, self._sides
        if sides is None or ticket != sides.ticket or theirs is None:
            return
        if self._editor.busy:
            self._later = theirs
        elif sides.mine != self._editor.lines():
            self._join(theirs)
        elif merged is None or merged.overlaps:
            self._leave_to_person(merged)
        else:
            self._merge(theirs, merged)
        self.changed.emit()

    def _join(self, document: Document) -> None:
        self._met = None
        self._sides = sides = self._ask(document)
        if sides is None:
            self._leave_to_person(None)
        elif sides.is_large:
            self.join_wanted.emit(sides)
        else:
            self.joined(sides.ticket, join(sides))

    def _ask(self, document: Document) -> Sides | None:
        """The three texts, if there are three: bytes that are no text cannot be joined with anything."""
        base = self._saver.standing.base
        if document.text is None or not self._text.can_be_edited(document) or not self._text.editable:
            return None
        if base is not None and base.text is None:
            return None
        self._tickets += 1
        ground = base.text.lines if base is not None and base.text is not None else None
        return Sides(document.path, ground, self._editor.lines(), document.text.lines, self._tickets)

    def _merge(self, document: Document, merged: Merged[str]) -> None:
        """Both can stand: take in what is theirs, as one step of undo."""
        assert document.text is not None
        stood, own = _lines(self._saver.standing.base), self._own
        self._own = False
        self._sides = None
        mine = self._editor.lines()
        lines = text_of(merged.lines)
        places = self.put(Text(lines, document.text.encoding))
        self.stand_on(document)
        self._saver.standing.merged += merged.taken
        if not own:
            self._editor.arrivals.add(places)
        self._saver.journal_now()
        # What the person took out of the page before was not removed by others.
        self.moved.emit(stood if own else mine, own)
        self.merging.emit(mine, lines)
        if not own:
            self.merged.emit(merged.taken)
        self._settled()

    def _settled(self) -> None:
        """Nothing is left to be found out: a save that waited for it can go on."""
        again, self._save_again = self._save_again, False
        self.conflicted.emit()
        if again and self._saver.is_dirty:
            self.save_wanted.emit()

    def _leave_to_person(self, merged: Merged[str] | None) -> None:
        self._own = self._save_again = False
        self._met = merged
        self._saver.standing.conflict(overlapping(merged) if merged is not None else None)
        self._banner.come_back()
        self._saver.journal_now()
        self.conflicted.emit()

    # Taking in -------------------------------------------------------------------------------------------------------

    def put(self, text: Text) -> tuple[tuple[int, int], ...]:
        """Make the page hold this; nobody hears of a state between the old text and the new. Answers what is new."""
        before = self._editor.document().revision()
        with QSignalBlocker(self._saver):
            places = self._text.take(text)
        if self._editor.document().revision() == before:
            return places
        self.taken_at = self._now()
        if self.crossing.crossed:
            self.crossing.mark_behind()
        else:
            self.crossing.mark()
        return places

    def stand_on(self, document: Document) -> None:
        """The page's text stands on these bytes of the disk's, and is saved over them, if it is not the same."""
        standing = self._saver.standing
        standing.settle(document)
        if self._text.bytes(document) == document.data:
            self._saver.clean()
        else:
            with QSignalBlocker(self._saver):
                self._saver.differ()

    def replace(self, document: Document) -> tuple[tuple[int, int], ...]:
        """Make the page hold the disk's text, and answer which lines are new."""
        if document.text is None or not self._text.can_be_edited(document):
            self.show_wanted.emit(document)
            return ()
        places = self.put(document.text)
        self.crossing.mark()
        self._saver.standing.settle(document)
        self._saver.clean()
        return places

    def _replace(self, document: Document, stood: Lines, own: bool) -> None:
        places = self.replace(document)
        if places and not own:
            self._editor.arrivals.add(places)
        self.moved.emit(stood, own)

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


def _lines(document: Document | None) -> Lines:
    return document.text.lines if document is not None and document.text is not None else Lines.split("")
