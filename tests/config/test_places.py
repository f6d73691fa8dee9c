"""memgui's own things lie where the system keeps such things, and are the person's alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from memgui.config.places import Places, private_folder
from memgui.domain.errors import WriteFailed


def test_all_four_folders_lie_under_memgui_home_where_it_is_set(tmp_path: Path) -> None:
    found = Places.find({"MEMGUI_HOME": str(tmp_path)})
    assert found == Places(tmp_path / "config", tmp_path / "state", tmp_path / "cache", tmp_path / "run")
    assert found.settings_file == tmp_path / "config" / "config.toml"
    assert list(tmp_path.iterdir()) == []


def test_a_home_given_by_half_is_made_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Places.find({"MEMGUI_HOME": "own"}).state == tmp_path / "own" / "state"
    assert Places.find({"MEMGUI_HOME": "~/own"}).state == Path.home() / "own" / "state"


def test_elsewise_they_lie_where_the_system_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CONFIG", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    found = Places.find({"MEMGUI_HOME": "", "XDG_RUNTIME_DIR": str(tmp_path / "login")})
    assert found == Places(*(tmp_path / name / "memgui" for name in ("config", "state", "cache", "login")))
    assert Places.find({}).runtime == tmp_path / "state" / "memgui" / "run"


def test_the_folders_of_a_workspace_are_private_with_all_that_leads_to_them(tmp_path: Path) -> None:
    own = Places.find({"MEMGUI_HOME": str(tmp_path / "a" / "b")}).for_workspace("abc")
    assert own.state == tmp_path / "a" / "b" / "state" / "abc"
    for folder in (own.state, own.cache, own.state.parent, tmp_path / "a"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_others_could_enter_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir(mode=0o755)
    private_folder(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteFailed, match="cannot keep its own files") as caught:
        private_folder(tmp_path / "file" / "below")
    assert caught.value.hint

    def full(*_args: object, **_more: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "mkdir", full)
    with pytest.raises(WriteFailed, match="No space left"):
        private_folder(tmp_path / "new")
