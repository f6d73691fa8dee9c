"""How high rows are: some are measured before the list is laid out, of thousands the others in a moment after."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QListView

from memgui.domain.heartbeat import Passage, Section
from memgui.gui.models.heartbeat_model import HeartbeatModel, Shown

MEASURED_AT_ONCE = 300
"""So many new rows are measured before the list is laid out; of the others a usual height stands for a moment."""
_MOST_REMEMBERED = 20_000
_SLICE_SECONDS = 0.008


class Heights(QObject):
    """Of the rows of one view. `height_of` measures a row in a view of that width."""

    settled = Signal()
    """Rows that stood with a usual height have their own now."""

    def __init__(self, view: QListView, height_of: Callable[[Shown, int], int]) -> None:
        super().__init__(view)
        self._view = view
        self._height_of = height_of
        self._usual = 24
        self._heights: dict[tuple[object, ...], int] = {}
        self._known: Sequence[Shown] = ()
        self._known_width = -1
        self._by_row: list[int] = []
        self._is_steady = False
        self._allowance = MEASURED_AT_ONCE
        self._next_row = 0
        self._rest = QTimer(self, interval=0)
        self._rest.timeout.connect(self._measure_rest)

    def forget(self, *, usual: int) -> None:
        """Fonts or sizes are others. `usual`: how high a row of one line is."""
        self._usual = usual
        self._heights.clear()
        self._known, self._known_width, self._by_row = (), -1, []

    def of(self, row: int) -> int:
        """The height of the row with that number."""
        if not self._is_steady:
            self._keep_up()
        return self._by_row[row] if 0 <= row < len(self._by_row) else self._usual

    @contextmanager
    def steady(self) -> Iterator[None]:
        """While the list is laid out neither its rows nor its width are asked for anew at each row."""
        self._keep_up()
        self._is_steady = True
        try:
            yield
        finally:
            self._is_steady = False

    def _keep_up(self) -> None:
        rows, width = self._rows(), self._view.viewport().width()
        if rows is not self._known or width != self._known_width or len(rows) != len(self._by_row):
            self._look_up(rows, width)

    def _rows(self) -> Sequence[Shown]:
        model = self._view.model()
        return model.rows if isinstance(model, HeartbeatModel) else ()

    def _look_up(self, rows: Sequence[Shown], width: int) -> None:
        self._known, self._known_width = rows, width
        self._by_row = [self._heights.get((shown.text, *_form_of(shown, width)), 0) for shown in rows]
        for at, height in enumerate(self._by_row):
            if not height and self._allowance > 0:
                self._allowance -= 1
                self._by_row[at] = self._measure(rows[at], width)
            elif not height:
                self._by_row[at] = self._usual
        if self._allowance < MEASURED_AT_ONCE and not self._rest.isActive():
            self._next_row = 0
            self._rest.start()

    def _measure(self, shown: Shown, width: int) -> int:
        if len(self._heights) > _MOST_REMEMBERED:
            self._heights.clear()
        height = self._heights[shown.text, *_form_of(shown, width)] = self._height_of(shown, width)
        return height

    @Slot()
    def _measure_rest(self) -> None:
        """A slice of the rows that have no height of their own yet."""
        deadline, width, rows = perf_counter() + _SLICE_SECONDS, self._view.viewport().width(), self._rows()
        was_short = self._allowance <= 0
        while self._next_row < len(rows):
            shown = rows[self._next_row]
            if (shown.text, *_form_of(shown, width)) not in self._heights:
                self._measure(shown, width)
            self._next_row += 1
            if self._next_row % 16 == 0 and perf_counter() > deadline:
                return
        self._rest.stop()
        self._allowance = MEASURED_AT_ONCE
        if was_short:
            self._known = ()
            self.settled.emit()


def _form_of(shown: Shown, width: int) -> tuple[object, ...]:
    """What besides its words makes a row as high as it is."""
    kind = shown.kind if isinstance(shown, Passage) else None
    return (type(shown), shown.level if isinstance(shown, Section) else shown.depth, kind, width)
