"""What a search found, as rows: a heading per kind of answer, a row per file, a row per line that holds the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from memgui.domain.hits import FileHits, Found, HitGroup, Reading, SearchHit
from memgui.domain.paths import name_of, parent_of, shown
from memgui.gui.kit.tips import plain
from memgui.i18n import _, ngettext

PATH_ROLE = int(Qt.ItemDataRole.UserRole)
LINE_ROLE = PATH_ROLE + 1
GROUP_ROLE = PATH_ROLE + 2
ROW_ROLE = PATH_ROLE + 3

BEFORE = 48
"""How many characters of a line stay in front of the match, where there is room for them."""
LONGEST = 320
"""No row shows more of a line than this."""

_JOINERS = "\u200c\u200d"
"""Invisible, but part of how emoji and several scripts are written."""

Index = QModelIndex | QPersistentModelIndex


class RowKind(Enum):
    """What a row stands for."""

    HEADING = "heading"
    FILE = "file"
    HIT = "hit"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list. `hit` is the match itself, for a file its first one, for a heading None."""

    kind: RowKind
    text: str
    hit: SearchHit | None = None
    folder: str = ""
    count: int = 0
    group: HitGroup = HitGroup.LITERAL
    marks: tuple[tuple[int, int], ...] = ()


def excerpt(
    content: str, marks: Sequence[tuple[int, int]], *, before: int = BEFORE
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The part of a line worth showing, the first match near its beginning, and where the matches stand in it.

    At most `before` characters stand in front of the match, and those begin at a word where they can.
    """
    start = len(content) - len(content.lstrip())
    first = marks[0][0] if marks else start
    if first - start > before:
        start = first - before
        blank = content.find(" ", start, first)
        start = blank + 1 if blank >= 0 else start
        head = "…"
    else:
        start, head = min(start, first), ""
    end = min(len(content), start + LONGEST)
    tail = "…" if end < len(content.rstrip()) else ""
    shift = len(head) - start
    text = head + content[start:end].rstrip() + tail
    # Of blanks at the end nothing is shown, so no mark goes further than the text.
    end = min(end, len(text) - shift)
    kept = tuple((max(a, start) + shift, min(b, end) + shift) for a, b in marks if a < end and b > start)
    return printable(text), kept


def printable(text: str) -> str:
    """One character for each: tabs and breaks as blanks, controls as the sign that stands for them."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _JOINERS else _sign(c) for c in text)


def _sign(character: str) -> str:
    code = ord(character)
    if character.isspace():
        return " "
    if code < 0x20:
        return chr(0x2400 + code)
    # A character that shows nothing, or turns the line around: its place is kept and seen.
    return "\N{MIDDLE DOT}"


def _rows(found: Found) -> list[Row]:
    rows: list[Row] = []
    files = [file for file in (*found.files, *found.by_words, *found.by_meaning, *found.by_history) if file.hits]
    for group, in_group in groupby(files, key=lambda file: file.hits[0].group):
        several = list(in_group)
        rows.append(Row(RowKind.HEADING, _heading(found, group, several), group=group))
        for file in several:
            first = file.hits[0]
            name, folder = shown(name_of(file.path)), shown(parent_of(file.path))
            rows.append(Row(RowKind.FILE, name, first, folder=folder, count=file.total))
            for hit in file.hits:
                text, marks = excerpt(hit.content, hit.marks)
                rows.append(Row(RowKind.HIT, text, hit, marks=marks))
    return rows


def _heading(found: Found, group: HitGroup, files: list[FileHits]) -> str:
    hits, count = found.total_hits, found.total_files
    if group is HitGroup.MEANING:
        nothing_else = not found.files and not found.by_words
        return (
            _("Nothing clearly matches; nearest in meaning")
            if nothing_else and not found.clear
            else _("Similar in meaning")
        )
    if group is HitGroup.HISTORY:
        said = _("In earlier versions, and nowhere now")
        return said if found.history_whole else f"{said} · {_('as far as was looked')}"
    if group is HitGroup.LITERAL:
        title = _("Exact matches")
    else:
        reading = found.words_reading if found.by_words else found.reading
        title = _("Some of the words") if reading is Reading.ANY else _("All words")
        if found.by_words:
            hits, count = sum(len(file.hits) for file in files), len(files)
    if group is HitGroup.LITERAL and not found.counted:
        return f"{title} · {_('counting…')}"
    lines = ngettext("{count} line", "{count} lines", hits).format(count=f"{hits:,}")
    where = ngettext("in {count} file", "in {count} files", count).format(count=f"{count:,}")
    return f"{title} · {lines} {where}"


def _is_same(new: Row, old: Row) -> bool:
    """Whether a row stays where it is, be it that a heading tells another count."""
    return new == old or (new.kind is RowKind.HEADING and old.kind is RowKind.HEADING and new.group is old.group)


class ResultsModel(QAbstractListModel):
    """The rows of one answer. A new answer takes the place of the old one, but rows that only get company stay."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []

    def show(self, found: Found | None) -> bool:
        """Show this answer; None: nothing. Answers whether all rows from before are still where they were."""
        rows = _rows(found) if found is not None else []
        before = len(self._rows)
        if before and len(rows) >= before and all(map(_is_same, rows, self._rows)):
            retold = [i for i, (new, old) in enumerate(zip(rows, self._rows, strict=False)) if new != old]
            self._rows[:] = rows[:before]
            for number in retold:
                self.dataChanged.emit(self.index(number), self.index(number))
            if len(rows) > before:
                self.beginInsertRows(QModelIndex(), before, len(rows) - 1)
                self._rows = rows
                self.endInsertRows()
            return True
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()
        return False

    def row(self, index: Index) -> Row | None:
        """The row at an index."""
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def hit_rows(self) -> list[int]:
        """The numbers of the rows that are matches, in order."""
        return [number for number, row in enumerate(self._rows) if row.kind is RowKind.HIT]

    def row_of(self, hit: SearchHit) -> int | None:
        """Where the row of that file and line is, if it is still among the answers."""
        for number, row in enumerate(self._rows):
            same = row.hit is not None and _place(row.hit) == _place(hit)
            if same and row.kind is RowKind.HIT:
                return number
        return None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row(index)
        if row is None or row.kind is RowKind.HEADING:
            return Qt.ItemFlag.NoItemFlags | Qt.ItemFlag.ItemNeverHasChildren
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(row)
        if row.hit is None:
            return None
        if role == PATH_ROLE:
            # Qt drops what is no UTF-8 from a text, and what is left could name another file: it is given as shown.
            odd = any("\ud800" <= c <= "\udfff" for c in row.hit.path)
            return shown(row.hit.path) if odd else row.hit.path
        if role == LINE_ROLE:
            return row.hit.line
        if role == GROUP_ROLE:
            return row.hit.group.value
        if role == Qt.ItemDataRole.ToolTipRole:
            place = f"{shown(row.hit.path)}:{row.hit.line}"
            if row.hit.version:
                place = _("{place}, as of version {number}").format(place=place, number=row.hit.version)
            return plain(_("{place}\nCtrl+I tells why it is here").format(place=place))
        return None


def _place(hit: SearchHit) -> tuple[str, int, int]:
    return hit.path, hit.line, hit.version


def _spoken(row: Row) -> str:
    if row.kind is RowKind.HEADING or row.hit is None:
        return row.text
    if row.kind is RowKind.FILE:
        lines = ngettext("{count} line", "{count} lines", row.count).format(count=row.count)
        return f"{shown(row.hit.path)}, {lines}"
    if row.hit.in_name:
        return _("{name}, by its name").format(name=shown(row.hit.path))
    if row.hit.version:
        said = _("{name}, version {number}, line {line}: {text}")
        return said.format(name=shown(name_of(row.hit.path)), number=row.hit.version, line=row.hit.line, text=row.text)
    return _("{name}, line {line}: {text}").format(name=shown(name_of(row.hit.path)), line=row.hit.line, text=row.text)
