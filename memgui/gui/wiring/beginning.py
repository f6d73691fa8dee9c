"""Where there is no memory yet: what is offered in its place. Nothing is written before the person asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from memgui.domain.paths import DocPath, is_document, join, name_of, shown
from memgui.gui.wiring.moves import Moves, first_of
from memgui.i18n import _

if TYPE_CHECKING:
    from memgui.gui.disk import View
    from memgui.gui.panels.page.tabs import DocumentTabs
    from memgui.gui.session import Session
    from memgui.gui.window import MainWindow

CREATE, CHOOSE, OTHER_FOLDER = "createMemory", "chooseFile", "openOther"
_NEW_MEMORY = "# Memory\n\n"


class Beginning(QObject):
    """Says in the middle of the window what is missing, and begins it when asked."""

    def __init__(self, window: MainWindow, session: Session, tabs: DocumentTabs, moves: Moves, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._session, self._tabs, self._moves = window, session, tabs, moves
        self._wanted: DocPath | None = None
        self._missed = False
        """The memory was asked for and is not there: that stays said until another page is open."""
        window.empty_state.chosen.connect(self._answer)

    def say_nothing_open(self, view: View) -> None:
        """No page is open: choose one, or begin one where there is none to choose."""
        state = self._window.empty_state
        self._missed = self._missed and memory_in(view) is None
        if self._missed:
            self._say_missing(view)
        elif any(is_document(path) for path in view.snapshot.nodes):
            state.show_state(
                icon="document", title=_("Nothing is open"), text=_("Choose a file on the left, or press Ctrl+P.")
            )
        else:
            self._say_empty(view)

    def _say_empty(self, view: View) -> None:
        buttons = [(OTHER_FOLDER, _("Open another folder…"))]
        path = memory_of(view)
        if path is not None:
            buttons.insert(0, (CREATE, _("Create {name}").format(name=shown(path))))
        self._window.empty_state.show_state(
            icon="folder",
            title=_("No Markdown files here yet"),
            text=_("What an agent writes into this folder appears here by itself."),
            buttons=buttons,
        )

    @Slot()
    def offer_memory(self) -> None:
        """The memory was asked for, and there is none."""
        view = self._session.view
        if view is not None and memory_in(view) is None:
            self._missed = True
            self._say_missing(view)
            self._window.show_middle("empty")

    def _say_missing(self, view: View) -> None:
        path = memory_of(view)
        if path is None:
            title, text, buttons = (
                _("No memory here"),
                _("The agents of this workspace keep facts; they are on the left."),
                [(CHOOSE, _("Choose a file…"))],
            )
        else:
            title, text, buttons = (
                _("No {name} here").format(name=shown(name_of(path))),
                _("Agents keep here what they are to remember for long."),
                [(CREATE, _("Create it")), (CHOOSE, _("Choose another file…"))],
            )
        self._window.empty_state.show_state(icon="document", title=title, text=text, buttons=buttons)

    @Slot(str)
    def _answer(self, name: str) -> None:
        view = self._session.view
        if name == CHOOSE:
            self._window.action("go.file").trigger()
        elif name == CREATE and view is not None and (path := memory_of(view)) is not None:
            self._missed = False
            self._moves.new.add(path)
            self._moves.open(path)
            self._wanted = path
            page = self._tabs.page_for(path)
            if page is not None:
                page.state_changed.connect(self._begin)
                self._begin()

    @Slot()
    def _begin(self) -> None:
        """The page is there: write its first line as the person would, so that undo takes it back."""
        from memgui.domain.lines import Lines

        page = self._tabs.page_for(self._wanted) if self._wanted is not None else None
        if page is None or not page.ready:
            return
        self._wanted = None
        page.state_changed.disconnect(self._begin)
        if page.document is None and not page.is_dirty and page.change(Lines.split(_NEW_MEMORY)):
            page.go_to(_NEW_MEMORY.count("\n") + 1)
            page.save()


def memory_in(view: View) -> DocPath | None:
    """The workspace's long-term memory, if it is there. A heartbeat is none, though it stands beside it."""
    from memgui.domain.heartbeat import is_heartbeat

    first = first_of(view)
    return None if first is None or is_heartbeat(first) else first


def memory_of(view: View) -> DocPath | None:
    """Where this workspace's long-term memory would be made; None where its agents keep none."""
    name = view.workspace.layout.rules.memory
    return join(view.workspace.stores[0].path, name) if name is not None else None
