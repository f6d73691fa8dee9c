"""Lists whose rows have two lines: a picture, words and figures; below them quieter words. One look for all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from memgui.gui import icons
from memgui.gui.kit.rows import paint_row_ground, quiet_colour
from memgui.gui.theme import current, theme

Index = QModelIndex | QPersistentModelIndex
LINE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
LOWER = 0.88
"""The size of the second line's letters, and of figures, beside the first's."""

_SIDE, _ABOVE, _PICTURE, _GAP = 12, 6, 16, 8


class TwoLineList(QListView):
    """Such a list, uniform and chosen one by one. Letters are keys here and look for nothing."""

    opened = Signal(QModelIndex)
    """Enter or a double click on a row."""
    entered_text = Signal()
    """Right: the way to what the row stands for."""

    def __init__(self, model: QAbstractItemModel, name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setUniformItemSizes(True)
        self.setModel(model)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.doubleClicked.connect(self.open_row)
        theme().changed.connect(self.dress)
        self.dress()

    @Slot()
    def dress(self) -> None:
        """Take fonts and sizes from the theme anew."""
        self.setFont(theme().font())
        self.doItemsLayout()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(300), theme().px(200))

    @Slot(QModelIndex)
    def open_row(self, index: QModelIndex) -> None:
        """Tell that a row was opened."""
        if index.isValid():
            self.opened.emit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.open_row(self.currentIndex())
        elif event.key() == Qt.Key.Key_Right and plain:
            self.entered_text.emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys here and look for nothing."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of a row stand."""

    picture: QRect
    first: QRect
    second: QRect


class TwoLineRows(QStyledItemDelegate):
    """Paints the ground of a row and says where its parts stand; what they are is `paint_row`'s, of each list."""

    def __init__(self, view: TwoLineList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        dress = theme()
        lines = QFontMetrics(dress.font()).height() + QFontMetrics(dress.font(LOWER)).height()
        return QSize(dress.px(120), lines + dress.px(2 * _ABOVE + 3))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hot = bool(option.state & QStyle.StateFlag.State_MouseOver)
        paint_row_ground(painter, option.rect, self._view, index, hot=hot)
        self.paint_row(painter, index, _places(option.rect), quiet_colour(self._view, index))

    def paint_row(self, painter: QPainter, index: Index, at: Places, quiet: str) -> None:
        """Paint what the row says: here nothing, each list adds its own.

        `quiet`: the colour of what matters less, `muted` unless the row is chosen.
        """


def _places(row: QRect) -> Places:
    dress = theme()
    left, right = row.left() + dress.px(_SIDE), row.right() - dress.px(_SIDE)
    top, side = row.top() + dress.px(_ABOVE), dress.px(_PICTURE)
    high, low = QFontMetrics(dress.font()).height(), QFontMetrics(dress.font(LOWER)).height()
    words = left + side + dress.px(_GAP)
    return Places(
        QRect(left, top + (high - side) // 2, side, side),
        QRect(words, top, right - words, high),
        QRect(words, top + high + dress.px(2), right - words, low),
    )


def paint_words(
    painter: QPainter, rect: QRect, words: str, colour: str, *, cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight
) -> int:
    """Words in the painter's font, cut where there is too little room; how wide they are."""
    metrics = painter.fontMetrics()
    shown = metrics.elidedText(words, cut, rect.width())
    painter.setPen(QColor(colour))
    painter.drawText(rect, LINE, shown)
    return metrics.horizontalAdvance(shown)


def paint_figures(painter: QPainter, rect: QRect, figures: Iterable[tuple[str, str]], quiet: str) -> int:
    """Figures from the right, each with its colour where the row is not chosen; how much room they took."""
    gap, right = theme().px(_GAP), rect.right()
    painter.setFont(theme().font(LOWER))
    for words, colour in figures:
        if words:
            width = painter.fontMetrics().horizontalAdvance(words)
            painter.setPen(QColor(colour if quiet == "muted" else current().text))
            painter.drawText(QRect(right - width, rect.top(), width + 1, rect.height()), LINE, words)
            right -= width + gap
    return rect.right() - right


def counts(added: int, removed: int) -> list[tuple[str, str]]:
    """How many lines came and went, as figures."""
    colours = current()
    return [
        (f"−{removed:,}" if removed else "", colours.removed),
        (f"+{added:,}" if added else "", colours.added),
    ]


def shade_of(quiet: str) -> str:
    """The colour of the quieter words."""
    return icons.current_colour(quiet)
