"""Private folders (0700) and files (0600, replaced whole or not at all) for what memgui keeps beside a workspace."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


def folder(path: Path) -> Path:
    """The folder, made where it is missing; nobody but the user can enter it."""
    with contextlib.suppress(OSError):
        # The usual case, and asked for at every write.
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode) and not mode & 0o077:
            return path
    for step in reversed([path, *path.parents]):
        with contextlib.suppress(FileExistsError):
            step.mkdir(mode=0o700)
    if path.stat().st_mode & 0o077:
        path.chmod(0o700)
    return path


def put(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Put a file there, whole, readable by the user alone, and (if `durable`) on the disk when this returns."""
    temporary = path.with_name(f".{path.name}-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(handle)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
