"""`DifferenceView`: two texts as one list of lines, which the keyboard and a screen reader can walk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from memgui.gui.kit.difference_drawing import DifferencePainter, RowLook
from memgui.gui.kit.difference_model import DifferenceModel, Index
from memgui.gui.kit.difference_rows import Difference, Part, Row, RowKind
from memgui.gui.theme import theme
from memgui.i18n import _

__all__ = ["Difference", "DifferenceView", "Part"]

_FEWEST_LINES = 3
_LINES_ABOVE = 4
"""So many lines stay in sight over a part that is gone to."""


class DifferenceView(QListView):
    """Shows a `Difference`: lines with their signs and numbers, changed words marked, what is alike folded away.

    Arrows go by lines, `step_part` by parts; one part is the chosen one and framed. Rows have heights of their own,
    known by arithmetic: Qt's own list would measure thousands of them one by one.
    """

    part_chosen = Signal(object)
    """The key of the part that is the chosen one now; None for none."""
    line_requested = Signal(int)
    """Enter, or a double click: go to this line of the new text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Difference"))
        self._model = DifferenceModel(self)
        self._drawing = DifferencePainter()
        self._tops: list[int] = [0]
        self._measured: tuple[object, ...] = ()
        self._chosen: str | None = None
        self._hot = -1
        self._editor: QWidget | None = None
        self._editor_height = 0
        self.setUniformItemSizes(True)
        self.setModel(self._model)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setDragEnabled(False)
        self.doubleClicked.connect(self._open)
        theme().changed.connect(self._dress)
        self._dress()

    # What it shows -----------------------------------------------------------------------------------------------

    @property
    def difference(self) -> Difference:
        """What is shown."""
        return self._model.difference

    def show_difference(self, difference: Difference, *, keep_place: bool = False, chosen: str | None = None) -> None:
        """Show another one: from its first part on, or where one reads now (`keep_place`), with a part `chosen`."""
        self._drop_editor()
        row, top = self.currentIndex().row(), self.verticalScrollBar().value()
        wanted = chosen or self._chosen
        self._model.show(difference)
        keys = [part.key for part in difference.parts]
        self._chosen = wanted if keep_place and chosen is None and wanted in keys else None
        self._measure()
        if keep_place:
            self.verticalScrollBar().setValue(top)
            if 0 <= row < len(self._model.rows):
                self._set_current(row)
        else:
            self.verticalScrollBar().setValue(0)
        if chosen in keys:
            self.choose_part(chosen)
        elif self._chosen is None and keys:
            self.choose_part(keys[0], reveal=not keep_place)
        else:
            self.part_chosen.emit(self._chosen)

    def note_parts(self, notes: Mapping[str, str]) -> None:
        """What is said of parts behind their numbers, by their keys; of all others nothing."""
        if self._model.note(notes):
            self.viewport().update()

    def clear(self) -> None:
        """Show nothing."""
        self.show_difference(Difference((), (), ()))

    @property
    def part(self) -> str | None:
        """The key of the chosen part."""
        return self._chosen

    def choose_part(self, key: str | None, *, reveal: bool = True) -> None:
        """Frame a part, and bring it into sight."""
        number = self._number_of(key)
        if number < 0:
            return
        first, _end = self._model.span_of(number)
        self._choose(key)
        self._set_current(first)
        if reveal:
            self._reveal(number)

    def step_part(self, step: int) -> bool:
        """Choose the next part (1) or the one before (-1); False where there is none."""
        number = self._number_of(self._chosen)
        wanted = number + step if number >= 0 else (0 if step > 0 else len(self.difference.parts) - 1)
        if not 0 <= wanted < len(self.difference.parts):
            return False
        self.choose_part(self.difference.parts[wanted].key)
        return True

    def _number_of(self, key: str | None) -> int:
        return next((number for number, part in enumerate(self.difference.parts) if part.key == key), -1)

    def _choose(self, key: str | None) -> None:
        if key != self._chosen:
            self._chosen = key
            self.viewport().update()
            self.part_chosen.emit(key)

    def _set_current(self, row: int) -> None:
        index = self._model.index(row)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _reveal(self, number: int) -> None:
        """The part's head and all of its lines, or as many as there is room for."""
        head, (first, end) = self._model.head_of(number), self._model.span_of(number)
        top, bottom = self._tops[head], self._tops[end]
        bar, room = self.verticalScrollBar(), self.viewport().height()
        if top >= bar.value() and bottom <= bar.value() + room:
            return
        if bottom - top > room:
            # What changed matters more than what leads to it.
            bar.setValue(self._tops[first] - self._drawing.line_height)
        else:
            bar.setValue(top - min(_LINES_ABOVE * self._drawing.line_height, (room - (bottom - top)) // 2))

    @property
    def current_line(self) -> int:
        """The line of the new text that the keyboard is at, from 1."""
        row = self.currentIndex().row()
        return self._line_of(self._model.rows[row]) if 0 <= row < len(self._model.rows) else 1

    def _line_of(self, row: Row) -> int:
        if row.new and row.kind in (RowKind.LINE, RowKind.NOTE):
            return row.new
        return self.difference.parts[row.part].new_start + 1 if row.part >= 0 else 1

    @Slot()
    def copy(self) -> None:
        """Put the chosen lines into the clipboard, as they are."""
        rows = sorted({index.row() for index in self.selectedIndexes()})
        lines = [self._model.rows[row] for row in rows if self._model.rows[row].kind is RowKind.LINE]
        if lines:
            QGuiApplication.clipboard().setText("\n".join(map(self._model.raw, lines)))

    # A field in the place of new lines -----------------------------------------------------------------------------

    def open_editor(self, key: str, editor: QWidget) -> None:
        """Put a field in the place of a part's new lines; it is taken away by `close_editor`, or with the part."""
        number = self._number_of(key)
        if number < 0:
            return
        self._drop_editor()
        self._editor = editor
        editor.setParent(self.viewport())
        self._editor_height = editor.sizeHint().height()
        self._model.edit(number)
        self._measure()
        self._reveal(number)
        self._place_editor()
        editor.show()

    def close_editor(self) -> None:
        """Show the lines again."""
        if self._editor is not None:
            self._drop_editor()
            self._model.edit(-1)
            self._measure()
            self.choose_part(self._chosen)

    def _drop_editor(self) -> None:
        editor, self._editor = self._editor, None
        if editor is not None:
            editor.hide()
            editor.deleteLater()

    def resize_editor(self, height: int) -> None:
        """The field needs another height."""
        if self._editor is not None and height != self._editor_height:
            self._editor_height = height
            self._measure()

    def _place_editor(self) -> None:
        if self._editor is None:
            return
        if (row := self._editor_row()) >= 0:
            place = self.visualRect(self._model.index(row))
            self._editor.setGeometry(place.adjusted(theme().px(4), 1, -theme().px(4), -1))

    def _editor_row(self) -> int:
        if self._editor is None:
            return -1
        return next((n for n, row in enumerate(self._model.rows) if row.kind is RowKind.EDITOR), -1)

    # Where rows stand ----------------------------------------------------------------------------------------------

    def _measure(self) -> None:
        """Reckon how high the rows are; what is on top stays on top."""
        bar = self.verticalScrollBar()
        anchor = max(0, bisect_right(self._tops, bar.value()) - 1)
        inside = bar.value() - self._tops[anchor]
        last_old, last_new = len(self.difference.before), len(self.difference.after)
        self._drawing.fit(self.viewport().width(), last_old, last_new)
        measured = (self._model.generation, self.viewport().width(), self._editor_height, self._drawing.font.toString())
        if measured != self._measured:
            self._measured = measured
            heights = self._drawing.heights(self._model.rows)
            if (row := self._editor_row()) >= 0:
                heights[row] = self._editor_height
            self._tops = list(accumulate(heights, initial=0))
        self.updateGeometries()
        if anchor < len(self._tops) - 1:
            bar.setValue(self._tops[anchor] + min(inside, self._tops[anchor + 1] - self._tops[anchor]))
        self._place_editor()
        self.viewport().update()

    def doItemsLayout(self) -> None:
        QAbstractItemView.doItemsLayout(self)
        self._measure()

    def updateGeometries(self) -> None:
        bar, room = self.verticalScrollBar(), self.viewport().height()
        bar.setRange(0, max(0, self._tops[-1] + self._drawing.line_height - room))
        bar.setPageStep(max(1, room - self._drawing.line_height))
        bar.setSingleStep(self._drawing.line_height)

    def verticalOffset(self) -> int:
        return self.verticalScrollBar().value()

    def horizontalOffset(self) -> int:
        return 0

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self._place_editor()

    def visualRect(self, index: Index) -> QRect:
        row = index.row()
        if not index.isValid() or row + 1 >= len(self._tops):
            return QRect()
        top = self._tops[row] - self.verticalScrollBar().value()
        return QRect(0, top, self.viewport().width(), self._tops[row + 1] - self._tops[row])

    def indexAt(self, place: QPoint) -> QModelIndex:
        row = bisect_right(self._tops, place.y() + self.verticalScrollBar().value()) - 1
        return self._model.index(row) if 0 <= row < len(self._model.rows) else QModelIndex()

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        if not index.isValid() or index.row() + 1 >= len(self._tops):
            return
        bar, room = self.verticalScrollBar(), self.viewport().height()
        top, bottom = self._tops[index.row()], self._tops[index.row() + 1]
        if hint == QAbstractItemView.ScrollHint.PositionAtTop or top < bar.value():
            bar.setValue(top)
        elif bottom > bar.value() + room:
            bar.setValue(min(top, bottom - room))

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:  # noqa: ARG002
        here, last = self.currentIndex().row(), len(self._model.rows) - 1
        if last < 0:
            return QModelIndex()
        moves = QAbstractItemView.CursorAction
        if action in (moves.MoveHome, moves.MoveEnd):
            row = 0 if action == moves.MoveHome else last
        elif action in (moves.MovePageUp, moves.MovePageDown):
            room = self.viewport().height() * (-1 if action == moves.MovePageUp else 1)
            row = bisect_right(self._tops, self._tops[max(here, 0)] + room) - 1
        else:
            row = here + (-1 if action in (moves.MoveUp, moves.MoveLeft, moves.MovePrevious) else 1)
        return self._model.index(min(max(row, 0), last))

    def setSelection(self, rect: QRect, flags: QItemSelectionModel.SelectionFlag) -> None:
        first, last = self.indexAt(rect.topLeft()), self.indexAt(rect.bottomLeft())
        if first.isValid():
            self.selectionModel().select(QItemSelection(first, last if last.isValid() else first), flags)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(420), theme().px(300))

    # Events --------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._drawing.page)
        offset, rows = self.verticalScrollBar().value(), self._model.rows
        row = max(0, bisect_right(self._tops, offset + event.rect().top()) - 1)
        here, focused = self.currentIndex().row(), self.hasFocus()
        picked = {index.row() for index in self.selectedIndexes()} if focused else set()
        several = len(picked) > 1
        while row < len(rows) and self._tops[row] - offset <= event.rect().bottom():
            place = QRect(0, self._tops[row] - offset, self.viewport().width(), self._tops[row + 1] - self._tops[row])
            one = rows[row]
            look = RowLook(
                self._model.text(one),
                self._model.marks(one),
                chosen=several and row in picked,
                current=focused and row == here,
                hot=row == self._hot,
            )
            self._drawing.paint(painter, place, one, look)
            row += 1
        number = self._number_of(self._chosen)
        if number >= 0:
            first, end = self._model.span_of(number)
            place = QRect(0, self._tops[first] - offset, self.viewport().width(), self._tops[end] - self._tops[first])
            self._drawing.paint_frame(painter, place, focused=focused)
        painter.end()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        key = self._model.key_at(current.row())
        if key is not None:
            self._choose(key)
        self.viewport().update()

    def selectionChanged(self, selected: object, deselected: object) -> None:
        super().selectionChanged(selected, deselected)  # type: ignore[arg-type]
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        QAbstractItemView.resizeEvent(self, event)
        if event.size().width() != event.oldSize().width():
            self._measure()
        else:
            self.updateGeometries()
            self._place_editor()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        is_fold = 0 <= row < len(self._model.rows) and self._model.rows[row].kind is RowKind.FOLD
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self._open(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Right) and plain and is_fold:
            self._unfold(row)
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys here and look for nothing."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row = self.indexAt(event.position().toPoint()).row()
        if event.button() == Qt.MouseButton.LeftButton and row >= 0 and self._model.rows[row].kind is RowKind.FOLD:
            self._unfold(row)
        super().mouseReleaseEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        row = self.indexAt(event.position().toPoint()).row()
        is_fold = row >= 0 and self._model.rows[row].kind is RowKind.FOLD
        hot = row if is_fold else -1
        if hot != self._hot:
            self._hot = hot
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_fold else Qt.CursorShape.ArrowCursor)
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hot = -1
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        row = index.row()
        if not 0 <= row < len(self._model.rows):
            return
        if self._model.rows[row].kind is RowKind.FOLD:
            self._unfold(row)
        else:
            self.line_requested.emit(self._line_of(self._model.rows[row]))

    def _unfold(self, row: int) -> None:
        top = self.verticalScrollBar().value()
        self._model.open_fold(self._model.rows[row].new)
        self._measure()
        self.verticalScrollBar().setValue(top)
        self._set_current(row)

    @Slot()
    def _dress(self) -> None:
        self._drawing.dress()
        self.setMinimumHeight(_FEWEST_LINES * self._drawing.line_height)
        self._measure()
