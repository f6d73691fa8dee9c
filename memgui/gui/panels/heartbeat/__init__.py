"""The checklist of a heartbeat file: shows what it is given and asks by signals for every change."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from memgui.domain.heartbeat import Checklist, Item, Passage, PassageKind, Section
from memgui.domain.heartbeat_run import Verdict
from memgui.domain.paths import DocPath
from memgui.gui.kit.layout import EmptyState, column
from memgui.gui.kit.speech import announce
from memgui.gui.models.heartbeat_model import Draft, HeartbeatModel
from memgui.gui.panels.heartbeat import items
from memgui.gui.panels.heartbeat.header import Header
from memgui.gui.panels.heartbeat.items import ItemsView
from memgui.i18n import _

__all__ = ["HeartbeatPanel"]


class HeartbeatPanel(QWidget):
    """Header, list and empty states. Its wishes name items as they were shown; whoever hears them finds them anew."""

    tick_requested = Signal(object, bool)
    """An `Item`, and whether it is to be ticked."""
    text_requested = Signal(object, str)
    add_requested = Signal(object, str)
    """The `Item` or `Section` to add to (None: at the end), and the words."""
    remove_requested = Signal(object)
    move_requested = Signal(object, bool)
    """An `Item`, and whether it goes down."""
    line_chosen = Signal(int)
    """The person went to an item; its line."""
    create_requested = Signal()
    other_requested = Signal()
    """The person wants to choose another file."""
    source_requested = Signal()
    """The person wants the source away, or back."""
    left = Signal()
    """The keyboard wants to go to the text."""
    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("heartbeat")
        self.setAccessibleName(_("Heartbeat checklist"))
        self._model = HeartbeatModel()
        self._model.setParent(self)
        self._pending: tuple[DocPath, Checklist, Verdict] | None = None
        self._wanted: int | None = None
        self._again = ""
        self.header = Header(self)
        self.list = ItemsView(self._model, self)
        self._empty = EmptyState(self)
        self._stack = QStackedWidget(self)
        for place in (self.list, self._empty):
            self._stack.addWidget(place)
        # Not that of its highest page: the header comes first where there is little room.
        self._stack.setMinimumHeight(1)
        box = column(self)
        box.addWidget(self.header)
        box.addWidget(self._stack, 1)
        self.header.hide()
        self.setFocusProxy(self.list)
        self._connect()

    def _connect(self) -> None:
        model, view = self._model, self.list
        model.tick_requested.connect(self.tick_requested)
        model.text_requested.connect(self.text_requested)
        model.add_requested.connect(self.add_requested)
        view.wished.connect(self._wish)
        view.left.connect(self.left)
        view.edit_ended.connect(self._edit_ended)
        view.row_chosen.connect(self._tell_line)
        self.header.filter_chosen.connect(self.show_open_only)
        self.header.add_chosen.connect(self.add)
        self.header.source_chosen.connect(self.source_requested)
        self._empty.chosen.connect(self._answer_empty)

    # What it shows ---------------------------------------------------------------------------------------------------

    @property
    def checklist(self) -> Checklist:
        """What the person sees."""
        return self._model.checklist

    def show_checklist(self, path: DocPath, checklist: Checklist, verdict: Verdict) -> None:
        """Follow the text. While an item's words are being typed, the list waits."""
        if self.list.is_editing:
            self._pending = (path, checklist, verdict)
            return
        current = self._model.row_at(self.list.currentIndex())
        self.list.expect(len(checklist.rows))
        forms_changed = self._model.show_checklist(path, checklist)
        self.header.show_facts(checklist, verdict)
        self.header.setVisible(True)
        if checklist.rows:
            self._show(self.list)
            self._stay(current)
            if forms_changed:
                self.list.rows_changed()
        else:
            self._show_empty(
                icon="checklist",
                title=_("Nothing to check yet"),
                text=verdict.sentence,
                buttons=[("heartbeatFirst", _("Add the first item"))],
            )
            self.header.setVisible(False)

    def show_absent(self, name: str) -> None:
        """There is no such file yet."""
        self._clear()
        self._show_empty(
            icon="heartbeat",
            title=_("No {name} here").format(name=name),
            text=_("Agents read this checklist again and again."),
            buttons=[("heartbeatCreate", _("Create it")), ("heartbeatOther", _("Choose another file…"))],
        )

    def show_trouble(self, title: str, text: str) -> None:
        """Say why there is no checklist to show."""
        self._clear()
        self._show_empty(icon="checklist", title=title, text=text, buttons=[])

    def _clear(self) -> None:
        self._pending = None
        self._model.show_checklist(DocPath(""), Checklist())
        self.header.setVisible(False)

    def _show_empty(self, *, icon: str, title: str, text: str, buttons: list[tuple[str, str]]) -> None:
        if self._empty.title() != title or self._stack.currentWidget() is not self._empty:
            self._empty.show_state(icon=icon, title=title, text=text, buttons=buttons)
        self._show(self._empty)

    def _show(self, place: QWidget) -> None:
        had_focus = self.list.hasFocus() and place is not self.list
        self._stack.setCurrentWidget(place)
        if had_focus:
            self.focus_list()

    def _stay(self, before: object) -> None:
        """The current row goes where its item went; rows that were kept have kept it already."""
        if self._wanted is not None:
            self.select(self._wanted)
        elif isinstance(before, Item):
            now = self._model.row_at(self.list.currentIndex())
            if not isinstance(now, Item) or now.text != before.text:
                same = [item for item in self.checklist.items if item.text == before.text]
                near = min(same, key=lambda item: abs(item.line - before.line), default=None)
                self._make_current(self._model.index_of_line(near.line if near is not None else before.line))
        if not self.list.currentIndex().isValid() and self._model.rowCount():
            first = next((item for item in self.checklist.items if not item.is_done), None)
            self._make_current(self._model.index_of_line(first.line) if first is not None else self._model.index(0))

    def select(self, line: int) -> None:
        """Make the item on this line the current one."""
        if self.list.is_editing:
            self._wanted = line
            return
        self._wanted = None
        index = self._model.index_of_line(line)
        if not index.isValid():
            owner = self.checklist.item_over(line)
            index = self._model.index_of_line(owner.line) if owner is not None else index
        if index.isValid() and index != self.list.currentIndex():
            self._make_current(index)

    def _make_current(self, index: QModelIndex) -> None:
        if index.isValid():
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)

    def focus_list(self) -> None:
        """Give the keyboard to the checklist, or to what is offered in its place."""
        offers = [button for button in self._empty.findChildren(QPushButton) if not button.isHidden()]
        if self._stack.currentWidget() is self._empty:
            (offers[0] if offers else self._empty).setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        offers_first = self._stack.currentWidget() is self._empty and self.findChild(QPushButton, "heartbeatFirst")
        if event.key() == Qt.Key.Key_Insert and offers_first:
            event.accept()
            self.add()
        else:
            super().keyPressEvent(event)

    def tell(self, words: str) -> None:
        """Say it to a screen reader."""
        announce(self.list, words)

    # Wishes ----------------------------------------------------------------------------------------------------------

    @Slot(bool)
    def show_open_only(self, wanted: bool) -> None:
        """Show what is not done, or all."""
        current = self._model.row_at(self.list.currentIndex())
        self._model.set_open_only(wanted)
        self.header.show_filter(open_only=wanted)
        self._stay(current)
        self.list.rows_changed()
        self.tell(_("Open items") if wanted else _("All items"))

    @Slot()
    def add(self) -> None:
        """Begin a new item below the current row."""
        self._begin("")

    def offer_again(self, words: str) -> None:
        """Words could not be put where they belong: offer them as a new item, so that they are not lost."""
        self._again = words
        if not self.list.is_editing:
            self._edit_ended()

    def _begin(self, words: str) -> None:
        if self.list.is_editing:
            return
        self._show(self.list)
        current = self.list.currentIndex()
        row = self._model.row_at(current)
        if isinstance(row, Passage):
            row = self.checklist.item_over(row.line) or self._above(row.line)
            current = self._model.index_of_line(row.line) if row is not None else QModelIndex()
        depth = row.depth if isinstance(row, Item) else 0
        at = self._model.end_of(current) if current.isValid() else self._model.rowCount()
        after = None if isinstance(row, Draft | Passage) else row
        index = self._model.begin_draft(at, Draft(after, words, depth))
        self._make_current(index)
        self.list.edit(index)

    def _above(self, line: int) -> Item | Section | None:
        rows = reversed(self.checklist.rows)
        return next((row for row in rows if row.line < line and not isinstance(row, Passage)), None)

    @Slot(str)
    def _wish(self, wish: str) -> None:
        index = self.list.currentIndex()
        row = self._model.row_at(index)
        if wish == items.FILTER:
            self.show_open_only(not self._model.open_only)
        elif wish == items.ADD:
            self.add()
        elif isinstance(row, Passage) and wish == items.EDIT:
            self.line_chosen.emit(row.line)
            self.left.emit()
        elif isinstance(row, Item):
            self._wish_about(row, index, wish)

    def _wish_about(self, item: Item, index: QModelIndex, wish: str) -> None:
        if wish == items.TOGGLE and item.mark is None:
            self.said.emit(_("This item has no box to tick"))
        elif wish == items.TOGGLE:
            wanted = Qt.CheckState.Unchecked if item.is_done else Qt.CheckState.Checked
            self._model.setData(index, wanted, Qt.ItemDataRole.CheckStateRole)
        elif wish == items.EDIT:
            self.list.edit(index)
        elif wish == items.REMOVE:
            self.remove_requested.emit(item)
        elif wish in (items.MOVE_UP, items.MOVE_DOWN):
            self.move_requested.emit(item, wish == items.MOVE_DOWN)

    @Slot()
    def _edit_ended(self) -> None:
        self._model.drop_draft()
        pending, self._pending = self._pending, None
        again, self._again = self._again, ""
        if pending is not None:
            self.show_checklist(*pending)
        elif not self.checklist.rows and not again:
            self._show(self._empty)
            self.focus_list()
        if self._wanted is not None:
            self.select(self._wanted)
        if again:
            self._begin(again)

    @Slot(QModelIndex)
    def _tell_line(self, index: QModelIndex) -> None:
        row = self._model.row_at(index)
        if row is not None and not isinstance(row, Draft):
            self.line_chosen.emit(row.line)
            if isinstance(row, Passage) and row.kind is PassageKind.UNREAD:
                self.said.emit(str(index.data(Qt.ItemDataRole.ToolTipRole)))

    @Slot(str)
    def _answer_empty(self, name: str) -> None:
        if name == "heartbeatCreate":
            self.create_requested.emit()
        elif name == "heartbeatOther":
            self.other_requested.emit()
        elif name == "heartbeatFirst":
            self.add()
