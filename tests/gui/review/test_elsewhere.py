"""What happens elsewhere: agents through memgui's own tools, held changes, verdicts on a command line."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import Qt

from memgui.domain.origin import Origin
from memgui.domain.workspace import Workspace
from memgui.ops import review, review_verdicts, writing
from memgui.ops.preferences import Settings
from tests.gui.review.conftest import ReviewDesk

PEN = Origin.agent("pen")
NEW = "- berth 9 is new"


def _space(desk: ReviewDesk) -> Workspace:
    view = desk.review._session.view
    assert view is not None
    return view.workspace


def _hold(desk: ReviewDesk) -> None:
    space = _space(desk)
    settings = Settings().holding(space.root, ["MEMORY.md"])
    writing.memory_write(space, origin=PEN, now=datetime.now(UTC), settings=settings, target="memory", content=NEW)


def test_an_agent_is_named_as_it_called_itself(desk: ReviewDesk) -> None:
    now = datetime.now(UTC)
    writing.memory_write(_space(desk), origin=PEN, now=now, settings=Settings(), target="memory", content=NEW)
    desk.wait_for("MEMORY.md")
    change = desk.change("MEMORY.md")
    assert change is not None
    assert change.who == ('agent "pen"',)
    assert 'agent "pen"' in desk.said()


def test_a_held_change_is_listed_and_comes_true_when_it_is_accepted(desk: ReviewDesk) -> None:
    before = desk.read("MEMORY.md")
    _hold(desk)
    desk.until(lambda: len(desk.rows()) == 1)
    assert desk.read("MEMORY.md") == before
    assert "waits for you" in desk.said()
    desk.show("MEMORY.md")
    assert desk.lines("+")[-1] == NEW
    desk.click("acceptFileButton")
    desk.until(lambda: f"{NEW}\n" in desk.read("MEMORY.md"))
    desk.until(lambda: desk.rows() == [])


def test_a_held_change_that_is_rejected_was_never_there(desk: ReviewDesk) -> None:
    before = desk.read("MEMORY.md")
    _hold(desk)
    desk.show("MEMORY.md")
    desk.click("rejectButton")
    desk.until(lambda: desk.rows() == [])
    assert desk.read("MEMORY.md") == before
    desk.do("edit.undo")
    desk.until(lambda: len(desk.rows()) == 1)


def test_an_open_page_shows_what_was_held_once_it_is_accepted(desk: ReviewDesk) -> None:
    editor = desk.open("MEMORY.md")
    _hold(desk)
    desk.show("MEMORY.md")
    desk.click("acceptFileButton")
    desk.until(lambda: NEW in editor.toPlainText())


def test_a_verdict_of_another_process_is_seen(desk: ReviewDesk) -> None:
    desk.append("projects/notes.md", "The gate is blue.\n")
    desk.wait_for("projects/notes.md")
    change = review.pending(_space(desk))[0]
    review_verdicts.accept(_space(desk), change, origin=Origin.shell())
    desk.until(lambda: desk.rows() == [])


def test_a_line_of_an_agent_is_read_as_a_list(desk: ReviewDesk) -> None:
    desk.append("projects/notes.md", "The gate\u200b is blue.\n")
    desk.show("projects/notes.md")
    model = desk.diff.model()
    spoken = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]
    assert "added line 4: The gate‹U+200B ZWSP› is blue." in spoken
    assert "contains hidden characters (U+200B zero width space)" in spoken
