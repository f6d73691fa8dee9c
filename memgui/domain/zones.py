"""Time zones by their names in the IANA data base."""

from __future__ import annotations

import datetime
import re

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*")
_NO_ZONES = frozenset({"localtime", "posixrules", "Factory", "posix", "right"})
"""Names that stand among the zones on a disk and are none."""


def zone_of(name: str) -> datetime.tzinfo | None:
    """The zone of this name, None where there is no such zone. `UTC` is always known."""
    if name == "UTC":
        return datetime.UTC
    if not _NAME.fullmatch(name) or name.partition("/")[0] in _NO_ZONES:
        return None
    # Few need another zone than the machine's.
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None
