"""When a page shows its conflict being resolved, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memgui.domain.lines import Lines
from memgui.domain.text import Text
from memgui.gui.panels.page.choosing import SideChoices
from memgui.gui.panels.page.disk_side import DiskSide
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.resolve_view import ResolveView
from memgui.gui.panels.page.saving import Saver
from memgui.i18n import _


class Resolving(QObject):
    """Opens the view in the place of the page's text; it follows the disk, and may be left and gone on with."""

    changed = Signal()

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
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(page)
        self._page, self._room, self._box = page, room, box
        self._editor, self._saver, self._disk, self._choices = editor, saver, disk, choices
        self._now = now
        self._view: ResolveView | None = None
        self._mine: Lines | None = None
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

    def save(self) -> None:
        """Settle it with the result, if all is decided."""
        if self._view is not None:
            self._view.save()

    def _made(self) -> ResolveView:
        view = ResolveView(self._page)
        view.hide()
        view.left.connect(self.leave)
        view.resolved.connect(self._settle)
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
