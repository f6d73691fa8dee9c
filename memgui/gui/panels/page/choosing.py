"""What the person chose between their text and the disk's: it settles at once, keeps both sides, can be undone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, Signal, Slot

from memgui.domain.documents import Document
from memgui.domain.lines import Lines
from memgui.domain.pieces import merge_pieces, pieces_of, text_of, with_theirs
from memgui.domain.text import Text
from memgui.gui.notices import Notices
from memgui.gui.panels.page import saying
from memgui.gui.panels.page.banner import Banner
from memgui.gui.panels.page.disk_side import DiskSide
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.saving import Saver
from memgui.gui.panels.page.text import PageText
from memgui.i18n import _

MERGED = "merged"


class SideChoices(QObject):
    """Keep mine, take theirs, keep both, or a text of one's own; and back out of a merge."""

    settled = Signal(str, object)
    """How the two sides became one, in a few words; and the bytes of the person's side, where those stand nowhere."""
    save_wanted = Signal()
    changed = Signal()

    def __init__(
        self,
        editor: MemoryEditor,
        text: PageText,
        saver: Saver,
        disk: DiskSide,
        *,
        banner: Banner,
        notices: Notices,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._text = text
        self._saver = saver
        self._disk = disk
        self._notices = notices
        self._now = now
        self._merge: tuple[Lines, Lines] | None = None
        disk.merging.connect(self._note_text)
        disk.merged.connect(self._tell_merged)
        banner.chosen.connect(self._choose)
        notices.acted.connect(self._undo_merge)
        notices.more_wanted.connect(self._show_merge)

    @Slot(str)
    def _choose(self, name: str) -> None:
        if name == "keepMine":
            self.keep_mine()
        elif name == "takeTheirs":
            self.take_theirs()
        elif name == "keepBoth":
            self.keep_both()

    def keep_mine(self) -> None:
        """Let the page's text replace theirs. The next undo brings theirs onto the page."""
        theirs = self._saver.standing.theirs
        if theirs is None:
            return
        self._disk.kept.emit(theirs.data)
        if theirs.text is not None and self._text.editable:
            own, caret = Text(self._editor.lines(), self._text.encoding), self._editor.textCursor().position()
            top = self._editor.verticalScrollBar().value()
            for text in (Text(theirs.text.lines, self._text.encoding), own):
                self._disk.put(text)
            cursor = self._editor.textCursor()
            cursor.setPosition(caret)
            self._editor.setTextCursor(cursor)
            self._editor.verticalScrollBar().setValue(top)
        self._disk.crossing.forget()
        self._settle(theirs, _("kept mine, replaced the file"), None)

    def take_theirs(self) -> None:
        """Let theirs replace the page's text, which becomes a kept copy and a version, and can be undone to."""
        theirs = self._saver.standing.theirs
        if theirs is not None:
            mine = self._text.bytes(self._saver.standing.base)
            self.take_over(theirs)
            self.settled.emit(_("took theirs from the disk"), mine)

    def keep_both(self) -> None:
        """Put theirs behind mine wherever both changed the same lines."""
        theirs, merged = self._saver.standing.theirs, self._disk.joined_now()
        if theirs is None or theirs.text is None or merged is None:
            return
        lines = text_of(with_theirs(merged, mine=True))
        self.use(Text(lines, theirs.text.encoding), _("kept both"))

    def use(self, text: Text, how: str) -> None:
        """Let this text, made of both, settle it."""
        theirs = self._saver.standing.theirs
        if theirs is not None:
            mine = self._text.bytes(self._saver.standing.base)
            self._disk.kept.emit(mine)
            self._disk.put(text)
            self._settle(theirs, how, mine)

    def take_over(self, document: Document) -> None:
        """Show this instead of the page's text, which becomes a kept copy."""
        self._disk.kept.emit(self._text.bytes(self._saver.standing.base))
        self._disk.replace(document)
        self._disk.conflicted.emit()
        self.changed.emit()

    def give_up(self) -> None:
        """The page's text is wanted no more: it becomes a kept copy."""
        if self._saver.is_dirty:
            self._disk.kept.emit(self._text.bytes(self._saver.standing.base))
        self._saver.clean()

    def _settle(self, theirs: Document, how: str, mine: bytes | None) -> None:
        self._disk.stand_on(theirs)
        self._disk.conflicted.emit()
        self.changed.emit()
        self.settled.emit(how, mine)
        self.save_wanted.emit()

    # A merge ---------------------------------------------------------------------------------------------------------

    @Slot(object, object)
    def _note_text(self, before: Lines, after: Lines) -> None:
        self._merge = (before, after)

    @Slot(int)
    def _tell_merged(self, lines: int) -> None:
        if lines:
            self._notices.tell(MERGED, saying.merged_pill(lines, self._now()), _("Undo"), more=_("Show"))
            self.settled.emit(saying.merged(lines), None)

    @Slot(str)
    def _show_merge(self, kind: str) -> None:
        first = self._editor.arrivals.first if kind == MERGED else None
        if first is not None:
            self._editor.go_to(first + 1)
            self._editor.setFocus()

    @Slot(str)
    def _undo_merge(self, kind: str) -> None:
        """Take what came in out of the text again. The disk still holds it, so saving waits for the person's word."""
        if kind != MERGED or self._merge is None:
            return
        before, after = self._merge
        self._merge = None
        stands = self._editor.lines()
        if stands == after and self._editor.document().isUndoAvailable():
            self._editor.undo()
        else:
            without = merge_pieces(pieces_of(after), pieces_of(stands), pieces_of(before))
            self._text.take(Text(text_of(without.lines), self._text.encoding))
            self._disk.crossing.cross()
        self.changed.emit()
