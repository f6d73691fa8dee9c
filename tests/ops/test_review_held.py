"""Held changes among those that pend: listed, shown, accepted and rejected, whole and by hunk, and undone."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memgui.domain.errors import Conflict, InvalidParameters
from memgui.domain.paths import DocPath
from memgui.domain.review import Alarm, ChangeShape, StaleChange
from memgui.domain.workspace import Workspace
from memgui.ops import facts, holding, review, review_answers, review_verdicts
from memgui.ops.review_many import accept_all, reject_all
from memgui.ops.review_undo import take_back
from memgui.storage.locks import workspace_lock
from tests.ops.review_values import MEMORY, SCRIBE, YOU, now_there, only, opened, put

LINES = b"".join(b"line %d\n" % number for number in range(1, 11))
WANTED = LINES.replace(b"line 2\n", b"line two\n") + b"line 11\n"
FACT = (
    b"---\nname: ask-first\ndescription: Ask before deleting\nmetadata:\n  type: feedback\nstatus: ratified\n---\n\n"
    b"Ask first.\n"
)


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    files = {
        "MEMORY.md": LINES,
        ".agentsmith/memory/ask-first.md": FACT,
        ".agentsmith/memory/MEMORY.md": b"# Memory index\n",
    }
    return opened(tmp_path / "ws", files)


def hold(ws: Workspace, data: bytes = WANTED, before: bytes | None = LINES) -> None:
    with workspace_lock(ws.state):
        holding.hold(ws, MEMORY, before, data, origin=SCRIBE, now=1.79e9)


def test_a_held_change_is_listed_with_its_writer_and_shown_against_the_disk(ws: Workspace) -> None:
    hold(ws)
    change = only(ws)
    assert (change.held, change.kind, change.who, change.since) == (True, ChangeShape.EDIT, ('agent "scribe"',), 1.79e9)
    assert [hunk.added for hunk in review.show(ws, change.id).hunks] == [("line two\n",), ("line 11\n",)]
    assert now_there(ws) == LINES


def test_accepting_writes_it_and_undoing_lets_it_wait_again(ws: Workspace) -> None:
    hold(ws)
    before = only(ws)
    verdict = review_verdicts.accept(ws, before, origin=YOU)
    assert (now_there(ws), review.pending(ws)) == (WANTED, ())
    assert review_answers.after(ws, before).hunks == ()
    take_back(ws, verdict, origin=YOU)
    assert (now_there(ws), only(ws)) == (LINES, before)


def test_rejecting_lets_it_go_and_undoing_lets_it_wait_again(ws: Workspace) -> None:
    hold(ws)
    before = only(ws)
    changes, verdict = review_verdicts.reject(ws, before, origin=YOU)
    assert (changes.paths, review.pending(ws), now_there(ws)) == ((), (), LINES)
    with pytest.raises(StaleChange):
        review_verdicts.accept(ws, before, origin=YOU)
    take_back(ws, verdict, origin=YOU)
    assert only(ws) == before


@pytest.mark.parametrize("accepts_first", [True, False])
def test_its_hunks_are_decided_one_by_one(ws: Workspace, accepts_first: bool) -> None:
    hold(ws)
    before = only(ws)
    if accepts_first:
        verdict = review_verdicts.accept(ws, before, hunk=1, origin=YOU)
        assert now_there(ws) == LINES.replace(b"line 2\n", b"line two\n")
    else:
        _changes, verdict = review_verdicts.reject(ws, before, hunk=1, origin=YOU)
        assert now_there(ws) == LINES
    left = review_answers.after(ws, before)
    assert [hunk.added for hunk in left.hunks] == [("line 11\n",)]
    take_back(ws, verdict, origin=YOU)
    assert (now_there(ws), only(ws)) == (LINES, before)


def test_what_was_written_meanwhile_stays(ws: Workspace) -> None:
    hold(ws)
    put(ws.root, MEMORY, LINES.replace(b"line 7\n", b"line seven\n"))
    change = next(one for one in review.pending(ws) if one.held)
    review_verdicts.accept(ws, change, origin=YOU)
    assert now_there(ws) == WANTED.replace(b"line 7\n", b"line seven\n")
    left = only(ws)
    assert (left.who, left.added, left.removed) == (("outside",), 1, 1)


def test_one_that_does_not_go_with_the_disk_can_only_be_rejected(ws: Workspace) -> None:
    hold(ws)
    put(ws.root, MEMORY, LINES.replace(b"line 2\n", b"line zwei\n"))
    change = next(one for one in review.pending(ws) if one.held)
    assert review.show(ws, change).note
    for hunk in (None, 1):
        with pytest.raises(Conflict):
            review_verdicts.accept(ws, change, hunk=hunk, origin=YOU)
    review_verdicts.reject(ws, change, origin=YOU)
    assert not only(ws).held


def test_a_held_change_over_a_ratified_fact_is_an_alarm_and_decided_as_a_whole(ws: Workspace) -> None:
    when = datetime(2026, 11, 30, tzinfo=UTC)
    answer = facts.remember(
        ws, name="ask-first", type="feedback", description="Ask before all", body="Never ask.", origin=SCRIBE, now=when
    )
    change = only(ws)
    assert (change.id, change.reasons) == (answer["change"], (Alarm.STATUS,))
    with pytest.raises(InvalidParameters):
        review_verdicts.accept(ws, change, hunk=1, origin=YOU)
    verdict = review_verdicts.accept(ws, change, origin=YOU)
    path = DocPath(".agentsmith/memory/ask-first.md")
    assert b"Never ask." in (now_there(ws, path) or b"")
    assert review.pending(ws) == ()
    take_back(ws, verdict, origin=YOU)
    assert (now_there(ws, path), only(ws).id) == (FACT, change.id)


def test_held_changes_are_decided_with_all_others_and_come_back_with_them(ws: Workspace) -> None:
    hold(ws)
    put(ws.root, "new.md", b"new\n")
    changes = review.pending(ws)
    verdict, left = accept_all(ws, changes, origin=YOU)
    assert (left, now_there(ws), review.pending(ws)) == ((), WANTED, ())
    assert verdict is not None
    assert set(verdict.paths) == {MEMORY, "new.md"}
    take_back(ws, verdict, origin=YOU)
    assert ({one.id for one in review.pending(ws)}, now_there(ws)) == ({one.id for one in changes}, LINES)
    _changes, verdict, left = reject_all(ws, changes, origin=YOU)
    assert (left, now_there(ws), now_there(ws, "new.md"), review.pending(ws)) == ((), LINES, None, ())
    assert verdict is not None
    take_back(ws, verdict, origin=YOU)
    assert {one.id for one in review.pending(ws)} == {one.id for one in changes}
