"""Memory given back to the system: what is freed in a process stays its own until it is asked to let go of it."""

from __future__ import annotations

import ctypes
from contextlib import suppress


def trim() -> None:
    """Let go of what is free: where there is nothing to let go of, it takes no time.

    On systems that cannot be asked, nothing happens.
    """
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
