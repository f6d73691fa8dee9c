"""`ActivityPanel`: what happened to memory, newest first; it can be narrowed, gone to, and exported."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from memgui.domain.activity import Event, Wanted
from memgui.gui.kit.layout import EmptyState, HairLine, column
from memgui.gui.kit.speech import announce
from memgui.gui.models.activity_model import ActivityModel, spoken
from memgui.gui.panels.activity.header import ActivityHeader
from memgui.gui.panels.activity.rows import ActivityRows
from memgui.i18n import _, ngettext


class ActivityPanel(QWidget):
    """Lists events, and tells what the person wishes."""

    wanted_changed = Signal()
    more_wanted = Signal()
    retry_requested = Signal()
    export_requested = Signal()
    opened = Signal(object)
    """`Event`: show me where that was."""
    history_requested = Signal(object)
    """`DocPath`"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("activityPanel")
        self.setAccessibleName(_("Activity"))
        self.setProperty("ready", False)
        self._new: set[str] = set()
        self._waits_for_rows = False
        self._history: QAction | None = None
        self.model = ActivityModel(self)
        self.header = ActivityHeader(self)
        self.list = ActivityRows(self.model, self)
        self._empty = EmptyState(self)
        self._empty.setObjectName("activityEmpty")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.list)
        box = column(self)
        box.addWidget(self.header)
        box.addWidget(HairLine(self))
        box.addWidget(self._stack, 1)
        self.setFocusProxy(self.header.field)
        self._connect()
        self.show_loading()

    def _connect(self) -> None:
        header, rows = self.header, self.list
        header.wanted_changed.connect(self.wanted_changed)
        header.newest_requested.connect(self._go_to_newest)
        header.export_requested.connect(self.export_requested)
        header.left.connect(self._enter_list)
        rows.opened.connect(self.opened)
        rows.up_reached.connect(header.field.setFocus)
        rows.verticalScrollBar().valueChanged.connect(self._count_new)
        rows.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        rows.customContextMenuRequested.connect(self._offer)
        self.model.more_wanted.connect(self.more_wanted)
        self._empty.chosen.connect(self._answer)

    def bind(self, history: QAction) -> None:
        """What leads to the history of the chosen event's document; its key is one of this panel."""
        self._history = history
        self.addAction(history)

    def take_keyboard(self) -> None:
        """Go to the list, now or as soon as there is one; until then to the field above it."""
        is_there = self._stack.currentWidget() is self.list
        self._waits_for_rows = not is_there
        (self.list if is_there else self.header.field).setFocus()

    # What it is told ---------------------------------------------------------------------------------------------

    @property
    def wanted(self) -> Wanted:
        """Which events are asked for."""
        return self.header.wanted

    def show_loading(self) -> None:
        """What happened is on its way; what is listed stays until then."""
        if self._stack.currentWidget() is not self.list:
            self._empty.show_state(icon="", title="", text=_("Reading what happened…"))
            self._stack.setCurrentWidget(self._empty)

    def show_trouble(self, words: str) -> None:
        """It cannot be told what happened."""
        buttons = [("activityRetry", _("Try again"))]
        self._empty.show_state(icon="error", title=_("No activity to show"), text=words, buttons=buttons)
        self._stack.setCurrentWidget(self._empty)
        self.setProperty("ready", True)

    def show_events(self, events: Sequence[Event], *, is_all: bool) -> None:
        """List these, the newest first."""
        held = self.list.hasFocus()
        self._new.clear()
        self.header.show_new(0)
        self.model.show(events, is_all=is_all)
        self.list.scrollToTop()
        self._show_which(held)
        self.setProperty("ready", True)
        if self.isVisible() and self.wanted != Wanted():
            count = len(events) if is_all else -1
            announce(self.list, _counted(count))

    def add_older(self, events: Sequence[Event], *, is_all: bool) -> None:
        """What was asked for at the end."""
        self.model.append(events, is_all=is_all)

    def join(self, events: Sequence[Event]) -> None:
        """What is new comes on top; what is read and what is chosen stays in its place."""
        held, place = self.list.hasFocus(), self.list.note_place()
        fresh = [event.id for event in events if not self.model.knows(event)]
        if self.model.join(events):
            self.list.keep_place(place)
            if place is not None:
                self._new.update(event for event in fresh)
            self._show_which(held)
            self._count_new()

    def _show_which(self, held: bool) -> None:
        if self.model.newest is not None:
            self._stack.setCurrentWidget(self.list)
            if held or (self._waits_for_rows and self.header.is_untouched):
                self.list.setFocus()
            self._waits_for_rows = False
            return
        if self.wanted != Wanted():
            buttons = [("activityAll", _("Show everything"))]
            text = _("Nothing that is kept was of this kind, by whom was asked, at such a path.")
            self._empty.show_state(icon="search", title=_("Nothing like that happened"), text=text, buttons=buttons)
        else:
            text = _("What is written, refused, decided and put back from now on is listed here.")
            self._empty.show_state(icon="clock", title=_("Nothing has happened yet"), text=text)
        self._stack.setCurrentWidget(self._empty)

    # What the person does ----------------------------------------------------------------------------------------

    @property
    def chosen(self) -> Event | None:
        """The chosen event."""
        return self.list.event_in_hand

    @Slot()
    def ask_for_history(self) -> None:
        """Ask for the history of the chosen event's document."""
        if self.chosen is not None and self.chosen.path is not None:
            self.history_requested.emit(self.chosen.path)

    @Slot()
    def _go_to_newest(self) -> None:
        self.list.go_to_newest()
        self.list.setFocus()
        self._count_new()

    @Slot()
    def _enter_list(self) -> None:
        if self._stack.currentWidget() is self.list:
            self.list.setFocus()
            if self.chosen is None:
                self.list.go_to_newest()

    @Slot()
    def _count_new(self) -> None:
        """Of what came above, what was scrolled to is new no more."""
        if self._new:
            first = self.list.indexAt(self.list.viewport().rect().topLeft()).row()
            rows = range(min(max(first, 0), self.model.rowCount()))
            above = {event.id for event in map(self.model.event_at, rows) if event is not None}
            self._new &= above
            self.header.show_new(len(self._new))

    @Slot(str)
    def _answer(self, name: str) -> None:
        if name == "activityAll":
            self.header.want_everything()
        else:
            self.retry_requested.emit()

    @Slot(QPoint)
    def _offer(self, at: QPoint) -> None:
        event = self.model.event_at(self.list.indexAt(at).row())
        if event is None:
            return
        menu = QMenu(self.list)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if event.path is not None:
            menu.addAction(_("Open")).triggered.connect(self._open_chosen)
            if self._history is not None:
                menu.addAction(self._history)
        menu.addAction(_("Copy")).triggered.connect(self._copy)
        menu.popup(self.list.viewport().mapToGlobal(at))

    @Slot()
    def _open_chosen(self) -> None:
        if self.chosen is not None:
            self.opened.emit(self.chosen)

    @Slot()
    def _copy(self) -> None:
        if self.chosen is not None:
            QGuiApplication.clipboard().setText(spoken(self.chosen))


def _counted(count: int) -> str:
    if count < 0:
        return _("Many events")
    return ngettext("{count} event", "{count} events", count).format(count=count)
