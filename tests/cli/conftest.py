"""The command line, run inside the test: what it printed and how it ended."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from memgui.cli import main as command_line


@dataclass(frozen=True)
class Ran:
    """One run: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Any:
    """Run the command line with these words."""

    def run(*words: str) -> Ran:
        code = command_line.main(words)
        out, err = capfdbinary.readouterr()
        return Ran(code, out.decode(), err.decode())

    return run
