"""How an agent is told of memgui's server: what to paste for each of the programs that people run agents in."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memgui.i18n import _

SHELL = _("in a shell")


@dataclass(frozen=True, slots=True)
class Setup:
    """What one program wants: `text` is to be pasted at `place`."""

    program: str
    place: str
    text: str

    @property
    def where(self) -> str:
        """The place as part of a sentence: `in a shell`, `into FILE`."""
        return self.place if self.place == SHELL else _("into {file}").format(file=self.place)


def setups(command: Sequence[str], workspace: str | None = None) -> tuple[Setup, ...]:
    """What to paste so that an agent is given the tools. `workspace`: the folder to name; None: a stand-in."""
    program, arguments = command[0], [*command[1:], "mcp", "-w", workspace or "/path/to/workspace"]
    server: dict[str, Any] = {"command": program, "args": arguments}
    typed = {"type": "stdio", **server}
    line = shlex.join([program, *arguments])
    return (
        Setup("Claude Code", SHELL, f"claude mcp add memgui -- {line}"),
        Setup(
            "Codex",
            "~/.codex/config.toml",
            f"[mcp_servers.memgui]\ncommand = {_toml(program)}\nargs = [{', '.join(map(_toml, arguments))}]",
        ),
        Setup("Cursor", "~/.cursor/mcp.json", _json({"mcpServers": {"memgui": server}})),
        Setup("VS Code", ".vscode/mcp.json", _json({"servers": {"memgui": typed}})),
        Setup("OpenClaw", SHELL, f"openclaw mcp set memgui {shlex.quote(json.dumps(server))}"),
    )


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _toml(text: str) -> str:
    # A basic string of TOML knows the same escapes as JSON, and wants DEL escaped as well.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
