"""Where a page stands towards the disk: what it was built on, what lies there now, what is on its way. Knows no Qt."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from memgui.domain.documents import Document, Fingerprint, fingerprint
from memgui.domain.errors import Conflict, MemguiError
from memgui.domain.paths import DocPath
from memgui.domain.requests import SaveRequest, SaveResult, Unsaved

MOST_WRITES = 50
"""So many writes of the other side are kept to be listed; the count goes on."""


class SideWrite(NamedTuple):
    """One write of the other side as it was seen, and how many lines came and went with it."""

    when: datetime
    added: int
    removed: int


class Meeting(Enum):
    """What newly read bytes are to a page."""

    KNOWN = "the bytes that the page stands on"
    MINE = "the very text that is on the page"
    NEWER = "others, and nothing was typed"
    BOTH = "others, and text was typed"


@dataclass
class Standing:
    """Which bytes the page was last one with (`base`), and what has come between since."""

    base: Document | None = None
    theirs: Document | None = None
    """The latest bytes of the other side, until they and the page's text are one."""
    conflicting: bool = False
    """The two cannot be joined without the person."""
    overlapping: int | None = None
    """How many lines both changed, where that is known."""
    writes: int = 0
    """How often the other side was seen to write since its text and the page's parted."""
    came: tuple[SideWrite, ...] = ()
    """Those writes, the newest first, as far as they are kept."""
    conflict_at: datetime | None = None
    """When the other side was last seen to write."""
    merged: int = 0
    """How many lines came in beside text that is not saved yet."""
    gone: datetime | None = None
    failure: MemguiError | None = None
    in_flight: SaveRequest | None = None
    asked_over: Document | None = None
    """What the page stood on when the save was asked for that is on its way."""
    written: datetime | None = None
    """When the disk was last known to hold the page's text."""
    tickets: int = 0

    @property
    def expected(self) -> Fingerprint | None:
        """The bytes that a save may replace."""
        return None if self.base is None or self.gone else self.base.fingerprint

    def meet(self, document: Document, mine: bytes, now: datetime) -> Meeting:
        """Take note of what was read, and say what it is. `mine` is the text on the page, in bytes."""
        self.gone = None
        dirty = bool(mine) if self.base is None else mine != self.base.data
        if document.data == mine:
            self.settle(document)
            if dirty:
                self.written = now
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
            self._note_write(document, now)
        self.theirs = document
        return Meeting.BOTH

    def _note_write(self, document: Document, now: datetime) -> None:
        before = self.theirs or self.base
        old = Counter(before.display.texts if before is not None else ())
        new = Counter(document.display.texts)
        self.writes += 1
        self.came = (SideWrite(now, (new - old).total(), (old - new).total()), *self.came)[:MOST_WRITES]
        self.conflict_at = now

    def conflict(self, overlapping: int | None) -> None:
        """The page's text and theirs cannot be joined without the person."""
        self.conflicting, self.overlapping = True, overlapping

    def settle(self, document: Document) -> None:
        """The page and the disk stand on these bytes."""
        self.base = document
        self.theirs, self.conflicting, self.overlapping, self.failure = None, False, None, None
        self.writes, self.came, self.conflict_at = 0, (), None

    def ask(self, path: DocPath, data: bytes, *, unlocked: bool) -> SaveRequest:
        """The request to put `data` on the disk."""
        self.tickets += 1
        self.asked_over = self.base
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
        self.gone, self.failure, self.written, self.merged = None, None, now, 0
        return True

    def failed(self, error: MemguiError, now: datetime) -> None:
        """Take note that the disk does not hold what was asked."""
        self.in_flight = None
        if isinstance(error, Conflict):
            # What stands there now is read, and met.
            self.gone = (self.gone or now) if error.found is None else None
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
            # The page stands on what the text was typed over, so that whatever is newer is joined with it.
            old = unsaved.base_data
            self.base = (
                None if old is None else Document.of(document.path, old, document.node, encoding=unsaved.encoding)
            )
            self._note_write(document, now)
            self.theirs = document
