"""`recall`, `remember` and `check` on the command line."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

STORE = ".agentsmith/memory"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "ship"
    (root / STORE).mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


WORDS = ("remember", "Ask First", "--type", "feedback", "--description", "Ask: first")


def test_a_fact_is_kept_found_and_checked(root: Path, run: Any) -> None:
    ran = run(*WORDS, "the body", "--json")
    assert (ran.code, ran.json) == (
        0,
        {
            "name": "ask-first",
            "type": "feedback",
            "status": "proposed",
            "path": f"{STORE}/ask-first.md",
            "message": "Remembered 'ask-first'. It is proposed until a person ratifies it.",
        },
    )
    assert run("recall", "type:feedback ask").out == "## ask-first (feedback, proposed)\nAsk: first\n\nthe body\n"
    assert run("recall", "ask", "--json").json["facts"][0]["body"] == "the body"
    assert run("recall", "none").out == "No memories matched 'none'. The index in your context lists what exists.\n"
    ran = run("check")
    assert (ran.code, ran.out) == (0, "")
    assert run("check", "--json").json == {"findings": []}


def test_options_stand_before_the_verb_too_and_name_the_agent(root: Path, run: Any) -> None:
    ran = run("--agent", "scribe", "--type", "project", "--description", "d", "remember", "x")
    assert (ran.code, ran.out) == (0, "Remembered 'x'.\n")
    assert (root / STORE / "x.md").is_file()


def test_a_body_comes_from_stdin(root: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for data, code in ((b"from\nafar\n", 0), (b"\xff", 1), (b"a\0", 1)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert run(*WORDS, "-").code == code
    assert run("recall", "afar", "--json").json["facts"][0]["body"] == "from\nafar"


@pytest.mark.parametrize(
    ("words", "code", "name"),
    [
        (("remember", "x"), 2, "InvalidParameters"),
        (("remember", "x", "--type", "project"), 2, "InvalidParameters"),
        (("remember", "x", "--type", "rumour", "--description", "d"), 1, "InvalidParameters"),
        (("remember", "SOUL", "--type", "project", "--description", "d"), 1, "NotAuthorized"),
        (("remember", "MEMORY", "--type", "project", "--description", "d"), 1, "InvalidParameters"),
        (("recall",), 2, "InvalidParameters"),
        (("check", "--nonsense"), 2, "InvalidParameters"),
    ],
)
def test_what_is_refused_says_so(root: Path, run: Any, words: tuple[str, ...], code: int, name: str) -> None:
    ran = run(*words, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (code, name)
    assert not list((root / STORE).iterdir())


def test_findings_are_one_a_line_and_exit_1(root: Path, run: Any) -> None:
    run(*WORDS)
    (root / STORE / "MEMORY.md").write_text("- [gone](gone.md) (project)\n")
    (root / "no\nte.md").write_text("[[none]]\n")
    ran = run("check")
    assert (ran.code, ran.out.splitlines()) == (
        1,
        [
            f"{STORE}/MEMORY.md:1: index-dangling: The index names gone.md, which is not there.",
            f"{STORE}/ask-first.md:1: index-missing: The index has no line for this fact.",
            "no\\x0ate.md:1: link-dangling: The link to '[[none]]' leads nowhere.",
        ],
    )
    ran = run("check", "--json")
    assert (ran.code, [one["fixable"] for one in ran.json["findings"]]) == (1, [True, True, False])
    ran = run("check", "--fix")
    assert (ran.code, len(ran.out.splitlines())) == (1, 1)
    assert f"Put right: {STORE}/MEMORY.md" in ran.err
    (root / "no\nte.md").unlink()
    assert run("check", "--fix").code == 0


def test_a_program_fixes_no_protected_file(root: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "SOUL.md").write_text("- [gone](gone.md) (project)\n")
    (root / STORE / "MEMORY.md").symlink_to(root / "SOUL.md")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    ran = run("check", "--fix", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "NotAuthorized")
    assert "gone" in (root / "SOUL.md").read_text()
