"""A window that is closed, or killed, while something that was decided is still on its way: none of it is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from tests.gui.review.conftest import ReviewDesk
from tests.gui.review.test_review import CHANGED, MEMORY, TEN

OpenDesk = Callable[[Path], ReviewDesk]


@pytest.fixture
def root(workspace_root: Path) -> Path:
    (workspace_root / MEMORY).write_text(TEN)
    return workspace_root


@pytest.fixture
def three(root: Path, desk: ReviewDesk) -> ReviewDesk:
    """MEMORY.md was changed in three places, and is shown."""
    desk.replace(MEMORY, CHANGED)
    desk.show(MEMORY)
    return desk


def _owed(places: Path) -> list[Path]:
    return list((places / "state").rglob("owed/*.owed"))


def test_a_rejection_that_waits_is_done_when_the_window_closes(
    three: ReviewDesk, open_desk: OpenDesk, root: Path, places: Path
) -> None:
    three.late = 0.0
    three.do("review.reject")
    assert three.notice("writing") is not None
    three.window.close()
    assert (root / MEMORY).read_text() == CHANGED.replace("fact four\n", "fact 4\n")
    assert _owed(places) == []
    again = open_desk(root)
    again.show(MEMORY)
    assert again.lines("−") == ["- fact 20"]
    assert again.notice("owed") is None


def test_verdicts_given_right_before_the_window_closes_are_all_done(
    three: ReviewDesk, open_desk: OpenDesk, root: Path, places: Path
) -> None:
    for _time in range(3):
        three.do("review.accept")
    three.window.close()
    assert _owed(places) == []
    again = open_desk(root)
    assert again.rows() == []
    assert (root / MEMORY).read_text() == CHANGED


def test_what_cannot_be_done_at_the_end_is_said_at_the_next_start(
    three: ReviewDesk, open_desk: OpenDesk, root: Path, places: Path
) -> None:
    three.late = 0.0
    three.do("review.reject")
    (root / MEMORY).write_text("- all is new\n")
    three.window.close()
    assert (root / MEMORY).read_text() == "- all is new\n"
    again = open_desk(root)
    again.until(lambda: again.notice("owed") is not None)
    pill = again.notice("owed")
    assert pill is not None
    label = pill.findChild(QLabel, "noticeText")
    assert isinstance(label, QLabel)
    assert "1 decision of yours" in label.text()
    assert f"reject – {MEMORY}" in label.text()
    again.window.close()
    # Nobody has read it yet.
    third = open_desk(root)
    third.until(lambda: third.notice("owed") is not None)
    third.do("view.review")
    third.click("noticeDismiss")
    third.until(lambda: _owed(places) == [])


def test_what_waits_is_kept_beside_until_it_is_done_or_given_up(three: ReviewDesk, places: Path) -> None:
    three.late = 0.0
    three.do("review.reject")
    three.until(lambda: len(_owed(places)) == 1)
    three.click("noticeDismiss")
    three.until(lambda: _owed(places) == [])
    three.do("review.reject")
    three.until(lambda: len(_owed(places)) == 1)
    three.late = 60.0
    three.review.verdicts.check()
    three.until(lambda: "- fact 20\n" in three.read(MEMORY))
    three.until(lambda: _owed(places) == [])


def test_what_was_decided_otherwise_since_is_not_said(
    three: ReviewDesk, open_desk: OpenDesk, root: Path, places: Path
) -> None:
    three.late = 0.0
    three.do("review.reject")
    (root / MEMORY).unlink()
    three.window.close()
    assert len(_owed(places)) == 1
    (root / MEMORY).write_text(TEN)
    again = open_desk(root)
    again.until(lambda: _owed(places) == [])
    assert again.notice("owed") is None
