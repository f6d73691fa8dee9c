"""What differs between two states of a document: where they begin and end alike, and what stands between, compressed.

A log that was appended to costs its new lines; lines edited here and there cost those lines, since what lies between
them is told by its place in the other state.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

_WINDOW = 32 << 10
"""So far the compression looks back, also into what the two have in common."""
_LEVEL = 6
_COUNT = struct.Struct(">I")
_STEP = struct.Struct(">III")
"""Take so many bytes of the base from there, then so many of those that are new."""


@dataclass(frozen=True, slots=True)
class Delta:
    """How the bytes differ from those of their base: `prefix` and `suffix` bytes are alike, `body` tells the rest."""

    prefix: int
    suffix: int
    body: bytes


def between(base: bytes, data: bytes) -> Delta:
    """What has to be known, beside the base, to have the data again."""
    prefix = _alike(base, data)
    suffix = _alike(base[prefix:][::-1], data[prefix:][::-1])
    old, new = base[prefix : len(base) - suffix], data[prefix : len(data) - suffix]
    steps = list(_steps(old, new))
    told = [_COUNT.pack(len(steps)), *(_STEP.pack(start, taken, len(fresh)) for start, taken, fresh in steps)]
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=_known(base, suffix))
    body = packer.compress(b"".join([*told, *(fresh for _start, _taken, fresh in steps)])) + packer.flush()
    return Delta(prefix, suffix, body)


def applied(base: bytes, delta: Delta) -> bytes:
    """The data again. ValueError, struct.error or zlib.error where the two do not belong together."""
    if delta.prefix + delta.suffix > len(base):
        raise ValueError("the difference is one to another base")
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_known(base, delta.suffix))
    told = unpacker.decompress(delta.body)
    if not unpacker.eof:
        raise ValueError("the difference is cut short")
    old = base[delta.prefix : len(base) - delta.suffix]
    begin = _COUNT.size + _COUNT.unpack_from(told)[0] * _STEP.size
    pieces = [base[: delta.prefix]]
    fresh = begin
    for start, taken, length in _STEP.iter_unpack(told[_COUNT.size : begin]):
        pieces += (old[start : start + taken], told[fresh : fresh + length])
        fresh += length
    return b"".join([*pieces, base[len(base) - delta.suffix :]])


def _steps(old: bytes, new: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The new bytes as stretches of the old ones (from where, how many), each followed by lines that are new."""
    places: dict[bytes, int] = {}
    place = 0
    for line in old.splitlines(keepends=True):
        places.setdefault(line, place)
        place += len(line)
    start, taken, fresh = 0, 0, bytearray()
    for line in new.splitlines(keepends=True):
        if not fresh and old[start + taken : start + taken + len(line)] == line:
            taken += len(line)
            continue
        found = places.get(line)
        if found is None:
            fresh += line
            continue
        if taken or fresh:
            yield start, taken, bytes(fresh)
        start, taken, fresh = found, len(line), bytearray()
    if taken or fresh:
        yield start, taken, bytes(fresh)


def _known(base: bytes, suffix: int) -> bytes:
    return base[: len(base) - suffix][-_WINDOW:]


def _alike(one: bytes, other: bytes) -> int:
    """How many bytes at the beginning are the same. Whole stretches are compared at once."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
