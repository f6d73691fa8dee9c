"""`memgui context`: the briefing of each system, from files on disk."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memgui.cli import options
from memgui.cli.main import main
from memgui.domain.briefing import PROJECT_SENTENCE
from memgui.ops import briefing, workspace
from tests.conftest import Clock


def _given(words: list[str], capfdbinary: pytest.CaptureFixture[bytes]) -> tuple[str, str]:
    assert main(["context", *words]) == 0
    said = capfdbinary.readouterr()
    return said.out.decode(), said.err.decode()


def test_openclaw_is_what_its_workspace_is_read_as(
    workspace_root: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text, said = _given(["-w", str(workspace_root)], capfdbinary)
    names = ("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md")
    pieces = [
        f"## {name}\n\n" + ((workspace_root / name).read_text() if (workspace_root / name).exists() else missing)
        for name in names
        for missing in [f"[MISSING] Expected at: {workspace_root / name}"]
    ]
    assert text == "\n\n".join(pieces)
    assert said == ""


def test_a_heartbeat_that_will_not_run_is_named(
    workspace_root: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (workspace_root / "HEARTBEAT.md").write_text("# Heartbeat\n\n<!-- later -->\n- [ ]\n")
    _text, said = _given(["-w", str(workspace_root)], capfdbinary)
    assert said == (
        "HEARTBEAT.md: The agent will skip this, because it holds nothing but headings, empty items and comments.\n"
    )


def test_ironclaw_gives_today_and_yesterday_and_memory_to_one_alone(tmp_path: Path, clock: Clock) -> None:
    root = tmp_path / "claw"
    files = {
        "README.md": "x",
        "AGENTS.md": "agents\n",
        "SOUL.md": "soul\n",
        "USER.md": "user\n",
        "IDENTITY.md": "identity\n",
        "TOOLS.md": "tools\n",
        "MEMORY.md": "memory\n",
        "daily/2026-11-30.md": "[09:00:00] today\n",
        "daily/2026-11-29.md": "yesterday\n",
        "daily/2026-11-28.md": "before\n",
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    ws = workspace.open(root)
    found = briefing.brief(ws, now=clock())
    assert found.system.value == "ironclaw"
    assert found.text == "\n\n---\n\n".join(
        (
            "## Agent Instructions\n\nagents\n",
            "## Core Values\n\nsoul\n",
            "## User Context\n\nuser\n",
            "## Identity\n\nidentity\n",
            "## Tool Notes\n\ntools\n",
            "## Long-Term Memory\n\nmemory\n",
            "## Today's Notes\n\n[09:00:00] today\n",
            "## Yesterday's Notes\n\nyesterday\n",
        )
    )
    assert "memory\n" not in briefing.brief(ws, now=clock(), in_group=True).text


def test_claude_and_agentsmith_give_their_index(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    index = "# Memory index\n\n" + "".join(f"- [f{n}](f{n}.md) — hook\n" for n in range(300))
    smith = tmp_path / "repository"
    (smith / ".agentsmith" / "memory").mkdir(parents=True)
    (smith / ".agentsmith" / "memory" / "MEMORY.md").write_text(index)
    assert _given(["-w", str(smith)], capfdbinary) == (f"## Experiential memory index\n\n{index}", "")

    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "MEMORY.md").write_text(index)
    words = ["-w", str(tmp_path / "notes"), "--system", "claude"]
    text, said = _given(words, capfdbinary)
    assert text == "".join(index.splitlines(keepends=True)[:200])
    assert said == "MEMORY.md is cut: the agent does not see 102 lines.\n"
    value = json.loads(_given([*words, "--json"], capfdbinary)[0])
    assert value["text"] == text
    assert value["parts"][0]["cut"] is True
    assert value["dropped"][0] == {"path": "MEMORY.md", "line": 201, "text": "- [f198](f198.md) — hook"}


def test_project_context_is_each_real_file_once(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    root, home = tmp_path / "project", Path.home()
    root.mkdir()
    (root / "AGENTS.md").write_text("here\n")
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    (home / "CLAUDE.md").write_text("at home\n")
    (home / ".claude").mkdir()
    (home / ".claude" / "CLAUDE.md").write_text("not this one\n")
    text, _said = _given(["-w", str(root), "--system", "indusagi"], capfdbinary)
    assert text == f"{PROJECT_SENTENCE}\n\n## AGENTS.md\n\nhere\n\n\n## {home}/CLAUDE.md\n\nat home\n"


def test_limits_are_settings(workspace_root: Path, places: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (places / "config").mkdir(parents=True)
    (places / "config" / "config.toml").write_text("[prompt]\nopenclaw_file = 100\n")
    (workspace_root / "SOUL.md").write_text("s" * 101)
    value = json.loads(_given(["-w", str(workspace_root), "--json"], capfdbinary)[0])
    (soul,) = (part for part in value["parts"] if part["path"] == "SOUL.md")
    assert soul == {"path": "SOUL.md", "heading": "## SOUL.md", "characters": 101, "limit": 100, "cut": True}


def test_hermes_gives_what_its_two_files_have_room_for(
    workspace_root: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (workspace_root / "memories").mkdir()
    (workspace_root / "memories/MEMORY.md").write_text("berth\n§\n" + "x" * 3_000)
    (workspace_root / "memories/USER.md").write_text("Mara\n")
    text, err = _given(["--system", "hermes", "-w", str(workspace_root)], capfdbinary)
    assert text == "berth\n§\n" + "x" * 2_192 + "\n\nMara\n"
    assert "memories/MEMORY.md is cut" in err


def test_a_system_that_nobody_knows_is_wrong_usage() -> None:
    assert main(["context", "--system", "other"]) == 2
    assert "--system" in options.WITH_VALUE


def test_pipes_links_and_bytes_do_no_harm(workspace_root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (workspace_root / "SOUL.md").unlink()
    os.mkfifo(workspace_root / "SOUL.md")
    (workspace_root / "USER.md").unlink()
    (workspace_root / "USER.md").symlink_to("USER.md")
    (workspace_root / "IDENTITY.md").write_bytes(b"\xff\n")
    text, _said = _given(["-w", str(workspace_root)], capfdbinary)
    assert f"## SOUL.md\n\n[MISSING] Expected at: {workspace_root / 'SOUL.md'}" in text
    assert f"## USER.md\n\n[MISSING] Expected at: {workspace_root / 'USER.md'}" in text
    assert "## IDENTITY.md\n\n\ufffd\n" in text
