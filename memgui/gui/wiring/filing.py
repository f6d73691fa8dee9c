"""Files and folders by the person's hand: named in the tree, dragged, moved, put in the trash, and all of it undone."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes

from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from memgui.domain import filing as rules
from memgui.domain.errors import InvalidParameters, MemguiError, ProtectedDocument
from memgui.domain.filing import FilingKind, Trashed
from memgui.domain.origin import Origin
from memgui.domain.paths import ROOT, DocPath, is_inside, join, name_of, parent_of, segments_of, shown, stem_of
from memgui.gui.disk import View
from memgui.gui.kit.speech import announce
from memgui.gui.models.palette_model import Offer
from memgui.gui.models.tree_words import file_icon
from memgui.gui.panels.memory import MemoryPanel
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.moves import Moves
from memgui.i18n import _, ngettext
from memgui.ops import filing
from memgui.ops.filing import Filed

if TYPE_CHECKING:
    from memgui.gui.panels.page.page import Page
    from memgui.gui.panels.palette import Palette

DONE, UNDER_WAY = "filed", "filing"
"""The kinds of the pills: what was done, with its undo, and what is being done, with its stop."""
TO_FOLDER, FROM_TRASH = "to folder", "from trash"
"""What is asked in the palette."""
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
class _Asked:
    """What the name on the card is for. `others`: the names that stand in its folder."""

    kind: FilingKind
    folder: DocPath
    path: DocPath | None = None
    is_folder: bool = False
    others: frozenset[str] = field(default_factory=frozenset)

    def target(self, raw: str) -> DocPath:
        """The path that a typed name means. InvalidParameters, with why, where it means none."""
        if not raw.strip():
            raise InvalidParameters(_("Type a name."))
        if self.path is not None:
            return rules.renamed(self.path, raw, is_folder=self.is_folder)
        return rules.new_path(self.folder, raw if self.is_folder else rules.document_name(raw))


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
        self._tabs, self._moves = tabs, moves
        self._asked: _Asked | None = None
        self._order: _Order | None = None
        self._moving: DocPath | None = None
        self._done: list[Filed] = []
        self._shut: dict[DocPath, tuple[DocPath, ...]] = {}
        """The pages that went with what is in the trash, the one in front last."""
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
        deeds: dict[str, Callable[[], None]] = {
            "document.rename": self.begin_rename,
            "document.move": self.begin_move,
            "document.duplicate": self.duplicate,
            "document.trash": self.trash,
            "path.copy": self.copy_path,
            "path.show": self.show_outside,
        }
        for name, deed in deeds.items():
            window.action(name).triggered.connect(deed)
        window.palette_made.connect(self._serve_palette)
        if window.command_palette.made is not None:
            self._serve_palette(window.command_palette.made)
        memory.menu_requested.connect(self._show_menu)
        memory.move_requested.connect(self.move)
        memory.tree.selectionModel().selectionChanged.connect(self.changed)
        memory.card.edited.connect(self._judge)
        memory.card.accepted.connect(self._name)
        memory.card.given_up.connect(self._forget_asked)
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
        """Ask for the name of a new document; among daily logs that of today's is offered, where there is none."""
        folder = self._folder()
        self._ask(_Asked(FilingKind.CREATED, folder), _("New document in {folder}"), self._todays(folder))

    def begin_folder(self) -> None:
        """Ask for the name of a new folder."""
        self._ask(_Asked(FilingKind.MADE, self._folder(), is_folder=True), _("New folder in {folder}"), "")

    @Slot()
    def begin_rename(self) -> None:
        """Ask for another name."""
        path, view = self.target, self._session.view
        if path is None or view is None:
            return
        if view.workspace.protects(path):
            self._fail(ProtectedDocument(path))
            return
        is_folder = view.snapshot.nodes[path].kind.is_folder
        asked = _Asked(FilingKind.RENAMED, parent_of(path), path, is_folder)
        self._ask(asked, _("Rename “{name}”").format(name=shown(name_of(path))), name_of(path))

    def _ask(self, asked: _Asked, caption: str, text: str) -> None:
        view = self._session.view
        if view is None:
            return
        prefix = f"{asked.folder}/" if asked.folder else ""
        inside = (path[len(prefix) :] for path in view.snapshot.nodes if path.startswith(prefix))
        own = name_of(asked.path) if asked.path is not None else None
        asked.others = frozenset(name for name in inside if "/" not in name and name != own)
        self._asked = asked
        self._window.show_side("memory")
        at = asked.path if asked.path is not None else asked.folder or None
        name = shown(asked.folder) or view.workspace.name
        chosen = len(text) if asked.is_folder or asked.path is None else len(stem_of(text))
        self._memory.ask_name(
            caption.format(folder=name) if asked.path is None else caption,
            shown(text),
            at=at,
            chosen=chosen,
            below=asked.path is None,
        )

    def _todays(self, folder: DocPath) -> str:
        view = self._session.view
        assert view is not None
        store = view.workspace.store_of(join(folder, "x"))
        log = store.layout.rules.daily_log
        if log is None:
            return ""
        path = join(store.path, log.format(day=view.day.isoformat()))
        return name_of(path) if parent_of(path) == folder and path not in view.snapshot.nodes else ""

    @Slot(str)
    def _judge(self, raw: str) -> None:
        """What is wrong with a name while it is typed, or what other systems would say of it."""
        asked = self._asked
        if asked is None:
            return
        words, is_wrong = rules.warning_of(raw), False
        if raw.strip():
            try:
                words, is_wrong = self._clash(asked, asked.target(raw)) or (words, False)
            except InvalidParameters as error:
                words, is_wrong = _reason(error), True
        self._memory.card.say(words, is_wrong=is_wrong)

    def _clash(self, asked: _Asked, target: DocPath) -> tuple[str, bool] | None:
        other = rules.alike(name_of(target), asked.others) if parent_of(target) == asked.folder else None
        if other is None:
            return None
        return _("There is already “{name}” here.").format(name=shown(other)), True

    @Slot(str)
    def _name(self, raw: str) -> None:
        asked = self._asked
        if asked is None:
            return
        try:
            target = asked.target(raw)
        except InvalidParameters as error:
            self._memory.card.refuse(_reason(error))
            return
        if target == asked.path:
            self._memory.card.give_up()
            return
        self._memory.card.wait()
        if asked.path is not None:
            self._save_pages(asked.path)
            deed = partial(_rename, asked.path, raw)
        elif asked.is_folder:
            deed = partial(_make_folder, target)
        else:
            deed = partial(_create, target)
        self._session.change(deed, self._named, self._refuse_name)

    def _named(self, filed: Filed) -> None:
        self._asked = None
        self._memory.card.done()
        self._take(filed)

    def _refuse_name(self, error: MemguiError) -> None:
        self._memory.card.refuse(_sentence(error))

    @Slot()
    def _forget_asked(self) -> None:
        self._asked = None

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
        offered = [folder for folder in folders if rules.may_move(path, folder) and _takes(view, folder)]
        question = _("Move “{name}” to which folder?").format(name=shown(name_of(path)))
        self._window.command_palette().ask(question, [_folder_offer(one, view.workspace.name) for one in offered])

    @Slot(object)
    def _serve_palette(self, palette: Palette) -> None:
        palette.answered.connect(self._take_answer)

    @Slot(object)
    def _take_answer(self, offer: Offer) -> None:
        if offer.question == TO_FOLDER and offer.path is not None and self._moving is not None:
            self.move(self._moving, offer.path)
        elif offer.question == FROM_TRASH:
            self._session.change(partial(_undelete, offer.id), self._undone, self._fail)

    @Slot(object, object)
    def move(self, path: DocPath, folder: DocPath) -> None:
        """Move a file or folder into a folder."""
        self._save_pages(path)
        self._session.change(partial(_move, path, folder), self._moved, self._fail)

    def _moved(self, filed: Filed) -> None:
        self._take(filed)
        where = shown(parent_of(filed.path)) or self._session.root.name
        words = _("“{name}” is now in {folder}.").format(name=shown(name_of(filed.path)), folder=shown(where))
        self._tell_done(words)

    @Slot()
    def duplicate(self) -> None:
        """Put a copy beside the file."""
        if (path := self.target) is not None:
            self._save_pages(path)
            self._session.change(partial(_duplicate, path), self._take, self._fail)

    @Slot()
    def trash(self) -> None:
        """Put a file or folder in the trash."""
        path = self.target
        if path is None or self._order is not None:
            return
        self._save_pages(path)
        self._order = order = _Order(shown(name_of(path)), time.monotonic())
        deed = partial(_trash, path, self._progressed.emit, order.stopped)
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
        self._session.ask(_in_trash, self._offer_trash)

    def _offer_trash(self, things: tuple[Trashed, ...]) -> None:
        if things:
            offers = [_trash_offer(one) for one in things]
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
            self._save_pages(filed.path)
            self._session.change(partial(_take_back, filed), self._undone, partial(self._undo_failed, filed))
            self.changed.emit()

    def _undone(self, filed: Filed) -> None:
        self._follow(filed)
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

    def _take(self, filed: Filed) -> None:
        self._done.append(filed)
        del self._done[:-MOST_UNDONE]
        self._follow(filed)
        self.changed.emit()

    def _follow(self, filed: Filed) -> None:
        """Pages and tree go along with what was done."""
        if filed.kind is FilingKind.RENAMED and filed.source is not None:
            for page in self._tabs.pages:
                if is_inside(page.path, filed.source):
                    self._tabs.rename(page, DocPath(filed.path + page.path[len(filed.source) :]))
            self._moves.rename(filed.source, filed.path)
        elif filed.kind is FilingKind.TRASHED:
            self._shut_pages(filed.path)
            return
        view = self._session.view
        if view is None or filed.path not in view.snapshot.nodes:
            return
        if filed.kind is FilingKind.CREATED:
            self._moves.open(filed.path)
            return
        self._memory.reveal(filed.path)
        if filed.kind is FilingKind.RESTORED:
            for page in self._tabs.pages:
                if is_inside(page.path, filed.path):
                    self._session.read(page.path)
            for path in self._shut.pop(filed.path, ()):
                if path in view.snapshot.nodes:
                    self._tabs.open(path, focus=False)

    def _shut_pages(self, path: DocPath) -> None:
        """Pages of what is in the trash go; unsaved text stays where it is seen."""
        front, inside = self._tabs.current, [page for page in self._tabs.pages if is_inside(page.path, path)]
        inside.sort(key=lambda page: page is front)
        self._shut[path] = tuple(page.path for page in inside if not page.is_dirty)
        for page in inside:
            if page.is_dirty:
                page.deleted()
            else:
                page.try_to_close()

    def _save_pages(self, path: DocPath) -> None:
        """What is typed in these pages goes along."""
        for page in self._tabs.pages:
            if is_inside(page.path, path):
                page.autosave()

    def _fail(self, error: MemguiError) -> None:
        self._say(_sentence(error))

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


def _takes(view: View, folder: DocPath) -> bool:
    """Whether documents are put into a folder by hand: not among facts, nor where a layout keeps its own."""
    is_hidden = any(name.startswith(".") for name in segments_of(folder))
    return not is_hidden and not view.workspace.holds_facts(join(folder, "x.md"))


def _folder_offer(path: DocPath, top: str) -> Offer:
    title = shown(name_of(path)) if path else top
    icon = "folder" if path else "store"
    return Offer(title, shown(parent_of(path)), icon, id=shown(path) or top, path=path, question=TO_FOLDER)


def _trash_offer(one: Trashed) -> Offer:
    moment = datetime.fromtimestamp(one.time).strftime("%Y-%m-%d %H:%M")
    where = shown(parent_of(one.path))
    detail = f"{where} · {moment}" if where else moment
    if one.is_folder:
        files = ngettext("{count} file", "{count} files", one.files).format(count=f"{one.files:,}")
        detail = f"{detail} · {files}"
    icon = "folder" if one.is_folder else file_icon(one.path)
    return Offer(shown(name_of(one.path)), detail, icon, id=one.id, question=FROM_TRASH)


def _sentence(error: MemguiError) -> str:
    if isinstance(error, ProtectedDocument):
        return _("“{name}” is an identity file and stays where it is.").format(name=shown(name_of(error.path)))
    return error.message if error.hint is None else f"{error.message} {error.hint}"


def _reason(error: InvalidParameters) -> str:
    """The reason alone: which name it is about stands above it."""
    head, colon, reason = error.message.partition("': ")
    return reason if colon and head.startswith("invalid path") else error.message


def _create(path: DocPath, view: View) -> filing.Answer:
    return filing.create(view.workspace, path, origin=Origin.you())


def _make_folder(path: DocPath, view: View) -> filing.Answer:
    return filing.make_folder(view.workspace, path, origin=Origin.you())


def _rename(path: DocPath, raw: str, view: View) -> filing.Answer:
    return filing.rename(view.workspace, path, raw, origin=Origin.you())


def _move(path: DocPath, folder: DocPath, view: View) -> filing.Answer:
    return filing.move(view.workspace, path, folder, origin=Origin.you())


def _duplicate(path: DocPath, view: View) -> filing.Answer:
    return filing.duplicate(view.workspace, path, origin=Origin.you())


def _trash(path: DocPath, progress: Callable[[int], None], stop: Callable[[], bool], view: View) -> filing.Answer:
    return filing.trash(view.workspace, path, origin=Origin.you(), progress=progress, stop=stop)


def _undelete(id_: str, view: View) -> filing.Answer:
    return filing.undelete(view.workspace, id_, origin=Origin.you())


def _in_trash(view: View) -> tuple[Trashed, ...]:
    return filing.trashed(view.workspace)


def _take_back(filed: Filed, view: View) -> filing.Answer:
    return filing.take_back(view.workspace, filed, origin=Origin.you())
