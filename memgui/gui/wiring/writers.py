"""Who wrote each line of the page in front, where a person asked for it: looked up beside the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.errors import MemguiError
from memgui.domain.paths import DocPath, name_of, shown
from memgui.gui.disk import View
from memgui.gui.jobs import Desk
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.panels.page.writers import WriterColumn
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.i18n import _
from memgui.ops import blame
from memgui.ops.blame import Blamed, Written

if TYPE_CHECKING:
    from memgui.gui.panels.page.page import Page

ACTION = "view.writers"
TYPING_MS = 300
"""So long after the last key the lines are told anew: what the column said stands beside other lines by then."""
CARET_MS = 250
"""So long the caret has to rest on a line, before it is said who wrote that."""


class Writers(QObject):
    """Shows a column beside the page in front, while the action is checked."""

    said = Signal(str)
    _followed = Signal()

    def __init__(self, window: MainWindow, session: Session, tabs: DocumentTabs, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._session, self._tabs = window, session, tabs
        self._page: Page | None = None
        self._column: WriterColumn | None = None
        self._blamed: Blamed | None = None
        self._line = 0
        self._desk = Desk()
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(self._lay_over)
        self._caret = QTimer(self, singleShot=True, interval=CARET_MS)
        self._caret.timeout.connect(self._say_line)
        tabs.page_shown.connect(self._show_front)
        tabs.state_changed.connect(self._meet_state)
        tabs.caret_moved.connect(self._follow_caret)
        session.changed.connect(self._follow_disk)
        session.document_read.connect(self._begin_if_new)
        self._followed.connect(self._ask)
        window.closing.connect(self._end)

    @property
    def is_on(self) -> bool:
        """Whether a person asked for it."""
        return self._window.action(ACTION).isChecked()

    @Slot()
    def toggle(self) -> None:
        """Show it, or show it no more, as the action says."""
        self._leave()
        if self.is_on:
            self._show_front(self._tabs.current)

    @Slot(object)
    def _show_front(self, page: Page | None) -> None:
        if page is self._page and self._column is not None:
            return
        self._leave()
        if page is None or not self.is_on:
            return
        self._page = page
        self._column = WriterColumn(page.editor)
        page.editor.set_beside(self._column)
        page.editor.blockCountChanged.connect(self._drop)
        page.editor.textChanged.connect(self._typing.start)
        page.destroyed.connect(self._forget)
        self._ask()

    def _leave(self) -> None:
        """Take the column away from where it is."""
        page, column = self._page, self._column
        self._forget()
        if page is not None and column is not None:
            page.editor.blockCountChanged.disconnect(self._drop)
            page.editor.textChanged.disconnect(self._typing.start)
            page.destroyed.disconnect(self._forget)
            page.editor.set_beside(None)
            column.hide()
            column.deleteLater()

    @Slot()
    def _forget(self) -> None:
        self._desk.cancel()
        self._typing.stop()
        self._caret.stop()
        self._page = self._column = self._blamed = None
        self._line = 0

    @Slot()
    def _end(self) -> None:
        self._desk.cancel()

    # Asking --------------------------------------------------------------------------------------------------------

    @Slot()
    def _ask(self) -> None:
        """Look up who wrote what stands on the disk, and lay that over the page."""
        page = self._page
        if page is None or not page.ready or page.document is None:
            return
        ticket = self._desk.next()
        question = partial(_asked, path=page.path, data=page.text_bytes(), stop=lambda: ticket.stale)
        self._session.ask(question, partial(self._take, page.path), partial(self._fail, page.path), ticket=ticket)

    def _take(self, path: DocPath, answer: tuple[Blamed, tuple[Written | None, ...]]) -> None:
        self._blamed, told = answer
        self._show(path, told)

    def _fail(self, path: DocPath, error: MemguiError) -> None:
        self._show(path, ())
        self.said.emit(_("Nobody can be named in {name}: {why}").format(name=shown(name_of(path)), why=error.message))

    @Slot()
    def _drop(self) -> None:
        """Lines came or went: what was said stands beside others now."""
        if self._column is not None:
            self._column.show_writers(())

    @Slot()
    def _lay_over(self) -> None:
        """The text is another: its lines are told anew, by what is known of the disk."""
        page, known = self._page, self._blamed
        if page is None or known is None:
            self._ask()
        elif page.ready:
            ticket = self._desk.next()
            question = partial(_laid_over, blamed=known, data=page.text_bytes())
            self._session.ask(question, partial(self._show, page.path), ticket=ticket)

    def _show(self, path: DocPath, told: tuple[Written | None, ...]) -> None:
        page, column = self._page, self._column
        if page is None or column is None or page.path != path:
            return
        count = page.editor.blockCount()
        # The last line of a text that ends with a line end is none of the document's.
        column.show_writers(told if count - 1 <= len(told) <= count else ())
        column.follow_caret()
        self._say_line()

    # Following -----------------------------------------------------------------------------------------------------

    @Slot(object)
    def _meet_state(self, page: Page) -> None:
        if page is self._page and self._blamed is None:
            self._ask()

    @Slot(object)
    def _begin_if_new(self) -> None:
        if self._page is not None and self._blamed is None:
            QTimer.singleShot(0, self._ask)

    @Slot(object)
    def _follow_disk(self, changes: ChangeSet) -> None:
        if self._page is not None and (changes.reload or self._page.path in changes.paths):
            # Asked once its version is noted: the lane that notes it is asked behind it.
            QTimer.singleShot(0, self._follow_versions)

    @Slot()
    def _follow_versions(self) -> None:
        self._session.later(self._tell_followed)

    def _tell_followed(self, view: View) -> None:  # noqa: ARG002
        """On the lane's thread."""
        if not self._session.is_closed:
            self._followed.emit()

    @Slot(int, int)
    def _follow_caret(self, line: int, column: int) -> None:  # noqa: ARG002
        if self._column is not None and line != self._line:
            self._line = line
            self._column.follow_caret()
            self._caret.start()

    @Slot()
    def _say_line(self) -> None:
        if self._column is not None and self._page is not None and self._page.isVisible():
            words = self._column.words_at(self._page.editor.textCursor().blockNumber() + 1)
            if words:
                self.said.emit(words)


def _asked(
    view: View, *, path: DocPath, data: bytes, stop: Callable[[], bool]
) -> tuple[Blamed, tuple[Written | None, ...]]:
    found = blame.blamed(view.workspace, path, stop=stop)
    return found, found.over(data) if found.told else ()


def _laid_over(view: View, *, blamed: Blamed, data: bytes) -> tuple[Written | None, ...]:  # noqa: ARG001
    return blamed.over(data) if blamed.told else ()
