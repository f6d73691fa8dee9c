"""Damage that was met in memgui's own files, as a sentence: it kept nobody from working, and is told once."""

from __future__ import annotations

from memgui.domain.workspace import Workspace
from memgui.i18n import _, ngettext
from memgui.storage.salvage import untold

WINDOW, SHELL = "window", "shell"


def met(ws: Workspace, face: str) -> str | None:
    """What became of a damaged journal, where this face did not tell of it yet. Lane: any but the window's thread."""
    found = untold(ws.state, face)
    if found is None:
        return None
    rows = ngettext("{count} row of it was saved", "{count} rows of it were saved", found.rows).format(count=found.rows)
    return _(
        "memgui's journal of who wrote what was damaged and has been begun anew; {rows}, and no document and no version"
        " was lost. The damaged file lies beside it as {name}."
    ).format(rows=rows, name=found.aside)
