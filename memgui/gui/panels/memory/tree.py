"""The tree of the memory panel: what is laid open, and how it is found again after a change."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from time import perf_counter

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QWidget

from memgui.gui.kit.rows import Index, Tree
from memgui.gui.models.tree_model import TreeModel
from memgui.gui.theme import current, theme
from memgui.i18n import _

Trail = tuple[str, ...]

_EVERY_FILE: Trail = ("files",)
_MOST_EXPANDED = 120
"""So many hits are laid open; more could not be taken in at a glance."""
_OPEN_BELOW_DRAG_MS = 700
"""So long a folder is rested on with something dragged before it opens."""
_SLICE_SECONDS = 0.008
_TOO_MANY = 1_000
"""A folder with so many hits stays closed, so that no key waits for it."""


@dataclass(frozen=True, slots=True)
class Place:
    """What was chosen, laid open and in sight, in words that outlive the rows."""

    current: Trail = ()
    expanded: frozenset[Trail] = frozenset()
    scroll: int = 0


class MemoryTree(Tree):
    """Groups and files. `looked_at`: the person moved to a row, by key or mouse; nothing else emits it."""

    looked_at = Signal(QModelIndex)
    filter_requested = Signal()
    menu_requested = Signal(QPoint)
    """The menu of the current row is wanted, at this place on the screen."""

    def __init__(self, model: TreeModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("workspaceTree")
        self.setAccessibleName(_("Memory files"))
        self._model = model
        self.setModel(model)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(True)
        self.setAutoExpandDelay(_OPEN_BELOW_DRAG_MS)
        self._waiting: deque[QPersistentModelIndex] = deque()
        """Folders that are to be opened, with all in them."""
        self._opening = QTimer(self, interval=0)
        self._opening.timeout.connect(self._open_some)
        self._drop = QPersistentModelIndex()
        """The folder that what is dragged would go to."""
        self.clicked.connect(self._clicked)
        model.rowsInserted.connect(self._open_new_groups)

    # What is laid open -------------------------------------------------------------------------------------

    def place(self) -> Place:
        """Where the person is in the tree."""
        expanded: list[Trail] = []
        waiting = self._model.folders_in(QModelIndex())
        while waiting:
            index = waiting.pop()
            if self.isExpanded(index):
                expanded.append(self._model.trail_of(index))
                waiting += self._model.folders_in(index)
        return Place(self._model.trail_of(self.currentIndex()), frozenset(expanded), self.verticalScrollBar().value())

    def return_to(self, place: Place) -> None:
        """Lay open and choose what was, as far as it is still there."""
        for trail in sorted(place.expanded, key=len):
            index = self._model.index_at(trail)
            if index.isValid():
                self.expand(index)
        index = self._model.index_at(place.current) if place.current else QModelIndex()
        if index.isValid():
            self.setCurrentIndex(index)
        self.verticalScrollBar().setValue(place.scroll)

    def expand_first_groups(self) -> None:
        """Open the groups and the first group in each (the newest days); the raw tree only if it is all there is."""
        groups = self._model.folders_in(QModelIndex())
        for index in groups:
            if self._model.trail_of(index) == _EVERY_FILE and len(groups) > 1:
                continue
            self.expand(index)
            for inner in self._model.folders_in(index)[:1]:
                if self._model.path_of(inner) is None:
                    self.expand(inner)

    def expand_hits(self) -> None:
        """Open what holds hits from the top down, as long as it can be taken in."""
        opened = 0
        waiting = self._model.folders_in(QModelIndex())
        while waiting and opened < _MOST_EXPANDED:
            index = waiting.pop(0)
            count = self._model.rowCount(index)
            if count <= _TOO_MANY:
                self.expand(index)
                opened += count
                waiting += self._model.folders_in(index)

    def expand_all_in(self, index: QModelIndex) -> None:
        """Open a folder and all in it, as many in one turn as hold up no key: there may be thousands of files."""
        self._waiting = deque([QPersistentModelIndex(index)])
        self._opening.start()

    @Slot()
    def _open_some(self) -> None:
        deadline = perf_counter() + _SLICE_SECONDS
        while self._waiting:
            there = self._waiting.popleft()
            if there.isValid():
                index = self._model.index(there.row(), 0, there.parent())
                self.expand(index)
                self._waiting.extend(map(QPersistentModelIndex, self._model.folders_in(index)))
            if perf_counter() > deadline:
                break
        if not self._waiting:
            self._opening.stop()

    def rowsAboutToBeRemoved(self, parent: QModelIndex | QPersistentModelIndex, start: int, end: int) -> None:
        """A chosen row that goes takes the choice with it: its neighbour was not chosen by anybody.

        The keyboard's place stays there, so that an arrow goes on from it.
        """
        row = self.currentIndex()
        while row.isValid() and row.parent() != parent:
            row = row.parent()
        went = row.isValid() and start <= row.row() <= end
        super().rowsAboutToBeRemoved(parent, start, end)
        if went:
            self.clearSelection()

    @Slot(QModelIndex, int, int)
    def _open_new_groups(self, parent: QModelIndex, first: int, last: int) -> None:
        """A group that was not there before comes up open, as it would have at the beginning."""
        if not parent.isValid():
            for number in range(first, last + 1):
                index = self._model.index(number, 0)
                if self._model.trail_of(index) != _EVERY_FILE or self._model.query:
                    self.expand(index)

    def first_file(self) -> QModelIndex:
        """The topmost file; an invalid index where the first folder ends without one."""
        index = self._model.index(0, 0)
        while index.isValid() and not self._model.is_file(index):
            index = self._model.index(0, 0, index)
        return index

    # Keyboard and mouse ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        if event.text() == "/" and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            self.filter_requested.emit()
        elif event.key() == Qt.Key.Key_Asterisk:
            self.expand_all_in(before)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._model.hasChildren(before):
            self.setExpanded(before, not self.isExpanded(before))
        else:
            super().keyPressEvent(event)
            if self.currentIndex() != before:
                self.looked_at.emit(self.currentIndex())

    @Slot(QModelIndex)
    def _clicked(self, index: QModelIndex) -> None:
        if self._model.hasChildren(index):
            self.setExpanded(index, not self.isExpanded(index))
        self.looked_at.emit(index)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() is QContextMenuEvent.Reason.Mouse:
            index, place = self.indexAt(event.pos()), event.globalPos()
            if index.isValid():
                self.setCurrentIndex(index)
        else:
            # From the keyboard it is meant for the row in hand, wherever the mouse lies.
            index = self.currentIndex()
            place = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
        self.menu_requested.emit(place)

    # Dragging ----------------------------------------------------------------------------------------------

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        may = self._model.canDropMimeData(event.mimeData(), Qt.DropAction.MoveAction, -1, -1, index)
        if not may:
            event.ignore()
        self._show_drop(index if may else QModelIndex())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._show_drop(QModelIndex())

    def dropEvent(self, event: QDropEvent) -> None:
        super().dropEvent(event)
        self._show_drop(QModelIndex())

    def _show_drop(self, index: QModelIndex) -> None:
        if index != self._drop:
            self._drop = QPersistentModelIndex(index)
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._drop.isValid():
            super().paintEvent(event)
            return
        # The rows alone: Qt would put its own bare frame around the folder as well.
        self.executeDelayedItemsLayout()
        painter = QPainter(self.viewport())
        self.drawTree(painter, event.region())
        painter.end()

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if self._drop.isValid() and index == self._drop:
            # Under the row's own words, as the ground of a chosen one is.
            box = QRect(0, option.rect.top(), self.viewport().width(), option.rect.height())
            radius = theme().px(5)
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(current().focus), 2))
            painter.setBrush(QColor(current().selection))
            painter.drawRoundedRect(box.toRectF().adjusted(5, 2, -5, -2), radius, radius)
            painter.restore()
        super().drawRow(painter, option, index)
