"""One writer per workspace, across threads and processes."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memgui.domain.errors import ExecutionFailed
from memgui.i18n import _
from memgui.storage import private

PATIENCE_SECONDS = 10.0

_LOOK_SECONDS = 0.004
"""How often one who waits looks again. Deeds are short: whoever slept longer would be passed by again and again."""


class _Mine(threading.local):
    """The locks that this thread holds: it may take one again inside."""

    def __init__(self) -> None:
        self.paths: set[Path] = set()


_mine = _Mine()


@contextmanager
def workspace_lock(state: Path, *, timeout: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the workspace's write lock. One thread may take it again inside; it falls with the process that holds it."""
    path = state / "write.lock"
    if path in _mine.paths:
        yield
        return
    try:
        private.folder(state)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _failed(state, error) from error
    try:
        _take(state, handle, timeout)
        _mine.paths.add(path)
        try:
            yield
        finally:
            _mine.paths.discard(path)
    finally:
        # The lock goes with its handle. The file stays: whoever waits holds it open.
        os.close(handle)


def _take(state: Path, handle: int, timeout: float) -> None:
    until = time.monotonic() + timeout
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= until:
                raise ExecutionFailed(
                    _("Another memgui is writing to this workspace and does not finish."),
                    hint=_("Try again in a moment."),
                ) from None
        except OSError as error:
            raise _failed(state, error) from error
        time.sleep(_LOOK_SECONDS)


def _failed(state: Path, error: OSError) -> ExecutionFailed:
    return ExecutionFailed(
        _("The lock of this workspace cannot be taken: {reason}.").format(reason=error.strerror or error),
        hint=_("Make sure that {folder} can be written.").format(folder=state),
    )
