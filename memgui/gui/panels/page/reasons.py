"""Which reason a page's banner gives, and what it offers. Of several: conflict, deleted, save-failed, then the rest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memgui.domain.text import HUGE_BYTES, Editability, candidates
from memgui.gui.panels.page import saying
from memgui.gui.panels.page.banner import Banner, Choice
from memgui.gui.panels.page.standing import Standing
from memgui.i18n import _


@dataclass(frozen=True, slots=True)
class Reason:
    """What there is to choose a reason from."""

    standing: Standing
    dirty: bool
    editable: bool
    ready: bool
    in_part: bool
    only_here: bool
    resolving: bool = False


def show_reason(banner: Banner, reason: Reason) -> None:
    """Show the weightiest reason there is, or none."""
    standing, base = reason.standing, reason.standing.base
    if standing.conflicting:
        _show_conflict(banner, standing, resolving=reason.resolving)
    elif standing.gone is not None:
        choices = [Choice("restoreFile", _("Restore"), primary=True)]
        if reason.dirty:
            choices.append(Choice("letGo", _("Close without my text")))
        text = saying.deleted(standing.gone, dirty=reason.dirty, failure=standing.failure)
        banner.tell("deleted", text, tuple(choices))
    elif standing.failure is not None:
        again, leave = Choice("tryAgain", _("Try again"), primary=True), Choice("letGo", _("Close without saving"))
        banner.tell("save-failed", saying.save_failed(standing.failure, only_here=reason.only_here), (again, leave))
    elif not reason.ready or base is None or reason.editable:
        banner.quiet()
    elif base.editability is Editability.NOT_UTF8:
        if banner.kind != "encoding":
            banner.offer_encodings([(encoding.shown, encoding) for encoding in candidates(base.data[:HUGE_BYTES])])
        banner.tell("encoding", saying.encoding(), ())
    elif base.editability.can_be_forced:
        size = len(base.data)
        banner.tell(
            "huge",
            saying.huge(base.editability, size, in_part=reason.in_part),
            (Choice("editAnyway", _("Edit anyway")),),
        )
    elif base.editability is Editability.BINARY:
        banner.tell("binary", saying.binary(), ())
    else:
        banner.quiet()


def _show_conflict(banner: Banner, standing: Standing, *, resolving: bool) -> None:
    known = standing.theirs is not None
    joinable = standing.overlapping is not None
    # What is resolved side by side need not be offered, nor its difference.
    resolve = () if resolving else (Choice("resolve", _("Resolve…"), primary=True, ready=joinable),)
    choices = (
        *resolve,
        Choice("keepMine", _("Keep mine (replace file)"), ready=known),
        Choice("takeTheirs", _("Take theirs (from disk)"), ready=known),
        Choice("keepBoth", _("Keep both"), ready=joinable),
    )
    text = saying.conflict(standing.overlapping, standing.writes, standing.conflict_at or datetime.now())
    banner.tell("conflict", text, choices, difference=known and not resolving)
    banner.show_writes(standing.came, count=standing.writes)
