"""The rows of a difference as a list model: each row has words for a screen reader."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from memgui.domain.invisible import explained, places
from memgui.gui.kit.difference_rows import Difference, Row, RowKind, Sign, heading_over, rows_of, shown_line
from memgui.gui.kit.difference_words import Marks, changed_words, partners
from memgui.i18n import _, ngettext

KEY_ROLE = int(Qt.ItemDataRole.UserRole)
"""The key of the part that the row belongs to; None outside of all."""
SIGN_ROLE = KEY_ROLE + 1
"""`+`, `−`, or a blank for a line that is alike; empty for what is no line."""
LINE_ROLE = KEY_ROLE + 2
"""The line's number on its own side, from 1; None for what is no line."""

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_MOST_NAMED = 3


class DifferenceModel(QAbstractListModel):
    """Answers for the rows, and finds the words that changed in those that are looked at."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.difference = Difference((), (), ())
        self.rows: list[Row] = []
        self.generation = 0
        """Counts how often the rows were laid out anew."""
        self._opened: set[int] = set()
        self._edited = -1
        self._notes: dict[str, str] = {}
        self._partners: dict[int, dict[tuple[Sign, int], int]] = {}
        self._marks: dict[tuple[Sign, int], Marks] = {}

    def show(self, difference: Difference, *, opened: Collection[int] = ()) -> None:
        """Show another difference."""
        self.beginResetModel()
        self.difference = difference
        self._opened, self._edited = set(opened), -1
        self._partners.clear()
        self._marks.clear()
        self._lay_out()
        self.endResetModel()

    def open_fold(self, gap: int) -> None:
        """Show what was folded away between two parts."""
        self.beginResetModel()
        self._opened.add(gap)
        self._lay_out()
        self.endResetModel()

    def edit(self, part: int) -> None:
        """Make room for a field in the place of a part's new lines; -1: no more."""
        self.beginResetModel()
        self._edited = part
        self._lay_out()
        self.endResetModel()

    def note(self, notes: Mapping[str, str]) -> bool:
        """Say these of parts, by their keys; True where that is new."""
        before, self._notes = self._notes, dict(notes)
        return before != self._notes

    def _lay_out(self) -> None:
        self.rows = rows_of(self.difference, opened=self._opened, edited=self._edited)
        self.generation += 1

    def head_of(self, part: int) -> int:
        """The row over a part; -1 where there is none."""
        return next((n for n, row in enumerate(self.rows) if row.part == part and row.kind is RowKind.HEAD), -1)

    def span_of(self, part: int) -> tuple[int, int]:
        """The first row of a part's own lines and the one behind its last."""
        own = [n for n, row in enumerate(self.rows) if row.part == part and row.kind is not RowKind.HEAD]
        if not own:
            # Bytes that have no lines: there is its head alone.
            head = self.head_of(part)
            return head, head + 1
        return own[0], own[-1] + 1

    def key_at(self, row: int) -> str | None:
        """The key of the part that a row belongs to."""
        part = self.rows[row].part if 0 <= row < len(self.rows) else -1
        return self.difference.parts[part].key if part >= 0 else None

    def raw(self, row: Row) -> str:
        """The line itself, with all that cannot be seen."""
        line = self.difference.after[row.new - 1] if row.new else self.difference.before[row.old - 1]
        return line.rstrip("\r\n")

    def marks(self, row: Row) -> Marks:
        """From where to where a changed line is other than the one that stood in its place."""
        if row.kind is not RowKind.LINE or row.sign is Sign.SAME:
            return ()
        here = (row.sign, row.old or row.new)
        if here not in self._marks:
            self._compare(row)
        return self._marks[here]

    def _compare(self, row: Row) -> None:
        here = (row.sign, row.old or row.new)
        part = self.difference.parts[row.part]
        if part.removed == part.added:
            # By place, for which nothing has to be looked for.
            ahead = part.new_start - part.start
            other: int | None = here[1] + (ahead if row.sign is Sign.REMOVED else -ahead)
        else:
            other = self._partners_in(row.part).get(here)
        if other is None:
            self._marks[here] = ()
            return
        old, new = (here[1], other) if row.sign is Sign.REMOVED else (other, here[1])
        texts = (self.difference.before[old - 1], self.difference.after[new - 1])
        ours, theirs = changed_words(*(shown_line(text, changed=True) for text in texts))
        self._marks[(Sign.REMOVED, old)], self._marks[(Sign.ADDED, new)] = ours, theirs

    def _partners_in(self, number: int) -> dict[tuple[Sign, int], int]:
        if number not in self._partners:
            part = self.difference.parts[number]
            removed = self.difference.before[part.start : part.start + part.removed]
            added = self.difference.after[part.new_start : part.new_start + part.added]
            found: dict[tuple[Sign, int], int] = {}
            for a, b in partners(removed, added):
                old, new = part.start + a + 1, part.new_start + b + 1
                found[(Sign.REMOVED, old)], found[(Sign.ADDED, new)] = new, old
            self._partners[number] = found
        return self._partners[number]

    # Words -------------------------------------------------------------------------------------------------------

    def text(self, row: Row) -> str:
        """What stands in the row."""
        if row.kind is RowKind.HEAD:
            return self._head(row)
        if row.kind is RowKind.FOLD:
            words = ngettext("{count} unchanged line", "{count} unchanged lines", row.old)
            return words.format(count=f"{row.old:,}")
        if row.kind is RowKind.MORE:
            words = ngettext(
                "{count} more line, to be read in the file", "{count} more lines, to be read in the file", row.old
            )
            return f"{row.sign} … {words.format(count=f'{row.old:,}')}"
        return said_of_hidden(row.text) if row.kind is RowKind.NOTE else row.text

    def _head(self, row: Row) -> str:
        part = self.difference.parts[row.part]
        words = _("change {number} of {count} · line {line}").format(
            number=row.part + 1, count=f"{len(self.difference.parts):,}", line=f"{part.new_start + 1:,}"
        )
        heading = heading_over(self.difference, part)
        return " · ".join(said for said in (words, heading, self._notes.get(part.key, "")) if said)

    def spoken(self, row: Row) -> str:
        """What a screen reader says of the row."""
        text = self.text(row)
        if row.kind is RowKind.FOLD:
            return _("{words}, folded").format(words=text)
        if row.kind is RowKind.EDITOR:
            return _("edited here")
        if row.kind is not RowKind.LINE:
            return text
        words = {
            (Sign.ADDED, False): _("added line {line}: {text}"),
            (Sign.ADDED, True): _("added line {line}, moved from elsewhere: {text}"),
            (Sign.REMOVED, False): _("removed line {line}: {text}"),
            (Sign.REMOVED, True): _("removed line {line}, moved elsewhere: {text}"),
        }.get((row.sign, row.moved), _("unchanged line {line}: {text}"))
        return words.format(line=row.new or row.old, text=text)

    # What Qt asks ------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        is_line = row.kind is RowKind.LINE
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{row.sign} {self.text(row)}" if is_line else self.text(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.spoken(row)
        if role == KEY_ROLE:
            return self.key_at(index.row())
        if role == SIGN_ROLE:
            return str(row.sign) if is_line else ""
        if role == LINE_ROLE:
            return (row.new or row.old) if is_line else None
        return None


def said_of_hidden(line: str) -> str:
    """Which characters of a line cannot be seen, in words."""
    found = list(dict.fromkeys(line[at] for at in places(line.rstrip("\r\n"))))
    named = ", ".join(explained(character) for character in found[:_MOST_NAMED])
    more = f", +{len(found) - _MOST_NAMED}" if len(found) > _MOST_NAMED else ""
    return _("contains hidden characters ({names})").format(names=named + more)
