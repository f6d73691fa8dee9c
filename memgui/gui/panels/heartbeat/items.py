"""The list of a checklist, and what its keys do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QListView, QMenu, QWidget

from memgui.domain.heartbeat import Item, Passage
from memgui.gui.models.heartbeat_model import HeartbeatModel
from memgui.gui.panels.heartbeat.drawing import ItemDelegate
from memgui.gui.theme import current, theme
from memgui.i18n import _

ADD, EDIT, REMOVE, TOGGLE, MOVE_UP, MOVE_DOWN, FILTER = ["add", "edit", "remove", "toggle", "up", "down", "filter"]

_MANY = 300
"""More rows than any window is high."""

_KEYS = {
    (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier): TOGGLE,
    (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier): EDIT,
    (Qt.Key.Key_Enter, Qt.KeyboardModifier.NoModifier): EDIT,
    (Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier): EDIT,
    (Qt.Key.Key_Insert, Qt.KeyboardModifier.NoModifier): ADD,
    (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier): REMOVE,
    (Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier): MOVE_UP,
    (Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier): MOVE_DOWN,
    (Qt.Key.Key_F, Qt.KeyboardModifier.NoModifier): FILTER,
}


class ItemsView(QListView):
    """Shows the rows; `wished` names what a key or the menu asks for, about the current row."""

    wished = Signal(str)
    left = Signal()
    """Escape: the keyboard wants back to the text."""
    edit_ended = Signal()
    """The field over a row is gone."""
    row_chosen = Signal(QModelIndex)
    """The person went to another row."""

    def __init__(self, model: HeartbeatModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("heartbeatItems")
        self.setAccessibleName(_("Checklist"))
        self._rows = ItemDelegate(self)
        self.setItemDelegate(self._rows)
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.doubleClicked.connect(self._edit_where_words_are)
        self._rows.heights.settled.connect(self._lay_out_in_place)
        theme().changed.connect(self._dress)
        self._dress()

    @property
    def is_editing(self) -> bool:
        """Whether a field is open over a row."""
        return self.state() == QAbstractItemView.State.EditingState

    def expect(self, rows: int) -> None:
        """So many rows come. Where a scroll bar is needed for certain, it is there before they are laid out once."""
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if rows > _MANY else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        if policy != self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(policy)

    def dataChanged(
        self,
        first: QModelIndex | QPersistentModelIndex,
        last: QModelIndex | QPersistentModelIndex,
        roles: Sequence[int] = (),
    ) -> None:
        """A row that says something else is drawn anew. A list would lay out thousands for that; see `rows_changed`."""
        QAbstractItemView.dataChanged(self, first, last, list(roles))

    def doItemsLayout(self) -> None:
        with self._rows.heights.steady():
            super().doItemsLayout()

    def rows_changed(self) -> None:
        """Rows may be higher or lower than before."""
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    @Slot()
    def _lay_out_in_place(self) -> None:
        """Give rows the heights they have, and keep what is in sight where it is."""
        top = self.indexAt(QPoint(self.viewport().width() // 2, 1))
        before = self.visualRect(top).top()
        self.doItemsLayout()
        if top.isValid():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + self.visualRect(top).top() - before)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        wish = _KEYS.get((Qt.Key(event.key()), modifiers))
        if self.is_editing:
            # What the field over a row has no use for is not meant for the rows.
            event.accept()
        elif wish is not None:
            event.accept()
            self.wished.emit(wish)
        elif event.key() == Qt.Key.Key_Escape:
            event.accept()
            self.left.emit()
        else:
            before = self.currentIndex()
            super().keyPressEvent(event)
            if self.currentIndex() != before:
                self.row_chosen.emit(self.currentIndex())

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys here, not the beginning of a name."""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = event.pos() if event.reason() == QContextMenuEvent.Reason.Mouse else self._current_place()
        index = self.indexAt(at)
        if index.isValid():
            self.setCurrentIndex(index)
        menu = self._menu(index)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.viewport().mapToGlobal(at))

    def _current_place(self) -> QPoint:
        return self.visualRect(self.currentIndex()).center()

    def _menu(self, index: QModelIndex) -> QMenu:
        menu, model = QMenu(self), self.model()
        assert isinstance(model, HeartbeatModel)
        row = model.row_at(index)
        tick = _("Untick") if isinstance(row, Item) and row.is_done else _("Tick")
        for wish, words, key in (
            (TOGGLE, tick, "Space"),
            (EDIT, _("Edit Words"), "Return"),
            (ADD, _("Add Item Below"), "Ins"),
            (MOVE_UP, _("Move Up"), "Alt+Up"),
            (MOVE_DOWN, _("Move Down"), "Alt+Down"),
            (REMOVE, _("Remove"), "Del"),
        ):
            action = menu.addAction(words)
            action.setData(wish)
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setShortcutVisibleInContextMenu(True)
            action.setEnabled(wish == ADD or (isinstance(row, Item) and (wish != TOGGLE or row.mark is not None)))
            action.triggered.connect(self._wish)
        return menu

    @Slot()
    def _wish(self) -> None:
        wish = getattr(self.sender(), "data", str)()
        if isinstance(wish, str) and wish:
            self.wished.emit(wish)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        super().closeEditor(editor, hint)
        self.edit_ended.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        model = self.model()
        if isinstance(model, HeartbeatModel) and model.rowCount() and not model.checklist.items and not self.is_editing:
            painter = QPainter(self.viewport())
            painter.setFont(theme().font())
            painter.setPen(QColor(current().muted))
            words = _("No items yet. Insert adds one.")
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if not self.is_editing:
            self.row_chosen.emit(self.currentIndex())

    @Slot(QModelIndex)
    def _edit_where_words_are(self, index: QModelIndex) -> None:
        model = self.model()
        assert isinstance(model, HeartbeatModel)
        row = model.row_at(index)
        if isinstance(row, Item):
            box = self._rows.box_of(self.visualRect(index), row.depth).adjusted(-5, -5, 5, 5)
            if not box.contains(self.viewport().mapFromGlobal(self.cursor().pos())):
                self.wished.emit(EDIT)
        elif isinstance(row, Passage):
            self.left.emit()

    @Slot()
    def _dress(self) -> None:
        self._rows.dress()
        self.setFont(theme().font())
        self.rows_changed()
