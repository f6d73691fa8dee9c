"""What was decided in a window that ended before it was done: said at the next start, until the person knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.paths import DocPath, name_of, shown
from memgui.domain.review import Owed, VerdictKind
from memgui.gui.disk import View
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.pending import Pending
from memgui.i18n import _, ngettext

if TYPE_CHECKING:
    from memgui.domain.review import PendingChange

OWED = "owed"
"""The kind of its pill."""
MOST_NAMED = 3


class Owing(QObject):
    """Asks once, when it is known what pends: what pends no more was done, or is decided otherwise."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        pending: Pending,
        show: Callable[[DocPath], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._session, self._pending, self._show = window, session, pending, show
        self._asked = False
        self._owed: tuple[Owed, ...] = ()
        pending.changed.connect(self._ask)
        window.notices.acted.connect(self._act)
        window.notices.dismissed.connect(self._dismiss)
        if pending.known:
            self._ask(pending.changes)

    @Slot(object)
    def _ask(self, changes: tuple[PendingChange, ...]) -> None:  # noqa: ARG002
        if not self._asked:
            self._asked = True
            self._session.ask(_left, self._tell)

    def _tell(self, left: tuple[Owed, ...]) -> None:
        there = {change.path for change in self._pending.changes}
        self._owed = tuple(one for one in left if one.path in there or one.kind is VerdictKind.UNDO)
        if self._owed:
            self._window.notices.tell(OWED, _sentence(self._owed), _("Review"), lasting=True)
        elif left:
            self._forget()

    def _forget(self) -> None:
        self._session.change(_forgotten, _nothing, self._session.failed.emit)

    @Slot(str)
    def _act(self, kind: str) -> None:
        if kind == OWED and self._owed:
            self._forget()
            self._show(self._owed[0].path)

    @Slot(str)
    def _dismiss(self, kind: str) -> None:
        if kind == OWED:
            self._forget()


def _sentence(owed: tuple[Owed, ...]) -> str:
    named = [f"{_deed(one.kind)} – {shown(name_of(one.path))}" for one in owed[:MOST_NAMED]]
    words = ngettext(
        "The last window ended before {count} decision of yours was done, as far as is known: {deeds}. Nothing was"
        " lost: what it was about is still in the review.",
        "The last window ended before {count} decisions of yours were done, as far as is known: {deeds}. Nothing was"
        " lost: what they were about is still in the review.",
        len(owed),
    )
    return words.format(count=f"{len(owed):,}", deeds=", ".join(named) + (" …" if len(owed) > MOST_NAMED else ""))


def _deed(kind: VerdictKind) -> str:
    return {
        VerdictKind.ACCEPT: _("accept"),
        VerdictKind.REJECT: _("reject"),
        VerdictKind.EDIT: _("your own lines"),
        VerdictKind.PUT_BACK: _("put lost lines back"),
    }.get(kind, _("undo"))


def _left(view: View) -> tuple[Owed, ...]:
    from memgui.ops import owed

    return owed.left(view.workspace)


def _forgotten(view: View) -> tuple[ChangeSet, None]:
    from memgui.ops import owed

    owed.forget_left(view.workspace)
    return ChangeSet(), None


def _nothing(done: None) -> None:
    """There is nothing more to say."""
