"""Everything below the window is tested on a machine that has no Qt: the same tests, run again without it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.house import PACKAGE, ROOT

QUICK = (
    "tests/domain",
    "tests/config",
    "tests/ops/test_reading.py",
    "tests/ops/test_writing.py",
    "tests/cli/test_main.py",
)

_NO_QT = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6"):
            raise ImportError(f"{name} is not to be had here")

sys.meta_path.insert(0, Refuse())
"""


def _run(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "no_qt.py").write_text(_NO_QT, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")
    start = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]; import no_qt, pytest; sys.exit(pytest.main())"
    )
    options = ["-q", "-x", "-c", str(tmp_path / "pytest.ini"), "--rootdir", str(ROOT), "-p", "no:pytest-qt"]
    options += ["-p", "no:cacheprovider"]
    command = [sys.executable, "-P", "-c", start, *options, *arguments]
    brief = os.environ | {"HYPOTHESIS_PROFILE": "brief"}
    return subprocess.run(command, cwd=ROOT, env=brief, capture_output=True, text=True, check=False)


@pytest.mark.timeout(300)
def test_the_rooms_below_the_window_pass_their_tests_without_qt(tmp_path: Path) -> None:
    """The quick ones are run; that the others load no Qt either is seen where every room is imported without it."""
    result = _run(tmp_path, *QUICK)
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-2000:]
    assert " passed" in result.stdout


def test_all_tests_of_the_rooms_below_the_window_load_without_qt(tmp_path: Path) -> None:
    rooms = [room.name for room in PACKAGE.iterdir() if (room / "__init__.py").exists() and room.name != "gui"]
    folders = [f"tests/{room}" for room in sorted(rooms) if (ROOT / "tests" / room / "__init__.py").exists()]
    result = _run(tmp_path, "--collect-only", *folders)
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-2000:]


def test_a_test_that_needs_qt_is_found_out(tmp_path: Path) -> None:
    planted = tmp_path / "test_planted.py"
    planted.write_text("def test_it():\n    import PySide6.QtCore\n", encoding="utf-8")
    result = _run(tmp_path, str(planted))
    assert result.returncode == 1
    assert "PySide6 is not to be had here" in result.stdout
