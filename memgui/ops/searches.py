"""The searches that a person made in a workspace and may want again. Lane of `keep`: writes."""

from __future__ import annotations

from memgui.domain.errors import WriteFailed
from memgui.domain.searches import SavedSearch, Searches
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.storage import searches as _searches
from memgui.storage.locks import workspace_lock
from memgui.storage.spot import reason_of

__all__ = ["SavedSearch", "Searches", "keep", "known"]


def known(ws: Workspace) -> Searches:
    """Those that were kept; none where there is nothing that can be read."""
    return _searches.read(ws.state)


def keep(ws: Workspace, searches: Searches, *, base: Searches) -> Searches:
    """Keep these, made of `base`, in memgui's own folder for the workspace; the answer is what is kept now.

    What another window kept since `base` stays, and what was forgotten stays so. WriteFailed where a saved search
    could not be kept; the latest ones alone are worth no word.
    """
    with workspace_lock(ws.state):
        before = _searches.read(ws.state)
        now = searches.joined(base, before)
        try:
            if now != before:
                _searches.put(ws.state, now)
        except OSError as error:
            if now.saved != before.saved:
                message = _("The saved searches could not be kept: {reason}. They are there until memgui ends.")
                raise WriteFailed(message.format(reason=reason_of(error)), errno=error.errno) from error
        return now
