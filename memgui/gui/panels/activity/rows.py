"""The list of what happened: a sentence and its moment, below it the path and more; days as headings."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRect, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from memgui.domain.activity import Event
from memgui.gui import icons
from memgui.gui.kit.two_lines import (
    LINE,
    LOWER,
    Index,
    Places,
    TwoLineList,
    TwoLineRows,
    paint_figures,
    paint_words,
    shade_of,
)
from memgui.gui.models.activity_model import (
    EVENT_ROLE,
    ActivityModel,
    is_grave,
    picture_of,
    place_of,
    rest_of,
    title_of,
)
from memgui.gui.models.review_model import moment_words
from memgui.gui.theme import current, theme
from memgui.i18n import _

NARROW = 470
_EDGE = 12
_BETWEEN, _REST_SHARE = "·", 0.45
_LOW = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine


class ActivityRows(TwoLineList):
    """Shows an `ActivityModel`. What is read stays where it is while rows come above it."""

    opened = Signal(object)
    """The `Event` of a row: Enter, or a double click."""
    up_reached = Signal()
    """Up in the first row: the way to what stands above the list."""

    def __init__(self, model: ActivityModel, parent: QWidget | None = None) -> None:
        super().__init__(model, "activityList", _("What happened, newest first"), parent)
        self._model = model
        self.setItemDelegate(_Rows(self))

    @property
    def event_in_hand(self) -> Event | None:
        """The event of the chosen row."""
        return self._model.event_at(self.currentIndex().row())

    @property
    def is_followed(self) -> bool:
        """Whether the newest is looked at, and nothing is chosen: then new rows may push the others down."""
        return self.verticalScrollBar().value() == 0 and not self.selectionModel().hasSelection()

    def keep_place(self, above: Event | None) -> None:
        """Rows came: have what stood on top (`above`) where it was, unless the newest is looked at."""
        if above is None:
            if (newest := self._model.newest) is not None and self.currentIndex().isValid():
                index = self._model.index(self._model.row_of(newest))
                self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.scrollToTop()
        else:
            self.executeDelayedItemsLayout()
            bar = self.verticalScrollBar()
            index = self._model.index(self._model.row_of(above))
            bar.setValue(bar.value() + self.visualRect(index).top() - self._top_before)

    def note_place(self) -> Event | None:
        """What stands on top now; None: whatever comes may come above it."""
        if self.is_followed:
            return None
        at = self.indexAt(self.viewport().rect().topLeft()).row()
        for row in (at, at + 1):
            event = self._model.event_at(row)
            if event is not None:
                self._top_before = self.visualRect(self._model.index(row)).top()
                return event
        return None

    _top_before = 0

    def go_to_newest(self) -> None:
        """To the first event."""
        self.scrollToTop()
        newest = self._model.newest
        if newest is not None:
            self.setCurrentIndex(self._model.index(self._model.row_of(newest)))

    @Slot(QModelIndex)
    def open_row(self, index: QModelIndex) -> None:
        """Tell the event of a row that was opened."""
        event = self._model.event_at(index.row())
        if event is not None:
            self.opened.emit(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() == Qt.Key.Key_Up and plain and self.currentIndex().row() <= 1:
            self.up_reached.emit()
        elif event.key() == Qt.Key.Key_Home and plain:
            self.go_to_newest()
        elif event.key() == Qt.Key.Key_Escape and self.selectionModel().hasSelection():
            # Nothing is chosen any more: the list follows what comes.
            self.clearSelection()
        else:
            super().keyPressEvent(event)


class _Rows(TwoLineRows):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if index.data(EVENT_ROLE) is None:
            self._paint_heading(painter, option.rect, index)
        else:
            super().paint(painter, option, index)

    def paint_row(self, painter: QPainter, index: Index, at: Places, quiet: str) -> None:
        event: Event = index.data(EVENT_ROLE)
        grave = is_grave(event) and quiet == "muted"
        icons.paint(painter, picture_of(event), at.picture, "warning" if grave else quiet)
        # The day stands above; where it is narrow, its room is for the sentence.
        wide = self._view.viewport().width() > theme().px(NARROW)
        moment = moment_words(event.time) if wide else moment_words(event.time)[-5:]
        taken = paint_figures(painter, at.first, [(moment, shade_of(quiet))], quiet)
        painter.setFont(theme().font())
        colour = current().warning if grave else current().text
        paint_words(painter, at.first.adjusted(0, 0, -taken, 0), _begun(title_of(event)), colour)
        painter.setFont(theme().font(LOWER))
        painter.setPen(QColor(shade_of(quiet)))
        self._paint_detail(painter, at.second, event)

    def _paint_detail(self, painter: QPainter, rect: QRect, event: Event) -> None:
        """The path, cut in the middle, and what else there is, cut at its end."""
        metrics = painter.fontMetrics()
        path, rest = place_of(event), rest_of(event)
        gap = f" {_BETWEEN} " if path and rest else ""
        wanted = metrics.horizontalAdvance(gap + rest)
        least = min(wanted, round(rect.width() * _REST_SHARE))
        path = metrics.elidedText(path, Qt.TextElideMode.ElideMiddle, rect.width() - least)
        room = rect.width() - metrics.horizontalAdvance(path)
        painter.drawText(rect, LINE, path + metrics.elidedText(gap + rest, Qt.TextElideMode.ElideRight, room))

    def _paint_heading(self, painter: QPainter, rect: QRect, index: Index) -> None:
        dress = theme()
        edge = dress.px(_EDGE)
        if index.row():
            painter.fillRect(rect.left() + edge, rect.top() + dress.px(6), rect.width() - 2 * edge, 1, _hairline())
        painter.setFont(dress.font(bold=True))
        painter.setPen(QColor(current().text))
        room = rect.adjusted(edge, 0, -edge, -dress.px(6))
        words = painter.fontMetrics().elidedText(index.data() or "", Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _LOW, words)


def _begun(sentence: str) -> str:
    """The sentence as it stands by itself, with a capital."""
    return sentence[:1].upper() + sentence[1:]


def _hairline() -> QColor:
    return QColor(current().hairline)
