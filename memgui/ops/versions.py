"""Versions: what a document has held, as far as memgui has seen it, and who wrote it. And the ids of documents."""

from __future__ import annotations

import codecs
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from memgui.domain.documents import fingerprint
from memgui.domain.errors import ExecutionFailed, InvalidParameters, MemguiError, NotFound, ReadFailed
from memgui.domain.hits import document_id as first_id
from memgui.domain.moments import rfc3339
from memgui.domain.paths import DocPath, document_path, shown
from memgui.domain.versions import Version
from memgui.domain.workspace import Workspace
from memgui.i18n import _, ngettext
from memgui.ops import rebuilding
from memgui.ops.chronicle import Chronicle
from memgui.ops.noticing import PATIENCE_SECONDS, look
from memgui.ops.reading import check_reachable, on_disk, read_answer
from memgui.ops.recovery import copies
from memgui.storage import files

_MOST_RUNS = 8
"""So many runs of numbers are said; of a history with more gaps the first and the last."""


@dataclass(frozen=True, slots=True)
class VersionText:
    """The bytes of one version, and the text in them."""

    path: DocPath
    version: Version
    data: bytes
    content: str
    lossy: bool
    """Some bytes are no UTF-8; U+FFFD stands for them in `content`."""


def memory_read(
    ws: Workspace, path: str, *, version: int | None = None, list_versions: bool = False, now: float | None = None
) -> dict[str, Any]:
    """What the tool of this name answers: the document, one of its versions, or the list of them."""
    if not isinstance(path, str):
        raise InvalidParameters(_("path must be a text"))
    if not isinstance(list_versions, bool):
        raise InvalidParameters(_("list_versions must be true or false"))
    if list_versions and version is not None:
        raise InvalidParameters(_("version and list_versions cannot be given together"))
    if list_versions:
        return versions(ws, path, now=now)
    return read_answer(ws, path) if version is None else version_answer(ws, path, version, now=now)


def versions(ws: Workspace, raw: str, *, now: float | None = None) -> dict[str, Any]:
    """Every version of a document in the form that tools are given, the oldest first."""
    path, found = all_versions(ws, raw, now=now)
    return {"path": path, "versions": [_listed(one) for one in found], "version_count": len(found)}


def _listed(one: Version) -> dict[str, Any]:
    listed: dict[str, Any] = {
        "version": one.number,
        "content_hash": one.hash,
        "created_at": rfc3339(one.time),
        "changed_by": one.origin.label,
        "bytes": one.size,
    }
    return listed | {"forgotten": True} if one.is_forgotten else listed


def version_answer(ws: Workspace, raw: str, number: int, *, now: float | None = None) -> dict[str, Any]:
    """One version in the form that tools are given; of one that says that the document was deleted, no content."""
    found = version(ws, raw, number, now=now)
    answer = {
        "path": found.path,
        "version": found.version.number,
        "content": found.content,
        "content_hash": found.version.hash,
        "created_at": rfc3339(found.version.time),
        "changed_by": found.version.origin.label,
    }
    if found.version.hash is None:
        answer["note"] = "the document was deleted"
    if found.lossy:
        answer["note"] = "some bytes are not UTF-8; U+FFFD stands for them in content"
    return answer


def version(ws: Workspace, raw: str, number: int, *, now: float | None = None) -> VersionText:
    """One version. InvalidParameters for what is no number of one; ReadFailed where its copy is damaged."""
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise InvalidParameters(_("version must be a whole number from 1 on"))
    path, found = all_versions(ws, raw, now=now)
    return text_of(ws, path, numbered(path, found, number))


def text_of(ws: Workspace, path: DocPath, one: Version) -> VersionText:
    """The text of a version. NotFound where it was forgotten, ReadFailed where its copy is damaged."""
    data = b"" if one.hash is None else bytes_of(ws, path, one)
    text = data.removeprefix(codecs.BOM_UTF8)
    try:
        return VersionText(path, one, data, text.decode(), lossy=False)
    except UnicodeDecodeError:
        return VersionText(path, one, data, text.decode(errors="replace"), lossy=True)


def bytes_of(ws: Workspace, path: DocPath, one: Version) -> bytes:
    """The bytes of a version; where its copy is lost, made again of what holds them still."""
    if one.is_forgotten or (one.hash is not None and copies(ws).is_forgotten(one.hash)):
        raise NotFound(
            _("Read failed: version {number} of '{path}' was forgotten, as a person wanted.").format(
                path=shown(path), number=one.number
            )
        )
    if one.hash is None:
        raise NotFound(
            _("Read failed: version {number} of '{path}' says that it was deleted.").format(
                path=shown(path), number=one.number
            )
        )
    try:
        return Chronicle(ws).history.bytes_of(one.hash)
    except ExecutionFailed as error:
        data = rebuilding.rebuilt(ws, path, one)
        if data is not None:
            return data
        raise ReadFailed(
            _("Read failed: the copy of version {number} of '{path}' is damaged or missing.").format(
                path=shown(path), number=one.number
            ),
            hint=_("Its other versions can be read."),
        ) from error


def numbered(path: DocPath, found: tuple[Version, ...], number: int) -> Version:
    """The version with this number. NotFound where there is none."""
    one = next((one for one in found if one.number == number), None)
    if one is None:
        raise NotFound(
            _("Read failed: '{path}' has no version {number}.").format(path=shown(path), number=number),
            hint=_("It has {versions}.").format(versions=_numbers([one.number for one in found])),
        )
    return one


def _numbers(numbers: list[int]) -> str:
    """Which numbers there are, as a person says it: some may be gone between others."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    told = [_("{first} to {last}").format(first=run[0], last=run[1]) if len(run) > 1 else str(run[0]) for run in runs]
    shown_runs = told if len(told) <= _MOST_RUNS else [*told[: _MOST_RUNS - 2], "…", told[-1]]
    return ngettext("version {numbers}", "versions {numbers}", len(numbers)).format(numbers=", ".join(shown_runs))


def all_versions(ws: Workspace, raw: str, *, now: float | None = None) -> tuple[DocPath, tuple[Version, ...]]:
    """The document's real path and its versions, the newest as it is on disk now. NotFound where none was ever seen."""
    path = on_disk(ws, raw, document_path(raw, named_folders=ws.named_folders))
    check_reachable(ws, path)
    return path, seen(ws, path, now=now)


def seen(ws: Workspace, path: DocPath, *, now: float | None = None) -> tuple[Version, ...]:
    """The versions of what stands, or stood, at a path, whatever it is. NotFound where none was ever seen."""
    real = files.real_path(ws.root, path)
    moment = time.time() if now is None else now
    chronicle = Chronicle(ws)
    with chronicle.held():
        look(ws, chronicle, real, now=moment, patience=PATIENCE_SECONDS)
        known = chronicle.known.at(real)
        found = chronicle.history.versions(known.id) if known is not None else ()
    if not found:
        raise NotFound(_("Read failed: there is no '{path}'.").format(path=shown(path)))
    return found


# Ids ---------------------------------------------------------------------------------------------------------------


def document_id(ws: Workspace, path: DocPath) -> str:
    """The id of a document: the same after it was renamed, and after the cache was deleted."""
    return document_ids(ws, [path])[path]


def document_ids(ws: Workspace, paths: Iterable[DocPath]) -> dict[DocPath, str]:
    """The ids of documents. Where the state folder cannot be used: those that they get at first."""
    wanted = list(dict.fromkeys(paths))
    found: dict[DocPath, str] = {}
    if wanted:
        chronicle = Chronicle(ws)
        with suppress(OSError, ExecutionFailed), chronicle.held():
            for path in wanted:
                with suppress(MemguiError):
                    found[path] = _id(ws, chronicle, path)
    return {path: found.get(path) or first_id(str(ws.root), path) for path in wanted}


def _id(ws: Workspace, chronicle: Chronicle, path: DocPath) -> str:
    real = files.real_path(ws.root, path)
    node = files.look(ws.root, real)
    stat = node.stat if node is not None else None
    known = chronicle.known.at(real)
    if known is not None and (known.is_as(stat) or chronicle.history.newest(known.id) is not None):
        return known.id
    print_ = fingerprint(files.read(ws.root, real)[0])
    if known is None:
        return chronicle.document(real, stat, print_).id
    chronicle.known.note(known.id, stat, print_)
    return known.id
