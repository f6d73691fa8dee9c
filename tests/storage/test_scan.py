"""A scan tells what stands on the disk, whatever that is, and follows nothing out of the workspace."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

import pytest

from memgui.domain.errors import ExecutionFailed, NotFound, ReadFailed
from memgui.domain.paths import DocPath
from memgui.domain.tree import NodeKind, Snapshot, Stat
from memgui.storage import folders
from memgui.storage.folders import ScanStopped
from memgui.storage.rescan import rescan
from memgui.storage.scan import names, scan


def put(root: Path, *paths: str) -> None:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path)


def kinds(snapshot: Snapshot) -> dict[str, NodeKind]:
    return {path: node.kind for path, node in snapshot.nodes.items()}


def refuse(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Has the system deny a folder; a test may run as a user whom it denies nothing."""
    real = os.open

    def open_(path: bytes, flags: int) -> int:
        if path == os.fsencode(folder):
            raise PermissionError(13, "Permission denied")
        return real(path, flags)

    monkeypatch.setattr(os, "open", open_)


def test_every_file_and_folder_is_found_in_bytewise_order(tmp_path: Path) -> None:
    put(tmp_path, "b.md", "a/x.md", "a-b.md", "a.md", "Z.md", "é.md", "a/b/c/d.md")
    (tmp_path / "empty").mkdir()
    snapshot = scan(tmp_path)
    assert list(snapshot.nodes) == sorted(snapshot.nodes, key=os.fsencode)
    assert set(snapshot.nodes) == {
        "Z.md", "a", "a-b.md", "a.md", "a/b", "a/b/c", "a/b/c/d.md", "a/x.md", "b.md", "empty", "é.md",
    }  # fmt: skip
    assert snapshot.folders == 5
    assert snapshot.problems == {}


def test_a_file_is_known_by_its_stat(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    info = (tmp_path / "a.md").stat()
    stat = scan(tmp_path).nodes[DocPath("a.md")].stat
    assert stat is not None
    assert (stat.size, stat.mtime_ns, stat.ctime_ns) == (info.st_size, info.st_mtime_ns, info.st_ctime_ns)
    assert (stat.inode, stat.device, stat.mode, stat.links) == (info.st_ino, info.st_dev, info.st_mode, info.st_nlink)


@pytest.mark.parametrize(
    "folder", [".git", "node_modules", ".obsidian", ".trash", ".cache", ".venv", "venv", "__pycache__", "a/.hidden"]
)
def test_what_is_nobodys_memory_is_left_out(tmp_path: Path, folder: str) -> None:
    put(tmp_path, f"{folder}/x.md", "a/kept.md")
    assert set(scan(tmp_path).nodes) == {"a", "a/kept.md"}


def test_virtual_environments_are_left_out_by_whatever_name(tmp_path: Path) -> None:
    put(tmp_path, "py311/pyvenv.cfg", "py311/lib/x.md", "kept.md")
    assert set(scan(tmp_path).nodes) == {"kept.md"}
    assert set(scan(tmp_path / "py311").nodes) == {"lib", "lib/x.md", "pyvenv.cfg"}


def test_of_the_folders_that_a_layout_names_only_the_memory_is_seen(tmp_path: Path) -> None:
    put(tmp_path, ".agentsmith/memory/x.md", ".agentsmith/key.md", ".claude/agents/y.md", "p/.agentsmith/memory/z.md")
    assert set(scan(tmp_path).nodes) == {
        ".agentsmith", ".agentsmith/memory", ".agentsmith/memory/x.md",
        "p", "p/.agentsmith", "p/.agentsmith/memory", "p/.agentsmith/memory/z.md",
    }  # fmt: skip
    put(tmp_path, ".claude/projects/q/memory/MEMORY.md")
    assert ".claude/projects/q/memory/MEMORY.md" in scan(tmp_path).nodes
    assert ".claude/agents" not in scan(tmp_path).nodes


def test_files_whose_names_begin_with_a_dot_are_files(tmp_path: Path) -> None:
    put(tmp_path, ".hidden.md", ".gitignore", ".memgui-12-ab34.tmp", "node_modules.md")
    assert set(scan(tmp_path).nodes) == {".hidden.md", ".gitignore", "node_modules.md"}


def test_own_folders_inside_the_workspace_are_left_out(tmp_path: Path) -> None:
    put(tmp_path, "mine/state/x.md", "mine/y.md", "state/z.md")
    found = scan(tmp_path, private=frozenset({DocPath("mine/state")}))
    assert set(found.nodes) == {"mine", "mine/y.md", "state", "state/z.md"}


def test_links_are_classed_by_where_they_lead_and_never_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    put(root, "real.md", "dir/x.md")
    put(outside, "secret.md")
    put(tmp_path, "root-twin/x.md")
    for name, target in {
        "file.md": "real.md",
        "folder": "dir",
        "absolute.md": str(root / "real.md"),
        "out": str(outside),
        "out.md": "../outside/secret.md",
        "twin": "../root-twin",
        "broken.md": "nowhere.md",
        "self": "self",
        "up": "..",
        "here": ".",
        "dir/loop": "..",
        "chain.md": "file.md",
        "through.md": "out/secret.md",
        ".hidden": "dir",
        "node_modules": "dir",
        "device": "/dev/null",
    }.items():
        (root / name).symlink_to(target)
    assert kinds(scan(root)) == {
        "absolute.md": NodeKind.LINK_FILE,
        "broken.md": NodeKind.LINK_BROKEN,
        "chain.md": NodeKind.LINK_FILE,
        "device": NodeKind.LINK_OUT,
        "dir": NodeKind.FOLDER,
        "dir/loop": NodeKind.LINK_FOLDER,
        "dir/x.md": NodeKind.FILE,
        "file.md": NodeKind.LINK_FILE,
        "folder": NodeKind.LINK_FOLDER,
        "here": NodeKind.LINK_FOLDER,
        "out": NodeKind.LINK_OUT,
        "out.md": NodeKind.LINK_OUT,
        "real.md": NodeKind.FILE,
        "self": NodeKind.LINK_BROKEN,
        "through.md": NodeKind.LINK_OUT,
        "twin": NodeKind.LINK_OUT,
        "up": NodeKind.LINK_OUT,
    }


def test_a_link_that_cannot_be_followed_to_its_end_hides_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "a.md")
    for name in ("forbidden.md", "gone.md"):
        (tmp_path / name).symlink_to("/proc/1/exe")

    def follow(path: bytes) -> bytes:
        if path.endswith(b"forbidden.md"):
            raise PermissionError(errno.EACCES, "no", path)
        if path.endswith(b"gone.md"):
            raise FileNotFoundError(errno.ENOENT, "no", path)
        return realpath(path)

    realpath = os.path.realpath
    monkeypatch.setattr(os.path, "realpath", follow)
    found = scan(tmp_path)
    assert kinds(found) == {
        "a.md": NodeKind.FILE,
        "forbidden.md": NodeKind.LINK_OUT,
        "gone.md": NodeKind.LINK_BROKEN,
    }
    assert found.nodes[DocPath("forbidden.md")].problem


def test_a_link_inside_carries_the_stat_of_its_target(tmp_path: Path) -> None:
    put(tmp_path, "real.md")
    (tmp_path / "link.md").symlink_to("real.md")
    nodes = scan(tmp_path).nodes
    assert nodes[DocPath("link.md")].stat == nodes[DocPath("real.md")].stat


def test_a_workspace_opened_through_a_link_is_the_folder_it_leads_to(tmp_path: Path) -> None:
    put(tmp_path, "real/a.md")
    (tmp_path / "real" / "b.md").symlink_to("a.md")
    (tmp_path / "link").symlink_to("real")
    assert scan(tmp_path / "link") == scan(tmp_path / "real")


def test_pipes_and_sockets_are_told_and_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "link.md").symlink_to("pipe.md")
    with socket.socket(socket.AF_UNIX) as ear:
        ear.bind(str(tmp_path / "socket.md"))
        assert kinds(scan(tmp_path)) == dict.fromkeys(["link.md", "pipe.md", "socket.md"], NodeKind.OTHER)


def test_names_that_are_no_utf8_lead_back_to_their_bytes(tmp_path: Path) -> None:
    for name in (b"bad\xff.md", b"\xfe\xfe/x.md", "\uffee.md".encode(), "\U0001f9e0.md".encode()):
        path = os.path.join(os.fsencode(tmp_path), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb"):
            pass
    snapshot = scan(tmp_path)
    assert [os.fsencode(path) for path in snapshot.nodes] == sorted(
        [b"bad\xff.md", b"\xfe\xfe", b"\xfe\xfe/x.md", "\uffee.md".encode(), "\U0001f9e0.md".encode()]
    )


def test_an_unreadable_folder_is_shown_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "locked/x.md", "open/y.md")
    refuse(monkeypatch, tmp_path / "locked")
    snapshot = scan(tmp_path)
    assert set(snapshot.nodes) == {"locked", "open", "open/y.md"}
    assert "permission denied" in snapshot.problems[DocPath("locked")]
    assert snapshot.nodes[DocPath("locked")].problem == snapshot.problems[DocPath("locked")]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is denied to root")
def test_a_folder_that_can_be_listed_and_not_entered_shows_its_names(tmp_path: Path) -> None:
    put(tmp_path, "half/x.md", "half/sub/y.md")
    (tmp_path / "half").chmod(0o444)
    try:
        snapshot = scan(tmp_path)
    finally:
        (tmp_path / "half").chmod(0o755)
    assert kinds(snapshot)["half/x.md"] is NodeKind.FILE
    assert snapshot.nodes[DocPath("half/x.md")].problem


def test_a_missing_workspace_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="is not there"):
        scan(tmp_path / "gone")
    put(tmp_path, "file")
    with pytest.raises(NotFound):
        scan(tmp_path / "file")
    with pytest.raises(NotFound):
        rescan(tmp_path / "gone", Snapshot({}), [DocPath("")])


def test_an_unreadable_workspace_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, tmp_path)
    with pytest.raises(ReadFailed, match="permission denied"):
        scan(tmp_path)


def test_a_folder_that_lies_in_itself_ends_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a/b/x.md")
    loop, real = tmp_path / "a" / "b", folders._stat
    top = (tmp_path / "a").stat()

    def mounted(info: os.stat_result) -> Stat:
        """As if `a` were mounted at `a/b`."""
        return real(top if info.st_ino == loop.stat().st_ino else info)

    monkeypatch.setattr(folders, "_stat", mounted)
    snapshot = scan(tmp_path)
    assert set(snapshot.nodes) == {"a", "a/b"}
    assert set(snapshot.problems) == {"a/b"}
    assert {path for path, _folder in names(tmp_path)} == {"a", "a/b"}
    assert rescan(tmp_path, snapshot, [DocPath("a"), DocPath("a/b")]) == snapshot


def test_folders_without_end_are_read_to_a_depth(tmp_path: Path) -> None:
    deep = tmp_path / "/".join(["d"] * (folders.MAX_DEPTH + 5))
    deep.mkdir(parents=True)
    snapshot = scan(tmp_path)
    assert len(snapshot.nodes) == folders.MAX_DEPTH + 1
    assert len(snapshot.problems) == 1
    assert {path for path, _folder in names(tmp_path)} == set(snapshot.nodes)


def test_a_scan_can_be_stopped(tmp_path: Path) -> None:
    put(tmp_path, "a/x.md", "b/y.md")
    answers = iter([False, True])
    with pytest.raises(ScanStopped):
        scan(tmp_path, stop=lambda: next(answers))
    assert issubclass(ScanStopped, ExecutionFailed)


def test_the_names_alone_are_the_same_as_those_of_a_scan(tmp_path: Path) -> None:
    put(tmp_path, "a/x.md", ".git/y.md", ".agentsmith/memory/z.md", "v/pyvenv.cfg", "node_modules/x/y.md")
    for name, target in {"link": "a", "self": "self", "gone.md": "nowhere"}.items():
        (tmp_path / name).symlink_to(target)
    found = dict(names(tmp_path))
    # A folder can only be told to be an environment once it is read.
    assert found.pop(DocPath("v")) is True
    assert set(found) == set(scan(tmp_path).nodes)
    assert [found[DocPath(name)] for name in ("link", "self", "gone.md")] == [True, False, False]
    assert found[DocPath("a/x.md")] is False
