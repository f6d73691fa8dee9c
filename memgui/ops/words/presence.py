"""Whether a window stands on a workspace: what writes the indexes for it says so by a lock, as long as it lives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BEHIND = "--behind"
"""What a process is told that works for no window."""

LOCK = "window.lock"
"""In the cache."""

_PATIENCE_SECONDS = 1.0
"""Who asks holds the lock for a moment as well."""


@contextmanager
def window_stands(cache: Path) -> Iterator[None]:
    """Say so while this lasts. Where another window says it already, or the disk takes no lock, nothing is said."""
    # A window only begins who says so, and has no need of this.
    from filelock import FileLock, Timeout

    lock = FileLock(cache / LOCK, mode=0o600)
    with suppress(OSError, Timeout):
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire(timeout=_PATIENCE_SECONDS)
    try:
        yield
    finally:
        lock.release()


def has_window(cache: Path) -> bool:
    """Whether a window sees to the indexes just now."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(cache / LOCK, timeout=0, mode=0o600):
            return False
    except Timeout:
        return True
    except OSError:
        return False
