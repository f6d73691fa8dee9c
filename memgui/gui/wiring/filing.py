"""Files and folders by the person's hand: named in the tree, dragged, moved, put in the trash, and all of it undone."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes

from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from memgui.domain import filing as rules
from memgui.domain.errors import MemguiError, ProtectedDocument
from memgui.domain.filing import FilingKind, Trashed
from memgui.domain.paths import ROOT, DocPath, name_of, parent_of, shown
from memgui.gui.kit.speech import announce
from memgui.gui.models.palette_model import Offer
from memgui.gui.panels.memory import MemoryPanel
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring import filing_deeds as deeds
from memgui.gui.wiring.filing_names import FileNames
from memgui.gui.wiring.filing_pages import FilingPages
from memgui.gui.wiring.moves import Moves
from memgui.i18n import _, ngettext
from memgui.ops import filing
from memgui.ops.filing import Filed

if TYPE_CHECKING:
    from memgui.gui.panels.page.page import Page
    from memgui.gui.panels.palette import Palette

DONE, UNDER_WAY = "filed", "filing"
"""The kinds of the pills: what was done, with its undo, and what is being done, with its stop."""
MOST_UNDONE = 50
SLOW_SECONDS = 0.4
"""What takes longer says how far it is."""

_MENU = (
    ("document.new", "folder.new"),
    ("document.rename", "document.move", "document.duplicate"),
    ("path.copy", "path.show"),
    ("document.trash",),
)


@dataclass(slots=True)
class _Order:
    """Something that is being done and may be stopped."""

    name: str
    began: float
    is_stopped: bool = False

    def stopped(self) -> bool:
        return self.is_stopped


class Filing(QObject):
    """Turns the tree's wishes into deeds on files, tells pages and tree what came of them, and takes them back."""

    said = Signal(str)
    changed = Signal()
    """What can be filed, or undone, is other than before."""
    _progressed = Signal(int)

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        memory: MemoryPanel,
        tabs: DocumentTabs,
        moves: Moves,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._session, self._memory = window, session, memory
        self._tabs = tabs
        self._names = FileNames(window, session, memory, self)
        self._pages = FilingPages(session, memory, tabs, moves, self)
        self._order: _Order | None = None
        self._moving: DocPath | None = None
        self._done: list[Filed] = []
        self._in_tree: bool | None = None
        self._menu = QMenu(memory)
        self._menu.setObjectName("treeMenu")
        self._menu.setAccessibleName(_("File"))
        self._connect()
        if session.view is not None:
            self._tidy()

    def _connect(self) -> None:
        memory, window = self._memory, self._window
        for number, names in enumerate(_MENU):
            if number:
                self._menu.addSeparator()
            for name in names:
                self._menu.addAction(window.action(name))
        # Delete is a key of the tree alone: in a text it takes away letters.
        memory.tree.addAction(window.action("document.trash"))
        answers: dict[str, Callable[[], None]] = {
            "document.rename": self.begin_rename,
            "document.move": self.begin_move,
            "document.duplicate": self.duplicate,
            "document.trash": self.trash,
            "path.copy": self.copy_path,
            "path.show": self.show_outside,
        }
        for name, deed in answers.items():
            window.action(name).triggered.connect(deed)
        window.palette_made.connect(self._serve_palette)
        if window.command_palette.made is not None:
            self._serve_palette(window.command_palette.made)
        memory.menu_requested.connect(self._show_menu)
        memory.move_requested.connect(self.move)
        memory.tree.selectionModel().selectionChanged.connect(self.changed)
        self._names.given.connect(self._take)
        self._names.leaving.connect(self._pages.save)
        memory.notices.acted.connect(self._act)
        self._tabs.page_shown.connect(self.changed)
        self._session.opened.connect(self._tidy)
        self._progressed.connect(self._tell_progress, Qt.ConnectionType.QueuedConnection)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow_focus)
        self._follow_focus(None, app.focusWidget())

    @Slot()
    def _tidy(self) -> None:
        """What a killed process left half-done, and what the history was not told of yet."""
        self._session.later(lambda view: filing.finish(view.workspace))
        self._note()

    def _note(self) -> None:
        session = self._session
        session.later(lambda view: filing.note_history(view.workspace, stop=lambda: session.is_closed))

    # What is meant ---------------------------------------------------------------------------------------------------

    @Slot(QWidget, QWidget)
    def _follow_focus(self, old: QWidget | None, new: QWidget | None) -> None:  # noqa: ARG002
        """The tree or the rest of the window; menus and the palette are on their behalf, and change nothing."""
        if new is None or new.window() is not self._window:
            return
        is_in_tree = new is self._memory.tree or self._memory.isAncestorOf(new)
        palette = self._window.command_palette.made
        is_between = palette is not None and palette.isAncestorOf(new)
        if not is_between and is_in_tree != self._in_tree:
            self._in_tree = is_in_tree
            self.changed.emit()

    @property
    def is_in_tree(self) -> bool:
        """Whether the person is at the tree."""
        return bool(self._in_tree)

    @property
    def target(self) -> DocPath | None:
        """What a deed would be done with: the chosen row while the person is at the tree, else the page in front."""
        view = self._session.view
        if view is None:
            return None
        page = self._page
        path = page.path if page is not None else self._memory.current_path() if self._memory.is_chosen else None
        return path if path is not None and path in view.snapshot.nodes else None

    @property
    def _page(self) -> Page | None:
        """The page in front, where it is what the person is at."""
        if self._in_tree or (self._in_tree is None and self._memory.is_chosen) or self._window.middle != "documents":
            return None
        return self._tabs.current

    def _folder(self) -> DocPath:
        """Where something new would be put."""
        page = self._page
        return parent_of(page.path) if page is not None else self._memory.current_folder() or ROOT

    @Slot(QPoint)
    def _show_menu(self, place: QPoint) -> None:
        self._in_tree = True
        self.changed.emit()
        self._menu.popup(place)

    # Names -----------------------------------------------------------------------------------------------------------

    def begin_document(self) -> None:
        """Ask for the name of a new document, in the folder that the person is at."""
        self._names.begin_document(self._folder())

    def begin_folder(self) -> None:
        """Ask for the name of a new folder there."""
        self._names.begin_folder(self._folder())

    @Slot()
    def begin_rename(self) -> None:
        """Ask for another name, of what may have one."""
        path, view = self.target, self._session.view
        if path is None or view is None:
            return
        if view.workspace.protects(path):
            self._fail(ProtectedDocument(path))
        else:
            self._names.begin_rename(path)

    # Deeds -----------------------------------------------------------------------------------------------------------

    @Slot()
    def begin_move(self) -> None:
        """Ask in the palette for the folder to move to."""
        path, view = self.target, self._session.view
        if path is None or view is None:
            return
        self._moving = path
        nodes = view.snapshot.nodes
        folders = [ROOT, *(folder for folder, node in nodes.items() if node.kind.is_folder)]
        offered = [folder for folder in folders if rules.may_move(path, folder) and deeds.takes(view, folder)]
        question = _("Move “{name}” to which folder?").format(name=shown(name_of(path)))
        self._window.command_palette().ask(question, [deeds.folder_offer(one, view.workspace.name) for one in offered])

    @Slot(object)
    def _serve_palette(self, palette: Palette) -> None:
        palette.answered.connect(self._take_answer)

    @Slot(object)
    def _take_answer(self, offer: Offer) -> None:
        if offer.question == deeds.TO_FOLDER and offer.path is not None and self._moving is not None:
            self.move(self._moving, offer.path)
        elif offer.question == deeds.FROM_TRASH:
            self._session.change(partial(deeds.undelete, offer.id), self._undone, self._fail)

    @Slot(object, object)
    def move(self, path: DocPath, folder: DocPath) -> None:
        """Move a file or folder into a folder."""
        self._pages.save(path)
        self._session.change(partial(deeds.move, path, folder), self._moved, self._fail)

    def _moved(self, filed: Filed) -> None:
        self._take(filed)
        where = shown(parent_of(filed.path)) or self._session.root.name
        words = _("“{name}” is now in {folder}.").format(name=shown(name_of(filed.path)), folder=shown(where))
        self._tell_done(words)

    @Slot()
    def duplicate(self) -> None:
        """Put a copy beside the file."""
        if (path := self.target) is not None:
            self._pages.save(path)
            self._session.change(partial(deeds.duplicate, path), self._take, self._fail)

    @Slot()
    def trash(self) -> None:
        """Put a file or folder in the trash."""
        path = self.target
        if path is None or self._order is not None:
            return
        self._pages.save(path)
        self._order = order = _Order(shown(name_of(path)), time.monotonic())
        deed = partial(deeds.trash, path, self._progressed.emit, order.stopped)
        self._session.change(deed, self._trashed, self._trash_failed)

    def _trashed(self, filed: Filed) -> None:
        self._end_order()
        self._take(filed)
        is_folder = filed.trashed is not None and filed.trashed.is_folder
        words = _("“{name}” is in the trash.").format(name=shown(name_of(filed.path)))
        if is_folder and filed.trashed is not None:
            files = filed.trashed.files
            words = ngettext(
                "“{name}” with {count} file is in the trash.", "“{name}” with {count} files is in the trash.", files
            ).format(name=shown(name_of(filed.path)), count=f"{files:,}")
            self._note()
        self._tell_done(words)

    def _trash_failed(self, error: MemguiError) -> None:
        self._end_order()
        self._fail(error)

    @Slot(int)
    def _tell_progress(self, count: int) -> None:
        order = self._order
        if order is not None and time.monotonic() - order.began > SLOW_SECONDS:
            words = ngettext(
                "“{name}” goes to the trash: {count} file so far.",
                "“{name}” goes to the trash: {count} files so far.",
                count,
            ).format(name=order.name, count=f"{count:,}")
            self._memory.notices.tell(UNDER_WAY, words, _("Stop"), lasting=True)

    def _end_order(self) -> None:
        self._order = None
        self._memory.notices.withdraw(UNDER_WAY)

    def show_trash(self) -> None:
        """Offer what is in the trash, the newest first."""
        self._session.ask(deeds.in_trash, self._offer_trash)

    def _offer_trash(self, things: tuple[Trashed, ...]) -> None:
        if things:
            offers = [deeds.trash_offer(one) for one in things]
            self._window.command_palette().ask(_("Put what back from the trash?"), offers)
        else:
            self._say(_("The trash is empty."))

    # Undo ------------------------------------------------------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._done)

    @Slot()
    def undo(self) -> None:
        """Take back the last thing that was done with a file."""
        if self._done:
            filed = self._done.pop()
            self._memory.notices.withdraw(DONE)
            self._pages.save(filed.path)
            self._session.change(partial(deeds.take_back, filed), self._undone, partial(self._undo_failed, filed))
            self.changed.emit()

    def _undone(self, filed: Filed) -> None:
        self._pages.follow(filed)
        name = shown(name_of(filed.path))
        words = {
            FilingKind.RESTORED: _("“{name}” is back."),
            FilingKind.RENAMED: _("It is “{name}” again."),
        }.get(filed.kind, _("“{name}” is gone again."))
        self.said.emit(words.format(name=name))

    def _undo_failed(self, filed: Filed, error: MemguiError) -> None:
        self._done.append(filed)
        self._fail(error)

    def _tell_done(self, words: str) -> None:
        self._say(words, _("Undo"))

    def _say(self, words: str, deed: str = "") -> None:
        """In a pill below the tree; in the status bar where the side panel is away."""
        if self._window.frame.side_shown:
            self._memory.notices.withdraw(DONE)
            self._memory.notices.tell(DONE, words, deed)
            announce(self._memory.tree, words)
        else:
            self.said.emit(words)

    @Slot(str)
    def _act(self, kind: str) -> None:
        if kind == DONE:
            self.undo()
        elif kind == UNDER_WAY and self._order is not None:
            self._order.is_stopped = True

    # What came of it -------------------------------------------------------------------------------------------------

    @Slot(object)
    def _take(self, filed: Filed) -> None:
        # The undo of an older deed would now take back this one.
        self._memory.notices.withdraw(DONE)
        self._done.append(filed)
        del self._done[:-MOST_UNDONE]
        self._pages.follow(filed)
        self.changed.emit()

    def _fail(self, error: MemguiError) -> None:
        self._say(deeds.sentence(error))

    # Elsewhere -------------------------------------------------------------------------------------------------------

    @Slot()
    def copy_path(self) -> None:
        """Put the whole path on the clipboard."""
        if (path := self.target) is not None:
            text = shown(str(self._session.root / path))
            QApplication.clipboard().setText(text)
            self.said.emit(_("Copied: {path}").format(path=text))

    @Slot()
    def show_outside(self) -> None:
        """Open the folder that it lies in with what this system opens folders with."""
        if (path := self.target) is not None:
            folder = os.fsencode(self._session.root / parent_of(path))
            if not QDesktopServices.openUrl(QUrl.fromEncoded(b"file://" + quote_from_bytes(folder).encode())):
                self.said.emit(_("No file manager was found."))
