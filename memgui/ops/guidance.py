"""Guidance: a line that a person leaves in long-term memory, so that agents do not write again what was rejected.

Lane of `leave` and `take_back`: writes.
"""

from __future__ import annotations

from memgui.domain.changes import ChangeSet
from memgui.domain.errors import InvalidParameters
from memgui.domain.layouts import Layout
from memgui.domain.paths import DocPath, join
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import logs
from memgui.ops.logs import Addition, Captured
from memgui.storage import files


def place(ws: Workspace) -> DocPath | None:
    """The document that it goes to: long-term memory by the layout; None where the layout keeps facts instead."""
    rule = ws.layout.rules.memory
    if rule is None:
        return None
    path = join(ws.stores[0].path, rule)
    older = DocPath(path.lower())
    if ws.layout is Layout.OPENCLAW and files.look(ws.root, path) is None and files.look(ws.root, older) is not None:
        return older
    return path


def prepare(ws: Workspace, text: str) -> Addition:
    """The line that `text` becomes. NULs are left out: with them the document would no longer be text."""
    text = " ".join(text.replace("\0", "").split())
    path = place(ws)
    if not text:
        raise InvalidParameters(_("content cannot be empty"))
    if path is None:
        raise InvalidParameters(_("This workspace keeps facts and no long-term memory in one document."))
    return Addition(path, text if text.startswith(("- ", "* ")) else f"- {text}")


def leave(ws: Workspace, text: str) -> Captured:
    """Put the line at the end of long-term memory, as the person. What others append meanwhile stays."""
    return logs.add(ws, prepare(ws, text))


def take_back(ws: Workspace, captured: Captured) -> ChangeSet:
    """Remove the line again; what was written since stays. Conflict where it cannot be told any more."""
    return logs.take_back(ws, captured)
