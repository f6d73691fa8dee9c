"""What stands below an empty search field: the searches that were saved, and the latest ones."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QStyleOptionViewItem, QWidget

from memgui.domain.searches import Searches
from memgui.gui.kit.rows import Index, RowDelegate, RowRole, paint_row_ground, row_height
from memgui.gui.kit.tips import plain
from memgui.gui.models.results_model import printable
from memgui.gui.panels.search.words import short
from memgui.gui.theme import theme
from memgui.i18n import _

MOST_SHOWN = 12
"""So many of the latest are offered; Up in the field goes through all."""

LONGEST_TIP = 400
QUERY = int(Qt.ItemDataRole.UserRole)


def undo_key() -> str:
    """The key that brings back what was taken away, as it is called here."""
    return QKeySequence(QKeySequence.StandardKey.Undo).toString(QKeySequence.SequenceFormat.NativeText)


class Shelf(QListWidget):
    """Enter or a click asks again; Delete takes one away, and undo brings it back."""

    query_chosen = Signal(str)
    removal_requested = Signal(str)
    return_requested = Signal()
    """The one that was taken away last is wanted back."""
    left_above = Signal()
    """Up from the first row: back to the field."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("searchShelf")
        self.setAccessibleName(_("Saved and latest searches"))
        self.setItemDelegate(_ShelfDelegate(self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.itemClicked.connect(self._choose)
        theme().changed.connect(self._dress)

    def show_searches(self, searches: Searches) -> None:
        """Show these."""
        chosen = self.currentRow()
        self.clear()
        if searches.saved:
            self._head(_("Saved searches"))
        for one in searches.saved:
            self._add(one.query, one.title, one.query if one.name else "", "star")
        recent = [query for query in searches.recent if searches.named(query) is None][:MOST_SHOWN]
        if recent:
            self._head(_("Latest searches"))
        for query in recent:
            self._add(query, query, "", "clock")
        if chosen >= 0 and self.count():
            self.setCurrentRow(min(chosen, self.count() - 1))

    def enter(self) -> bool:
        """Take the keyboard, at the first search. False where there is none."""
        first = next((row for row in range(self.count()) if self.item(row).data(QUERY)), None)
        if first is None:
            return False
        self.setFocus(Qt.FocusReason.TabFocusReason)
        self.setCurrentRow(first)
        return True

    def _head(self, words: str) -> None:
        item = QListWidgetItem(words)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setData(RowRole.HEADING, True)
        self.addItem(item)

    def _add(self, query: str, title: str, detail: str, icon: str) -> None:
        item = QListWidgetItem(printable(title))
        item.setData(QUERY, query)
        item.setData(RowRole.ICON, icon)
        item.setData(RowRole.DETAIL, printable(detail))
        tip = _("{query}\nDelete takes it off this list, {key} brings it back")
        item.setToolTip(plain(tip.format(query=short(printable(query), LONGEST_TIP), key=undo_key())))
        saved = _("saved search {title}") if icon == "star" else _("earlier search {title}")
        item.setData(Qt.ItemDataRole.AccessibleTextRole, saved.format(title=title))
        self.addItem(item)

    @Slot(QListWidgetItem)
    def _choose(self, item: QListWidgetItem) -> None:
        if query := item.data(QUERY):
            self.query_chosen.emit(query)

    def event(self, event: QEvent) -> bool:
        undo = isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Undo)
        if undo and event.type() == QEvent.Type.ShortcutOverride:
            # Here it is about this list, not about the page.
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        query = item.data(QUERY) if item is not None else None
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and query:
            self.query_chosen.emit(query)
        elif event.key() == Qt.Key.Key_Delete and query:
            self.removal_requested.emit(query)
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.return_requested.emit()
        elif event.key() == Qt.Key.Key_Escape or (event.key() == Qt.Key.Key_Up and self.currentRow() <= 1):
            self.left_above.emit()
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.viewport().update()

    @Slot()
    def _dress(self) -> None:
        delegate = self.itemDelegate()
        if isinstance(delegate, RowDelegate):
            delegate.dress()
        self.scheduleDelayedItemsLayout()


class _ShelfDelegate(RowDelegate):
    """Rows as everywhere, with a ground of their own where they are chosen or under the pointer."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return QSize(60, row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view = self._view
        where = view.viewport().mapFromGlobal(view.cursor().pos())
        hot = view.viewport().underMouse() and option.rect.contains(where) and bool(index.data(QUERY))
        paint_row_ground(painter, option.rect, view, index, hot=hot)
        option.rect = option.rect.adjusted(theme().px(8), 0, 0, 0)
        super().paint(painter, option, index)
