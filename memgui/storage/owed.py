"""What a person decided and what is not done yet: one small file per desk, for the start after an end too early."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from memgui.domain.paths import DocPath
from memgui.domain.review import Owed, VerdictKind
from memgui.storage import private
from memgui.storage.crash import NO_DESK, is_there, owner_of
from memgui.storage.records import path_in, path_out

_FILE = ".owed"


class OwedVerdicts:
    """What is owed in one workspace: this desk's own, and what desks left that are no more."""

    def __init__(self, folder: Path, desk: str = NO_DESK) -> None:
        self._folder = folder
        self._desk = desk

    def put(self, owed: Iterable[Owed]) -> None:
        """This desk owes these, in place of what it owed before. OSError where the disk will not take it."""
        file = self._folder / f"{owner_of(self._desk)}{_FILE}"
        values = [[one.kind.value, path_out(one.path)] for one in owed]
        if values:
            private.put(private.folder(self._folder) / file.name, json.dumps(values).encode())
        else:
            file.unlink(missing_ok=True)

    def left(self) -> tuple[Owed, ...]:
        """What desks owed that are no more, each once."""
        return tuple(dict.fromkeys(one for file in self._files() for one in _read(file)))

    def forget_left(self) -> None:
        """The person knows of it. OSError where it cannot be forgotten."""
        for file in self._files():
            file.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        return [file for file in sorted(self._folder.glob(f"*{_FILE}")) if not is_there(file.stem)]


def _read(file: Path) -> list[Owed]:
    """What a file says; one that says nothing which can be used says nothing."""
    try:
        return [Owed(VerdictKind(kind), DocPath(path_in(path))) for kind, path in json.loads(file.read_bytes())]
    except (OSError, ValueError, TypeError):
        return []
