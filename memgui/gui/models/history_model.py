"""The versions of a document as rows, the newest first; and the documents that are gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, shown
from memgui.domain.versions import Version
from memgui.gui.kit.tips import plain
from memgui.gui.models.review_model import moment_words
from memgui.i18n import _, ngettext
from memgui.ops.restoring import Gone
from memgui.ops.timeline import Timeline

NUMBER_ROLE = int(Qt.ItemDataRole.UserRole)
PATH_ROLE = NUMBER_ROLE + 1
ROW_ROLE = NUMBER_ROLE + 20
"""The `VersionRow` or the `Gone` itself."""

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One moment: a version, and the one before it; or, without one, a write that never came to the disk."""

    time: float
    origin: Origin
    version: Version | None = None
    before: Version | None = None
    is_now: bool = False
    counts: tuple[int, int] | None = None
    """How many lines came and went with it; None: not counted, or they cannot be."""
    is_marked: bool = False
    """Others are compared with it."""

    @property
    def number(self) -> int | None:
        return None if self.version is None else self.version.number

    @property
    def is_counted_later(self) -> bool:
        """Whether its lines can be counted and are not yet."""
        version, before = self.version, self.before
        if self.counts is not None or version is None or version.hash is None or version.is_forgotten:
            return False
        return before is None or not before.is_forgotten


class HistoryModel(QAbstractListModel):
    """Rows, the newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path: DocPath | None = None
        self._rows: tuple[VersionRow, ...] = ()
        self._marked: int | None = None

    @property
    def rows(self) -> tuple[VersionRow, ...]:
        """What is listed, top to bottom."""
        return self._rows

    @property
    def marked(self) -> int | None:
        """The number of the version that others are compared with; None: what stands there now."""
        return self._marked

    def show(self, found: Timeline | None) -> None:
        """List the versions of a document. What was counted of the same one stays."""
        counted: dict[int | None, tuple[int, int] | None] = {}
        if found is not None and found.path == self.path:
            counted = {row.number: row.counts for row in self._rows}
        else:
            self._marked = None
        rows = () if found is None else _rows_of(found)
        rows = tuple(
            replace(
                row, counts=counted.get(row.number), is_marked=row.number is not None and row.number == self._marked
            )
            for row in rows
        )
        self.path = None if found is None else found.path
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def show_counts(self, counts: Mapping[int, tuple[int, int]]) -> None:
        """How many lines came and went with some of them."""
        self._change(lambda row: replace(row, counts=counts[row.number]) if row.number in counts else row)

    def mark(self, number: int | None) -> None:
        """Let others be compared with this version; None: with what stands there now."""
        self._marked = number
        self._change(lambda row: replace(row, is_marked=row.number is not None and row.number == number))

    def _change(self, changed: Any) -> None:
        rows = tuple(map(changed, self._rows))
        first = next((at for at, row in enumerate(rows) if row is not self._rows[at] and row != self._rows[at]), None)
        self._rows = rows
        if first is not None:
            self.dataChanged.emit(self.index(first), self.index(len(rows) - 1))

    def row_at(self, row: int) -> VersionRow | None:
        """The row there."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def row_of(self, number: int | None) -> int:
        """Where a version stands; -1 where it does not."""
        return next((at for at, row in enumerate(self._rows) if number is not None and row.number == number), -1)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index.row())
        if row is None:
            return None
        if role == NUMBER_ROLE:
            return row.number
        if role == PATH_ROLE:
            return self.path
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{title_of(row)} · {who_of(row.origin)}"
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return spoken(row)
        return None


class DeletedModel(QAbstractListModel):
    """The documents that are gone, the latest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._gone: tuple[Gone, ...] = ()

    @property
    def gone(self) -> tuple[Gone, ...]:
        """What is listed."""
        return self._gone

    def show(self, gone: Sequence[Gone]) -> None:
        """List these."""
        self.beginResetModel()
        self._gone = tuple(gone)
        self.endResetModel()

    def gone_at(self, row: int) -> Gone | None:
        """The one there."""
        return self._gone[row] if 0 <= row < len(self._gone) else None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._gone)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        one = self.gone_at(index.row())
        if one is None:
            return None
        if role == NUMBER_ROLE:
            return one.version.number
        if role == PATH_ROLE:
            return one.path
        if role == ROW_ROLE:
            return one
        if role == Qt.ItemDataRole.DisplayRole:
            return shown(one.path)
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            told = _("{path}, deleted {moment}, {who}, {size}").format(
                path=shown(one.path),
                moment=moment_words(one.time),
                who=who_of(one.origin),
                size=size_words(one.version.size),
            )
            return told if role == Qt.ItemDataRole.AccessibleTextRole else plain(told)
        return None


def title_of(row: VersionRow) -> str:
    """When it was, and what it is now where that is more than an older version."""
    moment = moment_words(row.time)
    return _("{moment} · now").format(moment=moment) if row.is_now else moment


def what_of(row: VersionRow) -> str:
    """What there is of it: its size, or why there is nothing."""
    version = row.version
    if version is None:
        return _("never came to the disk")
    if version.hash is None:
        return _("deleted")
    if version.is_forgotten:
        return _("forgotten")
    return size_words(version.size)


def who_of(origin: Origin) -> str:
    """The writer, by what the journal knows."""
    return _("outside") if origin.label == "outside" else origin.label


def size_words(size: int) -> str:
    """A size as people read it."""
    if size < 1000:
        return ngettext("{size} byte", "{size} bytes", size).format(size=size)
    return _("{size} kB").format(size=f"{size / 1000:.1f}") if size < 1_000_000 else f"{size / 1e6:.1f} MB"


def spoken(row: VersionRow) -> str:
    """What a screen reader says of a row."""
    said = [_("Version {number}").format(number=row.number) if row.number is not None else _("Write")]
    said += [title_of(row), who_of(row.origin), what_of(row)]
    if row.counts is not None:
        added, removed = row.counts
        said.append(ngettext("{count} line added", "{count} lines added", added).format(count=added))
        said.append(ngettext("{count} line removed", "{count} lines removed", removed).format(count=removed))
    if row.is_marked:
        said.append(_("compared with"))
    return ", ".join(said)


def _rows_of(found: Timeline) -> tuple[VersionRow, ...]:
    rows = []
    before: Version | None = None
    for version in found.versions:
        is_now = version.number == found.versions[-1].number and version.hash is not None
        rows.append(VersionRow(version.time, version.origin, version, before, is_now))
        before = version
    rows += [VersionRow(one.time, one.origin) for one in found.aborted]
    # Where two have the same time, the later number is the later one; what never came stands below.
    return tuple(sorted(rows, key=lambda row: (row.time, row.number or 0), reverse=True))
