"""The changes that no person has accepted, as rows: what the list of the review answers for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from memgui.domain.paths import DocPath, name_of, shown, told
from memgui.domain.review import Alarm, ChangeShape, PendingChange
from memgui.gui.kit.tips import plain
from memgui.i18n import _, ngettext

ID_ROLE = int(Qt.ItemDataRole.UserRole)
PATH_ROLE = ID_ROLE + 1
KIND_ROLE = ID_ROLE + 2
ROW_ROLE = ID_ROLE + 20
"""The `ChangeRow` itself."""

MOST_STEPS = 60
"""Where more rows are others than before, the list begins anew."""

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change, and how far the person has come with it: so many of its hunks are decided, of how many."""

    change: PendingChange
    done: int = 0
    total: int = 0


class ReviewModel(QAbstractListModel):
    """Rows in the order in which they are to be read: alarms first, then the newest."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._changes: tuple[PendingChange, ...] = ()
        self._rows: dict[DocPath, int] | None = None
        self._progress: Mapping[DocPath, tuple[int, int]] = {}

    @property
    def changes(self) -> tuple[PendingChange, ...]:
        """What the rows stand for, top to bottom."""
        return self._changes

    def show(self, changes: Sequence[PendingChange]) -> None:
        """Become these: rows are taken out and put in where few came or went, else the list begins anew."""
        wanted = tuple(changes)
        if not self._step_to(wanted):
            self.beginResetModel()
            self._set(wanted)
            self.endResetModel()

    def show_progress(self, progress: Mapping[DocPath, tuple[int, int]]) -> None:
        """How far the person has come, by path: (decided, of how many)."""
        touched = [path for path in {*progress, *self._progress} if progress.get(path) != self._progress.get(path)]
        self._progress = dict(progress)
        for path in touched:
            if (row := self.row_of(path)) >= 0:
                self.dataChanged.emit(self.index(row), self.index(row))

    def row_of(self, path: DocPath | None) -> int:
        """The row of a document's change; -1 where there is none."""
        if self._rows is None:
            self._rows = {}
            for row, change in enumerate(self._changes):
                self._rows.setdefault(change.path, row)
        return -1 if path is None else self._rows.get(path, -1)

    def change_at(self, row: int) -> PendingChange | None:
        """The change of a row."""
        return self._changes[row] if 0 <= row < len(self._changes) else None

    def _set(self, changes: tuple[PendingChange, ...]) -> None:
        self._changes, self._rows = changes, None

    def _step_to(self, wanted: tuple[PendingChange, ...]) -> bool:
        """By single rows, so that what is chosen and where one has scrolled to stay; False where that is too much."""
        head, tail = _alike(self._changes, wanted)
        old, new = self._changes[head : len(self._changes) - tail], wanted[head : len(wanted) - tail]
        if len(old) + len(new) > MOST_STEPS:
            return False
        keys, known = {_key(change) for change in new}, {_key(change) for change in old}
        left = [_key(change) for change in old if _key(change) in keys]
        if left != [_key(change) for change in new if _key(change) in known]:
            return False
        for row in reversed([head + at for at, change in enumerate(old) if _key(change) not in keys]):
            self.beginRemoveRows(QModelIndex(), row, row)
            self._set(self._changes[:row] + self._changes[row + 1 :])
            self.endRemoveRows()
        for row, change in [(head + at, change) for at, change in enumerate(new) if _key(change) not in known]:
            self.beginInsertRows(QModelIndex(), row, row)
            self._set((*self._changes[:row], change, *self._changes[row:]))
            self.endInsertRows()
        self._set(wanted)
        if new:
            self.dataChanged.emit(self.index(head), self.index(head + len(new) - 1))
        return True

    # What Qt asks ------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._changes)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        change = self.change_at(index.row()) if index.isValid() else None
        if change is None:
            return None
        if role == ID_ROLE:
            return change.id
        if role == PATH_ROLE:
            return told(change.path)
        if role == KIND_ROLE:
            return change.kind.value
        if role == ROW_ROLE:
            return ChangeRow(change, *self._progress.get(change.path, (0, 0)))
        if role == Qt.ItemDataRole.DisplayRole:
            return shown(name_of(change.path))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(ChangeRow(change, *self._progress.get(change.path, (0, 0))))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(tip(change))
        return None


def _alike(one: Sequence[PendingChange], other: Sequence[PendingChange]) -> tuple[int, int]:
    """How many changes both begin with, and how many after that both end with. What did not change is one object."""
    shorter = min(len(one), len(other))
    head = next((at for at in range(shorter) if one[at] is not other[at]), shorter)
    tail = next((at for at in range(shorter - head) if one[-1 - at] is not other[-1 - at]), shorter - head)
    return head, tail


def _key(change: PendingChange) -> tuple[DocPath, str]:
    """What a row stands for, whatever becomes of it. Of held changes a document may have several."""
    return change.path, change.id if change.held else ""


# Words ---------------------------------------------------------------------------------------------------------------


def kind_words(change: PendingChange) -> str:
    """What happened to the document, in a word or two."""
    words = {
        ChangeShape.APPEND: _("added to the end"),
        ChangeShape.EDIT: _("edited"),
        ChangeShape.SHRINK: _("shortened"),
        ChangeShape.REWRITE: _("rewritten"),
        ChangeShape.CREATE: _("new file"),
        ChangeShape.DELETE: _("deleted"),
        ChangeShape.RENAME: _("renamed"),
    }[change.kind]
    if change.held:
        return _("waits for you")
    if change.renamed_from is not None:
        return _("renamed from {name}").format(name=shown(name_of(change.renamed_from)))
    return words


def alarm_words(change: PendingChange) -> str:
    """The gravest reason why it stands first, in few words; empty for what is no alarm."""
    if not change.reasons:
        return ""
    if change.kind is ChangeShape.DELETE and Alarm.PROTECTED not in change.reasons:
        return _("deleted")
    return {
        Alarm.PROTECTED: _("identity file"),
        Alarm.DAILY_LOG: _("log altered"),
        Alarm.STATUS: _("status changed"),
        Alarm.DELETED: _("deleted"),
        Alarm.REWRITTEN: _("rewritten"),
        Alarm.SHRUNK: _("lines lost"),
    }[change.reasons[0]]


def who_words(change: PendingChange) -> str:
    """Who wrote it, by what the journal knows."""
    return ", ".join(_("outside") if who == "outside" else who for who in change.who)


def moment_words(seconds: float, now: datetime | None = None) -> str:
    """`14:03` today, `Sat 28 Nov 18:20` this year, else with the year."""
    if seconds <= 0:
        return ""
    when, today = datetime.fromtimestamp(seconds), now or datetime.now()
    if when.date() == today.date():
        return f"{when:%H:%M}"
    return f"{when:%a} {when.day} {when:%b %H:%M}" if when.year == today.year else f"{when:%Y-%m-%d %H:%M}"


def lines_words(change: PendingChange) -> str:
    """How many lines came and went, as `+3 −1`."""
    parts = [f"+{change.added:,}" if change.added else "", f"−{change.removed:,}" if change.removed else ""]
    return " ".join(part for part in parts if part)


def spoken(row: ChangeRow) -> str:
    """What a screen reader says of a row."""
    change = row.change
    said = [shown(change.path), kind_words(change)]
    said += [reason.sentence.rstrip(".") for reason in change.reasons]
    if change.added:
        said.append(ngettext("{count} line added", "{count} lines added", change.added).format(count=change.added))
    if change.removed:
        said.append(
            ngettext("{count} line removed", "{count} lines removed", change.removed).format(count=change.removed)
        )
    said += [part for part in (who_words(change), moment_words(change.since)) if part]
    if row.done:
        said.append(_("{done} of {total} changes decided").format(done=row.done, total=row.total))
    said.append(_("seen") if change.seen else _("not looked at yet"))
    return ", ".join(said)


def tip(change: PendingChange) -> str:
    """The whole path and every reason."""
    lines = [shown(change.path), kind_words(change), *(f"⚠ {reason.sentence}" for reason in change.reasons)]
    return "\n".join(lines)
