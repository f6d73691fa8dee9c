"""Reading many files in a row: right bytes, no links, no waiting, no handle left open."""

from __future__ import annotations

import os
from pathlib import Path

from memgui.domain.paths import DocPath
from memgui.storage.reader import Reader


def read(root: Path, *names: str) -> list[bytes | None]:
    with Reader(root) as reader:
        return [None if (got := reader.read(DocPath(name))) is None else got[0] for name in names]


def test_bytes_come_as_they_are_from_any_depth(tmp_path: Path) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/b/c/deep.md").write_bytes(b"deep\r\n\xff")
    (tmp_path / "top.md").write_bytes(b"")
    (tmp_path / "big.md").write_bytes(b"x" * 3_000_001)
    (tmp_path / os.fsdecode(b"\xff.md")).write_bytes(b"odd")
    assert read(tmp_path, "a/b/c/deep.md", "top.md", "\udcff.md") == [b"deep\r\n\xff", b"", b"odd"]
    assert read(tmp_path, "big.md") == [b"x" * 3_000_001]


def test_links_pipes_folders_and_missing_files_give_nothing(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a.md").write_text("x")
    (tmp_path / "linked").symlink_to("real")
    (tmp_path / "link.md").symlink_to("real/a.md")
    os.mkfifo(tmp_path / "pipe.md")
    names = ("linked/a.md", "link.md", "pipe.md", "real", "none.md", "none/a.md", "real/a.md/b.md", "x" * 300)
    assert read(tmp_path, *names) == [None] * len(names)


def test_many_folders_leave_no_handle_open(tmp_path: Path) -> None:
    names = [f"f{i}/g/{i}.md" for i in range(100)]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(name)
    before = len(os.listdir("/proc/self/fd"))
    assert read(tmp_path, *names, *names) == [name.encode() for name in names] * 2
    assert len(os.listdir("/proc/self/fd")) == before


def test_what_is_refused_by_its_beginning_is_not_read_on(tmp_path: Path) -> None:
    (tmp_path / "big.bin").write_bytes(b"\0" * 3_000_000)
    with Reader(tmp_path) as reader:
        got = reader.read(DocPath("big.bin"), refuse=lambda head: head.startswith(b"\0"))
    assert got is not None
    assert len(got[0]) < 2_000_000
    assert got[1].size == 3_000_000


def test_it_tells_what_is_unreadable_from_what_is_gone(tmp_path: Path) -> None:
    (tmp_path / "broken.md").symlink_to("nowhere")
    with Reader(tmp_path) as reader:
        assert reader.holds(DocPath("broken.md"))
        assert not reader.holds(DocPath("none.md"))
