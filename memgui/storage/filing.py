"""Names on disk: made, moved and looked at. Nothing is ever put over something that stands there.

A name is meant as it is: a link is moved as a link. Only the folder that it lies in is resolved, inside the root.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memgui.domain.errors import ExecutionFailed, NotFound, WriteFailed
from memgui.domain.paths import DocPath, join, name_of, parent_of, shown, sort_key
from memgui.domain.tree import Stat
from memgui.i18n import _
from memgui.storage import swap
from memgui.storage.copying import Carrying, remove_tree
from memgui.storage.folders import never
from memgui.storage.spot import as_stat, reason_of, remove_folders, spot
from memgui.storage.writing import sync_folder

_ANY = ".memgui"
"""Stands for any name in a folder that is to be opened."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands at a name itself, not at what it may lead to."""

    stat: Stat
    is_link: bool

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.stat.mode)

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.stat.mode)


class Taken(ExecutionFailed):
    """Something stands at the name already; it is as it was."""


@contextmanager
def folder_at(root: Path, folder: DocPath, *, make: list[DocPath] | None = None) -> Iterator[int]:
    """Hold open the real folder that a path leads to. NotAuthorized where that is outside the root; else OSError."""
    with spot(root, join(folder, _ANY), make=make) as place:
        yield place.folder


def standing(root: Path, path: DocPath) -> Standing | None:
    """What stands there, None where nothing does."""
    try:
        with folder_at(root, parent_of(path)) as folder:
            found = os.stat(_on_disk(path), dir_fd=folder, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _failed(path, error) from error
    return Standing(as_stat(found), stat.S_ISLNK(found.st_mode))


def names(root: Path, folder: DocPath) -> tuple[str, ...]:
    """The names directly in a folder; none where there is no such folder."""
    try:
        with folder_at(root, folder) as handle:
            return tuple(os.fsdecode(name) for name in os.listdir(handle))
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        raise _failed(folder, error) from error


def below(root: Path, path: DocPath) -> Iterator[tuple[DocPath, Standing]]:
    """Everything below a folder, links not followed, in bytewise order within each folder."""
    todo = [path]
    while todo:
        folder = todo.pop()
        try:
            with folder_at(root, folder) as handle, os.scandir(handle) as entries:
                found = [(DocPath(join(folder, entry.name)), entry.stat(follow_symlinks=False)) for entry in entries]
        except OSError as error:
            raise _failed(folder, error) from error
        for inner, info in sorted(found, key=lambda one: sort_key(one[0])):
            yield inner, Standing(as_stat(info), stat.S_ISLNK(info.st_mode))
            if stat.S_ISDIR(info.st_mode):
                todo.append(inner)


def make_folder(root: Path, path: DocPath) -> list[DocPath]:
    """Make a folder, with those that lead to it. Taken where something stands there. What was made, outermost first."""
    made: list[DocPath] = []
    try:
        with folder_at(root, parent_of(path), make=made) as folder:
            os.mkdir(_on_disk(path), dir_fd=folder)
            sync_folder(folder)
    except FileExistsError:
        remove_folders(root, made)
        raise taken(path) from None
    except OSError as error:
        remove_folders(root, made)
        raise _failed(path, error) from error
    return [*made, path]


def remove_folder(root: Path, path: DocPath) -> None:
    """Take an empty folder away. WriteFailed where it holds something."""
    try:
        with folder_at(root, parent_of(path)) as folder:
            os.rmdir(_on_disk(path), dir_fd=folder)
            sync_folder(folder)
    except OSError as error:
        raise _failed(path, error) from error


def move(root: Path, old: DocPath, new: DocPath, *, step_aside: Callable[[DocPath], object]) -> None:
    """Give what stands at `old` the name `new`. Taken where something else stands there, even if only this instant.

    On a disk that takes two spellings for one name, it goes by way of a third, which `step_aside` is told before.
    """
    try:
        with folder_at(root, parent_of(old)) as source, folder_at(root, parent_of(new)) as target:
            try:
                swap.move_between(source, _on_disk(old), target, _on_disk(new))
            except FileExistsError:
                if not _is_one_name(source, _on_disk(old), target, _on_disk(new)):
                    raise
                aside = _hidden_name("rename")
                step_aside(DocPath(join(parent_of(old), os.fsdecode(aside))))
                swap.move_between(source, _on_disk(old), source, aside)
                swap.move_between(source, aside, target, _on_disk(new))
            except OSError as error:
                if error.errno != errno.EXDEV or not _is_file(source, _on_disk(old)):
                    raise
                _carry(source, _on_disk(old), target, _on_disk(new))
            sync_folder(target)
            sync_folder(source)
    except FileExistsError:
        raise taken(new) from None
    except (FileNotFoundError, NotADirectoryError):
        raise gone(old) from None
    except OSError as error:
        raise _failed(old, error) from error


def _is_file(folder: int, name: bytes) -> bool:
    return stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


def _carry(source: int, old: bytes, target: int, new: bytes) -> None:
    """A file to another disk inside the workspace: there first, and whole."""
    copy = _hidden_name("move")
    carrying = Carrying(source, target, lambda _done: None, never)
    try:
        carrying.copy(old, copy)
        swap.move_between(target, copy, target, new)
    except BaseException:
        remove_tree(target, copy)
        raise
    carrying.take_away(old, new)


def _hidden_name(deed: str) -> bytes:
    return f".memgui-{deed}-{secrets.token_hex(6)}.tmp".encode()


def _is_one_name(source: int, old: bytes, target: int, new: bytes) -> bool:
    """Whether the disk takes both spellings for the same entry (and they are not two names of one file)."""
    here = os.stat(old, dir_fd=source, follow_symlinks=False)
    there = os.stat(new, dir_fd=target, follow_symlinks=False)
    if (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino):
        return False
    listed = os.listdir(target)
    return os.fsdecode(new) not in listed and os.fsdecode(old) in os.listdir(source)


def taken(path: DocPath) -> Taken:
    """The refusal to put something where another thing stands."""
    return Taken(_("There is already '{name}'. Nothing was changed.").format(name=shown(name_of(path))))


def gone(path: DocPath) -> NotFound:
    """Somebody took it away, or its folder."""
    return NotFound(_("'{path}' is not there any more.").format(path=shown(path)))


def _on_disk(path: DocPath) -> bytes:
    return os.fsencode(name_of(path))


def _failed(path: DocPath, error: OSError) -> WriteFailed:
    if error.errno == errno.EXDEV:
        message = _("'{path}' was not moved: that folder lies on another disk. Nothing was changed.")
        return WriteFailed(message.format(path=shown(path)), errno=error.errno)
    if error.errno == errno.ENOTEMPTY:
        message = _("'{path}' is not empty. Nothing was changed.")
        return WriteFailed(message.format(path=shown(path)), errno=error.errno)
    message = _("'{path}' was left as it was: {reason}.").format(path=shown(path), reason=reason_of(error))
    return WriteFailed(message, errno=error.errno, hint=_("Make its folder writable, then try again."))
