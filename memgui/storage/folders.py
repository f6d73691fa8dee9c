"""Single folders on disk: which of their names are to be seen, and what stands there.

No file is opened and no link followed. Names that are no text in the system's encoding keep their bytes as surrogates.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from memgui.domain.errors import ExecutionFailed, NotFound, ReadFailed
from memgui.domain.layouts import NAMED_FOLDERS
from memgui.domain.paths import SKIPPED_FOLDERS, DocPath, comparable, is_document, join, name_of, shown
from memgui.domain.tree import Node, NodeKind, Stat
from memgui.i18n import _
from memgui.storage.spot import reason_of

MAX_DEPTH = 256
"""Folders nested deeper are named, and not read."""

TEMPORARY_PREFIX, TEMPORARY_SUFFIX = ".memgui-", ".tmp"
"""What a write of memgui's own is called until it is whole: nobody's memory."""

ENCODING = sys.getfilesystemencoding()
"""How this system writes names."""
_SETTLED = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM})
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_STOP_EVERY = 512

Stop = Callable[[], bool]
"""Asked now and then; once it says yes, the work ends with `ScanStopped`."""


class ScanStopped(ExecutionFailed):
    """The scan was told to stop before it was done."""


def never() -> bool:
    """Does not stop anything."""
    return False


def leads_to_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder or a link to one; a link that leads nowhere, or in a circle, is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False


@dataclass(slots=True)
class Found:
    """What has been found so far, in no order."""

    nodes: dict[DocPath, Node] = field(default_factory=dict)
    problems: dict[DocPath, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Folder:
    """A real folder about to be read, and the folders it lies in: one that lies in itself ends the way."""

    path: DocPath
    stat: Stat
    above: tuple[tuple[int, int], ...]

    @property
    def identity(self) -> tuple[int, int]:
        """Device and inode."""
        return self.stat.device, self.stat.inode


@dataclass(slots=True)
class Contents:
    """One folder's own names. `is_seen` is False for what scans leave out by what is in it."""

    nodes: list[Node]
    folders: list[Folder]
    problem: str | None = None
    is_seen: bool = True


class FolderReader:
    """Reads single folders by the rules of what is left out."""

    def __init__(self, root: Path, private: frozenset[DocPath], stop: Stop) -> None:
        self._root = os.path.realpath(os.fsencode(root))
        self._below = self._root.rstrip(b"/") + b"/"
        self._private = private
        self._stop = stop
        self._problem: str | None = None

    def on_disk(self, path: DocPath) -> bytes:
        return self._below + os.fsencode(path) if path else self._root

    def folder(self, path: DocPath, above: tuple[tuple[int, int], ...]) -> Folder:
        """The folder at a path. Raises where the workspace itself cannot be asked; OSError for any other."""
        try:
            info = os.lstat(self.on_disk(path))
            if not stat.S_ISDIR(info.st_mode):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        except OSError as error:
            if path:
                raise
            raise self._root_failed(error) from error
        return Folder(path, _stat(info), above)

    def below(self, folder: Folder, path: DocPath) -> Folder | None:
        """The folder at a path inside another one, None where it is gone, too deep, or leads back up."""
        try:
            inner = self.folder(path, (*folder.above, folder.identity))
        except OSError:
            return None
        return inner if self.way_ends(inner) is None else None

    @contextmanager
    def entries(self, folder: Folder) -> Iterator[list[os.DirEntry[str]] | None]:
        """What is to be seen directly in a folder, to be asked about as long as this is held open: by the folder's
        handle, which is shorter than the way to each of its files. None where the folder itself is not to be seen, or
        is gone.

        Raises where the workspace itself cannot be read; any other folder's trouble is kept for `problem`.
        """
        if self._stop():
            raise ScanStopped(_("Reading the folder was stopped."))
        self._problem = None
        handle = None
        try:
            try:
                handle = os.open(self.on_disk(folder.path), _FOLDER)
                with os.scandir(handle) as found:
                    entries = list(found)
            except OSError as error:
                yield self._trouble(folder, error)
            else:
                yield self._seen(folder.path, entries)
        finally:
            if handle is not None:
                os.close(handle)

    def _trouble(self, folder: Folder, error: OSError) -> list[os.DirEntry[str]] | None:
        if not folder.path:
            raise self._root_failed(error) from error
        if error.errno in _SETTLED:
            return None
        self._problem = _("This folder cannot be read: {reason}.").format(reason=reason_of(error))
        return []

    def _seen(self, folder: DocPath, entries: list[os.DirEntry[str]]) -> list[os.DirEntry[str]] | None:
        if only := NAMED_FOLDERS.get(name_of(folder)):
            return [entry for entry in entries if entry.name == only] or None
        if folder and any(entry.name == "pyvenv.cfg" for entry in entries):
            return None
        # Most names are ordinary, and told so without a call.
        return [
            entry
            for entry in entries
            if (entry.name[0] != "." and "." in entry.name and not self._private) or self._is_seen(folder, entry)
        ]

    def contents(self, folder: Folder) -> Contents:
        """A folder's own names with what the disk says of each."""
        with self.entries(folder) as entries:
            if entries is None:
                return Contents([], [], is_seen=False)
            return self._told(folder, entries)

    def _told(self, folder: Folder, entries: list[os.DirEntry[str]]) -> Contents:
        contents = Contents([], [], self._problem)
        prefix = f"{folder.path}/" if folder.path else ""
        above = (*folder.above, folder.identity)
        add, kind = contents.nodes.append, NodeKind.FILE
        for number, entry in enumerate(entries):
            if not number % _STOP_EVERY and number and self._stop():
                raise ScanStopped(_("Reading the folder was stopped."))
            path = DocPath(prefix + entry.name)
            try:
                info = entry.stat(follow_symlinks=False)
            except OSError as error:
                if error.errno not in _SETTLED:
                    add(_unknown(path, entry, error))
                continue
            form = info.st_mode & 0o170000
            if form == stat.S_IFREG:
                # As `Node(…)` makes it, without a call of Python's own.
                add(tuple.__new__(Node, (path, kind, _stat(info), None)))
            elif form == stat.S_IFDIR:
                contents.folders.append(Folder(path, _stat(info), above))
            elif form == stat.S_IFLNK:
                add(self.link(path))
            else:
                add(Node(path, NodeKind.OTHER, _stat(info)))
        return contents

    def deep(self, top: Folder, found: Found) -> bool:
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
                found.nodes.update([(node.path, node) for node in contents.nodes])
                todo += contents.folders
            if folder.path:
                found.nodes[folder.path] = Node(folder.path, NodeKind.FOLDER, folder.stat, problem)
            if problem is not None:
                found.problems[folder.path] = problem
        return is_top_seen

    def way_ends(self, folder: Folder) -> str | None:
        """Why a folder is not read although it could be."""
        if folder.identity in folder.above:
            return _("This folder leads back to one that it lies in.")
        if len(folder.above) > MAX_DEPTH:
            return _("Folders nested deeper than {depth} are not read.").format(depth=MAX_DEPTH)
        return None

    def link(self, path: DocPath) -> Node:
        """A link, classed by where it leads."""
        place = self.on_disk(path)
        is_inside = False
        try:
            # Also this can fail: on the way may be a link that must not be read, or is gone by then (both in /proc).
            target = os.path.realpath(place)
            is_inside = target == self._root or target.startswith(self._below)
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

    def _is_seen(self, folder: DocPath, entry: os.DirEntry[str]) -> bool:
        name = entry.name
        if name[0] == ".":
            if name == ".git" or (name.startswith(TEMPORARY_PREFIX) and name.endswith(TEMPORARY_SUFFIX)):
                return False
            if entry.is_symlink():
                return is_document(name)
            if entry.is_dir(follow_symlinks=False) and name not in NAMED_FOLDERS:
                return False
        elif "." not in name and comparable(name) in SKIPPED_FOLDERS:
            return not (entry.is_symlink() or entry.is_dir(follow_symlinks=False))
        return not self._private or join(folder, name) not in self._private

    def _root_failed(self, error: OSError) -> ExecutionFailed:
        name = shown(os.fsdecode(self._root))
        if error.errno in _SETTLED:
            return NotFound(_("The folder {folder} is not there.").format(folder=name))
        return ReadFailed(
            _("The folder {folder} cannot be read: {reason}.").format(folder=name, reason=reason_of(error)),
            errno=error.errno,
            hint=_("Give yourself the right to read it, then try again.") if error.errno in _FORBIDDEN else None,
        )


def _unknown(path: DocPath, entry: os.DirEntry[str], error: OSError) -> Node:
    """A name in a folder that lets itself be listed and not entered."""
    problem = _("This cannot be read: {reason}.").format(reason=reason_of(error))
    if entry.is_symlink():
        return Node(path, NodeKind.LINK_BROKEN, problem=problem)
    return Node(path, NodeKind.FOLDER if entry.is_dir(follow_symlinks=False) else NodeKind.FILE, problem=problem)


def _stat(info: os.stat_result) -> Stat:
    # As `Stat(…)` makes it, without a call of Python's own: a scan makes ten thousand.
    return tuple.__new__(
        Stat,
        (
            info.st_size,
            info.st_mtime_ns,
            info.st_ctime_ns,
            info.st_ino,
            info.st_dev,
            info.st_mode,
            info.st_nlink,
        ),
    )
