"""The crash journal: unsaved text, kept beside the workspace's state until it is saved or given up.

One entry per document and desk (a window of a process), replaced whole: a kill at any instant leaves the last entry
or the one before. The bytes that the text was typed over stand beside it, so that it can be merged with what has come
since. What a desk left that is no more is another's to claim.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import itertools
import json
import os
import threading
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.paths import DocPath
from memgui.domain.requests import Unsaved
from memgui.domain.text import Encoding
from memgui.storage import private

_ENTRY, _BASE = ".unsaved", ".base"
NO_DESK = "0"
"""For text that is nobody's: whoever comes first may claim it."""

_numbers = itertools.count(1)
_taken: set[str] = set()
_one_at_a_time = threading.RLock()


def take_desk() -> str:
    """A name, of its own within this process, under which a window keeps its unsaved text until it leaves."""
    desk = str(next(_numbers))
    _taken.add(desk)
    return desk


def leave_desk(desk: str) -> None:
    """The window is no more."""
    _taken.discard(desk)


def owner_of(desk: str) -> str:
    """How what a desk of this process keeps is named among what all keep."""
    return f"{_process(os.getpid())}-{desk}"


def is_there(owner: str) -> bool:
    """Whether the desk with that name is somebody's still: its process runs, and has not left it."""
    process, _dash, desk = owner.rpartition("-")
    number = process.partition("-")[0]
    if not number.isdecimal():
        return False
    if int(number) == os.getpid() and process == _process(os.getpid()):
        return desk in _taken
    return Path(f"/proc/{number}").exists() and _process(int(number)) == process


class CrashJournal:
    """The entries of one workspace, as one desk sees them: its own, and those that nobody is left to save.

    What the folder will not take goes into the `spare` one, which may not outlive the machine's next start.
    """

    def __init__(self, folder: Path, desk: str = NO_DESK, *, spare: Path | None = None) -> None:
        self._folder = folder
        self._spare = spare
        self._desk = desk

    def put(self, unsaved: Unsaved) -> None:
        """Keep this text in place of what was kept for the document. OSError where the disk will not take it."""
        with _one_at_a_time:
            try:
                self._put_into(self._folder, unsaved)
            except OSError:
                if self._spare is None:
                    raise
                self._put_into(self._spare, unsaved)
                return
            if self._spare is not None:
                with contextlib.suppress(OSError):
                    self._drop_from(self._spare, unsaved.path, None)

    def drop(self, path: DocPath, *, saved: bytes | None = None) -> None:
        """Forget this desk's text of the document: it was given up, or `saved` as these bytes. Others' stays."""
        with _one_at_a_time:
            for folder in self._folders:
                self._drop_from(folder, path, saved)

    def all(self) -> tuple[Unsaved, ...]:
        """What was never saved, the oldest first. One that cannot be read moves to `damaged` and hides no other."""
        return tuple(unsaved for unsaved, _entry in self._found())

    def claim(self, keep: Callable[[bytes], object]) -> tuple[Unsaved, ...]:
        """Make what is found this desk's own: of each document the newest text. The others are shown to `keep`.

        `others` of the answers says how many. What cannot be kept stays where it is, for the next time. What this desk
        keeps already is nothing that it finds.
        """
        with _one_at_a_time:
            newest: dict[DocPath, tuple[Unsaved, Path]] = {}
            for unsaved, entry in self._found():
                if entry == self._own(entry.parent, unsaved.path):
                    continue
                before, newest[unsaved.path] = newest.get(unsaved.path), (unsaved, entry)
                if before is None:
                    continue
                others = before[0].others
                if before[0].data != unsaved.data:
                    others += 1
                    with contextlib.suppress(OSError):
                        keep(before[0].data)
                        before[1].unlink(missing_ok=True)
                newest[unsaved.path] = replace(unsaved, others=others), entry
            return tuple(unsaved for unsaved, entry in newest.values() if self._make_own(unsaved.path, entry))

    def _make_own(self, path: DocPath, entry: Path) -> bool:
        """False where another process was quicker. Where this desk keeps text already, what was found stays beside."""
        own = self._own(entry.parent, path)
        try:
            if not own.exists():
                entry.rename(own)
        except FileNotFoundError:
            return False
        except OSError:
            # It cannot be taken away from there; it can be shown.
            return True
        return True

    def _found(self) -> list[tuple[Unsaved, Path]]:
        found = []
        for entry in sorted(entry for folder in self._folders for entry in folder.glob(f"*{_ENTRY}")):
            if not self._is_foreign(entry) and (unsaved := self._read(entry)) is not None:
                found.append((unsaved, entry))
        return sorted(found, key=lambda one: (one[0].time, one[0].path))

    @property
    def _folders(self) -> tuple[Path, ...]:
        return (self._folder,) if self._spare is None else (self._folder, self._spare)

    def _put_into(self, folder: Path, unsaved: Unsaved) -> None:
        private.folder(folder)
        stem = _stem(unsaved.path)
        base = f"{stem}.{unsaved.base}{_BASE}" if unsaved.base and unsaved.base_data is not None else None
        if base and unsaved.base_data is not None and not (folder / base).exists():
            private.put(folder / base, zlib.compress(unsaved.base_data, 1))
        private.put(self._own(folder, unsaved.path), _packed(unsaved))
        self._forget_bases(folder, stem, but=unsaved.base)

    def _drop_from(self, folder: Path, path: DocPath, saved: bytes | None) -> None:
        entry = self._own(folder, path)
        if saved is not None and entry.exists():
            unsaved = self._read(entry)
            if unsaved is not None and unsaved.data != saved:
                return
        entry.unlink(missing_ok=True)
        self._forget_bases(folder, _stem(path), but=None)

    def _own(self, folder: Path, path: DocPath) -> Path:
        return folder / f"{_stem(path)}.{owner_of(self._desk)}{_ENTRY}"

    def _is_foreign(self, entry: Path) -> bool:
        """Whether the entry belongs to somebody else who is still there."""
        owner = entry.name.removesuffix(_ENTRY).rpartition(".")[2]
        return owner != owner_of(self._desk) and is_there(owner)

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
            data = zlib.decompress(entry.with_name(f"{entry.name.partition('.')[0]}.{base}{_BASE}").read_bytes())
        except (OSError, zlib.error):
            return None
        return data if fingerprint(data) == base else None

    def _set_aside(self, entry: Path) -> None:
        aside = private.folder(entry.with_name("damaged"))
        entry.rename(aside / entry.name)

    def _forget_bases(self, folder: Path, stem: str, *, but: Fingerprint | None) -> None:
        needed = {f"{stem}.{but}{_BASE}"}
        for entry in folder.glob(f"{stem}.*{_ENTRY}"):
            unsaved = self._read(entry)
            if unsaved is not None:
                needed.add(f"{stem}.{unsaved.base}{_BASE}")
        for base in folder.glob(f"{stem}.*{_BASE}"):
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
    if unsaved.beside is not None:
        head["beside"] = base64.b64encode(zlib.compress(unsaved.beside, 1)).decode()
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
    packed_beside = head.get("beside")
    beside = None if packed_beside is None else zlib.decompress(base64.b64decode(packed_beside))
    return Unsaved(path, base, data, float(head["time"]), int(head["caret"]), encoding=encoding, beside=beside)


def _process(number: int) -> str:
    """A process by its number and its start, so that a number used again is not taken for it."""
    try:
        status = Path(f"/proc/{number}/stat").read_bytes()
    except OSError:
        return f"{number}-0"
    return f"{number}-{status.rpartition(b')')[2].split()[19].decode()}"
