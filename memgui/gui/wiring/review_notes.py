"""A note for agents after a rejection: offered where the person wants that, and put where they read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.errors import MemguiError
from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath
from memgui.domain.review import Verdict, VerdictKind
from memgui.gui.disk import View
from memgui.gui.jobs import Desk
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.panels.review.panel import ReviewPanel
from memgui.gui.panels.review.wishes import Wish
from memgui.gui.session import Session
from memgui.i18n import _

if TYPE_CHECKING:
    from memgui.ops.logs import Addition, Captured

_InPage = tuple[DocPath, str, str]
"""The page that a note was put into, its text before and after."""


class ReviewNotes(QObject):
    """`offers`: whether each rejection is to be followed by the question; it can be asked for in any case."""

    def __init__(
        self, session: Session, tabs: DocumentTabs, panel: ReviewPanel, offers: Callable[[], bool], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._tabs, self._panel, self._offers = session, tabs, panel, offers
        self._desk = Desk()
        self._last: tuple[Captured | _InPage, str] | None = None
        panel.note.requested.connect(self._leave)
        panel.note.undo_requested.connect(self._take_back)

    @Slot(object, object)
    def offer(self, wish: object, verdict: Verdict) -> None:
        """A verdict was given."""
        if isinstance(wish, Wish) and verdict.kind is VerdictKind.REJECT and not wish.change.held and self._offers():
            self._ask(begins=False)

    @Slot()
    def begin(self) -> None:
        """The person wants to leave one."""
        self._ask(begins=True)

    def _ask(self, *, begins: bool) -> None:
        self._session.ask(_place, partial(self._show, begins), ticket=self._desk.next())

    def _show(self, begins: bool, path: DocPath | None) -> None:
        if path is not None:
            self._panel.note.offer(path)
            if begins:
                self._panel.note.begin()
        elif begins:
            self._panel.say(_("This workspace keeps facts and no long-term memory in one document: add a fact there."))

    @Slot(str)
    def _leave(self, text: str) -> None:
        self._session.ask(partial(_prepared, text=text), partial(self._put, text))

    def _put(self, text: str, addition: Addition | MemguiError) -> None:
        if isinstance(addition, MemguiError):
            self._tell_failed(addition)
            return
        page = self._tabs.page_for(addition.path)
        if page is None or not page.is_dirty:
            self._session.change(partial(_left, text=text), partial(self._tell_left, text), self._tell_failed)
            return
        # To write beside unsaved text would put the two into conflict.
        before = page.lines().joined()
        after = before + addition.behind(before)
        if page.change(Lines.split(after)):
            self._last = (page.path, before, after), text
            self._panel.note.show_added(page.path, into_page=True)
        else:
            self._panel.note.show_failed(page.sentence)

    def _tell_left(self, text: str, captured: Captured) -> None:
        self._last = captured, text
        self._tabs.read_own(captured.path)
        self._panel.note.show_added(captured.path)

    def _tell_failed(self, error: MemguiError) -> None:
        self._panel.note.show_failed(error.sentences)

    @Slot()
    def _take_back(self) -> None:
        last, self._last = self._last, None
        if last is None:
            return
        what, text = last
        if not isinstance(what, tuple):
            done = partial(self._tell_taken_back, what.path, text)
            self._session.change(partial(_taken_back, captured=what), done, self._tell_failed)
            return
        path, before, after = what
        page = self._tabs.page_for(path)
        if page is not None and page.lines().joined() == after and page.change(Lines.split(before)):
            self._panel.note.show_taken_back(path, text)
        else:
            self._panel.note.show_failed(_("The page has changed since; take the line out there."))

    def _tell_taken_back(self, path: DocPath, text: str, done: None) -> None:  # noqa: ARG002
        self._tabs.read_own(path)
        self._panel.note.show_taken_back(path, text)


def _place(view: View) -> DocPath | None:
    from memgui.ops import guidance

    return guidance.place(view.workspace)


def _prepared(view: View, *, text: str) -> Addition | MemguiError:
    from memgui.ops import guidance

    try:
        return guidance.prepare(view.workspace, text)
    except MemguiError as error:
        return error


def _left(view: View, *, text: str) -> tuple[ChangeSet, Captured]:
    from memgui.ops import guidance

    captured = guidance.leave(view.workspace, text)
    return captured.changes, captured


def _taken_back(view: View, *, captured: Captured) -> tuple[ChangeSet, None]:
    from memgui.ops import guidance

    return guidance.take_back(view.workspace, captured), None
