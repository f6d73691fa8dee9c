"""Reading as tools do: one document, or the tree of documents. The same ones that a search finds. Lane: reads."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memgui.domain.errors import InvalidParameters, MemguiError, NotEditable
from memgui.domain.layouts import NAMED_FOLDERS
from memgui.domain.paths import (
    ROOT,
    DocPath,
    check_document,
    document_path,
    is_reachable,
    join,
    name_of,
    parent_of,
    parse,
    segments_of,
    shown,
    sort_key,
    spelled,
)
from memgui.domain.tree import Node, NodeKind, Snapshot
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import sync
from memgui.storage import files

SHALLOWEST, DEEPEST = 1, 10
"""`depth` is clamped to this."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as a tool is given it: the bytes on disk, and the text in them."""

    path: DocPath
    data: bytes
    changed: datetime
    content: str
    lossy: bool
    """Some bytes are no UTF-8; U+FFFD stands for them in `content`."""


def read(ws: Workspace, raw: str) -> Reading:
    """The document that a tool's path means; InvalidParameters, NotAuthorized or ExecutionFailed where it has none."""
    path = on_disk(ws, raw, document_path(raw, named_folders=ws.named_folders))
    check_reachable(ws, path)
    data, node = files.read(ws.root, path)
    # What lists folders alone needs no history.
    from memgui.ops.noticing import notice

    notice(ws, path, data, node.stat)
    text = data.removeprefix(codecs.BOM_UTF8)
    try:
        content, lossy = text.decode(), False
    except UnicodeDecodeError:
        content, lossy = text.decode(errors="replace"), True
    changed = datetime.fromtimestamp((node.stat.mtime_ns if node.stat else 0) // 1_000_000_000, UTC)
    return Reading(path, data, changed, content, lossy)


def read_answer(ws: Workspace, raw: str) -> dict[str, Any]:
    """The document in the form that tools are given; a `note` where the content is not all that the bytes are."""
    found = read(ws, raw)
    answer = {
        "path": found.path,
        "content": found.content,
        "word_count": len(found.content.split()),
        "updated_at": found.changed.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    if found.lossy:
        answer["note"] = "some bytes are not UTF-8; U+FFFD stands for them in content"
    return answer


def tree_answer(ws: Workspace, raw: str = "", depth: int = 1) -> list[Any]:
    """The documents below a folder, so many levels deep, in the form that tools are given. Nothing there: `[]`."""
    if not isinstance(depth, int) or isinstance(depth, bool):
        raise InvalidParameters(_("depth must be a whole number"))
    folder = parse(raw, allow_root=True)
    if folder:
        folder = on_disk(ws, raw, folder)
    children = _children(ws, sync.look(ws))
    return _listed(children, folder, max(SHALLOWEST, min(DEEPEST, depth)))


def documents(ws: Workspace) -> tuple[DocPath, ...]:
    """Every document that a tool can read, by its path."""
    return tuple(path for path, node in sync.look(ws).nodes.items() if node.kind.has_bytes and _is_reachable(ws, node))


def _children(ws: Workspace, snapshot: Snapshot) -> Mapping[DocPath, list[Node]]:
    """Folder -> what a tool sees in it: folders, and documents that can be read."""
    children: dict[DocPath, list[Node]] = {}
    for path, node in snapshot.nodes.items():
        if node.kind.is_folder or (node.kind.has_bytes and _is_reachable(ws, node)):
            children.setdefault(parent_of(path), []).append(node)
    return children


def _is_reachable(ws: Workspace, node: Node) -> bool:
    if not is_reachable(node.path, named_folders=ws.named_folders):
        return False
    if node.kind is not NodeKind.LINK_FILE:
        return True
    # A link may lead to what no tool reaches, although its own name would do.
    try:
        check_reachable(ws, node.path)
    except (MemguiError, OSError):
        return False
    return True


def _listed(children: Mapping[DocPath, list[Node]], folder: DocPath, depth: int) -> list[Any]:
    listed: list[Any] = []
    for node in sorted(children.get(folder, ()), key=lambda node: sort_key(name_of(node.path))):
        name = name_of(node.path)
        if not node.kind.is_folder:
            listed.append(name)
            continue
        inside = _listed(children, node.path, depth - 1) if depth > 1 and node.kind is NodeKind.FOLDER else []
        listed.append({f"{name}/": inside} if inside else f"{name}/")
    return listed


def on_disk(ws: Workspace, raw: str, path: DocPath, *, writing: bool = False) -> DocPath:
    """The path as the disk spells it: a name may stand there in another Unicode form than the path rule gives it.

    To be read, a name that is no UTF-8 can be given as it is told.
    """
    if "\\x" in raw and (escaped := _as_told(ws, raw)) is not None:
        if writing:
            raise NotEditable(
                _("'{path}' has a name that is no UTF-8 and is not written by tools.").format(path=shown(raw))
            )
        return escaped
    # As it was given first: where two names differ in their form alone, a tree lists both, and each can be read.
    given = DocPath("/".join(piece for piece in raw.split("/") if piece not in ("", ".")))
    for one in dict.fromkeys((given, path)):
        if files.look(ws.root, one) is not None:
            return one
    found = ROOT
    for segment in segments_of(path):
        names = files.names_in(ws.root, found)
        spelled = [name for name in names if unicodedata.normalize("NFKC", name).strip() == segment]
        if segment not in names and len(spelled) != 1:
            return path
        found = join(found, segment if segment in names else spelled[0])
    return found


def _as_told(ws: Workspace, raw: str) -> DocPath | None:
    """The document whose path is told like this, because it is no UTF-8; None where there is none."""
    found = ROOT
    for piece in raw.split("/"):
        name = next((name for name in files.names_in(ws.root, found) if spelled(name) == piece), None)
        if name is None:
            return None
        found = join(found, name)
    return found


def check_reachable(ws: Workspace, path: DocPath) -> None:
    """InvalidParameters for what no scan of the workspace shows, by its own name or by that of a link's target."""
    real = files.real_path(ws.root, path)
    for one in {path, real}:
        check_document(one, named_folders=ws.named_folders)
        if ws.is_private(one) or not _is_scanned(ws, one):
            raise InvalidParameters(
                _("invalid path '{path}': it lies in a folder that is no memory.").format(path=shown(path))
            )


def _is_scanned(ws: Workspace, path: DocPath) -> bool:
    segments = segments_of(path)
    for i, segment in enumerate(segments[:-1]):
        if segment in NAMED_FOLDERS and segments[i + 1] != NAMED_FOLDERS[segment]:
            return False
        if files.look(ws.root, DocPath("/".join((*segments[: i + 1], "pyvenv.cfg")))) is not None:
            return False
    return True
