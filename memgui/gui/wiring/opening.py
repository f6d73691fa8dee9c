"""The first opening of a workspace: what is there counts as seen from the start; the person may choose otherwise."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.paths import DocPath
from memgui.gui.disk import View
from memgui.gui.panels.review.opening import OpeningStrip
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.moves import Moves
from memgui.gui.wiring.pending import Pending

if TYPE_CHECKING:
    from memgui.ops.apart.reading import Apart
    from memgui.ops.opening import Overview, Taken


class Opening(QObject):
    """Shows the strip where nothing was known of the workspace, and does as the person chooses in it."""

    def __init__(self, window: MainWindow, session: Session, moves: Moves, pending: Pending, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._session, self._moves, self._pending = window, session, moves, pending
        self._hiding: tuple[DocPath, ...] = ()
        self._strip: OpeningStrip | None = None
        self._taken: Taken = ()
        self._seen = self._wanted = True
        self._busy = True
        """The first opening, or the last choice, is not through yet."""
        pending.progressed.connect(self._show_progress)
        pending.began.connect(self._go_on)

    @Slot(int, int)
    def _show_progress(self, done: int, total: int) -> None:
        if total and not self._pending.known:
            self._offer().show_progress(done, total)

    def _offer(self) -> OpeningStrip:
        if self._strip is None:
            self._strip = OpeningStrip()
            self._strip.chosen.connect(self._choose)
            self._strip.closed.connect(self._close)
            self._strip.show_requested.connect(self._show_hiding)
            self._window.place_strip(self._strip)
        return self._strip

    @Slot()
    def _go_on(self) -> None:
        """It is through: what was chosen meanwhile can be done. Where nothing is there, nothing is asked."""
        self._busy = False
        if self._strip is None and not self._is_anything_there():
            return
        self._offer().show_progress(1, 1)
        self._do()
        question = partial(_look_over, apart=self._session.apart, stop=self._is_closed)
        self._session.ask(question, self._show_overview, self._pending.failed.emit)

    def _is_anything_there(self) -> bool:
        view = self._session.view
        return view is not None and any(not node.kind.is_folder for node in view.snapshot.nodes.values())

    def _is_closed(self) -> bool:
        return self._pending.closed

    def _show_overview(self, overview: Overview) -> None:
        if self._strip is not None and overview:
            self._hiding = overview.hiding
            self._strip.show_found(overview.findings, overview.hiding)

    @Slot()
    def _show_hiding(self) -> None:
        if self._hiding:
            self._moves.open(self._hiding[0])

    @Slot(bool)
    def _choose(self, seen: bool) -> None:
        self._wanted = seen
        self._do()

    def _do(self) -> None:
        if self._busy or self._wanted == self._seen:
            return
        self._busy, self._seen = True, self._wanted
        deed = partial(_see, taken=self._taken) if self._seen else _unsee
        self._session.change(deed, self._done, self._pending.failed.emit)

    def _done(self, taken: Taken) -> None:
        self._busy, self._taken = False, taken
        self._pending.refresh()
        self._do()

    @Slot()
    def _close(self) -> None:
        if self._strip is not None:
            self._strip.deleteLater()
            self._strip = None


def _look_over(view: View, *, apart: Apart, stop: Callable[[], bool]) -> Overview:
    return apart.look_over(view.workspace, view.snapshot, stop=stop)


def _unsee(view: View) -> tuple[ChangeSet, Taken]:
    from memgui.ops import opening

    return ChangeSet(), opening.to_be_reviewed(view.workspace)


def _see(view: View, *, taken: Taken) -> tuple[ChangeSet, Taken]:
    from memgui.ops import opening

    opening.already_seen(view.workspace, taken)
    return ChangeSet(), ()
