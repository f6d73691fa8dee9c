"""Heartbeat: one item's mark on disk, whatever else was written to the file meanwhile. Lane: writes."""

from __future__ import annotations

from dataclasses import dataclass

from memgui.domain import heartbeat, heartbeat_edits
from memgui.domain.changes import ChangeSet
from memgui.domain.documents import Document
from memgui.domain.errors import Conflict
from memgui.domain.heartbeat import Checklist, Item
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.text import Text
from memgui.domain.workspace import Workspace
from memgui.ops import documents

MOST_TRIES = 12
"""So often the mark is put into newer bytes, where somebody writes between the look and the write."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What is wanted: another mark for an item, which was seen in the reading `then`."""

    path: DocPath
    item: Item
    then: Checklist
    mark: str


@dataclass(frozen=True, slots=True)
class Marked:
    """What came of it: the document as it stood just before, and with the mark."""

    before: Document
    after: Document


def set_mark(
    ws: Workspace, wanted: Mark, *, origin: Origin, now: float | None = None, tries: int = MOST_TRIES
) -> tuple[ChangeSet, Marked]:
    """Put the mark into the bytes that stand there now, and change nothing else.

    The item is found anew by its words. Raises `ItemNotFound` where it is not there exactly once, Conflict where the
    file was written again at each of the tries, and what reading and writing raise.
    """
    for left in reversed(range(tries)):
        before = documents.read(ws, wanted.path)
        if before.text is None:
            raise heartbeat_edits.ItemNotFound.no_text(wanted.item)
        lines = before.text.lines
        item = heartbeat_edits.locate(heartbeat.read(lines.texts), wanted.then, wanted.item)
        data = Text(heartbeat_edits.set_mark(lines, item, wanted.mark).lines, before.text.encoding).encode()
        try:
            changes = documents.write(ws, wanted.path, data, expected=before.fingerprint, origin=origin, now=now)
        except Conflict:
            if not left:
                raise
            continue
        node = changes.changes[0].node if changes.changes else None
        return changes, Marked(before, Document.of(wanted.path, data, node or before.node))
    raise AssertionError("the last try returns or raises")
