"""Looking again is as true as looking anew, whatever happened in between."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memgui.domain.errors import NotFound
from memgui.domain.workspace import Workspace
from memgui.ops import finding, sync, workspace
from memgui.ops.looking import Looking
from memgui.ops.words.service import Words


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "root"
    for name in ("a/one.md", "a/b/two.md", "c/three.md", "MEMORY.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{name}\n")
    (root / "link.md").symlink_to("a/one.md")
    (root / "broken.md").symlink_to("a/later.md")
    (root / "folder").symlink_to("c")
    _settle(root)
    return workspace.open(root)


def _settle(top: Path) -> None:
    """Nothing in it was changed just now: what is asked is told by times alone."""
    for place in [*top.rglob("*"), top]:
        os.utime(place, (1_700_000_000, 1_700_000_000), follow_symlinks=False)


def _same_size_and_time(root: Path) -> None:
    before = (root / "a/one.md").stat()
    (root / "a/one.md").write_text("A/ONE.MD\n")
    os.utime(root / "a/one.md", ns=(before.st_atime_ns, before.st_mtime_ns))


def _replaced(root: Path) -> None:
    (root / "new").write_text("other\n")
    (root / "new").rename(root / "MEMORY.md")


def _appended(root: Path) -> None:
    with open(root / "a/b/two.md", "a") as file:
        file.write("more\n")


def _folder_replaced(root: Path) -> None:
    (root / "elsewhere").mkdir()
    (root / "elsewhere" / "two.md").write_text("two\n")
    (root / "a/b/two.md").unlink()
    (root / "a/b").rmdir()
    (root / "elsewhere").rename(root / "a/b")


def _folder_moved(root: Path) -> None:
    (root / "a").rename(root / "c" / "a")


def _relinked(root: Path) -> None:
    (root / "link.md").unlink()
    (root / "link.md").symlink_to("c/three.md")


_DEEDS: list[Callable[[Path], object]] = [
    _same_size_and_time,
    _replaced,
    _appended,
    _folder_replaced,
    _folder_moved,
    _relinked,
    lambda root: (root / "a/new.md").write_text("new\n"),
    lambda root: (root / "a/b/two.md").unlink(),
    lambda root: (root / "a/later.md").write_text("now it leads somewhere\n"),
    lambda root: (root / "x/y/z").mkdir(parents=True),
    lambda root: (root / "c/three.md").chmod(0o600),
    lambda root: (root / "c/pyvenv.cfg").write_text(""),
    lambda root: (root / "folder").unlink(),
    lambda root: os.mkfifo(root / "a/pipe.md"),
    lambda root: (root / "a/one.md").rename(root / "a/One.md"),
    lambda root: os.link(root / "a/one.md", root / "hard.md"),
]


@pytest.mark.parametrize("deed", _DEEDS)
def test_whatever_happens_is_seen_at_the_next_look(ws: Workspace, deed: Callable[[Path], object]) -> None:
    looking = Looking(ws)
    looking.look()
    assert looking.look() == sync.look(ws)
    deed(ws.root)
    assert looking.look() == sync.look(ws)


def test_where_nothing_changed_the_same_snapshot_is_given_back(ws: Workspace) -> None:
    looking = Looking(ws)
    first = looking.look()
    assert looking.look() is first
    assert looking.look() is first


def test_a_hundred_deeds_in_a_row_leave_nothing_unseen(ws: Workspace) -> None:
    dice, looking = random.Random(7), Looking(ws)
    names = [f"{folder}{n}.md" for folder in ("", "a/", "a/b/", "c/", "d/", "d/e/") for n in range(3)]
    for _deed in range(100):
        path = ws.root / dice.choice(names)
        match dice.randrange(4):
            case 0:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(dice.choice(["x\n", "y\n", "longer\n"]))
            case 1 if path.exists():
                path.unlink()
            case 2 if path.exists():
                path.rename(path.with_name("moved.md"))
            case _ if path.exists():
                with open(path, "a") as file:
                    file.write("z\n")
        assert looking.look() == sync.look(ws)


def test_a_workspace_that_goes_and_comes_back_is_seen(ws: Workspace) -> None:
    looking = Looking(ws)
    looking.look()
    ws.root.rename(ws.root.with_name("away"))
    with pytest.raises(NotFound):
        looking.look()
    ws.root.with_name("away").rename(ws.root)
    assert looking.look() == sync.look(ws)


def test_a_search_that_stays_open_finds_each_change_at_once(ws: Workspace) -> None:
    finder = finding.open(ws)
    for number in range(12):
        path = ws.root / "a" / "one.md"
        path.write_text(f"zeppelin{number:02}\n")
        for seen in (number, number):
            found = finding.memory_search(ws, f"zeppelin{seen:02}", finder=finder)
            assert [one["path"] for one in found["results"]] == ["a/one.md"]
    assert finding.memory_search(ws, "zeppelin00", finder=finder)["results"] == []
    finder.close()


def test_the_words_are_brought_up_to_date_only_where_something_changed(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    real = Words.bring_up_to_date

    def counted(self: Words, *arguments: Any, **more: Any) -> Any:
        asked.append(arguments)
        return real(self, *arguments, **more)

    monkeypatch.setattr(Words, "bring_up_to_date", counted)
    finder = finding.open(ws)
    for _time in range(3):
        finding.memory_search(ws, "one", finder=finder)
    assert len(asked) == 1
    (ws.root / "a" / "one.md").write_text("another zeppelin lands\n")
    _settle(ws.root)
    for _time in range(2):
        found = finding.memory_search(ws, "zeppelin another", finder=finder)
        assert [one["path"] for one in found["results"]] == ["a/one.md"]
    assert len(asked) == 2
    shutil.rmtree(ws.cache)
    assert finding.memory_search(ws, "zeppelin another", finder=finder)["results"]
    assert len(asked) == 3
    finder.close()
