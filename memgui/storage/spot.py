"""The spot on disk that a path leads to: the real folder, held open, and the real name in it, never outside the root.

Links are resolved first and the folders then opened one by one without following any, so that a link put in between
cannot lead out. Everything that reads or writes a document goes through a spot, by its folder's handle.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from memgui.domain.errors import NotAuthorized
from memgui.domain.paths import DocPath, name_of, parent_of, shown
from memgui.domain.tree import Node, NodeKind, Stat
from memgui.i18n import _

_CHUNK = 1 << 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(slots=True)
class Spot:
    """An open folder below the root, and a name in it that is no link. `real` leads there without links."""

    path: DocPath
    real: DocPath
    folder: int
    linked: bool

    @property
    def name(self) -> bytes:
        return os.fsencode(name_of(self.real))

    def stat(self) -> os.stat_result | None:
        """What stands there now, None where nothing does."""
        try:
            return os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def node(self, found: os.stat_result) -> Node:
        """The node of a file here with this stat."""
        return Node(self.path, self._kind(found.st_mode), as_stat(found))

    def _kind(self, mode: int) -> NodeKind:
        if stat.S_ISREG(mode):
            return NodeKind.LINK_FILE if self.linked else NodeKind.FILE
        if stat.S_ISDIR(mode):
            return NodeKind.LINK_FOLDER if self.linked else NodeKind.FOLDER
        return NodeKind.LINK_BROKEN if stat.S_ISLNK(mode) else NodeKind.OTHER


@contextmanager
def spot(root: Path, path: DocPath, *, make: list[DocPath] | None = None) -> Iterator[Spot]:
    """Hold open the folder that `path` really lies in. NotAuthorized where that is outside the root; else OSError.

    With a list to `make`, missing folders are made, and put into it, outermost first.
    """
    real = real_path(root, path)
    handle = os.open(os.fsencode(root), _FOLDER & ~os.O_NOFOLLOW)
    try:
        walked = ""
        for segment in parent_of(real).split("/") if "/" in real else ():
            walked = f"{walked}/{segment}" if walked else segment
            if make is not None and _make(handle, segment):
                make.append(DocPath(walked))
            deeper = os.open(os.fsencode(segment), _FOLDER, dir_fd=handle)
            os.close(handle)
            handle = deeper
        linked = os.path.islink(os.fsencode(root / path)) if path else False
        yield Spot(path, real, handle, linked)
    finally:
        os.close(handle)


def real_path(root: Path, path: DocPath) -> DocPath:
    """The path below the root that `path` leads to once all links are followed. NotAuthorized where it leads out."""
    base = os.path.realpath(os.fsencode(root))
    target = os.path.realpath(os.path.join(base, os.fsencode(path)))
    if target != base and not target.startswith(base.rstrip(b"/") + b"/"):
        raise NotAuthorized(
            _("'{path}' is a link that leads out of the workspace.").format(path=shown(path)),
            hint=_("Open the folder it leads to as a workspace of its own."),
        )
    return DocPath(os.fsdecode(target[len(base.rstrip(b"/")) + 1 :]))


def as_stat(found: os.stat_result) -> Stat:
    """The part of a stat that tells one state of a file from another."""
    return Stat(
        size=found.st_size,
        mtime_ns=found.st_mtime_ns,
        ctime_ns=found.st_ctime_ns,
        inode=found.st_ino,
        device=found.st_dev,
        mode=found.st_mode,
        links=found.st_nlink,
    )


def check_file(mode: int) -> None:
    """OSError, as opening it would give, where a mode is not that of a regular file."""
    if not stat.S_ISREG(mode):
        number = errno.EISDIR if stat.S_ISDIR(mode) else errno.ELOOP if stat.S_ISLNK(mode) else errno.ENXIO
        raise OSError(number, os.strerror(number))


def remove_folders(root: Path, folders: list[DocPath]) -> None:
    """Take back folders that were made for a file that then could not be written; those that hold something stay."""
    for folder in reversed(folders):
        with suppress(OSError):
            os.rmdir(os.fsencode(root / folder))


def read_handle(handle: int, offset: int = 0) -> bytes:
    """All bytes of an open file, from its beginning or from an offset on."""
    pieces = []
    while piece := os.pread(handle, _CHUNK, offset):
        pieces.append(piece)
        offset += len(piece)
    return b"".join(pieces)


def _make(folder: int, name: str) -> bool:
    try:
        os.mkdir(os.fsencode(name), dir_fd=folder)
    except FileExistsError:
        return False
    with suppress(OSError):
        os.fsync(folder)
    return True


def reason_of(error: OSError) -> str:
    """Why the system refused, in words that say what to think of."""
    reasons = {
        errno.ENOSPC: _("the disk is full"),
        errno.EDQUOT: _("your share of the disk is used up"),
        errno.EACCES: _("permission denied"),
        errno.EPERM: _("not permitted"),
        errno.EROFS: _("the disk is read-only"),
        errno.EIO: _("the disk reports an error"),
        errno.ELOOP: _("the link leads in a circle"),
        errno.ENAMETOOLONG: _("the name is too long"),
        errno.ENOTDIR: _("a part of the path is not a folder"),
        errno.EISDIR: _("it is a folder"),
        errno.ENXIO: _("it is neither a file nor a folder"),
        errno.EMFILE: _("too many files are open"),
        errno.ESTALE: _("the network folder has gone away"),
    }
    return reasons.get(error.errno or 0) or os.strerror(error.errno or errno.EIO)
