"""A daily log is read line by line, whatever form it is written in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.entries import Entry, EntryKind, entries, fenced
from memgui.domain.lines import Lines
from memgui.domain.stamps import stamp_of

STAMPED = [
    ("### Crane inspected (09:10)", "09:10", "Crane inspected"),
    ("## Crane inspected （09:10）", "09:10", "Crane inspected"),
    ("## 09:10", "09:10", ""),
    ("## 09:10 – Crane inspected ##", "09:10", "Crane inspected"),
    ("## 【09:10】", "09:10", ""),
    ("## 【09:10】起重机检查", "09:10", "起重机检查"),
    ("- 09:10 Crane inspected", "09:10", "Crane inspected"),
    ("* 9:10 Crane inspected", "9:10", "Crane inspected"),
    ("3. 09:10: Crane inspected", "09:10", "Crane inspected"),
    ("- [09:10] Crane inspected", "09:10", "Crane inspected"),
    ("- [x] 09:10 Crane inspected", "09:10", "Crane inspected"),
    ("- 2026-10-12T09:10:00Z Crane inspected", "09:10:00Z", "Crane inspected"),
    ("- 2026-10-12T23:30:00-05:00 Crane inspected", "23:30:00-05:00", "Crane inspected"),
    ("- 2026-10-12 09:10 | Crane inspected", "09:10", "Crane inspected"),
    ("- 2026-10-12T09:10:00.125+01:00 | Crane inspected", "09:10:00.125+01:00", "Crane inspected"),
    ("[2026-10-12 09:10:44] Crane inspected", "09:10:44", "Crane inspected"),
    ("- Crane inspected (09:10)", "09:10", "Crane inspected"),
    ("- Crane inspected (2026-10-12 09:10).", "09:10", "Crane inspected"),
    ("[09:10:44] Crane inspected", "09:10:44", "Crane inspected"),
    ("[09:10:44 pilot] crane inspected", "09:10:44", "pilot crane inspected"),
    ("| 09:10 | Crane inspected |", "09:10", "Crane inspected"),
    ("| **09:10** | Crane | inspected |", "09:10", "Crane · inspected"),
    ("| 2026-10-12 | 09:10 | Crane inspected |", "09:10", "Crane inspected"),
    ("09:10 AM Crane inspected", "09:10 AM", "Crane inspected"),
    ("- 2:15 p.m. – Crane inspected", "2:15 p.m.", "Crane inspected"),
    ("**11:00** Crane inspected", "11:00", "Crane inspected"),
    ("- **11:00:** Crane inspected", "11:00", "Crane inspected"),
    ("- **11:00 – Crane** inspected", "11:00", "Crane inspected"),
    ("11:30-12:00 Crane inspected", "11:30-12:00", "Crane inspected"),
    ("- 11:30 – 12:00: Crane inspected", "11:30 – 12:00", "Crane inspected"),
    ("- ~14:30 Crane inspected", "~14:30", "Crane inspected"),
    ("# Session: 2026-10-12 14:05:09 UTC", "14:05:09 UTC", "Session"),
    ("- 14:05 CEST Crane inspected", "14:05 CEST", "Crane inspected"),
    ("### 14:05 Europe/Berlin — Crane inspected", "14:05 Europe/Berlin", "Crane inspected"),
    ("- 14：30起重机检查", "14：30", "起重机检查"),
    ("- 下午 3:20 起重机检查", "下午 3:20", "起重机检查"),
    ("09:10 Crane inspected", "09:10", "Crane inspected"),
    ("- `09:10` Crane inspected", "09:10", "Crane inspected"),
    ("- 24:00 Crane inspected", "24:00", "Crane inspected"),
]

PLAIN = [
    "The crane is inspected at 09:10",
    "- the screen is 16:9",
    "- 10:75 is no time",
    "- 25:10 neither",
    "- 12:30/h is a rate",
    "- call at (09:10), then wait",
    "http://[::1]:8080:20/",
    "| crane | 09:10 |",
    "- 1:1",
    "",
    "   ",
]


@pytest.mark.parametrize(("line", "time", "text"), STAMPED)
def test_every_form_tells_its_time_and_its_text(line: str, time: str, text: str) -> None:
    stamp = stamp_of(line)
    assert stamp is not None
    assert (stamp.time, stamp.text) == (time, text)


@pytest.mark.parametrize("line", PLAIN)
def test_a_number_that_is_no_stamp_is_none(line: str) -> None:
    assert stamp_of(line) is None


@pytest.mark.parametrize(("line", "time", "text"), STAMPED)
def test_each_form_begins_an_entry_and_keeps_the_lines_below(line: str, time: str, text: str) -> None:
    lines = ["# 2026-10-12", "", line, "  more of it", "", "and more", "- 23:59 Bed"]
    frame, entry, last = entries(lines)
    assert frame.kind is EntryKind.FRAME
    assert (entry.line, entry.end, entry.time, entry.text) == (3, 6, time, text)
    assert last.time == "23:59"


def _told(text: str) -> list[tuple[int, str, str]]:
    return [
        (entry.line, entry.time, entry.text)
        for entry in entries(Lines.split(text).texts)
        if entry.kind is not EntryKind.FRAME
    ]


def test_mixed_forms_out_of_order_stay_in_the_order_of_the_file() -> None:
    log = "# 2026-10-12\r\n\r\n- 09:10 Crane\r\n[08:00:00] Tide\r\n### Berth 7 (14:30)\r\nClosed.\r\n- 11:00 Lunch\r\n"
    assert _told(log) == [
        (3, "09:10", "Crane"),
        (4, "08:00:00", "Tide"),
        (5, "14:30", "Berth 7"),
        (7, "11:00", "Lunch"),
    ]


def test_the_hour_that_comes_twice_is_told_twice_as_written() -> None:
    assert [time for _line, time, _text in _told("- 02:30 CEST a\n- 02:30 CET b\n- 02:10 CET c\n")] == [
        "02:30 CEST",
        "02:30 CET",
        "02:10 CET",
    ]


def test_fenced_code_holds_no_entries() -> None:
    code = "```\n- 09:11 not an entry\n```\n~~~ text\n## 10:00\n```\n[10:01:00] neither\n~~~\n"
    log = f"- 09:10 Log:\n{code}- 12:00 Lunch\n"
    assert _told(log) == [(1, "09:10", "Log:"), (10, "12:00", "Lunch")]


def test_a_fence_in_an_item_and_one_that_never_ends() -> None:
    assert _told("- 09:10 a\n  ```sh\n  10:00 b\n  ```\n- 11:00 c\n```\n- 12:00 d") == [
        (1, "09:10", "a"),
        (5, "11:00", "c"),
    ]


def test_an_item_below_a_stamped_one_belongs_to_it() -> None:
    assert _told("- 09:10 Three offers:\n  - 14:00 north\n  - 15:00 south\n- 10:00 Chosen") == [
        (1, "09:10", "Three offers:"),
        (4, "10:00", "Chosen"),
    ]


def test_an_item_below_one_without_a_stamp_is_an_entry() -> None:
    assert _told("- Morning\n  - 09:10 Tide\n  - 10:00 Crane\n") == [
        (1, "", "Morning"),
        (2, "09:10", "Tide"),
        (3, "10:00", "Crane"),
    ]


def test_a_time_that_wrapped_prose_begins_with_is_prose() -> None:
    log = (
        "We agreed to meet on Thursday at\n14:30 and to bring the plans.\n\n15:00 Met.\nAll of it until\n15:20 Done.\n"
    )
    assert _told(log) == [(1, "", "We agreed to meet on Thursday at"), (4, "15:00", "Met."), (6, "15:20", "Done.")]


def test_prose_above_the_first_stamp_is_told_without_a_time() -> None:
    assert _told("# The drill\n\nWe begin.\n\n- 09:10 Tide\n") == [(1, "", "The drill"), (5, "09:10", "Tide")]


def test_a_log_without_times_is_told_by_sections() -> None:
    log = "# 2026-10-12\n\nQuiet.\n\n## Done\n- Crane\n- Tide\n\n## Decided\nBerth 2.\n"
    assert _told(log) == [(3, "", "Quiet."), (5, "", "Done"), (9, "", "Decided")]


def test_a_log_without_times_and_headings_is_told_by_paragraphs_and_items() -> None:
    assert _told("One\ntwo.\n\nThree.\n- four\n  still four\n- five\n") == [
        (1, "", "One"),
        (4, "", "Three."),
        (5, "", "four"),
        (7, "", "five"),
    ]


@pytest.mark.parametrize(
    "title",
    [
        "# 2026-10-12",
        "# Daily Log — 2026-10-12",
        "# Monday, 12th October 2026",
        "## 2026-10-12 (Mon)",
        "# 12.10.2026",
        "# 2026年10月12日",
        "# 2026-10-12 星期一",
    ],
)
def test_a_title_that_says_no_more_than_the_day_is_a_frame(title: str) -> None:
    assert _told(f"{title}\n\n- 09:10 Tide") == [(3, "09:10", "Tide")]


def test_front_matter_rules_and_table_heads_say_nothing() -> None:
    log = "\ufeff---\ndate: 2026-10-12\ntime: 09:10\n---\n\n---\n\n| time | what |\n|------|------|\n| 09:10 | Tide |\n"
    assert _told(log) == [(10, "09:10", "Tide")]


def test_a_leading_rule_is_no_front_matter() -> None:
    assert _told("---\n09:10 Tide\n---\n10:00 Crane\n")[-1] == (4, "10:00", "Crane")


def test_an_empty_log_has_one_entry_that_says_nothing() -> None:
    assert entries(Lines.split("").texts) == (Entry(0, 1, EntryKind.FRAME),)


def test_a_very_long_line_is_read_at_once() -> None:
    for piece in ("a ", " ", "#", "[", "| ", "09:10 ", "`", "- ", "(", "12:"):
        entries([piece * 100_000, "# " + piece * 100_000, "- " + piece * 100_000 + "x"])


_PIECES = st.sampled_from(
    [
        *(line for line, _time, _text in STAMPED),
        *PLAIN,
        "```",
        "~~~",
        "---",
        "# 2026-10-12",
        "## More",
        "\ufeff",
        "  - 10:00 x",
    ]
)


@given(st.lists(st.one_of(_PIECES, st.text(max_size=40)), max_size=30))
def test_every_line_belongs_to_exactly_one_entry(pieces: list[str]) -> None:
    lines = Lines.split("\n".join(pieces)).texts
    found = entries(lines)
    assert [number for entry in found for number in range(entry.first, entry.end)] == list(range(len(lines)))
    assert all(entry.first < entry.end for entry in found)
    inside = fenced(lines)
    assert not [entry for entry in found if entry.time and inside[entry.first]]
    assert all(bool(entry.time) is (entry.kind is EntryKind.STAMPED) for entry in found)
