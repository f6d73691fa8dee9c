"""Moments as programs are told them."""

from __future__ import annotations

from datetime import UTC, datetime


def rfc3339(seconds: float) -> str:
    """The moment so many seconds after 1970, as RFC 3339 in UTC, to the second."""
    try:
        return datetime.fromtimestamp(seconds // 1, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return "1970-01-01T00:00:00Z"
