"""The list of what happened: a sentence and its moment, below it the path and more; days as headings."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from memgui.domain.activity import Event
from memgui.gui import icons
from memgui.gui.kit.rows import paint_row_ground, quiet_colour
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

Index = QModelIndex | QPersistentModelIndex
_LINE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
NARROW = 470
_BETWEEN, _REST_SHARE = "·", 0.45
_LOW = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine


class ActivityRows(QListView):
    """Shows an `ActivityModel`. What is read stays where it is while rows come above it."""

    opened = Signal(object)
    """The `Event` of a row: Enter, or a double click."""
    up_reached = Signal()
    """Up in the first row: the way to what stands above the list."""

    def __init__(self, model: ActivityModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("activityList")
        self.setAccessibleName(_("What happened, newest first"))
        self.setUniformItemSizes(True)
        self.setModel(model)
        self._model = model
        self.setItemDelegate(_Rows(self))
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.doubleClicked.connect(self._open)
        theme().changed.connect(self.dress)
        self.dress()

    @Slot()
    def dress(self) -> None:
        """Take fonts and sizes from the theme anew."""
        self.setFont(theme().font())
        self.doItemsLayout()

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
    def _open(self, index: QModelIndex) -> None:
        event = self._model.event_at(index.row())
        if event is not None:
            self.opened.emit(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self._open(self.currentIndex())
        elif event.key() == Qt.Key.Key_Up and plain and self.currentIndex().row() <= 1:
            self.up_reached.emit()
        elif event.key() == Qt.Key.Key_Home and plain:
            self.go_to_newest()
        elif event.key() == Qt.Key.Key_Escape and self.selectionModel().hasSelection():
            # Nothing is chosen any more: the list follows what comes.
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys here and look for nothing."""


class _Rows(QStyledItemDelegate):
    def __init__(self, view: ActivityRows) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        dress = theme()
        lines = QFontMetrics(dress.font()).height() + QFontMetrics(dress.font(0.88)).height()
        return QSize(dress.px(120), lines + dress.px(13))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        event: Event | None = index.data(EVENT_ROLE)
        if event is None:
            self._paint_heading(painter, option.rect, index)
            return
        hot = bool(option.state & QStyle.StateFlag.State_MouseOver)
        paint_row_ground(painter, option.rect, self._view, index, hot=hot)
        dress, quiet = theme(), quiet_colour(self._view, index)
        left, right = option.rect.left() + dress.px(14), option.rect.right() - dress.px(14)
        top = option.rect.top() + dress.px(5)
        high, low = QFontMetrics(dress.font()).height(), QFontMetrics(dress.font(0.88)).height()
        side = dress.px(16)
        grave = is_grave(event) and quiet == "muted"
        shade = "warning" if grave else quiet
        icons.paint(painter, picture_of(event), QRect(left, top + (high - side) // 2, side, side), shade)
        left += side + dress.px(9)
        painter.setFont(dress.font(0.88))
        # The day stands above; where it is narrow, its room is for the sentence.
        moment = moment_words(event.time) if option.rect.width() > dress.px(NARROW) else moment_words(event.time)[-5:]
        width = painter.fontMetrics().horizontalAdvance(moment)
        painter.setPen(QColor(icons.current_colour(quiet)))
        painter.drawText(QRect(right - width, top, width + 1, high), _LINE, moment)
        painter.setFont(dress.font())
        painter.setPen(QColor(current().warning if grave else current().text))
        room = QRect(left, top, right - width - dress.px(12) - left, high)
        painter.drawText(room, _LINE, painter.fontMetrics().elidedText(_begun(title_of(event)), _RIGHT, room.width()))
        painter.setFont(dress.font(0.88))
        painter.setPen(QColor(icons.current_colour(quiet)))
        self._paint_detail(painter, QRect(left, top + high + dress.px(1), right - left, low), event)

    def _paint_detail(self, painter: QPainter, rect: QRect, event: Event) -> None:
        """The path, cut in the middle, and what else there is, cut at its end."""
        metrics = painter.fontMetrics()
        path, rest = place_of(event), rest_of(event)
        gap = f" {_BETWEEN} " if path and rest else ""
        wanted = metrics.horizontalAdvance(gap + rest)
        least = min(wanted, round(rect.width() * _REST_SHARE))
        path = metrics.elidedText(path, _MIDDLE, rect.width() - least)
        room = rect.width() - metrics.horizontalAdvance(path)
        painter.drawText(rect, _LINE, path + metrics.elidedText(gap + rest, _RIGHT, room))

    def _paint_heading(self, painter: QPainter, rect: QRect, index: Index) -> None:
        dress = theme()
        edge = dress.px(14)
        if index.row():
            painter.fillRect(rect.left() + edge, rect.top() + dress.px(6), rect.width() - 2 * edge, 1, _hairline())
        painter.setFont(dress.font(bold=True))
        painter.setPen(QColor(current().text))
        room = rect.adjusted(edge, 0, -edge, -dress.px(6))
        painter.drawText(room, _LOW, painter.fontMetrics().elidedText(index.data() or "", _RIGHT, room.width()))


def _begun(sentence: str) -> str:
    """The sentence as it stands by itself, with a capital."""
    return sentence[:1].upper() + sentence[1:]


def _hairline() -> QColor:
    return QColor(current().hairline)


_RIGHT, _MIDDLE = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle
