"""Documents: read one, write one through the one gate. Lane of `write`: writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from memgui.domain.changes import Change, ChangeKind, ChangeSet
from memgui.domain.documents import Document, Fingerprint, fingerprint
from memgui.domain.errors import (
    Conflict,
    ExecutionFailed,
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
from memgui.domain.tree import Node, NodeKind, Stat
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import baselines
from memgui.ops.chronicle import Chronicle
from memgui.ops.recovery import copies
from memgui.storage import appending, files, removing
from memgui.storage.journal import IntentState
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
    now: float | None = None,
    settles: bool = True,
) -> ChangeSet:
    """Put `data` where the bytes `expected` stand (None: where nothing stands). The one way by which documents change.

    Refused: what the gate refuses, and Conflict where other bytes stand there; nothing is touched then. Where `data`
    stands there already, nothing is written, whatever was expected: the answer is empty. `settles`: what a person
    writes counts as accepted.
    """
    if not ws.root.is_dir():
        raise WriteFailed(
            _("'{path}' was not saved: the folder of the workspace is not there.").format(path=shown(path)),
            hint=_("Bring {folder} back, then save again.").format(folder=shown(str(ws.root))),
        )
    with workspace_lock(ws.state):
        guard(ws, path, origin, unlocked)
        before, stat = _bytes_now(ws, path)
        if before == data:
            return ChangeSet()
        found = None if before is None else fingerprint(before)
        if found != expected:
            raise Conflict(path, expected=expected, found=found)
        if before is not None:
            check_editable(path, before, origin)
        with _deed(ws, path, origin, now, settles=settles) as deed:
            deed.saw(before, stat)
            node = files.replace(
                ws.root,
                path,
                data,
                expected=expected,
                keep=copies(ws).put,
                announce=lambda old, new: deed.announce(old, new, len(data)),
            )
            deed.done(data, node)
        kind = ChangeKind.CREATED if expected is None else ChangeKind.MODIFIED
        return ChangeSet((Change(path, kind, origin, node, fingerprint=fingerprint(data)),))


def append(
    ws: Workspace,
    path: DocPath,
    piece_behind: Callable[[bytes], bytes],
    *,
    origin: Origin,
    unlocked: frozenset[DocPath] = frozenset(),
    now: float | None = None,
) -> ChangeSet:
    """Put a piece at the end of a document, in one write: what others append beside it stays. A missing one is made.

    `piece_behind` is told the bytes that stand there and says which piece; it may refuse. Refused as well: what the
    gate refuses, and what is no text.
    """
    with workspace_lock(ws.state):
        guard(ws, path, origin, unlocked)

        def piece(before: bytes) -> bytes:
            check_editable(path, before, origin)
            return piece_behind(before)

        with _deed(ws, path, origin, now) as deed:
            deed.saw(*_bytes_now(ws, path))
            appended = appending.append(
                ws.root,
                path,
                piece,
                keep=copies(ws).put,
                announce=lambda old, new: deed.announce(old, fingerprint(new), len(new)),
            )
            if appended.before is not None:
                deed.saw(appended.before, None)
            deed.done(appended.after, appended.node)
            if appended.now != appended.after:
                deed.saw(appended.now, appended.node.stat)
        kind = ChangeKind.CREATED if appended.before is None else ChangeKind.MODIFIED
        return ChangeSet((Change(path, kind, origin, appended.node, fingerprint=fingerprint(appended.now)),))


def remove(
    ws: Workspace,
    path: DocPath,
    *,
    expected: Fingerprint,
    origin: Origin,
    unlocked: frozenset[DocPath] = frozenset(),
    now: float | None = None,
    settles: bool = True,
) -> ChangeSet:
    """Take away the document with the bytes `expected`; a copy is kept. Conflict where other bytes stand there."""
    with workspace_lock(ws.state):
        guard(ws, path, origin, unlocked)
        before, stat = _bytes_now(ws, path)
        if before is None or fingerprint(before) != expected:
            raise Conflict(path, expected=expected, found=None if before is None else fingerprint(before))
        with _deed(ws, path, origin, now, settles=settles) as deed:
            deed.saw(before, stat)
            removing.remove(
                ws.root,
                path,
                expected=expected,
                keep=copies(ws).put,
                announce=lambda old: deed.announce(old, None, 0),
            )
            deed.gone()
        return ChangeSet((Change(path, ChangeKind.DELETED, origin),))


class _Deed:
    """One write on its way, as the journal and the history are told of it."""

    def __init__(
        self, ws: Workspace, chronicle: Chronicle, path: DocPath, origin: Origin, now: float, *, settles: bool
    ) -> None:
        self._ws, self._settles = ws, settles
        self._chronicle, self._path, self._origin, self._now = chronicle, path, origin, now
        self._row = 0
        self._before: bytes | None = None
        self._was: Stat | None = None
        self._version = 0

    def saw(self, data: bytes | None, stat: Stat | None) -> None:
        """These bytes stand there, whoever wrote them. No history keeps anybody from writing."""
        self._before, self._was = data, stat
        with suppress(OSError, ExecutionFailed):
            version = self._chronicle.see(self._path, data, stat, now=self._now, durable=True)
            self._version = version.number if version is not None else 0

    def announce(self, before: Fingerprint | None, after: Fingerprint | None, size: int) -> None:
        """Before a byte can be seen; what was announced earlier did not come to pass."""
        journal = self._chronicle.journal
        if self._row:
            journal.settle(self._row, IntentState.ABORTED)
        if not self._origin.is_person:
            baselines.others_write(self._ws, self._path, self._before, settled=self._version)
        self._row = journal.intend(
            self._path, self._origin, before=before, after=after, time=self._now, size=size, settles=self._settles
        )

    def done(self, data: bytes, node: Node) -> None:
        """These bytes stand there now, by this deed."""
        with suppress(OSError, ExecutionFailed):
            self._chronicle.journal.settle(self._row, IntentState.DONE, after=fingerprint(data), size=len(data))
        self._noted(data, node.stat)

    def gone(self) -> None:
        """Nothing stands there now, by this deed."""
        with suppress(OSError, ExecutionFailed):
            self._chronicle.journal.settle(self._row, IntentState.DONE)
        self._noted(None, None)

    def _noted(self, data: bytes | None, stat: Stat | None) -> None:
        number = 0
        with suppress(OSError, ExecutionFailed):
            version = self._chronicle.see(
                self._path, data, stat, now=self._now, origin=self._origin, row=self._row, settles=self._settles
            )
            number = version.number if version is not None else 0
        if self._origin.is_person and self._settles:
            baselines.person_wrote(self._ws, self._path, self._before, data, was=self._was, stat=stat, settled=number)


@contextmanager
def _deed(ws: Workspace, path: DocPath, origin: Origin, now: float | None, *, settles: bool = True) -> Iterator[_Deed]:
    chronicle = Chronicle(ws)
    now = time.time() if now is None else now
    with chronicle.held():
        if (last := chronicle.journal.last()) is not None:
            files.clean(ws.root, last.path, copies(ws).put)
        chronicle.recover()
        yield _Deed(ws, chronicle, files.real_path(ws.root, path), origin, now, settles=settles)


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


def _bytes_now(ws: Workspace, path: DocPath) -> tuple[bytes | None, Stat | None]:
    try:
        data, node = files.read(ws.root, path)
    except NotFound:
        return None, None
    return data, node.stat


def check_editable(path: DocPath, before: bytes, origin: Origin) -> None:
    """NotEditable where a tool would write into bytes that are no text."""
    # A person may have reopened it in an encoding that gives its bytes back, or may choose their own text over what
    # somebody else put there; the window lets nothing be typed into bytes that are no text. A tool writes UTF-8 alone.
    if origin.is_person:
        return
    state = judge(before, Node(path, NodeKind.FILE))
    if state is Editability.BINARY:
        raise NotEditable(_("'{path}' is binary and is not edited as text.").format(path=shown(path)))
    if state is Editability.NOT_UTF8:
        raise NotEditable(_("'{path}' is not UTF-8 and is not edited by tools.").format(path=shown(path)))
