"""Pages and the session: reading, saving, the crash journal, and what other programs do to open documents."""

from __future__ import annotations

import logging
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from memgui.domain.changes import Change, ChangeKind, ChangeSet
from memgui.domain.errors import MemguiError, NotFound
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.gui.panels.page.keeping import PageOptions
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.panels.status import CaretPlace, StatusBar
from memgui.gui.session import Session
from memgui.gui.state import DocumentState
from memgui.gui.wiring.moves import Moves
from memgui.i18n import _, ngettext
from memgui.ops.preferences import Settings

if TYPE_CHECKING:
    from memgui.domain.documents import Document
    from memgui.domain.merging import Merged
    from memgui.domain.requests import Unsaved
    from memgui.domain.tree import Node
    from memgui.gui.disk import View
    from memgui.gui.panels.page.joining import Sides
    from memgui.gui.panels.page.page import Page

log = logging.getLogger(__name__)

COUNT_MS = 250
"""How long after the last key the words are counted."""

RESTORED = "restored"
"""The kind of the pill that tells of text from the crash journal."""

_ENDINGS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}


def page_options(settings: Settings) -> PageOptions:
    """What the settings say about pages."""
    return PageOptions(
        journal_seconds=settings.journal_seconds,
        autosave_seconds=settings.autosave_seconds,
        relock_seconds=settings.relock_minutes * 60,
        wrap_lines=settings.wrap_lines,
        show_invisibles=settings.show_invisibles,
    )


class Pages(QObject):
    """Passes on what pages wish, and tells them what came of it."""

    def __init__(self, session: Session, tabs: DocumentTabs, moves: Moves, status: StatusBar, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._tabs = tabs
        self._moves = moves
        self._status = status
        self._restoring: dict[DocPath, Unsaved] = {}
        self._urgent = False
        self._in_front = True
        self._words: tuple[DocPath | None, int] = (None, 0)
        self._counting = QTimer(self, singleShot=True, interval=COUNT_MS)
        self._counting.timeout.connect(self._count)
        tabs.read_requested.connect(session.read)
        tabs.save_requested.connect(session.save)
        tabs.journal_requested.connect(self._journal)
        tabs.journal_dropped.connect(session.drop_journal)
        tabs.keep_requested.connect(session.keep)
        tabs.join_requested.connect(self._join)
        tabs.settled.connect(self._note_settled)
        tabs.page_shown.connect(self._show_front)
        tabs.state_changed.connect(self._show_state)
        tabs.caret_moved.connect(self._show_caret)
        session.document_read.connect(self._take_document)
        session.read_failed.connect(self._read_failed)
        session.saved.connect(tabs.saved)
        session.save_failed.connect(tabs.save_failed)
        session.conflicted.connect(tabs.save_failed)
        session.unsaved_found.connect(self._restore)
        session.journalled.connect(tabs.journal_answered)
        session.words_counted.connect(self._show_words)

    # Documents ---------------------------------------------------------------------------------------------------

    @Slot(object)
    def _take_document(self, document: Document) -> None:
        protected = self._is_protected(document.path, document.node)
        unsaved = self._restoring.pop(document.path, None)
        if unsaved is not None and self._is_typed_in(document.path):
            self._leave_as_copy(unsaved)
            self._tabs.show_document(document, protected=protected)
        elif unsaved is not None:
            self._tell_restored(self._tabs.restore_unsaved(unsaved, document, protected=protected), unsaved)
        else:
            self._tabs.show_document(document, protected=protected)

    def _is_protected(self, path: DocPath, node: Node | None = None) -> bool:
        view = self._session.view
        if view is None:
            return False
        return view.workspace.protects(path) or (node is not None and view.workspace.protects(path, node))

    @Slot(object, object)
    def _read_failed(self, path: DocPath, error: MemguiError) -> None:
        unsaved = self._restoring.pop(path, None)
        page = self._tabs.page_for(path)
        if unsaved is not None and self._is_typed_in(path):
            self._leave_as_copy(unsaved)
        elif unsaved is not None:
            why = None if isinstance(error, NotFound) else error
            back = self._tabs.restore_unsaved(unsaved, None, protected=self._is_protected(path), error=why)
            self._tell_restored(back, unsaved)
        elif page is not None and page.ready and isinstance(error, NotFound):
            if not self._session.is_folder_missing:
                self._tabs.deleted(path)
        elif isinstance(error, NotFound) and path in self._moves.new:
            self._tabs.show_absent(path, protected=self._is_protected(path))
        else:
            self._tabs.read_failed(path, error)

    def meet(self, changes: ChangeSet) -> None:
        """Tell the open pages what happened to their documents."""
        if changes.reload:
            for page in self._tabs.pages:
                self._session.read(page.path)
            return
        for change in changes.changes:
            if not change.origin.is_person:
                self._meet(change)

    def _meet(self, change: Change) -> None:
        if change.renamed_from is not None:
            self._follow(change.renamed_from, change.path)
        if self._tabs.page_for(change.path) is None:
            return
        if change.kind is ChangeKind.DELETED:
            self._tabs.deleted(change.path)
        else:
            self._session.read(change.path)

    def _follow(self, old: DocPath, new: DocPath) -> None:
        """A page goes with its file to the new name, with its text and its undo."""
        page = self._tabs.page_for(old)
        if page is not None:
            self._tabs.rename(page, new)
            page.set_protected(self._is_protected(new))
        self._moves.rename(old, new)

    @Slot(object)
    def _join(self, sides: Sides) -> None:
        self._session.ask(partial(_joined, sides), partial(self._tabs.joined, sides))

    @Slot(object, str, object)
    def _note_settled(self, path: DocPath, how: str, mine: bytes | None) -> None:
        self._session.change(partial(_settled, path, how, mine), _nothing, self._session.failed.emit)

    @Slot(object)
    def _restore(self, found: tuple[Unsaved, ...]) -> None:
        for unsaved in found:
            self._restoring[unsaved.path] = unsaved
            self._session.read(unsaved.path)

    def _is_typed_in(self, path: DocPath) -> bool:
        page = self._tabs.page_for(path)
        return page is not None and page.is_dirty

    def _leave_as_copy(self, unsaved: Unsaved) -> None:
        """The person went on typing before the older text was found: neither replaces the other."""
        self._session.keep(unsaved.path, unsaved.data)
        page = self._tabs.page_for(unsaved.path)
        if page is not None:
            page.journal_now()
            words = _("Older text of this file, not saved when memgui ended, was found and is kept as a copy.")
            page.notices.tell(RESTORED, words)

    def _tell_restored(self, page: Page, unsaved: Unsaved) -> None:
        if page.is_dirty:
            when = datetime.fromtimestamp(unsaved.time)
            moment = when.strftime("%H:%M" if when.date() == date.today() else "%Y-%m-%d %H:%M")
            words = _("Your text of {moment}, not saved when memgui ended, is back.").format(moment=moment)
            if unsaved.others:
                words += " " + ngettext(
                    "{count} older text of this file was found too and is kept as a copy.",
                    "{count} older texts of this file were found too and are kept as copies.",
                    unsaved.others,
                ).format(count=unsaved.others)
            page.notices.tell(RESTORED, words, lasting=True)

    # The crash journal -------------------------------------------------------------------------------------------

    @Slot(object)
    def _journal(self, text: Unsaved) -> None:
        if self._urgent:
            self._session.journal_now(text)
        else:
            self._session.journal(text)

    def journal_everything(self) -> None:
        """Every page's unsaved text, on this thread: the process may end right after."""
        self._urgent = True
        try:
            for page in self._tabs.pages:
                try:
                    page.journal_now()
                except MemguiError as error:
                    log.error("unsaved text could not be kept: %s", error.message)
        finally:
            self._urgent = False

    # The status bar ----------------------------------------------------------------------------------------------

    def set_in_front(self, in_front: bool) -> None:
        """Whether the pages are what the window shows: of a page that is not, the status bar says nothing."""
        if in_front != self._in_front:
            self._in_front = in_front
            self.show_front()

    def show_front(self) -> None:
        """Tell anew how the page in front stands to the disk."""
        self._show_front(self._tabs.current)

    @Slot(object)
    def _show_front(self, page: Page | None) -> None:
        if page is None or not self._in_front:
            self._status.show_save(None, "")
            self._status.show_caret(None)
        else:
            self._show_state(page)
            self._tell_caret(page)

    @Slot(object)
    def _show_state(self, page: Page) -> None:
        if page is self._tabs.current and self._in_front:
            if self._session.is_folder_missing and page.state in (DocumentState.SAVED, DocumentState.PROTECTED):
                self._status.show_save(DocumentState.DELETED, _("Folder missing – the text is kept here"))
            else:
                self._status.show_save(page.state, page.sentence)
            self._counting.start()

    @Slot(int, int)
    def _show_caret(self, line: int, column: int) -> None:  # noqa: ARG002
        if self._tabs.current is not None:
            self._tell_caret(self._tabs.current)

    def _tell_caret(self, page: Page) -> None:
        if not page.ready or not self._in_front:
            self._status.show_caret(None)
            return
        cursor = page.editor.textCursor()
        path, words = self._words
        self._status.show_caret(
            CaretPlace(
                line=cursor.blockNumber() + 1,
                column=cursor.positionInBlock() + 1,
                words=words if path == page.path else None,
                encoding=page.encoding.shown if _is_text(page) else _("not UTF-8"),
                line_ending=_ending(page.editor.breaks.kinds),
                selected=abs(cursor.selectionEnd() - cursor.selectionStart()),
            )
        )
        self._counting.start()

    @Slot()
    def _count(self) -> None:
        page = self._tabs.current
        if page is not None and page.ready:
            self._session.count_words(page.path, page.editor.document().toRawText())

    @Slot(object, int)
    def _show_words(self, path: DocPath, words: int) -> None:
        page = self._tabs.current
        if page is not None and page.path == path and self._words != (path, words):
            self._words = (path, words)
            self._tell_caret(page)
            self._counting.stop()


def _joined(sides: Sides, view: View) -> Merged[str]:  # noqa: ARG001
    from memgui.gui.panels.page.joining import join

    return join(sides)


def _settled(path: DocPath, how: str, mine: bytes | None, view: View) -> tuple[ChangeSet, None]:
    from memgui.ops import settling

    settling.settled(view.workspace, path, how, mine=mine, origin=Origin.you())
    return ChangeSet(), None


def _nothing(value: None) -> None:
    """For what nobody waits for."""


def _ending(kinds: frozenset[str]) -> str:
    if len(kinds) > 1:
        return "/".join(sorted(_ENDINGS.get(kind, "?") for kind in kinds))
    return _ENDINGS.get(next(iter(kinds), "\n"), "?")


def _is_text(page: Page) -> bool:
    """Whether what is shown is what the bytes say, and not a stand-in for it."""
    return page.document is None or page.document.text is not None
