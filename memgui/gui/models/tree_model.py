"""The tree of a workspace as Qt reads it: semantic groups on top, every file below; rows are made when looked at."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import takewhile

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from memgui.domain.groups import Group
from memgui.domain.paths import ROOT, DocPath, told
from memgui.domain.tree import NodeKind, Snapshot
from memgui.gui.kit.rows import RowRole
from memgui.gui.models.tree_rows import Entry, Row, entries, only, renumber, top, trail_to
from memgui.gui.models.tree_words import Words

Index = QModelIndex | QPersistentModelIndex
States = Mapping[DocPath, Sequence[str]]
_NOWHERE = QModelIndex()
_NO_FLAGS = Qt.ItemFlag.NoItemFlags
_FILE_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_DRAGGED_FILE_FLAGS = _FILE_FLAGS | Qt.ItemFlag.ItemIsDragEnabled
"""Put together once: a folder of ten thousand files that is opened asks for each of them."""
DRAGGED = "application/x-memgui-path"
"""The form of what is dragged: a path's own bytes."""
MOST_CHANGES = 400
"""From so many names that came or went on, one reset costs less than telling each."""


class Role(IntEnum):
    """The public roles."""

    PATH = Qt.ItemDataRole.UserRole
    STATES = Qt.ItemDataRole.UserRole + 1


class TreeModel(QAbstractItemModel):
    """Groups and files. Filled by `show`, kept in step by `apply`; both may be called at any time."""

    move_requested = Signal(object, object)
    """A path was dropped on a folder: both as DocPath."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: tuple[Group, ...] = ()
        self._words = Words()
        self._query = ""
        self._folded: dict[str, str] | None = None
        self._next_id = 0
        self._rows: dict[int, Row] = {}
        self._root = self._new(None, 0, top(()), None)
        self._answers = self._say()

    # Filling -----------------------------------------------------------------------------------------------

    def show(self, groups: tuple[Group, ...], snapshot: Snapshot, states: States | None = None) -> None:
        """Begin anew with these groups. `states`: the state words of those paths that have any."""
        self._take(groups, snapshot, states)
        self._reset()

    def apply(self, groups: tuple[Group, ...], snapshot: Snapshot, states: States | None = None) -> None:
        """Become these groups by putting in and taking out rows; by a reset where too many came or went."""
        changed = len(self._words.snapshot.nodes.keys() ^ snapshot.nodes.keys())
        self._take(groups, snapshot, states)
        if changed > MOST_CHANGES:
            self._reset()
        else:
            self._become(self._root, top(self._shown_groups()))

    def set_filter(self, query: str) -> None:
        """Show only files whose path matches, with the folders and groups above them; `""` shows all."""
        query = " ".join(query.split())
        if query != self._query:
            self._query = query
            self._reset()

    @property
    def query(self) -> str:
        """The filter in force."""
        return self._query

    def set_fresh(self, paths: Iterable[DocPath]) -> None:
        """Mark those that changed outside just now, and no others."""
        wanted = frozenset(paths)
        touched = wanted ^ self._words.fresh
        self._words = replace(self._words, fresh=wanted)
        self._answers = self._say()
        for row in [row for row in self._rows.values() if row.path in touched]:
            self._tell(row)

    def set_unseen(self, unseen: Mapping[DocPath, int]) -> None:
        """Mark those that changed and were not looked at, and no others; with how many lines came into each."""
        before = self._words.unseen
        touched = {path for path, _lines in before.items() ^ unseen.items()}
        self._words = replace(self._words, unseen=dict(unseen))
        self._answers = self._say()
        for row in [row for row in self._rows.values() if row.path in touched]:
            self._tell(row)

    def _take(self, groups: tuple[Group, ...], snapshot: Snapshot, states: States | None) -> None:
        self._groups, self._folded = groups, None
        self._words = replace(self._words, snapshot=snapshot, states=self._words.states if states is None else states)
        self._answers = self._say()

    def _reset(self) -> None:
        self.beginResetModel()
        self._rows.clear()
        self._root = self._new(None, 0, top(self._shown_groups()), None)
        self.endResetModel()

    def _shown_groups(self) -> tuple[Group, ...]:
        if not self._query:
            return self._groups
        from memgui.gui.models.fuzzy import filtered, fold_all

        if self._folded is None:
            nodes = self._words.snapshot.nodes
            paths = [path for path, node in nodes.items() if node.kind is not NodeKind.FOLDER]
            self._folded = dict(zip(paths, fold_all(paths), strict=True))
        hits = filtered(self._query, self._folded)
        return tuple(kept for group in self._groups if (kept := only(group, hits)) is not None)

    # Differences -------------------------------------------------------------------------------------------

    def _become(self, row: Row, group: Group) -> None:
        """Turn the children of a row into those of `group`. Rows never looked at are made only if that shows."""
        if row.group == group:
            return
        was_empty = row.group is None or not (row.group.groups or row.group.paths)
        if row.children is None and was_empty == (not (group.groups or group.paths)):
            row.group = group
            return
        self._children(row)
        row.group = group
        wanted = list(entries(group))
        self._take_out(row, {key for key, _group, _path in wanted})
        self._put_in(row, wanted)
        for child, (_key, inner, _path) in zip(list(row.children or ()), wanted, strict=True):
            if inner is not None:
                self._become(child, inner)
        if row.children:
            self.dataChanged.emit(self._index_of(row.children[0]), self._index_of(row.children[-1]))

    def _take_out(self, row: Row, wanted: set[str]) -> None:
        children = row.children or []
        end = len(children)
        while end > 0:
            start = end
            while start > 0 and children[start - 1].key not in wanted:
                start -= 1
            if start < end:
                self._remove(row, start, end)
            end = start - 1

    def _put_in(self, row: Row, wanted: Sequence[Entry]) -> None:
        children = row.children = row.children if row.children is not None else []
        at = 0
        while at < len(wanted):
            if at < len(children) and children[at].key == wanted[at][0]:
                at += 1
                continue
            present = {child.key: child.number for child in children[at:]}
            if wanted[at][0] in present:
                # It moved up past others: those are taken out here and put in where they belong now.
                self._remove(row, at, present[wanted[at][0]])
                continue
            end = at + 1
            while end < len(wanted) and wanted[end][0] not in present:
                end += 1
            self._insert(row, at, wanted[at:end])
            at = end

    def _remove(self, row: Row, start: int, end: int) -> None:
        assert row.children is not None
        self.beginRemoveRows(self._index_of(row), start, end - 1)
        for child in row.children[start:end]:
            self._forget(child)
        del row.children[start:end]
        renumber(row.children, start)
        self.endRemoveRows()

    def _insert(self, row: Row, at: int, new: Sequence[Entry]) -> None:
        assert row.children is not None
        self.beginInsertRows(self._index_of(row), at, at + len(new) - 1)
        row.children[at:at] = [self._new(row, at + n, group, path) for n, (_key, group, path) in enumerate(new)]
        renumber(row.children, at + len(new))
        self.endInsertRows()

    def _new(self, parent: Row | None, number: int, group: Group | None, path: DocPath | None) -> Row:
        row = Row(self._next_id, parent, number, group, path)
        self._rows[row.id] = row
        self._next_id += 1
        return row

    def _forget(self, row: Row) -> None:
        del self._rows[row.id]
        for child in row.children or ():
            self._forget(child)

    def _children(self, row: Row) -> list[Row]:
        if row.children is None:
            inside = entries(row.group) if row.group is not None else ()
            row.children = [self._new(row, n, group, path) for n, (_key, group, path) in enumerate(inside)]
        return row.children

    def _tell(self, row: Row) -> None:
        index = self._index_of(row)
        self.dataChanged.emit(index, index)

    # What Qt asks ------------------------------------------------------------------------------------------

    def _row(self, index: Index) -> Row | None:
        return self._rows.get(index.internalId()) if index.isValid() else self._root

    def _index_of(self, row: Row) -> QModelIndex:
        return QModelIndex() if row.parent is None else self.createIndex(row.number, 0, row.id)

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        above = self._rows.get(parent.internalId()) if parent.isValid() else self._root
        if above is None or column != 0 or row < 0:
            return QModelIndex()
        children = above.children if above.children is not None else self._children(above)
        return self.createIndex(row, 0, children[row].id) if row < len(children) else QModelIndex()

    def parent(self, child: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        row = self._row(child)
        return QModelIndex() if row is None or row.parent is None else self._index_of(row.parent)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        row = self._row(parent)
        return 0 if row is None else len(self._children(row))

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: ARG002
        return 1

    def hasChildren(self, parent: Index = _NOWHERE) -> bool:
        row = self._row(parent)
        if row is None or row.group is None:
            return False
        return bool(row.children) if row.children is not None else bool(row.group.paths or row.group.groups)

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self._rows.get(index.internalId()) if index.isValid() else None
        if row is None:
            return _NO_FLAGS
        if row.group is None:
            return _DRAGGED_FILE_FLAGS if self._may_be_dragged(row) else _FILE_FLAGS
        usable = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self._may_be_dragged(row):
            usable |= Qt.ItemFlag.ItemIsDragEnabled
        if self._folder_of(row) is not None:
            usable |= Qt.ItemFlag.ItemIsDropEnabled
        return usable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._row(index)
        answer = self._answers.get(role)
        return None if answer is None or row is None or row is self._root else answer(row)

    def _say(self) -> dict[int, Callable[[Row], object]]:
        words = self._words
        return {
            Qt.ItemDataRole.DisplayRole: words.label,
            Qt.ItemDataRole.ToolTipRole: words.tip,
            Qt.ItemDataRole.AccessibleTextRole: words.spoken,
            Role.PATH: _public_path,
            Role.STATES: lambda row: list(words.state_words(row)),
            RowRole.ICON: words.icon,
            RowRole.DETAIL: words.detail,
            RowRole.BADGES: words.badges,
            RowRole.COUNT: words.count,
            RowRole.HEADING: _is_heading,
        }

    # Dragging ----------------------------------------------------------------------------------------------

    def _may_be_dragged(self, row: Row) -> bool:
        path = row.path if row.group is None else row.group.path
        return path is not None and "protected" not in self._words.states.get(path, ())

    def _folder_of(self, row: Row) -> DocPath | None:
        """The folder that a row stands for as a place to put something; None for files, and groups that are none."""
        if row.group is None:
            return None
        return ROOT if row.group.key == "files" else row.group.path

    def folder_of(self, index: Index) -> DocPath | None:
        """The folder that a row stands for: itself, or the workspace for the heading above all files."""
        row = self._row(index)
        return None if row is None or not index.isValid() else self._folder_of(row)

    def mimeTypes(self) -> list[str]:
        return [DRAGGED]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        path = next((path for index in indexes if (path := self.path_of(index)) is not None), None)
        if path is not None:
            data.setData(DRAGGED, os.fsencode(path))
        return data

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def canDropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:  # noqa: ARG002
        from memgui.domain.filing import may_move

        folder = self.folder_of(parent)
        return folder is not None and data.hasFormat(DRAGGED) and may_move(_dragged(data), folder)

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        if not self.canDropMimeData(data, action, row, column, parent):
            return False
        self.move_requested.emit(_dragged(data), self.folder_of(parent))
        # The rows follow the disk, once it was done there; the view is to take none away by itself.
        return False

    # Finding rows ------------------------------------------------------------------------------------------

    def path_of(self, index: Index) -> DocPath | None:
        """The path of a row, exactly; `data` gives names that are no UTF-8 as they are shown."""
        row = self._row(index)
        return row.target if row is not None else None

    def is_file(self, index: Index) -> bool:
        """Whether the row is a file's (and not a folder's, nor that of a link to one)."""
        row = self._row(index)
        if row is None or row.path is None:
            return False
        node = self._words.snapshot.nodes.get(row.path)
        return node is None or not node.kind.is_folder

    def folders_in(self, index: Index) -> list[QModelIndex]:
        """The groups and folders directly in a row, which stand above its files."""
        row = self._row(index)
        inside = takewhile(_has_group, self._children(row)) if row is not None else ()
        return [self._index_of(child) for child in inside]

    def trail_of(self, index: Index) -> tuple[str, ...]:
        """What leads to a row from the top; `index_at` finds it again, also after a reset."""
        row, trail = self._row(index), []
        while row is not None and row.parent is not None:
            trail.append(row.key)
            row = row.parent
        return tuple(reversed(trail))

    def index_at(self, trail: Sequence[str]) -> QModelIndex:
        """The row that a trail leads to; an invalid index where it is gone."""
        row = self._root
        for key in trail:
            found = next((child for child in self._children(row) if child.key == key), None)
            if found is None:
                return QModelIndex()
            row = found
        return self._index_of(row)

    def index_of(self, path: DocPath) -> QModelIndex:
        """The topmost row of a path; an invalid index where there is none."""
        trail = trail_to(self._root.group, path) if self._root.group is not None else None
        return QModelIndex() if trail is None else self.index_at(trail)


def _dragged(data: QMimeData) -> DocPath:
    return DocPath(os.fsdecode(bytes(data.data(DRAGGED).data())))


def _public_path(row: Row) -> str | None:
    return None if row.target is None else told(row.target)


def _has_group(row: Row) -> bool:
    return row.group is not None


def _is_heading(row: Row) -> bool:
    return row.group is not None and row.parent is not None and row.parent.parent is None
