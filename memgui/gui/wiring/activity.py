"""The activity and the session: what happened is read beside the window, followed while looked at, and exported."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from memgui.domain.activity import Event, Wanted
from memgui.domain.errors import MemguiError
from memgui.domain.paths import DocPath
from memgui.domain.tree import NodeKind
from memgui.gui.disk import View
from memgui.gui.jobs import Desk, Lane
from memgui.gui.panels.activity.panel import ActivityPanel
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.moves import Moves, Spot
from memgui.gui.wiring.pills import Pills
from memgui.i18n import _, ngettext
from memgui.ops.activity import Activity, Events, Stamp

if TYPE_CHECKING:
    from memgui.gui.wiring.history import Recall

T = TypeVar("T")
PAGE = 200
MOST_JOINED = 2_000
"""Where more came meanwhile than this, the list begins anew."""
GATHER_MS = 150
ELSEWHERE_MS = 2_000
"""How often it is asked whether another process did something, while the list is looked at."""


class Activities(QObject):
    """Shows the activity in the middle."""

    said = Signal(str)
    _followed = Signal()

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        moves: Moves,
        pills: Pills,
        recall: Callable[[], Recall],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._session, self._moves, self._pills, self._recall = window, session, moves, pills, recall
        self.panel = ActivityPanel()
        self._reader: Activity | None = None
        self._pages, self._looks = Desk(), Desk()
        self._stamp: Stamp = ()
        self._day = date.today()
        self._dialog: QFileDialog | None = None
        # Long work of its own, so that it holds up neither reads nor writes.
        self._lane = Lane("activity", parent=self)
        self._gather = QTimer(self, singleShot=True, interval=GATHER_MS)
        self._gather.timeout.connect(self._look)
        self._elsewhere = QTimer(self, interval=ELSEWHERE_MS)
        self._elsewhere.timeout.connect(self._ask_for_stamp)
        window.place_activity(self.panel)
        self._connect()

    def _connect(self) -> None:
        panel, window = self.panel, self._window
        panel.wanted_changed.connect(self._begin)
        panel.retry_requested.connect(self._begin)
        panel.more_wanted.connect(self._ask_for_older)
        panel.export_requested.connect(self.choose_file)
        panel.opened.connect(self._open)
        panel.history_requested.connect(self._show_history)
        panel.bind(window.action("activity.history"))
        self._session.changed.connect(self._note)
        self._session.view_changed.connect(self._follow_view)
        self._pills.changed.connect(self._gather.start)
        self._followed.connect(self._gather.start, Qt.ConnectionType.QueuedConnection)
        window.middle_changed.connect(self._follow_middle)
        window.closing.connect(self._end)

    @Slot()
    def _end(self) -> None:
        self._elsewhere.stop()
        self._gather.stop()
        self._pages.cancel()
        self._looks.cancel()
        self._lane.close(2.0)

    # Showing -------------------------------------------------------------------------------------------------------

    @Slot()
    def show(self) -> None:
        """Bring the activity to the front."""
        self._window.show_middle("activity")
        self.panel.take_keyboard()

    @Slot()
    def _follow_middle(self) -> None:
        """While it is in front it follows what happens; else it is read on when it comes to the front again."""
        if self._window.middle != "activity":
            self._elsewhere.stop()
            return
        self._elsewhere.start()
        if self._reader is None:
            self._begin()
        else:
            self._look()

    @Slot()
    def _begin(self) -> None:
        """Read the newest of what is wanted."""
        view = self._session.view
        if view is None:
            return
        if self._reader is None or self._reader.ws.state != view.workspace.state:
            self._reader = Activity(view.workspace)
        self.panel.show_loading()
        self._looks.cancel()
        ticket = self._pages.next()
        work = partial(
            _newest, self._reader, self.panel.wanted, self._pills.events, stop=lambda: ticket.stale, limit=PAGE
        )
        self._lane.submit(work, self._take_newest, self._fail, ticket=ticket)

    def _take_newest(self, answer: tuple[Events, Stamp, tuple[str, ...]]) -> None:
        found, self._stamp, writers = answer
        self.panel.header.show_writers(writers)
        self.panel.show_events(found.events, is_all=found.is_all)

    @Slot()
    def _ask_for_older(self) -> None:
        oldest = self.panel.model.oldest
        if self._reader is None or oldest is None:
            return
        ticket = self._pages.next()
        work = partial(
            self._reader.page,
            before=oldest,
            limit=PAGE,
            wanted=self.panel.wanted,
            others=self._pills.events,
            stop=lambda: ticket.stale,
        )
        self._lane.submit(work, self._take_older, self._fail, ticket=ticket)

    def _take_older(self, found: Events) -> None:
        self.panel.add_older(found.events, is_all=found.is_all)

    def _fail(self, error: MemguiError) -> None:
        self.panel.show_trouble(error.sentences)

    # Following -----------------------------------------------------------------------------------------------------

    @Slot()
    def _note(self) -> None:
        """The disk is other than before. What others wrote is listed once its version is noted."""
        self._gather.start()
        QTimer.singleShot(0, self._follow_versions)

    @Slot()
    def _follow_versions(self) -> None:
        self._session.later(self._tell_followed)

    def _tell_followed(self, view: View) -> None:  # noqa: ARG002
        """On the lane's thread, behind what notes the versions."""
        if not self._session.is_closed:
            self._followed.emit()

    @Slot()
    def _look(self) -> None:
        """Read what is new, if anybody looks."""
        self._look_back(PAGE)

    def _look_back(self, limit: int) -> None:
        if self._reader is None or self._window.middle != "activity":
            return
        ticket = self._looks.next()
        work = partial(
            _newest, self._reader, self.panel.wanted, self._pills.events, stop=lambda: ticket.stale, limit=limit
        )
        self._lane.submit(work, partial(self._join, limit), self._fail, ticket=ticket)

    def _join(self, limit: int, answer: tuple[Events, Stamp, tuple[str, ...]]) -> None:
        found, self._stamp, writers = answer
        self.panel.header.show_writers(writers)
        model = self.panel.model
        meets = found.is_all or any(map(model.knows, found.events))
        if model.newest is None or (not meets and limit >= MOST_JOINED):
            self.panel.show_events(found.events, is_all=found.is_all)
        elif meets:
            self.panel.join(found.events)
        else:
            self._look_back(MOST_JOINED)

    @Slot()
    def _ask_for_stamp(self) -> None:
        if date.today() != self._day:
            self._day = date.today()
            self.panel.list.viewport().update()
        if self._reader is not None:
            self._lane.submit(self._reader.stamp, self._take_stamp, self._session.failed.emit)

    def _take_stamp(self, stamp: Stamp) -> None:
        """Of a refusal, or of what is decided on a command line, no file of the workspace tells."""
        if stamp != self._stamp:
            self._look()

    @Slot(object)
    def _follow_view(self, view: View) -> None:
        """It may have another history by now: that of where it stood before."""
        if self._reader is not None and self._reader.ws.state != view.workspace.state:
            self._reader = None
            self._follow_middle()

    # Going there ---------------------------------------------------------------------------------------------------

    @Slot(object)
    def _open(self, event: Event) -> None:
        """To the document, at the line; where it is gone, to its history."""
        view, path = self._session.view, event.path
        if view is None or path is None:
            return
        node = view.snapshot.nodes.get(path)
        if node is None or node.kind is not NodeKind.FILE:
            self._show_history(path)
        elif event.line is not None:
            self._moves.go(Spot(path, event.line))
        else:
            self._moves.open(path)

    @Slot(object)
    def _show_history(self, path: DocPath) -> None:
        self._recall().show_of(path)

    # Export --------------------------------------------------------------------------------------------------------

    @Slot()
    def choose_file(self) -> None:
        """Ask where to, beside the window and not in its way. What is there already is asked about by the dialog."""
        name = f"memgui-activity-{time.strftime('%Y-%m-%d')}.jsonl"
        dialog = QFileDialog(self._window, _("Export Activity"), str(Path.home()))
        dialog.setObjectName("activityExportDialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([_("JSON lines (*.jsonl)"), _("All files (*)")])
        dialog.setDefaultSuffix("jsonl")
        dialog.selectFile(name)
        dialog.fileSelected.connect(self._export_to)
        self._dialog = dialog
        dialog.open()

    @Slot(str)
    def _export_to(self, file: str) -> None:
        self.export(Path(file))

    def export(self, file: Path) -> None:
        """Write all that is wanted into a file, be it listed yet or not."""
        view = self._session.view
        if view is None:
            return
        self.said.emit(_("Exporting…"))
        work = partial(_exported, Activity(view.workspace), file, self.panel.wanted, self._pills.events, self._is_over)
        self._lane.submit(work, partial(self._tell_exported, file), self._session.failed.emit)

    def _is_over(self) -> bool:
        return self._session.is_closed

    def _tell_exported(self, file: Path, count: int) -> None:
        words = ngettext("{count} event is in {file}", "{count} events are in {file}", count)
        self.said.emit(words.format(count=f"{count:,}", file=file.name))


def _newest(
    reader: Activity, wanted: Wanted, others: Sequence[Event], *, stop: Callable[[], bool], limit: int
) -> tuple[Events, Stamp, tuple[str, ...]]:
    # Before the look: what changes while it goes on is seen the next time.
    stamp = reader.stamp()
    found = reader.page(limit=limit, wanted=wanted, others=others, stop=stop)
    return found, stamp, reader.writers()


def _exported(reader: Activity, file: Path, wanted: Wanted, others: Sequence[Event], stop: Callable[[], bool]) -> int:
    return reader.export(file, wanted=wanted, others=others, stop=stop)
