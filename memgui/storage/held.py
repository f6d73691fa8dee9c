"""Held changes: what an agent asked for and a person has to decide. They are the one kind of change that is stored."""

from __future__ import annotations

from pathlib import Path

from memgui.domain.documents import Fingerprint
from memgui.domain.held import Held
from memgui.domain.origin import Origin, OriginKind
from memgui.domain.paths import DocPath
from memgui.storage.records import Records, Values, path_in, path_out


class HeldChanges:
    """The held changes of one workspace, in its state folder. Who changes them holds the workspace's lock."""

    def __init__(self, state: Path) -> None:
        self._records = Records(state / "held")

    def put(self, held: Held) -> None:
        """Keep a change; the same one again is kept once, as it was first asked for."""
        if self.get(held.id) is None:
            values = {
                "path": path_out(held.path),
                "base": held.base,
                "data": held.data.decode("latin-1"),
                "joint": held.joint,
                "before": None if held.before is None else held.before.decode("latin-1"),
                "kind": held.origin.kind.value,
                "name": held.origin.name,
                "time": held.time,
            }
            self._records.put(held.id, values)

    def get(self, id_: str) -> Held | None:
        """The change with this id, None where there is none."""
        values = self._records.get(id_)
        return None if values is None else _held(id_, values)

    def all(self) -> tuple[Held, ...]:
        """Every held change, the oldest first."""
        found = (_held(id_, values) for id_, values in self._records.all())
        return tuple(sorted((one for one in found if one is not None), key=lambda one: (one.time, one.id)))

    @property
    def room(self) -> tuple[int, int]:
        """How many there are, and how many bytes they take."""
        return len(self._records.ids()), self._records.bytes

    def drop(self, id_: str) -> None:
        """It is decided."""
        self._records.drop(id_)


def _held(id_: str, values: Values) -> Held | None:
    try:
        base, before = values["base"], values.get("before")
        return Held(
            id_,
            DocPath(path_in(values["path"])),
            None if base is None else Fingerprint(str(base)),
            str(values["data"]).encode("latin-1"),
            Origin(OriginKind(values["kind"]), str(values["name"])),
            float(values["time"]),
            None if before is None else str(before).encode("latin-1"),
            int(values.get("joint", 0)),
        )
    except (KeyError, ValueError, TypeError):
        return None
