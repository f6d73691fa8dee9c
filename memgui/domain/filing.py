"""Names that a person gives: which a document or folder may bear, and which other systems could not hold."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum

from memgui.domain.errors import InvalidParameters
from memgui.domain.paths import (
    SKIPPED_FOLDERS,
    DocPath,
    comparable,
    is_document,
    is_inside,
    join,
    name_of,
    parent_of,
    parse,
    segments_of,
    shown,
    stem_of,
    suffix_of,
)
from memgui.i18n import _

LONGEST_NAME = 255
"""So many bytes a name may have on the usual disks."""

_UNUSABLE = '<>"|?*'
_DEVICES = re.compile(r"(con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(\..*)?", re.IGNORECASE)


class FilingKind(Enum):
    """What was done with a name."""

    CREATED = "created"
    MADE = "made"
    """A folder."""
    RENAMED = "renamed"
    DUPLICATED = "duplicated"
    TRASHED = "trashed"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True)
class Trashed:
    """Something in the undelete store: where it stood, when and by whom it was put there, and what it holds."""

    id: str
    path: DocPath
    time: float
    is_folder: bool
    files: int
    size: int
    who: str = ""


def new_path(folder: DocPath, raw: str) -> DocPath:
    """The path for a name that a person typed in a folder. InvalidParameters, with why, where it cannot be one."""
    wanted = parse(raw, writing=True)
    for name in segments_of(wanted):
        if name.startswith("."):
            raise InvalidParameters(_("Names that begin with a dot are hidden; choose another."))
        if comparable(name) in SKIPPED_FOLDERS:
            raise InvalidParameters(_("'{name}' is left out of every workspace; choose another.").format(name=name))
        if len(os.fsencode(name)) > LONGEST_NAME:
            raise InvalidParameters(_("The name is too long."))
    return join(folder, wanted)


def document_name(raw: str) -> str:
    """What was typed for a new document, with `.md` behind it where it names no other kind of file."""
    text = raw.strip()
    plain = text.rstrip("/\\")
    # A dot in a word (`v1.2`, `2026.11.30`) begins no kind of file; letters behind a dot do.
    suffix = suffix_of(plain)
    is_kind = len(suffix) > 1 and suffix[1:].isalpha() and len(suffix) <= 9
    return text if not plain or text != plain or is_kind else f"{text}.md"


def renamed(path: DocPath, raw: str, *, is_folder: bool) -> DocPath:
    """The path beside the old one for a name that was typed; a document stays one where no other kind is named."""
    if "/" in raw or "\\" in raw:
        raise InvalidParameters(_("A name cannot hold '/' or '\\'. To put it elsewhere, move it."))
    text = raw if is_folder or not is_document(path) else document_name(raw)
    return new_path(parent_of(path), text)


def check_move(path: DocPath, folder: DocPath) -> None:
    """InvalidParameters where a move would lead into itself, or nowhere."""
    if is_inside(folder, path):
        raise InvalidParameters(_("'{name}' cannot be moved into itself.").format(name=shown(name_of(path))))
    if parent_of(path) == folder:
        raise InvalidParameters(_("'{name}' is there already.").format(name=shown(name_of(path))))


def may_move(path: DocPath, folder: DocPath) -> bool:
    """Whether a move would lead somewhere."""
    return not is_inside(folder, path) and parent_of(path) != folder


def alike(name: str, others: Iterable[str]) -> str | None:
    """The one of the other names that a reader, or another system's disk, would take for the same; None: there is none.

    A name that is the very same stands first.
    """
    form = comparable(name)
    found = None
    for other in others:
        if other == name:
            return other
        if found is None and comparable(other) == form:
            found = other
    return found


def copy_name(name: str, others: Collection[str]) -> str:
    """A free name for a copy: `plan copy.md`, `plan copy 2.md`, …"""
    stem, suffix = stem_of(name), suffix_of(name)
    taken = {comparable(other) for other in others}
    number = 1
    while True:
        words = _("{name} copy").format(name=stem) if number == 1 else f"{_('{name} copy').format(name=stem)} {number}"
        if comparable(words + suffix) not in taken:
            return words + suffix
        number += 1


def free_name(name: str, others: Collection[str]) -> str:
    """The name, or with a number behind it where it is taken."""
    stem, suffix = stem_of(name), suffix_of(name)
    taken = {comparable(other) for other in others}
    wanted, number = name, 1
    while comparable(wanted) in taken:
        number += 1
        wanted = f"{stem} ({number}){suffix}"
    return wanted


def warning_of(raw: str) -> str:
    """What other systems would say of a typed name: a sentence, empty where they have nothing against it."""
    for name in segments_of(raw.replace("\\", "/")):
        if bad := sorted({c for c in name if c in _UNUSABLE}):
            return _("Windows cannot hold {signs} in a name.").format(signs=" ".join(bad))
        if _DEVICES.fullmatch(name.strip()):
            return _("Windows keeps the name '{name}' for a device.").format(name=name.strip())
        if name.rstrip() != name.rstrip().rstrip("."):
            return _("Windows drops a dot at the end of a name.")
    return ""
