"""One program of windows for each user: the first one keeps a door in the runtime folder, and later starts knock at it.

Whoever holds the lock is the first, and the lock falls with its process. So a door that nobody stands behind any more
is never mistaken for one. Nothing but a wish to open something passes through it, and only from the same user.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from memgui.storage import private

PATIENCE_SECONDS = 2.0
"""So long the first one may take to answer; one that hangs keeps nobody from a window of their own."""

LONGEST_WISH = 64 * 1024
_LOCK, _DOOR = "window.lock", "window.sock"
_LOOK_SECONDS = 0.02
_HEARD = b"heard\n"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a later start was to open: a path (None: nothing but the window itself) and a line. `token`: by which this
    desktop lets a window come to the front."""

    path: str | None = None
    line: int | None = None
    token: str = ""

    def told(self) -> bytes:
        """As it goes through the door."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @staticmethod
    def of(data: bytes) -> Wish | None:
        """What came through the door; None where it is no wish."""
        try:
            values = json.loads(data)
            path, line, token = values.get("path"), values.get("line"), values.get("token")
        except (ValueError, AttributeError, RecursionError):
            return None
        if not (path is None or (isinstance(path, str) and os.path.isabs(path) and "\0" not in path)):
            return None
        is_line = type(line) is int and 0 < line < 1 << 31
        is_token = isinstance(token, str) and token.isprintable() and len(token) < 1024
        return Wish(path, line if is_line else None, token if is_token else "")


class Door:
    """The first one's door. It is watched by its handle; nothing here ever waits."""

    def __init__(self, lock: int, listening: socket.socket) -> None:
        self._lock: int | None = lock
        self._listening = listening

    def fileno(self) -> int:
        """What tells that somebody knocks."""
        return self._listening.fileno()

    def caller(self) -> socket.socket | None:
        """Whoever knocks; None where it is nobody, or not this user."""
        try:
            caller, _address = self._listening.accept()
        except OSError:
            return None
        caller.setblocking(False)
        if _user_of(caller) == os.geteuid():
            return caller
        caller.close()
        return None

    @staticmethod
    def hear(caller: socket.socket, said: bytes) -> tuple[bytes, bool]:
        """What a caller has said by now, and whether that is all. It is told that it was heard."""
        try:
            piece = caller.recv(LONGEST_WISH)
        except BlockingIOError:
            return said, False
        except OSError:
            return said, True
        said += piece
        if piece and b"\n" not in said and len(said) < LONGEST_WISH:
            return said, False
        with contextlib.suppress(OSError):
            if Wish.of(said) is not None:
                caller.send(_HEARD)
        return said, True

    def close(self) -> None:
        """Be the first no longer: whoever knocks now finds nobody, and takes the place."""
        self._listening.close()
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)


@dataclass(frozen=True, slots=True)
class Entered:
    """How a start went: the first one `took` the wish; or there is a window to be opened here, with a door if there can
    be one."""

    took: bool = False
    door: Door | None = None


def enter(runtime: Path, wish: Wish, *, patience: float = PATIENCE_SECONDS) -> Entered:
    """Be the first, or tell the first what to open. Where neither can be, one goes on without a door."""
    try:
        folder = private.folder(runtime)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:
        return Entered()
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        except OSError:
            break
        else:
            door = _open(folder, lock)
            if door is None:
                break
            return Entered(door=door)
        if _knock(folder, wish, until):
            os.close(lock)
            return Entered(took=True)
        if time.monotonic() >= until:
            break
        # It may be about to open its door, or on its way out.
        time.sleep(_LOOK_SECONDS)
    os.close(lock)
    return Entered()


def _open(folder: Path, lock: int) -> Door | None:
    """The lock is held, so that a door which stands there is nobody's."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with _short(folder) as short:
            (folder / _DOOR).unlink(missing_ok=True)
            listening.bind(short)
            os.chmod(folder / _DOOR, 0o600)
        listening.listen(8)
        listening.setblocking(False)
    except OSError:
        listening.close()
        return None
    return Door(lock, listening)


def _knock(folder: Path, wish: Wish, until: float) -> bool:
    """Whether somebody heard."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.settimeout(max(0.01, until - time.monotonic()))
        try:
            with _short(folder) as short:
                caller.connect(short)
            caller.sendall(wish.told())
            return caller.recv(len(_HEARD)) == _HEARD
        except OSError:
            return False


@contextmanager
def _short(folder: Path) -> Iterator[str]:
    """The door's name, short enough to be one: the system takes about a hundred characters."""
    plain = str(folder / _DOOR)
    if len(os.fsencode(plain)) < 100:
        yield plain
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{handle}/{_DOOR}"
    finally:
        os.close(handle)


def _user_of(caller: socket.socket) -> int:
    """Whose process it is; the folder's own mode keeps others out where the system cannot say."""
    if not hasattr(socket, "SO_PEERCRED"):
        return os.geteuid()
    return int(struct.unpack("3i", caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1])
