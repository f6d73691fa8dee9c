"""Review: what pends, of which kind, by whom, and what each verdict does to the baseline and to the disk."""

from __future__ import annotations

import errno
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from memgui.domain.errors import MemguiError, NotFound, WriteFailed
from memgui.domain.paths import DocPath
from memgui.domain.review import Alarm, ChangeShape, StaleChange
from memgui.domain.workspace import Workspace
from memgui.ops import filing, following, review, review_verdicts, sync
from memgui.ops.review_undo import take_back
from memgui.storage.ledger import Ledger
from tests.ops.review_values import MEMORY, SCRIBE, YOU, now_there, only, opened, put, write

LINES = b"".join(b"line %d\n" % number for number in range(1, 11))


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return opened(tmp_path / "ws", {"MEMORY.md": LINES, "SOUL.md": b"calm\n", "daily/2026-11-30.md": b"one\n"})


def test_what_stood_there_at_the_first_opening_counts_as_accepted(ws: Workspace) -> None:
    assert review.pending(ws) == ()


def test_what_an_agent_appends_pends_under_its_name(ws: Workspace) -> None:
    write(ws, LINES + b"more\n", origin=SCRIBE)
    change = only(ws)
    assert (change.path, change.kind, change.alarm) == (MEMORY, ChangeShape.APPEND, False)
    assert (change.who, change.added, change.removed) == (('agent "scribe"',), 1, 0)
    shown = review.show(ws, change.id)
    assert [(hunk.id, hunk.line, hunk.removed, hunk.added) for hunk in shown.hunks] == [
        (f"{change.id}.1", 11, (), ("more\n",))
    ]


def test_accepting_moves_the_baseline_and_not_the_disk(ws: Workspace) -> None:
    put(ws.root, MEMORY, LINES + b"more\n")
    change = only(ws)
    assert change.who == ("outside",)
    review_verdicts.accept(ws, change, origin=YOU)
    assert review.pending(ws) == ()
    assert now_there(ws) == LINES + b"more\n"


def test_a_rejected_hunk_leaves_the_others_as_they_are(ws: Workspace) -> None:
    put(ws.root, MEMORY, LINES.replace(b"line 2\n", b"line two\n").replace(b"line 8\n", b"line eight\n"))
    change = only(ws)
    assert change.kind is ChangeShape.EDIT
    changes, _verdict = review_verdicts.reject(ws, change, hunk=1, origin=YOU)
    assert changes.paths == (MEMORY,)
    assert now_there(ws) == LINES.replace(b"line 8\n", b"line eight\n")
    (left,) = review.show(ws, only(ws)).hunks
    assert left.added == ("line eight\n",)


def test_an_id_of_older_bytes_is_refused(ws: Workspace) -> None:
    put(ws.root, MEMORY, LINES + b"more\n")
    old = only(ws)
    put(ws.root, MEMORY, LINES + b"more\nand more\n")
    for change in (old, old.id):
        with pytest.raises(StaleChange):
            review_verdicts.accept(ws, change, origin=YOU)
        with pytest.raises(StaleChange):
            review_verdicts.reject(ws, change, origin=YOU)
    assert now_there(ws) == LINES + b"more\nand more\n"


def test_what_the_person_saves_does_not_pend_and_what_others_wrote_pends_on(ws: Workspace) -> None:
    write(ws, LINES.replace(b"line 1\n", b"mine\n"))
    assert review.pending(ws) == ()
    put(ws.root, MEMORY, LINES.replace(b"line 1\n", b"mine\n") + b"theirs\n")
    write(ws, LINES.replace(b"line 1\n", b"mine\n").replace(b"line 5\n", b"mine too\n") + b"theirs\n")
    change = only(ws)
    assert (change.who, change.added, change.removed) == (("outside",), 1, 0)
    review_verdicts.reject(ws, change, origin=YOU)
    assert now_there(ws) == LINES.replace(b"line 1\n", b"mine\n").replace(b"line 5\n", b"mine too\n")


@pytest.mark.parametrize(
    ("data", "kind", "alarms"),
    [
        (b"new\n" + LINES, ChangeShape.EDIT, ()),
        (LINES[: len(LINES) // 2], ChangeShape.SHRINK, (Alarm.SHRUNK,)),
        (b"something else\n", ChangeShape.REWRITE, (Alarm.REWRITTEN,)),
        (None, ChangeShape.DELETE, (Alarm.DELETED,)),
    ],
)
def test_kinds_and_their_alarms(
    ws: Workspace, data: bytes | None, kind: ChangeShape, alarms: tuple[Alarm, ...]
) -> None:
    if data is None:
        (ws.root / MEMORY).unlink()
    else:
        put(ws.root, MEMORY, data)
    change = only(ws)
    assert (change.kind, change.reasons) == (kind, alarms)


def test_a_document_under_another_name_is_renamed(ws: Workspace) -> None:
    (ws.root / MEMORY).rename(ws.root / "OTHER.md")
    change = only(ws)
    assert (change.kind, change.path, change.renamed_from) == (ChangeShape.RENAME, "OTHER.md", MEMORY)
    review_verdicts.accept(ws, change, origin=YOU)
    assert review.pending(ws) == ()


def test_alarms_come_first(ws: Workspace) -> None:
    put(ws.root, "new.md", b"new\n")
    put(ws.root, "SOUL.md", b"calm\nand wild\n")
    put(ws.root, "daily/2026-11-30.md", b"other\n")
    changes = review.pending(ws)
    assert changes[-1].path == "new.md"
    assert {change.path: change.reasons[0] for change in changes[:2]} == {
        "SOUL.md": Alarm.PROTECTED,
        "daily/2026-11-30.md": Alarm.DAILY_LOG,
    }


def test_what_a_person_files_does_not_pend_and_what_pended_goes_along(ws: Workspace) -> None:
    put(ws.root, MEMORY, LINES + b"theirs\n")
    before = only(ws)
    _changes, moved = filing.rename(ws, MEMORY, "OTHER.md", origin=YOU)
    change = only(ws)
    assert (change.path, change.kind, change.added) == ("OTHER.md", ChangeShape.APPEND, 1)
    _changes, trashed = filing.trash(ws, moved.path, origin=YOU)
    assert review.pending(ws) == ()
    filing.take_back(ws, trashed, origin=YOU)
    assert only(ws).id == change.id
    filing.take_back(ws, moved, origin=YOU)
    assert only(ws).id == before.id
    filing.create(ws, DocPath("new.md"), data=b"mine\n", origin=YOU)
    filing.duplicate(ws, DocPath("new.md"), origin=YOU)
    assert only(ws).id == before.id


def test_a_document_whose_accepted_bytes_are_lost_still_pends(ws: Workspace) -> None:
    shutil.rmtree(ws.state / "kept")
    put(ws.root, MEMORY, LINES + b"theirs\n")
    change = only(ws)
    shown = review.show(ws, change)
    assert shown.note
    assert [hunk.whole for hunk in shown.hunks] == [True]
    with pytest.raises(NotFound):
        review_verdicts.reject(ws, change, origin=YOU)
    review_verdicts.accept(ws, change, hunk=1, origin=YOU)
    assert review.pending(ws) == ()


def test_a_closed_folder_is_not_taken_for_deletions(ws: Workspace) -> None:
    if os.getuid() == 0:
        snapshot = sync.look(ws)
        nodes = {path: node for path, node in snapshot.nodes.items() if not path.startswith("daily/")}
        closed = replace(snapshot, nodes=nodes, problems={DocPath("daily"): "permission denied"})
    else:
        (ws.root / "daily").chmod(0)
        closed = sync.look(ws)
        (ws.root / "daily").chmod(0o700)
    assert review.pending(ws, closed) == ()
    nodes = {path: node for path, node in closed.nodes.items() if path != MEMORY}
    assert [one.kind for one in review.pending(ws, replace(closed, nodes=nodes))] == [ChangeShape.DELETE]


@pytest.mark.parametrize("moved", [LINES, LINES.replace(b"line 2\n", b"line two\n")])
@pytest.mark.parametrize("decide", ["accept", "reject"])
def test_a_rename_is_accepted_or_taken_back_and_either_is_undone(ws: Workspace, moved: bytes, decide: str) -> None:
    (ws.root / MEMORY).rename(ws.root / "OTHER.md")
    put(ws.root, "OTHER.md", moved)
    change = only(ws)
    assert (change.kind, change.path, change.renamed_from) == (ChangeShape.RENAME, "OTHER.md", MEMORY)
    if decide == "accept":
        verdict = review_verdicts.accept(ws, change, origin=YOU)
    else:
        _changes, verdict = review_verdicts.reject(ws, change, origin=YOU)
        assert (now_there(ws), now_there(ws, "OTHER.md")) == (LINES, None)
    assert review.pending(ws) == ()
    take_back(ws, verdict, origin=YOU)
    assert (now_there(ws), now_there(ws, "OTHER.md")) == (None, moved)
    if moved == LINES:
        assert only(ws).id == change.id


def test_the_hunks_of_a_rename_are_decided_without_it(ws: Workspace) -> None:
    (ws.root / MEMORY).rename(ws.root / "OTHER.md")
    put(ws.root, "OTHER.md", LINES.replace(b"line 2\n", b"line two\n") + b"line 11\n")
    review_verdicts.accept(ws, only(ws), hunk=1, origin=YOU)
    left = only(ws)
    assert (left.kind, left.renamed_from, left.added) == (ChangeShape.RENAME, MEMORY, 1)
    review_verdicts.reject(ws, left, hunk=1, origin=YOU)
    left = only(ws)
    assert (left.kind, left.renamed_from, left.added) == (ChangeShape.RENAME, MEMORY, 0)
    assert now_there(ws, "OTHER.md") == LINES.replace(b"line 2\n", b"line two\n")


def test_what_a_person_writes_into_a_document_that_others_renamed_is_theirs(ws: Workspace) -> None:
    (ws.root / MEMORY).rename(ws.root / "OTHER.md")
    write(ws, LINES + b"mine\n", "OTHER.md")
    change = only(ws)
    assert (change.kind, change.renamed_from, change.added, change.who) == (ChangeShape.RENAME, MEMORY, 0, ("outside",))
    put(ws.root, "OTHER.md", b"theirs\n" + LINES + b"mine\n")
    write(ws, b"theirs\n" + LINES.replace(b"line 5\n", b"") + b"mine\n", "OTHER.md")
    change = only(ws)
    assert (change.kind, change.renamed_from, change.added, change.removed) == (ChangeShape.RENAME, MEMORY, 1, 0)
    review_verdicts.reject(ws, change, origin=YOU)
    assert now_there(ws) == LINES.replace(b"line 5\n", b"") + b"mine\n"


def test_what_was_seen_to_be_renamed_is_so_whatever_is_written_into_it_since(ws: Workspace) -> None:
    write(ws, LINES + b"more\n")
    before = sync.look(ws)
    (ws.root / MEMORY).rename(ws.root / "OTHER.md")
    _after, changes = sync.pull(ws, before)
    following.follow(ws, changes)
    (ws.root / "new.md").write_bytes(b"nothing of it is left\n")
    (ws.root / "new.md").replace(ws.root / "OTHER.md")
    change = only(ws)
    assert (change.kind, change.renamed_from, change.reasons) == (ChangeShape.RENAME, MEMORY, (Alarm.REWRITTEN,))


def test_a_rename_that_was_taken_back_outside_is_stale(ws: Workspace) -> None:
    (ws.root / MEMORY).rename(ws.root / "OTHER.md")
    change = only(ws)
    (ws.root / "OTHER.md").rename(ws.root / MEMORY)
    with pytest.raises(StaleChange):
        review_verdicts.reject(ws, change, origin=YOU)
    assert review.pending(ws) == ()


def test_what_became_a_folder_or_a_link_outwards_is_a_deletion(ws: Workspace, tmp_path: Path) -> None:
    (ws.root / MEMORY).unlink()
    (ws.root / MEMORY).mkdir()
    (ws.root / "SOUL.md").unlink()
    (tmp_path / "outside.md").write_bytes(b"not yours\n")
    (ws.root / "SOUL.md").symlink_to(tmp_path / "outside.md")
    changes = review.pending(ws)
    assert {(one.path, one.kind) for one in changes} == {(MEMORY, ChangeShape.DELETE), ("SOUL.md", ChangeShape.DELETE)}
    for change in changes:
        assert review.show(ws, change).hunks[0].added == ()
        with pytest.raises(MemguiError):
            review_verdicts.reject(ws, change, origin=YOU, unlocked=frozenset({change.path}))
    assert (tmp_path / "outside.md").read_bytes() == b"not yours\n"


def test_a_full_disk_is_told_and_nothing_is_decided(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    put(ws.root, MEMORY, LINES + b"theirs\n")
    change = only(ws)

    def full(*_arguments: object, **_names: object) -> None:
        raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr(Ledger, "add", full)
    with pytest.raises(WriteFailed, match="disk is full"):
        review_verdicts.accept(ws, change, origin=YOU)
    monkeypatch.undo()
    assert only(ws).id == change.id


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\0\1\2" * 1000, b"\0\1\3" * 1000),
        (b"text\n", b"\0binary"),
        (b"a line\n" * 300_000, b"a line\n" * 300_001),
    ],
)
@pytest.mark.parametrize("hunk", [None, 1])
def test_what_is_not_shown_by_lines_is_decided_as_a_whole(
    tmp_path: Path, before: bytes, after: bytes, hunk: int | None
) -> None:
    ws = opened(tmp_path / "other", {"MEMORY.md": before})
    put(ws.root, MEMORY, after)
    shown = review.show(ws, only(ws).id)
    assert [(one.id, one.whole) for one in shown.hunks] == [(f"{shown.id}.1", True)]
    assert shown.note
    _changes, verdict = review_verdicts.reject(ws, shown.change, hunk=hunk, origin=YOU)
    assert (now_there(ws), review.pending(ws)) == (before, ())
    take_back(ws, verdict, origin=YOU)
    review_verdicts.accept(ws, only(ws), hunk=hunk, origin=YOU)
    assert (now_there(ws), review.pending(ws)) == (after, ())


def test_any_name_of_a_document_will_do(ws: Workspace) -> None:
    names = [os.fsdecode(b"bad\xff.md"), "new\nline.md", "ä 港口 🛶.md", "-x.md", "a/b/c d.MD", "e.markdown"]
    for name in names:
        put(ws.root, name, b"new\n")
    assert sorted(change.path for change in review.pending(ws)) == sorted(names)
    for change in review.pending(ws):
        _changes, verdict = review_verdicts.reject(ws, change.id, origin=YOU)
        assert not (ws.root / change.path).exists()
        take_back(ws, verdict, origin=YOU)
        review_verdicts.accept(ws, change, origin=YOU)
    assert review.pending(ws) == ()


def test_what_is_no_document_does_not_pend(ws: Workspace) -> None:
    for name in ("picture.png", "notes.txt", ".git/x.md", "MEMORY.md.bak"):
        put(ws.root, name, b"new\n")
    (ws.root / "link.md").symlink_to("MEMORY.md")
    assert review.pending(ws) == ()
    put(ws.root, MEMORY, LINES + b"more\n")
    assert only(ws).path == MEMORY
