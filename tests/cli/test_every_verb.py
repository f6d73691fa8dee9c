"""What holds for every verb: help, wrong usage, one JSON value, completion."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memgui.cli.main import VERBS, main
from tests.architecture.house import python

_WITHOUT_WORKSPACE = {"note", "demo", "tour", "open"}
_WORDS = {
    "search": ["x"],
    "read": ["x.md"],
    "write": ["x"],
    "recall": ["x"],
    "remember": ["x", "--type", "project", "--description", "x"],
    "history": ["x.md"],
    "restore": ["x.md", "--version", "1"],
}


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("verb", VERBS)
def test_help_and_wrong_options(verb: str, nowhere: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([verb, "--help"]) == 0
    assert capfd.readouterr().out.startswith(f"Usage: memgui {verb}")
    assert main([verb, "--no-such-option"]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith("memgui: ")
    assert main(["--json", verb, "--no-such-option"]) == 2
    said = capfd.readouterr()
    assert json.loads(said.out)["error"]["code"] == "InvalidParameters"
    assert said.err == ""


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in _WITHOUT_WORKSPACE])
def test_without_a_workspace(verb: str, nowhere: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([verb, *_WORDS.get(verb, [])]) == 2
    assert "MEMGUI_WORKSPACE" in capfd.readouterr().err
    assert main([verb, *_WORDS.get(verb, []), "--json"]) == 2
    value = json.loads(capfd.readouterr().out)
    assert set(value) == {"error"}
    assert set(value["error"]) == {"code", "message", "hint"}
    assert main([verb, *_WORDS.get(verb, []), "-w", "gone", "--json"]) == 1
    assert json.loads(capfd.readouterr().out)["error"]["code"] == "ExecutionFailed"


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("memgui no", "note"),
        ("memgui con", "context"),
        ("memgui note re", "read"),
        ("memgui note read --se", "--session"),
        ("memgui context --system open", "openclaw"),
        ("memgui search x --mode li", "literal"),
        ("memgui mcp --ag", "--agent"),
        ("memgui review ac", "accept"),
    ],
)
def test_completion(
    words: str, offered: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, value in {
        "_MEMGUI_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }.items():
        monkeypatch.setitem(os.environ, name, value)
    main([])
    assert f",{offered}\n" in capfd.readouterr().out


def test_no_verb_but_those_with_a_window_loads_qt() -> None:
    code = (
        "import importlib, sys\nfrom memgui.cli.main import VERBS\n"
        "for verb in VERBS: importlib.import_module(f'memgui.cli.verbs.{verb}')\n"
        "sys.exit(bool({'PySide6', 'shiboken6', 'mcp'} & set(sys.modules)))"
    )
    result = python(code)
    assert result.returncode == 0, result.stderr
