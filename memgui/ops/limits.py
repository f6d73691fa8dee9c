"""How often agents may write: asked by each tool that writes, before it does anything else."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from memgui.domain import rates
from memgui.domain.errors import RateLimited
from memgui.domain.origin import Origin
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import preferences
from memgui.ops.preferences import Settings
from memgui.storage.locks import workspace_lock
from memgui.storage.rates import Rates


def rate(ws: Workspace, origin: Origin, now: datetime, *, settings: Settings | None = None) -> None:
    """Count one call of an agent. RateLimited where it comes too soon: such a call is not counted.

    All processes count together, and a new one goes on counting. A person is not counted.
    """
    if not origin.is_agent:
        return
    settings = preferences.load() if settings is None else settings
    limits = rates.limits_for(
        origin.label,
        per_minute=settings.limits_per_minute,
        per_hour=settings.limits_per_hour,
        workspace_per_minute=settings.limits_workspace_per_minute,
    )
    moment = now.timestamp()
    with workspace_lock(ws.state):
        counters = Rates(ws.state)
        windows = counters.read()
        seconds = rates.wait(windows, limits, moment)
        if seconds:
            raise RateLimited(
                _("too many writes; try again in {seconds} seconds").format(seconds=seconds),
                retry_after=seconds,
                hint=_("Write less often, and more at once. A person can raise the limits in the settings."),
            )
        # A state folder that takes nothing will refuse the write itself, in a better sentence.
        with suppress(OSError):
            counters.write(rates.counted(windows, limits, moment))
