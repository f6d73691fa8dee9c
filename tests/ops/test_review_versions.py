"""Review and history together: what stood there before others first wrote is a version, and can be given back."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgui.domain.changes import ChangeKind
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import following, review, sync, versions
from memgui.storage.baselines import FILE, Baselines
from tests.ops.review_values import MEMORY, SCRIBE, only, opened, put, write


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return opened(tmp_path / "ws", {"MEMORY.md": b"one\n", "other.md": b"other\n"})


def listed(ws: Workspace, path: str = MEMORY) -> list[tuple[int, int, str]]:
    return [(one["version"], one["bytes"], one["changed_by"]) for one in versions.versions(ws, path)["versions"]]


def test_what_was_accepted_is_the_first_version_of_what_others_changed(ws: Workspace) -> None:
    before = sync.look(ws)
    put(ws.root, MEMORY, b"one\ntwo\n")
    (ws.root / "other.md").unlink()
    _after, changes = sync.pull(ws, before)
    assert [change.kind for change in changes.changes] == [ChangeKind.MODIFIED, ChangeKind.DELETED]
    following.follow(ws, changes)
    assert listed(ws) == [(1, 4, "outside"), (2, 8, "outside")]
    assert listed(ws, "other.md") == [(1, 6, "outside"), (2, 0, "outside")]
    assert versions.version(ws, "other.md", 1).data == b"other\n"
    assert {one.path: one.who for one in review.pending(ws)} == {MEMORY: ("outside",), "other.md": ("outside",)}


def test_what_others_wrote_unseen_before_an_agent_is_told_as_well(ws: Workspace) -> None:
    put(ws.root, MEMORY, b"one\ntwo\n")
    write(ws, b"one\ntwo\nthree\n", origin=SCRIBE)
    assert listed(ws) == [(1, 4, "outside"), (2, 8, "outside"), (3, 14, 'agent "scribe"')]
    assert only(ws).who == ("outside", 'agent "scribe"')


def test_a_person_who_was_killed_before_their_save_was_accepted_does_not_review_themselves(ws: Workspace) -> None:
    entries = (ws.state / FILE).read_bytes()
    write(ws, b"one\nmine\n")
    (ws.state / FILE).write_bytes(entries)
    entry = Baselines(ws.state).at(DocPath(MEMORY))
    assert entry is not None
    assert review.pending(ws) == ()
    write(ws, b"one\nmine\ntheirs\n", origin=SCRIBE)
    change = only(ws)
    assert (change.who, change.added) == (('agent "scribe"',), 1)


def test_bytes_of_the_persons_that_others_put_there_again_pend(ws: Workspace) -> None:
    write(ws, b"one\nmine\n")
    write(ws, b"one\nbetter\n")
    put(ws.root, MEMORY, b"one\nmine\n")
    assert only(ws).who == ("outside",)
