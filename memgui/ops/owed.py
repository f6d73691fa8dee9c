"""What a person decided and what is not done yet, kept so that no end of the process loses it silently."""

from __future__ import annotations

from collections.abc import Iterable

from memgui.domain.errors import WriteFailed
from memgui.domain.review import Owed
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.storage.crash import NO_DESK
from memgui.storage.owed import OwedVerdicts
from memgui.storage.spot import reason_of


def keep(ws: Workspace, owed: Iterable[Owed], *, desk: str) -> None:
    """These of this desk's verdicts are not done yet; where there is none, all are."""
    try:
        _verdicts(ws, desk).put(owed)
    except OSError as error:
        raise WriteFailed(
            _("What you decided could not be noted: {reason}.").format(reason=reason_of(error)),
            errno=error.errno,
            hint=_("It is done all the same, unless memgui ends before."),
        ) from error


def left(ws: Workspace) -> tuple[Owed, ...]:
    """What was decided in windows that are no more, and was not done as far as is known."""
    return _verdicts(ws).left()


def forget_left(ws: Workspace) -> None:
    """The person knows of it."""
    try:
        _verdicts(ws).forget_left()
    except OSError as error:
        message = _("What you decided before could not be forgotten: {reason}.").format(reason=reason_of(error))
        raise WriteFailed(message, errno=error.errno) from error


def _verdicts(ws: Workspace, desk: str = NO_DESK) -> OwedVerdicts:
    return OwedVerdicts(ws.state / "owed", desk)
