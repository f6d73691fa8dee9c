"""The line above the week: which days are shown, and the ways to others."""

from __future__ import annotations

import datetime

from PySide6.QtCore import QDate, QLocale, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from memgui.gui.kit.buttons import IconButton
from memgui.gui.kit.labels import ElidedLabel
from memgui.gui.kit.layout import row
from memgui.i18n import _


class WeekHeader(QWidget):
    """`week_stepped` carries -1 or 1, `today_requested` nothing, `calendar_toggled` whether it is to be shown."""

    week_stepped = Signal(int)
    today_requested = Signal()
    calendar_toggled = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.previous = IconButton("chevron-left", _("Seven days earlier (Shift+P)"), self)
        self.next = IconButton("chevron-right", _("Seven days later (Shift+N)"), self)
        self.today = QPushButton(_("Today"), self)
        self.calendar = IconButton("calendar", _("Show the calendar"), self)
        for button, name in (
            (self.previous, "dayPrevious"),
            (self.next, "dayNext"),
            (self.today, "dayToday"),
            (self.calendar, "dayCalendarButton"),
        ):
            button.setObjectName(name)
        self.previous.setAccessibleName(_("Seven days earlier"))
        self.next.setAccessibleName(_("Seven days later"))
        self.today.setAccessibleName(_("Today"))
        self.today.setToolTip(_("Go to today (T)"))
        self.calendar.setCheckable(True)
        self._title = ElidedLabel("", self, scale=1.25, mode=Qt.TextElideMode.ElideRight)
        self._title.setObjectName("dayTitle")
        box = row(self, margins=(10, 8, 12, 8), gap=4)
        box.addWidget(self.previous)
        box.addWidget(self.next)
        box.addSpacing(6)
        box.addWidget(self._title, 1)
        box.addWidget(self.today)
        box.addWidget(self.calendar)
        self.previous.clicked.connect(self._go_back)
        self.next.clicked.connect(self._go_on)
        self.today.clicked.connect(self.today_requested)
        self.calendar.toggled.connect(self.calendar_toggled)

    def show_week(self, first: datetime.date, last: datetime.date, *, has_later: bool) -> None:
        """Name the days shown."""
        self._title.setText(span_words(first, last))
        self.next.setEnabled(has_later)

    def show_calendar_button(self, *, shown: bool, checked: bool) -> None:
        """Show or hide the button for the calendar, and whether the calendar is there; nobody is told."""
        before = self.calendar.blockSignals(True)
        self.calendar.setChecked(checked)
        self.calendar.blockSignals(before)
        self.calendar.setVisible(shown)

    @property
    def title(self) -> str:
        """The words that name the days shown."""
        return self._title.whole_text()

    def _go_back(self) -> None:
        self.week_stepped.emit(-1)

    def _go_on(self) -> None:
        self.week_stepped.emit(1)


def span_words(first: datetime.date, last: datetime.date) -> str:
    """`24–30 Nov 2026`, `28 Nov – 4 Dec 2026`, `29 Dec 2026 – 4 Jan 2027`."""
    locale = QLocale()

    def words(day: datetime.date, form: str) -> str:
        return locale.toString(QDate(day.year, day.month, day.day), form)

    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{words(last, 'd MMM yyyy')}"
    return f"{words(first, 'd MMM' if first.year == last.year else 'd MMM yyyy')} – {words(last, 'd MMM yyyy')}"
