"""What was open when the window was last closed is open again: the page in front at once, the others as they come."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QTextCursor

from memgui.domain.changes import ChangeSet
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.session import Session
from memgui.gui.state import Sitting, Tab
from memgui.gui.window import MainWindow
from memgui.ops import remembered

if TYPE_CHECKING:
    from memgui.domain.paths import DocPath
    from memgui.gui.disk import View
    from memgui.gui.panels.page.page import Page
    from memgui.gui.parts import Part
    from memgui.gui.wiring.preview import Previews

KEEP_MS = 2_000
"""So long after the last thing that a person did, what is open is kept."""
BETWEEN_MS = 8
"""So long the window may answer keys and paint, between one tab and the next."""


MIDDLES = frozenset({"days", "review", "history", "activity", "facts", "problems"})
"""What stands in the place of the pages and comes up by an action of its own."""


class Sittings(QObject):
    """Keeps what is open in a window, in memgui's own folder for the workspace, and opens it again."""

    def __init__(
        self, window: MainWindow, session: Session, tabs: DocumentTabs, previews: Part[Previews], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._previews = previews
        self._window, self._session, self._tabs = window, session, tabs
        self._wanted: dict[DocPath, Tab] = {}
        """Where to go in pages that are not read yet."""
        self._order: list[DocPath] = []
        self._waiting: list[Tab] = []
        self._middle = self._side = ""
        self._kept: dict[str, Any] | None = None
        """What is kept; None until it is known what was kept before."""
        self._next = QTimer(self, singleShot=True, interval=BETWEEN_MS)
        self._next.timeout.connect(self._lay_next)
        self._keep = QTimer(self, singleShot=True, interval=KEEP_MS)
        self._keep.timeout.connect(self._keep_now)
        tabs.state_changed.connect(self._go_back_to)
        tabs.page_shown.connect(self._stir)
        tabs.page_closed.connect(self._stir)
        tabs.page_renamed.connect(self._stir)
        tabs.caret_moved.connect(self._stir)
        window.middle_changed.connect(self._stir)

    # Opening again ---------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """The workspace is open: ask what was open in it."""
        if self._kept is None:
            self._session.ask(_recall, self._open_again)

    def _open_again(self, values: dict[str, Any]) -> None:
        view = self._session.view
        if view is None or self._kept is not None:
            return
        self._kept = values
        sitting = Sitting.of(values)
        nodes = view.snapshot.nodes
        there = [tab for tab in sitting.tabs if (node := nodes.get(tab.path)) is not None and not node.kind.is_folder]
        self._order = [tab.path for tab in there]
        self._wanted = {tab.path: tab for tab in there}
        for tab in there:
            if tab.mode:
                self._previews().recall(tab.path, tab.mode)
        front = next((tab for tab in there if tab is sitting.tabs[sitting.front]), there[0] if there else None)
        # A file that was asked for on the way in is in front, and stays there.
        if front is not None and not self._tabs.count():
            self._tabs.lay(front.path, at=0, pin=front.pinned)
            self._window.show_middle("documents")
            self._middle = sitting.middle
        self._waiting, self._side = there, sitting.side
        self._next.start()

    @Slot()
    def _lay_next(self) -> None:
        """One tab more; at last what side and middle showed, if that were not files and pages."""
        if self._waiting:
            tab = self._waiting.pop(0)
            self._tabs.lay(tab.path, at=self._place_of(tab), pin=tab.pinned)
            self._next.start()
            return
        middle, side, self._middle, self._side = self._middle, self._side, "", ""
        if side == "search" and self._window.frame.side_shown:
            self._window.show_side(side)
        action = self._window.actions_by_id.get(f"view.{middle}")
        if middle in MIDDLES and action is not None and self._window.middle == "documents" and action.isEnabled():
            action.trigger()

    def _place_of(self, tab: Tab) -> int:
        """Behind those that stood before it."""
        before = set(self._order[: self._order.index(tab.path)])
        places = [number for number, page in enumerate(self._tabs.pages) if page.path in before]
        return places[-1] + 1 if places else 0

    @Slot(object)
    def _go_back_to(self, page: Page) -> None:
        """A page of before has its text: caret, selection and place are where they were."""
        from memgui.domain.text import Editability, Encoding

        if not page.ready:
            return
        tab = self._wanted.pop(page.path, None)
        if tab is None:
            return
        encoding = Encoding.__members__.get(tab.encoding)
        document = page.document
        if encoding is not None and document is not None and document.editability is Editability.NOT_UTF8:
            # Looked at anew: the bytes may be others than those that were once read so.
            page.reopen_as(encoding)
        editor = page.editor
        last = max(0, editor.document().characterCount() - 1)
        cursor = QTextCursor(editor.document())
        cursor.setPosition(min(tab.anchor, last))
        cursor.setPosition(min(tab.caret, last), QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
        top = editor.document().findBlockByNumber(tab.top)
        editor.verticalScrollBar().setValue(top.firstLineNumber() if top.isValid() else 0)

    # Keeping ---------------------------------------------------------------------------------------------------------

    @Slot()
    def _stir(self) -> None:
        self._keep.start()

    @Slot()
    def _keep_now(self) -> None:
        values = self._values()
        view = self._session.view
        if values is not None and view is not None and values != self._kept:
            self._kept = values
            self._session.change(partial(_remember, values), _nothing, _nothing)

    def end(self) -> None:
        """The window is about to go: keep what is open in it, with all else that is written before the end."""
        self._keep.stop()
        self._next.stop()
        self._keep_now()

    def keep_at_once(self) -> None:
        """The same on this thread: the process may end right after."""
        values, view = self._values(), self._session.view
        if values is not None and view is not None:
            self._kept = values
            remembered.remember_sitting(view.workspace, values)

    def _values(self) -> dict[str, Any] | None:
        """What is open now; None while it is not all open again."""
        if self._kept is None or self._waiting:
            return None
        pages = self._tabs.pages
        tabs = tuple(self._tab(page) for page in pages)
        front = self._tabs.currentIndex()
        return Sitting(tabs, max(0, front), self._window.middle, self._window.side).values()

    def _tab(self, page: Page) -> Tab:
        waiting = self._wanted.get(page.path)
        if waiting is not None or not page.ready:
            return waiting or Tab(page.path, self._tabs.is_pinned(page))
        from memgui.domain.text import Encoding

        cursor, document = page.editor.textCursor(), page.document
        is_chosen = document is not None and page.encoding not in (Encoding.UTF8, Encoding.UTF8_BOM)
        return Tab(
            page.path,
            self._tabs.is_pinned(page),
            cursor.anchor(),
            cursor.position(),
            page.editor.firstVisibleBlock().blockNumber(),
            page.encoding.name if is_chosen else "",
            self._mode_of(page),
        )

    def _mode_of(self, page: Page) -> str:
        """How a page is shown; empty: as source, as most are."""
        previews = self._previews.made
        mode = previews.mode_of(page).value if previews is not None else ""
        return "" if mode == "source" else mode


def _recall(view: View) -> dict[str, Any]:
    return remembered.recall_sitting(view.workspace)


def _remember(values: dict[str, Any], view: View) -> tuple[ChangeSet, None]:
    remembered.remember_sitting(view.workspace, values)
    return ChangeSet(), None


def _nothing(answer: object) -> None:
    """What is open is kept or not; there is nothing to say."""
