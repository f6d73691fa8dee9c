"""Some folders read anew give what a full scan would."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgui.domain.paths import DocPath, parent_of
from memgui.domain.tree import Snapshot
from memgui.storage.folders import Folder, FolderReader
from memgui.storage.rescan import rescan
from memgui.storage.scan import scan

NAMES = ("a", "b", "c.md", "d.md", ".agentsmith", "memory", "node_modules", ".claude", "projects", "pyvenv.cfg")
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)
DEEDS = st.tuples(st.sampled_from(["write", "folder", "remove", "move", "link", "replace", "touch"]), PATHS, PATHS)


class Disk:
    """Does things to a tree and remembers the folders in which names came or went, as a watch would tell them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.touched: set[DocPath] = set()

    def do(self, deed: str, path: str, other: str) -> None:
        target, source = self.root / path, self.root / other
        with suppress(OSError):
            getattr(self, deed)(target, source)
        for each in (path, other):
            self.touched |= {DocPath(each), self.real(parent_of(each))}

    def real(self, folder: str) -> DocPath:
        """Where a watch would see it: by the folder's own path, not by a link to it."""
        real = Path(os.path.realpath(self.root / folder))
        return DocPath("" if real == self.root else real.relative_to(self.root).as_posix())

    def write(self, target: Path, _source: Path) -> None:
        target.write_text(str(target))

    def folder(self, target: Path, _source: Path) -> None:
        target.mkdir()

    def remove(self, target: Path, _source: Path) -> None:
        if target.is_symlink() or not target.is_dir():
            target.unlink()
        else:
            shutil.rmtree(target)

    def move(self, target: Path, source: Path) -> None:
        source.rename(target)

    def link(self, target: Path, source: Path) -> None:
        target.symlink_to(source)

    def replace(self, target: Path, _source: Path) -> None:
        if target.is_dir():
            shutil.rmtree(target)
            target.mkdir()
            (target / "new.md").write_text("new")
        else:
            fresh = target.with_name("fresh")
            fresh.write_text("fresh")
            fresh.rename(target)

    def touch(self, target: Path, _source: Path) -> None:
        if target.exists():
            os.utime(target, (1, 1))


def same(one: Snapshot, other: Snapshot) -> bool:
    return list(one.nodes.items()) == list(other.nodes.items()) and (one.problems, one.folders) == (
        other.problems,
        other.folders,
    )


@settings(max_examples=100)
@given(st.lists(DEEDS, max_size=25), st.lists(st.lists(DEEDS, min_size=1, max_size=8), min_size=1, max_size=3))
def test_whatever_happens_the_touched_folders_tell_it_all(
    before: list[tuple[str, str, str]], rounds: list[list[tuple[str, str, str]]]
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        disk = Disk(root)
        for deed in before:
            disk.do(*deed)
        known = scan(root)
        for deeds in rounds:
            disk.touched.clear()
            for deed in deeds:
                disk.do(*deed)
            known = rescan(root, known, disk.touched)
            assert same(known, scan(root))


def tree(root: Path, *paths: str) -> Snapshot:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    return scan(root)


def test_a_new_folder_is_read_with_all_below_it(tmp_path: Path) -> None:
    known = tree(tmp_path, "a/x.md")
    fresh = tree(tmp_path, "new/deep/er/y.md", "new/z.md")
    assert same(rescan(tmp_path, known, [DocPath("")]), fresh)


def test_a_vanished_folder_takes_all_below_it_along(tmp_path: Path) -> None:
    known = tree(tmp_path, "a/b/x.md", "a/y.md", "c.md")
    shutil.rmtree(tmp_path / "a")
    for told in (["a/b"], ["a"], [""], ["a/b", "a", ""]):
        assert list(rescan(tmp_path, known, [DocPath(path) for path in told]).nodes) == ["c.md"]


def test_a_folder_replaced_by_another_of_its_name_is_read_anew(tmp_path: Path) -> None:
    known = tree(tmp_path, "a/b/x.md", "other/b/y.md")
    os.rename(tmp_path / "a", tmp_path / "away")
    os.rename(tmp_path / "other", tmp_path / "a")
    assert same(rescan(tmp_path, known, [DocPath("a")]), scan(tmp_path))


def test_folders_that_were_not_named_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = tree(tmp_path, "a/x.md", "b/y.md", "b/c/z.md")
    read: list[bytes] = []
    real = os.open

    def open_(path: bytes, flags: int) -> int:
        read.append(path)
        return real(path, flags)

    (tmp_path / "b" / "new.md").write_text("new")
    monkeypatch.setattr(os, "open", open_)
    found = rescan(tmp_path, known, [DocPath("b")])
    assert read == [os.fsencode(tmp_path / "b")]
    assert DocPath("b/new.md") in found.nodes
    assert found.nodes[DocPath("a/x.md")] is known.nodes[DocPath("a/x.md")]


def test_a_link_is_looked_at_again_when_its_target_changed_elsewhere(tmp_path: Path) -> None:
    tree(tmp_path, "real/x.md")
    (tmp_path / "link.md").symlink_to("real/x.md")
    known = scan(tmp_path)
    (tmp_path / "real" / "x.md").write_text("more than before")
    assert same(rescan(tmp_path, known, [DocPath("real")]), scan(tmp_path))
    (tmp_path / "real" / "x.md").unlink()
    assert same(rescan(tmp_path, known, [DocPath("real")]), scan(tmp_path))


def test_a_folder_nobody_heard_of_is_found_from_the_nearest_known_one(tmp_path: Path) -> None:
    known = tree(tmp_path, "a/x.md")
    fresh = tree(tmp_path, "a/b/c/y.md")
    assert same(rescan(tmp_path, known, [DocPath("a/b/c")]), fresh)


def test_a_folder_that_was_closed_shows_it_where_it_stands(tmp_path: Path) -> None:
    known = tree(tmp_path, "a/b/x.md")
    (tmp_path / "a" / "b").chmod(0o700)
    assert same(rescan(tmp_path, known, [DocPath("a")]), scan(tmp_path))


def test_the_trouble_of_a_folder_goes_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "a/locked/x.md")
    real = os.open

    def open_(path: bytes, flags: int) -> int:
        if path.endswith(b"/locked"):
            raise PermissionError(13, "Permission denied")
        return real(path, flags)

    monkeypatch.setattr(os, "open", open_)
    known = scan(tmp_path)
    assert set(known.problems) == {"a/locked"}
    assert same(rescan(tmp_path, known, [DocPath("a"), DocPath("a/locked")]), known)
    shutil.move(tmp_path / "a" / "locked", tmp_path / "a" / "open")
    assert same(rescan(tmp_path, known, [DocPath("a")]), scan(tmp_path))
    shutil.move(tmp_path / "a" / "open", tmp_path / "a" / "locked")
    monkeypatch.undo()
    assert same(rescan(tmp_path, known, [DocPath("a")]), scan(tmp_path))


def test_a_folder_that_goes_while_it_is_looked_for_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = tree(tmp_path, "a/b/x.md", "c.md")
    real = FolderReader.folder
    asked: list[DocPath] = []

    def folder(reader: FolderReader, path: DocPath, above: tuple[tuple[int, int], ...]) -> Folder:
        asked.append(path)
        if asked.count(DocPath("a/b")) == 2:
            shutil.rmtree(tmp_path / "a", ignore_errors=True)
        return real(reader, path, above)

    monkeypatch.setattr(FolderReader, "folder", folder)
    assert same(rescan(tmp_path, known, [DocPath("a/b")]), scan(tmp_path))


def test_memory_in_a_named_folder_comes_and_goes(tmp_path: Path) -> None:
    known = tree(tmp_path, ".claude/agents/x.md")
    assert set(known.nodes) == set()
    fresh = tree(tmp_path, ".claude/projects/p/memory/x.md")
    known = rescan(tmp_path, known, [DocPath(".claude")])
    assert same(known, fresh)
    shutil.rmtree(tmp_path / ".claude" / "projects")
    assert same(rescan(tmp_path, known, [DocPath(".claude")]), scan(tmp_path))


def test_nothing_named_is_nothing_read(tmp_path: Path) -> None:
    known = tree(tmp_path, "a/x.md")
    assert same(rescan(tmp_path, known, []), known)
