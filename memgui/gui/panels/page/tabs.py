"""Documents in tabs: one page per path, each with its own text and undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QTabBar, QTabWidget, QWidget

from memgui.domain.paths import DocPath, shown
from memgui.gui.kit.buttons import IconButton
from memgui.gui.panels.page.keeping import PageOptions
from memgui.gui.panels.page.tab_bar import PageTabBar, short_names
from memgui.gui.state import DocumentState
from memgui.i18n import _

if TYPE_CHECKING:
    from memgui.domain.documents import Document
    from memgui.domain.errors import MemguiError
    from memgui.domain.merging import Merged
    from memgui.domain.own_lines import OwnSave
    from memgui.domain.requests import SaveRequest, SaveResult, Unsaved
    from memgui.gui.panels.page.joining import Sides
    from memgui.gui.panels.page.page import Page


class DocumentTabs(QTabWidget):
    """Opens pages, passes on what they ask and what they are told. Paths are objects: Qt's strings lose odd names."""

    read_requested = Signal(object)
    """A path whose document is to be read, or read again."""
    save_requested = Signal(object)
    journal_requested = Signal(object)
    journal_dropped = Signal(object)
    keep_requested = Signal(object, object)
    join_requested = Signal(object)
    settled = Signal(object, str, object)
    lock_changed = Signal(object, bool)
    state_changed = Signal(object)
    """A `Page` whose state is other than before."""
    page_wanted = Signal()
    """A page is about to be made."""
    page_made = Signal(object)
    """A `Page` that is new."""
    page_shown = Signal(object)
    """The `Page` now in front, or None."""
    caret_moved = Signal(int, int)
    page_closed = Signal(object)
    page_renamed = Signal(object)
    said = Signal(str)
    """A sentence for the status bar."""
    zoom_requested = Signal(int)
    """One step larger (1) or smaller (-1)."""

    def __init__(
        self,
        options: PageOptions | None = None,
        *,
        now: Callable[[], datetime] = datetime.now,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("documentTabs")
        self.setAccessibleName(_("Open documents"))
        self._options = options or PageOptions()
        self._now = now
        self._pages: dict[DocPath, Page] = {}
        self._lines: dict[DocPath, tuple[int, int]] = {}
        self._renamed: dict[DocPath, DocPath] = {}
        self._unread: set[DocPath] = set()
        """Of pages that nobody has looked at yet."""
        self._saves: dict[DocPath, list[OwnSave]] = {}
        """A person's latest saves of a document, also of one whose page was closed since."""
        self._unseen: Mapping[DocPath, int] = {}
        self._transient: Page | None = None
        self._front: Page | None = None
        self._bar = PageTabBar(self)
        self.setTabBar(self._bar)
        self.setDocumentMode(True)
        self.setMovable(True)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self._bar.middle_clicked.connect(self._close_at)
        self._bar.tabBarDoubleClicked.connect(self._pin_at)
        self.currentChanged.connect(self._changed_front)

    @staticmethod
    def prepare() -> None:
        """Load what a page needs. It is much; a window that shows no page yet need not wait for it."""
        from memgui.gui.panels.page import page  # noqa: F401

    # Opening ---------------------------------------------------------------------------------------------------------

    def open(
        self, path: DocPath, *, pin: bool = True, line: int | None = None, column: int = 1, focus: bool = True
    ) -> Page:
        """Show the page of a document. Without `pin` a new one is a preview, which the next preview replaces."""
        page = self._pages.get(path) or self._make(path, pin=pin)
        if pin:
            self.pin(page)
        if line is not None and page.ready:
            page.go_to(line, column)
        elif line is not None:
            self._lines[path] = (line, column)
        self.setCurrentWidget(page)
        if focus:
            page.setFocus(Qt.FocusReason.OtherFocusReason)
        return page

    def follow(self, page: Page, path: DocPath, *, line: int, column: int) -> None:
        """The document of a page has another path now: a page of that path takes its place, in front or behind."""
        if page is self.current:
            focus = page.editor.hasFocus()
            self.open(path, pin=page is not self._transient, line=line, column=column, focus=focus)
        else:
            self._lines[path] = (line, column)
            self._make(path, pin=page is not self._transient, at=self.indexOf(page))
        page.try_to_close()

    def lay(self, path: DocPath, *, at: int, pin: bool) -> Page | None:
        """Put a tab at a place, behind what is in front; it is read when it is looked at. None: it is open already."""
        return self._make(path, pin=pin, at=at, read=False) if path not in self._pages else None

    def rename(self, page: Page, path: DocPath) -> None:
        """The document of a page has another name by the person's own deed: the page goes on as it is."""
        if path in self._pages or self._pages.get(page.path) is not page:
            page.deleted()
            return
        self._renamed[page.path] = path
        self._renamed.pop(path, None)
        self._lines.pop(page.path, None)
        if page.path in self._unread:
            self._unread.discard(page.path)
            self._unread.add(path)
        del self._pages[page.path]
        self._pages[path] = page
        self._saves[path] = self._saves.pop(page.path, [])
        page.rename(path)
        button = self._bar.tabButton(self.indexOf(page), QTabBar.ButtonPosition.RightSide)
        if button is not None:
            button.setAccessibleName(_("Close {name}").format(name=shown(path)))
        self._show_names()
        self.page_renamed.emit(page)

    def page_for(self, path: DocPath) -> Page | None:
        """The page of a document, if it is open."""
        return self._pages.get(path)

    def _asked_as(self, path: DocPath) -> Page | None:
        """The page that asked something under a path, though it may have another one since."""
        page = self._pages.get(path)
        while page is None and path in self._renamed:
            path = self._renamed[path]
            page = self._pages.get(path)
        return page

    def read_own(self, path: DocPath) -> None:
        """Something was written for the person from elsewhere in the window: an open page of it is read anew."""
        page = self._pages.get(path)
        if page is not None:
            page.expect_own()
            self.read_requested.emit(path)

    def show_unseen(self, unseen: Mapping[DocPath, int]) -> None:
        """Mark the tabs of documents with changes that nobody looked at; with how many lines came into each."""
        if unseen != self._unseen:
            self._unseen = dict(unseen)
            if self._pages:
                self._show_names()

    @property
    def pages(self) -> tuple[Page, ...]:
        """All pages, in the order of their tabs."""
        return tuple(page for page in map(self._page_at, range(self.count())) if page is not None)

    @property
    def current(self) -> Page | None:
        """The page in front."""
        return self._page_at(self.currentIndex())

    def _page_at(self, index: int) -> Page | None:
        """Every tab is a page's."""
        return cast("Page | None", self.widget(index))

    def is_pinned(self, page: Page) -> bool:
        """Whether it is a tab of its own, and no preview."""
        return page is not self._transient

    def pin(self, page: Page) -> None:
        """Make a preview a tab of its own."""
        if page is self._transient:
            self._transient = None
            self._show_names()

    def _make(self, path: DocPath, *, pin: bool, at: int | None = None, read: bool = True) -> Page:
        from memgui.gui.panels.page.page import Page

        self.page_wanted.emit()
        page = Page(path, self._options, now=self._now, saves=self._saves.setdefault(path, []), parent=self)
        for own, its in (
            (self.save_requested, page.save_requested),
            (self.journal_requested, page.journal_requested),
            (self.journal_dropped, page.journal_dropped),
            (self.keep_requested, page.keep_requested),
            (self.join_requested, page.join_requested),
            (self.settled, page.settled),
            (self.read_requested, page.reread_requested),
            (self.lock_changed, page.lock_changed),
            (self.said, page.said),
        ):
            its.connect(own)
        page.state_changed.connect(self._page_changed)
        page.editor.zoom_requested.connect(self.zoom_requested)
        page.caret_moved.connect(self._caret_moved)
        page.close_ready.connect(self._closed)
        before = self._transient if not pin else None
        self._pages[path] = page
        if not read:
            self._unread.add(path)
        if at is None:
            at = self.indexOf(before) if before is not None else self.currentIndex() + 1
        index = self.insertTab(max(at, 0), page, "")
        button = IconButton("close", _("Close {name}").format(name=shown(path)), self._bar, size=14)
        button.clicked.connect(page.try_to_close)
        self._bar.setTabButton(index, QTabBar.ButtonPosition.RightSide, button)
        if not pin:
            self._transient = page
        if before is not None:
            before.try_to_close()
        self._show_names()
        self.page_made.emit(page)
        if read:
            self.read_requested.emit(path)
        return page

    # Answers ---------------------------------------------------------------------------------------------------------

    def show_document(self, document: Document, *, protected: bool = False) -> None:
        """A document was read: a new page shows it, one that is there meets it."""
        page = self._pages.get(document.path)
        if page is None:
            return
        if page.ready:
            page.set_protected(protected)
            page.apply_disk(document)
            self._go_where_asked(page)
        else:
            page.fill(document, partial(self._show_first, page, document, protected=protected))

    def _show_first(self, page: Page, document: Document, *, protected: bool) -> None:
        page.show_document(document, protected=protected)
        # A page that can only be looked at is in the same state as one not read yet, but has a sign.
        self._show_names()
        self._go_where_asked(page)

    def show_absent(self, path: DocPath, *, protected: bool = False) -> None:
        """There is no such file yet: its page is empty, and saving makes the file."""
        page = self._pages.get(path)
        if page is not None and not page.ready:
            page.show_absent(protected=protected)

    def read_failed(self, path: DocPath, error: MemguiError) -> None:
        """The document could not be read; a page that shows it already keeps its text."""
        page = self._pages.get(path)
        if page is not None:
            page.read_failed(error)

    def deleted(self, path: DocPath) -> None:
        """The file is gone from the disk."""
        page = self._pages.get(path)
        if page is not None:
            page.deleted()

    def journal_answered(self, path: DocPath, error: MemguiError | None) -> None:
        """The crash journal has a page's text, or could not take it."""
        page = self._pages.get(path)
        if page is not None:
            page.journal_answered(error)

    def saved(self, result: SaveResult) -> None:
        """The disk holds what a page asked to be saved."""
        page = self._asked_as(result.path)
        if page is not None:
            page.saved(result)

    def save_failed(self, request: SaveRequest, error: MemguiError) -> None:
        """The disk does not hold what a page asked to be saved (a `Conflict` among the reasons)."""
        page = self._asked_as(request.path)
        if page is not None:
            page.save_failed(error)

    def restore_unsaved(
        self,
        unsaved: Unsaved,
        document: Document | None,
        *,
        protected: bool = False,
        error: MemguiError | None = None,
    ) -> Page:
        """Open a page with text that an earlier run did not get to save."""
        page = self.open(unsaved.path, focus=False)
        page.restore_unsaved(unsaved, document, protected=protected, error=error)
        return page

    def joined(self, sides: Sides, merged: Merged[str]) -> None:
        """What came of two sides that a page asked to be joined."""
        page = self._asked_as(sides.path)
        if page is not None:
            page.joined(sides.ticket, merged)

    def set_options(self, options: PageOptions) -> None:
        """Go by these settings from now on."""
        self._options = options
        for page in self.pages:
            page.set_options(options)

    # Closing ---------------------------------------------------------------------------------------------------------

    @Slot()
    def close_current(self) -> None:
        """Close the page in front."""
        if self.current is not None:
            self.current.try_to_close()

    def flush(self) -> None:
        """Before the window goes: save what may be saved by itself, and put the rest into the crash journal."""
        for page in self.pages:
            page.journal_now()
            page.autosave()

    @Slot()
    def _closed(self) -> None:
        page = cast("Page", self.sender())
        if self._pages.get(page.path) is page:
            del self._pages[page.path]
            self._lines.pop(page.path, None)
            self._unread.discard(page.path)
            if page is self._transient:
                self._transient = None
            self.removeTab(self.indexOf(page))
            page.hide()
            page.deleteLater()
            self._show_names()
            self.page_closed.emit(page.path)

    @Slot(int)
    def _close_at(self, index: int) -> None:
        page = self._page_at(index)
        if page is not None:
            page.try_to_close()

    @Slot(int)
    def _pin_at(self, index: int) -> None:
        page = self._page_at(index)
        if page is not None:
            self.pin(page)

    # Looks -----------------------------------------------------------------------------------------------------------

    @Slot()
    def _page_changed(self) -> None:
        page = cast("Page", self.sender())
        if page.is_dirty:
            self.pin(page)
        self._show_names()
        self.state_changed.emit(page)

    @Slot(int)
    def _changed_front(self, index: int) -> None:
        before, self._front = self._front, self._page_at(index)
        if self._front is not None and self._front.path in self._unread:
            self._unread.discard(self._front.path)
            self.read_requested.emit(self._front.path)
        if before is not None and before is not self._front and self._pages.get(before.path) is before:
            before.autosave()
        self.page_shown.emit(self._front)

    @Slot(int, int)
    def _caret_moved(self, line: int, column: int) -> None:
        if self.sender() is self.current:
            self.caret_moved.emit(line, column)

    def _go_where_asked(self, page: Page) -> None:
        where = self._lines.pop(page.path, None)
        if where is not None:
            page.go_to(*where)

    def _show_names(self) -> None:
        from memgui.gui.panels.page import saying

        names = short_names([page.path for page in self.pages])
        for index, page in enumerate(self.pages):
            glyph = saying.GLYPHS.get(page.state, "") if page.ready else ""
            new = self._unseen.get(page.path)
            news = "" if new is None else f" +{new}" if new else " ±"
            self.setTabToolTip(index, f"{shown(page.path)}\n{page.sentence}".rstrip())
            unseen = "" if new is None else ", " + _("changes not seen")
            self._bar.setAccessibleTabName(index, f"{names[page.path]}, {page.state.words}{unseen}")
            self._bar.show_name(
                index,
                f"{names[page.path]} {glyph}".rstrip().replace("&", "&&") + news,
                italic=page is self._transient,
                struck=page.state is DocumentState.DELETED,
                icon="lock" if page.state is DocumentState.PROTECTED else "",
            )
