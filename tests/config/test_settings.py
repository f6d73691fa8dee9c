"""Settings never fail to load, and saving touches what was changed and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.config.saving import save
from memgui.config.settings import MAX_BYTES, Settings, changed, load
from memgui.domain.errors import WriteFailed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "config.toml"


def write(file: Path, text: str | bytes) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)


def test_without_a_file_all_is_as_it_comes(file: Path) -> None:
    assert load(file) == Settings()
    assert load(file).problems == ()


def test_what_stands_in_the_file_is_taken(file: Path) -> None:
    write(file, '# mine\nappearance = "dark"\nzoom = 120\nautosave_seconds = 0\nprotect_tools_and_bootstrap = true\n')
    found = load(file)
    assert found == Settings(appearance="dark", zoom=120, autosave_seconds=0.0, protect_tools_and_bootstrap=True)
    assert found.problems == ()


@pytest.mark.parametrize(
    "line",
    [
        'appearance = "purple"',
        "appearance = 3",
        "zoom = 10",
        "zoom = 1000",
        "zoom = true",
        "zoom = 100.5",
        'zoom = "120"',
        "autosave_seconds = nan",
        "autosave_seconds = -1",
        "autosave_seconds = inf",
        "wrap_lines = 1",
        "[zoom]\nx = 1",
    ],
)
def test_a_wrong_value_costs_itself_alone_and_is_told(file: Path, line: str) -> None:
    write(file, f"show_invisibles = false\n{line}\n")
    found = load(file)
    assert found == Settings(show_invisibles=False)
    key = line.split(" ")[0].strip("[]\nx")
    assert len(found.problems) == 1
    assert f"'{key}'" in found.problems[0]


def test_keys_of_another_release_are_let_be(file: Path) -> None:
    write(file, "later = 1\n[limits]\nper_minute = 3\n")
    assert load(file).problems == ()


@pytest.mark.parametrize(
    "data",
    [
        b"zoom = ",
        b"\xff\xfe",
        b"a = " + b"[" * 20_000,
        b"zoom = " + b"9" * 5_000,
        b"#" * (MAX_BYTES + 1),
        b"zoom = 1\nzoom = 2",
        b"\x00",
    ],
)
def test_a_damaged_file_is_told_and_kept_before_anything_takes_its_place(file: Path, data: bytes) -> None:
    write(file, data)
    found = load(file)
    assert found == Settings()
    assert len(found.problems) == 1
    assert file.read_bytes() == data
    save(file, changed(found, zoom=150))
    assert load(file).zoom == 150
    assert file.with_name("config.toml.damaged-1").read_bytes() == data
    write(file, data)
    save(file, changed(found, zoom=160))
    assert file.with_name("config.toml.damaged-2").read_bytes() == data


@given(st.binary(max_size=80))
def test_no_bytes_keep_the_settings_from_loading(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_bytes(data)
    assert isinstance(load(file), Settings)


def test_a_folder_or_a_pipe_in_its_place_is_told(file: Path) -> None:
    file.mkdir(parents=True)
    assert len(load(file).problems) == 1
    pipe = file.with_name("pipe.toml")
    os.mkfifo(pipe)
    assert len(load(pipe).problems) == 1


def test_only_what_differs_is_saved_and_comments_stay(file: Path) -> None:
    write(file, '# my desk\nzoom = 120 # for the big screen\nlater = "kept"\n\n[limits]\nper_minute = 3\n')
    save(file, changed(load(file), zoom=150, appearance="dark"))
    text = file.read_text()
    assert "# my desk\nzoom = 150 # for the big screen\n" in text
    assert 'later = "kept"' in text
    assert "per_minute = 3" in text
    assert "wrap_lines" not in text
    assert load(file) == Settings(zoom=150, appearance="dark", limits_per_minute=3)
    save(file, Settings())
    assert "zoom" not in file.read_text()
    assert "per_minute" not in file.read_text()
    assert "# my desk" in file.read_text()


def test_limits_and_the_zone_are_read_and_saved_where_a_person_writes_them(file: Path) -> None:
    write(file, "limits.per_minute = 40\nlimits.per_hour = 0\n")
    assert load(file) == Settings(limits_per_minute=40, limits_per_hour=0)
    save(file, changed(load(file), limits_workspace_per_minute=9, timezone="Europe/Berlin"))
    assert load(file) == Settings(
        limits_per_minute=40, limits_per_hour=0, limits_workspace_per_minute=9, timezone="Europe/Berlin"
    )


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('timezone = "Middle/Earth"', "timezone"),
        ('timezone = "../../etc/passwd"', "timezone"),
        ("[limits]\nper_hour = -1", "limits.per_hour"),
        ('[limits]\nworkspace_per_minute = "many"', "limits.workspace_per_minute"),
    ],
)
def test_a_zone_that_nobody_knows_and_a_limit_that_is_none_are_told_by_name(file: Path, text: str, key: str) -> None:
    write(file, text)
    found = load(file)
    assert found == Settings()
    assert f"'{key}'" in found.problems[0]


def test_what_is_no_table_of_limits_limits_nothing_else(file: Path) -> None:
    write(file, "limits = 3\nzoom = 120")
    assert load(file) == Settings(zoom=120)


def test_a_wrong_value_stays_until_it_is_chosen_anew(file: Path) -> None:
    write(file, 'appearance = "purple"\n')
    save(file, changed(load(file), zoom=150))
    assert 'appearance = "purple"' in file.read_text()
    save(file, changed(load(file), appearance="light"))
    assert load(file) == Settings(zoom=150, appearance="light")


def test_nothing_changed_is_nothing_written(file: Path) -> None:
    save(file, Settings())
    assert not file.exists()
    write(file, "zoom = 120\n")
    before = file.stat()
    save(file, load(file))
    assert file.stat() == before


def test_two_windows_do_not_undo_each_other(file: Path) -> None:
    start = Settings()
    save(file, changed(start, zoom=150), known=start)
    save(file, changed(start, appearance="dark"), known=start)
    assert load(file) == Settings(zoom=150, appearance="dark")


def test_a_setting_without_a_choice_goes_back_to_the_layout(file: Path) -> None:
    save(file, changed(Settings(), protect_tools_and_bootstrap=False))
    assert load(file).protect_tools_and_bootstrap is False
    save(file, changed(load(file), protect_tools_and_bootstrap=None))
    assert load(file).protect_tools_and_bootstrap is None


def test_a_full_disk_loses_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(file, "zoom = 120\n")

    def full(_handle: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteFailed, match="No space left"):
        save(file, changed(load(file), zoom=150))
    assert file.read_text() == "zoom = 120\n"
    write(file, "zoom = ")
    with pytest.raises(WriteFailed):
        save(file, Settings(zoom=150))
    assert file.read_text() == "zoom = "
    assert {path.name for path in file.parent.iterdir()} <= {"config.toml", "config.toml.lock"}


def test_settings_kept_elsewhere_by_a_link_stay_there(file: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "memgui.toml"
    write(real, "# here\n")
    file.parent.mkdir()
    file.symlink_to(real)
    save(file, Settings(zoom=150))
    assert file.is_symlink()
    assert "# here" in real.read_text()
    assert load(file).zoom == 150


def test_new_settings_are_the_persons_alone(file: Path) -> None:
    save(file, Settings(zoom=150))
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    save(file, Settings(zoom=160))
    assert file.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize(("key", "value"), [("zoom", 10), ("appearance", "purple"), ("wrap_lines", "yes")])
def test_no_wrong_value_is_taken_from_a_face(key: str, value: Any) -> None:
    with pytest.raises(ValueError):
        changed(Settings(), **{key: value})


def test_reading_settings_loads_nothing_that_only_saving_needs() -> None:
    program = "import sys, memgui.ops.preferences; sys.exit('tomlkit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_what_waits_is_kept_by_workspace_and_a_bad_entry_costs_itself_alone(file: Path) -> None:
    write(file, '[hold]\n"/a" = ["MEMORY.md", " x/*.md "]\n"/b" = "MEMORY.md"\n"/c" = [""]\n')
    found = load(file)
    assert found.held_in("/a") == ("MEMORY.md", "x/*.md")
    assert (found.held_in("/b"), found.held_in("/c"), found.held_in("/d")) == ((), (), ())
    assert len(found.problems) == 2
    assert all("left out" in problem for problem in found.problems)
    write(file, "hold = 7\n")
    assert load(file).hold == ()
    assert "a table" in load(file).problems[0]


def test_two_windows_do_not_undo_what_the_other_lets_wait(file: Path) -> None:
    write(file, '# mine\n[hold]\n# why\n"/a" = ["MEMORY.md"]\n')
    known = load(file)
    save(file, known.holding("/b", ["**"]), known=known)
    save(file, known.holding("/c.d/e", ["x.md"]), known=known)
    text = file.read_text()
    assert "# mine" in text
    assert "# why" in text
    assert dict(load(file).hold) == {"/a": ("MEMORY.md",), "/b": ("**",), "/c.d/e": ("x.md",)}
    save(file, known.holding("/a", []), known=known)
    assert dict(load(file).hold) == {"/b": ("**",), "/c.d/e": ("x.md",)}
    for path in ("/b", "/c.d/e"):
        now = load(file)
        save(file, now.holding(path, []), known=now)
    assert "[hold]" not in file.read_text()
    assert load(file) == Settings()
