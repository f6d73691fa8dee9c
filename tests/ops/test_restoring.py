"""Restoring a version, a place of it, a deleted document; and the whole workspace as of a moment."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.errors import Conflict, InvalidParameters, NotFound, ProtectedDocument, WriteFailed
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.versions import Version
from memgui.domain.workspace import Workspace
from memgui.ops import documents, following, laying_out, restoring, review, sync, versions, workspace
from memgui.storage.deeds import Deeds
from memgui.storage.history import Line
from tests.ops.review_values import opened

MEMORY, YOU, SCRIBE = DocPath("MEMORY.md"), Origin.you(), Origin.agent("scribe")


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "ws"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_bytes(b"one\r\ntwo\nthree")
    (root / "SOUL.md").write_bytes(b"soul\n")
    (root / "AGENTS.md").write_bytes(b"agents\n")
    os.utime(root / "MEMORY.md", (1000, 1000))
    return workspace.open(root, remember=False)


def write(ws: Workspace, data: bytes, path: DocPath = MEMORY, *, now: float, origin: Origin = SCRIBE) -> None:
    before = (ws.root / path).read_bytes() if (ws.root / path).exists() else None
    expected = None if before is None else fingerprint(before)
    unlocked = frozenset({path})
    documents.write(ws, path, data, expected=expected, origin=origin, now=now, unlocked=unlocked)


def disk(ws: Workspace, path: str = "MEMORY.md") -> bytes:
    return (ws.root / path).read_bytes()


def test_a_version_comes_back_to_the_byte_as_a_write_of_the_person(ws: Workspace) -> None:
    write(ws, b"other\n", now=2000)
    restored = restoring.restore(ws, MEMORY, 1, expected=fingerprint(b"other\n"), origin=YOU, now=3000)
    assert disk(ws) == b"one\r\ntwo\nthree"
    found = versions.seen(ws, MEMORY)
    assert [one.origin for one in found] == [Origin.outside(), SCRIBE, YOU]
    assert [(deed.kind, deed.path, deed.origin) for deed in Deeds(ws.state).all()] == [("restore", MEMORY, YOU)]
    restoring.take_back(ws, restored, origin=YOU, now=3001)
    assert disk(ws) == b"other\n"
    assert [deed.kind for deed in Deeds(ws.state).all()] == ["restore", "undo"]


def test_where_somebody_wrote_meanwhile_nothing_is_touched(ws: Workspace) -> None:
    write(ws, b"other\n", now=2000)
    restored = restoring.restore(ws, MEMORY, 1, expected=fingerprint(b"other\n"), origin=YOU, now=3000)
    (ws.root / MEMORY).write_bytes(b"newer\n")
    with pytest.raises(Conflict):
        restoring.restore(ws, MEMORY, 2, expected=restored.after, origin=YOU, now=3001)
    with pytest.raises(Conflict):
        restoring.take_back(ws, restored, origin=YOU, now=3001)
    with pytest.raises(Conflict):
        restoring.restore_hunk(ws, MEMORY, 1, 1, expected=restored.after, origin=YOU, now=3001)
    assert disk(ws) == b"newer\n"


def test_one_place_comes_back_and_the_others_stay(ws: Workspace) -> None:
    lines = [b"line %d\n" % number for number in range(9)]
    write(ws, b"".join(lines), now=2000)
    edited = [*lines]
    edited[1], edited[7] = b"agent's\n", b"agent's too\n"
    write(ws, b"".join(edited), now=2100)
    restoring.restore_hunk(ws, MEMORY, 2, 2, expected=fingerprint(b"".join(edited)), origin=YOU, now=2200)
    edited[7] = lines[7]
    assert disk(ws) == b"".join(edited)
    with pytest.raises(InvalidParameters):
        restoring.restore_hunk(ws, MEMORY, 2, 2, expected=fingerprint(disk(ws)), origin=YOU, now=2300)


def test_an_identity_file_is_refused_unless_it_was_unlocked(ws: Workspace) -> None:
    soul = DocPath("SOUL.md")
    versions.seen(ws, soul)
    (ws.root / soul).write_bytes(b"changed\n")
    with pytest.raises(ProtectedDocument):
        restoring.restore(ws, soul, 1, expected=fingerprint(b"changed\n"), origin=YOU, now=2.0)
    with pytest.raises(ProtectedDocument):
        restoring.restore_answer(ws, "SOUL.md", 1, origin=Origin.shell())
    answer = restoring.restore_answer(ws, "SOUL.md", 1, origin=Origin.shell(), unlock=True)
    assert answer == {"path": "SOUL.md", "version": 1, "content_hash": fingerprint(b"soul\n")}
    assert disk(ws, "SOUL.md") == b"soul\n"


def test_a_deleted_document_is_listed_and_comes_back_and_goes_again_by_undo(ws: Workspace) -> None:
    path = DocPath("memory/day.md")
    write(ws, b"day\n", path, now=2000)
    (ws.root / path).unlink()
    (ws.root / "memory").rmdir()
    following.catch_up(ws, sync.look(ws), now=3000)
    (gone,) = restoring.deleted(ws)
    assert (gone.path, gone.time, gone.origin, gone.version.number) == (path, 3000, Origin.outside(), 1)
    restored = restoring.restore(ws, path, gone.version.number, expected=None, origin=YOU, now=4000)
    assert disk(ws, path) == b"day\n"
    assert restoring.deleted(ws) == ()
    restoring.take_back(ws, restored, origin=YOU, now=4001)
    assert not (ws.root / path).exists()
    assert [one.path for one in restoring.deleted(ws)] == [path]


def test_a_version_without_bytes_is_refused(ws: Workspace) -> None:
    write(ws, b"x", now=2000)
    (ws.root / MEMORY).unlink()
    assert versions.seen(ws, MEMORY)[-1].hash is None
    with pytest.raises(NotFound, match="deleted"):
        restoring.restore(ws, MEMORY, 3, expected=None, origin=YOU, now=3000)
    with pytest.raises(NotFound, match="no version 9"):
        restoring.restore(ws, MEMORY, 9, expected=None, origin=YOU, now=3000)


# The whole workspace -----------------------------------------------------------------------------------------------


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_workspace_is_laid_out_as_it_was_at_any_moment(ws: Workspace, tmp_path: Path) -> None:
    day = DocPath("memory/day.md")
    for name in ("SOUL.md", "AGENTS.md"):
        os.utime(ws.root / name, (500, 500))
    write(ws, b"two\n", now=2000)
    write(ws, b"day\n", day, now=2500)
    known = sync.look(ws)
    (ws.root / day).rename(ws.root / "memory/moved.md")
    following.follow(ws, sync.pull(ws, known)[1], now=3000)
    (ws.root / "memory/moved.md").unlink()
    following.catch_up(ws, sync.look(ws), now=4000)
    rest = {"SOUL.md": b"soul\n", "AGENTS.md": b"agents\n"}
    wanted = {
        600: rest,
        1500: {"MEMORY.md": b"one\r\ntwo\nthree", **rest},
        2100: {"MEMORY.md": b"two\n", **rest},
        2600: {"MEMORY.md": b"two\n", "memory/day.md": b"day\n", **rest},
        3500: {"MEMORY.md": b"two\n", "memory/moved.md": b"day\n", **rest},
        5000: {"MEMORY.md": b"two\n", **rest},
    }
    for at, files in wanted.items():
        told: list[tuple[int, int]] = []
        done = laying_out.lay_out(ws, at, tmp_path / f"at{at}", progress=lambda a, b, told=told: told.append((a, b)))  # type: ignore[misc]
        assert tree(tmp_path / f"at{at}") == files, at
        assert (done.documents, done.missing) == (len(files), ())
        assert told[-1] == (len(files), len(files))
    assert disk(ws) == b"two\n"


def test_what_was_accepted_and_changed_while_no_window_looked_is_laid_out_as_it_was(tmp_path: Path) -> None:
    names = ("MEMORY.md", "gone.md", "moved.md", "same.md")
    ws = opened(tmp_path / "reviewed", {name: name.encode() for name in names})
    review.pending(ws)
    at = time.time()
    (ws.root / "MEMORY.md").write_bytes(b"changed")
    (ws.root / "gone.md").unlink()
    (ws.root / "moved.md").rename(ws.root / "other.md")
    done = laying_out.lay_out(ws, at, tmp_path / "out")
    laid = tree(tmp_path / "out")
    assert done.missing == ()
    assert {name: laid.get(name) for name in ("MEMORY.md", "gone.md", "same.md")} == {
        name: name.encode() for name in ("MEMORY.md", "gone.md", "same.md")
    }
    assert [(one.path, one.version.number) for one in restoring.deleted(ws)] == [("gone.md", 1)]
    assert versions.bytes_of(ws, MEMORY, versions.seen(ws, MEMORY)[0]) == b"MEMORY.md"
    laying_out.lay_out(ws, time.time() + 5, tmp_path / "now")
    assert tree(tmp_path / "now") == tree(ws.root)


def test_nothing_is_laid_out_over_files_or_into_the_workspace(ws: Workspace, tmp_path: Path) -> None:
    used = tmp_path / "used"
    used.mkdir()
    (used / "mine.md").write_bytes(b"mine")
    (tmp_path / "link").symlink_to(ws.root)
    for folder in (
        used,
        used / "mine.md",
        ws.root / "sub",
        ws.root,
        ws.state / "sub",
        ws.state.parent / "other",
        tmp_path / "link/sub",
    ):
        with pytest.raises(InvalidParameters):
            laying_out.lay_out(ws, 5000, folder)
    assert tree(used) == {"mine.md": b"mine"}


def test_a_copy_that_is_damaged_is_named_and_keeps_no_other_from_being_laid_out(ws: Workspace, tmp_path: Path) -> None:
    day = DocPath("memory/day.md")
    write(ws, b"day\n", day, now=2000)
    write(ws, b"later\n", day, now=2500)
    write(ws, b"two\n", now=2000)
    print_ = fingerprint(b"day\n")
    (ws.state / "kept" / print_[:2] / print_[2:]).write_bytes(b"damage")
    done = laying_out.lay_out(ws, 2100, tmp_path / "out")
    assert [path for path, _reason in done.missing] == [day]
    assert tree(tmp_path / "out") == {"MEMORY.md": b"two\n"}


def test_it_stops_when_asked_to_and_a_full_disk_is_a_sentence(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(ws, b"two\n", now=2000)
    done = laying_out.lay_out(ws, 2100, tmp_path / "out", stop=lambda: True)
    assert done.is_stopped
    assert tree(tmp_path / "out") == {}
    monkeypatch.setattr(laying_out, "_put", lambda *_given: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(WriteFailed, match="full; 0 documents"):
        laying_out.lay_out(ws, 2100, tmp_path / "other")


def test_a_move_that_nobody_noted_the_time_of_counts_from_the_next_version() -> None:
    one = Version(1, fingerprint(b"1"), 10.0, YOU, 1)
    two = Version(2, fingerprint(b"2"), 20.0, YOU, 1)
    a, b = DocPath("a.md"), DocPath("b.md")
    lines = [Line(a, one), Line(b, None), Line(b, two)]
    assert laying_out.as_of(lines, 15.0) == (a, one)
    assert laying_out.as_of(lines, 25.0) == (b, two)
    assert laying_out.as_of(lines[:2], 25.0) == (b, one)
    assert laying_out.as_of(lines, 5.0) is None


def test_what_was_written_before_a_move_was_noticed_counts_from_when_it_was_written() -> None:
    one = Version(1, fingerprint(b"1"), 10.0, YOU, 1)
    two = Version(2, fingerprint(b"2"), 20.0, YOU, 1)
    a, b = DocPath("a.md"), DocPath("b.md")
    lines = [Line(a, one), Line(b, None, 30.0), Line(b, two)]
    assert laying_out.as_of(lines, 25.0) == (b, two)
    assert laying_out.as_of(lines, 15.0) == (a, one)
