"""Daily logs are known by their names."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.daily import day_of

DAY = datetime.date(2026, 10, 12)


@pytest.mark.parametrize(
    ("name", "day", "time", "label"),
    [
        ("2026-10-12.md", DAY, "", ""),
        ("daily/2026-10-12.md", DAY, "", ""),
        ("journal/2026/10/2026-10-12.markdown", DAY, "", ""),
        ("2026-10-12.MD", DAY, "", ""),
        ("2026-10-12-refactor.md", DAY, "", "refactor"),
        ("2026-10-12-two-words.md", DAY, "", "two-words"),
        ("2026-10-12_notes.md", DAY, "", "notes"),
        ("2026-10-12 Besuch in Köln.md", DAY, "", "Besuch in Köln"),
        ("2026-10-12-复盘.md", DAY, "", "复盘"),
        ("2026-10-12-2215.md", DAY, "22:15", ""),
        ("2026-10-12-2215-late.md", DAY, "22:15", "late"),
        ("2026-10-12-22-15.md", DAY, "22:15", ""),
        ("2026-10-12T221502.md", DAY, "22:15", ""),
        ("2026-10-12-2561.md", DAY, "", "2561"),
        ("session-2026-10-12.md", DAY, "", "session"),
        ("log_2026-10-12-slug.md", DAY, "", "log slug"),
        ("2024-02-29.md", datetime.date(2024, 2, 29), "", ""),
        ("2027-12-31.md", datetime.date(2027, 12, 31), "", ""),
    ],
)
def test_every_form_of_name_tells_its_day(name: str, day: datetime.date, time: str, label: str) -> None:
    found = day_of(name)
    assert found is not None
    assert (found.day, found.time, found.label) == (day, time, label)


@pytest.mark.parametrize("name", ["2026-02-30.md", "2026-13-01.md", "0000-00-00.md", "2025-02-29-slug.md"])
def test_a_day_that_no_calendar_has_is_still_a_name_with_a_date(name: str) -> None:
    found = day_of(f"daily/{name}")
    assert found is not None
    assert found.day is None
    assert found.text == name[:10]


@pytest.mark.parametrize(
    "name",
    [
        "notes.md",
        "2026-10.md",
        "2026-10-1.md",
        "12026-10-12.md",
        "2026-10-123.md",
        "2026-10-12x.md",
        "v2026-10-12.md",
        "2026-10-12.txt",
        "2026-10-12",
        ".md",
        "２０２６-10-12.md",
        "",
    ],
)
def test_other_names_tell_no_day(name: str) -> None:
    assert day_of(name) is None


def test_a_date_and_nothing_else_is_bare() -> None:
    bare, slug = day_of("2026-10-12.md"), day_of("2026-10-12-slug.md")
    assert bare is not None
    assert bare.is_bare
    assert slug is not None
    assert not slug.is_bare


@given(st.text(max_size=40))
def test_no_name_trips_it(text: str) -> None:
    day_of(text + ".md")
    found = day_of(f"2026-10-12-{text}.md")
    assert found is None or found.text == "2026-10-12" or "2026-10-12" not in found.text
