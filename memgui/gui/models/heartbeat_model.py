"""The rows of a heartbeat's checklist for a view: they follow the text by the fewest changes, so that nothing jumps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from memgui.domain.heartbeat import Checklist, Item, Passage, PassageKind, Row, Section
from memgui.domain.invisible import labelled
from memgui.domain.lines import differences
from memgui.domain.paths import DocPath
from memgui.i18n import _

PATH = Qt.ItemDataRole.UserRole
LINE = Qt.ItemDataRole.UserRole + 1
ROW = Qt.ItemDataRole.UserRole + 2

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_MOST_SPLICES = 100
"""Where more places changed, the rows are shown anew: to follow each would take longer."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A new item that is being typed and is not in the text yet; it goes below `after` (None: to the end)."""

    after: Row | None
    text: str
    depth: int


Shown = Row | Draft


class HeartbeatModel(QAbstractListModel):
    """Sections, items and other lines. It changes nothing itself: what a person does comes out as a wish."""

    tick_requested = Signal(object, bool)
    """An `Item`, and whether it is to be ticked."""
    text_requested = Signal(object, str)
    """An `Item` and its new words."""
    add_requested = Signal(object, str)
    """The row to add below (None: at the end), and the words."""

    def __init__(self) -> None:
        super().__init__()
        self.checklist = Checklist()
        self._path = DocPath("")
        self._rows: list[Shown] = []
        self._open_only = False
        self._stays: set[str] = set()
        """Words of items that were ticked while only the open ones are shown: they do not vanish under the hand."""

    # Following -------------------------------------------------------------------------------------------------------

    def show_checklist(self, path: DocPath, checklist: Checklist) -> bool:
        """Show this in the place of what was there. Answers whether a row that stays may be higher or lower now."""
        self._path = path
        self.checklist = checklist
        return self._follow()

    @property
    def open_only(self) -> bool:
        """Whether only what is not done is shown."""
        return self._open_only

    def set_open_only(self, wanted: bool) -> None:
        """Show what is not done, or all."""
        self._open_only = wanted
        self._stays.clear()
        self._follow()

    @property
    def rows(self) -> Sequence[Shown]:
        """What is shown, from top to bottom."""
        return self._rows

    def _follow(self) -> bool:
        new: list[Shown] = list(self._chosen())
        splices = differences(_keys(self._rows), _keys(new))
        if len(splices) > _MOST_SPLICES:
            self.beginResetModel()
            self._rows = new
            self.endResetModel()
            return False
        ahead = 0
        for splice in splices:
            start = splice.start + ahead
            if splice.removed:
                self.beginRemoveRows(_NOWHERE, start, start + splice.removed - 1)
                del self._rows[start : start + splice.removed]
                self.endRemoveRows()
            if splice.texts:
                self.beginInsertRows(_NOWHERE, start, start + len(splice.texts) - 1)
                self._rows[start:start] = new[start : start + len(splice.texts)]
                self.endInsertRows()
            ahead += len(splice.texts) - splice.removed
        old, self._rows = self._rows, new
        changed = [at for at, row in enumerate(new) if old[at] is not row and old[at] != row]
        for first, last in _runs(changed):
            self.dataChanged.emit(self.index(first), self.index(last))
        return any(_form(old[at]) != _form(new[at]) for at in changed)

    def _chosen(self) -> Iterable[Row]:
        rows = self.checklist.rows
        if not self._open_only:
            return rows
        kept: list[Row] = []
        least: int | None = None
        # From below: an item that is done is kept for the sake of an open one in it, a section for one under it.
        for row in reversed(rows):
            if isinstance(row, Item):
                is_parent = least is not None and row.depth < least
                if not row.is_done or is_parent or row.text in self._stays:
                    kept.append(row)
                    least = row.depth
            elif isinstance(row, Section):
                if kept and not isinstance(kept[-1], Section):
                    kept.append(row)
                least = None
        return reversed(kept)

    # A new item ------------------------------------------------------------------------------------------------------

    def begin_draft(self, at: int, draft: Draft) -> QModelIndex:
        """Make room for a new item before row `at`."""
        self.beginInsertRows(_NOWHERE, at, at)
        self._rows.insert(at, draft)
        self.endInsertRows()
        return self.index(at)

    def drop_draft(self) -> None:
        """The new item was typed, or given up."""
        for at, row in enumerate(self._rows):
            if isinstance(row, Draft):
                self.beginRemoveRows(_NOWHERE, at, at)
                del self._rows[at]
                self.endRemoveRows()
                return

    # Finding ---------------------------------------------------------------------------------------------------------

    def row_at(self, index: Index) -> Shown | None:
        """What an index stands for."""
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def index_of_line(self, line: int) -> QModelIndex:
        """The row that shows a line of the text."""
        for at, row in enumerate(self._rows):
            if not isinstance(row, Draft) and row.line <= line <= (row.last if isinstance(row, Passage) else row.line):
                return self.index(at)
        return QModelIndex()

    def end_of(self, index: Index) -> int:
        """The row after an item and all that belongs to it."""
        row, at = self.row_at(index), index.row() + 1
        while isinstance(row, Item) and at < len(self._rows):
            following = self._rows[at]
            if isinstance(following, Draft) or following.line > row.last:
                break
            at += 1
        return at

    # For the view ----------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row_at(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        if isinstance(row, Item | Draft):
            flags |= Qt.ItemFlag.ItemIsEditable
        if isinstance(row, Item) and row.mark is not None:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return labelled(row.text)
        if role == Qt.ItemDataRole.EditRole:
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(row, Passage):
            return told(row)
        if not isinstance(row, Item):
            return None
        if role == PATH:
            return self._path
        if role == LINE:
            return row.line
        if role == Qt.ItemDataRole.CheckStateRole and row.mark is not None:
            return Qt.CheckState.Checked if row.is_done else Qt.CheckState.Unchecked
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row_at(index)
        if role == Qt.ItemDataRole.CheckStateRole and isinstance(row, Item) and row.mark is not None:
            # A view hands the state over as a number.
            wanted = Qt.CheckState(value) == Qt.CheckState.Checked
            if wanted != row.is_done:
                self._stays.add(row.text)
                self.tick_requested.emit(row, wanted)
            return True
        if role == Qt.ItemDataRole.EditRole and isinstance(row, Item | Draft):
            words = str(value).strip()
            if not words or (isinstance(row, Item) and words == row.text):
                return False
            if isinstance(row, Draft):
                self.add_requested.emit(row.after, words)
            else:
                self.text_requested.emit(row, words)
            return True
        return False


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring numbers taken together: from which to which."""
    first = last = -2
    for number in numbers:
        if number != last + 1:
            if first >= 0:
                yield first, last
            first = number
        last = number
    if first >= 0:
        yield first, last


def _form(row: Shown) -> tuple[object, ...]:
    return (row.level,) if isinstance(row, Section) else (row.depth, row.kind if isinstance(row, Passage) else None)


def _keys(rows: Sequence[Shown]) -> list[str]:
    """What makes a row the same row after a change: its words, not its line and not its mark."""
    return [f"{type(row).__name__} {row.text}" for row in rows]


def told(passage: Passage) -> str:
    """What lines that are no items are, in words."""
    if passage.kind is PassageKind.UNREAD:
        return _("Line {line} could not be read as an item – shown as text").format(line=passage.line)
    name = {
        PassageKind.COMMENT: _("Comment"),
        PassageKind.CODE: _("Code"),
        PassageKind.TABLE: _("Table"),
        PassageKind.RULE: _("Rule"),
    }.get(passage.kind, _("Text"))
    if passage.line == passage.last:
        return _("{what}, line {line}").format(what=name, line=passage.line)
    return _("{what}, lines {first}–{last}").format(what=name, first=passage.line, last=passage.last)


def spoken(row: Shown) -> str:
    """A row for a screen reader, which says by itself whether a box is ticked."""
    words = labelled(row.text)
    if isinstance(row, Draft):
        return _("New item")
    if isinstance(row, Section):
        return _("Section {name}").format(name=words)
    if isinstance(row, Passage):
        return f"{told(row)}: {words}"
    parts = [words or _("Empty item")]
    if row.mark is not None and row.mark not in " xX":
        parts.append(_("marked {mark}").format(mark=row.mark))
    if row.depth:
        parts.append(_("level {level}").format(level=row.depth + 1))
    return ", ".join(parts)
