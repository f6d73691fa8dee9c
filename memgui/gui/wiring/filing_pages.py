"""Pages and tree go along with what is done with files: to their new names, into the trash, and back."""

from __future__ import annotations

from PySide6.QtCore import QObject

from memgui.domain.filing import FilingKind
from memgui.domain.paths import DocPath, is_inside
from memgui.gui.panels.memory import MemoryPanel
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.session import Session
from memgui.gui.wiring.moves import Moves
from memgui.ops.filing import Filed


class FilingPages(QObject):
    """Tells open pages, the way back and the tree what came of a deed on a file."""

    def __init__(
        self, session: Session, memory: MemoryPanel, tabs: DocumentTabs, moves: Moves, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._memory, self._tabs, self._moves = session, memory, tabs, moves
        self._shut: dict[DocPath, tuple[DocPath, ...]] = {}
        """The pages that went with what is in the trash, the one in front last."""

    def follow(self, filed: Filed) -> None:
        """Pages and tree go along with what was done."""
        if filed.kind is FilingKind.RENAMED and filed.source is not None:
            for page in self._tabs.pages:
                if is_inside(page.path, filed.source):
                    self._tabs.rename(page, DocPath(filed.path + page.path[len(filed.source) :]))
            self._moves.rename(filed.source, filed.path)
        elif filed.kind is FilingKind.TRASHED:
            self._shut_inside(filed.path)
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

    def _shut_inside(self, path: DocPath) -> None:
        """Pages of what is in the trash go; unsaved text stays where it is seen."""
        front, inside = self._tabs.current, [page for page in self._tabs.pages if is_inside(page.path, path)]
        inside.sort(key=lambda page: page is front)
        self._shut[path] = tuple(page.path for page in inside if not page.is_dirty)
        for page in inside:
            if page.is_dirty:
                page.deleted()
            else:
                page.try_to_close()

    def save(self, path: DocPath) -> None:
        """What is typed in these pages goes along."""
        for page in self._tabs.pages:
            if is_inside(page.path, path):
                page.autosave()
