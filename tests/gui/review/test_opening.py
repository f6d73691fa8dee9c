"""The first opening: what is there counts as seen, or is to be reviewed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QLabel, QRadioButton
from pytestqt.qtbot import QtBot

from memgui.gui.app import open_workspace, wiring_of
from memgui.ops.baselines import is_begun
from tests.gui.review.conftest import ReviewDesk


def _choose(desk: ReviewDesk, name: str) -> None:
    desk.until(lambda: desk.shown("openingStrip"))
    button = desk.widget(QRadioButton, name)
    assert isinstance(button, QRadioButton)
    button.click()


def test_it_asks_in_a_strip_and_seen_is_the_default(desk: ReviewDesk) -> None:
    desk.until(lambda: desk.shown("openingStrip"))
    button = desk.widget(QRadioButton, "openingSeen")
    assert isinstance(button, QRadioButton)
    assert button.isChecked()
    assert desk.pending.changes == ()
    desk.click("openingDone")
    assert not desk.shown("openingStrip")


def test_where_nothing_is_there_nothing_is_asked(tmp_path: Path, open_desk: Callable[[Path], ReviewDesk]) -> None:
    root = tmp_path / "new"
    root.mkdir()
    desk = open_desk(root)
    desk.until(lambda: desk.pending.known)
    assert not desk.shown("openingStrip")
    (root / "notes.md").write_text("# Notes\n")
    desk.until(lambda: [change.path for change in desk.pending.changes] == ["notes.md"])
    assert not desk.shown("openingStrip")


def test_all_of_it_can_be_reviewed_instead(desk: ReviewDesk) -> None:
    _choose(desk, "openingUnseen")
    desk.until(lambda: len(desk.pending.changes) == 12)
    assert {change.kind.value for change in desk.pending.changes} == {"create"}
    _choose(desk, "openingSeen")
    desk.until(lambda: desk.pending.changes == ())


def test_what_an_agent_wrote_meanwhile_pends_whatever_was_chosen(desk: ReviewDesk) -> None:
    desk.append("projects/notes.md", "The gate is blue.\n")
    desk.until(lambda: len(desk.pending.changes) == 1)
    _choose(desk, "openingUnseen")
    desk.until(lambda: len(desk.pending.changes) == 12)
    _choose(desk, "openingSeen")
    desk.until(lambda: [change.kind.value for change in desk.pending.changes] == ["append"])


def test_what_was_decided_stays_decided(desk: ReviewDesk) -> None:
    desk.append("projects/notes.md", "The gate is blue.\n")
    desk.show("projects/notes.md")
    desk.do("review.accept_file")
    desk.until(lambda: desk.pending.changes == ())
    _choose(desk, "openingUnseen")
    desk.until(lambda: len(desk.pending.changes) == 11)
    assert desk.change("projects/notes.md") is None


def test_what_hides_in_there_is_said_whatever_is_chosen(
    workspace_root: Path, open_desk: Callable[[Path], ReviewDesk]
) -> None:
    (workspace_root / "projects/notes.md").write_text("# Notes\n\nThe ga\u200bte is blue.\n")
    desk = open_desk(workspace_root)
    desk.until(lambda: desk.shown("openingFound"))
    label = desk.widget(QLabel, "openingFound")
    assert "projects/notes.md" in str(label.property("text"))
    desk.click("openingShow")
    desk.until(lambda: desk.ready("projects/notes.md"))


def test_a_second_opening_asks_nothing_and_shows_what_came_in_between(
    workspace_root: Path, open_desk: Callable[[Path], ReviewDesk]
) -> None:
    first = open_desk(workspace_root)
    first.until(lambda: first.shown("openingStrip"))
    first.window.close()
    (workspace_root / "projects/notes.md").write_text("# Notes\n\nAll is new.\n")
    (workspace_root / "memory/2026-11-28.md").unlink()
    second = open_desk(workspace_root)
    second.wait_for("projects/notes.md", "memory/2026-11-28.md")
    assert not second.shown("openingStrip")


def test_closing_in_the_midst_of_it_goes_on_the_next_time(
    qtbot: QtBot, workspace_root: Path, open_desk: Callable[[Path], ReviewDesk]
) -> None:
    for number in range(600):
        (workspace_root / f"projects/{number}.md").write_text(f"# {number}\n")
    window = open_workspace(workspace_root)
    qtbot.addWidget(window)
    wiring = wiring_of(window)
    assert wiring is not None
    with qtbot.waitSignal(wiring.pending().progressed):
        pass
    window.close()
    assert not is_begun(wiring.session.view.workspace)  # type: ignore[union-attr]
    second = open_desk(workspace_root)
    assert second.pending.changes == ()
    assert is_begun(second.review._session.view.workspace)  # type: ignore[union-attr]


def test_what_was_lost_while_the_window_was_closed_is_said_and_not_taken_for_seen(
    workspace_root: Path, open_desk: Callable[[Path], ReviewDesk]
) -> None:
    first = open_desk(workspace_root)
    first.window.close()
    (workspace_root / "MEMORY.md").write_text("# Memory\n")
    second = open_desk(workspace_root)
    second.wait_for("MEMORY.md")
    # The window shows MEMORY.md by itself.
    second.until(lambda: second.ready("MEMORY.md"))
    second.until(lambda: second.notice("alarm") is not None)
    change = second.change("MEMORY.md")
    assert change is not None
    assert not change.seen
    second.open("MEMORY.md")
    second.until(lambda: all(one.seen for one in second.pending.changes))
    assert second.notice("alarm") is not None
