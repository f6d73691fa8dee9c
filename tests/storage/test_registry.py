"""A workspace keeps its id under its real path, whoever asks first and however often."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memgui.domain.errors import WriteFailed
from memgui.storage.registry import WorkspaceRegistry


@pytest.fixture
def registry(tmp_path: Path) -> WorkspaceRegistry:
    return WorkspaceRegistry(tmp_path / "state")


def test_the_same_path_has_the_same_id_and_another_path_another(registry: WorkspaceRegistry, tmp_path: Path) -> None:
    one, other = registry.id_for(tmp_path / "a", now=1), registry.id_for(tmp_path / "b", now=1)
    assert one != other
    assert registry.id_for(tmp_path / "a", now=2) == one
    assert WorkspaceRegistry(tmp_path / "state").id_for(tmp_path / "a", now=3) == one


def test_ids_are_drawn_by_lot(tmp_path: Path) -> None:
    ids = {WorkspaceRegistry(tmp_path / str(number)).id_for(tmp_path, now=1) for number in range(5)}
    assert len(ids) == 5


def test_threads_that_ask_at_once_agree(registry: WorkspaceRegistry, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(lambda _number: registry.id_for(tmp_path, now=1), range(64)))
    assert len(ids) == 1


def test_processes_that_ask_at_once_agree(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from memgui.storage.registry import WorkspaceRegistry as R;"
        "sys.stdin.readline(); p = pathlib.Path(sys.argv[1]); print(R(p / 'state').id_for(p, now=1))"
    )
    asking = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _number in range(4)
    ]
    assert len({process.communicate("go\n")[0] for process in asking}) == 1


def test_names_that_are_no_utf8_are_registered(registry: WorkspaceRegistry, tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff"))
    odd.mkdir()
    assert registry.id_for(odd, now=1) == registry.id_for(odd, now=1)
    assert [entry.path for entry in registry.recents()] == [odd]


def test_the_recent_ones_come_latest_first_and_say_whether_they_are_there(
    registry: WorkspaceRegistry, tmp_path: Path
) -> None:
    (tmp_path / "there").mkdir()
    for number, name in enumerate(("there", "gone")):
        registry.id_for(tmp_path / name, now=10 + number)
    assert [(entry.name, entry.is_there) for entry in registry.recents()] == [("gone", False), ("there", True)]
    registry.opened(tmp_path / "there", now=20)
    assert [(entry.name, entry.opened) for entry in registry.recents()] == [("there", 20.0), ("gone", 11.0)]


def test_a_forgotten_one_keeps_its_id(registry: WorkspaceRegistry, tmp_path: Path) -> None:
    known = registry.id_for(tmp_path, now=1)
    registry.forget(tmp_path)
    assert registry.recents() == ()
    assert registry.id_for(tmp_path, now=2) == known
    registry.opened(tmp_path, now=3)
    assert [entry.id for entry in registry.recents()] == [known]


def test_one_that_was_only_looked_at_is_not_recent(registry: WorkspaceRegistry, tmp_path: Path) -> None:
    registry.id_for(tmp_path, now=0)
    assert registry.recents() == ()


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"null", b"[]", b"\xff\xff", b"[" * 50_000, b'{"path": "/x", "id": "../..", "name": "", "opened": 1}'],
)
def test_a_damaged_entry_is_put_aside_and_loses_no_other(
    registry: WorkspaceRegistry, tmp_path: Path, damage: bytes
) -> None:
    other = registry.id_for(tmp_path / "other", now=1)
    file = registry._file(tmp_path)
    file.write_bytes(damage)
    fresh = registry.id_for(tmp_path, now=2)
    assert fresh.isalnum()
    assert registry.id_for(tmp_path / "other", now=3) == other
    assert file.with_suffix(".damaged").read_bytes() == damage
    assert len(registry.recents()) == 2


def test_what_it_keeps_is_the_persons_alone(registry: WorkspaceRegistry, tmp_path: Path) -> None:
    registry.id_for(tmp_path, now=1)
    folder = tmp_path / "state" / "workspaces"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()] == [0o600]


def test_a_state_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file is in the way")
    registry = WorkspaceRegistry(tmp_path / "state")
    with pytest.raises(WriteFailed, match="cannot note the folder") as caught:
        registry.id_for(tmp_path, now=1)
    assert caught.value.hint
    assert registry.recents() == ()
    registry.opened(tmp_path, now=1)
    registry.forget(tmp_path)


def test_a_full_disk_costs_the_note_and_keeps_the_id(
    registry: WorkspaceRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = registry.id_for(tmp_path, now=1)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    registry.opened(tmp_path, now=2)
    assert registry.id_for(tmp_path, now=3) == known
    assert [entry.opened for entry in registry.recents()] == [1.0]
    with pytest.raises(WriteFailed, match="full"):
        registry.id_for(tmp_path / "new", now=4)
    assert len(list((tmp_path / "state" / "workspaces").iterdir())) == 1
