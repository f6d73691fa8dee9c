"""The verbs that open a window: what they hand on, and what they say where no window can be."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memgui.cli import main as command_line
from memgui.cli import window


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path | None, int | None]]:
    """Stands in for the window: what it would have been opened on."""
    targets: list[tuple[Path | None, int | None]] = []

    def run(target: Path | None, line: int | None = None, door: object = None) -> int:
        targets.append((target, line))
        return 0

    def render(out: Path, *, tell: Callable[[Path], object]) -> tuple[Path, ...]:
        pictures = (out / "one.png", out / "two.png")
        for picture in pictures:
            tell(picture)
        return pictures

    parts = {"program": SimpleNamespace(run=run), "tour": SimpleNamespace(render=render)}
    monkeypatch.setattr(window, "gui", parts.get)
    return targets


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    for name in ("MEMORY.md", "SOUL.md", "AGENTS.md", "a:7.md", "odd:3"):
        (root / name).write_text("x\n")
    monkeypatch.chdir(tmp_path)
    return root


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("words", "name", "line"),
    [
        (["workspace"], "workspace", None),
        (["open", "workspace"], "workspace", None),
        (["open", "workspace/MEMORY.md"], "workspace/MEMORY.md", None),
        (["open", "workspace/MEMORY.md:12"], "workspace/MEMORY.md", 12),
        (["open", "-w", "workspace", "MEMORY.md:0"], "workspace/MEMORY.md", 1),
        (["open", "MEMORY.md", "-w", "workspace"], "workspace/MEMORY.md", None),
        (["open", "workspace/a:7.md"], "workspace/a:7.md", None),
        (["open", "workspace/odd:3"], "workspace/odd:3", None),
        (["-w", "workspace"], "workspace", None),
        (["--", "workspace"], "workspace", None),
    ],
)
def test_the_window_opens_on_what_was_named(
    root: Path, shown: list[tuple[Path | None, int | None]], words: list[str], name: str, line: int | None
) -> None:
    assert command_line.main(words) == 0
    ((target, at),) = shown
    assert target is not None
    assert (target.resolve(), at) == (root.parent / name, line)


def test_without_a_path_it_opens_on_the_nearest_workspace_or_none(
    root: Path, shown: list[tuple[Path | None, int | None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command_line.main([]) == 0
    monkeypatch.chdir(root / "memory")
    assert command_line.main([]) == 0
    assert shown == [(None, None), (root, None)]


def test_demo_writes_the_sample_and_opens_it(
    tmp_path: Path, shown: list[tuple[Path | None, int | None]], capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "sample"
    assert command_line.main(["demo", str(folder)]) == 0
    assert shown == [(folder, None)]
    assert (folder / "MEMORY.md").is_file()
    assert str(folder) in capfd.readouterr().out


def test_demo_without_a_display_says_where_the_sample_is_and_what_to_type(
    tmp_path: Path, no_display: None, shown: list[Any], capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "the sample"
    assert command_line.main(["demo", str(folder)]) == 0
    assert shown == []
    out = capfd.readouterr().out
    assert "No display was found" in out
    assert f"memgui -w '{folder}' tree" in out
    assert command_line.main(["demo", "--json", str(tmp_path / "other")]) == 0
    assert json.loads(capfd.readouterr().out) == {"sample": str(tmp_path / "other"), "opened": False}


def test_demo_never_writes_into_a_folder_that_holds_something(root: Path, shown: list[Any]) -> None:
    assert command_line.main(["demo", str(root)]) == 1
    assert shown == []


def test_tour_says_where_the_pictures_are(tmp_path: Path, shown: list[Any], capfd: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["tour", "--out", str(tmp_path), "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"pictures": [str(tmp_path / "one.png"), str(tmp_path / "two.png")]}


def test_tour_names_each_picture_when_it_is_there(
    tmp_path: Path, shown: list[Any], capfd: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main(["tour", "--out", str(tmp_path)]) == 0
    assert capfd.readouterr().out.splitlines() == [str(tmp_path / "one.png"), str(tmp_path / "two.png")]


def test_without_a_display_a_sentence_says_so(root: Path, no_display: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["open", "workspace"]) == 1
    assert "No display was found" in capfd.readouterr().err


def _with_blocked_toolkit(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = (
        "import sys\n"
        "class Blocked:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('PySide6', 'shiboken6'):\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Blocked())\n"
        "from memgui.cli.main import main\n"
        "code = main(sys.argv[1:])\n"
        "heavy = ('PySide6', 'shiboken6', 'pygit2', 'watchdog', 'hypothesis', 'tomlkit', 'frontmatter', 'yaml')\n"
        "print(sorted(name for name in sys.modules if name.partition('.')[0] in heavy), file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=Path(command_line.__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_window_without_its_toolkit_is_a_sentence(root: Path) -> None:
    ran = _with_blocked_toolkit(root, "open", str(root))
    assert ran.returncode == 1
    assert "The window needs PySide6, which is not installed." in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("words", [["tree"], ["read", "MEMORY.md"], ["search", "x"], ["--help"]])
def test_other_verbs_load_no_toolkit_and_nothing_heavy(root: Path, words: list[str]) -> None:
    ran = (
        _with_blocked_toolkit(root, *words, "-w", str(root))
        if words != ["--help"]
        else _with_blocked_toolkit(root, *words)
    )
    assert ran.returncode == 0
    assert ran.stderr.splitlines()[-1] == "[]"
