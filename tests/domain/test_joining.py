"""How new text is joined to old, and how often agents may write."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.joining import LINE, SECTION, piece_behind, stamped
from memgui.domain.layouts import Layout
from memgui.domain.moments import rfc3339
from memgui.domain.rates import Window, counted, limits_for, wait
from memgui.domain.zones import zone_of


@pytest.mark.parametrize(
    ("before", "content", "line_ends", "piece"),
    [
        (b"", "x", SECTION, b"x\n"),
        (b"\xef\xbb\xbf", "x", SECTION, b"x\n"),
        (b"a", "x", SECTION, b"\n\nx\n"),
        (b"a\n", "x", SECTION, b"\nx\n"),
        (b"a\n\n", "x", SECTION, b"x\n"),
        (b"a\n\n\n\n", "x", SECTION, b"x\n"),
        (b"a\r\n", "x", SECTION, b"\nx\n"),
        (b"a\r\n\r\n", "x", SECTION, b"x\n"),
        (b"a", "x", LINE, b"\nx\n"),
        (b"a\n", "x", LINE, b"x\n"),
        (b"a\n\n", "x", LINE, b"x\n"),
        (b"a\n", "x\n", LINE, b"x\n"),
        (b"a\n", "x\n\n\n", LINE, b"x\n"),
        (b"a\n", "x\r\n\r\n", LINE, b"x\n"),
        (b"a\n", "x\ny", LINE, b"x\ny\n"),
        (b"a\n", "\n  x", LINE, b"\n  x\n"),
        (b"\xff\n", "x", LINE, b"x\n"),
    ],
)
def test_only_what_is_missing_of_the_join_is_added(before: bytes, content: str, line_ends: int, piece: bytes) -> None:
    assert piece_behind(before, content, line_ends=line_ends) == piece


@given(st.binary(max_size=40), st.text(alphabet="ab\n\r ").filter(str.strip), st.sampled_from([LINE, SECTION]))
def test_after_an_append_a_file_ends_with_one_line_end_and_the_old_bytes_stay(
    before: bytes, content: str, line_ends: int
) -> None:
    after = before + piece_behind(before, content, line_ends=line_ends)
    assert after.startswith(before)
    assert after.endswith(b"\n")
    assert not after.endswith((b"\n\n", b"\r\n"))


NOW = datetime.datetime(2026, 11, 30, 9, 5, 7, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("layout", "line"),
    [
        (Layout.IRONCLAW, "[09:05:07] text"),
        (Layout.PLAIN, "[09:05:07] text"),
        (Layout.PROJECT_CONTEXT, "[09:05:07] text"),
        (Layout.OPENCLAW, "- 09:05 text"),
    ],
)
def test_an_entry_begins_as_its_layout_has_it(layout: Layout, line: str) -> None:
    assert stamped(layout, "text", NOW) == line


@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])
def test_a_zone_is_known_by_its_name(name: str) -> None:
    assert zone_of(name) is not None


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "Mars",
        "Europe",
        "localtime",
        "posix/UTC",
        "../UTC",
        "/etc/localtime",
        "Europe/Berlin\n",
        "a\0",
        "ü",
        "Factory",
    ],
)
def test_what_names_no_zone_is_none(name: str) -> None:
    assert zone_of(name) is None


LIMITS = limits_for("scribe", per_minute=3, per_hour=5, workspace_per_minute=4)
OTHER = limits_for("other", per_minute=3, per_hour=5, workspace_per_minute=4)


def test_windows_are_fixed_and_begin_with_the_first_call() -> None:
    windows: dict[str, Window] = {}
    for second in (0.0, 58.0, 59.0):
        assert wait(windows, LIMITS, second) == 0
        windows = counted(windows, LIMITS, second)
    assert wait(windows, LIMITS, 59.5) == 1
    assert wait(windows, LIMITS, 60.0) == 0
    windows = counted(windows, LIMITS, 60.0)
    assert wait(windows, LIMITS, 61.0) == 0
    windows = counted(windows, LIMITS, 61.0)
    assert wait(windows, LIMITS, 62.0) == 3600 - 62


def test_all_agents_of_a_workspace_share_a_window_and_each_has_its_own() -> None:
    windows: dict[str, Window] = {}
    for _call in range(3):
        windows = counted(windows, LIMITS, 0.0)
    assert wait(windows, OTHER, 0.0) == 0
    windows = counted(windows, OTHER, 0.0)
    assert wait(windows, OTHER, 0.5) == 60


def test_a_limit_of_none_limits_nothing_and_a_clock_that_was_put_back_keeps_nobody_waiting() -> None:
    free = limits_for("scribe", per_minute=0, per_hour=0, workspace_per_minute=0)
    windows: dict[str, Window] = {}
    for _call in range(500):
        windows = counted(windows, free, 1000.0)
    assert wait(windows, free, 1000.0) == 0
    assert wait(windows, LIMITS, 1000.0) > 0
    assert wait(windows, LIMITS, 10.0) == 0


def test_windows_that_are_over_are_forgotten() -> None:
    windows = counted({}, LIMITS, 0.0)
    assert set(counted(windows, OTHER, 7200.0)) == {limit.name for limit in OTHER}


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "1970-01-01T00:00:00Z"), (1796047385.9, "2026-11-30T14:03:05Z"), (1e300, "1970-01-01T00:00:00Z")],
)
def test_moments_are_told_in_utc_to_the_second(seconds: float, text: str) -> None:
    assert rfc3339(seconds) == text


def test_zones_are_known_on_a_system_that_has_none() -> None:
    code = "from memgui.domain.zones import zone_of as z; print(z('Europe/Berlin'), z('Factory'), z('tzdata'))"
    environment = os.environ | {"PYTHONTZPATH": ""}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout == "Europe/Berlin None None\n"
