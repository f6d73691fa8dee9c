"""`write`, `history` and the versions of `read`, as scripts see them."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "ws"
    (root / "daily").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# M\n")
    (root / "HEARTBEAT.md").write_text("")
    (root / "SOUL.md").write_text("soul\n")
    monkeypatch.chdir(root)
    return root


def test_a_text_goes_into_todays_log_under_the_name_of_an_agent(root: Path, run: Any) -> None:
    ran = run("write", "shipped", "--json")
    assert ran.code == 0
    assert (ran.json["status"], ran.json["append"], ran.json["content_length"]) == ("written", True, 7)
    assert re.fullmatch(r"\[\d\d:\d\d:\d\d\] shipped\n", (root / ran.json["path"]).read_text())
    (version,) = run("history", ran.json["path"], "--json").json["versions"]
    assert version["changed_by"] == 'agent "cli"'


def test_options_stand_before_or_after_the_verb(root: Path, run: Any) -> None:
    assert run("--target", "memory", "--agent", "scribe", "write", "x").out == "Added to MEMORY.md.\n"
    assert run("write", "--target", "a.md", "--replace", "--", "- y").out == "Replaced a.md.\n"
    assert run("--old", "y", "--new", "z", "--target", "a.md", "write").out == "Patched 1 place in a.md.\n"
    assert (root / "a.md").read_text() == "- z"
    assert run("--version", "1", "read", "MEMORY.md").out == "# M\n"
    assert run("read", "--version", "2", "MEMORY.md").out == "# M\n\nx\n"
    assert run("--version").out.startswith("memgui ")
    assert [one["changed_by"] for one in run("read", "MEMORY.md", "--list-versions", "--json").json["versions"]] == [
        "outside",
        'agent "scribe"',
    ]


def test_what_is_piped_in_is_the_text(root: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("né\n".encode())))
    assert run("write", "-", "--target", "a.md", "--json").json["content_length"] == 4
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    assert run("write", "-", "--target", "a.md", "--json").json["error"]["code"] == "InvalidParameters"
    assert (root / "a.md").read_text() == "né\n"


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (("write",), 2, "InvalidParameters"),
        (("write", ""), 1, "InvalidParameters"),
        (("write", "x", "y"), 2, "InvalidParameters"),
        (("write", "x", "--target", "SOUL.md"), 1, "NotAuthorized"),
        (("write", "x", "--target", "../x.md"), 1, "InvalidParameters"),
        (("write", "x", "--timezone", "Mars"), 1, "InvalidParameters"),
        (("write", "--old", "no", "--new", "x", "--target", "memory"), 1, "ExecutionFailed"),
        (("write", "--old", "no", "--target", "memory"), 1, "InvalidParameters"),
        (("write", "x", "--old", "#", "--new", "x", "--target", "memory"), 1, "InvalidParameters"),
        (("history",), 2, "InvalidParameters"),
        (("history", "MEMORY.md", "--refusals"), 2, "InvalidParameters"),
        (("history", "none.md"), 1, "ExecutionFailed"),
        (("history", "/etc/x.md"), 1, "InvalidParameters"),
        (("read", "MEMORY.md", "--version", "1", "--list-versions"), 2, "InvalidParameters"),
        (("read", "MEMORY.md", "--version", "0"), 1, "InvalidParameters"),
        (("read", "MEMORY.md", "--version", "9"), 1, "ExecutionFailed"),
        (("read", "MEMORY.md", "--version", "x"), 2, "InvalidParameters"),
    ],
)
def test_what_fails_says_so_and_exits_with_its_code(
    root: Path, run: Any, words: tuple[str, ...], code: int, error: str
) -> None:
    ran = run(*words, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (code, error)
    assert run(*words).err.startswith("memgui: ")
    assert (root / "SOUL.md").read_text() == "soul\n"
    assert (root / "MEMORY.md").read_text() == "# M\n"


def test_too_many_writes_say_when_to_come_back(root: Path, run: Any) -> None:
    for _call in range(20):
        assert run("write", "x").code == 0
    error = run("write", "x", "--json").json["error"]
    assert error["code"] == "RateLimited"
    assert 0 < error["retry_after"] <= 60


def test_refusals_are_listed_with_who_and_what_and_why(root: Path, run: Any) -> None:
    assert run("history", "--refusals").err == "Nothing was refused.\n"
    for _call in range(2):
        run("write", "a secret", "--target", "SOUL.md", "--agent", "scribe")
    (one,) = run("history", "--refusals", "--json").json["refusals"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", one.pop("at"))
    assert one == {
        "who": 'agent "scribe"',
        "tool": "memory_write",
        "target": "SOUL.md",
        "code": "NotAuthorized",
        "message": "writing to 'SOUL.md' is not allowed (identity file protected from tool access)",
        "count": 2,
    }
    line = run("history", "--refusals").out
    assert "memory_write SOUL.md: writing to" in line
    assert line.endswith("(× 2)\n")
    assert "secret" not in line


def test_history_is_a_line_for_each_version(root: Path, run: Any) -> None:
    run("write", "x", "--target", "memory")
    (root / "MEMORY.md").unlink()
    lines = run("history", "MEMORY.md").out.splitlines()
    assert [line.split("  ")[-1] for line in lines] == ["4 bytes", "7 bytes", "deleted"]
    assert run("read", "--list-versions", "MEMORY.md").out.splitlines() == lines
