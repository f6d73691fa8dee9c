"""The searches that a person made in a workspace and may want again. Lane of `keep`: any but the window's thread."""

from __future__ import annotations

from memgui.domain.searches import SavedSearch, Searches
from memgui.domain.workspace import Workspace
from memgui.storage import searches as _searches

__all__ = ["SavedSearch", "Searches", "keep", "known"]


def known(ws: Workspace) -> Searches:
    """Those that were kept; none where there is nothing that can be read."""
    return _searches.read(ws.state)


def keep(ws: Workspace, searches: Searches) -> None:
    """Keep these in memgui's own folder for the workspace."""
    _searches.put(ws.state, searches)
