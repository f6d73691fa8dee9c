"""How memgui learns of what other programs write: `WatchState`."""

from __future__ import annotations

from enum import Enum


class WatchState(Enum):
    """What keeps the window in step with the disk."""

    STARTING = "starting"
    LIVE = "live"
    POLLING_NETWORK = "polling: a network folder gives no events"
    POLLING_LIMIT = "polling: more folders than the system lets one watch"
    FOLDER_MISSING = "the folder is missing"
    FOLDER_CLOSED = "the folder cannot be read"

    @property
    def is_polling(self) -> bool:
        return self in (WatchState.POLLING_NETWORK, WatchState.POLLING_LIMIT)
