"""What happened as rows: the newest first, under the day on which it was."""

from __future__ import annotations

import datetime
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from memgui.domain.activity import Event, EventKind
from memgui.domain.origin import OriginKind
from memgui.domain.paths import name_of, shown, told
from memgui.gui.kit.tips import plain
from memgui.gui.models.days_model import day_words, near_words
from memgui.gui.models.review_model import moment_words
from memgui.i18n import _

PATH_ROLE = int(Qt.ItemDataRole.UserRole)
LINE_ROLE = PATH_ROLE + 1
KIND_ROLE = PATH_ROLE + 2
EVENT_ROLE = PATH_ROLE + 20
"""The `Event` itself; None: the row is the heading of a day."""

_LONGEST_NAME = 30

Row = Event | datetime.date
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class ActivityModel(QAbstractListModel):
    """Rows, the newest first; what is older is asked for as one comes near the end."""

    more_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._known: dict[str, Event] = {}
        self._is_all = True
        self._is_asked = False

    @property
    def events(self) -> list[Event]:
        """What is listed, the newest first."""
        return [row for row in self._rows if isinstance(row, Event)]

    @property
    def newest(self) -> Event | None:
        """The first that is listed."""
        return next((row for row in self._rows if isinstance(row, Event)), None)

    @property
    def oldest(self) -> Event | None:
        """The last that is listed."""
        last = self._rows[-1] if self._rows else None
        return last if isinstance(last, Event) else None

    def knows(self, event: Event) -> bool:
        """Whether it is listed, in whatever words."""
        return event.id in self._known

    def show(self, events: Sequence[Event], *, is_all: bool) -> None:
        """List these, and nothing else."""
        self.beginResetModel()
        self._rows = []
        self._known = {event.id: event for event in events}
        for event in events:
            self._rows += self._with_heading(event, self._rows[-1] if self._rows else None)
        self._is_all, self._is_asked = is_all, False
        self.endResetModel()

    def append(self, events: Sequence[Event], *, is_all: bool) -> None:
        """These happened before all that is listed."""
        rows: list[Row] = []
        for event in events:
            if event.id not in self._known:
                above = rows[-1] if rows else self._rows[-1] if self._rows else None
                rows += self._with_heading(event, above)
                self._known[event.id] = event
        self._is_all, self._is_asked = is_all, False
        if rows:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(rows) - 1)
            self._rows += rows
            self.endInsertRows()

    def join(self, events: Sequence[Event]) -> int:
        """Put what is new into its place, and tell newly what is told otherwise. How many there are more."""
        joined = self._put_on_top(events)
        for event in reversed(events):
            known = self._known.get(event.id)
            if known is None:
                joined += self._put(event)
            elif known != event:
                self._known[event.id] = event
                at = self.row_of(event)
                self._rows[at] = event
                self.dataChanged.emit(self.index(at), self.index(at))
        return joined

    def row_of(self, event: Event) -> int:
        """Where an event stands, or would."""
        return bisect_left(self._rows, _order(event), key=_order)

    def event_at(self, row: int) -> Event | None:
        """The event of a row; None where it is a heading."""
        found = self._rows[row] if 0 <= row < len(self._rows) else None
        return found if isinstance(found, Event) else None

    def _put_on_top(self, events: Sequence[Event]) -> int:
        """Put in at once what came after all that is listed; how many those are."""
        newest = self.newest
        if newest is None:
            return 0
        new = [event for event in events if event.key > newest.key and event.id not in self._known]
        same = [event for event in new if day_of(event) == day_of(newest)]
        later: list[Row] = []
        for event in new[: len(new) - len(same)]:
            later += self._with_heading(event, later[-1] if later else None)
        # Those of the same day come below its heading, which is the first row.
        for at, rows in ((1, same), (0, later)):
            if rows:
                self.beginInsertRows(QModelIndex(), at, at + len(rows) - 1)
                self._rows[at:at] = rows
                self.endInsertRows()
        self._known |= {event.id: event for event in new}
        return len(new)

    def _put(self, event: Event) -> bool:
        if self._rows and not self._is_all and self.oldest is not None and event.key < self.oldest.key:
            # It comes along with what is asked for later.
            return False
        at = self.row_of(event)
        above = self._rows[at - 1] if at else None
        rows = self._with_heading(event, above)
        self._known[event.id] = event
        self.beginInsertRows(QModelIndex(), at, at + len(rows) - 1)
        self._rows[at:at] = rows
        self.endInsertRows()
        return True

    @staticmethod
    def _with_heading(event: Event, above: Row | None) -> list[Row]:
        day = day_of(event)
        before = day_of(above) if isinstance(above, Event) else above
        return [event] if before == day else [day, event]

    # What Qt asks ------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and not self._is_all and not self._is_asked

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._is_asked = True
            self.more_wanted.emit()

    def flags(self, index: Index) -> Qt.ItemFlag:
        # The keyboard goes from event to event.
        return super().flags(index) if self.event_at(index.row()) is not None else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if not isinstance(row, Event):
            words = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
            return heading_words(row, datetime.date.today()) if role in words else None
        if role == PATH_ROLE:
            return None if row.path is None else told(row.path)
        if role == LINE_ROLE:
            return row.line
        if role == KIND_ROLE:
            return row.kind.value
        if role == EVENT_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return title_of(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(tip(row))
        return None


# Words ---------------------------------------------------------------------------------------------------------------


def title_of(event: Event) -> str:
    """What happened, with the bare name of the document; a long name of an agent must not hide what it did."""
    return event.told(shown(name_of(event.path)) if event.path is not None else "", longest=_LONGEST_NAME)


def place_of(event: Event) -> str:
    """The whole path of the document, or of the first of several."""
    return shown(event.path) if event.path is not None else ""


def rest_of(event: Event) -> str:
    """The line, and what the sentence does not say."""
    line = _("line {number}").format(number=f"{event.line:,}") if event.line is not None else ""
    return " · ".join(part for part in (line, event.more) if part)


def heading_words(day: datetime.date, today: datetime.date) -> str:
    """`Today · Mon 30 Nov`"""
    return " · ".join(part for part in (near_words(day, today), day_words(day, today)) if part)


def spoken(event: Event) -> str:
    """What a screen reader says of a row."""
    said = [event.sentence]
    if event.line is not None:
        said.append(_("line {number}").format(number=event.line))
    return ", ".join(part for part in (*said, event.more, moment_words(event.time)) if part)


def tip(event: Event) -> str:
    """All of it, with the whole moment."""
    when = f"{datetime.datetime.fromtimestamp(event.time):%Y-%m-%d %H:%M:%S}"
    paths = [shown(path) for path in event.paths[:10]]
    if len(event.paths) > len(paths):
        paths.append("…")
    return "\n".join(part for part in (title_of(event), event.more, *paths, when) if part)


def picture_of(event: Event) -> str:
    """The name of the icon that stands for it."""
    if event.kind is EventKind.WRITE:
        by_deed = {"create": "plus", "delete": "trash", "aborted": "close"}
        kind = event.origin.kind if event.origin is not None else OriginKind.OUTSIDE
        by_origin = {OriginKind.AGENT: "live", OriginKind.OUTSIDE: "document"}
        return by_deed.get(event.deed) or by_origin.get(kind, "edit")
    by_deed = {"accept": "check", "reject": "close", "edit": "edit", "trash": "trash", "rename": "edit"}
    by_kind = {
        EventKind.REFUSAL: "lock",
        EventKind.HELD: "paused",
        EventKind.VERDICT: "undo",
        EventKind.MERGE: "review",
        EventKind.RESTORE: "clock",
        EventKind.FILING: "arrow-right",
        EventKind.FACT: "fact",
        EventKind.FORGET: "invisibles",
        EventKind.RECOVERY: "refresh",
    }
    return by_deed.get(event.deed) or by_kind.get(event.kind, "info")


def is_grave(event: Event) -> bool:
    """Whether it is something that should not have been asked for."""
    return event.kind is EventKind.REFUSAL


def day_of(event: Event) -> datetime.date:
    """The day on which it was, where the person sits."""
    return datetime.datetime.fromtimestamp(event.time).date()


def _order(row: Row) -> tuple[float, int, tuple[int, ...]]:
    """By it rows stand: the newest first, a heading above its day."""
    if isinstance(row, Event):
        return -row.time, 1, tuple(-ord(letter) for letter in row.id)
    end = datetime.datetime.combine(row + datetime.timedelta(days=1), datetime.time())
    return -end.timestamp(), 0, ()
