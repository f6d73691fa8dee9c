"""Purging: bytes that a person wants forgotten are taken out of all that lies in a state folder beside the versions.

Unsaved text, held changes, what was withdrawn or put in the trash: whatever holds them goes, whole.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from memgui.storage import private

Holds = Callable[[bytes], bool]
"""Whether bytes hold what is to be forgotten."""

_BESIDE = frozenset({"history", "kept", "undelete"})
_JOURNAL = "journal.sqlite"
_NO_TEXT = frozenset({"write.lock", "baselines.jsonl", "opening.json", _JOURNAL, f"{_JOURNAL}-wal", f"{_JOURNAL}-shm"})
"""Files in which no text of a document can stand: hashes, times, and where documents are. The journal is in use."""
_MOST_BYTES = 256 << 20
_HASH = re.compile(r"[0-9a-f]{64}")


def purge(state: Path, holds: Holds) -> int:
    """Take it out of everything but versions and their copies. How many files it stood in. The lock is held."""
    return sum(1 for file in _files(state) if _purge_file(file, holds)) + _purge_trash(state / "undelete", holds)


def sweep_leftovers(folder: Path) -> None:
    """Remove the temporary files of writers that were killed. The lock is held, so that none of them is at work."""
    for root, folders, names in os.walk(folder):
        # What lies in the trash is the person's, whatever it is called.
        folders[:] = [name for name in folders if name != "undelete" or Path(root) != folder]
        for name in names:
            if name.startswith(".") and name.endswith(".tmp") and not _runs(name):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(root, name))


def _runs(name: str) -> bool:
    """Whether the process that made a temporary file is still there."""
    number = name.removesuffix(".tmp").rpartition("-")[0].rpartition("-")[2]
    return number.isdecimal() and int(number) != os.getpid() and os.path.exists(f"/proc/{number}")


def _files(state: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(state):
        if Path(root) == state:
            folders[:] = [name for name in folders if name not in _BESIDE]
        for name in names:
            if name not in _NO_TEXT:
                yield Path(root, name)


def _purge_file(file: Path, holds: Holds) -> bool:
    try:
        if not file.is_file() or file.is_symlink() or file.stat().st_size > _MOST_BYTES:
            return False
        data = file.read_bytes()
        if file.suffix == ".jsonl":
            return _purge_ledger(file, data, holds)
        if file.suffix == ".json":
            found = _told(data, holds)
        else:
            found = holds(data) or any(map(holds, _packed(data)))
        if found:
            file.unlink()
    except OSError:
        return False
    return found


def _purge_ledger(file: Path, data: bytes, holds: Holds) -> bool:
    """Only the lines that say it go."""
    lines = data.splitlines(keepends=True)
    kept = [line for line in lines if not _told(line, holds)]
    if len(kept) == len(lines):
        return False
    private.put(file, b"".join(kept))
    return True


def _packed(data: bytes) -> Iterator[bytes]:
    """What a file holds compressed: whole, or below a line of its own, as the crash journal does."""
    for part in (data, data.partition(b"\n")[2]):
        with contextlib.suppress(zlib.error):
            yield zlib.decompress(part)


def _told(data: bytes, holds: Holds) -> bool:
    """Whether a value in JSON says it: as text, or as bytes that were written as text. Times and hashes say nothing."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return holds(data)
    return any(holds(one) for text in _texts(value) if not _HASH.fullmatch(text) for one in _bytes(text))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _bytes(text: str) -> Iterator[bytes]:
    yield text.encode("utf-8", "surrogatepass")
    with contextlib.suppress(UnicodeEncodeError):
        yield text.encode("latin-1")


def _purge_trash(folder: Path, holds: Holds) -> int:
    """A document in the trash goes with its entry; one in a folder of it, alone."""
    found = 0
    for root, _folders, names in os.walk(folder):
        for name in names:
            file = Path(root, name)
            if file.suffix == ".json":
                # What tells of it: its name, its place, a line that went with it.
                found += _purge_file(file, holds)
                continue
            with contextlib.suppress(OSError):
                if file.is_symlink() or file.stat().st_size > _MOST_BYTES or not holds(file.read_bytes()):
                    continue
                found += 1
                if file.parent.parent == folder:
                    shutil.rmtree(file.parent, ignore_errors=True)
                else:
                    file.unlink()
    return found
