"""Deeds: what a person did beside plain writing (verdicts, restores, renames, …), for the list of what happened."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from memgui.domain.origin import Origin, OriginKind
from memgui.domain.paths import DocPath
from memgui.storage.ledger import Ledger, Row
from memgui.storage.records import path_in, path_out

_MOST_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class Deed:
    """At `time` (seconds since 1970) `origin` did this to a document. `detail` says more of it, in a few words."""

    time: float
    kind: str
    """`accept reject put-back edit undo restore merge ratify withdraw hold recover forget rename trash` and more."""
    path: DocPath
    origin: Origin
    detail: str = ""


class Deeds:
    """The deeds in one workspace, in its state folder. Who adds to them holds the workspace's lock."""

    def __init__(self, state: Path) -> None:
        self.folder = state
        self._file = state / "deeds.jsonl"
        self._ledger = Ledger(self._file)

    @property
    def stamp(self) -> tuple[int, int, int]:
        """Another one after each deed."""
        try:
            stat = self._file.stat()
        except OSError:
            return 0, 0, 0
        return stat.st_ino, stat.st_size, stat.st_mtime_ns

    def note(self, *deeds: Deed) -> None:
        """Note deeds. OSError where the disk will not take them."""
        self._ledger.add(map(_out, deeds))
        if self._ledger.size > _MOST_BYTES:
            rows = list(self._ledger.rows())
            self._ledger.replace(rows[len(rows) // 2 :])

    def all(self) -> tuple[Deed, ...]:
        """All that are kept and can be read, the oldest first."""
        return tuple(deed for deed in map(_in, self._ledger.rows()) if deed is not None)


def _out(deed: Deed) -> Row:
    return {
        "time": deed.time,
        "kind": deed.kind,
        "path": path_out(deed.path),
        "by": deed.origin.kind.value,
        "name": deed.origin.name,
        "detail": deed.detail,
    }


def _in(row: Row) -> Deed | None:
    try:
        deed = Deed(
            float(row["time"]),
            str(row["kind"]),
            DocPath(path_in(row["path"])),
            Origin(OriginKind(row["by"]), str(row["name"])),
            str(row["detail"]),
        )
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    return deed if math.isfinite(deed.time) else None
