"""The crash journal: unsaved text, kept beside the workspace's state until it is saved or given up.

One entry per document and process, replaced whole: a kill at any instant leaves the last entry or the one before.
The bytes that the text was typed over stand beside it, so that it can be merged with what has come since.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from dataclasses import replace
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.paths import DocPath
from memgui.domain.requests import Unsaved
from memgui.domain.text import Encoding
from memgui.storage import private

_ENTRY, _BASE = ".unsaved", ".base"


class CrashJournal:
    """The entries of one workspace. Another memgui that still runs keeps its own, and they are not shown here."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, unsaved: Unsaved) -> None:
        """Keep this text in place of what was kept for the document. OSError where the disk will not take it."""
        private.folder(self._folder)
        stem = _stem(unsaved.path)
        base = f"{stem}.{unsaved.base}{_BASE}" if unsaved.base and unsaved.base_data is not None else None
        if base and unsaved.base_data is not None and not (self._folder / base).exists():
            private.put(self._folder / base, zlib.compress(unsaved.base_data, 1))
        private.put(self._folder / f"{stem}.{_process(os.getpid())}{_ENTRY}", _packed(unsaved))
        self._forget_bases(stem, but=unsaved.base)

    def drop(self, path: DocPath) -> None:
        """Forget the document's text: it was saved, or given up. Entries of other running processes stay."""
        stem = _stem(path)
        for entry in self._folder.glob(f"{stem}.*{_ENTRY}"):
            if not _is_foreign(entry):
                entry.unlink(missing_ok=True)
        self._forget_bases(stem, but=None)

    def all(self) -> tuple[Unsaved, ...]:
        """What was never saved, the oldest first. One that cannot be read moves to `damaged` and hides no other."""
        found = []
        for entry in sorted(self._folder.glob(f"*{_ENTRY}")):
            if _is_foreign(entry):
                continue
            unsaved = self._read(entry)
            if unsaved is not None:
                found.append(unsaved)
        return tuple(sorted(found, key=lambda unsaved: (unsaved.time, unsaved.path)))

    def _read(self, entry: Path) -> Unsaved | None:
        try:
            unsaved = _unpacked(entry.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, zlib.error):
            self._set_aside(entry)
            return None
        if unsaved.base is None:
            return unsaved
        return replace(unsaved, base_data=self._base(entry, unsaved.base))

    def _base(self, entry: Path, base: Fingerprint) -> bytes | None:
        try:
            data = zlib.decompress((self._folder / f"{entry.name.partition('.')[0]}.{base}{_BASE}").read_bytes())
        except (OSError, zlib.error):
            return None
        return data if fingerprint(data) == base else None

    def _set_aside(self, entry: Path) -> None:
        aside = private.folder(self._folder / "damaged")
        entry.rename(aside / entry.name)

    def _forget_bases(self, stem: str, *, but: Fingerprint | None) -> None:
        needed = {f"{stem}.{but}{_BASE}"}
        for entry in self._folder.glob(f"{stem}.*{_ENTRY}"):
            unsaved = self._read(entry)
            if unsaved is not None:
                needed.add(f"{stem}.{unsaved.base}{_BASE}")
        for base in self._folder.glob(f"{stem}.*{_BASE}"):
            if base.name not in needed:
                base.unlink(missing_ok=True)


def _stem(path: DocPath) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:32]


def _packed(unsaved: Unsaved) -> bytes:
    head = {
        "path": os.fsencode(unsaved.path).hex(),
        "base": unsaved.base,
        "time": unsaved.time,
        "caret": unsaved.caret,
        "encoding": unsaved.encoding.name if unsaved.encoding else None,
        "fingerprint": fingerprint(unsaved.data),
    }
    return json.dumps(head).encode() + b"\n" + zlib.compress(unsaved.data, 1)


def _unpacked(packed: bytes) -> Unsaved:
    line, _newline, body = packed.partition(b"\n")
    head = json.loads(line)
    data = zlib.decompress(body)
    if fingerprint(data) != head["fingerprint"]:
        raise ValueError("the text does not fit its fingerprint")
    base = None if head["base"] is None else Fingerprint(str(head["base"]))
    path = DocPath(os.fsdecode(bytes.fromhex(head["path"])))
    # An entry of an earlier release names none.
    encoding = Encoding[name] if (name := head.get("encoding")) else None
    return Unsaved(path, base, data, float(head["time"]), int(head["caret"]), encoding=encoding)


def _process(number: int) -> str:
    """A process by its number and its start, so that a number used again is not taken for it."""
    try:
        status = Path(f"/proc/{number}/stat").read_bytes()
    except OSError:
        return f"{number}-0"
    return f"{number}-{status.rpartition(b')')[2].split()[19].decode()}"


def _is_foreign(entry: Path) -> bool:
    """Whether the entry belongs to another process that still runs."""
    process = entry.name.removesuffix(_ENTRY).rpartition(".")[2]
    number = process.partition("-")[0]
    if not number.isdecimal() or int(number) == os.getpid():
        return False
    return Path(f"/proc/{number}").exists() and _process(int(number)) == process
