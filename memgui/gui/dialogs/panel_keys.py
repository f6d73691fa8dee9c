"""Keys that are no actions: what a panel does with a key while it has the keyboard."""

from __future__ import annotations

from memgui.gui.models.palette_model import Offer
from memgui.i18n import _


def panel_offers() -> list[Offer]:
    """Each with the place where it holds, as rows of the list of keys."""
    heartbeat, days, text = _("In the checklist"), _("In the days"), _("In the text")
    resolving, files = _("Resolving a conflict"), _("In the tree")
    rows = (
        (_("Tick"), heartbeat, _("Space")),
        (_("Edit Words"), heartbeat, _("Enter")),
        (_("Add Below"), heartbeat, _("Insert")),
        (_("Remove"), heartbeat, _("Delete")),
        (_("Move Up, Down"), heartbeat, "Alt+↑, Alt+↓"),
        (_("Open Ones Alone"), heartbeat, "F"),
        (_("Next, Previous Entry"), days, "J, K"),
        (_("Later, Earlier Day"), days, "N, P"),
        (_("Seven Days Later, Earlier"), days, "Shift+N, Shift+P"),
        (_("Today"), days, "T"),
        (_("Open a Long Entry Out"), days, _("Space")),
        (_("Open the Log There"), days, _("Enter")),
        (_("Move Lines Up, Down"), text, "Alt+↑, Alt+↓"),
        (_("Next, Previous Place"), resolving, "F7, Shift+F7"),
        (_("Use Mine, Theirs"), resolving, "Ctrl+←, Ctrl+→"),
        (_("Filter Files"), files, "/"),
        (_("Keep the Page Open"), files, _("Enter")),
    )
    return [Offer(words, place, "keyboard", key, f"key.{number}") for number, (words, place, key) in enumerate(rows)]
