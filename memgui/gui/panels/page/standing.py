"""Where a page stands towards the disk: what it was built on, what lies there now, what is on its way. Knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from memgui.domain.documents import Document, Fingerprint, fingerprint
from memgui.domain.errors import Conflict, MemguiError
from memgui.domain.paths import DocPath
from memgui.domain.requests import SaveRequest, SaveResult, Unsaved
from memgui.gui.panels.page.lines_compared import splices, with_endings


class Meeting(Enum):
    """What newly read bytes are to a page."""

    KNOWN = "the bytes that the page stands on"
    MINE = "the very text that is on the page"
    NEWER = "others, and nothing was typed"
    CONFLICT = "others, and text was typed"


@dataclass
class Standing:
    """Which bytes the page was last one with (`base`), and what has come between since."""

    base: Document | None = None
    theirs: Document | None = None
    """The latest bytes of the other side, in a conflict."""
    conflicting: bool = False
    writes: int = 0
    """How often the other side wrote since the conflict began."""
    conflict_at: datetime | None = None
    """When the other side was last seen to write."""
    gone: datetime | None = None
    failure: MemguiError | None = None
    in_flight: SaveRequest | None = None
    written: datetime | None = None
    """When the disk was last known to hold the page's text."""
    tickets: int = 0

    @property
    def expected(self) -> Fingerprint | None:
        """The bytes that a save may replace."""
        return None if self.base is None or self.gone else self.base.fingerprint

    @property
    def their_lines(self) -> int | None:
        """How many lines the other side changed since the page's text began, where that can be told cheaply."""
        base, theirs = self.base, self.theirs
        if base is None or theirs is None or base.text is None or theirs.text is None:
            return None
        found = splices(with_endings(base.text.lines), with_endings(theirs.text.lines))
        return sum(max(splice.removed, len(splice.texts)) for splice in found)

    def meet(self, document: Document, mine: bytes, now: datetime) -> Meeting:
        """Take note of what was read, and say what it is. `mine` is the text on the page, in bytes."""
        self.gone = None
        dirty = self.base is None or mine != self.base.data
        if document.data == mine:
            self.settle(document)
            return Meeting.MINE if dirty else Meeting.KNOWN
        if self.base is not None and document.fingerprint == self.base.fingerprint:
            # What was there before is still there: a save that failed has still failed.
            failure = self.failure
            self.settle(document)
            self.failure = failure
            return Meeting.KNOWN
        if self.in_flight is not None and document.data == self.in_flight.data:
            # Our own save, seen before its answer came; what was typed meanwhile stands on it.
            self.settle(document)
            return Meeting.KNOWN
        if not dirty:
            self.settle(document)
            return Meeting.NEWER
        if self.theirs is None or self.theirs.fingerprint != document.fingerprint:
            self.writes += 1
            self.conflict_at = now
        self.theirs, self.conflicting = document, True
        return Meeting.CONFLICT

    def settle(self, document: Document) -> None:
        """The page and the disk stand on these bytes."""
        self.base = document
        self.theirs, self.conflicting, self.writes, self.failure = None, False, 0, None
        self.conflict_at = None

    def ask(self, path: DocPath, data: bytes, *, unlocked: bool) -> SaveRequest:
        """The request to put `data` on the disk."""
        self.tickets += 1
        self.in_flight = SaveRequest(path, data, self.expected, unlocked, self.tickets)
        return self.in_flight

    def saved(self, result: SaveResult, now: datetime) -> bool:
        """Take note of an answer; False where it is a late one."""
        request, self.in_flight = self.in_flight, None
        if request is None or result.ticket != request.ticket or result.fingerprint != fingerprint(request.data):
            self.in_flight = request
            return False
        encoding = self.base.text.encoding if self.base and self.base.text else None
        self.base = Document.of(request.path, request.data, result.node, encoding=encoding)
        self.gone, self.failure, self.written = None, None, now
        if self.theirs is None:
            self.conflicting = False
        return True

    def failed(self, error: MemguiError, now: datetime) -> None:
        """Take note that the disk does not hold what was asked."""
        self.in_flight = None
        if isinstance(error, Conflict):
            if error.found is None:
                self.gone = self.gone or now
            else:
                self.conflicting = True
                self.conflict_at = self.conflict_at or now
                self.gone = None
        else:
            self.failure = error

    def recover(self, unsaved: Unsaved, document: Document | None, now: datetime, error: MemguiError | None) -> None:
        """Text that was typed over `unsaved.base` is back on the page; the disk holds `document` (None: nothing, or
        what cannot be read, for which the `error` stands)."""
        if document is None:
            self.failure = error
            self.gone = now if unsaved.base is not None and error is None else None
            return
        if document.fingerprint != unsaved.base:
            # The page stands on what the text was typed over, so that whatever is newer has to be asked about.
            old = unsaved.base_data
            self.base = (
                None if old is None else Document.of(document.path, old, document.node, encoding=unsaved.encoding)
            )
            self.theirs, self.conflicting, self.writes = document, True, 1
            self.conflict_at = now
