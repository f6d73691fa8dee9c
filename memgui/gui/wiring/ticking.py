"""Ticks on their way to the disk: each is put into the bytes that stand there then, and the page follows."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from memgui.domain.errors import MemguiError
from memgui.domain.heartbeat import Checklist, Item
from memgui.domain.heartbeat_edits import ItemNotFound
from memgui.domain.lines import Lines
from memgui.domain.text import Encoding
from memgui.gui.panels.page.page import Page
from memgui.gui.state import DocumentState
from memgui.ops.heartbeat import Mark, Marked


class Ticking(QObject):
    """Of one page. The tick stands on the page already; the disk gets it by itself, without what else the page holds.

    So it never meets an outside write that the window has not seen: it is put into that write's bytes, and the page
    takes those in below it.
    """

    mark_requested = Signal(object)
    """A `Mark`; its answer is `marked` or `failed`."""
    landed = Signal()
    """The disk holds what was ticked."""
    refused = Signal(str)

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._page = page
        self._waiting = 0
        self._steps = 0
        """How many ticks the page holds above what it stood on."""
        self._mine = b""
        """The page's bytes, if nothing but ticks came since."""
        self._latest: Marked | None = None
        self._trouble: MemguiError | None = None

    @property
    def may_go(self) -> bool:
        """Whether the page holds nothing that the disk does not, but ticks that are on their way."""
        page = self._page
        if self._waiting:
            return page.text_bytes() == self._mine
        is_text = page.document is not None and page.document.text is not None
        plain = page.encoding in (Encoding.UTF8, Encoding.UTF8_BOM)
        return is_text and plain and page.state is DocumentState.SAVED and not page.is_protected

    def go(self, item: Item, then: Checklist, mark: str) -> None:
        """Bring the page's latest step, this mark for this item, to the disk."""
        self._waiting += 1
        self._steps += 1
        self._mine = self._page.text_bytes()
        self.mark_requested.emit(Mark(self._page.path, item, then, mark))

    def marked(self, marked: Marked) -> None:
        """The disk has a mark."""
        self._latest = marked
        self._answered()

    def failed(self, error: MemguiError) -> None:
        """The disk did not take a mark."""
        if self._trouble is None or isinstance(self._trouble, ItemNotFound):
            self._trouble = error
        self._answered()

    def _answered(self) -> None:
        self._waiting -= 1
        if self._waiting:
            return
        latest, trouble, steps = self._latest, self._trouble, self._steps
        self._latest, self._trouble, self._steps = None, None, 0
        if trouble is not None:
            self._recover(latest, trouble, steps)
        elif latest is not None:
            self._settle(latest, steps)
            self.landed.emit()

    def _settle(self, marked: Marked, steps: int) -> None:
        """Let the page stand on what the disk holds."""
        page, own = self._page, self._page.text_bytes()
        if own == marked.after.data:
            page.apply_disk(marked.after)
        elif own == self._mine:
            # Somebody wrote before the tick: first their text, then the tick above it, as one step of its own.
            self._take_back(steps)
            page.apply_disk(marked.before)
            self._put(marked)
        elif marked.before.data == self._under(page):
            # The person typed on, or took the tick back: that goes on above it.
            self._stand_below(marked, page.lines(), save=not page.is_dirty)
        else:
            page.apply_disk(marked.after)

    @staticmethod
    def _under(page: Page) -> bytes | None:
        return page.document.data if page.document is not None else None

    def _stand_below(self, marked: Marked, wanted: Lines, *, save: bool) -> None:
        page = self._page
        if marked.before.text is not None and page.change(marked.before.text.lines):
            page.apply_disk(marked.after)
            page.change(wanted)
            if save:
                page.save()

    def _put(self, marked: Marked) -> None:
        page = self._page
        if not page.is_dirty and marked.after.text is not None:
            page.change(marked.after.text.lines)
        page.apply_disk(marked.after)

    def _recover(self, latest: Marked | None, trouble: MemguiError, steps: int) -> None:
        page = self._page
        if isinstance(trouble, ItemNotFound):
            if page.text_bytes() == self._mine:
                self._take_back(steps)
            self.refused.emit(trouble.message)
            if latest is not None:
                page.apply_disk(latest.after)
            page.reread_requested.emit(page.path)
        elif page.is_dirty:
            # The page says itself why it cannot be saved, and keeps its text.
            page.save()

    def _take_back(self, steps: int) -> None:
        for _step in range(steps):
            self._page.editor.undo()
