"""The calendar: days with logs carry a dot, the day on top is filled, today is ringed."""

from __future__ import annotations

import datetime
from collections.abc import Collection

from PySide6.QtCore import QDate, QLocale, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPalette, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QSpinBox, QTableView, QToolButton, QWidget

from memgui.gui import icons
from memgui.gui.theme import blend, current, theme
from memgui.i18n import _

_FIRST, _LAST = QDate(1, 1, 7), QDate(9999, 12, 31)


class DayCalendar(QCalendarWidget):
    """A month to choose a day from. `day_chosen` carries the `date`, whoever chose it."""

    day_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dayCalendar")
        self.setAccessibleName(_("Days with logs"))
        self._logged: Collection[datetime.date] = frozenset()
        self._week: tuple[datetime.date, ...] = ()
        self._today: datetime.date | None = None
        self.setFirstDayOfWeek(QLocale().firstDayOfWeek())
        self.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.setHorizontalHeaderFormat(QCalendarWidget.HorizontalHeaderFormat.ShortDayNames)
        self.setGridVisible(False)
        self.setDateRange(_FIRST, _LAST)
        self.setDateEditEnabled(False)
        self._name_parts()
        self.selectionChanged.connect(self._tell)
        self.currentPageChanged.connect(self._describe)
        self.dress()
        theme().changed.connect(self.dress)

    def _name_parts(self) -> None:
        for name, words, icon in (
            ("qt_calendar_prevmonth", _("Previous month"), "chevron-left"),
            ("qt_calendar_nextmonth", _("Next month"), "chevron-right"),
            ("qt_calendar_monthbutton", _("Month"), ""),
            ("qt_calendar_yearbutton", _("Year"), ""),
        ):
            button = self.findChild(QToolButton, name)
            if isinstance(button, QToolButton):
                button.setAccessibleName(words)
                button.setToolTip(words)
                if icon:
                    button.setIcon(icons.icon(icon))
        year = self.findChild(QSpinBox, "qt_calendar_yearedit")
        if isinstance(year, QSpinBox):
            year.setAccessibleName(_("Year"))
        view = self.findChild(QTableView, "qt_calendar_calendarview")
        if isinstance(view, QTableView):
            view.setAccessibleName(_("Days of the month"))

    def show_days(
        self, logged: Collection[datetime.date], *, week: tuple[datetime.date, ...], today: datetime.date
    ) -> None:
        """Show which days have a log, which are being read, and which is today."""
        if (logged, week, today) != (self._logged, self._week, self._today):
            self._logged, self._week, self._today = frozenset(logged), week, today
            self.updateCells()
            self._describe()

    @Slot()
    def _describe(self) -> None:
        """What the dots show, for those who do not see them."""
        days = sorted(day.day for day in self._logged if (day.year, day.month) == (self.yearShown(), self.monthShown()))
        words = _("Days with logs: {days}").format(days=", ".join(map(str, days))) if days else _("No logs this month")
        self.setAccessibleDescription(words)

    def show_day(self, day: datetime.date) -> None:
        """Show this day as the one being read, without telling anybody."""
        before = self.blockSignals(True)
        self.setSelectedDate(QDate(day.year, day.month, day.day))
        self.blockSignals(before)

    @Slot()
    def _tell(self) -> None:
        day = self._chosen()
        if day is not None:
            self.day_chosen.emit(day)

    def sizeHint(self) -> QSize:
        side = max(24, theme().px(32))
        return QSize(7 * side + theme().px(8), 7 * side + theme().px(36)).expandedTo(super().minimumSizeHint())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @Slot()
    def dress(self) -> None:
        """Take fonts and colours from the theme anew."""
        colours = current()
        plain = QTextCharFormat()
        plain.setForeground(QColor(colours.text))
        for day in Qt.DayOfWeek:
            self.setWeekdayTextFormat(day, plain)
        header = QTextCharFormat()
        header.setForeground(QColor(colours.muted))
        header.setBackground(QColor(colours.side))
        header.setFont(theme().font(0.85))
        self.setHeaderTextFormat(header)
        self.setFont(theme().font(0.95))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, QColor(colours.side))
        palette.setColor(QPalette.ColorRole.AlternateBase, QColor(colours.side))
        self.setPalette(palette)
        self.updateGeometry()
        self.updateCells()

    def paintCell(self, painter: QPainter, rect: QRect, date: QDate | datetime.date) -> None:
        colours = current()
        painter.fillRect(rect, QColor(colours.side))
        day = date if isinstance(date, datetime.date) else _day_of(date)
        if day is not None:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_day(painter, rect, day)
            painter.restore()

    def _paint_day(self, painter: QPainter, rect: QRect, day: datetime.date) -> None:
        colours = current()
        side = min(rect.width(), rect.height()) - 2
        box = QRect(rect.center().x() - side // 2, rect.center().y() - side // 2, side, side)
        radius = theme().px(6)
        chosen = self._chosen() == day
        if day in self._week:
            painter.fillRect(rect.adjusted(0, 2, 0, -2), QColor(colours.hover))
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.selection))
            painter.drawRoundedRect(box, radius, radius)
        if day == self._today:
            pen = painter.pen()
            pen.setStyle(Qt.PenStyle.SolidLine)
            pen.setColor(QColor(colours.focus))
            pen.setWidth(2)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), radius, radius)
        inside = day.month == self.monthShown()
        has_log = day in self._logged
        painter.setFont(theme().font(0.95, bold=has_log))
        faint = blend(colours.muted, colours.side, 0.25)
        painter.setPen(QColor(colours.text) if inside else faint)
        lift = theme().px(2)
        painter.drawText(box.adjusted(0, -lift, 0, -lift), Qt.AlignmentFlag.AlignCenter, str(day.day))
        if has_log:
            dot = theme().px(5)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent) if inside else faint)
            painter.drawEllipse(QRect(box.center().x() - dot // 2, box.bottom() - dot - theme().px(2), dot, dot))

    def _chosen(self) -> datetime.date | None:
        return _day_of(self.selectedDate())


def _day_of(date: QDate) -> datetime.date | None:
    """The same day; None for one that no log can be of (before the year 1, after 9999)."""
    if not datetime.MINYEAR <= date.year() <= datetime.MAXYEAR:
        return None
    return datetime.date(date.year(), date.month(), date.day())
