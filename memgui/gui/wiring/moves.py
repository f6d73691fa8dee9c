"""Going from document to document: previews, opening, and the way back."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from memgui.domain.paths import DocPath, is_inside
from memgui.gui.panels.page.tabs import DocumentTabs

if TYPE_CHECKING:
    from memgui.gui.disk import View
    from memgui.gui.panels.page.page import Page

LONGEST_TRAIL = 200


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a document; line and column count from 1."""

    path: DocPath
    line: int = 1
    column: int = 1


class Moves(QObject):
    """Opens documents in the tabs and remembers where the person was before."""

    changed = Signal()
    """There is more, or less, to go back or forward to."""
    went = Signal()
    """The person went to a document, be it the one that was in front already."""

    def __init__(self, tabs: DocumentTabs, parent: QObject) -> None:
        super().__init__(parent)
        self._tabs = tabs
        self._back: list[Spot] = []
        self._forward: list[Spot] = []
        self._asked: tuple[Path, int | None] | None = None
        self._view: View | None = None
        self.new: set[DocPath] = set()
        """Files that a person asked for by name and that may not exist yet."""

    def begin(self, view: View) -> None:
        """The workspace is open: go to the file that was asked for, if any."""
        self._view = view
        if self._asked is not None:
            path, line = self._asked
            self._asked = None
            self.open_when_ready(path, line)

    def look(self, view: View) -> None:
        """Look at the workspace's memory in passing, where no document is open."""
        first = first_of(view)
        if first is not None and not self._tabs.count():
            self._tabs.open(first, pin=False, focus=False)

    def open_when_ready(self, path: Path, line: int | None) -> None:
        """Open a file named by its place on disk, now or as soon as the workspace is open."""
        if self._view is None:
            self._asked = (path, line)
            return
        root = self._view.workspace.root
        inside = Path(os.path.realpath(path.parent)) / path.name
        if inside.is_relative_to(root):
            document = DocPath(inside.relative_to(root).as_posix())
            self.new.add(document)
            self.go(Spot(document, line or 1) if line is not None else Spot(document))

    @property
    def here(self) -> Spot | None:
        """Where the person is now."""
        return self.spot_of(self._tabs.current) if self._tabs.current is not None else None

    def spot_of(self, page: Page) -> Spot:
        """Where the caret of a page is."""
        cursor = page.editor.textCursor()
        return Spot(page.path, cursor.blockNumber() + 1, cursor.positionInBlock() + 1)

    @property
    def can_go_back(self) -> bool:
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        return bool(self._forward)

    @Slot(object)
    def preview(self, path: DocPath) -> None:
        """Look at a document in passing; the keyboard stays where it is."""
        self._tabs.open(path, pin=False, focus=False)
        self.went.emit()

    @Slot(object)
    def open(self, path: DocPath) -> None:
        """Open a document to work on it."""
        self._leave(path)
        self._tabs.open(path)
        self.went.emit()

    def go(self, spot: Spot, *, pin: bool = True, focus: bool = True) -> Page:
        """Open a document at a place."""
        if pin:
            self._leave(None)
        page = self._tabs.open(spot.path, pin=pin, line=spot.line, column=spot.column, focus=focus)
        self.went.emit()
        return page

    @Slot(int)
    def go_to_line(self, line: int) -> None:
        """Go to a line of the page in front."""
        page = self._tabs.current
        if page is not None:
            self.go(Spot(page.path, line))

    @Slot()
    def go_back(self) -> None:
        """Back to where the person was."""
        self._step(self._back, self._forward)

    @Slot()
    def go_forward(self) -> None:
        """Forward again."""
        self._step(self._forward, self._back)

    def rename(self, old: DocPath, new: DocPath) -> None:
        """The way back leads to documents by the names that they have now."""
        for way in (self._back, self._forward):
            way[:] = [
                replace(spot, path=DocPath(new + spot.path[len(old) :])) if is_inside(spot.path, old) else spot
                for spot in way
            ]

    def return_to(self, spot: Spot | None) -> None:
        """Be there again, as if one had not left."""
        if spot is not None and self._tabs.page_for(spot.path) is not None:
            self._tabs.open(spot.path, pin=False, line=spot.line, column=spot.column, focus=False)

    def _leave(self, target: DocPath | None) -> None:
        here = self.here
        if here is not None and here.path != target:
            self._back.append(here)
            del self._back[:-LONGEST_TRAIL]
            self._forward.clear()
            self.changed.emit()

    def _step(self, way: list[Spot], other: list[Spot]) -> None:
        if not way:
            return
        here, spot = self.here, way.pop()
        if here is not None:
            other.append(here)
        self._tabs.open(spot.path, line=spot.line, column=spot.column)
        self.went.emit()
        self.changed.emit()


def first_of(view: View) -> DocPath | None:
    """The document that says most of the memory: what is looked at first."""
    return next((group.paths[0] for group in view.groups if group.key == "memory" and group.paths), None)
