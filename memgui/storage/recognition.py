"""What the disk is asked to tell a layout, and to know the protected files by more than their names."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from memgui.domain.errors import NotAuthorized
from memgui.domain.layouts import (
    HEAD_BYTES,
    Layout,
    Listing,
    Store,
    agent_layout,
    recognise,
)
from memgui.domain.paths import ROOT, DocPath, join
from memgui.domain.protection import Identity, Protection
from memgui.storage.folders import leads_to_folder
from memgui.storage.spot import spot


def stores_of(root: Path, listing: Listing) -> tuple[Store, ...]:
    """The stores in a workspace with these names; a few files that may be indexes are looked into."""
    return recognise(listing, partial(head, root), above=root.parts[1:])


def head(root: Path, path: DocPath) -> bytes | None:
    """The first bytes of a file in the workspace; None where there is none, or it cannot be read."""
    try:
        with spot(root, path) as place:
            flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
            handle = os.open(place.name, flags, dir_fd=place.folder)
            with open(handle, "rb", buffering=0) as file:
                return file.read(HEAD_BYTES) if stat.S_ISREG(os.fstat(handle).st_mode) else None
    except (OSError, NotAuthorized):
        return None


def layout_at(folder: Path) -> Layout | None:
    """The layout of a folder that an agent's system made; None for any other, and for one that cannot be read."""
    told = Listing()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                told.add(entry.name, is_folder=leads_to_folder(entry))
    except OSError:
        return None
    return agent_layout(told, has_agentsmith=os.path.isdir(folder / ".agentsmith" / "memory"))


def identities(root: Path, stores: Iterable[Store], protection: Protection) -> frozenset[Identity]:
    """Device and inode of each protected file as it is now; what its name links to, where it is a link."""
    found: set[Identity] = set()
    for folder in {ROOT, *(store.path for store in stores)}:
        try:
            names = os.listdir(os.fsencode(root / folder))
        except OSError:
            continue
        for name in map(os.fsdecode, names):
            path = join(folder, name)
            if protection.covers(path) and (identity := _identity(root / path)) is not None:
                found.add(identity)
    return frozenset(found)


def _identity(path: Path) -> Identity | None:
    try:
        info = os.stat(path)
    except OSError:
        return None
    return (info.st_dev, info.st_ino) if stat.S_ISREG(info.st_mode) else None
