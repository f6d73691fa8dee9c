"""When a page shows its conflict being resolved, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memgui.domain.lines import Lines
from memgui.domain.text import Text
from memgui.gui.notices import Notices
from memgui.gui.panels.page.choosing import SideChoices
from memgui.gui.panels.page.disk_side import DiskSide
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.resolve_view import ResolveView
from memgui.gui.panels.page.saving import Saver
from memgui.i18n import _

FOUND = "resolution"
"""The kind of the pill that offers what was made of both sides before memgui ended."""


class Resolving(QObject):
    """Opens the view in the place of the page's text; it follows the disk, and may be left and gone on with."""

    changed = Signal()
    found_wanted = Signal(object)
    """`Lines`: the person wants on the page what they made before memgui ended."""

    def __init__(
        self,
        page: QWidget,
        room: QWidget,
        box: QVBoxLayout,
        editor: MemoryEditor,
        saver: Saver,
        disk: DiskSide,
        choices: SideChoices,
        *,
        notices: Notices,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(page)
        self._page, self._room, self._box = page, room, box
        self._editor, self._saver, self._disk, self._choices = editor, saver, disk, choices
        self._now = now
        self._view: ResolveView | None = None
        self._mine: Lines | None = None
        self._notices = notices
        self._found: bytes | None = None
        """What was made of both before memgui ended, until the person said whether they want it."""
        saver.beside = self._beside
        notices.acted.connect(self._use_found)
        notices.dismissed.connect(self._leave_found)
        disk.conflicted.connect(self._look)

    @property
    def is_open(self) -> bool:
        """Whether the view is what the page shows."""
        return self._view is not None and not self._view.isHidden()

    @property
    def undoing(self) -> MemoryEditor | None:
        """The text in which undo and redo go now, if it is one of the view's."""
        return self._view.result if self._view is not None and self.is_open else None

    @Slot()
    def open(self) -> None:
        """Show the conflict; where it was left before and nothing was typed since, as it was then."""
        standing, merged = self._saver.standing, self._disk.joined_now()
        theirs, mine = standing.theirs, self._editor.lines()
        if not standing.conflicting or theirs is None or theirs.text is None or merged is None:
            return
        if not merged.overlaps:
            self._disk.join_again()
            return
        when = standing.conflict_at or self._now()
        if self._view is None:
            self._view = self._made()
        if self._mine != mine:
            self._drop()
            self._mine = mine
            ground = standing.base.text.lines if standing.base is not None and standing.base.text is not None else None
            self._view.begin(ground, mine, theirs.text.lines, merged, when=when)
        else:
            self._view.follow(theirs.text.lines, when=when)
        self._room.hide()
        self._view.show()
        self._page.setFocusProxy(self._view)
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._view.resolution.show(bring=True)
        self.changed.emit()

    @Slot()
    def leave(self) -> None:
        """Back to the page's text; nothing is settled."""
        if self._view is None or not self.is_open:
            return
        had_focus = self._view.isAncestorOf(self._page.focusWidget() or self._page)
        self._view.hide()
        self._room.show()
        self._page.setFocusProxy(self._room)
        if had_focus:
            self._room.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

    # The crash journal ---------------------------------------------------------------------------------------------

    def _beside(self) -> bytes | None:
        """What is being made of both sides and stands nowhere else."""
        if self._view is not None and self._mine is not None and self._view.is_touched:
            return self._view.lines.joined().encode("utf-8", "surrogatepass")
        return self._found

    @Slot()
    def _typed(self) -> None:
        if self._beside() is not None:
            self._saver.keeping.key_typed(autosave=False)

    def resume(self, found: bytes, moment: datetime) -> None:
        """This was being made of both when memgui ended. It is kept as a copy, and offered beside both sides."""
        self._disk.kept.emit(found)
        self._found = found
        self._saver.journal_now()
        words = _("What you were making of both sides at {moment}, when memgui ended, is kept as well.")
        self._notices.tell(FOUND, words.format(moment=f"{moment:%H:%M}"), _("Put it on the page"), lasting=True)

    @Slot(str)
    def _use_found(self, kind: str) -> None:
        if kind == FOUND and self._found is not None:
            found, self._found = self._found, None
            self.leave()
            # In the place of the page's own text, which undo brings back; the disk's side is still to be chosen.
            self.found_wanted.emit(Lines.split(found.decode("utf-8", "surrogatepass")))

    @Slot(str)
    def _leave_found(self, kind: str) -> None:
        if kind == FOUND:
            self._found = None
            self._saver.journal_now()

    # What comes of it ----------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Settle it with the result, if all is decided."""
        if self._view is not None:
            self._view.save()

    def _made(self) -> ResolveView:
        view = ResolveView(self._page)
        view.hide()
        view.left.connect(self.leave)
        view.resolved.connect(self._settle)
        view.result.document().contentsChanged.connect(self._typed)
        self._box.addWidget(view, 1)
        return view

    @Slot(object)
    def _settle(self, lines: Lines) -> None:
        theirs = self._saver.standing.theirs
        if theirs is None or theirs.text is None:
            return
        self._close()
        self._choices.use(Text(lines, theirs.text.encoding), _("resolved by hand"))

    @Slot()
    def _look(self) -> None:
        """The conflict is over, or another than before."""
        standing = self._saver.standing
        if self._view is None or self._mine is None:
            return
        theirs = standing.theirs
        if not standing.conflicting or standing.overlapping is None or theirs is None or theirs.text is None:
            self._drop()
        elif self.is_open:
            self._view.follow(theirs.text.lines, when=standing.conflict_at or self._now())

    def _drop(self) -> None:
        """What was made of it is wanted no more; nobody shall miss it."""
        if self._view is not None and self._mine is not None and self._view.is_begun:
            self._disk.kept.emit(self._view.lines.joined().encode("utf-8", "surrogatepass"))
        self._close()

    def _close(self) -> None:
        self.leave()
        self._mine = None
