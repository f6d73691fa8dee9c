"""Where a document stands: `DocPath`, the rule that every tool's paths pass, how names compare and how they are shown.

A `DocPath` is relative to the workspace, with `/` between its segments; `""` is the workspace itself. Names that are no
UTF-8 carry surrogate escapes (`os.fsdecode`), so that a path always leads back to the bytes on disk.
"""

from __future__ import annotations

import os
import re
import unicodedata
from typing import NewType

from memgui.domain.errors import InvalidParameters
from memgui.i18n import _

DocPath = NewType("DocPath", str)

ROOT = DocPath("")
DOCUMENT_SUFFIXES = (".md", ".markdown")
SKIPPED_FOLDERS = frozenset({"node_modules", "venv", "__pycache__", "site-packages"})
"""Folders without a leading dot that no tool reaches."""

LONGEST_PATH, LONGEST_NAME, DEEPEST = 4096, 255, 256
"""No path is longer in bytes, no name, and no path has more names: no disk has them, and looking takes long."""

_LONE = re.compile("[\ud800-\udfff]")
_DRIVE = re.compile(r"[A-Za-z]:")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf"})
_UNSHOWN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def name_of(path: str) -> str:
    """The last segment; `""` for the workspace itself."""
    return path.rpartition("/")[2]


def parent_of(path: str) -> DocPath:
    """The folder that holds it; the workspace for what stands at the top, and for the workspace itself."""
    return DocPath(path.rpartition("/")[0])


def join(folder: str, name: str) -> DocPath:
    """The path of `name` (which may itself hold `/`) inside `folder`."""
    return DocPath(f"{folder}/{name}" if folder else name)


def suffix_of(path: str) -> str:
    """The name's ending from its last dot on, as written; `""` where there is none (a leading dot begins no suffix)."""
    name = name_of(path)
    dot = name.rfind(".")
    return name[dot:] if dot > 0 else ""


def stem_of(path: str) -> str:
    """The name without its suffix."""
    name = name_of(path)
    return name[: len(name) - len(suffix_of(name))]


def segments_of(path: str) -> tuple[str, ...]:
    """The names along the path; none for the workspace itself."""
    return tuple(path.split("/")) if path else ()


def is_inside(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies below it. Everything lies in the workspace."""
    return not folder or path == folder or path.startswith(folder + "/")


def sort_key(path: str) -> bytes:
    """Bytewise order of names as they are on disk."""
    return os.fsencode(path)


def is_document(path: str) -> bool:
    """Whether the name ends in `.md` or `.markdown`, in any case, with something before it."""
    if path.endswith(".md"):
        # What nearly all are, told without taking the path apart.
        return len(path) > 3 and path[-4] != "/"
    return suffix_of(path).lower() in DOCUMENT_SUFFIXES


def shown(path_or_name: str) -> str:
    r"""The name for people: bytes that are no UTF-8, controls, invisible characters as `\xff`, `\u202e`."""
    if path_or_name.isascii() and path_or_name.isprintable():
        return path_or_name
    return "".join(map(_shown_character, path_or_name))


def told(path: str) -> str:
    """The path as Qt can carry it: Qt drops what is no UTF-8, and what is left could name another file."""
    return shown(path) if any("\ud800" <= c <= "\udfff" for c in path) else path


def spelled(text: str) -> str:
    r"""The text as UTF-8 can spell it: bytes of names that are no UTF-8 as `\xff`, all else as it is."""
    return _LONE.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", text)


def _shown_character(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if unicodedata.category(character) not in _UNSHOWN_CATEGORIES:
        return character
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(name: str) -> str:
    """The name without control and format characters: what a reader takes it to be."""
    if name.isascii() and name.isprintable():
        return name
    return "".join(c for c in name if unicodedata.category(c) not in _HIDDEN_CATEGORIES)


def comparable(name: str) -> str:
    """The form in which names are compared: equal forms may be one file to a reader, or on some disk."""
    if name.isascii() and name.isprintable():
        return name.lower().strip().rstrip(". ")
    form = unicodedata.normalize("NFKC", visible(unicodedata.normalize("NFKC", name)).casefold())
    return form.strip().rstrip(". ").strip()


def parse(raw: str, *, writing: bool = False, allow_root: bool = False) -> DocPath:
    """The path that a tool's caller meant. What could lead out of the workspace, or hide a name: InvalidParameters.

    `writing` also refuses the characters that hide or break a name (controls, format characters, `:`). `allow_root`
    lets the empty path stand for the workspace itself.
    """
    if "\0" in raw:
        raise _refused(raw, _("A path cannot hold the character NUL."))
    if len(raw) > LONGEST_PATH:
        raise _refused(raw, _("A path has {most} bytes at most.").format(most=LONGEST_PATH))
    normal = unicodedata.normalize("NFKC", raw).replace("\\", "/")
    pieces = [piece.strip() for piece in normal.split("/")]
    if len(pieces) > 1 and not pieces[0]:
        raise _refused(raw, _("The path is absolute; paths are relative to the workspace."))
    kept = [piece for piece in pieces if piece not in ("", ".")]
    if kept and (kept[0].startswith("~") or _DRIVE.match(kept[0])):
        raise _refused(raw, _("The path is absolute; paths are relative to the workspace."))
    if any(visible(piece).strip() in ("..", ".", "") for piece in kept):
        raise _refused(raw, _("A path cannot hold '..' or a name that nobody can see."))
    if not kept and not allow_root:
        raise _refused(raw, _("The path is empty."))
    if writing:
        _check_writable_names(raw, kept)
    path = "/".join(kept)
    try:
        length = len(os.fsencode(path))
    except UnicodeEncodeError:
        raise _refused(raw, _("The path holds characters that no file name can hold.")) from None
    if length > LONGEST_PATH or len(kept) > DEEPEST:
        told = _("A path has {most} bytes and {deepest} names at most.")
        raise _refused(raw, told.format(most=LONGEST_PATH, deepest=DEEPEST))
    return DocPath(path)


def document_path(raw: str, *, named_folders: frozenset[str] = frozenset(), writing: bool = False) -> DocPath:
    """`parse`, and the rule that tools reach documents only. `named_folders`: the dot folders that a layout names."""
    path = parse(raw, writing=writing)
    check_document(path, named_folders=named_folders)
    return path


def check_document(path: DocPath, *, named_folders: frozenset[str] = frozenset()) -> None:
    """InvalidParameters where tools may not reach the path: another suffix, a hidden or a skipped folder."""
    if not is_document(path):
        raise _refused(path, _("Only documents can be reached: the name must end in .md or .markdown."))
    *folders, name = segments_of(path)
    for folder in folders:
        plain = visible(folder).strip()
        if plain.startswith(".") and folder not in named_folders:
            raise _refused(path, _("Documents in hidden folders cannot be reached."))
        if comparable(folder) in SKIPPED_FOLDERS:
            raise _refused(path, _("Documents in folders of installed packages cannot be reached."))
    if visible(name).strip().startswith("."):
        raise _refused(path, _("Hidden files cannot be reached."))


def is_reachable(path: DocPath, *, named_folders: frozenset[str] = frozenset()) -> bool:
    """Whether tools may reach the path at all (the rule of `check_document`)."""
    try:
        check_document(path, named_folders=named_folders)
    except InvalidParameters:
        return False
    return True


def _check_writable_names(raw: str, pieces: list[str]) -> None:
    for piece in pieces:
        if ":" in piece:
            raise _refused(raw, _("A new name cannot hold ':'."))
        if any(unicodedata.category(c) in _UNSHOWN_CATEGORIES for c in piece):
            raise _refused(raw, _("A new name cannot hold control or invisible characters."))
        if len(piece.encode("utf-8", "surrogateescape")) > LONGEST_NAME:
            raise _refused(raw, _("A name has {most} bytes at most.").format(most=LONGEST_NAME))


def _refused(raw: str, reason: str) -> InvalidParameters:
    return InvalidParameters(_("invalid path '{path}': {reason}").format(path=shown(raw[:200]), reason=reason))
