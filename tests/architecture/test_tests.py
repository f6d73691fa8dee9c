"""The rules that every test lives under: each is broken on purpose here, and the test that breaks it fails."""

from __future__ import annotations

import shutil
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from tests.architecture.house import ROOT

_FAITHFUL = {
    "opens_a_window_and_closes_it": "qtbot.addWidget(widget := QMainWindow()); widget.show()",
    "ends_its_thread": "thread = threading.Thread(target=int); thread.start()",
    "logs_what_it_announced": "expected_log.append('disk is full'); logging.warning('the disk is full')",
    "writes_to_a_place_of_its_own": "(Path.home() / 'note').touch(); assert tmp_path.parent in Path.home().parents",
}

_FAITHLESS = {
    "leaves_a_thread": "threading.Thread(target=released.wait, daemon=True).start()",
    "leaves_a_window": "kept.append(QMainWindow()); kept[-1].show()",
    "leaves_a_timer": "kept.append(QTimer()); kept[-1].start(1000)",
    "leaves_work_in_the_pool": "QThreadPool.globalInstance().start(lambda: released.wait(3) and None)",
    "warns": "warnings.warn('old', DeprecationWarning)",
    "logs_a_warning": "logging.getLogger('memgui.storage').warning('hm')",
    "announces_a_warning_that_never_comes": "expected_log.append('the moon')",
    "makes_qt_warn": "qWarning('QObject::connect: no such signal')",
    "raises_in_a_thread": "thread = threading.Thread(target=int, args=('x',)); thread.start(); thread.join()",
    "raises_in_a_slot": "signal = QTimer(); signal.timeout.connect(lambda: int('x')); signal.timeout.emit()",
    "reaches_for_the_network": "socket.create_connection(('127.0.0.1', 9), timeout=1)",
}

_HEAD = """
import logging, socket, threading, warnings
from pathlib import Path
import pytest
from PySide6.QtCore import QThreadPool, QTimer, qWarning
from PySide6.QtWidgets import QMainWindow

kept = []
released = threading.Event()

@pytest.fixture(scope="module", autouse=True)
def release():
    yield
    released.set()

"""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bool]:
    """Name of each planted test -> whether it passed, all run by one pytest under this project's rules."""
    place = tmp_path_factory.mktemp("planted")
    (place / "tests").mkdir()
    (place / "tests/__init__.py").touch()
    shutil.copyfile(ROOT / "pyproject.toml", place / "pyproject.toml")
    conftest = (
        (ROOT / "tests/conftest.py").read_text(encoding="utf-8").replace("GRACE_SECONDS = 5.0", "GRACE_SECONDS = 0.2")
    )
    (place / "tests/conftest.py").write_text(conftest, encoding="utf-8")
    bodies = (_FAITHFUL | _FAITHLESS).items()
    tests = [f"def test_{name}(qtbot, tmp_path, expected_log):\n    {body}\n" for name, body in bodies]
    (place / "tests/test_planted.py").write_text(_HEAD + "\n".join(tests), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "--junit-xml", "report.xml"]
    said = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False).stdout
    assert (place / "report.xml").exists(), said
    passed: dict[str, bool] = {}
    for case in ElementTree.parse(place / "report.xml").iter("testcase"):
        name = str(case.get("name")).removeprefix("test_")
        passed[name] = passed.get(name, True) and not (case.findall("failure") or case.findall("error"))
    return passed


@pytest.mark.parametrize("name", _FAITHFUL)
def test_a_faithful_test_passes(name: str, verdicts: dict[str, bool]) -> None:
    assert verdicts[name]


@pytest.mark.parametrize("name", _FAITHLESS)
def test_a_faithless_test_fails(name: str, verdicts: dict[str, bool]) -> None:
    assert not verdicts[name]
