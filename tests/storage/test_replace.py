"""Compare and replace: whole or not at all, the file's nature kept, nobody's bytes lost."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.errors import Conflict, NotAuthorized, WriteFailed
from memgui.domain.tree import NodeKind
from memgui.storage import replace as replacing
from memgui.storage import swap
from tests.storage.conftest import Desk

CHECKOUT = Path(__file__).parents[2]


def test_the_bytes_stand_there_and_the_node_tells_their_state(desk: Desk, root: Path) -> None:
    (root / "a.md").write_bytes(b"old")
    node = desk.write("a.md", b"new\r\n\x00\xff", b"old")
    found = (root / "a.md").stat()
    assert (root / "a.md").read_bytes() == b"new\r\n\x00\xff"
    assert node.stat is not None
    assert (node.stat.inode, node.stat.ctime_ns, node.stat.size) == (found.st_ino, found.st_ctime_ns, 7)
    assert node.kind is NodeKind.FILE
    assert desk.announced == [(fingerprint(b"old"), fingerprint(b"new\r\n\x00\xff"))]
    assert desk.names() == {"a.md"}


def test_a_stale_write_touches_nothing(desk: Desk, root: Path) -> None:
    (root / "a.md").write_bytes(b"newer")
    with pytest.raises(Conflict) as caught:
        desk.write("a.md", b"mine", b"older")
    assert caught.value.found == fingerprint(b"newer")
    assert (root / "a.md").read_bytes() == b"newer"
    assert desk.announced == []
    with pytest.raises(Conflict) as caught:
        desk.write("gone.md", b"mine", b"older")
    assert caught.value.found is None
    assert desk.names() == {"a.md"}


def test_a_new_document_gets_its_folders_and_never_takes_the_place_of_another(desk: Desk, root: Path) -> None:
    desk.write("a/b/new.md", b"text", None)
    assert (root / "a/b/new.md").read_bytes() == b"text"
    with pytest.raises(Conflict) as caught:
        desk.write("a/b/new.md", b"other", None)
    assert caught.value.found == fingerprint(b"text")
    assert (root / "a/b/new.md").read_bytes() == b"text"


def test_a_new_document_has_the_mode_that_the_users_mask_gives(desk: Desk, root: Path) -> None:
    old = os.umask(0o027)
    try:
        desk.write("new.md", b"", None)
    finally:
        os.umask(old)
    assert stat.S_IMODE((root / "new.md").stat().st_mode) == 0o640


def test_a_document_created_in_the_last_instant_is_not_overwritten(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = swap.move_to_free_name

    def after_an_agent(folder: int, old: bytes, new: bytes) -> None:
        (root / "sub/new.md").write_bytes(b"agent")
        real(folder, old, new)

    monkeypatch.setattr(swap, "move_to_free_name", after_an_agent)
    with pytest.raises(Conflict):
        desk.write("sub/new.md", b"mine", None)
    assert (root / "sub/new.md").read_bytes() == b"agent"
    assert desk.names() == {"sub", "new.md"}


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o4755, 0o666])
def test_the_mode_stays(desk: Desk, root: Path, mode: int) -> None:
    (root / "a.md").write_bytes(b"old")
    (root / "a.md").chmod(mode)
    desk.write("a.md", b"new", b"old")
    assert stat.S_IMODE((root / "a.md").stat().st_mode) == mode


def test_extended_attributes_stay(desk: Desk, root: Path) -> None:
    (root / "a.md").write_bytes(b"old")
    try:
        os.setxattr(root / "a.md", "user.author", b"agent \xff")
    except OSError:
        pytest.skip("no extended attributes here")
    desk.write("a.md", b"new", b"old")
    assert os.getxattr(root / "a.md", "user.author") == b"agent \xff"


def test_a_link_stays_a_link_and_its_target_is_written(desk: Desk, root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub/real.md").write_bytes(b"old")
    (root / "middle.md").symlink_to("sub/real.md")
    (root / "link.md").symlink_to(root / "middle.md")
    node = desk.write("link.md", b"new", b"old")
    assert (root / "link.md").is_symlink()
    assert (root / "middle.md").is_symlink()
    assert (root / "sub/real.md").read_bytes() == b"new"
    assert node.kind is NodeKind.LINK_FILE
    assert node.path == "link.md"


@pytest.mark.parametrize("target", ["../outside.md", "/etc/hostname", "out/x.md"])
def test_a_link_out_is_never_written(desk: Desk, root: Path, target: str) -> None:
    (root.parent / "outside.md").write_bytes(b"old")
    (root.parent / "elsewhere").mkdir()
    (root.parent / "elsewhere/x.md").write_bytes(b"old")
    (root / "out").symlink_to(root.parent / "elsewhere")
    (root / "link.md").symlink_to(target)
    with pytest.raises(NotAuthorized):
        desk.write("link.md", b"new", b"old")
    with pytest.raises(NotAuthorized):
        desk.write("out/new.md", b"new", None)
    assert (root.parent / "outside.md").read_bytes() == b"old"
    assert os.listdir(root.parent / "elsewhere") == ["x.md"]


def test_a_link_in_a_circle_is_refused_in_a_sentence(desk: Desk, root: Path) -> None:
    (root / "one.md").symlink_to("two.md")
    (root / "two.md").symlink_to("one.md")
    with pytest.raises((WriteFailed, Conflict)):
        desk.write("one.md", b"new", b"old")


def test_hard_links_stay_together(desk: Desk, root: Path) -> None:
    (root / "a.md").write_bytes(b"old and long")
    os.link(root / "a.md", root / "b.md")
    desk.write("a.md", b"new", b"old and long")
    assert (root / "b.md").read_bytes() == b"new"
    assert (root / "a.md").stat().st_ino == (root / "b.md").stat().st_ino
    assert desk.copies.get(fingerprint(b"old and long")) == b"old and long"


def test_a_foreign_file_keeps_its_owner(desk: Desk, root: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can give files away")
    (root / "a.md").write_bytes(b"old")
    os.chown(root / "a.md", 65534, 65534)
    inode = (root / "a.md").stat().st_ino
    desk.write("a.md", b"new and longer", b"old")
    found = (root / "a.md").stat()
    assert (found.st_uid, found.st_gid, found.st_ino) == (65534, 65534, inode)
    assert (root / "a.md").read_bytes() == b"new and longer"


def test_the_group_stays(desk: Desk, root: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can give files to any group")
    (root / "a.md").write_bytes(b"old")
    os.chown(root / "a.md", -1, 65534)
    desk.write("a.md", b"new", b"old")
    assert (root / "a.md").stat().st_gid == 65534


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555])
def test_a_read_only_file_is_refused_though_the_folder_would_allow_it(desk: Desk, root: Path, mode: int) -> None:
    (root / "a.md").write_bytes(b"old")
    (root / "a.md").chmod(mode)
    with pytest.raises(WriteFailed, match="read-only") as caught:
        desk.write("a.md", b"new", b"old")
    assert caught.value.hint
    assert (root / "a.md").read_bytes() == b"old"
    assert desk.names() == {"a.md"}


def test_a_name_that_is_not_utf8_is_written(desk: Desk, root: Path) -> None:
    name = os.fsdecode(b"bad\xff\xfe.md")
    (root / name).write_bytes(b"old")
    desk.write(name, b"new", b"old")
    assert (root / name).read_bytes() == b"new"
    with pytest.raises(WriteFailed) as caught:
        desk.write("x" * 300 + name, b"new", None)
    assert caught.value.message.encode()


def test_a_folder_or_a_pipe_is_not_written_and_nothing_hangs(desk: Desk, root: Path) -> None:
    (root / "folder.md").mkdir()
    os.mkfifo(root / "pipe.md")
    for name in ("folder.md", "pipe.md"):
        with pytest.raises(WriteFailed):
            desk.write(name, b"new", b"old")
        with pytest.raises(Conflict):
            desk.write(name, b"new", None)


def test_what_an_agent_puts_there_between_compare_and_exchange_is_put_back(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a.md").write_bytes(b"old")
    agent_writes(monkeypatch, root / "a.md", [b"agent"])
    with pytest.raises(Conflict) as caught:
        desk.write("a.md", b"mine", b"old")
    assert caught.value.found == fingerprint(b"agent")
    assert (root / "a.md").read_bytes() == b"agent"
    assert desk.copies.get(fingerprint(b"mine")) == b"mine"
    assert desk.names() == {"a.md"}


def test_where_an_agent_writes_twice_the_newest_stands_and_all_are_kept(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a.md").write_bytes(b"old")
    agent_writes(monkeypatch, root / "a.md", [b"first", b"second"])
    with pytest.raises(Conflict) as caught:
        desk.write("a.md", b"mine", b"old")
    assert caught.value.found == fingerprint(b"second")
    assert (root / "a.md").read_bytes() == b"second"
    assert desk.copies.get(fingerprint(b"first")) == b"first"
    assert desk.copies.get(fingerprint(b"mine")) == b"mine"
    assert desk.names() == {"a.md"}


def test_lines_that_an_agent_appends_between_compare_and_exchange_are_appended_to_ours(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "log.md").write_bytes(b"old\n")
    agent_writes(monkeypatch, root / "log.md", [b"old\nagent\n"])
    desk.write("log.md", b"mine\n", b"old\n")
    assert (root / "log.md").read_bytes() == b"mine\nagent\n"
    assert desk.copies.get(fingerprint(b"old\nagent\n"))
    assert desk.names() == {"log.md"}


def test_an_append_that_would_glue_itself_to_our_last_line_is_a_conflict(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "log.md").write_bytes(b"old\n")
    agent_writes(monkeypatch, root / "log.md", [b"old\nagent\n"])
    with pytest.raises(Conflict):
        desk.write("log.md", b"mine", b"old\n")
    assert (root / "log.md").read_bytes() == b"old\nagent\n"


def test_where_no_copy_can_be_kept_the_displaced_bytes_stay_beside_the_document(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a.md").write_bytes(b"old")
    agent_writes(monkeypatch, root / "a.md", [b"first", b"second"])

    def full(_data: bytes) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(desk.copies, "put", full)
    with pytest.raises(Conflict):
        desk.write("a.md", b"mine", b"old")
    assert (root / "a.md").read_bytes() == b"second"
    assert {path.read_bytes() for path in root.glob("a.md.kept-*")} == {b"first"}


def agent_writes(monkeypatch: pytest.MonkeyPatch, path: Path, texts: list[bytes]) -> None:
    """An agent that replaces the file in the very instant before each exchange."""
    real = swap.exchange

    def exchange(folder: int, one: bytes, other: bytes) -> bool:
        if texts:
            temporary = path.parent.parent / "agent"
            temporary.write_bytes(texts.pop(0))
            temporary.replace(path)
        return real(folder, one, other)

    monkeypatch.setattr(swap, "exchange", exchange)


def test_an_append_through_a_handle_opened_before_the_exchange_is_not_lost(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "log.md").write_bytes(b"old\n")
    real = swap.exchange
    waited = []

    def exchange(folder: int, one: bytes, other: bytes) -> bool:
        handle = os.open(root / "log.md", os.O_WRONLY | os.O_APPEND)
        done = real(folder, one, other)
        os.write(handle, b"agent\n")
        os.close(handle)
        waited.append(done)
        monkeypatch.setattr(swap, "exchange", real)
        return done

    monkeypatch.setattr(swap, "exchange", exchange)
    desk.write("log.md", b"mine\n", b"old\n")
    assert waited == [True]
    assert (root / "log.md").read_bytes() == b"mine\nagent\n"


def test_a_file_that_a_program_holds_open_stays_the_same_file(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "log.md").write_bytes(b"old\n")
    monkeypatch.setattr(replacing, "_WRITERS_BEFORE_SECONDS", 0.0)
    with open(root / "log.md", "ab", buffering=0) as log:
        desk.write("log.md", b"mine\n", b"old\n")
        log.write(b"agent\n")
    assert (root / "log.md").read_bytes() == b"mine\nagent\n"


@pytest.fixture
def plain_rename(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that cannot exchange two names."""
    monkeypatch.setattr(swap, "_rename", lambda *_arguments: False)


@pytest.mark.usefixtures("plain_rename")
def test_without_exchange_a_document_is_written_and_created_all_the_same(desk: Desk, root: Path) -> None:
    desk.write("a.md", b"one", None)
    desk.write("a.md", b"two", b"one")
    with pytest.raises(Conflict):
        desk.write("a.md", b"three", None)
    assert (root / "a.md").read_bytes() == b"two"
    assert desk.names() == {"a.md"}


@pytest.mark.usefixtures("plain_rename")
def test_without_exchange_an_append_in_between_is_kept_too(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a.md").write_bytes(b"old\n")
    real = os.replace

    def late(one: bytes, other: bytes, **places: int) -> None:
        with open(root / "a.md", "ab") as file:
            file.write(b"agent\n")
        monkeypatch.setattr(os, "replace", real)
        real(one, other, **places)

    monkeypatch.setattr(os, "replace", late)
    desk.write("a.md", b"mine\n", b"old\n")
    assert (root / "a.md").read_bytes() == b"mine\nagent\n"
    assert desk.names() == {"a.md"}


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS])
@pytest.mark.parametrize("call", ["pwrite", "fsync"])
def test_a_disk_that_refuses_leaves_everything_as_it_was(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch, number: int, call: str
) -> None:
    (root / "a.md").write_bytes(b"old")

    def refuse(*_arguments: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, call, refuse)
    for path, before in (("a.md", b"old"), ("sub/new.md", None)):
        with pytest.raises(WriteFailed) as caught:
            desk.write(path, b"new", before)
        assert caught.value.errno == number
        assert caught.value.hint
        assert "was not saved" in caught.value.message
    monkeypatch.undo()
    assert (root / "a.md").read_bytes() == b"old"
    assert desk.names() == {"a.md"}


@pytest.mark.parametrize("failing", [1, 2])
def test_a_disk_that_fails_after_the_exchange_gives_the_old_bytes_back(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    (root / "a.md").write_bytes(b"old")
    real, calls = os.fsync, []

    def fsync(handle: int) -> None:
        calls.append(handle)
        if len(calls) == failing:
            raise OSError(errno.EIO, "broken")
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(WriteFailed, match="reports an error"):
        desk.write("a.md", b"new", b"old")
    assert (root / "a.md").read_bytes() == b"old"
    assert desk.names() == {"a.md"}


def test_in_place_a_full_disk_leaves_the_old_bytes(desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "a.md").write_bytes(b"old")
    os.link(root / "a.md", root / "b.md")
    real, calls = os.pwrite, []

    def refuse_later(handle: int, data: bytes, offset: int) -> int:
        calls.append(offset)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "full")
        return real(handle, data[:2], offset)

    monkeypatch.setattr(os, "pwrite", refuse_later)
    with pytest.raises(WriteFailed, match="disk is full"):
        desk.write("a.md", b"newer and longer", b"old")
    assert (root / "a.md").read_bytes() == b"old"
    assert desk.copies.get(fingerprint(b"old")) == b"old"


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_on_a_disk_that_is_really_full_the_old_bytes_stay(desk: Desk, root: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can mount")
    with small_disk(root / "disk"):
        (root / "disk/a.md").write_bytes(b"old")
        (root / "disk/b.md").write_bytes(b"old")
        os.link(root / "disk/b.md", root / "disk/b2.md")
        with contextlib.suppress(OSError), open(root / "disk/filler", "wb", buffering=0) as filler:
            while True:
                filler.write(b"x" * 4096)
        for name in ("a.md", "b.md"):
            with pytest.raises(WriteFailed, match="disk is full") as caught:
                desk.write(f"disk/{name}", b"new" * 10_000, b"old")
            assert caught.value.errno == errno.ENOSPC
            assert (root / "disk" / name).read_bytes() == b"old"
        assert set(os.listdir(root / "disk")) == {"a.md", "b.md", "b2.md", "filler"}
        desk.write("disk/b.md", b"neu", b"old")
        assert (root / "disk/b2.md").read_bytes() == b"neu"


def test_a_folder_that_takes_no_new_names_still_takes_a_save() -> None:
    """As another user, since root may do anything anywhere."""
    if os.geteuid():
        pytest.skip("only root can become another user")
    script = """
import os, sys
from pathlib import Path
from memgui.domain.documents import fingerprint
from memgui.storage import files
os.setgid(65534); os.setuid(65534)
root = Path(sys.argv[1])
files.replace(root, "a.md", b"new", expected=fingerprint(b"old"), keep=print, announce=lambda *_: None)
try:
    files.replace(root, "new.md", b"new", expected=None, keep=print, announce=lambda *_: None)
except Exception as error:
    print(type(error).__name__, error, error.hint)
"""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        document = Path(place) / "a.md"
        document.write_bytes(b"old")
        os.chown(document, 65534, 65534)
        done = subprocess.run([sys.executable, "-c", script, place], capture_output=True, text=True, cwd=CHECKOUT)
        assert done.stderr == ""
        assert done.stdout.startswith("b'old'\nWriteFailed 'new.md' was not saved: permission denied")
        assert document.read_bytes() == b"new"
