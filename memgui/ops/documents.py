"""Documents: read one, write one through the one gate. Lane of `write`: writes."""

from __future__ import annotations

import time

from memgui.domain.changes import Change, ChangeKind, ChangeSet
from memgui.domain.documents import Document, Fingerprint, fingerprint
from memgui.domain.errors import (
    Conflict,
    InvalidParameters,
    NotAuthorized,
    NotEditable,
    NotFound,
    ProtectedDocument,
    WriteFailed,
)
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, join, shown
from memgui.domain.text import Editability, Encoding, judge
from memgui.domain.tree import Node, NodeKind
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops.recovery import copies
from memgui.storage import files
from memgui.storage.journal import Journal
from memgui.storage.locks import workspace_lock


def read(ws: Workspace, path: DocPath, *, encoding: Encoding | None = None) -> Document:
    """The document as it is on disk now, read in the `encoding` a person chose, if any. It never waits for a pipe."""
    data, node = files.read(ws.root, path)
    return Document.of(path, data, node, encoding=encoding)


def write(
    ws: Workspace,
    path: DocPath,
    data: bytes,
    *,
    expected: Fingerprint | None,
    origin: Origin,
    unlocked: frozenset[DocPath] = frozenset(),
) -> ChangeSet:
    """Put `data` where the bytes `expected` stand (None: where nothing stands). The one way by which documents change.

    Refused: what the gate refuses, and Conflict where other bytes stand there; nothing is touched then. The same bytes
    are not written again: the answer is empty.
    """
    if not ws.root.is_dir():
        raise WriteFailed(
            _("'{path}' was not saved: the folder of the workspace is not there.").format(path=shown(path)),
            hint=_("Bring {folder} back, then save again.").format(folder=shown(str(ws.root))),
        )
    with workspace_lock(ws.state):
        guard(ws, path, origin, unlocked)
        before = _bytes_now(ws, path)
        found = None if before is None else fingerprint(before)
        if found != expected:
            raise Conflict(path, expected=expected, found=found)
        if before is not None:
            _check_editable(path, before, origin)
        if before == data:
            return ChangeSet()
        journal = Journal(ws.state)
        keep = copies(ws).put
        if (last := journal.last()) is not None:
            files.clean(ws.root, last.path, keep)
        node = files.replace(
            ws.root,
            path,
            data,
            expected=expected,
            keep=keep,
            announce=lambda old, new: journal.intend(path, origin, before=old, after=new, time=time.time()),
        )
        kind = ChangeKind.CREATED if expected is None else ChangeKind.MODIFIED
        return ChangeSet((Change(path, kind, origin, node, fingerprint=fingerprint(data)),))


def guard(ws: Workspace, path: DocPath, origin: Origin, unlocked: frozenset[DocPath] = frozenset()) -> None:
    """The gate alone: raises where this writer may not write. Only a person passes an identity file, once unlocked."""
    if not path or ws.is_private(path):
        raise InvalidParameters(_("'{path}' belongs to memgui itself.").format(path=shown(path)))
    real = files.real_path(ws.root, path)
    node = files.look(ws.root, path)
    protected = ws.protects(path) or ws.protects(real) or (node is not None and _is_protected_file(ws, node))
    if protected and not (origin.is_person and (path in unlocked or real in unlocked)):
        hint = _("A person can unlock it in the window of memgui.") if origin.is_agent else _("Unlock it first.")
        raise ProtectedDocument(path, hint=hint)
    if ws.is_private(real):
        raise NotAuthorized(_("'{path}' leads to memgui's own files.").format(path=shown(path)))
    if node is not None and not node.kind.has_bytes:
        raise NotEditable(_("'{path}' is no file that can be written.").format(path=shown(path)))


def _is_protected_file(ws: Workspace, node: Node) -> bool:
    """Whether the file behind the name is an identity file: looked up anew, since a save gives a file a new inode."""
    if ws.protects(node.path, node):
        return True
    if node.stat is None or node.stat.links < 2:
        return False
    wanted = (node.stat.device, node.stat.inode)
    for folder in {DocPath(""), *(store.path for store in ws.stores)}:
        for name in files.names_in(ws.root, folder):
            path = join(folder, name)
            if not ws.protects(path):
                continue
            try:
                other = files.look(ws.root, path)
            except NotAuthorized:
                continue
            if other is not None and other.stat is not None and (other.stat.device, other.stat.inode) == wanted:
                return True
    return False


def _bytes_now(ws: Workspace, path: DocPath) -> bytes | None:
    try:
        return files.read(ws.root, path)[0]
    except NotFound:
        return None


def _check_editable(path: DocPath, before: bytes, origin: Origin) -> None:
    # A person may have reopened it in an encoding that gives its bytes back, or may choose their own text over what
    # somebody else put there; the window lets nothing be typed into bytes that are no text. A tool writes UTF-8 alone.
    if origin.is_person:
        return
    state = judge(before, Node(path, NodeKind.FILE))
    if state is Editability.BINARY:
        raise NotEditable(_("'{path}' is binary and is not edited as text.").format(path=shown(path)))
    if state is Editability.NOT_UTF8:
        raise NotEditable(_("'{path}' is not UTF-8 and is not edited by tools.").format(path=shown(path)))
