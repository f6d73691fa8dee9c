"""The panel of days: rows, places, folding, the calendar and the field, without a session."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from memgui.domain.daily import Days
from memgui.domain.entries import entries
from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath
from memgui.gui.models.days_model import LONGEST_BODY, MOST_ENTRIES, PATH_ROLE, DaysModel, RowKind, rows_of
from memgui.gui.panels.days import DaysPanel
from memgui.gui.panels.days.header import span_words
from memgui.gui.panels.days.told import Span, told
from memgui.ops.logs import LogText, Week

TODAY = datetime.date(2026, 10, 12)
SUNDAY = datetime.date(2026, 10, 11)


def week(texts: dict[str, str], *, until: datetime.date = TODAY, other: Iterable[str] = ()) -> Week:
    days = Days.of([DocPath(path) for path in texts], [DocPath(path) for path in other])
    read = {}
    for logs in days.logs.values():
        for log in logs:
            lines = Lines.split(texts[log.path]).texts
            read[log.path] = LogText(log, None, lines, entries(lines))
    return Week(until, days, read, None, DocPath(f"daily/{TODAY}.md"))


def kinds(found: Week, *, newest_first: bool = True) -> list[tuple[RowKind, str]]:
    return [(row.kind, row.text) for row in rows_of(found, today=TODAY, newest_first=newest_first)]


@pytest.fixture(autouse=True)
def british() -> Iterator[None]:
    """Names of months and days, and the first day of the week, whatever the machine's language is."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def panel(qtbot: QtBot) -> DaysPanel:
    made = DaysPanel(TODAY)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    return made


def _log(*hours: int) -> str:
    return "".join(f"- {hour:02}:00 Entry {hour}\n" for hour in hours)


# Rows ---------------------------------------------------------------------------------------------------------------


def test_every_day_has_a_heading_and_says_what_was_logged() -> None:
    found = rows_of(week({"daily/2026-10-12.md": _log(9, 10)}), today=TODAY, newest_first=True)
    headings = [row for row in found if row.kind is RowKind.DAY]
    assert [row.day for row in headings] == [TODAY - datetime.timedelta(days=back) for back in range(7)]
    assert [row.detail for row in headings] == ["2 entries", *["no log"] * 6]
    assert [row.time for row in headings][:3] == ["Today", "Yesterday", ""]


def test_the_newest_day_can_come_last() -> None:
    found = rows_of(week({"daily/2026-10-12.md": _log(9)}), today=TODAY, newest_first=False)
    assert found[-2].day == TODAY
    assert found[-1].time == "09:00"


def test_several_logs_of_a_day_are_named() -> None:
    texts = {"daily/2026-10-12.md": _log(9), "daily/2026-10-12-crane.md": _log(8)}
    told_rows = [row for row in rows_of(week(texts), today=TODAY, newest_first=True) if row.day == TODAY]
    assert [(row.kind, row.text) for row in told_rows[1:]] == [
        (RowKind.LOG, "2026-10-12.md"),
        (RowKind.ENTRY, "Entry 9"),
        (RowKind.LOG, "2026-10-12-crane.md"),
        (RowKind.ENTRY, "Entry 8"),
    ]


def test_an_empty_log_and_one_that_is_too_long_say_so() -> None:
    long = "".join(f"- 09:00 {number}\n" for number in range(MOST_ENTRIES + 3))
    found = rows_of(week({"daily/2026-10-12.md": "", "daily/2026-10-11.md": long}), today=TODAY, newest_first=True)
    notes = [(row.text, row.line) for row in found if row.kind is RowKind.NOTE]
    assert notes == [("Nothing is written in this log.", 1), ("3 entries above, in the log itself", 1)]
    shown = [row.text for row in found if row.kind is RowKind.ENTRY]
    assert (shown[0], shown[-1]) == ("3", str(MOST_ENTRIES + 2))


def test_a_very_long_entry_says_what_is_left_out() -> None:
    text = "- 09:00 Long\n" + "  x\n" * (LONGEST_BODY + 9)
    row = next(r for r in rows_of(week({"daily/2026-10-12.md": text}), today=TODAY, newest_first=True) if r.path)
    assert row.body[-1] == "… 10 more lines in the log"
    assert told(replace(row, text="y" * 9_000), 9).lines[0].endswith("y…")


def test_the_calendar_tells_in_words_which_days_have_logs(panel: DaysPanel) -> None:
    panel.show_week(week({"daily/2026-10-12.md": _log(9), "daily/2026-10-03.md": _log(9)}))
    assert panel.calendar.accessibleDescription() == "Days with logs: 3, 12"
    panel.calendar.showPreviousMonth()
    assert panel.calendar.accessibleDescription() == "No logs this month"


def test_a_chosen_entry_can_be_copied(panel: DaysPanel) -> None:
    panel.show_week(week({"daily/2026-10-12.md": "- 09:00 Tide\n  low\n"}))
    panel.reader.step_entry(1)
    panel.reader.copy()
    assert QGuiApplication.clipboard().text() == "09:00  Tide\n  low"


def test_an_entry_of_another_date_tells_it() -> None:
    found = rows_of(week({"daily/2026-10-12.md": "- 2026-10-11T23:50Z Late\n"}), today=TODAY, newest_first=True)
    entry = next(row for row in found if row.kind is RowKind.ENTRY)
    assert (entry.time, entry.date) == ("23:50Z", "2026-10-11")
    assert told(entry, 9).lines == ("2026-10-11  Late",)


# The model ----------------------------------------------------------------------------------------------------------


def test_rows_that_stay_keep_their_indexes(qtbot: QtBot) -> None:
    model = DaysModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    before = week({"daily/2026-10-12.md": _log(9), "daily/2026-10-11.md": _log(8, 12)})
    model.show(rows_of(before, today=TODAY, newest_first=True))
    held = QPersistentModelIndex(model.index(4, 0))
    assert held.data(PATH_ROLE + 2) == "12:00"
    after = week({"daily/2026-10-12.md": "# New title\n" + _log(9, 10, 11), "daily/2026-10-11.md": _log(8, 12)})
    model.apply(rows_of(after, today=TODAY, newest_first=True))
    assert held.isValid()
    assert (held.data(PATH_ROLE), held.data(PATH_ROLE + 1), held.data(PATH_ROLE + 2)) == (
        "daily/2026-10-11.md",
        2,
        "12:00",
    )
    moved = [row for row in model.rows if row.time == "09:00"]
    assert [row.line for row in moved] == [2]
    model.apply([])
    assert model.rowCount() == 0
    del tester


# Reading ------------------------------------------------------------------------------------------------------------


def test_signs_of_markdown_are_put_away_and_what_they_mean_stays() -> None:
    log = (
        "### Plan (09:00)\n\nSee **this** and `that`, [there](x.md), [[Crane]].\n"
        "- one\n  - two\n\n```sh\n# no heading\n```\n#### Then\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    found = [row for row in rows_of(week({"daily/2026-10-12.md": log}), today=TODAY, newest_first=True) if row.path]
    said = told(found[0], 50)
    assert said.lines == (
        "Plan",
        "See this and that, there, Crane.",
        "•\u2002one",
        "  •\u2002two",
        "# no heading",
        "Then",
        "a · b",
        "1 · 2",
    )
    assert said.spans[0] == ((0, 4, Span.BOLD),)
    assert [span for _start, _length, span in said.spans[1]] == [Span.BOLD, Span.CODE, Span.LINK, Span.LINK]
    assert said.spans[4] == ((0, 12, Span.CODE),)


def test_a_character_that_cannot_be_seen_is_named() -> None:
    found = rows_of(week({"daily/2026-10-12.md": "- 09:00 Mill Lane\u200b 4\u202e\n"}), today=TODAY, newest_first=True)
    said = told(next(row for row in found if row.path), 9).lines[0]
    assert "U+200B" in said
    assert "U+202E" in said


def test_a_long_entry_is_folded_and_space_opens_it_out(panel: DaysPanel, qtbot: QtBot) -> None:
    body = "".join(f"  line {number}\n" for number in range(40))
    panel.show_week(week({"daily/2026-10-12.md": f"- 09:00 Long\n{body}- 10:00 Short\n"}))
    reader = panel.reader
    reader.step_entry(1)
    folded = reader.visualRect(reader.currentIndex()).height()
    qtbot.keyClick(reader, Qt.Key.Key_Space)
    opened = reader.visualRect(reader.currentIndex()).height()
    assert opened > 4 * folded
    qtbot.keyClick(reader, Qt.Key.Key_Space)
    assert reader.visualRect(reader.currentIndex()).height() == folded


def test_the_mouse_opens_an_entry_out_by_its_words(panel: DaysPanel, qtbot: QtBot) -> None:
    body = "".join(f"  line {number}\n" for number in range(40))
    panel.show_week(week({"daily/2026-10-12.md": f"- 09:00 Long\n{body}"}))
    reader = panel.reader
    index = reader.model().index(1, 0)
    place = reader._drawing.fold_rect(reader.visualRect(index), index)
    assert not place.isEmpty()
    qtbot.mouseClick(reader.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
    assert reader._drawing.fold_rect(reader.visualRect(index), index).isEmpty()


def test_the_heading_of_the_day_on_top_stays_in_sight(panel: DaysPanel, qtbot: QtBot) -> None:
    panel.show_week(week({"daily/2026-10-12.md": _log(*range(24)), "daily/2026-10-11.md": _log(*range(24))}))
    sticky = panel.reader._sticky
    assert not sticky.isVisible()
    bar = panel.reader.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 200)
    bar.setValue(200)
    assert sticky.isVisible()
    assert sticky._row is not None
    assert sticky._row.day == TODAY
    panel.reader.choose_day(SUNDAY)
    bar.setValue(bar.value() + 60)
    assert sticky._row.day == SUNDAY
    assert panel.calendar.selectedDate().day() == SUNDAY.day


def test_what_is_read_stays_where_it_is_when_lines_come_above(panel: DaysPanel) -> None:
    texts = {"daily/2026-10-12.md": _log(*range(24)), "daily/2026-10-11.md": _log(*range(24))}
    panel.show_week(week(texts))
    reader = panel.reader
    reader.choose_day(SUNDAY)
    reader.step_entry(1)
    before = reader.visualRect(reader.currentIndex()).top()
    panel.show_week(week(texts | {"daily/2026-10-12.md": _log(*range(24)) + "- 23:59 Late\n  and later\n" * 9}))
    assert abs(reader.visualRect(reader.currentIndex()).top() - before) <= 1
    panel.show_today(TODAY + datetime.timedelta(days=1))
    assert abs(reader.visualRect(reader.currentIndex()).top() - before) <= 1


def test_at_the_very_top_it_stays_at_the_top(panel: DaysPanel) -> None:
    panel.show_week(week({"daily/2026-10-12.md": _log(*range(24))}))
    panel.show_week(week({"daily/2026-10-12.md": "- 00:00 First of all\n" + _log(*range(24))}))
    assert panel.reader.verticalScrollBar().value() == 0


# Going about --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "shift", "asked"),
    [
        (Qt.Key.Key_P, True, TODAY - datetime.timedelta(days=7)),
        (Qt.Key.Key_N, True, None),
        (Qt.Key.Key_N, False, None),
    ],
)
def test_weeks_are_asked_for_within_what_there_is(
    panel: DaysPanel, qtbot: QtBot, key: Qt.Key, shift: bool, asked: datetime.date | None
) -> None:
    panel.show_week(week({"daily/2026-10-12.md": _log(9)}))
    wishes: list[datetime.date] = []
    panel.week_requested.connect(wishes.append)
    qtbot.keyClick(panel.reader, key, Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier)
    assert wishes == ([asked] if asked is not None else [])


def test_forward_a_week_shows_the_days_that_follow(panel: DaysPanel, qtbot: QtBot) -> None:
    old = datetime.date(2026, 9, 10)
    panel.show_week(week({"daily/2026-09-10.md": _log(9), "daily/2026-10-12.md": _log(9)}, until=old))
    wishes: list[datetime.date] = []
    panel.week_requested.connect(wishes.append)
    panel.reader.choose_day(old)
    qtbot.keyClick(panel.reader, Qt.Key.Key_N)
    qtbot.keyClick(panel.reader, Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert wishes == [datetime.date(2026, 9, 17), datetime.date(2026, 9, 17)]


def test_the_first_days_of_the_calendar_are_no_trouble(panel: DaysPanel, qtbot: QtBot) -> None:
    panel.show_week(week({"daily/0001-01-02.md": _log(9)}, until=datetime.date(1, 1, 7)))
    for _step in range(9):
        qtbot.keyClick(panel.reader, Qt.Key.Key_P)
    assert panel.header.title


def test_the_chosen_entry_is_told_with_its_line(panel: DaysPanel, qtbot: QtBot) -> None:
    panel.show_week(week({"daily/2026-10-12.md": "# x\n\n" + _log(9, 10)}))
    qtbot.keyClick(panel.reader, Qt.Key.Key_J)
    with qtbot.waitSignal(panel.entry_chosen) as seen:
        qtbot.keyClick(panel.reader, Qt.Key.Key_Return)
    assert seen.args == ["daily/2026-10-12.md", 1]


def test_an_empty_window_of_time_leads_to_the_last_log(panel: DaysPanel) -> None:
    panel.show_week(week({"daily/2026-01-05.md": _log(9)}))
    assert panel.note.startswith("Nothing logged today (")


def test_without_any_log_the_page_says_how_to_begin(panel: DaysPanel) -> None:
    panel.show_week(week({}))
    assert panel._stack.currentWidget() is panel._empty
    assert panel._empty.title() == "No daily logs here yet"


@pytest.mark.parametrize(("width", "height", "beside"), [(900, 500, True), (500, 500, False), (500, 900, True)])
def test_the_calendar_needs_room(panel: DaysPanel, qtbot: QtBot, width: int, height: int, beside: bool) -> None:
    panel.resize(width, height)
    assert panel.calendar.isVisible() is beside
    if not beside:
        panel.header.calendar.click()
        assert panel.calendar.isVisible()


def test_odd_dates_are_listed_only_where_there_are_some(panel: DaysPanel, qtbot: QtBot) -> None:
    panel.show_week(week({"daily/2026-10-12.md": _log(9)}))
    assert not panel._others.isVisible()
    panel.show_week(week({"daily/2026-10-12.md": _log(9)}, other=["daily/2026-02-30.md"]))
    assert panel._others.isVisible()
    with qtbot.waitSignal(panel.entry_chosen) as seen:
        panel._others.itemActivated.emit(panel._others.item(0))
    assert seen.args == ["daily/2026-02-30.md", 1]


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ((2026, 11, 24), (2026, 11, 30), "24–30 Nov 2026"),
        ((2026, 11, 28), (2026, 12, 4), "28 Nov – 4 Dec 2026"),
        ((2026, 12, 29), (2027, 1, 4), "29 Dec 2026 – 4 Jan 2027"),
    ],
)
def test_a_span_of_days_is_named_shortly(first: tuple[int, int, int], last: tuple[int, int, int], words: str) -> None:
    assert span_words(datetime.date(*first), datetime.date(*last)) == words


def test_an_index_that_is_none_is_no_row(panel: DaysPanel) -> None:
    assert panel.reader.row(QModelIndex()) is None


def test_no_line_is_lost_where_several_were_on_their_way(panel: DaysPanel, qtbot: QtBot) -> None:
    capture = panel.capture
    for words in ("first", "second"):
        qtbot.keyClicks(capture.field, words)
        qtbot.keyClick(capture.field, Qt.Key.Key_Return)
    qtbot.keyClicks(capture.field, "third")
    capture.show_failed("The disk is full.")
    assert capture.field.text() == "first\nthird"
    capture.show_added(DocPath("daily/2026-10-12.md"))
    assert capture.field.text() == "first\nthird"
    capture.show_failed("Nothing waits for this.")
    assert capture.field.text() == "first\nthird"
