"""A log is continued in its own form."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain import log_forms
from memgui.domain.stamps import stamp_of

NOW = datetime.datetime(2026, 10, 12, 15, 4, 9, tzinfo=ZoneInfo("Europe/Berlin"))

FORMS = [
    ("- 09:10 Tide", "- 15:04 Crane"),
    ("- [09:10] Tide", "- [15:04] Crane"),
    ("- [x] 09:10 Tide", "- [ ] 15:04 Crane"),
    ("[09:10:44] Tide", "[15:04:09] Crane"),
    ("### Tide (09:10)", "### Crane (15:04)"),
    ("## Tide（09:10）", "## Crane （15:04）"),
    ("## 【09:10】 Tide", "## 【15:04】 Crane"),
    ("## 09:10", "## 15:04\n\nCrane"),
    ("- 2026-10-11T09:10:00Z Tide", "- 2026-10-12T13:04:09Z Crane"),
    ("- 2026-10-11T09:10+01:00 | Tide", "- 2026-10-12T15:04+02:00 | Crane"),
    ("- 2026-10-11 09:10 | Tide", "- 2026-10-12 15:04 | Crane"),
    ("- Tide (09:10)", "- Crane (15:04)"),
    ("| 09:10 | Tide |", "| 15:04 | Crane |"),
    ("09:10 AM Tide", "03:04 PM Crane"),
    ("- 9:10 a.m. – Tide", "- 03:04 p.m. – Crane"),
    ("**11:00** Tide", "**15:04** Crane"),
    ("- **11:00:** Tide", "- **15:04**: Crane"),
    ("11:30-12:00 Tide", "15:04 Crane"),
    ("# Session: 2026-10-11 09:10:44 UTC", "# Crane 2026-10-12 13:04:09 UTC"),
    ("4. 09:10 Tide", "5. 15:04 Crane"),
]


@pytest.mark.parametrize(("there", "new"), FORMS)
def test_a_new_entry_is_written_as_those_that_are_there(there: str, new: str) -> None:
    stamp = stamp_of(there)
    assert stamp is not None
    assert log_forms.written(log_forms.form_of(stamp), " Crane\n", NOW) == new
    again = stamp_of(new.split("\n")[0])
    assert again is not None
    assert again.time


def test_further_lines_belong_to_their_item() -> None:
    assert log_forms.written(log_forms.LIST, "Crane\nand tide\r\n\n- a", NOW) == "- 15:04 Crane\n  and tide\n\n  - a"
    assert log_forms.written(log_forms.SQUARE, "Crane\nand tide", NOW) == "[15:04:09] Crane\nand tide"


def test_a_cell_stays_one_cell() -> None:
    form = log_forms.Form(marker="| ")
    assert log_forms.written(form, "a | b\nc", NOW) == "| 15:04 | a \\| b c |"


@pytest.mark.parametrize(
    ("there", "added"),
    [
        ("", "x\n"),
        ("\ufeff", "x\n"),
        ("a", "\nx\n"),
        ("a\n", "x\n"),
        ("a\n\n", "x\n"),
        ("a\r\nb", "\r\nx\r\n"),
        ("a\r\nb\r\n", "x\r\n"),
        ("a\nb\r\n", "x\r\n"),
        ("a\rb\r", "x\r"),
    ],
)
def test_only_what_is_missing_of_the_join_is_added(there: str, added: str) -> None:
    assert log_forms.piece(there, "x") == added


@given(st.text(alphabet="ab\r\n", max_size=8))
def test_a_log_ends_with_one_line_end_after_an_addition(there: str) -> None:
    whole = there + log_forms.piece(there, "x")
    assert whole.startswith(there)
    assert whole.rstrip("\r\n").endswith("x")
    assert whole.splitlines()[-1] == "x"


def test_a_title_is_that_of_another_day() -> None:
    monday, tuesday = datetime.date(2026, 10, 12), datetime.date(2026, 10, 13)
    assert log_forms.title_for("# 2026-10-12 (Mon)", of=monday, day=tuesday) == "# 2026-10-13 (Tue)"
    assert log_forms.title_for("# Monday, 2026-10-12", of=monday, day=tuesday) == "# Tuesday, 2026-10-13"
    assert log_forms.title_for("# The drill", of=monday, day=tuesday) == ""
