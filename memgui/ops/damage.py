"""Damage that was met in memgui's own files, as a sentence: it kept nobody from working, and is told once."""

from __future__ import annotations

from contextlib import suppress

from memgui.domain.errors import MemguiError
from memgui.domain.workspace import Workspace
from memgui.i18n import _, ngettext
from memgui.storage.baselines import Baselines
from memgui.storage.locks import workspace_lock
from memgui.storage.salvage import untold

WINDOW, SHELL = "window", "shell"


def met(ws: Workspace, face: str) -> str | None:
    """What became of damaged files, where this face did not tell of it yet. Lane: any but the window's thread."""
    return " ".join(filter(None, (_met_in_journal(ws, face), _met_in_baselines(ws, face)))) or None


def _met_in_journal(ws: Workspace, face: str) -> str | None:
    found = untold(ws.state, face)
    if found is None:
        return None
    rows = ngettext("{count} row of it was saved", "{count} rows of it were saved", found.rows).format(count=found.rows)
    return _(
        "memgui's journal of who wrote what was damaged and has been begun anew; {rows}, and no document and no version"
        " was lost. The damaged file lies beside it as {name}."
    ).format(rows=rows, name=found.aside)


def _met_in_baselines(ws: Workspace, face: str) -> str | None:
    with suppress(OSError, MemguiError), workspace_lock(ws.state):
        if Baselines(ws.state).untold_loss(face):
            return _(
                "memgui's note of what you accepted was damaged: what it no longer knows waits for your review again."
                " No document and no version was lost."
            )
    return None
