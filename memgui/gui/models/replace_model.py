"""Where a text would be replaced, as rows to be ticked: one per document, one per place in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from memgui.domain.paths import DocPath, name_of, parent_of, shown
from memgui.domain.replacing import InFile, LeftOut, Place, Plan
from memgui.gui.kit.tips import plain
from memgui.i18n import _, ngettext

PATH_ROLE = int(Qt.ItemDataRole.UserRole)
LINE_ROLE = PATH_ROLE + 1
ROW_ROLE = PATH_ROLE + 20
"""The `ReplaceRow` itself."""

MOST_REASONS = 3

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_States = Qt.CheckState


@dataclass(frozen=True, slots=True)
class ReplaceRow:
    """A place, or where there is none the heading of its document."""

    file: InFile
    place: Place | None = None


class ReplaceModel(QAbstractListModel):
    """All places are ticked at first; what was unticked stays so in a newer look at the same documents."""

    chosen_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.plan: Plan | None = None
        self._rows: list[ReplaceRow] = []
        self._first: dict[DocPath, int] = {}
        self._off: dict[DocPath, set[int]] = {}

    def show(self, plan: Plan | None) -> None:
        """Become the rows of this plan."""
        before, self.plan = self.plan, plan
        kept = self._kept(before, plan)
        self.beginResetModel()
        self._rows, self._first, self._off = [], {}, kept
        for file in plan.files if plan is not None else ():
            self._first[file.path] = len(self._rows)
            self._rows.append(ReplaceRow(file))
            self._rows += [ReplaceRow(file, place) for place in file.places]
        self.endResetModel()
        self.chosen_changed.emit()

    def _kept(self, before: Plan | None, plan: Plan | None) -> dict[DocPath, set[int]]:
        """What is not ticked, as far as the same is asked of lines that are the same."""
        if before is None or plan is None or before.exchange.what != plan.exchange.what:
            return {}
        kept: dict[DocPath, set[int]] = {}
        now = {file.path: file for file in plan.files}
        for file in before.files:
            off, newer = self._off.get(file.path), now.get(file.path)
            if not off or newer is None:
                continue
            left = {(place.before, place.found) for place in file.places if place.number in off}
            kept[file.path] = {place.number for place in newer.places if (place.before, place.found) in left}
        return kept

    @property
    def chosen(self) -> dict[DocPath, frozenset[int]]:
        """The ticked places by document; documents without any are left out."""
        files = self.plan.files if self.plan is not None else ()
        found = {
            file.path: frozenset(place.number for place in file.places) - self._off.get(file.path, set())
            for file in files
        }
        return {path: numbers for path, numbers in found.items() if numbers}

    @property
    def counted(self) -> tuple[int, int]:
        """How many places are ticked, and in how many documents."""
        files = self.plan.files if self.plan is not None else ()
        left = [len(file.places) - len(self._off.get(file.path, ())) for file in files]
        return sum(left), sum(1 for count in left if count)

    def tick_all(self, *, on: bool) -> None:
        """Tick every place, or none."""
        self._off = {}
        if not on and self.plan is not None:
            self._off = {file.path: {place.number for place in file.places} for file in self.plan.files}
        if self._rows:
            self._told(0, len(self._rows) - 1)

    def row(self, index: Index) -> ReplaceRow | None:
        """The row at an index."""
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def _state(self, row: ReplaceRow) -> Qt.CheckState:
        off = self._off.get(row.file.path, set())
        if row.place is not None:
            return _States.Unchecked if row.place.number in off else _States.Checked
        if not off:
            return _States.Checked
        return _States.Unchecked if len(off) == len(row.file.places) else _States.PartiallyChecked

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
        return flags | Qt.ItemFlag.ItemNeverHasChildren if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.CheckStateRole:
            return self._state(row)
        if role == PATH_ROLE:
            return shown(row.file.path)
        if role == LINE_ROLE:
            return row.place.line if row.place is not None else 1
        if role == Qt.ItemDataRole.DisplayRole:
            return row.place.after if row.place is not None else name_of(row.file.path)
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return self._spoken(row) if role == Qt.ItemDataRole.AccessibleTextRole else plain(shown(row.file.path))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row(index)
        if row is None or role != Qt.ItemDataRole.CheckStateRole:
            return False
        off = self._off.setdefault(row.file.path, set())
        numbers = {place.number for place in (row.file.places if row.place is None else (row.place,))}
        if Qt.CheckState(value) == _States.Unchecked:
            off |= numbers
        else:
            off -= numbers
        first = self._first[row.file.path]
        self._told(first, first + len(row.file.places))
        return True

    def _told(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first), self.index(last), [Qt.ItemDataRole.CheckStateRole])
        self.chosen_changed.emit()

    def _spoken(self, row: ReplaceRow) -> str:
        if row.place is None:
            return _("{name}, {count}").format(name=shown(row.file.path), count=places_said(len(row.file.places)))
        said = _("line {line}: {before}; becomes: {after}").format(
            line=row.place.line, before=row.place.before, after=row.place.after
        )
        return _("{place}; in a link").format(place=said) if row.place.in_link else said


def places_said(count: int) -> str:
    """So many places."""
    return ngettext("{count} place", "{count} places", count).format(count=f"{count:,}")


def folder_said(path: DocPath) -> str:
    """The folder that a document lies in, as it is shown beside its name."""
    return shown(parent_of(path))


def excluded_said(paths: Sequence[DocPath], most: int = 3) -> str:
    """A few names, and how many more."""
    names = ", ".join(shown(path) for path in paths[:most])
    more = len(paths) - most
    return names if more <= 0 else _("{names} and {count} more").format(names=names, count=more)


def left_out_said(left_out: Sequence[LeftOut]) -> list[str]:
    """What is left out, and why: a sentence for each of the first few reasons, and how many have another."""
    reasons: dict[str, list[DocPath]] = {}
    for one in left_out:
        reasons.setdefault(one.reason, []).append(one.path)
    told = list(reasons.items())
    said = [
        _("Left out: {names}. {reason}").format(names=excluded_said(paths), reason=reason)
        for reason, paths in told[:MOST_REASONS]
    ]
    more = sum(len(paths) for _reason, paths in told[MOST_REASONS:])
    if more:
        words = ngettext("{count} more, for another reason.", "{count} more, for other reasons.", more)
        said.append(words.format(count=f"{more:,}"))
    return said
