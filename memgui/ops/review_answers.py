"""Review in the form that programs are given, and what a change is once something was decided of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from memgui.domain import hunks
from memgui.domain.documents import fingerprint
from memgui.domain.errors import InvalidParameters, MemguiError
from memgui.domain.moments import rfc3339
from memgui.domain.paths import shown
from memgui.domain.review import Hunk, PendingChange, ShownChange, change_id
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import baselines, sync
from memgui.ops.review import change_at, pending, show
from memgui.ops.review_found import disk


def begun(ws: Workspace) -> bool:
    """The first opening, if there was none: what stands there counts as accepted. Whether it was only now."""
    if baselines.is_begun(ws):
        return False
    return baselines.begin(ws, sync.look(ws))


def list_answer(changes: Iterable[PendingChange]) -> dict[str, Any]:
    """The changes of a list."""
    return {
        "changes": [
            {
                "id": one.id,
                "path": one.path,
                **_source(one),
                "kind": str(one.kind),
                "alarm": one.alarm,
                "who": list(one.who),
                "since": rfc3339(one.since),
                "added": one.added,
                "removed": one.removed,
            }
            for one in changes
        ]
    }


def show_answer(change: ShownChange) -> dict[str, Any]:
    """A change with its hunks."""
    one = change.change
    return {
        "id": one.id,
        "path": one.path,
        **_source(one),
        "kind": str(one.kind),
        "hunks": [
            {"id": hunk.id, "line": hunk.line, "removed": list(removed), "added": list(added)}
            for hunk in change.hunks
            for removed, added in [told(hunk)]
        ],
    }


def told(hunk: Hunk) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines of a hunk without their endings; with them, where nothing else differs."""
    removed, added = hunks.unended(hunk.removed), hunks.unended(hunk.added)
    return (hunk.removed, hunk.added) if removed == added else (removed, added)


def numbered(id_: str) -> tuple[str, int | None]:
    """The change and the hunk that `ID` or `ID.N` names. InvalidParameters where N is none."""
    change, dot, number = id_.partition(".")
    if not dot:
        return change, None
    if not (number.isascii() and number.isdecimal()) or len(number) > 9:
        raise InvalidParameters(
            _("'{id}' is not the id of a change or of one of its hunks.").format(id=shown(id_[:80])),
            hint=_("memgui review show ID lists the hunks of a change."),
        )
    return change, int(number)


def after(ws: Workspace, change: PendingChange) -> ShownChange:
    """What is left of a change once something was decided of it; without hunks where nothing is."""
    if change.held:
        for one in pending(ws):
            if one.held and (one.path, one.who, one.since) == (change.path, change.who, change.since):
                return show(ws, one)
        return ShownChange(replace(change, added=0, removed=0), ())
    sources = dict.fromkeys([change.source, change.path])
    for path, source in [(change.path, source) for source in sources] + [(change.source, change.source)]:
        now = change_at(ws, path, source=source)
        if now is not None:
            return show(ws, now)
    try:
        data, stat = disk(ws, change.path)
    except MemguiError:
        data, stat = None, None
    print_ = None if data is None else fingerprint(data)
    id_ = change_id(change.path, print_, print_)
    return ShownChange(replace(change, id=id_, added=0, removed=0, baseline=print_, disk=print_, stat=stat), ())


def _source(change: PendingChange) -> dict[str, str]:
    return {} if change.renamed_from is None else {"from": change.renamed_from}
