"""History: which versions of each document have been seen, and their bytes.

The bytes are kept copies, found by their hash, whatever form they are kept in. Beside them stands one log per document
id, a line for each version, only ever added to. So a damaged copy is one version lost, a damaged line one entry of a
list, and a damaged file one list; none of them costs another document anything.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memgui.domain.documents import Fingerprint
from memgui.domain.origin import Origin, OriginKind
from memgui.domain.paths import DocPath
from memgui.domain.versions import Version
from memgui.storage import private
from memgui.storage.kept import KeptCopies

_TAIL_BYTES = 4096
_HASH_LENGTH = 64
_CLOCK_SECONDS = 2.0
"""So far the clock of a disk may be behind."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log: where the document stood, and the version; None where it only moved there, at `time`."""

    path: DocPath
    version: Version | None
    time: float | None = None
    """When it moved (seconds since 1970), where that was noted."""
    forgotten: frozenset[int] = frozenset()
    """The numbers of versions that a person wanted forgotten: the line says so, and nothing else."""


class History:
    """The history of one workspace, in its state folder. Who adds to it holds the workspace's lock."""

    def __init__(self, state: Path) -> None:
        self._folder = state / "history"
        self._copies = KeptCopies(state / "kept")

    def versions(self, document: str) -> tuple[Version, ...]:
        """The versions of the document with this id, oldest first; what is damaged is left out."""
        return versions_in(self.lines(document))

    def newest(self, document: str) -> Version | None:
        """The newest version of a document."""
        with contextlib.suppress(OSError), open(self._file(document), "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL_BYTES))
            for raw in reversed(file.read().split(b"\n")):
                line = _read(raw)
                if line is not None and line.version is not None:
                    return line.version
        versions = self.versions(document)
        return versions[-1] if versions else None

    def lines(self, document: str) -> Iterator[Line]:
        """All that the log of a document says, oldest first."""
        try:
            data = self._file(document).read_bytes()
        except OSError:
            return
        for raw in data.split(b"\n"):
            line = _read(raw)
            if line is not None:
                yield line

    def documents(self) -> Iterator[str]:
        """The ids of all documents that have a log."""
        with contextlib.suppress(OSError):
            for folder in sorted(os.listdir(self._folder)):
                with contextlib.suppress(OSError):
                    for name in sorted(os.listdir(self._folder / folder)):
                        yield name.removesuffix(".jsonl")

    def stamps(self) -> Iterator[tuple[str, tuple[int, int, int]]]:
        """The ids of all documents that have a log, each with what is another after whatever is done to it."""
        with contextlib.suppress(OSError):
            for folder in sorted(os.listdir(self._folder)):
                with contextlib.suppress(OSError), os.scandir(self._folder / folder) as entries:
                    for entry in entries:
                        with contextlib.suppress(OSError):
                            stat = entry.stat()
                            stamp = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
                            yield entry.name.removesuffix(".jsonl"), stamp

    def changed_since(self, moment: float) -> Iterator[str]:
        """The ids of documents whose log was added to since (seconds since 1970), or shortly before."""
        for document in self.documents():
            with contextlib.suppress(OSError):
                if self._file(document).stat().st_mtime >= moment - _CLOCK_SECONDS:
                    yield document

    def add(
        self,
        document: str,
        line: Line,
        data: bytes | None = None,
        *,
        like: Fingerprint | None = None,
        durable: bool = True,
    ) -> None:
        """Add a line, and keep the bytes of its version, `like` others perhaps. OSError: the disk takes nothing."""
        if data is not None:
            self._copies.put(data, like=like, durable=durable)
        file = self._file(document)
        private.folder(file.parent)
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            size = os.fstat(handle).st_size
            # What a killed writer left of its line does not spoil the next.
            begin = b"\n" if size and os.pread(handle, 1, size - 1) != b"\n" else b""
            os.write(handle, begin + json.dumps(_values(line)).encode() + b"\n")
        finally:
            os.close(handle)

    def leave_out(self, document: str, numbers: Collection[int], *, begun: Mapping[int, float]) -> None:
        """Have these versions no longer. The log is replaced whole: who reads finds all of them in it, or none.

        `begun`: of some that stay, when the saves began that they now stand for.
        """
        kept = []
        for line in self.lines(document):
            version = line.version
            if version is not None and version.number in numbers:
                continue
            if version is not None and version.number in begun:
                line = replace(line, version=replace(version, begun=begun[version.number]))
            kept.append(json.dumps(_values(line)).encode() + b"\n")
        private.put(self._file(document), b"".join(kept))

    def bytes_of(self, print_: Fingerprint) -> bytes:
        """The bytes of a version. NotFound where they are not kept, ReadFailed where their copy is damaged."""
        return self._copies.get(print_)

    def _file(self, document: str) -> Path:
        return self._folder / document[:2] / f"{document}.jsonl"


def versions_in(lines: Iterable[Line]) -> tuple[Version, ...]:
    """The versions that the lines of a log tell of, oldest first."""
    found: dict[int, Version] = {}
    forgotten: set[int] = set()
    for line in lines:
        forgotten |= line.forgotten
        if line.version is not None:
            found.setdefault(line.version.number, line.version)
    listed = (found[number] for number in sorted(found))
    return tuple(replace(one, is_forgotten=True) if one.number in forgotten else one for one in listed)


def _values(line: Line) -> dict[str, Any]:
    values: dict[str, Any] = {"path": os.fsencode(line.path).decode("utf-8", "surrogateescape")}
    version = line.version
    if line.time is not None:
        values["at"] = line.time
    if line.forgotten:
        values["forgotten"] = sorted(line.forgotten)
    if version is not None:
        values |= {
            "n": version.number,
            "hash": version.hash,
            "time": version.time,
            "kind": version.origin.kind.value,
            "name": version.origin.name,
            "bytes": version.size,
            "row": version.row,
        }
        if version.begun is not None:
            values["begun"] = version.begun
        if not version.settles:
            values["settles"] = False
    return values


def _read(raw: bytes) -> Line | None:
    if not raw:
        return None
    try:
        values = json.loads(raw)
        path = DocPath(str(values["path"]))
        if "n" not in values:
            at = values.get("at")
            time = None if at is None or not math.isfinite(float(at)) else float(at)
            return Line(path, None, time, frozenset(int(number) for number in values.get("forgotten", ())))
        print_ = values["hash"]
        version = Version(
            number=int(values["n"]),
            hash=None if print_ is None else Fingerprint(str(print_)),
            time=float(values["time"]),
            origin=Origin(OriginKind(values["kind"]), str(values["name"])),
            size=int(values["bytes"]),
            row=int(values["row"]),
            settles=values.get("settles") is not False,
            begun=None if (begun := values.get("begun")) is None else float(begun),
        )
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        return None
    is_good = version.number > 0 and math.isfinite(version.time)
    is_good = is_good and (version.hash is None or _is_hash(version.hash))
    return Line(path, version) if is_good else None


def _is_hash(text: str) -> bool:
    return len(text) == _HASH_LENGTH and all(c in "0123456789abcdef" for c in text)
