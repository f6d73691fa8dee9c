"""The entries of a week as rows: a heading per day, one per log where a day has several, and the entries in between."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QDate, QLocale, QModelIndex, QObject, QPersistentModelIndex, Qt

from memgui.domain.daily import Log
from memgui.domain.entries import Entry, EntryKind
from memgui.domain.lines import differences
from memgui.domain.paths import DocPath, name_of, shown
from memgui.i18n import _, ngettext
from memgui.ops.logs import LogText, Week

PATH_ROLE = int(Qt.ItemDataRole.UserRole)
LINE_ROLE = PATH_ROLE + 1
TIME_ROLE = PATH_ROLE + 2
ROW_ROLE = PATH_ROLE + 20

MOST_ENTRIES = 400
"""A log shows no more of its entries among others, the last ones; the rest is read in the log itself."""
LONGEST_BODY = 400
"""An entry shows no more of its lines."""

Index = QModelIndex | QPersistentModelIndex


class RowKind(Enum):
    """What a row stands for."""

    DAY = "day"
    LOG = "log"
    ENTRY = "entry"
    SECTION = "section"
    """An entry that is a heading without a time."""
    NOTE = "note"
    """Not an entry, but a sentence about a log."""


@dataclass(frozen=True, slots=True)
class DayRow:
    """One row. `path` and `line` say where it leads; `body` are the lines below the first."""

    kind: RowKind
    day: datetime.date
    text: str
    path: DocPath | None = None
    line: int = 1
    time: str = ""
    date: str = ""
    """The date in an entry's stamp, where it is another than the log's."""
    body: tuple[str, ...] = ()
    detail: str = ""
    is_titled: bool = False
    """Whether its first line is a heading over the others."""

    @property
    def key(self) -> str:
        """What stays the same when lines above it come or go, and when only its detail is new."""
        return repr((self.kind.value, self.day.toordinal(), self.path, self.time, self.text, self.body))

    @property
    def place(self) -> tuple[DocPath | None, str, str]:
        """By this an entry that was opened out is known again."""
        return self.path, self.time, self.text


def rows_of(week: Week, *, today: datetime.date, newest_first: bool) -> tuple[DayRow, ...]:
    """The rows of a week, day by day; in a day the order is the file's."""
    dates = reversed(week.dates) if newest_first else week.dates
    return tuple(row for day in dates for row in _day_rows(week, day, today))


def day_words(day: datetime.date, today: datetime.date) -> str:
    """`Mon 30 Nov`, with the year where it is another."""
    form = "ddd d MMM" if day.year == today.year else "ddd d MMM yyyy"
    return QLocale().toString(QDate(day.year, day.month, day.day), form)


def near_words(day: datetime.date, today: datetime.date) -> str:
    """`Today`, `Yesterday`, `Tomorrow`; empty for any other day."""
    return {0: _("Today"), -1: _("Yesterday"), 1: _("Tomorrow")}.get((day - today).days, "")


def _day_rows(week: Week, day: datetime.date, today: datetime.date) -> Iterator[DayRow]:
    logs = week.days.on(day)
    rows: list[DayRow] = []
    for log in logs:
        text = week.texts.get(log.path)
        if text is not None:
            if len(logs) > 1:
                rows.append(DayRow(RowKind.LOG, day, shown(name_of(log.path)), log.path))
            rows += _log_rows(log, text)
    count = sum(row.kind is RowKind.ENTRY for row in rows)
    if not logs:
        detail = _("no log")
    elif count:
        detail = ngettext("{count} entry", "{count} entries", count).format(count=f"{count:,}")
    else:
        detail = ""
    yield DayRow(RowKind.DAY, day, day_words(day, today), detail=detail, time=near_words(day, today))
    yield from rows


def _log_rows(log: Log, text: LogText) -> Iterator[DayRow]:
    if text.problem:
        yield DayRow(RowKind.NOTE, log.day, text.problem, log.path)
        return
    said = [entry for entry in text.entries if entry.kind is not EntryKind.FRAME]
    more = len(said) - MOST_ENTRIES
    if not said:
        yield DayRow(RowKind.NOTE, log.day, _("Nothing is written in this log."), log.path)
    elif more > 0:
        words = ngettext("{count} entry above, in the log itself", "{count} entries above, in the log itself", more)
        yield DayRow(RowKind.NOTE, log.day, words.format(count=f"{more:,}"), log.path, said[0].line)
    for entry in said[-MOST_ENTRIES:]:
        yield _entry_row(log, entry, text.lines)


def _entry_row(log: Log, entry: Entry, lines: Sequence[str]) -> DayRow:
    end = min(entry.end, entry.first + 1 + LONGEST_BODY)
    body = [line.rstrip() for line in lines[entry.first + 1 : end]]
    while body and not body[-1]:
        body.pop()
    while body and not body[0]:
        del body[0]
    if (more := entry.end - end) > 0:
        words = ngettext("… {count} more line in the log", "… {count} more lines in the log", more)
        body.append(words.format(count=f"{more:,}"))
    return DayRow(
        RowKind.SECTION if entry.kind is EntryKind.SECTION and not body else RowKind.ENTRY,
        log.day,
        entry.text,
        log.path,
        entry.line,
        entry.time,
        entry.date if entry.date != log.day.isoformat() else "",
        tuple(body),
        is_titled=entry.kind is EntryKind.SECTION or (entry.stamp is not None and entry.stamp.marker.startswith("#")),
    )


class DaysModel(QAbstractListModel):
    """The rows of the week shown. Rows that stay keep their place when others come or go."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[DayRow] = []

    @property
    def rows(self) -> Sequence[DayRow]:
        """Every row, top to bottom."""
        return self._rows

    def show(self, rows: Iterable[DayRow]) -> None:
        """Show these rows in the place of all others."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def apply(self, rows: Iterable[DayRow]) -> None:
        """Show these rows; those that are there already stay where they are."""
        wanted = list(rows)
        changes = differences([row.key for row in self._rows], [row.key for row in wanted])
        at = 0
        new: list[tuple[int, int, list[DayRow]]] = []
        for change in changes:
            first = change.start + at
            new.append((change.start, change.removed, wanted[first : first + len(change.texts)]))
            at += len(change.texts) - change.removed
        for start, removed, added in reversed(new):
            if removed:
                self.beginRemoveRows(QModelIndex(), start, start + removed - 1)
                del self._rows[start : start + removed]
                self.endRemoveRows()
            if added:
                self.beginInsertRows(QModelIndex(), start, start + len(added) - 1)
                self._rows[start:start] = added
                self.endInsertRows()
        moved = [number for number, row in enumerate(wanted) if row != self._rows[number]]
        self._rows = wanted
        if moved:
            self.dataChanged.emit(self.index(moved[0]), self.index(moved[-1]))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return "  ".join(part for part in (row.time, row.text, *row.body[:1]) if part)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(row)
        if row.path is None or row.kind is RowKind.LOG:
            return None
        if role == PATH_ROLE:
            return row.path
        if role == LINE_ROLE:
            return row.line
        return row.time if role == TIME_ROLE else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if self._rows[index.row()].kind is RowKind.DAY:
            return Qt.ItemFlag.NoItemFlags | Qt.ItemFlag.ItemNeverHasChildren
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    @property
    def headings(self) -> list[int]:
        """Where the headings of the days stand."""
        return [number for number, row in enumerate(self._rows) if row.kind is RowKind.DAY]

    def day_row(self, day: datetime.date) -> int | None:
        """Where a day's heading stands."""
        return next((i for i, row in enumerate(self._rows) if row.kind is RowKind.DAY and row.day == day), None)


def _spoken(row: DayRow) -> str:
    if row.kind is RowKind.DAY:
        return ", ".join(part for part in (row.text, row.time, row.detail) if part)
    more = len(row.body)
    lines = ngettext("{count} more line", "{count} more lines", more).format(count=more) if more else ""
    return ", ".join(part for part in (row.date, row.time, row.text, lines) if part)
