"""Reading: to the byte, never outside of the root, never waiting."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memgui.domain.errors import NotAuthorized, NotFound, ReadFailed
from memgui.domain.paths import DocPath
from memgui.domain.tree import NodeKind
from memgui.storage import files


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary())
def test_a_file_is_read_to_the_byte(root: Path, data: bytes) -> None:
    (root / "a.md").write_bytes(data)
    found, node = files.read(root, DocPath("a.md"))
    assert found == data
    assert node.kind is NodeKind.FILE
    assert node.stat is not None
    assert node.stat.size == len(data)


def test_what_is_not_there_is_not_found(root: Path) -> None:
    (root / "a.md").write_bytes(b"")
    for path in ("b.md", "sub/b.md", "a.md/b.md"):
        with pytest.raises(NotFound, match="Read failed: "):
            files.read(root, DocPath(path))
        assert files.look(root, DocPath(path)) is None
    (root / "broken.md").symlink_to("nothing.md")
    with pytest.raises(NotFound):
        files.read(root, DocPath("broken.md"))
    with pytest.raises(NotFound):
        files.read(root / "gone", DocPath("a.md"))


def test_pipes_sockets_devices_and_folders_are_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe.md")
    (root / "folder.md").mkdir()
    (root / "device.md").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.fspath(root / "s.md"))
        for name in ("pipe.md", "folder.md", "s.md"):
            with pytest.raises(ReadFailed, match=name):
                files.read(root, DocPath(name))
    with pytest.raises(NotAuthorized):
        files.read(root, DocPath("device.md"))


def test_links_are_followed_inside_the_root_and_never_out(root: Path) -> None:
    (root.parent / "secret.md").write_bytes(b"secret")
    (root / "sub").mkdir()
    (root / "sub/real.md").write_bytes(b"text")
    (root / "in.md").symlink_to("sub/real.md")
    (root / "folder").symlink_to("sub")
    (root / "out.md").symlink_to("../secret.md")
    (root / "up").symlink_to("..")
    (root.parent / "workspace-2").mkdir()
    (root.parent / "workspace-2/x.md").write_bytes(b"other")
    (root / "neighbour").symlink_to("../workspace-2")
    assert files.read(root, DocPath("in.md"))[1].kind is NodeKind.LINK_FILE
    assert files.read(root, DocPath("folder/real.md"))[0] == b"text"
    assert files.real_path(root, DocPath("folder/real.md")) == "sub/real.md"
    for path in ("out.md", "up/secret.md", "neighbour/x.md", "../secret.md", "sub/../../secret.md"):
        with pytest.raises(NotAuthorized):
            files.read(root, DocPath(path))


def test_a_root_that_is_itself_reached_by_a_link_is_read(root: Path, tmp_path: Path) -> None:
    (root / "a.md").write_bytes(b"text")
    (tmp_path / "short").symlink_to(root)
    assert files.read(tmp_path / "short", DocPath("a.md"))[0] == b"text"


def test_a_circle_of_links_is_a_sentence(root: Path) -> None:
    (root / "one.md").symlink_to("one.md")
    with pytest.raises(ReadFailed):
        files.read(root, DocPath("one.md"))


def test_a_name_that_is_not_utf8_is_read_and_named_in_a_sentence(root: Path) -> None:
    name = os.fsdecode(b"bad\xff.md")
    (root / name).write_bytes(b"text")
    assert files.read(root, DocPath(name))[0] == b"text"
    with pytest.raises(NotFound) as caught:
        files.read(root, DocPath(name + name))
    assert "bad\\xff.md" in caught.value.message


def test_a_file_beyond_all_measure_is_refused_and_not_taken_into_memory(root: Path) -> None:
    with open(root / "huge.md", "wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ReadFailed, match="more than 256 MB"):
        files.read(root, DocPath("huge.md"))


def test_bytes_and_state_belong_together_while_a_writer_appends(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "log.md").write_bytes(b"1\n")
    real = os.pread
    written: list[bool] = []

    def pread(handle: int, size: int, offset: int) -> bytes:
        data = real(handle, size, offset)
        if not written:
            written.append(True)
            with open(root / "log.md", "ab") as file:
                file.write(b"2\n")
        return data

    monkeypatch.setattr(os, "pread", pread)
    data, node = files.read(root, DocPath("log.md"))
    assert node.stat is not None
    assert node.stat.size == len(data)
