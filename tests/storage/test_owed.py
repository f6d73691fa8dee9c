"""What is owed: each desk keeps its own, and what a desk left that is no more is told until somebody knows of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from memgui.domain.paths import DocPath
from memgui.domain.review import Owed, VerdictKind
from memgui.storage.crash import leave_desk, take_desk
from memgui.storage.owed import OwedVerdicts

REJECT = Owed(VerdictKind.REJECT, DocPath("MEMORY.md"))
ACCEPT = Owed(VerdictKind.ACCEPT, DocPath("memory/caf\udce9.md"))

_KILLED = """
import os, signal, sys
from pathlib import Path
from memgui.domain.review import Owed, VerdictKind
from memgui.storage.crash import take_desk
from memgui.storage.owed import OwedVerdicts
OwedVerdicts(Path(sys.argv[1]), take_desk()).put([Owed(VerdictKind.REJECT, "MEMORY.md")])
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_desk_owes_is_its_own_until_it_leaves(tmp_path: Path) -> None:
    desk = take_desk()
    OwedVerdicts(tmp_path, desk).put([REJECT, ACCEPT])
    assert OwedVerdicts(tmp_path).left() == ()
    leave_desk(desk)
    assert OwedVerdicts(tmp_path).left() == (REJECT, ACCEPT)
    OwedVerdicts(tmp_path).forget_left()
    assert OwedVerdicts(tmp_path).left() == ()
    assert list(tmp_path.iterdir()) == []


def test_a_desk_that_owes_nothing_leaves_nothing(tmp_path: Path) -> None:
    desk = take_desk()
    owed = OwedVerdicts(tmp_path, desk)
    owed.put([REJECT])
    owed.put([])
    leave_desk(desk)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_owed_is_told(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path)], check=False)
    assert OwedVerdicts(tmp_path).left() == (REJECT,)


def test_a_damaged_file_hides_no_other(tmp_path: Path) -> None:
    desk = take_desk()
    OwedVerdicts(tmp_path, desk).put([REJECT])
    leave_desk(desk)
    (tmp_path / "1-0.owed").write_bytes(b"{not json")
    assert OwedVerdicts(tmp_path).left() == (REJECT,)
