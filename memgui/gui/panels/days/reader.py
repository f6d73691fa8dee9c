"""The week reader: days below each other under headings that stay in sight, and what is read stays where it is."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from memgui.domain.paths import DocPath
from memgui.gui.models.days_model import ROW_ROLE, DayRow, DaysModel, RowKind
from memgui.gui.panels.days.drawing import DayDelegate
from memgui.gui.theme import current, theme
from memgui.i18n import _

BATCH = 40
"""So many rows are measured before the first of them are drawn."""
KEYS = frozenset({Qt.Key.Key_J, Qt.Key.Key_K, Qt.Key.Key_N, Qt.Key.Key_P, Qt.Key.Key_T})
"""Keys that the panel takes from whatever has the keyboard and is no text field."""


class WeekReader(QListView):
    """Shows the rows of a `DaysModel`. `chosen`: a row is to be opened; `day_changed`: another day is on top."""

    chosen = Signal(QModelIndex)
    day_changed = Signal(object)

    def __init__(self, model: DaysModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dayEntries")
        self.setAccessibleName(_("Entries of the week"))
        self._model = model
        self._drawing = DayDelegate(self)
        self.hot = QPersistentModelIndex()
        self._top_day: datetime.date | None = None
        self.setItemDelegate(self._drawing)
        self.setModel(model)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setBatchSize(BATCH)
        self._sticky = _Sticky(self._drawing, self)
        self.verticalScrollBar().valueChanged.connect(self._follow)
        self.entered.connect(self._warm)
        self.viewportEntered.connect(self._cool)
        self.doubleClicked.connect(self.chosen)
        self.dress()
        theme().changed.connect(self.dress)

    # Rows --------------------------------------------------------------------------------------------------------

    def show_rows(self, rows: Iterable[DayRow]) -> None:
        """Show another week, from its top."""
        wanted = list(rows)
        self._drawing.set_times(wanted)
        # The top of the week is there at once; what lies below is measured while it is read.
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self._model.show(wanted)
        self._top_day = None
        self.scrollToTop()
        self._follow()
        if self.hasFocus():
            self._choose_what_is_in_sight()

    def apply_rows(self, rows: Iterable[DayRow]) -> None:
        """Show what the same week holds now; what is being read stays where it is."""
        wanted = list(rows)
        self._measure_all()
        at_top = self.verticalScrollBar().value() == 0
        anchor = QPersistentModelIndex(self._first_entry_in_sight())
        before = self.visualRect(anchor).top() if anchor.isValid() else 0
        self._drawing.set_times(wanted)
        self._model.apply(wanted)
        self.doItemsLayout()
        if at_top:
            self.scrollToTop()
        elif anchor.isValid():
            moved = self.visualRect(anchor).top() - before
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + moved)
        self._follow()

    def row(self, index: QModelIndex | QPersistentModelIndex) -> DayRow | None:
        """The row at an index."""
        found = index.data(ROW_ROLE)
        return found if isinstance(found, DayRow) else None

    @property
    def current_day(self) -> datetime.date | None:
        """The day of the chosen row, else of the topmost one in sight."""
        row = self.row(self.currentIndex())
        return row.day if row is not None else self._top_day

    def _first_entry_in_sight(self) -> QModelIndex:
        y = self._drawing.day_height
        bottom = self.viewport().height()
        while y < bottom:
            index = self.indexAt(QPoint(theme().px(20), y))
            if index.isValid() and (row := self.row(index)) is not None and row.kind is not RowKind.DAY:
                return index
            y += theme().px(12)
        return QModelIndex()

    # Going through it --------------------------------------------------------------------------------------------

    def step_entry(self, step: int) -> bool:
        """Choose the next entry (1) or the one before (-1); False where there is none in this week."""
        rows = self._model.rows
        here = self.currentIndex().row()
        if here < 0:
            here = -1 if step > 0 else len(rows)
        number = here + step
        while 0 <= number < len(rows) and rows[number].kind in (RowKind.DAY, RowKind.LOG):
            number += step
        if not 0 <= number < len(rows):
            return False
        self._choose(number)
        return True

    def choose_day(self, day: datetime.date) -> bool:
        """Bring a day to the top, its first entry chosen; False where the week does not hold it."""
        heading = self._model.day_row(day)
        if heading is None:
            return False
        first = heading + 1
        rows = self._model.rows
        while first < len(rows) and rows[first].kind is RowKind.LOG:
            first += 1
        if first < len(rows) and rows[first].kind is not RowKind.DAY:
            self.setCurrentIndex(self._model.index(first))
        else:
            self.selectionModel().clear()
        if heading > 0 or self.verticalScrollBar().value() > 0:
            self._measure_all()
            self.scrollTo(self._model.index(heading), QAbstractItemView.ScrollHint.PositionAtTop)
        self._follow()
        return True

    def _measure_all(self) -> None:
        """Before a place far down is asked for, every row above it has to be measured."""
        if self.layoutMode() == QListView.LayoutMode.Batched:
            self.setLayoutMode(QListView.LayoutMode.SinglePass)
            self.doItemsLayout()
        else:
            self.executeDelayedItemsLayout()

    def choose_last(self) -> None:
        """Choose the last entry of the week."""
        self.selectionModel().clear()
        self.step_entry(-1)

    def choose_last_of(self, path: DocPath) -> None:
        """Choose the last entry of a log, if it is here."""
        rows = self._model.rows
        number = next((i for i in reversed(range(len(rows))) if rows[i].path == path and rows[i].time), None)
        if number is not None:
            self._choose(number)

    @property
    def top_day(self) -> datetime.date | None:
        """The day on top."""
        return self._top_day

    def _choose(self, number: int) -> None:
        index = self._model.index(number)
        self._measure_all()
        self.setCurrentIndex(index)
        self.scrollTo(index)
        covered = self._drawing.day_height - self.visualRect(index).top()
        bar = self.verticalScrollBar()
        if covered > 0:
            # The heading that stays on top must not lie over what was chosen.
            bar.setValue(bar.value() - covered)

    @Slot()
    def copy(self) -> None:
        """Put the chosen entry into the clipboard, as it stands in its log but for its markers."""
        row = self.row(self.currentIndex())
        if row is not None:
            first = "  ".join(part for part in (row.date, row.time, row.text) if part)
            QGuiApplication.clipboard().setText("\n".join((first, *row.body)))

    # Opening out -------------------------------------------------------------------------------------------------

    @Slot()
    def toggle_fold(self) -> None:
        """Open the chosen entry out, or fold it again."""
        self._toggle(self.currentIndex())

    def _toggle(self, index: QModelIndex) -> None:
        row = self.row(index)
        if row is None:
            return
        if row.place in self._drawing.opened:
            self._drawing.opened.discard(row.place)
        elif self._drawing.is_folded(index):
            self._drawing.opened.add(row.place)
        else:
            return
        top = self.visualRect(index).top()
        self.doItemsLayout()
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.visualRect(index).top() - top)

    # Events ------------------------------------------------------------------------------------------------------

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._choose_what_is_in_sight()

    def _choose_what_is_in_sight(self) -> None:
        """Whoever comes here by key sees where the keyboard is: at the first entry in sight, if at none yet."""
        if not self.selectionModel().hasSelection():
            index = self._first_entry_in_sight()
            if index.isValid():
                self.setCurrentIndex(index)
            else:
                self.selectionModel().clearCurrentIndex()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in KEYS and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            event.ignore()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Space and not event.modifiers():
            self.toggle_fold()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys here and look for nothing."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self._is_on_fold(index, event.position().toPoint()):
            self._toggle(index)
        super().mouseReleaseEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        place = event.position().toPoint()
        hand = self._is_on_fold(self.indexAt(place), place)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)

    def _is_on_fold(self, index: QModelIndex, place: QPoint) -> bool:
        return index.isValid() and self._drawing.fold_rect(self.visualRect(index), index).contains(place)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._cool()

    @Slot(QModelIndex)
    def _warm(self, index: QModelIndex) -> None:
        self.hot = QPersistentModelIndex(index)
        self.viewport().update()

    @Slot()
    def _cool(self) -> None:
        self.hot = QPersistentModelIndex()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self._drawing.set_times(list(self._model.rows))
        super().resizeEvent(event)
        self._follow()

    @Slot()
    def dress(self) -> None:
        """Take fonts and sizes from the theme anew."""
        self._drawing.dress()
        self.setFont(theme().font())
        self.verticalScrollBar().setSingleStep(theme().px(24))
        self._drawing.set_times(list(self._model.rows))
        self.doItemsLayout()
        self._follow()

    @Slot()
    def _follow(self) -> None:
        """Keep the heading of the topmost day in sight, pushed away by the next one."""
        heading, after = self._headings_around()
        if heading is None:
            self._sticky.hide()
            return
        row, height = self._model.rows[heading], self._drawing.day_height
        push = min(0, after - height) if after is not None else 0
        view = self.viewport().geometry()
        self._sticky.setGeometry(view.left(), view.top() + push, view.width(), height)
        self._sticky.show_row(row)
        self._sticky.setVisible(self.visualRect(self._model.index(heading)).top() < 0)
        if row.day != self._top_day:
            self._top_day = row.day
            self.day_changed.emit(row.day)

    def _headings_around(self) -> tuple[int | None, int | None]:
        """The heading of the day on top, and where the top of the next one is (None: not measured yet, or none)."""
        found: int | None = None
        for number in self._model.headings:
            place = self.visualRect(self._model.index(number))
            if not place.isValid():
                break
            if found is not None and place.top() > 0:
                return found, place.top()
            found = number
        return found, None


class _Sticky(QWidget):
    """The heading of the day on top, over the entries that go by beneath it."""

    def __init__(self, drawing: DayDelegate, parent: QWidget) -> None:
        super().__init__(parent)
        self._drawing = drawing
        self._row: DayRow | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_row(self, row: DayRow) -> None:
        """Show the heading of this day."""
        if row != self._row:
            self._row = row
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(current().page))
        if self._row is not None:
            self._drawing.paint_day(painter, QRect(0, 0, self.width(), self.height()), self._row)
