"""Working notes: both sides of a live session, many sessions, and what is left of them (nothing)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memgui.domain.errors import ExecutionFailed, InvalidParameters, NotAuthorized, NotFound
from memgui.domain.notes import MemoryNote, act
from memgui.ops import notes
from memgui.ops.notes import LiveNote
from memgui.storage.live_notes import LiveNotes, Owner


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    return tmp_path / "run" / "memgui"


def _live(runtime: Path, agent: str = "scribe", workspace: str = "/harbour") -> LiveNote:
    note = LiveNote(Path(workspace), runtime=runtime)
    note.begin(agent)
    return note


@pytest.mark.parametrize(
    ("before", "action", "content", "after"),
    [
        ("", "read", None, ""),
        ("a", "read", "ignored", "a"),
        ("a", "replace", "b", "b"),
        ("a", "replace", "", ""),
        ("", "append", "b", "b"),
        ("a", "append", "b", "a\nb"),
        ("a\n", "append", "b", "a\nb"),
        ("a", "append", None, "a"),
        ("a", "append", "", "a"),
        ("", "append", "💡é", "💡é"),
    ],
)
def test_actions(before: str, action: str, content: str | None, after: str) -> None:
    assert act(MemoryNote(before), action, content) == {
        "action": action,
        "ok": True,
        "length": len(after),
        "text": after,
    }


@pytest.mark.parametrize(("action", "content"), [("replace", None), ("erase", "x"), ("", None), ("READ", None)])
def test_wrong_actions(action: str, content: str | None) -> None:
    with pytest.raises(InvalidParameters):
        act(MemoryNote("a"), action, content)


def test_both_sides_see_what_the_other_wrote(runtime: Path) -> None:
    note = _live(runtime)
    note.act("append", "from the agent")
    (seen,) = notes.sessions(runtime=runtime)
    assert seen.value == {"id": note.id, "agent": "scribe", "active": True, "length": 14, "tools": ["memory"]}
    assert notes.act_on(note.id, "append", "from the person", runtime=runtime)["text"] == (
        "from the agent\nfrom the person"
    )
    assert note.act("read")["text"] == "from the agent\nfrom the person"
    assert note.act("append", "third")["length"] == len("from the agent\nfrom the person\nthird")


def test_off_keeps_the_agent_out_and_the_note(runtime: Path) -> None:
    note = _live(runtime)
    note.act("append", "plan")
    assert not notes.switch(note.id, active=False, runtime=runtime).active
    for action in ("read", "replace", "append"):
        with pytest.raises(NotAuthorized):
            note.act(action, "x")
    assert notes.act_on(note.id, "read", runtime=runtime)["text"] == "plan"
    notes.switch(note.id, active=True, runtime=runtime)
    assert note.act("read")["text"] == "plan"


def test_a_host_may_hand_in_its_own_store(runtime: Path) -> None:
    store = MemoryNote("kept by the host")
    note = LiveNote(Path("/harbour"), store=store, runtime=runtime)
    note.begin("host")
    notes.act_on(note.id, "append", "and this", runtime=runtime)
    assert note.act("read")["text"] == "kept by the host\nand this"
    assert store.read() == "kept by the host\nand this"


def test_the_one_that_is_meant(runtime: Path) -> None:
    assert notes.sessions(runtime=runtime) == ()
    with pytest.raises(NotFound, match="No live session offers"):
        notes.chosen((), None)
    one, other = _live(runtime), _live(runtime, "night shift", "/mill")
    both = notes.sessions(runtime=runtime)
    assert {each.id for each in both} == {one.id, other.id}
    with pytest.raises(ExecutionFailed, match="Several live sessions"):
        notes.chosen(both, None)
    assert notes.chosen(both, other.id).agent == "night shift"
    assert notes.chosen(notes.sessions(Path("/mill"), runtime=runtime), None).id == other.id
    with pytest.raises(NotFound, match="No live session is called"):
        notes.chosen(both, "nobody")
    one.end()
    assert [each.id for each in notes.sessions(runtime=runtime)] == [other.id]
    with pytest.raises(NotFound, match="has ended"):
        notes.act_on(one.id, "read", runtime=runtime)


def test_files_are_private_and_go_with_the_session(runtime: Path) -> None:
    note = _live(runtime)
    folder = runtime / "notes"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [path.stat().st_mode & 0o777 for path in folder.glob("*.json")] == [0o600]
    note.end()
    assert list(folder.glob("*.json")) == []


def test_what_a_killed_process_left_is_swept(runtime: Path) -> None:
    note = _live(runtime)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    again = Owner(os.getpid(), "another time")
    live = LiveNotes(runtime)
    (session,) = notes.sessions(runtime=runtime)
    for owner in (Owner(ended.pid, ""), again):
        live.put(session, owner)
        with pytest.raises(NotFound):
            notes.act_on(note.id, "read", runtime=runtime)
        assert notes.sessions(runtime=runtime) == ()
        assert list((runtime / "notes").glob("*.json")) == []


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b'{"id": 1}', b"\xff", b"[" * 100_000])
def test_a_damaged_file_is_nobody(runtime: Path, data: bytes) -> None:
    note = _live(runtime)
    (runtime / "notes" / "x.note.json").write_bytes(data)
    assert [each.id for each in notes.sessions(runtime=runtime)] == [note.id]


def test_a_link_in_the_folder_is_not_followed(runtime: Path, tmp_path: Path) -> None:
    note = _live(runtime)
    (file,) = (runtime / "notes").glob("*.json")
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert notes.sessions(runtime=runtime) == ()
    assert note.act("append", "x")["text"] == "x"


def test_without_a_folder_the_agent_keeps_its_note(tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(b"a file")
    note = LiveNote(Path("/harbour"), runtime=tmp_path / "run")
    note.begin("scribe")
    assert note.act("append", "x")["text"] == "x"
    assert note.act("append", "y")["text"] == "x\ny"
    note.end()


def test_where_sessions_meet(tmp_path: Path) -> None:
    login, home = str(tmp_path / "login"), str(tmp_path / "home")
    assert notes.runtime_folder({"XDG_RUNTIME_DIR": login, "MEMGUI_HOME": home}) == tmp_path / "login" / "memgui"
    assert notes.runtime_folder({"MEMGUI_HOME": home}) == tmp_path / "home" / "run"
    assert notes.runtime_folder({"XDG_RUNTIME_DIR": "here", "MEMGUI_HOME": home}) == tmp_path / "home" / "run"
