"""What stands in a workspace: `scan` reads it all, `rescan` some folders anew, `names` the paths alone.

No file is opened and no link followed. Names are read as bytes, so that those which are no UTF-8 are found as well.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from memgui.domain.errors import ExecutionFailed, NotFound, ReadFailed
from memgui.domain.layouts import NAMED_FOLDERS
from memgui.domain.paths import ROOT, SKIPPED_FOLDERS, DocPath, comparable, is_document, join, name_of, parent_of, shown
from memgui.domain.tree import Node, NodeKind, Snapshot, Stat
from memgui.i18n import _
from memgui.storage.spot import reason_of

MAX_DEPTH = 256
"""Folders nested deeper are named, and not read."""

TEMPORARY_PREFIX, TEMPORARY_SUFFIX = b".memgui-", b".tmp"
"""What a write of memgui's own is called until it is whole: nobody's memory."""

_ENCODING = sys.getfilesystemencoding()
_NAMED = {name.encode(): inner.encode() for name, inner in NAMED_FOLDERS.items()}
_SETTLED = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_DOT = 0x2E
_STOP_EVERY = 512

Stop = Callable[[], bool]


class ScanStopped(ExecutionFailed):
    """The scan was told to stop before it was done."""


def _never() -> bool:
    return False


def scan(root: Path, *, private: frozenset[DocPath] = frozenset(), stop: Stop = _never) -> Snapshot:
    """All names of a workspace. `private`: folders to leave out. NotFound, ReadFailed: the root cannot be read."""
    reader = _Reader(root, private, stop)
    found = _Found()
    top = reader.folder(ROOT, ())
    reader.deep(top, found)
    return _snapshot(found.nodes, found.problems)


def rescan(
    root: Path,
    snapshot: Snapshot,
    folders: Iterable[DocPath],
    *,
    private: frozenset[DocPath] = frozenset(),
    stop: Stop = _never,
) -> Snapshot:
    """The snapshot with these folders read anew: what is new in them deeply, what vanished dropped with all below it.

    Links are looked at again wherever they stand, for what they lead to may have changed anywhere. What did not change
    keeps its node.
    """
    return _Renewal(_Reader(root, private, stop), snapshot).renewed(folders)


def names(
    root: Path, *, private: frozenset[DocPath] = frozenset(), stop: Stop = _never
) -> Iterator[tuple[DocPath, bool]]:
    """The paths alone, in no order, and whether each is a folder: no file is asked about, which makes it quick."""
    reader = _Reader(root, private, stop)
    todo = [reader.folder(ROOT, ())]
    while todo:
        folder = todo.pop()
        for entry in reader.entries(folder) or ():
            path = join(folder.path, _decoded(entry.name))
            is_folder = leads_to_folder(entry)
            yield path, is_folder
            if is_folder and not entry.is_symlink():
                inner = reader.below(folder, path)
                if inner is not None:
                    todo.append(inner)


def leads_to_folder(entry: os.DirEntry[bytes]) -> bool:
    """Whether it is a folder or a link to one; a link that leads nowhere, or in a circle, is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False


@dataclass(slots=True)
class _Found:
    nodes: dict[DocPath, Node] = field(default_factory=dict)
    problems: dict[DocPath, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Folder:
    """A real folder about to be read, and the folders it lies in: one that lies in itself ends the way."""

    path: DocPath
    stat: Stat
    above: tuple[tuple[int, int], ...]

    @property
    def identity(self) -> tuple[int, int]:
        return self.stat.device, self.stat.inode


@dataclass(slots=True)
class _Contents:
    """One folder's own names. `is_seen` is False for what scans leave out by what is in it."""

    nodes: list[Node]
    folders: list[_Folder]
    problem: str | None = None
    is_seen: bool = True


class _Reader:
    """Reads single folders by the rules of what is left out."""

    def __init__(self, root: Path, private: frozenset[DocPath], stop: Stop) -> None:
        self._root = os.path.realpath(os.fsencode(root))
        self._below = self._root.rstrip(b"/") + b"/"
        self._private = private
        self._stop = stop
        self._problem: str | None = None

    def on_disk(self, path: DocPath) -> bytes:
        return self._below + os.fsencode(path) if path else self._root

    def folder(self, path: DocPath, above: tuple[tuple[int, int], ...]) -> _Folder:
        """The folder at a path. Raises where the workspace itself cannot be asked; OSError for any other."""
        try:
            info = os.lstat(self.on_disk(path))
            if not stat.S_ISDIR(info.st_mode):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        except OSError as error:
            if path:
                raise
            raise self._root_failed(error) from error
        return _Folder(path, _stat(info), above)

    def below(self, folder: _Folder, path: DocPath) -> _Folder | None:
        """The folder at a path inside another one, None where it is gone, too deep, or leads back up."""
        try:
            inner = self.folder(path, (*folder.above, folder.identity))
        except OSError:
            return None
        return inner if self.way_ends(inner) is None else None

    def entries(self, folder: _Folder) -> list[os.DirEntry[bytes]] | None:
        """What is to be seen directly in a folder; None where the folder itself is not to be seen, or is gone.

        Raises where the workspace itself cannot be read; any other folder's trouble is kept for `problem`.
        """
        if self._stop():
            raise ScanStopped(_("Reading the folder was stopped."))
        self._problem = None
        try:
            with os.scandir(self.on_disk(folder.path)) as found:
                entries = list(found)
        except OSError as error:
            if not folder.path:
                raise self._root_failed(error) from error
            if error.errno in _SETTLED:
                return None
            self._problem = _("This folder cannot be read: {reason}.").format(reason=reason_of(error))
            return []
        if only := _NAMED.get(os.fsencode(name_of(folder.path))):
            return [entry for entry in entries if entry.name == only] or None
        if folder.path and any(entry.name == b"pyvenv.cfg" for entry in entries):
            return None
        # Most names are ordinary, and told so without a call.
        return [
            entry
            for entry in entries
            if (entry.name[0] != _DOT and b"." in entry.name and not self._private) or self._is_seen(folder.path, entry)
        ]

    def contents(self, folder: _Folder) -> _Contents:
        """A folder's own names with what the disk says of each."""
        entries = self.entries(folder)
        if entries is None:
            return _Contents([], [], is_seen=False)
        contents = _Contents([], [], self._problem)
        prefix = f"{folder.path}/" if folder.path else ""
        above = (*folder.above, folder.identity)
        add = contents.nodes.append
        for number, entry in enumerate(entries):
            if not number % _STOP_EVERY and number and self._stop():
                raise ScanStopped(_("Reading the folder was stopped."))
            path = DocPath(prefix + entry.name.decode(_ENCODING, "surrogateescape"))
            try:
                info = entry.stat(follow_symlinks=False)
            except OSError as error:
                if error.errno not in _SETTLED:
                    add(_unknown(path, entry, error))
                continue
            form = info.st_mode & 0o170000
            if form == stat.S_IFREG:
                add(Node(path, NodeKind.FILE, _stat(info)))
            elif form == stat.S_IFDIR:
                contents.folders.append(_Folder(path, _stat(info), above))
            elif form == stat.S_IFLNK:
                add(self.link(path))
            else:
                add(Node(path, NodeKind.OTHER, _stat(info)))
        return contents

    def deep(self, top: _Folder, found: _Found) -> bool:
        """Puts a folder and all below it among what was found; whether the folder is to be seen at all."""
        todo = [top]
        is_top_seen = True
        while todo:
            folder = todo.pop()
            problem = self.way_ends(folder)
            if problem is None:
                contents = self.contents(folder)
                if not contents.is_seen:
                    is_top_seen = is_top_seen and folder is not top
                    continue
                problem = contents.problem
                for node in contents.nodes:
                    found.nodes[node.path] = node
                todo += contents.folders
            if folder.path:
                found.nodes[folder.path] = Node(folder.path, NodeKind.FOLDER, folder.stat, problem)
            if problem is not None:
                found.problems[folder.path] = problem
        return is_top_seen

    def way_ends(self, folder: _Folder) -> str | None:
        """Why a folder is not read although it could be."""
        if folder.identity in folder.above:
            return _("This folder leads back to one that it lies in.")
        if len(folder.above) > MAX_DEPTH:
            return _("Folders nested deeper than {depth} are not read.").format(depth=MAX_DEPTH)
        return None

    def link(self, path: DocPath) -> Node:
        """A link, classed by where it leads."""
        place = self.on_disk(path)
        target = os.path.realpath(place)
        is_inside = target == self._root or target.startswith(self._below)
        try:
            info = os.stat(place)
        except OSError as error:
            if error.errno in _SETTLED:
                return Node(path, NodeKind.LINK_BROKEN)
            problem = _("What this link leads to cannot be read: {reason}.").format(reason=reason_of(error))
            return Node(path, NodeKind.LINK_BROKEN if is_inside else NodeKind.LINK_OUT, problem=problem)
        if not is_inside:
            return Node(path, NodeKind.LINK_OUT)
        if stat.S_ISDIR(info.st_mode):
            return Node(path, NodeKind.LINK_FOLDER, _stat(info))
        return Node(path, NodeKind.LINK_FILE if stat.S_ISREG(info.st_mode) else NodeKind.OTHER, _stat(info))

    def _is_seen(self, folder: DocPath, entry: os.DirEntry[bytes]) -> bool:
        name = entry.name
        if name[0] == _DOT:
            if name == b".git" or (name.startswith(TEMPORARY_PREFIX) and name.endswith(TEMPORARY_SUFFIX)):
                return False
            if entry.is_symlink():
                return is_document(_decoded(name))
            if entry.is_dir(follow_symlinks=False) and name not in _NAMED:
                return False
        elif b"." not in name and comparable(_decoded(name)) in SKIPPED_FOLDERS:
            return not (entry.is_symlink() or entry.is_dir(follow_symlinks=False))
        return not self._private or join(folder, _decoded(name)) not in self._private

    def _root_failed(self, error: OSError) -> ExecutionFailed:
        name = shown(os.fsdecode(self._root))
        if error.errno in _SETTLED:
            return NotFound(_("The folder {folder} is not there.").format(folder=name))
        return ReadFailed(
            _("The folder {folder} cannot be read: {reason}.").format(folder=name, reason=reason_of(error)),
            errno=error.errno,
        )


class _Renewal:
    """One `rescan`."""

    def __init__(self, reader: _Reader, snapshot: Snapshot) -> None:
        self._reader = reader
        self._old = snapshot
        self._nodes = dict(snapshot.nodes)
        self._problems = dict(snapshot.problems)
        self._children: dict[str, list[DocPath]] = {}
        self._read: set[DocPath] = set()
        """What this renewal has already read from the disk: folders and links."""
        self._arrived = False

    def renewed(self, folders: Iterable[DocPath]) -> Snapshot:
        for path in self._nodes:
            self._children.setdefault(path.rpartition("/")[0], []).append(path)
        for path in sorted({self._start(folder) for folder in folders}):
            if path not in self._read and (not path or path in self._nodes):
                self._again(self._standing(path))
        self._look_at_links()
        if not self._arrived:
            return Snapshot(self._nodes, self._problems, _count_folders(self._nodes))
        return _snapshot(self._nodes, self._problems)

    def _start(self, path: DocPath) -> DocPath:
        """Where to begin reading so that what became of a folder shows: itself while it is what it was, else above."""
        while path:
            node = self._nodes.get(path)
            if node is not None and node.kind is NodeKind.FOLDER and name_of(path) not in NAMED_FOLDERS:
                try:
                    now = self._reader.folder(path, ())
                except OSError:
                    pass
                else:
                    if _is_same_folder(node, now):
                        return path
            path = parent_of(path)
        return path

    def _standing(self, path: DocPath) -> _Folder:
        above = []
        for index, character in enumerate(path):
            if character == "/" and (stat_ := self._nodes[DocPath(path[:index])].stat) is not None:
                above.append((stat_.device, stat_.inode))
        if path:
            above.insert(0, self._reader.folder(ROOT, ()).identity)
        return self._reader.folder(path, tuple(above))

    def _again(self, folder: _Folder) -> bool:
        """Reads one folder; whether it is (still) to be seen."""
        self._read.add(folder.path)
        problem = self._reader.way_ends(folder)
        contents = _Contents([], [], problem) if problem is not None else self._reader.contents(folder)
        if not contents.is_seen:
            self._drop(folder.path)
            return False
        if folder.path:
            self._put(Node(folder.path, NodeKind.FOLDER, folder.stat, contents.problem))
        self._problems.pop(folder.path, None)
        if contents.problem is not None:
            self._problems[folder.path] = contents.problem
        names = {node.path for node in contents.nodes}
        for node in contents.nodes:
            old = self._nodes.get(node.path)
            if old is not None and old.kind is NodeKind.FOLDER:
                self._drop(node.path)
            self._put(node)
            if node.kind.is_link:
                self._read.add(node.path)
        names.update(inner.path for inner in contents.folders if self._inner(inner))
        for path in self._children.get(folder.path, ()):
            if path not in names:
                self._drop(path)
        return True

    def _inner(self, folder: _Folder) -> bool:
        """A folder met in one that is read anew: kept with all below it where it is known, read deeply where not."""
        old = self._nodes.get(folder.path)
        if old is None or old.kind is not NodeKind.FOLDER or not _is_same_folder(old, folder):
            self._drop(folder.path)
            found = _Found()
            is_seen = self._reader.deep(folder, found)
            for node in found.nodes.values():
                self._put(node)
                self._read.add(node.path)
            self._problems.update(found.problems)
            return is_seen
        if name_of(folder.path) in NAMED_FOLDERS:
            return self._again(folder)
        self._put(replace(old, stat=folder.stat))
        return True

    def _put(self, node: Node) -> None:
        old = self._nodes.get(node.path)
        if old is None:
            self._arrived = True
        if old != node:
            self._nodes[node.path] = node

    def _drop(self, path: DocPath) -> None:
        todo = [path]
        while todo:
            gone = todo.pop()
            if self._nodes.pop(gone, None) is not None:
                self._problems.pop(gone, None)
                todo += self._children.get(gone, ())

    def _look_at_links(self) -> None:
        links = [
            node
            for path, node in self._nodes.items()
            if (node.kind.is_link or node.kind is NodeKind.OTHER) and path not in self._read
        ]
        for node in links:
            if os.path.islink(self._reader.on_disk(node.path)):
                self._put(self._reader.link(node.path))


def _snapshot(nodes: dict[DocPath, Node], problems: dict[DocPath, str]) -> Snapshot:
    """In bytewise order, which for names in UTF-8 is the order of their characters."""
    try:
        if _ENCODING != "utf-8":
            raise UnicodeError
        "\n".join(nodes).encode()
        paths = sorted(nodes)
    except UnicodeError:
        paths = sorted(nodes, key=os.fsencode)
    ordered = {path: nodes[path] for path in paths}
    return Snapshot(ordered, problems, _count_folders(ordered))


def _count_folders(nodes: dict[DocPath, Node]) -> int:
    return 1 + sum(1 for node in nodes.values() if node.kind is NodeKind.FOLDER)


def _is_same_folder(node: Node, folder: _Folder) -> bool:
    return node.stat is not None and (node.stat.device, node.stat.inode) == folder.identity


def _unknown(path: DocPath, entry: os.DirEntry[bytes], error: OSError) -> Node:
    """A name in a folder that lets itself be listed and not entered."""
    problem = _("This cannot be read: {reason}.").format(reason=reason_of(error))
    if entry.is_symlink():
        return Node(path, NodeKind.LINK_BROKEN, problem=problem)
    return Node(path, NodeKind.FOLDER if entry.is_dir(follow_symlinks=False) else NodeKind.FILE, problem=problem)


def _decoded(name: bytes) -> str:
    return name.decode(_ENCODING, "surrogateescape")


def _stat(info: os.stat_result) -> Stat:
    return Stat(info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino, info.st_dev, info.st_mode, info.st_nlink)
