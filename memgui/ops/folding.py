"""Folding: from a file on the disk to the text by which it is found."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from memgui.domain.errors import MemguiError
from memgui.domain.paths import DocPath
from memgui.domain.tree import Node, NodeKind, Stat
from memgui.search.fold import fold_bytes, is_binary
from memgui.search.literal import Text
from memgui.search.ranking import weight_of
from memgui.search.segments import Key
from memgui.storage import files
from memgui.storage.reader import Reader

_SETTLED_NS = 50_000_000
"""A file changed less than this before it was read may change again without its times showing it."""

_UNSETTLED = -1


def text_of(root: Path, reader: Reader, node: Node, *, by_name: bool) -> Text | None:
    """A file's folded text; without one where it has none, or is to be found `by_name` alone; None where it is gone."""
    path, stat, folded = node.path, node.stat, None
    if not by_name:
        got = bytes_at(root, reader, path, is_link=node.kind is NodeKind.LINK_FILE)
        if got is not None:
            data, stat = got
            folded = None if is_binary(data) else fold_bytes(data)
        elif not reader.holds(path):
            return None
    return None if stat is None else Text(path, _settled(key_of(stat)), weight_of(path, stat.mtime_ns), folded)


def bytes_at(root: Path, reader: Reader, path: DocPath, *, is_link: bool) -> tuple[bytes, Stat] | None:
    """What stands at a path, or where its link leads; of what is no text, the beginning will do."""
    if not is_link:
        return reader.read(path, refuse=is_binary)
    with suppress(MemguiError):
        data, node = files.read(root, path)
        return (data, node.stat) if node.stat is not None else None
    return None


def key_of(stat: Stat) -> Key:
    """What tells this state of a file from another."""
    return Key(stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode)


def is_settled(text: Text) -> bool:
    """Whether the file cannot have changed since without its times showing it."""
    return text.key.ctime_ns != _UNSETTLED


def _settled(key: Key) -> Key:
    fresh = key.mtime_ns > time.time_ns() - _SETTLED_NS
    return replace(key, ctime_ns=_UNSETTLED) if fresh else key
