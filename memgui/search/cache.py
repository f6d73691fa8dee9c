"""Folded texts kept from one start to the next, in a private file that may vanish or be damaged at any time.

The file holds segments one after the other, each with its table and a checksum. It is read whole: a mapped file that
another program cuts short would end this one. Nothing here raises for what a disk can do; the worst answer is "nothing
kept".
"""

from __future__ import annotations

import json
import os
import secrets
import struct
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from memgui.domain.paths import DocPath
from memgui.search.literal import Part
from memgui.search.segments import SEPARATOR, Buffer, Entry, Joined, Key, Segment

FILE_NAME = "texts"
_MAGIC = f"memgui texts 1 unicode {unicodedata.unidata_version}\n".encode()
"""Other folding rules make another file: what was kept by older ones is not read."""

_HEAD = struct.Struct("<QQII")
_MOST = 1 << 31


def load(folder: Path) -> tuple[Segment, ...]:
    """The segments that were kept; none where there are none, or where the file is not whole."""
    try:
        with open(folder / FILE_NAME, "rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                return ()
            return tuple(_segments(file))
    except (OSError, ValueError, KeyError, TypeError, struct.error, OverflowError, MemoryError):
        return ()


def _segments(file: Any) -> Iterator[Segment]:
    while head := file.read(_HEAD.size):
        table_size, data_size, table_sum, data_sum = _HEAD.unpack(head)
        if max(table_size, data_size) > _MOST:
            raise ValueError("no such sizes were written")
        table, data = file.read(table_size), file.read(data_size)
        if len(data) != data_size or zlib.crc32(table) != table_sum or zlib.crc32(data) != data_sum:
            raise ValueError("not what was written")
        yield _segment(json.loads(table), data)


def _segment(rows: list[list[Any]], data: bytes) -> Segment:
    entries = []
    lengths = []
    for path, size, mtime, ctime, inode, weight, length in rows:
        entries.append(Entry(DocPath(path), Key(size, mtime, ctime, inode), weight, length >= 0))
        lengths.append(max(0, length))
    joined = Joined(data, lengths)
    if sum(lengths) + max(0, len(lengths) - 1) != len(data) or any(
        data[end : end + 1] not in (SEPARATOR, b"") for end in joined.ends
    ):
        raise ValueError("the table does not fit")
    return Segment(entries, joined)


def save(folder: Path, parts: Sequence[Part]) -> bool:
    """Keep the segments in the place of older ones, whole or not at all. False where the disk does not take them."""
    temporary = folder / f".{FILE_NAME}-{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _sweep(folder)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with open(handle, "wb") as file:
                file.write(_MAGIC)
                for part in parts:
                    file.writelines(_packed(part))
            os.replace(temporary, folder / FILE_NAME)
        finally:
            with suppress(OSError):
                temporary.unlink()
    except OSError:
        return False
    return True


def _packed(part: Part) -> Iterable[Buffer]:
    texts = part.segment.texts
    alive = [i for i in range(len(part.segment.entries)) if i not in part.dead]
    data = texts.whole if not part.dead else SEPARATOR.join(texts.text(i) for i in alive)
    table = json.dumps([_row(part.segment.entries[i], texts.ends[i] - texts.starts[i]) for i in alive]).encode()
    return _HEAD.pack(len(table), len(data), zlib.crc32(table), zlib.crc32(data)), table, data


def _row(entry: Entry, length: int) -> list[Any]:
    key = entry.key
    return [
        entry.path,
        key.size,
        key.mtime_ns,
        key.ctime_ns,
        key.inode,
        entry.weight,
        length if entry.searched else -1,
    ]


def _sweep(folder: Path) -> None:
    """Remove what a writer that was killed left behind."""
    for left in folder.glob(f".{FILE_NAME}-*.tmp"):
        owner = left.name.split("-")[1]
        if owner.isdigit() and int(owner) != os.getpid() and not _runs(int(owner)):
            with suppress(OSError):
                left.unlink()


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
