"""The first command on a new machine: it says what it installs, asks for what it may not do, and does nothing twice."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.house import ROOT, files

_SYSTEM = {
    "apt-get": 'echo "apt-get $*" >>"$CALLS"; case "$*" in *" -s "*) exit 1 ;; esac',
    "dpkg-query": 'for name; do [ -z "$INSTALLED" ] || printf "installed=%s " "$name"; done; [ -n "$INSTALLED" ]',
    "id": 'echo "$USER_ID"',
    "sudo": "exit 1",
}


class Machine:
    """A checkout in a folder with a blank, on a system whose own tools only note that they were called."""

    def __init__(self, place: Path) -> None:
        self.root = place / "my memgui"
        self.calls = place / "calls"
        self._tools = place / "tools"
        (self.root / "packaging").mkdir(parents=True)
        self._tools.mkdir()
        for name in ("packaging/setup.sh", "requirements.lock"):
            shutil.copyfile(ROOT / name, self.root / name)
        for name, body in _SYSTEM.items():
            self._script(self._tools / name, body)
        self.calls.touch()

    def _script(self, path: Path, body: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def make_ready(self, *, lock: bytes | None = None) -> None:
        """Puts a `.venv` there that was set up for these requirements, or for other ones."""
        self._script(self.root / ".venv/bin/python", f'echo "python $*" >>"$CALLS"; exec "{sys.executable}" "$@"')
        known = hashlib.sha256(lock or (self.root / "requirements.lock").read_bytes()).hexdigest()
        stamp = f"{known} {sys.implementation.cache_tag}\n"
        (self.root / ".venv/memgui-setup").write_text(stamp, encoding="utf-8")

    def set_up(self, level: str = "needed", *, user: int = 0, installed: bool = True) -> tuple[int, str]:
        """Exit code, and what was said."""
        environment = os.environ | {
            "PATH": f"{self._tools}:{Path(sys.executable).parent}:/usr/bin:/bin",
            "CALLS": str(self.calls),
            "USER_ID": str(user),
            "INSTALLED": "yes" if installed else "",
        }
        command = f'set -euo pipefail; source packaging/setup.sh; memgui_setup {level}; echo "ready in $root" >&2'
        result = subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return result.returncode, result.stderr

    def called(self, name: str) -> list[str]:
        """The calls of that tool, in order."""
        return [line for line in self.calls.read_text(encoding="utf-8").splitlines() if line.startswith(name)]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine that has nothing yet."""
    return Machine(tmp_path)


def test_without_the_right_to_install_it_prints_the_one_line_to_type(machine: Machine) -> None:
    code, said = machine.set_up(user=1000, installed=False)
    assert code == 1
    (line,) = (line for line in said.splitlines() if line.startswith("apt-get update && apt-get install"))
    assert "libegl1" in line
    assert machine.called("apt-get") == []


def test_root_is_told_what_is_installed_before_it_is(machine: Machine) -> None:
    machine.make_ready()
    code, said = machine.set_up(installed=False)
    assert code == 0, said
    assert "installing system packages with apt: libegl1" in said
    simulated, update, install = machine.called("apt-get")
    assert " -s " in simulated
    assert update.endswith("update -q")
    assert "install -y" in install
    assert "libegl1 libgl1 libglib2.0-0" in install


def test_only_fonts_missing_stop_nobody(machine: Machine) -> None:
    machine.make_ready()
    (machine.root.parent / "tools/dpkg-query").write_text(
        '#!/bin/sh\nfor name; do case "$name" in *noto*) ;; *) printf "installed=%s " "$name" ;; esac; done; exit 1\n',
        encoding="utf-8",
    )
    code, said = machine.set_up("pictures", user=1000)
    assert (code, said) == (0, f"ready in {machine.root}\n")


@pytest.mark.parametrize("level", ["needed", "pictures", "window"])
def test_a_second_call_asks_and_installs_nothing(machine: Machine, level: str) -> None:
    machine.make_ready()
    assert machine.set_up(level) == (0, f"ready in {machine.root}\n")
    assert machine.called("apt-get") == []
    assert not [call for call in machine.called("python") if "pip" in call]


def test_new_requirements_are_installed_by_hash(machine: Machine) -> None:
    machine.make_ready(lock=b"an older one")
    (machine.root / "requirements.lock").write_text("", encoding="utf-8")
    _, said = machine.set_up()
    assert "Python packages" in said
    (call,) = (call for call in machine.called("python") if "install" in call)
    assert "--require-hashes" in call


def test_every_script_is_executable_and_understood_by_bash() -> None:
    for path in (ROOT / "packaging/run", ROOT / "packaging/test", ROOT / "packaging/setup.sh", ROOT / ".ci/run"):
        assert os.access(path, os.X_OK) or path.suffix == ".sh"
        assert subprocess.run(["bash", "-n", path], check=False).returncode == 0


def test_nothing_of_the_project_depends_on_the_folder_it_was_made_in() -> None:
    found = [path for path in files() if str(ROOT).encode() in path.read_bytes()] if len(ROOT.parts) > 2 else []
    assert found == []
