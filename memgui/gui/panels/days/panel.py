"""`DaysPanel`: the week reader with its calendar, the list of odd dates, and the field for today."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QDate, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from memgui.domain.paths import DocPath, shown
from memgui.gui.kit.labels import SectionLabel, ThemedLabel
from memgui.gui.kit.layout import EmptyState, HairLine, column, row
from memgui.gui.kit.tips import plain
from memgui.gui.models.days_model import DaysModel, day_words, near_words, rows_of
from memgui.gui.panels.days.calendar import DayCalendar
from memgui.gui.panels.days.capture import CaptureField
from memgui.gui.panels.days.header import WeekHeader
from memgui.gui.panels.days.reader import WeekReader
from memgui.gui.theme import theme
from memgui.i18n import _
from memgui.ops.logs import LastEntry, Week

NARROW = 640
"""Where there is less room than this (at 100 %), the calendar stands above the week and not beside it."""
TALL = 620
"""So high (at 100 %) it has to be, for the calendar to stand above the week unasked."""
_ANY_LENGTH = 16_777_215


class DaysPanel(QWidget):
    """What was logged, day by day. It is shown weeks, and asks for others."""

    week_requested = Signal(object)
    """The `date` up to which seven days are wanted."""
    entry_chosen = Signal(object, int)
    """A `DocPath` and the line in it."""
    capture_requested = Signal(str)
    undo_requested = Signal()

    def __init__(self, today: datetime.date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("days")
        self.setAccessibleName(_("Days"))
        self.today = today
        self.week: Week | None = None
        self._newest_first = True
        self._goal: datetime.date | None = None
        self._enter = 0
        self._reveal: DocPath | None = None
        self._calendar_wanted: bool | None = None
        self._model = DaysModel(self)
        self.header = WeekHeader(self)
        self.reader = WeekReader(self._model, self)
        self.calendar = DayCalendar(self)
        self.capture = CaptureField(self)
        self._note = ThemedLabel("", self, colour="muted")
        self._note.setObjectName("dayNote")
        self._note.setWordWrap(True)
        self._last = QPushButton(_("Show it"), self)
        self._last.setObjectName("dayLast")
        self._last.setAccessibleName(_("Show the last logged day"))
        self._last.setProperty("flat", True)
        self._empty = EmptyState(self)
        self._stack = QStackedWidget(self)
        self._others = QListWidget(self)
        self._others.setObjectName("dayOthers")
        self._others.setAccessibleName(_("Other dates"))
        self._others.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._others.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._build()
        self._connect()
        self._place_calendar()
        theme().changed.connect(self._place_calendar)

    def _build(self) -> None:
        self._noted = QWidget(self)
        note = row(self._noted, margins=(14, 0, 14, 8), gap=8)
        note.addWidget(self._note, 1)
        note.addWidget(self._last)
        self._stack.addWidget(self.reader)
        self._stack.addWidget(self._empty)
        self._aside = QWidget(self)
        aside = column(self._aside, margins=(8, 8, 8, 8), gap=6)
        aside.addWidget(self.calendar)
        self._others_title = SectionLabel(_("Other dates"), self._aside)
        aside.addSpacing(8)
        aside.addWidget(self._others_title)
        aside.addWidget(self._others, 1)
        aside.addStretch(1)
        main = QWidget(self)
        main.setObjectName("dayMain")
        main.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        left = column(main)
        left.addWidget(self.header)
        left.addWidget(self._noted)
        left.addWidget(HairLine(main))
        left.addWidget(self._stack, 1)
        left.addWidget(HairLine(main))
        left.addWidget(self.capture)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._halves.setContentsMargins(0, 0, 0, 0)
        self._halves.setSpacing(0)
        self._halves.addWidget(main, 1)
        self._halves.addWidget(self._aside)
        self._aside.setAutoFillBackground(True)
        self.setFocusProxy(self.reader)

    def _connect(self) -> None:
        self.header.week_stepped.connect(self._step_week)
        self.header.today_requested.connect(self.go_to_today)
        self.header.calendar_toggled.connect(self._want_calendar)
        self.reader.chosen.connect(self._choose)
        self.reader.day_changed.connect(self.calendar.show_day)
        self.calendar.day_chosen.connect(self.go_to)
        self.calendar.clicked.connect(self._choose_date)
        self.calendar.activated.connect(self._choose_date)
        self.capture.requested.connect(self.capture_requested)
        self.capture.undo_requested.connect(self.undo_requested)
        self.capture.left.connect(self.reader.setFocus)
        self._last.clicked.connect(self._go_to_last)
        self._empty.chosen.connect(self._go_to_field)
        self._others.itemActivated.connect(self._choose_other)
        self._others.itemClicked.connect(self._choose_other)

    # What it shows ---------------------------------------------------------------------------------------------------

    def show_week(self, week: Week) -> None:
        """Show these seven days; where they are shown already, what is being read stays where it is."""
        # Weeks that overlap share days: at midnight, what is read stays in sight.
        same = self.week is not None and self._goal is None and bool(set(self.week.dates) & set(week.dates))
        self.week = week
        rows = rows_of(week, today=self.today, newest_first=self._newest_first)
        if same:
            self.reader.apply_rows(rows)
        else:
            self.reader.show_rows(rows)
        first, last = week.dates[0], week.dates[-1]
        self.header.show_week(first, last, has_later=last < self._newest)
        self.calendar.show_days(frozenset(week.days.logs), week=week.dates, today=self.today)
        self.capture.show_target(week.target)
        self._show_note()
        self._show_others(week.days.other)
        self._show_emptiness()
        self._arrive()
        if self._reveal is not None:
            self.reveal(self._reveal)

    def reveal(self, path: DocPath) -> None:
        """Choose the last entry of a log, now and when it is next shown, where its day is on top."""
        self._reveal = None if self._reveal == path else path
        day = next((row.day for row in reversed(self._model.rows) if row.path == path), None)
        if day is None or day == self.reader.top_day:
            self.reader.choose_last_of(path)

    def show_today(self, day: datetime.date) -> None:
        """It is another day now; what is read stays where it is."""
        self.today = day
        if self.week is not None:
            self.show_week(self.week)

    def set_newest_first(self, newest_first: bool) -> None:
        """Show the newest day first, or last."""
        if newest_first != self._newest_first:
            self._newest_first = newest_first
            if self.week is not None:
                self.reader.show_rows(rows_of(self.week, today=self.today, newest_first=newest_first))

    @property
    def note(self) -> str:
        """The sentence above the week, empty where there is nothing to say."""
        return self._note.text() if not self._noted.isHidden() else ""

    @property
    def _newest(self) -> datetime.date:
        """The last day that it is of use to go to."""
        dates = self.week.days.dates if self.week is not None else ()
        return max(self.today, dates[-1]) if dates else self.today

    def _show_note(self) -> None:
        week = self.week
        assert week is not None
        logged = bool(week.days.on(self.today))
        self._noted.setVisible(not logged and bool(week.days.dates))
        if logged:
            return
        words = _("Nothing logged today ({day}).").format(day=day_words(self.today, self.today))
        if week.last is not None:
            words += " " + _("Last: {moment}").format(moment=self._moment(week.last))
        self._note.setText(words)
        self._last.setVisible(week.last is not None and week.last.day not in week.dates)

    def _moment(self, last: LastEntry) -> str:
        near = near_words(last.day, self.today)
        day = near.lower() if near else day_words(last.day, self.today)
        return f"{day} {last.time}".rstrip()

    def _show_others(self, others: tuple[DocPath, ...]) -> None:
        there = [self._others.item(number).data(Qt.ItemDataRole.UserRole) for number in range(self._others.count())]
        if there != list(others):
            self._others.clear()
            for path in others:
                item = QListWidgetItem(shown(path))
                item.setData(Qt.ItemDataRole.UserRole, path)
                item.setToolTip(plain(shown(path)))
                self._others.addItem(item)
        self._others.setVisible(bool(others))
        self._others_title.setVisible(bool(others))

    def _show_emptiness(self) -> None:
        week = self.week
        assert week is not None
        nothing = not week.days.dates
        if nothing:
            target = shown(week.target) if week.target is not None else ""
            self._empty.show_state(
                icon="calendar",
                title=_("No daily logs here yet"),
                text=_("What an agent logs appears here by itself. A line that you add goes to {path}.").format(
                    path=target
                )
                if target
                else _("This workspace keeps facts and no daily log."),
                buttons=[("dayBegin", _("Add a line"))] if target else [],
            )
        self._stack.setCurrentWidget(self._empty if nothing else self.reader)

    # Going about -----------------------------------------------------------------------------------------------------

    @Slot(object)
    def go_to(self, day: datetime.date) -> None:
        """Bring a day to the top, whichever week it is in."""
        week = self.week
        if week is not None and day in week.dates:
            self.reader.choose_day(day)
            self.calendar.show_day(day)
            return
        until = day
        if week is not None and day > week.until:
            # Forward, the days that come next are shown with it.
            until = max(day, min(_plus(day, 6), self._newest))
        self._ask(until, goal=day)

    @Slot()
    def go_to_today(self) -> None:
        """The seven days up to today, today on top."""
        if self.week is not None and self.week.until == self.today:
            self.reader.choose_day(self.today)
        else:
            self._ask(self.today, goal=self.today)

    def _ask(self, until: datetime.date, *, goal: datetime.date | None = None, enter: int = 0) -> None:
        self._goal, self._enter = goal, enter
        self.week_requested.emit(until)

    def _arrive(self) -> None:
        """Go where one was going when the week was asked for."""
        goal, self._goal = self._goal, None
        enter, self._enter = self._enter, 0
        if goal is not None:
            self.reader.choose_day(goal)
            self.calendar.show_day(goal)
        elif enter > 0:
            self.reader.step_entry(1)
        elif enter < 0:
            self.reader.choose_last()

    @Slot(int)
    def _step_week(self, step: int) -> None:
        if self.week is not None and (step < 0 or self.week.until < self._newest):
            until = _plus(self.week.until, 7 * step)
            self._ask(min(until, self._newest) if step > 0 else until)

    def _step_day(self, step: int) -> None:
        here = self.reader.current_day or self.today
        day = _plus(here, step)
        if day <= self._newest:
            self.go_to(day)

    def _step_entry(self, step: int) -> None:
        """The next row, in the next week that has one where this week has no more."""
        week = self.week
        if week is None or self.reader.step_entry(step):
            return
        if (step > 0) == self._newest_first:
            day = week.days.last_until(_plus(week.dates[0], -1))
            if day is not None and day < week.dates[0]:
                self._ask(day, enter=step)
        else:
            day = week.days.first_from(_plus(week.until, 1))
            if day is not None and day > week.until:
                self._ask(max(day, min(_plus(day, 6), self._newest)), enter=step)

    @Slot()
    def _go_to_last(self) -> None:
        if self.week is not None and self.week.last is not None:
            self.go_to(self.week.last.day)

    @Slot(str)
    def _go_to_field(self, name: str) -> None:  # noqa: ARG002
        self.capture.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(QDate)
    def _choose_date(self, date: QDate) -> None:
        self.go_to(datetime.date(date.year(), date.month(), date.day()))

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        row = self.reader.row(index)
        if row is not None and row.path is not None:
            self.entry_chosen.emit(row.path, row.line)

    @Slot(QListWidgetItem)
    def _choose_other(self, item: QListWidgetItem) -> None:
        self.entry_chosen.emit(item.data(Qt.ItemDataRole.UserRole), 1)

    # Events ----------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Single letters: what has the keyboard let them through, so it is no text field."""
        deeds: dict[tuple[Qt.Key, bool], Callable[[], object]] = {
            (Qt.Key.Key_J, False): partial(self._step_entry, 1),
            (Qt.Key.Key_K, False): partial(self._step_entry, -1),
            (Qt.Key.Key_N, False): partial(self._step_day, 1),
            (Qt.Key.Key_P, False): partial(self._step_day, -1),
            (Qt.Key.Key_N, True): partial(self._step_week, 1),
            (Qt.Key.Key_P, True): partial(self._step_week, -1),
            (Qt.Key.Key_T, False): self.go_to_today,
        }
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        shift = modifiers == Qt.KeyboardModifier.ShiftModifier
        deed = deeds.get((Qt.Key(event.key()), shift)) if shift or not modifiers else None
        if deed is not None:
            deed()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_calendar()

    @Slot(bool)
    def _want_calendar(self, wanted: bool) -> None:
        self._calendar_wanted = wanted
        self._place_calendar()

    @Slot()
    def _place_calendar(self) -> None:
        """Beside the week where there is room; else above it, where that leaves enough of it or a person asks."""
        narrow = self.width() < theme().px(NARROW)
        wanted = self._calendar_wanted
        above = self.height() >= theme().px(TALL) if wanted is None else wanted
        self.header.show_calendar_button(shown=narrow, checked=above)
        self._aside.setVisible(not narrow or above)
        side = QBoxLayout.Direction.BottomToTop if narrow else QBoxLayout.Direction.LeftToRight
        if self._halves.direction() != side:
            self._halves.setDirection(side)
        width = self.calendar.sizeHint().width() + 16
        self._aside.setMinimumWidth(0 if narrow else width)
        self._aside.setMaximumWidth(_ANY_LENGTH if narrow else width)
        self.calendar.setFixedHeight(self.calendar.sizeHint().height())
        self._others.setMaximumHeight(theme().px(84) if narrow else _ANY_LENGTH)
        self._aside.setSizePolicy(
            QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum if narrow else QSizePolicy.Policy.Preferred
        )


def _plus(day: datetime.date, days: int) -> datetime.date:
    """The day so many days on, within the calendar."""
    number = day.toordinal() + days
    return datetime.date.fromordinal(min(max(number, 7), datetime.date.max.toordinal()))
