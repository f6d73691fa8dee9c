"""How often agents may write: limits, and fixed windows of time that begin with the first call."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

MINUTE, HOUR = 60.0, 3600.0


@dataclass(frozen=True, slots=True)
class Window:
    """A window: when its first call came (seconds since 1970), and how many came in it."""

    began: float
    calls: int


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` calls (0: any number) in `seconds`, counted under a name."""

    name: str
    most: int
    seconds: float


def limits_for(agent: str, *, per_minute: int, per_hour: int, workspace_per_minute: int) -> tuple[Limit, ...]:
    """What holds for one agent of a workspace."""
    return (
        Limit(f"minute of {agent}", per_minute, MINUTE),
        Limit(f"hour of {agent}", per_hour, HOUR),
        Limit("minute of all", workspace_per_minute, MINUTE),
    )


def wait(windows: Mapping[str, Window], limits: tuple[Limit, ...], now: float) -> int:
    """How many whole seconds until one more call is allowed; 0: it is now."""
    waits = [0.0]
    for limit in limits:
        window = windows.get(limit.name)
        if limit.most and window is not None and _is_open(window, limit.seconds, now) and window.calls >= limit.most:
            waits.append(window.began + limit.seconds - now)
    return math.ceil(max(waits))


def counted(windows: Mapping[str, Window], limits: tuple[Limit, ...], now: float) -> dict[str, Window]:
    """The windows with one more call in each; those of others that are over long ago are left out."""
    kept = {name: window for name, window in windows.items() if _is_open(window, HOUR, now)}
    for limit in limits:
        window = kept.get(limit.name)
        if window is None or not _is_open(window, limit.seconds, now):
            kept[limit.name] = Window(now, 1)
        else:
            kept[limit.name] = Window(window.began, window.calls + 1)
    return kept


def _is_open(window: Window, seconds: float, now: float) -> bool:
    # A clock that was put back opens a new one: nobody waits for yesterday.
    return 0 <= now - window.began < seconds
