"""`history` and `restore`, as scripts and persons at a terminal use them."""

from __future__ import annotations

import io
import os
import shutil
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memgui.domain.documents import fingerprint
from memgui.ops import workspace
from memgui.storage import anchors


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "ws"
    (root / "daily").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# M\n")
    (root / "HEARTBEAT.md").write_text("")
    (root / "SOUL.md").write_text("soul\n")
    for path in root.glob("*.md"):
        os.utime(path, (1.5e9, 1.5e9))
    monkeypatch.chdir(root)
    return root


class Terminal(io.StringIO):
    """A stdin behind which a person sits."""

    def isatty(self) -> bool:
        return True


def write(run: Any, text: str, target: str = "MEMORY.md") -> None:
    assert run("write", text, "--target", target, "--replace").code == 0


def test_a_version_is_put_back_and_the_next_one_says_who_did(root: Path, run: Any) -> None:
    write(run, "two")
    ran = run("restore", "MEMORY.md", "--version", "1", "--json")
    assert ran.json == {"path": "MEMORY.md", "version": 1, "content_hash": fingerprint(b"# M\n")}
    assert (root / "MEMORY.md").read_text() == "# M\n"
    listed = run("history", "MEMORY.md", "--json").json
    assert [one["changed_by"] for one in listed["versions"]] == ["outside", 'agent "cli"', "you (shell)"]
    assert run("--version", "2", "restore", "MEMORY.md").out == "MEMORY.md is as version 2 was.\n"


def test_an_identity_file_is_put_back_by_a_person_alone(root: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run("history", "SOUL.md")
    (root / "SOUL.md").write_text("poison\n")
    ran = run("restore", "SOUL.md", "--version", "1", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "NotAuthorized")
    assert (root / "SOUL.md").read_text() == "poison\n"
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert run("restore", "SOUL.md", "--version", "1").code == 0
    assert (root / "SOUL.md").read_text() == "soul\n"


def test_what_is_gone_is_listed_and_comes_back(root: Path, run: Any) -> None:
    assert run("history", "--deleted").err == "Nothing is gone.\n"
    write(run, "two")
    (root / "MEMORY.md").unlink()
    assert run("history", "MEMORY.md").out.splitlines()[-1].endswith("deleted")
    (one,) = run("history", "--deleted", "--json").json["deleted"]
    assert (one["path"], one["version"], one["changed_by"], one["bytes"]) == ("MEMORY.md", 2, "outside", 3)
    ran = run("history", "--deleted")
    assert "MEMORY.md  version 2, 3 bytes" in ran.out
    assert run("restore", "MEMORY.md", "--version", "2").code == 0
    assert (root / "MEMORY.md").read_text() == "two"


def test_the_whole_workspace_is_laid_out_as_it_was(root: Path, run: Any, tmp_path: Path) -> None:
    run("history", "MEMORY.md")
    write(run, "two")
    to = tmp_path / "then"
    ran = run("restore", "--all", "--at", "2020-01-01", "--to", str(to), "--json")
    assert (ran.code, ran.json["documents"], ran.json["missing"]) == (0, 3, [])
    assert (to / "MEMORY.md").read_text() == "# M\n"
    ran = run("restore", "--all", "--at", "2020-01-01", "--to", str(to))
    assert (ran.code, ran.out) == (1, "")
    assert "not empty" in ran.err
    now = datetime.now().isoformat()
    ran = run("restore", "--all", "--at", now, "--to", str(tmp_path / "now"))
    assert "3 documents" in ran.out
    assert (tmp_path / "now/MEMORY.md").read_text() == "two"
    # As the history told it, to the second.
    at = run("history", "MEMORY.md", "--json").json["versions"][-1]["created_at"]
    assert run("restore", "--all", "--at", at, "--to", str(tmp_path / "told")).code == 0
    assert (tmp_path / "told/MEMORY.md").read_text() == "two"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("restore",), 2),
        (("restore", "MEMORY.md"), 2),
        (("restore", "--all", "--at", "2026-11-30"), 2),
        (("restore", "MEMORY.md", "--version", "1", "--all", "--at", "2026-11-30", "--to", "x"), 2),
        (("restore", "--all", "--at", "yesterday", "--to", "x"), 1),
        (("restore", "MEMORY.md", "--version", "9"), 1),
        (("restore", "none.md", "--version", "1"), 1),
        (("restore", "../x.md", "--version", "1"), 1),
        (("history", "--forget", "1"), 2),
        (("history", "--deleted", "--refusals"), 2),
        (("history", "MEMORY.md", "--forget", "1"), 1),
        (("history", "--take-over"), 1),
    ],
)
def test_what_cannot_be_done_is_a_sentence(root: Path, run: Any, words: tuple[str, ...], code: int) -> None:
    ran = run(*words, "--json")
    assert ran.code == code
    assert set(ran.json) == {"error"}
    assert (root / "MEMORY.md").read_text() == "# M\n"


def test_a_person_has_a_text_or_a_version_forgotten_and_no_program_does(
    root: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(run, "the token is ghp_4711")
    write(run, "clean")
    assert run("history", "--forget-text", "ghp_4711").code == 1
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert run("history", "--forget-text", "ghp_4711", "--json").json == {"versions": 1, "others": 0, "still": []}
    ran = run("history", "MEMORY.md", "--forget", "3")
    assert (ran.out, ran.err) == (
        "Forgot 1 version.\n",
        "It still stands in MEMORY.md: that file is yours to change.\n",
    )
    lines = run("history", "MEMORY.md").out.splitlines()
    assert [line.endswith("forgotten") for line in lines] == [False, True, True]
    ran = run("read", "MEMORY.md", "--version", "2", "--json")
    assert (ran.code, "forgotten" in ran.json["error"]["message"]) == (1, True)


def test_a_workspace_that_moved_is_said_and_its_history_taken_over(
    root: Path, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in root.glob("*.md"):
        run("read", path.name)
    write(run, "two")
    monkeypatch.chdir(tmp_path)
    shutil.move(root, tmp_path / "moved")
    ran = run("history", "MEMORY.md", "-w", str(tmp_path / "moved"))
    assert f"This looks like {root}" in ran.err
    assert run("history", "--take-over", "-w", str(tmp_path / "moved")).code == 0
    ran = run("history", "MEMORY.md", "-w", str(tmp_path / "moved"), "--json")
    assert [one["changed_by"] for one in ran.json["versions"]] == ["outside", 'agent "cli"']


def test_a_damaged_journal_is_said_once_and_keeps_no_verb_from_working(root: Path, run: Any) -> None:
    write(run, "two")
    anchors.release()
    (workspace.open(root, remember=False).state / "journal.sqlite").write_bytes(b"no database" * 999)
    ran = run("history", "MEMORY.md", "--json")
    assert len(ran.json["versions"]) == 2
    assert "was damaged and has been begun anew" in ran.err
    assert run("history", "MEMORY.md").err == ""


def test_too_much_history_is_said_and_nothing_goes_by_itself(root: Path, run: Any, places: Path) -> None:
    (places / "config").mkdir(parents=True, exist_ok=True)
    (places / "config/config.toml").write_text("[history]\nmegabytes = 1\n")
    (root / "MEMORY.md").write_text(os.urandom(1_200_000).hex())
    ran = run("history", "MEMORY.md")
    assert "more than the 1 MB that history.megabytes allows" in ran.err
    assert run("history", "MEMORY.md", "--json").json["version_count"] == 1
