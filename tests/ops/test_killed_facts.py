"""A deed on a fact that is killed half-way is finished by the next load; deeds side by side lose nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.ops.killed_facts import DEEDS

CHECKOUT = Path(__file__).parents[2]


def program(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.ops.killed_facts", *map(str, words)]
    return subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.parametrize("what", list(DEEDS))
def test_a_deed_killed_at_some_step_leaves_a_fact_and_an_index_that_agree(what: str, tmp_path: Path) -> None:
    with program(what, tmp_path) as process:
        output, _nothing = process.communicate()
    assert process.returncode == 0, output
    assert int(output.split()[-1]) > 20


def test_processes_that_remember_at_once_lose_no_fact_and_no_line(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    agents = [program("count", tmp_path, f"agent{number}", 8) for number in range(3)]
    for agent in agents:
        with agent:
            output, _nothing = agent.communicate()
        assert agent.returncode == 0, output
    names = {path.name for path in (tmp_path / "store").iterdir()} - {"MEMORY.md"}
    lines = (tmp_path / "store/MEMORY.md").read_text().splitlines()[2:]
    assert len(names) == len(lines) == 24
    assert {line.partition("](")[2].partition(")")[0] for line in lines} == names
