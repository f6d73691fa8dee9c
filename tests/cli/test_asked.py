"""What was mistyped, or is not there: said in the words of who asked, with what may have been meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "ws"
    (root / "memory").mkdir(parents=True)
    for name in ("MEMORY.md", "SOUL.md", "AGENTS.md", "memory/2026-11-30.md", "memory/café.md"):
        (root / name).write_text(f"# {name}\n")
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("MEMROY.md", "'MEMORY.md'"),
        ("memori.md", "'MEMORY.md'"),
        ("2026-11-30.md", "'memory/2026-11-30.md'"),
        ("memory/2026-11-03.md", "'memory/2026-11-30.md'"),
        ("memory/cafe.md", "'memory/café.md'"),
    ],
)
def test_a_mistyped_path_names_the_documents_that_come_near(root: Path, run: Any, typed: str, meant: str) -> None:
    for words in (("read", typed), ("history", typed), ("restore", typed, "--version", "1")):
        ran = run(*words)
        assert ran.code == 1
        assert "Did you mean" in ran.err, words
        assert meant in ran.err, words
    error = run("read", typed, "--json").json["error"]
    assert error["code"] == "ExecutionFailed"
    assert error["message"].startswith("Read failed: there is no")
    assert meant in error["hint"]


def test_a_name_without_its_suffix_names_it_too(root: Path, run: Any) -> None:
    assert "Did you mean 'MEMORY.md'" in run("read", "memory").err


def test_what_comes_near_nothing_gets_no_guess(root: Path, run: Any) -> None:
    assert run("read", "quarterly-figures.md", "--json").json["error"]["hint"] is None


def test_a_version_that_is_not_there_says_which_there_are(root: Path, run: Any) -> None:
    run("history", "MEMORY.md")
    assert run("restore", "MEMORY.md", "--version", "9").err.splitlines() == [
        "memgui: Not restored: 'MEMORY.md' has no version 9.",
        "It has version 1.",
    ]
    assert run("write", "two", "--target", "memory").code == 0
    assert "It has versions 1 to 2." in run("restore", "MEMORY.md", "--version", "9").err
    assert "Read failed: 'MEMORY.md' has no version 9." in run("read", "MEMORY.md", "--version", "9").err


def test_an_error_names_the_option_as_it_was_typed(root: Path, run: Any) -> None:
    where = ("--target", "MEMORY.md", "--new", "x")
    assert "--old not found in document" in run("write", "--old", "gone", *where).err
    assert "or set --all." in run("write", "--old", "M", *where).err
    assert "--new is missing" in run("write", "--old", "M", "--target", "MEMORY.md").err
    # Programs are told as the tools tell it.
    told = run("write", "--old", "gone", *where, "--json").json["error"]["message"]
    assert told == "old_string not found in document"
