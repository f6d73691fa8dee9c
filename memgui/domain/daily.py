"""Daily logs by their names: `2026-11-30.md`, `2026-11-30-refactor.md`, `2026-11-30-2215.md`, `log-2026-11-30.md`."""

from __future__ import annotations

import datetime
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memgui.domain.paths import DocPath, is_document, name_of, stem_of

_NAME = re.compile(
    r"(?P<prefix>.*?)(?<![0-9])(?P<text>(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2}))(?![0-9])(?P<rest>.*)",
    re.DOTALL,
)
_TIME = re.compile(r"[-_ T]([01][0-9]|2[0-3])[-:]?([0-5][0-9])(?:[-:]?[0-5][0-9])?(?=$|[-_ ])")
_EDGES = "-_ ."


@dataclass(frozen=True, slots=True)
class DayName:
    """The day in a log's name. `text` is the date as written; `day` is None where no calendar has it (2026-02-30).

    `time` is `HH:MM` where the name carries one; `label` is what else it says (a slug, a prefix).
    """

    text: str
    day: datetime.date | None
    time: str = ""
    label: str = ""

    @property
    def is_bare(self) -> bool:
        """Whether the name is the date and nothing else."""
        return not self.time and not self.label


@dataclass(frozen=True, slots=True)
class Log:
    """A daily log: its document, and what its name tells."""

    path: DocPath
    day: datetime.date
    time: str = ""
    label: str = ""

    @property
    def is_bare(self) -> bool:
        """Whether its name is the date and nothing else."""
        return not self.time and not self.label


@dataclass(frozen=True, slots=True)
class Days:
    """Which days have which logs: of one day the bare one first, then by time and name. `other`: odd dates."""

    logs: Mapping[datetime.date, tuple[Log, ...]] = field(default_factory=dict)
    other: tuple[DocPath, ...] = ()
    dates: tuple[datetime.date, ...] = ()
    """Every day with a log, the oldest first."""

    @staticmethod
    def of(paths: Iterable[DocPath], other: Iterable[DocPath]) -> Days:
        """The days of these logs; each path has to tell its day."""
        found: dict[datetime.date, list[Log]] = {}
        for path in paths:
            name = day_of(path)
            if name is not None and name.day is not None:
                found.setdefault(name.day, []).append(Log(path, name.day, name.time, name.label))
        logs = {day: tuple(sorted(found[day], key=_log_order)) for day in sorted(found)}
        return Days(logs, tuple(other), tuple(logs))

    def on(self, day: datetime.date) -> tuple[Log, ...]:
        """The logs of a day."""
        return self.logs.get(day, ())

    def last_until(self, day: datetime.date) -> datetime.date | None:
        """The newest day with a log that is not after `day`."""
        index = bisect_right(self.dates, day)
        return self.dates[index - 1] if index else None

    def first_from(self, day: datetime.date) -> datetime.date | None:
        """The oldest day with a log that is not before `day`."""
        index = bisect_left(self.dates, day)
        return self.dates[index] if index < len(self.dates) else None


def _log_order(log: Log) -> tuple[bool, bool, str, str]:
    return not log.is_bare, not log.time, log.time, log.path


def day_of(path: str) -> DayName | None:
    """The day that a document's name tells; None for a name without one. Where the log lies is not asked here."""
    if "-" not in path or not is_document(path):
        return None
    stem = stem_of(name_of(path))
    match = _NAME.fullmatch(stem)
    if match is None:
        return None
    prefix, rest = match["prefix"], match["rest"]
    if (prefix and prefix[-1] not in _EDGES) or (rest and rest[0] not in _EDGES + "T"):
        return None
    time = _TIME.match(rest)
    if time is not None:
        rest = rest[time.end() :]
    label = " ".join(part for part in (prefix.strip(_EDGES), rest.strip(_EDGES)) if part)
    return DayName(
        text=match["text"],
        day=_date(match["year"], match["month"], match["day"]),
        time=f"{time[1]}:{time[2]}" if time is not None else "",
        label=label,
    )


def _date(year: str, month: str, day: str) -> datetime.date | None:
    try:
        return datetime.date(int(year), int(month), int(day))
    except ValueError:
        return None
