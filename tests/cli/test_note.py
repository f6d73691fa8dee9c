"""`memgui note` on live sessions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memgui.cli.main import main
from memgui.ops.notes import LiveNote


@pytest.fixture
def note(tmp_path: Path) -> Iterator[LiveNote]:
    note = LiveNote(tmp_path)
    note.begin("scribe")
    yield note
    note.end()


def test_the_person_reads_and_writes(note: LiveNote, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    note.act("append", "berth 7")
    assert main(["note", "read"]) == 0
    assert capfdbinary.readouterr().out == b"berth 7"
    assert main(["note", "append", "berth 8", "--session", note.id[:5]]) == 0
    assert main(["--json", "note", "read"]) == 0
    assert json.loads(capfdbinary.readouterr().out) == {
        "action": "read",
        "ok": True,
        "length": 15,
        "text": "berth 7\nberth 8",
    }
    assert main(["note", "replace", "", "--json"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["length"] == 0
    assert note.act("read")["text"] == ""


def test_status_on_off_and_tools(note: LiveNote, capfd: pytest.CaptureFixture[str]) -> None:
    value = {"id": note.id, "agent": "scribe", "active": True, "length": 0, "tools": ["memory"]}
    for action, active in (("status", True), ("off", False), ("tools", False), ("on", True)):
        assert main(["note", action, "--json"]) == 0
        assert json.loads(capfd.readouterr().out) == {"sessions": [value | {"active": active}]}
    assert main(["note", "tools"]) == 0
    assert capfd.readouterr().out == f"{note.id}  scribe  memory\n"


def test_where_no_session_is_live(capfd: pytest.CaptureFixture[str]) -> None:
    for action in (["read"], ["append", "x"], ["on"], ["off"]):
        assert main(["note", *action]) == 1
        assert "No live session offers a working note." in capfd.readouterr().err
    for action in ("status", "tools"):
        assert main(["note", action]) == 0
        assert "No live session offers a working note." in capfd.readouterr().err
        assert main(["note", action, "--json"]) == 0
        assert json.loads(capfd.readouterr().out) == {"sessions": []}


def test_a_workspace_that_is_named_narrows_them_down(
    note: LiveNote, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    other = LiveNote(tmp_path / "mill")
    other.begin("miller")
    try:
        assert main(["note", "read"]) == 1
        assert "--session" in capfd.readouterr().err
        assert main(["note", "status", "-w", str(tmp_path / "mill"), "--json"]) == 0
        assert [one["agent"] for one in json.loads(capfd.readouterr().out)["sessions"]] == ["miller"]
    finally:
        other.end()


@pytest.mark.parametrize("words", [["note"], ["note", "erase"], ["note", "read", "x"], ["note", "replace"]])
def test_wrong_usage(words: list[str]) -> None:
    assert main(words) == 2
