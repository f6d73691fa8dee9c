"""What each action does, and which of them are of use now."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication

from memgui.domain.paths import DocPath, name_of, shown
from memgui.gui.actions import Context
from memgui.gui.disk import View
from memgui.gui.panels.memory import MemoryPanel
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.session import Session
from memgui.gui.state import DocumentState
from memgui.gui.window import MainWindow
from memgui.gui.wiring.beginning import memory_in
from memgui.gui.wiring.moves import Moves, Spot
from memgui.i18n import _

if TYPE_CHECKING:
    from memgui.gui.panels.page.page import Page
    from memgui.gui.panels.palette import Palette
    from memgui.gui.wiring.filing import Filing

MOST_RECENT = 30


class Commands(QObject):
    """Turns actions and the palette's choices into deeds."""

    memory_missed = Signal()
    """The memory was asked for, and there is none."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        memory: MemoryPanel,
        tabs: DocumentTabs,
        moves: Moves,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._memory = memory
        self._tabs = tabs
        self._moves = moves
        self._filing: Filing | None = None
        self._undoes: dict[str, tuple[Callable[[], None], Callable[[], bool]]] = {}
        """By place: what is undone while it is in front, and whether there is anything."""
        self._unlocks: dict[str, tuple[Callable[[], None], Callable[[], bool]]] = {}
        """By place: what unlocks the document that is shown there, and whether that is one to be unlocked."""
        self._hits = False
        self._recent: list[DocPath] = []
        self._offered: View | None = None
        self._before: Spot | None = None
        self._middle_before = ""
        self._deeds: dict[str, Callable[[], object]] = {
            "document.save": self._with_page(lambda page: page.save()),
            "document.resolve": self._with_page(lambda page: page.resolve()),
            "document.close": tabs.close_current,
            "document.unlock": self._with_page(lambda page: page.ask_to_unlock()),
            "document.lock": self._with_page(lambda page: page.lock()),
            "edit.undo": self._undo,
            "edit.redo": self._with_page(_redo),
            "edit.find": self._with_page(_find),
            "edit.replace": self._with_page(_replace),
            "edit.find_next": self._with_page(_find_next),
            "edit.find_previous": self._with_page(_find_previous),
            "view.memory": self._show_memory,
            "view.tab_moves_focus": self._set_tab_mode,
            "go.back": moves.go_back,
            "go.forward": moves.go_forward,
            "tabs.next": self._next_tab,
            "tabs.previous": self._previous_tab,
            "workspace.reconcile": session.reconcile,
        }
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        self._window.action_chosen.connect(self._do)
        self._window.middle_changed.connect(self._show_title)
        self._tabs.page_shown.connect(self._show_front)
        self._tabs.state_changed.connect(self.refresh)
        self._tabs.lock_changed.connect(self.refresh)
        self._tabs.page_closed.connect(self.refresh)
        self._tabs.page_renamed.connect(self._name_window)
        self._moves.changed.connect(self.refresh)
        self._moves.went.connect(self._show_documents)
        self._window.palette_made.connect(self._serve_palette)

    @Slot(object)
    def _serve_palette(self, palette: Palette) -> None:
        palette.document_chosen.connect(self._open_chosen)
        palette.document_previewed.connect(self._moves.preview)
        palette.line_chosen.connect(self._moves.go_to_line)
        palette.line_previewed.connect(self._preview_line)
        palette.headings_requested.connect(lambda: self._fill_palette(palette))
        palette.dismissed.connect(self._return)

    @Slot(str)
    def _do(self, name: str) -> None:
        deed = self._deeds.get(name)
        if name == "edit.undo" and self._window.middle in self._undoes and not self._files_undo:
            deed = self._undoes[self._window.middle][0]
        if name == "document.unlock" and self._window.middle in self._unlocks:
            deed = self._unlocks[self._window.middle][0]
        if deed is not None:
            deed()
            self.refresh()

    def _with_page(self, deed: Callable[[Page], object]) -> Callable[[], object]:
        def do() -> None:
            page = self._tabs.current
            if page is not None:
                deed(page)

        return do

    # What is of use ----------------------------------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        """Enable what can be done now."""
        # What acts on the page would act unseen while something else is in front of it.
        page = self._tabs.current if self._window.middle == "documents" else None
        ready = page is not None and page.ready
        document = page.editor.document() if page is not None and ready else None
        editable = page is not None and ready and not page.editor.locked
        self._show(
            Context(
                workspace=self._session.view is not None,
                document=ready,
                editable=editable,
                unsaved=page is not None and page.is_dirty,
                locked=page is not None and page.is_locked,
                unlocked=page is not None and page.is_protected and not page.is_locked,
                can_undo=self._files_undo or (editable and document is not None and document.isUndoAvailable()),
                can_redo=editable and document is not None and document.isRedoAvailable(),
                several_tabs=self._tabs.count() > 1,
                can_go_back=self._moves.can_go_back,
                can_go_forward=self._moves.can_go_forward,
                hits=self._hits,
                finding=page is not None and page.find_bar.is_open,
                conflicting=page is not None and page.state is DocumentState.CONFLICT,
                filed=self._filing is not None and self._filing.target is not None,
            )
        )

    def _show(self, context: Context) -> None:
        """What is in front may have something to undo of its own."""
        front = self._window.middle
        own = self._undoes.get(front) if not self._files_undo else None
        can_undo = own[1]() if own is not None else context.can_undo
        if (unlocks := self._unlocks.get(front)) is not None:
            context = context._replace(locked=unlocks[1]())
        own_place = {"reviewing": front == "review", "recalling": front == "history"}
        own_place["looking_back"] = front == "activity"
        own_place |= {"noticed": self._window.context.noticed, "told": self._window.context.told}
        self._window.show_context(context._replace(can_undo=can_undo, **own_place))

    def undo_by(self, undo: Callable[[], None], can_undo: Callable[[], bool], *, place: str = "review") -> None:
        """What is undone while that place is in front."""
        self._undoes[place] = undo, can_undo
        self.refresh()

    def unlock_by(self, unlock: Callable[[], None], can_unlock: Callable[[], bool], *, place: str) -> None:
        """What is unlocked while that place is in front: the document that it shows."""
        self._unlocks[place] = unlock, can_unlock
        self.refresh()

    @Slot(bool)
    def set_hits(self, hits: bool) -> None:
        """Whether a search has found something to go to."""
        self._hits = hits
        self.refresh()

    def file_by(self, filing: Filing) -> None:
        """What can be done with files, and what is undone while the tree has the keyboard."""
        self._filing = filing
        filing.changed.connect(self.refresh)
        self.refresh()

    @property
    def _files_undo(self) -> bool:
        return self._filing is not None and self._filing.is_in_tree and self._filing.can_undo

    def _undo(self) -> None:
        """In the tree, the last thing that was done with a file; elsewhere the page's last edit."""
        if self._filing is not None and self._files_undo:
            self._filing.undo()
        else:
            self._with_page(_undo)()

    @Slot()
    def _show_documents(self) -> None:
        """A document was gone to: it is in front, whatever was there before."""
        if self._window.middle != "documents":
            self._window.show_middle("documents")
            focus = QApplication.focusWidget()
            if (focus is None or not focus.isVisible()) and self._tabs.current is not None:
                self._tabs.current.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _show_title(self) -> None:
        """Title, tree and actions are those of what is in front."""
        self._point_at(self._tabs.current)
        self._name_window()
        self.refresh()

    @Slot()
    def _name_window(self) -> None:
        """The title names what is in front."""
        workspace = self._session.view.workspace.name if self._session.view is not None else self._session.root.name
        page = self._tabs.current
        places = {"days": _("Days"), "review": _("Review"), "history": _("History"), "replace": _("Replace")}
        places["activity"] = _("Activity")
        front = places.get(self._window.middle) or (shown(name_of(page.path)) if page is not None else "")
        if front:
            self._window.setWindowTitle(_("{document} — {name} — memgui").format(document=front, name=workspace))
        else:
            self._window.setWindowTitle(_("{name} — memgui").format(name=workspace))

    def _point_at(self, page: Page | None) -> None:
        """The chosen row is that of the page in front; the days are none of the files."""
        if self._window.middle == "days":
            self._memory.leave()
        elif page is not None and self._window.middle == "documents":
            self._memory.reveal(page.path)

    @Slot(object)
    def _show_front(self, page: Page | None) -> None:
        self._window.show_middle("documents" if page is not None else "empty")
        self._show_title()
        if page is not None:
            self._memory.unmark_fresh(page.path)
            self._recent = [page.path, *(path for path in self._recent if path != page.path)][:MOST_RECENT]
            self._set_tab_mode()
            page.editor.undoAvailable.connect(self.refresh)
            page.editor.redoAvailable.connect(self.refresh)
        self.refresh()

    # Deeds -------------------------------------------------------------------------------------------------------

    def _show_memory(self) -> None:
        self._window.show_side("memory")
        memory = memory_in(self._session.view) if self._session.view is not None else None
        if memory is not None:
            self._moves.open(memory)
        else:
            self._memory.tree.setFocus()
            self.memory_missed.emit()

    def _set_tab_mode(self) -> None:
        """One mode for all pages; a page that is new takes it when it comes to the front."""
        wanted = self._window.action("view.tab_moves_focus").isChecked()
        for page in self._tabs.pages:
            page.editor.set_tab_moves_focus(wanted)

    def _next_tab(self) -> None:
        self._tabs.setCurrentIndex((self._tabs.currentIndex() + 1) % max(1, self._tabs.count()))

    def _previous_tab(self) -> None:
        self._tabs.setCurrentIndex((self._tabs.currentIndex() - 1) % max(1, self._tabs.count()))

    # The palette -------------------------------------------------------------------------------------------------

    def _fill_palette(self, palette: Palette) -> None:
        from memgui.domain.outline import outline
        from memgui.gui.models.palette_model import Heading

        self._before = self._moves.here
        self._middle_before = self._window.middle
        view = self._session.view
        if view is not None and view is not self._offered:
            self._offered = view
            files = [path for path, node in view.snapshot.nodes.items() if not node.kind.is_folder]
            palette.set_files(files)
        palette.set_recent(self._recent)
        page = self._tabs.current
        texts = page.lines().texts if page is not None and page.ready else ()
        palette.set_headings([Heading(entry.text, entry.level, entry.line) for entry in outline(texts)])
        palette.set_line_count(len(texts))

    @Slot(object)
    def _open_chosen(self, path: DocPath) -> None:
        self._moves.return_to(self._before)
        self._moves.open(path)

    @Slot(int)
    def _preview_line(self, line: int) -> None:
        if self._tabs.current is not None:
            self._tabs.current.go_to(line)

    @Slot()
    def _return(self) -> None:
        self._moves.return_to(self._before)
        if self._middle_before in ("days", "review", "history", "activity", "replace"):
            self._window.show_middle(self._middle_before)


def _undo(page: Page) -> None:
    page.undo()


def _redo(page: Page) -> None:
    page.redo()


def _find(page: Page) -> None:
    page.find_bar.open_find()


def _replace(page: Page) -> None:
    page.find_bar.open_replace()


def _find_next(page: Page) -> None:
    page.find_bar.find_next()


def _find_previous(page: Page) -> None:
    page.find_bar.find_previous()
