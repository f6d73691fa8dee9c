"""`Refusal`: somebody asked for what they may not do, and was told no."""

from __future__ import annotations

from dataclasses import dataclass

from memgui.domain.origin import Origin


@dataclass(frozen=True, slots=True)
class Refusal:
    """Who (`origin`), what (`tool`, and its `target` as it was asked for), and why (`code`, `message`).

    `time` is in seconds since 1970. Never what should have been written: it may hold what nobody is to keep.
    """

    time: float
    origin: Origin
    tool: str
    target: str
    code: str
    message: str
    count: int = 1
    """How often in a row."""
