"""The cache: what was kept comes back, what is damaged is as good as not there, nothing raises."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memgui.domain.paths import DocPath
from memgui.search import cache
from memgui.search.literal import LiteralIndex, Part
from tests.search.test_literal import found, text


def filled() -> LiteralIndex:
    index = LiteralIndex()
    index.update([text("a.md", "alpha"), text("bad\udcff.md", "beta"), text("c.png", None), text("empty.md", "")])
    index.update([text("d.md", "delta")], gone=[DocPath("a.md")])
    return index


def loaded(folder: Path) -> LiteralIndex:
    index = LiteralIndex()
    index.adopt([Part(segment) for segment in cache.load(folder)])
    return index


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    index = filled()
    assert cache.save(tmp_path, index.parts)
    again = loaded(tmp_path)
    assert again.known() == index.known()
    assert found(again, "beta") == {"bad\udcff.md": 1}
    assert found(again, "alpha") == {}


def test_what_is_mapped_is_kept_like_what_is_held(tmp_path: Path) -> None:
    index = LiteralIndex()
    index.update([text(f"{n}.md", f"crane {n}\n" * 80_000) for n in range(3)])
    index.map_beyond(0, tmp_path)
    assert all(part.segment.texts.is_mapped for part in index.parts)
    assert cache.save(tmp_path, index.parts)
    again = loaded(tmp_path)
    assert again.known() == index.known()
    assert found(again, "crane 2") == {"2.md": 80_000}
    assert [part.segment.texts.whole for part in again.parts] == [part.segment.texts.whole for part in index.parts]


def test_it_is_the_persons_alone_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert cache.save(folder, filled().parts)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()] == [0o600]


def test_what_a_killed_writer_left_is_removed_and_a_living_ones_is_not(tmp_path: Path) -> None:
    dead, living = tmp_path / ".texts-999999999-aa.tmp", tmp_path / f".texts-{os.getppid()}-bb.tmp"
    dead.write_bytes(b"x")
    living.write_bytes(b"x")
    assert cache.save(tmp_path, filled().parts)
    assert not dead.exists()
    assert living.exists()


def test_nothing_kept_is_an_empty_answer(tmp_path: Path) -> None:
    assert cache.load(tmp_path) == ()
    assert cache.load(tmp_path / "none") == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_damage_is_noticed(tmp_path: Path, data: st.DataObject) -> None:
    index = filled()
    cache.save(tmp_path, index.parts)
    file = tmp_path / cache.FILE_NAME
    whole = file.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = data.draw(
        st.sampled_from([whole[:at], whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :], whole + b"more"])
    )
    file.write_bytes(damaged)
    again = loaded(tmp_path).known()
    assert all(index.known().get(path) == entry for path, entry in again.items())


@pytest.mark.parametrize("shape", ["file", "folder"])
def test_a_disk_that_does_not_take_it_is_no_trouble(tmp_path: Path, shape: str) -> None:
    if shape == "file":
        place = tmp_path / "not a folder"
        place.write_text("x")
    else:
        place = tmp_path
        (tmp_path / cache.FILE_NAME).mkdir()
        (tmp_path / cache.FILE_NAME / "x").mkdir()
    assert not cache.save(place, filled().parts)
    assert cache.load(place) == ()
    assert not list(tmp_path.glob(".texts-*"))
