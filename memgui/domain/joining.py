"""How a tool's text is joined to what stands in a document, and how a line of a daily log begins."""

from __future__ import annotations

import codecs
import datetime
import re

from memgui.domain.layouts import Layout

SECTION, LINE = 2, 1
"""How many line ends part new text from old: a blank line in long-term memory, a new line anywhere else."""

_ENDS = re.compile(rb"(?:\r?\n){1,2}\Z")


def piece_behind(before: bytes, content: str, *, line_ends: int) -> bytes:
    """What has to be put behind `before`: only what is missing of the join, the text, and one line end."""
    text = content.rstrip("\r\n").encode() + b"\n"
    if not before.removeprefix(codecs.BOM_UTF8):
        return text
    found = _ENDS.search(before)
    missing = line_ends - (found[0].count(b"\n") if found is not None else 0)
    return b"\n" * missing + text


def stamped(layout: Layout, content: str, now: datetime.datetime) -> str:
    """The text as an entry of a daily log. `now` carries the zone of the log."""
    if layout is Layout.OPENCLAW:
        return f"- {now:%H:%M} {content}"
    return f"[{now:%H:%M:%S}] {content}"
