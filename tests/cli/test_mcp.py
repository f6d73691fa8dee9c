"""`memgui mcp --help` prints what to paste, and needs no SDK for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgui.cli.main import main
from tests.architecture.house import python


def test_help_ends_with_what_to_paste(workspace_root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "-w", str(workspace_root), "--help"]) == 0
    text = capfd.readouterr().out
    for program in ("Claude Code", "Codex", "Cursor", "VS Code", "OpenClaw"):
        assert f"\n{program} (" in text
    assert text.count(str(workspace_root)) == 5


def test_help_loads_no_sdk_and_no_window() -> None:
    code = (
        "import sys\nfrom memgui.cli.main import main\nmain(['mcp', '--help'])\n"
        "sys.exit(bool({'mcp', 'PySide6', 'whoosh', 'pygit2'} & set(sys.modules)))"
    )
    assert python(code).returncode == 0


def test_the_server_loads_no_window_and_no_index() -> None:
    code = (
        "import sys\nimport memgui.mcp.server\n"
        "sys.exit(bool({'PySide6', 'whoosh', 'pygit2', 'watchdog', 'memgui.search'} & set(sys.modules)))"
    )
    assert python(code).returncode == 0


def test_without_a_workspace_it_says_how_to_name_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["mcp"]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert "MEMGUI_WORKSPACE" in said.err
