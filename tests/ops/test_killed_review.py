"""A person who is killed in the midst of a verdict: nothing torn, nothing lost, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memgui.ops import review, workspace
from memgui.ops.review_verdicts import accept
from tests.ops.killed_review import DEEDS, kept, standing, text
from tests.ops.review_values import MEMORY, YOU, write

CHECKOUT = Path(__file__).parents[2]


def run(*words: object) -> int:
    command = [sys.executable, "-m", "tests.ops.killed_review", *map(str, words)]
    ran = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return int(ran.stdout.split()[-1])


@pytest.mark.parametrize("deed", DEEDS)
def test_a_verdict_killed_at_any_step_came_to_be_or_did_not(deed: str, tmp_path: Path) -> None:
    assert run(deed, tmp_path, 3) > 20


@pytest.mark.parametrize("turns", [1, 2, 3, 5, 8])
def test_no_verdict_that_was_told_is_lost_by_a_kill_at_any_moment(turns: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.ops.killed_review", "deciding", str(tmp_path)]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _turn in range(turns):
            told = process.stdout.readline()
        # Somewhere in the next turn, which takes about as long each time.
        end = time.monotonic() + 0.003 * turns * turns
        while time.monotonic() < end:
            pass
        process.send_signal(signal.SIGKILL)
        told = (told + process.stdout.read()).split()[-1]
    number = int(told)
    ws = workspace.open(tmp_path / "ws", remember=False)
    disk, accepted = standing(ws)
    assert accepted in (kept(number), kept(number + 1))
    assert disk in (kept(number), text(number + 1), kept(number + 1))
    for change in review.pending(ws):
        accept(ws, change, origin=YOU)
    assert review.pending(ws) == ()
    write(ws, b"end\n")
    assert os.listdir(ws.root) == [MEMORY]


def test_a_line_of_the_baselines_that_was_cut_anywhere_costs_itself_alone(tmp_path: Path) -> None:
    assert run("torn", tmp_path) > 20
