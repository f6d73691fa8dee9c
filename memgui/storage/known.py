"""The documents that memgui has met: the id of each, and by what its file is known again under another name."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from memgui.domain.documents import Fingerprint
from memgui.domain.paths import DocPath
from memgui.domain.tree import Stat
from memgui.storage.database import StateDatabase, mended

_SELECT = "SELECT id, path, device, inode, size, mtime_ns, hash FROM documents"


@dataclass(frozen=True, slots=True)
class Known:
    """A document as it was when last seen. `hash`: of its bytes then, where they were read; None: not there."""

    id: str
    path: DocPath
    device: int | None = None
    inode: int | None = None
    size: int | None = None
    mtime_ns: int | None = None
    hash: Fingerprint | None = None

    def is_as(self, stat: Stat | None) -> bool:
        """Whether the file is in the state in which it was last seen."""
        if stat is None:
            return self.inode is None
        return (self.device, self.inode, self.size, self.mtime_ns) == _key(stat)

    def is_file(self, stat: Stat | None) -> bool:
        """Whether it is the same file, whatever it holds."""
        return stat is not None and (self.device, self.inode) == _key(stat)[:2]


class KnownDocuments:
    """The documents of one workspace. Several processes may use it at once."""

    def __init__(self, db: StateDatabase) -> None:
        self._db = db

    @mended
    def at(self, path: DocPath) -> Known | None:
        """The document that stands at a path, as far as is known."""
        with self._db.opened() as db:
            row = db.execute(f"{_SELECT} WHERE path = ?", (os.fsencode(path),)).fetchone()
        return None if row is None else _known(row)

    @mended
    def all(self) -> tuple[Known, ...]:
        """All of them."""
        with self._db.opened() as db:
            return tuple(map(_known, db.execute(_SELECT)))

    @mended
    def like(self, stat: Stat, print_: Fingerprint | None) -> tuple[Known, ...]:
        """Those whose file this may be: first by the file itself, then by the same bytes."""
        device, inode, size, mtime_ns = _key(stat)
        with self._db.opened() as db:
            same_file = db.execute(f"{_SELECT} WHERE inode = ? AND device = ?", (inode, device)).fetchall()
            same_bytes = db.execute(f"{_SELECT} WHERE hash = ?", (print_,)).fetchall() if print_ and size else []
        # Inodes are used again at once, so size and time have to agree too, or the bytes.
        of_file = [k for k in map(_known, same_file) if (k.size, k.mtime_ns) == (size, mtime_ns) or k.hash == print_]
        of_bytes = [known for known in map(_known, same_bytes) if known not in of_file]
        return (*of_file, *of_bytes) if len(of_bytes) == 1 else tuple(of_file)

    @mended
    def meet(self, path: DocPath, stat: Stat | None, print_: Fingerprint | None, new_id: Callable[[int], str]) -> Known:
        """Know a document from now on; `new_id(n)` gives its id, with another `n` where that one is another's."""
        number = 0
        with self._db.changed() as db:
            db.execute("BEGIN IMMEDIATE")
            row = db.execute(f"{_SELECT} WHERE path = ?", (os.fsencode(path),)).fetchone()
            if row is not None:
                return _known(row)
            while db.execute("SELECT 1 FROM documents WHERE id = ?", (new_id(number),)).fetchone():
                number += 1
            values = (new_id(number), os.fsencode(path), *_key(stat), print_)
            db.execute("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        return Known(new_id(number), path, *_key(stat), print_)

    @mended
    def note(self, id_: str, stat: Stat | None, print_: Fingerprint | None) -> None:
        """Note the state in which a document was seen. Without a hash, and gone, it keeps the last one."""
        with self._db.changed() as db:
            db.execute(
                "UPDATE documents SET device = ?, inode = ?, size = ?, mtime_ns = ?, hash = coalesce(?, hash)"
                " WHERE id = ?",
                (*_key(stat), print_, id_),
            )

    @mended
    def move(self, id_: str, path: DocPath) -> None:
        """The document stands at another path now; whatever was known there was replaced by it."""
        with self._db.changed() as db:
            db.execute("DELETE FROM documents WHERE path = ? AND id != ?", (os.fsencode(path), id_))
            db.execute("UPDATE documents SET path = ? WHERE id = ?", (os.fsencode(path), id_))


def _key(stat: Stat | None) -> tuple[int | None, int | None, int | None, int | None]:
    if stat is None:
        return None, None, None, None
    return stat.device, _signed(stat.inode), stat.size, stat.mtime_ns


def _signed(number: int) -> int:
    """As the database can hold it: some file systems use all 64 bits."""
    return number - (1 << 64) if number >= 1 << 63 else number


def _known(row: tuple[str, bytes, int | None, int | None, int | None, int | None, str | None]) -> Known:
    id_, path, device, inode, size, mtime_ns, print_ = row
    return Known(
        id_,
        DocPath(os.fsdecode(path)),
        device,
        inode,
        size,
        mtime_ns,
        Fingerprint(print_) if print_ else None,
    )
