"""What nobody looked at yet, told on the button, in the tree and on the tabs; and what was looked at in a page."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot

from memgui.domain.paths import DocPath
from memgui.gui.panels.memory import MemoryPanel
from memgui.gui.panels.page.page import Page
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.window import MainWindow
from memgui.gui.wiring.moves import Moves
from memgui.gui.wiring.pending import Pending


class Unseen(QObject):
    """Counts and marks the pending changes.

    A page counts as seen that the person went to, once they have been at all its new lines; one that memgui put there
    by itself only once they have been at lines that came in while they had it before them.
    """

    def __init__(
        self,
        window: MainWindow,
        memory: MemoryPanel,
        tabs: DocumentTabs,
        moves: Moves,
        pending: Pending,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._gone_to: set[DocPath] = set()
        self._window, self._memory, self._tabs, self._pending = window, memory, tabs, pending
        self._attended: Page | None = None
        # In a turn of its own: with thousands of changes each part that shows them takes some milliseconds.
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._show)
        pending.changed.connect(self._later.start)
        moves.went.connect(self._note_gone_to)
        tabs.page_shown.connect(self._attend)
        tabs.state_changed.connect(self._look)
        window.middle_changed.connect(self._look_in_front)
        self._attend(tabs.current)
        if pending.known:
            self._show()

    @Slot()
    def _show(self) -> None:
        changes = self._pending.changes
        alarms = sum(change.alarm for change in changes)
        self._window.show_review_count(len(changes), alarms=alarms)
        unseen = self._pending.unseen
        self._memory.show_unseen(unseen)
        self._tabs.show_unseen(unseen)
        self._look_in_front()

    @Slot(object)
    def _attend(self, page: Page | None) -> None:
        if self._attended is not None:
            self._attended.arrivals_changed.disconnect(self._note_visit)
        self._attended = page
        if page is not None:
            page.arrivals_changed.connect(self._note_visit)
            page.destroyed.connect(self._leave)
        self._look(page)

    @Slot()
    def _leave(self) -> None:
        self._attended = None

    @Slot()
    def _note_gone_to(self) -> None:
        if self._tabs.current is not None:
            self._gone_to.add(self._tabs.current.path)
            self._look_in_front()

    @Slot()
    def _note_visit(self) -> None:
        """Lines came, or the person was at the last of those that came."""
        page = self._tabs.current
        if page is not None and not page.new_lines:
            self._gone_to.add(page.path)
        self._look_in_front()

    @Slot()
    def _look_in_front(self) -> None:
        self._look(self._tabs.current)

    @Slot(object)
    def _look(self, page: Page | None) -> None:
        """The person has this page before them; where nothing in it is new to them, they have seen it."""
        if page is None or page is not self._tabs.current or self._window.middle != "documents":
            return
        if page.path not in self._gone_to:
            return
        document = page.document
        if page.ready and document is not None and not page.new_lines and self._is_unseen(page.path):
            self._pending.look_at_page(page.path, document.fingerprint)

    def _is_unseen(self, path: DocPath) -> bool:
        return any(change.path == path and not change.seen for change in self._pending.changes)
