"""Rooms only look down: the import contracts hold, and each of them breaks where it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.house import PACKAGE, ROOT, copy_with, project, python

_LINT = "from importlinter.cli import lint_imports_command as main; main(['--no-cache', '--no-logo'])"

_VIOLATIONS: dict[str, list[dict[str, str]]] = {
    "Rooms only look down": [
        {"memgui/domain/planted.py": "import memgui.ops"},
        {"memgui/storage/planted.py": "import memgui.search"},
        {"memgui/cli/planted.py": "import memgui.gui"},
        {"memgui/mcp/planted.py": "import memgui.cli"},
        {"memgui/cli/planted.py": "import memgui.mcp"},
        {"memgui/ops/planted.py": "def later() -> None:\n    import memgui.cli"},
        {"memgui/attic/__init__.py": ""},
        {"memgui/planted.py": ""},
    ],
    "Qt lives in gui": [
        {"memgui/ops/planted.py": "from PySide6 import QtCore"},
        {"memgui/cli/planted.py": "import shiboken6"},
        {"memgui/mcp/planted.py": "from PySide6 import QtGui"},
    ],
    "Faces reach the disk, the index and the settings through ops": [
        {"memgui/cli/planted.py": "import memgui.storage"},
        {"memgui/mcp/planted.py": "def later() -> None:\n    import memgui.search"},
        {"memgui/gui/panels/planted.py": "import memgui.config"},
        {"memgui/gui/planted/__init__.py": "", "memgui/gui/planted/deep.py": "import memgui.search"},
    ],
    "The domain does no I/O": [
        {"memgui/domain/planted.py": "import sqlite3"},
        {"memgui/domain/planted.py": "from time import monotonic"},
    ],
    "Inside the window, parts only look down": [
        {"memgui/gui/kit/planted.py": "import memgui.gui.panels"},
        {"memgui/gui/panels/planted.py": "import memgui.gui.dialogs"},
        {"memgui/gui/models/planted.py": "from memgui.gui import panels"},
        {"memgui/gui/cellar.py": ""},
    ],
    "What is shown knows nothing of the watcher": [
        {"memgui/gui/watcher.py": "", "memgui/gui/panels/planted.py": "import memgui.gui.watcher"},
    ],
    "Panels know nothing of each other": [
        {"memgui/gui/panels/left.py": "", "memgui/gui/panels/right.py": "import memgui.gui.panels.left"},
        {
            "memgui/gui/panels/left.py": "import memgui.gui.panels.suite.deep",
            "memgui/gui/panels/suite/__init__.py": "",
            "memgui/gui/panels/suite/deep.py": "",
        },
    ],
}


def _verdicts(output: str) -> dict[str, str]:
    return dict(line.rsplit(" ", 1) for line in output.splitlines() if line.endswith((" KEPT", " BROKEN")))


def test_every_contract_is_kept() -> None:
    result = python(_LINT)
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_contract_has_been_shown_a_violation() -> None:
    assert {contract["name"] for contract in project()["tool"]["importlinter"]["contracts"]} == set(_VIOLATIONS)


@pytest.mark.parametrize(
    ("contract", "planted"),
    [(contract, planted) for contract, violations in _VIOLATIONS.items() for planted in violations],
)
def test_a_planted_violation_breaks_its_contract(contract: str, planted: dict[str, str], tmp_path: Path) -> None:
    result = python(_LINT, at=copy_with(tmp_path, planted))
    assert result.returncode != 0
    assert _verdicts(result.stdout).get(contract) == "BROKEN", result.stdout + result.stderr


def test_qt_is_forbidden_to_every_room_but_the_window() -> None:
    rooms = {f"memgui.{folder.name}" for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists()}
    (contract,) = (each for each in project()["tool"]["importlinter"]["contracts"] if each["name"] == "Qt lives in gui")
    assert set(contract["source_modules"]) == rooms - {"memgui.gui"}


_WITHOUT_QT = """
import importlib, pkgutil, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6"):
            raise ImportError(f"{name} is not to be had here")

sys.meta_path.insert(0, Refuse())
import memgui
names = [module.name for module in pkgutil.walk_packages(memgui.__path__, "memgui.", onerror=lambda name: None)]
for name in names:
    if not name.startswith("memgui.gui"):
        importlib.import_module(name)
        print(name)
"""


def test_every_room_but_the_window_lives_without_qt() -> None:
    result = python(_WITHOUT_QT)
    assert result.returncode == 0, result.stderr
    assert {"memgui.domain.errors", "memgui.ops", "memgui.cli"} <= set(result.stdout.split())


def test_a_room_that_needs_qt_is_found_out(tmp_path: Path) -> None:
    planted = {"memgui/storage/planted.py": "import importlib\nimportlib.import_module('PySide6.QtCore')\n"}
    result = python(_WITHOUT_QT, at=copy_with(tmp_path, planted))
    assert result.returncode != 0
    assert "PySide6 is not to be had here" in result.stderr


_COMMAND_LINE = """
import sys
import memgui.__main__, memgui.cli
heavy = [name for name in ("PySide6", "shiboken6", "pygit2", "watchdog", "whoosh", "mcp") if name in sys.modules]
sys.exit(f"the command line loaded {heavy}" if heavy else 0)
"""


@pytest.mark.skipif(not (PACKAGE / "__main__.py").exists(), reason="there is no command line yet")
def test_the_command_line_starts_without_qt_and_other_heavy_parts() -> None:
    result = python(_COMMAND_LINE)
    assert result.returncode == 0, result.stderr


def test_a_command_line_that_loads_qt_is_found_out(tmp_path: Path) -> None:
    planted = {"memgui/cli/__init__.py": "import PySide6.QtCore", "memgui/__main__.py": "import memgui.cli"}
    result = python(_COMMAND_LINE, at=copy_with(tmp_path, planted))
    assert result.returncode != 0
    assert "PySide6" in result.stderr


def test_every_room_has_its_sign() -> None:
    for room in sorted(path.parent for path in PACKAGE.glob("*/__init__.py")):
        sign = room.joinpath("__init__.py").read_text(encoding="utf-8")
        assert sign.startswith(f'"""Room `{room.name}`. Owns: '), f"{room.relative_to(ROOT)} has no sign"
        assert "May import: " in sign
        assert "Must not: " in sign
