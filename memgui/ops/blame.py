"""Blame: of each line of a document who wrote it, in which version and when. Asked for, never kept. Lane: reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memgui.domain.differences import runs
from memgui.domain.errors import Conflict, MemguiError
from memgui.domain.hunks import Lines, ending_or_none, pieces, shown, unended
from memgui.domain.moments import rfc3339
from memgui.domain.paths import DocPath
from memgui.domain.shapes import has_lines
from memgui.domain.versions import Version
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import versions
from memgui.ops.chronicle import Chronicle
from memgui.storage import files
from memgui.storage.folders import never


@dataclass(frozen=True, slots=True)
class Written:
    """Who wrote a line: the label of an origin, empty where versions are lost and it could be another's.

    `is_first`: it stood there when memgui first saw the document, whoever had written it.
    """

    who: str
    version: int
    time: float
    is_first: bool = False


def blame_answer(ws: Workspace, path: str) -> dict[str, Any]:
    """The lines of a document with their writers, in the form that programs are given."""
    real, _found = versions.all_versions(ws, path)
    told = blame(ws, real)
    texts = unended(shown(pieces(files.read(ws.root, real)[0]))) if told else ()
    if len(texts) != len(told):
        raise Conflict(real, expected=None, found=None, hint=_("Ask again."))
    return {
        "path": real,
        "lines": [
            {"line": number, "who": one.who, "version": one.version, "at": rfc3339(one.time), "text": text}
            for number, (one, text) in enumerate(zip(told, texts, strict=True), 1)
        ],
    }


@dataclass(frozen=True, slots=True)
class Blamed:
    """A document as it is on disk, line by line, each with who wrote it."""

    lines: Lines = ()
    told: tuple[Written, ...] = ()

    def over(self, data: bytes) -> tuple[Written | None, ...]:
        """The same for a text made of it, as one that is not saved yet; None for lines that are not on disk."""
        told: list[Written | None] = list(self.told)
        for start, removed, _new_start, added in reversed(runs(_closed(self.lines), _closed(pieces(data)))):
            told[start : start + removed] = [None] * added
        return tuple(told)


def blamed(ws: Workspace, path: DocPath, *, stop: Callable[[], bool] = never) -> Blamed:
    """The lines of the document with their writers, to be laid over a text. NotFound as for `blame`."""
    told = blame(ws, path, stop=stop)
    lines = pieces(files.read(ws.root, path)[0]) if told else ()
    # Written in between: whoever asked is told of that, and asks again.
    return Blamed(lines, told) if len(lines) == len(told) else Blamed()


def blame(ws: Workspace, path: DocPath, *, stop: Callable[[], bool] = never) -> tuple[Written, ...]:
    """For each line of the document as it is on disk, in order; none where it is no text, or told to stop.

    NotFound where no version was ever seen.
    """
    _real, found = versions.all_versions(ws, path)
    history = Chronicle(ws).history
    lines: Lines = ()
    told: list[Written] = []
    unread: list[Version] = []
    for version in found:
        if stop():
            return ()
        try:
            data = b"" if version.hash is None else history.bytes_of(version.hash)
        except MemguiError:
            unread.append(version)
            continue
        if not has_lines(data):
            lines, told, unread = (), [], [version]
            continue
        writers = {one.origin.label for one in (*unread, version)}
        who = version.origin.label if len(writers) == 1 else ""
        mark = Written(who, version.number, version.time, is_first=version is found[0])
        now = _closed(pieces(data))
        for start, removed, _new_start, added in reversed(runs(lines, now)):
            told[start : start + removed] = [mark] * added
        lines, unread = now, []
    return () if unread else tuple(told)


def _closed(lines: Lines) -> Lines:
    """The lines, the last one with an ending too: who begins a line below it has not written it."""
    if not lines or ending_or_none(lines[-1]):
        return lines
    return (*lines[:-1], lines[-1] + (ending_or_none(lines[-2]) if len(lines) > 1 else b"\n"))
