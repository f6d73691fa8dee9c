"""The watcher says where to look: soon, not too often, and never only because of what an event claims."""

from __future__ import annotations

import logging
import os
import shutil
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from memgui.domain.paths import DocPath
from memgui.domain.watch import WatchState
from memgui.gui import watcher as module
from memgui.gui.watcher import Watcher, count_folders, file_system_type

Start = Callable[[Path], "Told"]


class Told:
    """Everything one watcher has told."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.states: list[WatchState] = []
        self.looks: list[frozenset[DocPath] | None] = []
        watcher.state_changed.connect(self.states.append)
        watcher.touched.connect(self.looks.append)

    def anything(self) -> bool:
        return bool(self.looks)

    def folder(self, path: str) -> bool:
        return any(look is not None and path in look for look in self.looks)


@pytest.fixture
def start(qtbot: QtBot) -> Iterator[Start]:
    begun: list[Told] = []

    def begin(root: Path) -> Told:
        told = Told(Watcher(root))
        begun.append(told)
        told.watcher.start()
        qtbot.waitUntil(lambda: bool(told.states))
        if told.states[-1] is WatchState.LIVE:
            qtbot.waitUntil(lambda: told.looks == [None])
            told.looks.clear()
        return told

    yield begin
    for told in begun:
        told.watcher.close()


def test_a_folder_that_watchdog_comes_upon_twice_is_nothing_to_warn_of(workspace_root: Path, start: Start) -> None:
    start(workspace_root)
    place = "inotify_c.py", 450, "watchdog.observers.inotify_c"
    with warnings.catch_warnings(record=True) as said:
        twice = "Callback with id '7' already exists for watch <Watch: wd=3>. It will be Overwritten."
        warnings.warn_explicit(twice, RuntimeWarning, *place)
        assert not said
        with pytest.raises(RuntimeWarning):
            warnings.warn_explicit("Something else.", RuntimeWarning, *place)


def test_it_is_live_and_first_looks_at_everything(qtbot: QtBot, workspace_root: Path, start: Start) -> None:
    told = start(workspace_root)
    assert told.states == [WatchState.LIVE]


def test_appends_atomic_replaces_creations_and_deletions_are_hints(
    qtbot: QtBot, workspace_root: Path, start: Start
) -> None:
    told = start(workspace_root)
    with (workspace_root / "MEMORY.md").open("a") as file:
        file.write("- more\n")
    qtbot.waitUntil(lambda: told.folder(""))
    told.looks.clear()
    part = workspace_root / "memory" / "part"
    part.write_text("new\n")
    os.replace(part, workspace_root / "memory" / "2026-11-30.md")
    qtbot.waitUntil(lambda: told.folder("memory"))
    told.looks.clear()
    (workspace_root / "projects" / "new.md").write_text("x")
    qtbot.waitUntil(lambda: told.folder("projects"))
    told.looks.clear()
    (workspace_root / "projects" / "crane" / "plan.md").unlink()
    qtbot.waitUntil(lambda: told.folder("projects/crane"))


def test_a_file_in_a_new_folder_is_a_hint(qtbot: QtBot, workspace_root: Path, start: Start) -> None:
    told = start(workspace_root)
    (workspace_root / "a" / "b").mkdir(parents=True)
    (workspace_root / "a" / "b" / "c.md").write_text("x")
    qtbot.waitUntil(lambda: told.folder("a/b"))
    told.looks.clear()
    (workspace_root / "a" / "b" / "d.md").write_text("y")
    qtbot.waitUntil(lambda: told.folder("a/b"))


def test_reading_is_no_hint(qtbot: QtBot, workspace_root: Path, start: Start) -> None:
    told = start(workspace_root)
    for path in sorted(workspace_root.rglob("*.md")):
        path.read_bytes()
    (workspace_root / "projects" / "end.md").write_text("x")
    qtbot.waitUntil(lambda: told.folder("projects"))
    assert {folder for look in told.looks for folder in look or ()} == {"projects"}


def test_a_storm_is_told_in_few_words(qtbot: QtBot, workspace_root: Path, start: Start) -> None:
    told = start(workspace_root)
    for number in range(1500):
        (workspace_root / "memory" / f"{number}.md").write_text("x")
    (workspace_root / "projects" / "end.md").write_text("x")
    qtbot.waitUntil(lambda: told.folder("projects"))
    assert len(told.looks) < 60


def test_names_that_are_no_utf8_are_folders_too(qtbot: QtBot, workspace_root: Path, start: Start) -> None:
    odd = os.fsencode(workspace_root) + b"/odd\xff"
    os.mkdir(odd)
    told = start(workspace_root)
    with open(odd + b"/x.md", "wb") as file:
        file.write(b"x")
    qtbot.waitUntil(lambda: told.folder(os.fsdecode(b"odd\xff")))


def test_loops_and_links_out_are_not_followed(qtbot: QtBot, workspace_root: Path, tmp_path: Path, start: Start) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (workspace_root / "up").symlink_to("..")
    (workspace_root / "self").symlink_to(".")
    (workspace_root / "out").symlink_to(outside)
    told = start(workspace_root)
    (outside / "x.md").write_text("x")
    (workspace_root / "projects" / "end.md").write_text("x")
    qtbot.waitUntil(lambda: told.folder("projects"))
    assert {folder for look in told.looks for folder in look or ()} == {"projects"}


def test_a_folder_that_vanishes_is_missing_until_it_is_back(
    qtbot: QtBot, workspace_root: Path, tmp_path: Path, start: Start
) -> None:
    told = start(workspace_root)
    os.rename(workspace_root, tmp_path / "away")
    qtbot.waitUntil(lambda: told.states[-1] is WatchState.FOLDER_MISSING)
    os.rename(tmp_path / "away", workspace_root)
    qtbot.waitUntil(lambda: told.states[-1] is WatchState.LIVE)
    qtbot.waitUntil(lambda: None in told.looks)
    told.looks.clear()
    (workspace_root / "projects" / "end.md").write_text("x")
    qtbot.waitUntil(lambda: told.folder("projects"))


def test_another_folder_under_the_same_name_is_watched(qtbot: QtBot, workspace_root: Path, start: Start) -> None:
    told = start(workspace_root)
    shutil.rmtree(workspace_root)
    workspace_root.mkdir()
    # Either it was missed for a moment, or it was seen to be another one: a look at everything follows both.
    qtbot.waitUntil(lambda: None in told.looks and told.states[-1] is WatchState.LIVE)
    told.looks.clear()
    (workspace_root / "new.md").write_text("x")
    qtbot.waitUntil(lambda: told.folder("") or None in told.looks)


def test_more_folders_than_may_be_watched_are_polled(
    qtbot: QtBot, workspace_root: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = module._text
    monkeypatch.setattr(module, "_text", lambda path: "3\n" if path.endswith("max_user_watches") else real(path))
    told = start(workspace_root)
    assert told.states == [WatchState.POLLING_LIMIT]
    assert told.watcher._rounds.interval() == module.POLLING_MS


def test_watches_that_the_system_silently_refused_are_noticed(
    qtbot: QtBot, workspace_root: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = module._text
    monkeypatch.setattr(module, "_text", lambda path: "inotify wd:1\n" if "fdinfo" in path else real(path))
    told = start(workspace_root)
    assert told.states == [WatchState.POLLING_LIMIT]


def test_a_network_folder_is_polled(
    qtbot: QtBot, workspace_root: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = f"/dev/sda / ext4 rw 0 0\nhost:/x {workspace_root} nfs4 rw 0 0\n"
    real = module._text
    monkeypatch.setattr(module, "_text", lambda path: mounts if path == "/proc/mounts" else real(path))
    monkeypatch.setattr(module, "POLLING_MS", 20)
    told = start(workspace_root)
    assert told.states == [WatchState.POLLING_NETWORK]
    qtbot.waitUntil(lambda: told.looks.count(None) >= 3)


def test_an_overflow_leads_to_a_look_at_everything(qtbot: QtBot, workspace_root: Path, start: Start) -> None:
    told = start(workspace_root)
    logging.getLogger("watchdog.observers.inotify_c").warning("Inotify queue overflowed; filesystem events were lost")
    qtbot.waitUntil(lambda: None in told.looks)


def test_closing_in_a_storm_is_clean(qtbot: QtBot, workspace_root: Path, start: Start) -> None:
    end = threading.Event()

    def storm() -> None:
        while not end.is_set():
            for number in range(50):
                (workspace_root / "memory" / f"{number}.md").write_text("x")

    writer = threading.Thread(target=storm)
    writer.start()
    try:
        for _ in range(3):
            told = start(workspace_root)
            (workspace_root / "memory" / "x.md").write_text("x")
            qtbot.waitUntil(told.anything)
            told.watcher.close()
    finally:
        end.set()
        writer.join()


def test_the_mount_that_a_path_lies_on_is_found() -> None:
    mounts = "/dev/sda / ext4 rw 0 0\nhost:/x /mnt/a\\040b nfs4 rw 0 0\n/dev/sdb /mnt ext4 rw 0 0\n"
    assert file_system_type(Path("/mnt/a b/deep/er"), mounts) == "nfs4"
    assert file_system_type(Path("/mnt/a"), mounts) == "ext4"
    assert file_system_type(Path("/mnt/a"), "") == ""


def test_folders_are_counted_up_to_a_limit(workspace_root: Path) -> None:
    assert count_folders(workspace_root, 100) == 4
    assert count_folders(workspace_root, 1) == 2
