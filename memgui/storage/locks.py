"""One writer per workspace, across threads and processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memgui.domain.errors import ExecutionFailed
from memgui.i18n import _
from memgui.storage import private

PATIENCE_SECONDS = 10.0

_LOOK_SECONDS = 0.004
"""How often one who waits looks again. Deeds are short: whoever slept longer would be passed by again and again."""


@contextmanager
def workspace_lock(state: Path, *, timeout: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the workspace's write lock. One thread may take it again inside; it falls with the process that holds it."""
    # Only where something is written: it brings asyncio and ssl along, and a window has to be up before.
    from filelock import FileLock, Timeout

    try:
        path = private.folder(state) / "write.lock"
        lock = FileLock(path, mode=0o600, is_singleton=True)
        lock.acquire(timeout=timeout, poll_interval=_LOOK_SECONDS)
    except Timeout:
        raise ExecutionFailed(
            _("Another memgui is writing to this workspace and does not finish."), hint=_("Try again in a moment.")
        ) from None
    except OSError as error:
        raise ExecutionFailed(
            _("The lock of this workspace cannot be taken: {reason}.").format(reason=error.strerror or error),
            hint=_("Make sure that {folder} can be written.").format(folder=state),
        ) from error
    try:
        yield
    finally:
        lock.release()
