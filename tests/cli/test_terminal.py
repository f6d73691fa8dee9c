"""What a person sees on a terminal: nothing that could deceive, the match marked, colour where it is wanted."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.cli import main as command_line
from memgui.cli.terminal import escaped

HOSTILE = "one \x1b[31mred \u202eevil \u2066 \x07 \x9b \ufeff end\rback\tand \U000e0041 👩\u200d💻"


def on_a_terminal(root: Path, *words: str, **environ: str) -> str:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memgui", *words],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(command_line.__file__).parents[2]),
            "TERM": "xterm-256color",
            "COLUMNS": "60",
            **environ,
        },
    )
    os.close(theirs)
    pieces = []
    try:
        while piece := os.read(ours, 65536):
            pieces.append(piece)
    except OSError:
        pass  # The other end was closed: that is how a terminal says that all was written.
    os.close(ours)
    assert process.wait() == 0
    return b"".join(pieces).decode().replace("\r\n", "\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_bytes(f"# Memory\n{HOSTILE}\n".encode())
    (root / "SOUL.md").write_text("x\n")
    (root / "AGENTS.md").write_text("start " + "long " * 100 + "NEEDLE " + "long " * 100 + "\n")
    (root / "memory/x\u202e\x1b.md").write_text("x\n")
    return root


@given(st.text())
def test_no_control_and_no_turning_character_is_left(text: str) -> None:
    shown = escaped(text)
    assert not set(shown) & {*map(chr, range(0x09)), "\x0b", "\r", "\x1b", "\x7f", "\x9b", "\u202e", "\u2066", "\u200f"}
    assert escaped(shown) == shown
    shown.encode()


def test_harmless_text_is_shown_as_it_is() -> None:
    text = "Tab\tand line\nChinese 成語, Arabic محمد, emoji 👩\u200d💻❤\ufe0f, café"
    assert escaped(text) == text


def test_a_document_is_escaped_and_raw_only_where_asked(root: Path) -> None:
    shown = on_a_terminal(root, "read", "MEMORY.md")
    assert "one \\x1b[31mred \\u202eevil" in shown
    assert "end\\x0dback\tand" in shown
    assert "👩\u200d💻" in shown
    assert "\x1b[31mred \u202eevil" in on_a_terminal(root, "read", "--raw", "MEMORY.md")


def test_json_stays_valid_and_escaped(root: Path) -> None:
    shown = on_a_terminal(root, "read", "--json", "MEMORY.md")
    assert not set(shown) & {"\x1b", "\u202e", "\u2066", "\x9b"}
    assert json.loads(shown)["content"] == f"# Memory\n{HOSTILE}\n"


def test_names_are_escaped_in_the_tree(root: Path) -> None:
    shown = on_a_terminal(root, "tree", "--depth", "2", NO_COLOR="1")
    assert shown == ("├── AGENTS.md\n├── MEMORY.md\n├── SOUL.md\n└── memory/\n    └── x\\u202e\\x1b.md\n")


def test_hits_stand_under_their_file_with_the_match_marked(root: Path) -> None:
    shown = on_a_terminal(root, "search", "needle")
    lines = shown.splitlines()
    assert "AGENTS.md" in lines[0]
    assert "\x1b[1;31mNEEDLE\x1b[0m" in lines[1]
    assert "…" in lines[1]
    assert "1 place in 1 file" in lines[-1]


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_there_is_no_colour_where_none_is_wanted(root: Path, environ: dict[str, str]) -> None:
    shown = on_a_terminal(root, "search", "needle", **environ)
    assert "\x1b" not in shown
    assert max(len(line) for line in shown.splitlines()) <= 60
