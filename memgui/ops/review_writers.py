"""Who wrote what is pending, and when: by the versions that were seen since a person last accepted. Never guessed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import dropwhile

from memgui.domain.errors import ExecutionFailed, MemguiError
from memgui.domain.origin import Origin
from memgui.domain.paths import ROOT, DocPath, parent_of
from memgui.domain.versions import Version
from memgui.domain.workspace import Workspace
from memgui.ops.chronicle import Chronicle
from memgui.ops.review_found import Found
from memgui.storage import files
from memgui.storage.journal import IntentState


@dataclass(frozen=True, slots=True)
class Writers:
    """Who wrote since the baseline, from when on, and when somebody other than the person did last.

    Without `labels`: the person alone, at this moment.
    """

    labels: tuple[str, ...]
    since: float
    changed: float
    yours: int = 0
    """Nobody but the person did, and every version since is known: the number of the newest. 0: it is not so."""


def writers(ws: Workspace, one: Found, chronicle: Chronicle | None) -> Writers:
    """The writers of a difference. Where the state folder tells nothing: a program outside, when the file says."""
    versions: list[Version] = []
    newest: Version | None = None
    is_whole = False
    if chronicle is not None:
        with suppress(OSError, ExecutionFailed):
            versions, newest, is_whole = _since(chronicle, one)
    seen = versions[-1] if versions else None
    others = [(version.origin.label, version.time) for version in versions if not version.origin.is_person]
    if not others and one.source != one.path:
        # What a person files takes its baseline along: somebody else moved it.
        moved = one.stat.ctime_ns / 1e9 if one.stat is not None else 0.0
        return Writers((Origin.outside().label,), moved, moved)
    if seen is None or seen.hash != one.disk:
        who, moment, settles = _unseen(ws, one, chronicle, newest.row if newest is not None else 0)
        if who.is_person and settles and not others:
            # Whoever makes this save is about to say that it is accepted.
            return Writers((), moment, 0.0)
        if not (who.is_person and others):
            others.append((who.label, moment))
    elif not others:
        first = versions[0]
        labels = tuple(dict.fromkeys(version.origin.label for version in versions))
        is_yours = is_whole and all(version.settles for version in versions)
        return Writers(labels, first.time, 0.0, yours=seen.number if is_yours else 0)
    labels = tuple(dict.fromkeys(label for label, _time in others))
    changed = max(time for _label, time in others)
    if one.stat is not None and not (seen is not None and seen.hash == one.disk and seen.origin.is_person):
        # Whoever puts an older file there keeps its time; when that was done, its other time tells.
        changed = max(changed, one.stat.ctime_ns / 1e9)
    return Writers(labels, min(time for _label, time in others), changed)


def _since(chronicle: Chronicle, one: Found) -> tuple[list[Version], Version | None, bool]:
    """The versions after the baseline, the oldest first; the newest of all; and whether none is missing among them."""
    known = chronicle.known.at(one.path) or (chronicle.known.at(one.source) if one.source != one.path else None)
    versions = chronicle.history.versions(known.id) if known is not None else ()
    if not versions:
        return [], None, False
    found = [version for version in versions if version.number > one.entry.settled]
    is_whole = bool(found) and found[-1].number - one.entry.settled == len(found)
    # The first that was seen of a document may be what was accepted.
    return list(dropwhile(lambda version: version.hash == one.entry.hash, found)), versions[-1], is_whole


def _unseen(ws: Workspace, one: Found, chronicle: Chronicle | None, row: int) -> tuple[Origin, float, bool]:
    """Who put bytes there that no version tells of, when, and whether they are about to say that it is accepted.

    `row`: up to there the journal told of writers whose bytes are versions; the same bytes may come again by others.
    """
    if one.disk is not None and chronicle is not None:
        with suppress(OSError, ExecutionFailed):
            intent = chronicle.journal.writer_of(one.path, one.disk, after_id=row)
            if intent is not None:
                return intent.origin, intent.time, intent.settles and intent.state is IntentState.INTENDED
    if one.stat is not None:
        return Origin.outside(), one.stat.mtime_ns / 1e9, False
    return Origin.outside(), _left(ws, one.path), False


def _left(ws: Workspace, path: DocPath) -> float:
    """About when a document went: since then the folder that it lay in has not changed."""
    folder = parent_of(path)
    while folder:
        with suppress(MemguiError):
            node = files.look(ws.root, folder)
            if node is not None and node.stat is not None:
                return node.stat.mtime_ns / 1e9
        folder = parent_of(folder)
    with suppress(OSError):
        return (ws.root / ROOT).stat().st_mtime
    return 0.0
