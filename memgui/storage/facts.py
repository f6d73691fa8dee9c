"""What memgui remembers of facts beside their documents: deeds on their way, what a person ratified or withdrew."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.origin import Origin, OriginKind
from memgui.domain.paths import DocPath
from memgui.storage.kept import KeptCopies
from memgui.storage.records import Records, Values, path_in, path_out


@dataclass(frozen=True, slots=True)
class Pending:
    """A deed that changes a fact's document and then its index line. It stands here until both are done."""

    path: DocPath
    after: Fingerprint | None
    """The document's bytes once the first half is done; None: it is gone then."""
    origin: Origin
    keep_text: bool = False
    """What the index says of it is not to change, if it has a line."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A fact that a person took away: its bytes are kept, and the line that the index had for it."""

    id: str
    path: DocPath
    data: Fingerprint
    time: float
    line: str = ""


class FactRecords:
    """The records of one workspace, in its state folder. Who changes them holds the workspace's lock."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._pending = Records(state / "facts" / "pending")
        self._ratified = Records(state / "facts" / "ratified")
        self._withdrawn = Records(state / "undelete")

    # Deeds on their way ----------------------------------------------------------------------------------------------

    def begin(self, pending: Pending) -> None:
        """Note a deed before its first byte. OSError where the disk will not take the note."""
        origin = pending.origin
        values = {
            "path": path_out(pending.path),
            "after": pending.after,
            "kind": origin.kind.value,
            "name": origin.name,
            "keep_text": pending.keep_text,
        }
        self._pending.put(_key(pending.path), values)

    def end(self, path: DocPath) -> None:
        """The deed is done, or undone."""
        self._pending.drop(_key(path))

    def has_pending(self) -> bool:
        """Whether a deed stopped half-way, or is on its way in another process."""
        return bool(self._pending.ids())

    def pending(self) -> Iterator[Pending]:
        """The deeds that stopped half-way. A note that is damaged is dropped: nobody can tell what it was of."""
        for id_ in self._pending.ids():
            values = self._pending.get(id_)
            try:
                if values is not None:
                    yield _pending(values)
                    continue
            except (KeyError, ValueError, TypeError):
                pass
            self._pending.drop(id_)

    # Ratified --------------------------------------------------------------------------------------------------------

    def ratify(self, path: DocPath, body: str, *, time: float) -> None:
        """A person stands behind this body."""
        self._ratified.put(_key(path), {"path": path_out(path), "body": _hash(body), "time": time})

    def unratify(self, path: DocPath) -> None:
        """No person stands behind it any more."""
        self._ratified.drop(_key(path))

    def is_ratified(self, path: DocPath) -> bool:
        """Whether a person ratified the fact of this path in memgui."""
        return self._ratified.get(_key(path)) is not None

    def is_as_ratified(self, path: DocPath, body: str) -> bool:
        """Whether the body is the one that was ratified; True where none was."""
        values = self._ratified.get(_key(path))
        return values is None or values.get("body") == _hash(body)

    # Withdrawn -------------------------------------------------------------------------------------------------------

    def withdraw(self, path: DocPath, data: bytes, line: str, *, time: float) -> Withdrawn:
        """Keep a document that is about to be taken away, and its index line."""
        print_ = KeptCopies(self._state / "kept").put(data)
        id_ = f"fact-{hashlib.sha256(f'{path_out(path)} {print_} {time}'.encode()).hexdigest()[:16]}"
        self._withdrawn.put(id_, {"path": path_out(path), "data": print_, "time": time, "line": path_out(line)})
        return Withdrawn(id_, path, print_, time, line)

    def withdrawn(self) -> Iterator[Withdrawn]:
        """What was withdrawn and can be brought back."""
        for id_, values in self._withdrawn.all():
            try:
                path = DocPath(path_in(values["path"]))
                line = path_in(values["line"])
                yield Withdrawn(id_, path, Fingerprint(str(values["data"])), float(values["time"]), line)
            except (KeyError, ValueError, TypeError):
                continue

    def bytes_of(self, withdrawn: Withdrawn) -> bytes:
        """The document as it was. NotFound or ReadFailed where its copy is lost."""
        return KeptCopies(self._state / "kept").get(withdrawn.data)

    def brought_back(self, withdrawn: Withdrawn) -> None:
        """It stands in its place again."""
        self._withdrawn.drop(withdrawn.id)


def _pending(values: Values) -> Pending:
    after = values["after"]
    return Pending(
        DocPath(path_in(values["path"])),
        None if after is None else Fingerprint(str(after)),
        Origin(OriginKind(values["kind"]), str(values["name"])),
        bool(values["keep_text"]),
    )


def _key(path: DocPath) -> str:
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()


def _hash(body: str) -> str:
    # The same, whether bytes that are no UTF-8 were escaped or replaced in it.
    return fingerprint(body.encode("utf-8", "surrogateescape").decode("utf-8", "replace").encode())
