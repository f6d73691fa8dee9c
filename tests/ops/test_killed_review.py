"""A person who is killed in the midst of a verdict: nothing torn, nothing lost, nothing left behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.ops.killed_review import DEEDS

CHECKOUT = Path(__file__).parents[2]


def run(*words: object) -> int:
    command = [sys.executable, "-m", "tests.ops.killed_review", *map(str, words)]
    ran = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return int(ran.stdout.split()[-1])


@pytest.mark.parametrize("deed", DEEDS)
def test_a_verdict_killed_at_any_step_came_to_be_or_did_not(deed: str, tmp_path: Path) -> None:
    assert run(deed, tmp_path, 3) > 20


def test_a_line_of_the_baselines_that_was_cut_anywhere_costs_itself_alone(tmp_path: Path) -> None:
    assert run("torn", tmp_path) > 20
