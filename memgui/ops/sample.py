"""The sample workspace that comes with the program: three weeks in the memory of a small team's agent."""

from __future__ import annotations

import os
import re
from datetime import UTC, date, datetime, time
from pathlib import Path

from memgui.domain.errors import ExecutionFailed, WriteFailed
from memgui.i18n import _
from memgui.ops import resources

LAST_DAY = date(2026, 11, 30)
"""The day on which the story ends."""

_FIRST_DAY = date(2026, 11, 9)
_DATE = re.compile(r"\b2026-\d\d-\d\d\b")


def write(folder: Path) -> None:
    """Copy the sample into a new or empty folder: the same bytes, names and dates each time, and all of it writable."""
    source = resources.folder("sample")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ExecutionFailed(
                _("The folder '{folder}' is not empty; the sample is not written into it.").format(folder=folder),
                hint=_("Name a folder that does not exist yet."),
            )
        for file in sorted(file for file in source.rglob("*") if file.is_file()):
            _copy(file, folder / file.relative_to(source))
    except OSError as error:
        raise WriteFailed(
            _("The sample could not be written to '{folder}': {reason}.").format(
                folder=folder, reason=error.strerror or error
            ),
            errno=error.errno,
        ) from error


def _copy(file: Path, target: Path) -> None:
    """One file, without the source's mode (an installed one may be read-only), dated as the story tells it."""
    data = file.read_bytes()
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    moment = datetime.combine(_last_touched(target.name, data.decode()), time(12), UTC).timestamp()
    os.utime(target, (moment, moment))


def _last_touched(name: str, text: str) -> date:
    """The day in the file's name, else the latest day its text speaks of that the story has reached."""
    days = {date.fromisoformat(found) for found in _DATE.findall(name) or _DATE.findall(text)}
    return max((day for day in days if _FIRST_DAY <= day <= LAST_DAY), default=_FIRST_DAY)
