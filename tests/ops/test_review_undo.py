"""Verdicts taken back, put off and found again, and those on many changes."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from memgui.domain.errors import Conflict, NotAuthorized
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.review import ChangeShape, Hunk, PendingChange, StaleChange, deletions, is_writing, quiet_in
from memgui.domain.workspace import Workspace
from memgui.ops import review
from memgui.ops import versions as history
from memgui.ops.review_again import decide_again, find_again
from memgui.ops.review_many import accept_all, reject_all
from memgui.ops.review_undo import take_back
from memgui.ops.review_verdicts import accept, edit, put_back, reject
from tests.ops.review_values import LONG_AGO, MEMORY, SCRIBE, YOU, now_there, only, opened, put, write

LINES = b"".join(b"line %d\n" % number for number in range(1, 11))
EDITED = LINES.replace(b"line 2\n", b"line two\n").replace(b"line 8\n", b"line eight\n")


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return opened(tmp_path / "ws", {"MEMORY.md": LINES, "SOUL.md": b"calm\n"})


@pytest.mark.parametrize("hunk", [None, 1])
def test_undoing_an_acceptance_makes_it_pend_again_under_the_same_name_of_its_writer(
    ws: Workspace, hunk: int | None
) -> None:
    write(ws, EDITED, origin=SCRIBE)
    before = only(ws)
    verdict = accept(ws, before, hunk=hunk, origin=YOU)
    changes, undone = take_back(ws, verdict, origin=YOU)
    assert (changes.paths, only(ws)) == ((), before)
    take_back(ws, undone, origin=YOU)
    assert [one.added for one in review.pending(ws)] == ([] if hunk is None else [1])


@pytest.mark.parametrize("hunk", [None, 1])
def test_undoing_a_rejection_brings_back_what_was_rejected(ws: Workspace, hunk: int | None) -> None:
    write(ws, EDITED, origin=SCRIBE)
    before = only(ws)
    _changes, verdict = reject(ws, before, hunk=hunk, origin=YOU)
    changes, undone = take_back(ws, verdict, origin=YOU)
    assert (changes.paths, now_there(ws)) == ((MEMORY,), EDITED)
    after = only(ws)
    assert (after.id, after.who, after.since) == (before.id, before.who, before.since)
    take_back(ws, undone, origin=YOU)
    assert now_there(ws) == (LINES if hunk is None else LINES.replace(b"line 8\n", b"line eight\n"))


def test_undoing_leaves_what_was_written_and_decided_since(ws: Workspace) -> None:
    put(ws.root, MEMORY, EDITED)
    first = accept(ws, only(ws), hunk=1, origin=YOU)
    _changes, second = reject(ws, only(ws), hunk=1, origin=YOU)
    assert review.pending(ws) == ()
    put(ws.root, MEMORY, (now_there(ws) or b"") + b"later\n")
    take_back(ws, first, origin=YOU)
    take_back(ws, second, origin=YOU)
    assert now_there(ws) == EDITED + b"later\n"
    assert [hunk.added for hunk in review.show(ws, only(ws)).hunks] == [
        ("line two\n",),
        ("line eight\n",),
        ("later\n",),
    ]


def test_undoing_where_somebody_wrote_over_it_is_a_conflict_that_touches_nothing(ws: Workspace) -> None:
    put(ws.root, MEMORY, EDITED)
    _changes, verdict = reject(ws, only(ws), hunk=1, origin=YOU)
    put(ws.root, MEMORY, EDITED.replace(b"line two\n", b"line zwei\n"))
    with pytest.raises(Conflict):
        take_back(ws, verdict, origin=YOU)
    assert now_there(ws) == EDITED.replace(b"line two\n", b"line zwei\n")


def test_lost_lines_come_back_and_the_new_ones_stay_and_pend(ws: Workspace) -> None:
    put(ws.root, MEMORY, b"line 1\nnew\nline 10\n")
    change = only(ws)
    assert change.kind is ChangeShape.REWRITE
    _changes, verdict = put_back(ws, change, origin=YOU)
    middle = b"".join(b"line %d\n" % number for number in range(2, 10))
    assert now_there(ws) == b"line 1\n" + middle + b"new\nline 10\n"
    left = only(ws)
    assert (left.added, left.removed, left.alarm) == (1, 0, False)
    take_back(ws, verdict, origin=YOU)
    assert now_there(ws) == b"line 1\nnew\nline 10\n"


def test_lines_that_only_moved_are_not_put_back_twice(ws: Workspace) -> None:
    moved = b"".join(b"line %d\n" % number for number in (1, 2, 6, 7, 8, 9, 3, 10))
    put(ws.root, MEMORY, moved)
    change = only(ws)
    hunks = review.show(ws, change).hunks
    assert [hunk.removed[at] for hunk in hunks for at in hunk.moved_away] == ["line 3\n"]
    assert [hunk.added[at] for hunk in hunks for at in hunk.moved_here] == ["line 3\n"]
    put_back(ws, change, origin=YOU)
    assert (now_there(ws) or b"").count(b"line 3\n") == 1
    assert only(ws).removed == 1


def test_what_a_person_makes_of_a_hunk_is_theirs_and_accepted(ws: Workspace) -> None:
    put(ws.root, MEMORY, EDITED)
    change = only(ws)
    _changes, verdict = edit(ws, change, 1, "line zwei\nand more", origin=YOU)
    assert now_there(ws) == EDITED.replace(b"line two\n", b"line zwei\nand more\n")
    assert [hunk.added for hunk in review.show(ws, only(ws)).hunks] == [("line eight\n",)]
    take_back(ws, verdict, origin=YOU)
    assert (now_there(ws), only(ws).id) == (EDITED, change.id)


def test_a_verdict_that_waited_finds_its_hunk_though_the_file_grew(ws: Workspace) -> None:
    put(ws.root, MEMORY, LINES + b"x\n")
    change = only(ws)
    (hunk,) = review.show(ws, change).hunks
    put(ws.root, MEMORY, b"above\n" + LINES + b"x\nx\nx\n")
    now, found = find_again(ws, change, hunk)
    reject(ws, now, hunk=found, origin=YOU)
    assert now_there(ws) == b"above\n" + LINES + b"x\nx\n"


def test_a_verdict_is_given_though_others_write_while_it_is(ws: Workspace) -> None:
    put(ws.root, MEMORY, LINES + b"x\n")
    change = only(ws)
    (hunk,) = review.show(ws, change).hunks
    writes = iter([b"one\n", b"two\n"])

    def decide(now: PendingChange, found: tuple[Hunk, ...]) -> None:
        # Just before the verdict somebody writes, twice.
        put(ws.root, MEMORY, next(writes, b"") + (now_there(ws) or b""))
        reject(ws, now, hunk=found, origin=YOU)

    decide_again(ws, change, hunk, decide)
    assert now_there(ws) == b"two\none\n" + LINES
    with pytest.raises(StaleChange):
        decide_again(ws, change, hunk, decide)


def test_a_verdict_that_waited_is_a_conflict_where_its_hunk_is_gone(ws: Workspace) -> None:
    put(ws.root, MEMORY, LINES + b"x\n")
    change = only(ws)
    (hunk,) = review.show(ws, change).hunks
    for data in (LINES, LINES + b"y\n"):
        put(ws.root, MEMORY, data)
        with pytest.raises(StaleChange):
            find_again(ws, change, hunk)


def test_all_are_decided_as_one_but_for_those_that_changed_since(ws: Workspace) -> None:
    for name in ("a.md", "b.md", "c.md"):
        put(ws.root, name, b"new\n")
    changes = review.pending(ws)
    put(ws.root, "b.md", b"newer\n")
    verdict, left = accept_all(ws, changes, origin=YOU)
    assert verdict is not None
    assert [change.path for change in left] == ["b.md"]
    assert [change.path for change in review.pending(ws)] == ["b.md"]
    take_back(ws, verdict, origin=YOU)
    assert len(review.pending(ws)) == 3


def test_many_deletions_are_one_batch_and_come_back_together(ws: Workspace) -> None:
    for number in range(6):
        write(ws, b"%d\n" % number, f"{number}.md")
    for number in range(6):
        (ws.root / f"{number}.md").unlink()
    (batch,) = deletions(review.pending(ws))
    assert len(batch) == 6
    changes, verdict, left = reject_all(ws, batch, origin=YOU)
    assert (len(changes.changes), left, review.pending(ws)) == (6, (), ())
    assert now_there(ws, "5.md") == b"5\n"
    assert verdict is not None
    take_back(ws, verdict, origin=YOU)
    assert len(review.pending(ws)) == 6


def test_an_agent_is_thought_to_be_writing_for_ten_seconds(ws: Workspace) -> None:
    write(ws, EDITED, origin=SCRIBE)
    change = only(ws)
    assert is_writing(change, change.changed + 9)
    assert quiet_in(change, change.changed + 7) == pytest.approx(3)
    assert not is_writing(change, change.changed + 10)


def test_an_older_file_put_there_now_counts_as_written_now_and_a_persons_save_does_not(ws: Workspace) -> None:
    put(ws.root, MEMORY, EDITED)
    os.utime(ws.root / MEMORY, (LONG_AGO, LONG_AGO))
    change = only(ws)
    assert change.since == LONG_AGO
    assert change.stat is not None
    assert change.changed == change.stat.ctime_ns / 1e9
    write(ws, b"mine\n" + EDITED)
    after = only(ws)
    assert (after.changed, after.who) == (LONG_AGO, ("outside",))


def test_nobody_but_a_person_decides(ws: Workspace) -> None:
    put(ws.root, MEMORY, EDITED)
    change = only(ws)
    with pytest.raises(NotAuthorized):
        accept(ws, change, origin=SCRIBE)
    with pytest.raises(NotAuthorized):
        reject_all(ws, [change], origin=SCRIBE)
    assert now_there(ws) == EDITED


def test_what_was_seen_is_not_accepted_and_is_unseen_again_once_it_changes(ws: Workspace) -> None:
    put(ws.root, MEMORY, EDITED)
    change = only(ws)
    review.mark_seen(ws, change.path, change.disk)
    assert only(ws).seen
    put(ws.root, MEMORY, EDITED + b"more\n")
    assert not only(ws).seen
    review.mark_seen(ws, change.path, only(ws).disk)
    review.mark_unseen(ws, change.path)
    assert not only(ws).seen


def test_text_that_stands_there_already_is_taken_back_like_any_other(tmp_path: Path) -> None:
    ws = opened(tmp_path / "ws", {"MEMORY.md": b"one\ntwo\n"})
    put(ws.root, "MEMORY.md", b"one\nTWO\n")
    _changes, verdict = edit(ws, only(ws), 1, "TWO", origin=YOU)
    assert review.pending(ws) == ()
    _changes, again = take_back(ws, verdict, origin=YOU)
    assert only(ws).kind is ChangeShape.EDIT
    take_back(ws, again, origin=YOU)
    assert review.pending(ws) == ()
    assert now_there(ws) == b"one\nTWO\n"


@pytest.mark.parametrize("texts", [(b"same\n", b"same\n", b"same\n"), (b"one\n", b"two\n", b"three\n")])
def test_new_documents_that_come_back_pend_again_though_they_are_alike(texts: tuple[bytes, ...], ws: Workspace) -> None:
    for number, text in enumerate(texts):
        put(ws.root, f"{number}.md", text)
    changes = review.pending(ws)
    verdicts = [reject(ws, change, origin=YOU)[1] for change in changes]
    for verdict in reversed(verdicts):
        take_back(ws, verdict, origin=YOU)
    assert {change.id for change in review.pending(ws)} == {change.id for change in changes}
    for number in range(3):
        versions = history.seen(ws, DocPath(f"{number}.md"))
        assert [(one.origin, one.settles) for one in versions] == [
            (Origin.outside(), True),
            (YOU, False),
            (YOU, False),
        ]


def test_what_comes_back_pends_though_nothing_is_known_of_its_writers(ws: Workspace) -> None:
    put(ws.root, "new.md", b"poison\n")
    (change,) = [one for one in review.pending(ws) if one.path == "new.md"]
    _changes, verdict = reject(ws, change, origin=YOU)
    shutil.rmtree(ws.state / "history")
    for file in ws.state.glob("journal.sqlite*"):
        file.unlink()
    take_back(ws, verdict, origin=YOU)
    assert [one.path for one in review.pending(ws)] == ["new.md"]
