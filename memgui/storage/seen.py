"""Seen: which bytes of a changed document a person has looked at. Looking accepts nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from memgui.domain.documents import Fingerprint
from memgui.domain.paths import DocPath
from memgui.storage.ledger import Ledger, Row
from memgui.storage.records import path_in, path_out

_SPARE_ROWS = 500


class Seen:
    """What was looked at in one workspace, in its state folder. Who changes it holds the workspace's lock."""

    def __init__(self, state: Path) -> None:
        self._ledger = Ledger(state / "seen.jsonl")

    def all(self) -> Mapping[DocPath, Fingerprint | None]:
        """Of each document the bytes last looked at; None: it was seen that nothing stands there."""
        return self._read()[0]

    def put(self, path: DocPath, print_: Fingerprint | None) -> None:
        """A person looked at these bytes. OSError."""
        self.put_all({path: print_})

    def put_all(self, prints: Mapping[DocPath, Fingerprint | None]) -> None:
        """A person looked at all of these, noted in one write. OSError."""
        self._add([{"p": path_out(path), "h": print_} for path, print_ in prints.items()])

    def drop(self, path: DocPath) -> None:
        """As if nobody had looked. OSError."""
        self.drop_all((path,))

    def drop_all(self, paths: Iterable[DocPath]) -> None:
        """As if nobody had looked at any of these. OSError."""
        self._add([{"p": path_out(path)} for path in paths])

    def _add(self, rows: list[Row]) -> None:
        self._ledger.add(rows)
        found, lines = self._read()
        if lines > 2 * len(found) + _SPARE_ROWS:
            self._ledger.replace({"p": path_out(path), "h": print_} for path, print_ in found.items())

    def _read(self) -> tuple[dict[DocPath, Fingerprint | None], int]:
        found: dict[DocPath, Fingerprint | None] = {}
        lines = 0
        for row in self._ledger.rows():
            lines += 1
            path, print_ = row.get("p"), row.get("h")
            if not isinstance(path, str):
                continue
            name = DocPath(path_in(path))
            found.pop(name, None)
            if "h" in row:
                found[name] = None if print_ is None else Fingerprint(str(print_))
        return found, lines
