"""The undelete store: what a person put in the trash, whole and as it was, in the workspace's state folder.

A thing is moved there in one step where the disk is the same; from another disk it is first taken out of sight, then
copied, and only then removed. So nothing is ever unlinked that does not lie here. An entry is noted before anything
moves; what a killed process left half-done is found by it, and goes back to where it stood or forward into the store.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memgui.domain.errors import NotFound, WriteFailed
from memgui.domain.filing import Trashed, free_name
from memgui.domain.paths import DocPath, name_of, parent_of, shown
from memgui.i18n import _
from memgui.storage import private, swap
from memgui.storage.copying import Carrying, Progress, Stop, remove_tree
from memgui.storage.filing import Standing, below, folder_at, gone, taken
from memgui.storage.folders import never
from memgui.storage.spot import reason_of, remove_folders
from memgui.storage.writing import sync_folder

_ID = re.compile(r"\d{15}-[0-9a-f]{8}")
_IT, _PART, _NOTE = b"it", b"part", "entry.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in the store. `aside`: the name out of sight that it had beside its place, if it came that way."""

    trashed: Trashed
    aside: str = ""
    is_told: bool = False
    """Whether the history knows that its documents are gone."""


def _nobody(_done: int) -> None:
    """Wants no progress."""


class UndeleteStore:
    """The store of one workspace. Who changes it holds the workspace's lock."""

    def __init__(self, root: Path, state: Path) -> None:
        self._root = root
        self._folder = state / "undelete"

    # Putting in ------------------------------------------------------------------------------------------------------

    def put(
        self,
        path: DocPath,
        what: Standing,
        *,
        who: str,
        time: float,
        progress: Progress = _nobody,
        stop: Stop = never,
    ) -> Trashed:
        """Take what stands at a path into the store. Where that fails, or is stopped, it stands there as before."""
        files, size = 1, what.stat.size
        if what.is_folder:
            inner = [one.stat.size for _path, one in below(self._root, path) if not one.is_folder]
            files, size = len(inner), sum(inner)
        id_ = f"{int(time * 1000):015d}-{secrets.token_hex(4)}"
        aside = f".memgui-trash-{id_}.tmp"
        entry = Entry(Trashed(id_, path, time, what.is_folder, files, size, who), aside)
        try:
            own = private.folder(self._folder / id_)
            self._note(entry)
            with _opened(own) as store, folder_at(self._root, parent_of(path)) as folder:
                self._take(store, folder, entry, progress, stop)
        except (FileNotFoundError, NotADirectoryError):
            raise gone(path) from None
        except OSError as error:
            message = _("'{path}' was not put in the trash and is where it was: {reason}.")
            raise WriteFailed(message.format(path=shown(path), reason=reason_of(error)), errno=error.errno) from error
        finally:
            if not os.path.lexists(self.place(id_)):
                self._drop(id_)
        return entry.trashed

    def _take(self, store: int, folder: int, entry: Entry, progress: Progress, stop: Stop) -> None:
        name, aside = os.fsencode(name_of(entry.trashed.path)), os.fsencode(entry.aside)
        try:
            swap.move_between(folder, name, store, _IT)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
        else:
            sync_folder(store)
            sync_folder(folder)
            return
        swap.move_between(folder, name, folder, aside)
        carrying = Carrying(folder, store, progress, stop)
        try:
            carrying.copy(aside, _PART)
            sync_folder(store)
            os.rename(_PART, _IT, src_dir_fd=store, dst_dir_fd=store)
        except BaseException:
            _bring_back(folder, aside, name)
            raise
        # Should this fail, the thing is out of sight and lies in the store: the rest of it is removed another time.
        with contextlib.suppress(OSError):
            sync_folder(store)
            carrying.take_away(aside, _IT)
            sync_folder(folder)

    # Taking out ------------------------------------------------------------------------------------------------------

    def take_out(self, id_: str, path: DocPath) -> None:
        """Put a thing back, at a path that is free. Taken where it is not; the thing stays in the store then."""
        made: list[DocPath] = []
        try:
            with (
                _opened(self._folder / id_) as store,
                folder_at(self._root, parent_of(path), make=made) as folder,
            ):
                self._put_back(store, folder, os.fsencode(name_of(path)))
        except FileExistsError:
            remove_folders(self._root, made)
            raise taken(path) from None
        except FileNotFoundError:
            remove_folders(self._root, made)
            raise _nothing_there() from None
        except OSError as error:
            remove_folders(self._root, made)
            message = _("'{path}' was not put back and stays in the trash: {reason}.")
            raise WriteFailed(message.format(path=shown(path), reason=reason_of(error)), errno=error.errno) from error
        self._drop(id_)

    def _put_back(self, store: int, folder: int, name: bytes) -> None:
        try:
            swap.move_between(store, _IT, folder, name)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            copy = b".memgui-back-%s.tmp" % secrets.token_hex(6).encode()
            try:
                Carrying(store, folder, _nobody, never).copy(_IT, copy)
                swap.move_between(folder, copy, folder, name)
            except BaseException:
                remove_tree(folder, copy)
                raise
        sync_folder(folder)

    # What there is ---------------------------------------------------------------------------------------------------

    def entries(self) -> tuple[Entry, ...]:
        """What lies in the store, the newest first; what cannot be read is left out, and left alone."""
        found = []
        for id_ in self._ids():
            entry = self._read(id_)
            if entry is not None and os.path.lexists(self.place(id_)):
                found.append(entry)
        return tuple(sorted(found, key=lambda entry: entry.trashed.id, reverse=True))

    def entry(self, id_: str) -> Entry:
        """The one with this id. NotFound where it is not in the store."""
        found = next((entry for entry in self.entries() if entry.trashed.id == id_), None)
        if found is None:
            raise _nothing_there()
        return found

    def place(self, id_: str) -> Path:
        """Where a thing lies."""
        return self._folder / id_ / os.fsdecode(_IT)

    def told(self, entry: Entry) -> None:
        """The history knows of it."""
        with contextlib.suppress(OSError):
            self._note(replace(entry, is_told=True))

    def finish(self) -> None:
        """What killed processes left half-done: back where it stood, or forward into the store."""
        for id_ in self._ids():
            entry = self._read(id_)
            with contextlib.suppress(OSError, NotFound):
                if entry is not None:
                    self._finish(entry)
                if not os.path.lexists(self.place(id_)):
                    self._drop(id_)

    def _finish(self, entry: Entry) -> None:
        path, aside = entry.trashed.path, os.fsencode(entry.aside)
        with (
            _opened(self._folder / entry.trashed.id) as store,
            folder_at(self._root, parent_of(path)) as folder,
        ):
            if not _stands(folder, aside):
                return
            if _stands(store, _IT):
                Carrying(folder, store, _nobody, never).take_away(aside, _IT)
            else:
                _bring_back(folder, aside, os.fsencode(name_of(path)))

    def sweep(self, before: float) -> None:
        """Let go for good what was put here before a moment (seconds since 1970)."""
        for entry in self.entries():
            if entry.trashed.time < before:
                self._drop(entry.trashed.id)

    def _ids(self) -> list[str]:
        """The store's own entries: what else lies in its folder is none of its business."""
        try:
            return [name for name in os.listdir(self._folder) if _ID.fullmatch(name)]
        except OSError:
            return []

    # Notes -----------------------------------------------------------------------------------------------------------

    def _note(self, entry: Entry) -> None:
        private.put(self._folder / entry.trashed.id / _NOTE, json.dumps(_values(entry)).encode())

    def _read(self, id_: str) -> Entry | None:
        try:
            return _entry(id_, json.loads((self._folder / id_ / _NOTE).read_bytes()))
        except (OSError, ValueError, TypeError, KeyError, RecursionError, OverflowError):
            return None

    def _drop(self, id_: str) -> None:
        """Forget an entry that holds nothing any more, or whose copy stands in its place again."""
        with contextlib.suppress(OSError), _opened(self._folder) as folder:
            remove_tree(folder, os.fsencode(id_))


def _values(entry: Entry) -> dict[str, Any]:
    one = entry.trashed
    return {
        "path": os.fsencode(one.path).decode("utf-8", "surrogateescape"),
        "time": one.time,
        "folder": one.is_folder,
        "files": one.files,
        "bytes": one.size,
        "who": one.who,
        "aside": entry.aside,
        "told": entry.is_told,
    }


def _entry(id_: str, values: dict[str, Any]) -> Entry:
    trashed = Trashed(
        id_,
        DocPath(str(values["path"])),
        float(values["time"]),
        bool(values["folder"]),
        int(values["files"]),
        int(values["bytes"]),
        str(values["who"]),
    )
    return Entry(trashed, str(values["aside"]), bool(values["told"]))


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield handle
    finally:
        os.close(handle)


def _bring_back(folder: int, aside: bytes, name: bytes) -> None:
    """Give it the name that it had, or one beside it where somebody has taken that meanwhile."""
    try:
        swap.move_between(folder, aside, folder, name)
    except FileExistsError:
        free = free_name(os.fsdecode(name), os.listdir(folder))
        swap.move_between(folder, aside, folder, os.fsencode(free))


def _stands(folder: int, name: bytes) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _nothing_there() -> NotFound:
    return NotFound(_("That is not in the trash any more."))
