"""The chronicle: which bytes stood in which document, who put them there, and the id by which it is named.

What memgui writes is noted by the deed itself; what others write, by whoever first sees it: a look at the disk, or a
tool that reads. A document is met when it is first written, read or seen changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import MemguiError
from memgui.domain.hits import document_id
from memgui.domain.origin import Origin, OriginKind
from memgui.domain.paths import DocPath
from memgui.domain.tree import Stat
from memgui.domain.versions import Version
from memgui.domain.workspace import Workspace
from memgui.storage import files
from memgui.storage.baselines import Baseline, Baselines
from memgui.storage.database import StateDatabase
from memgui.storage.history import History, Line
from memgui.storage.journal import Intent, IntentState, Journal
from memgui.storage.kept import KeptCopies
from memgui.storage.known import Known, KnownDocuments


class Chronicle:
    """The chronicle of one workspace, for one deed. Who changes it holds the workspace's lock."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self._db = StateDatabase(ws.state)
        self._db.begun = self._know_again
        self.journal = Journal(self._db)
        self.known = KnownDocuments(self._db)
        self.history = History(ws.state)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep its database open for the block. ExecutionFailed where it cannot be used."""
        with self._db.held():
            yield

    def document(self, path: DocPath, stat: Stat | None, print_: Fingerprint | None) -> Known:
        """The document at a real path, as it was last seen; the same one as before it got another name."""
        found = self.known.at(path)
        if found is not None:
            return found
        for candidate in self.known.like(stat, print_) if stat is not None else ():
            if not self._stands(candidate, stat) and not self._was_removed(candidate):
                self.move(candidate, path)
                return candidate
        return self.known.meet(path, stat, print_, partial(self._id, path))

    def move(self, document: Known, path: DocPath, *, now: float | None = None) -> None:
        """The document stands at another path now."""
        self.known.move(document.id, path)
        with suppress(OSError):
            if self.history.newest(document.id) is not None:
                self.history.add(document.id, Line(path, None, now))

    def see(
        self,
        path: DocPath,
        data: bytes | None,
        stat: Stat | None,
        *,
        now: float,
        origin: Origin | None = None,
        row: int = 0,
        settles: bool = True,
        durable: bool = False,
    ) -> Version | None:
        """These bytes stand at a real path (None: nothing does): a version, unless they were the newest already.

        `durable`: they are about to be written over, so that the copy has to be on the disk before. Without an
        `origin` the journal is asked who meant to write them; where it knows nobody, they came from outside.
        """
        print_ = None if data is None else fingerprint(data)
        accepted = None
        if self.known.at(path) is None:
            accepted = Baselines(self._ws.state).at(path)
            if data is None and (accepted is None or accepted.hash is None):
                return None
        document = self.document(path, stat, print_)
        newest = self.history.newest(document.id)
        if newest is None and accepted is not None and accepted.hash not in (None, print_):
            newest = self._begin_with(document, path, accepted, now)
        is_new = not document.is_as(stat) or document.hash != print_
        if is_new and (stat is not None or data is None):
            self.known.note(document.id, stat, print_)
        if newest is not None and newest.hash == print_:
            return newest
        if newest is None and data is None:
            return None
        last_row = newest.row if newest is not None else 0
        time = now
        if origin is None:
            intent = None if print_ is None else self.journal.writer_of(path, print_, after_id=last_row)
            if intent is not None:
                origin, row, time, settles = intent.origin, intent.id, intent.time, intent.settles
            else:
                origin = Origin.outside()
                time = now if stat is None else min(now, stat.mtime_ns / 1e9)
        version = Version(
            number=newest.number + 1 if newest is not None else 1,
            hash=print_,
            time=max(time, newest.time) if newest is not None else time,
            origin=origin,
            size=len(data or b""),
            row=max(row, last_row),
            settles=settles,
        )
        like = newest.hash if newest is not None else None
        self.history.add(document.id, Line(path, version), data, like=like, durable=durable)
        return version

    def _begin_with(self, document: Known, path: DocPath, accepted: Baseline, now: float) -> Version | None:
        """The first version of a document that others changed before it was met: what a person had accepted of it."""
        if accepted.hash is None:
            return None
        try:
            data = self.history.bytes_of(accepted.hash)
        except MemguiError:
            return None
        time = accepted.time if accepted.state is None else accepted.state[1] / 1e9
        version = Version(1, accepted.hash, min(time, now), Origin.outside(), len(data))
        self.history.add(document.id, Line(path, version), data, durable=False)
        return version

    def recover(self) -> None:
        """Find out what became of the intents of writers that never told: on the disk now, or aborted.

        The lock is held, so none of them can be on its way.
        """
        for intent in self.journal.pending():
            keep = KeptCopies(self._ws.state / "kept").put
            files.clean(self._ws.root, intent.path, keep)
            if intent.after is None:
                self._settle_removal(intent)
                continue
            came = self._what_came(intent)
            self.journal.settle(intent.id, IntentState.ABORTED if came is None else IntentState.DONE)
            if came is not None:
                data, stat = came
                self._see_intended(intent, data, stat)

    def _settle_removal(self, intent: Intent) -> None:
        """Whether a document went that somebody meant to take away."""
        try:
            is_gone = files.look(self._ws.root, intent.path) is None
        except MemguiError:
            is_gone = False
        self.journal.settle(intent.id, IntentState.DONE if is_gone else IntentState.ABORTED)
        if is_gone:
            self._see_intended(intent, None, None)

    def _see_intended(self, intent: Intent, data: bytes | None, stat: Stat | None) -> None:
        origin, settles = intent.origin, intent.settles
        self.see(intent.path, data, stat, now=intent.time, origin=origin, row=intent.id, settles=settles)

    def _what_came(self, intent: Intent) -> tuple[bytes, Stat | None] | None:
        """The bytes that an intent put on the disk, where they still begin what stands there; None: it never did."""
        try:
            data, node = files.read(self._ws.root, intent.path)
        except MemguiError:
            return None
        if fingerprint(data) == intent.after:
            return data, node.stat
        # Others may have appended to it since.
        if intent.size is not None and intent.size < len(data):
            begin = data[: intent.size]
            if fingerprint(begin) == intent.after:
                return begin, None
        return None

    def _stands(self, document: Known, stat: Stat | None) -> bool:
        """Whether a document is still where it was: then a file that is like it is another one."""
        try:
            node = files.look(self._ws.root, document.path)
        except MemguiError:
            return True
        if node is None:
            return False
        return document.is_file(node.stat) if document.is_file(stat) else True

    def _was_removed(self, document: Known) -> bool:
        """Whether somebody took it away through memgui: then nothing that is like it is where it went."""
        newest = self.history.newest(document.id)
        return newest is not None and newest.hash is None and newest.origin.kind is not OriginKind.OUTSIDE

    def _id(self, path: DocPath, number: int) -> str:
        root = str(self._ws.root)
        return document_id(f"{root}\0{number}" if number else root, path)

    def _know_again(self) -> None:
        """The database is new: what the logs say of where documents stand is all that is left."""
        found: list[tuple[float, str, DocPath, Fingerprint | None]] = []
        last_row = 0
        for id_ in self.history.documents():
            newest = self.history.newest(id_)
            lines = list(self.history.lines(id_))
            if newest is not None and lines:
                found.append((newest.time, id_, lines[-1].path, newest.hash))
                last_row = max(last_row, newest.row)
        # A row younger than those that versions tell of has to have a higher number.
        self.journal.number_from(last_row + 1)
        for _time, id_, path, print_ in sorted(found, reverse=True, key=lambda one: one[0]):
            self.known.meet(path, None, print_, partial(_again, id_))


def _again(id_: str, number: int) -> str:
    """The id that a log has; a second document cannot come to it."""
    return f"{id_}-{number}" if number else id_
