"""Memory that nobody uses any more, given back to the system."""

from __future__ import annotations

import gc

from memgui.search.memory import trim


def give_back() -> None:
    """Let go of what is no longer used. On systems that cannot be asked, nothing happens."""
    gc.collect()
    trim()
