"""The list of the changes: two lines each, alarms first and said in words."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from memgui.domain.paths import name_of, parent_of, shown
from memgui.domain.review import ChangeShape
from memgui.gui import icons
from memgui.gui.kit.rows import paint_row_ground, quiet_colour
from memgui.gui.models.review_model import (
    ROW_ROLE,
    ChangeRow,
    ReviewModel,
    alarm_words,
    kind_words,
    moment_words,
    who_words,
)
from memgui.gui.models.tree_words import file_icon
from memgui.gui.theme import current, theme
from memgui.i18n import _

Index = QModelIndex | QPersistentModelIndex


class ChangeList(QListView):
    """Shows a `ReviewModel`. `opened`: Enter or a double click on a row; `entered_text`: the way to its difference."""

    opened = Signal(QModelIndex)
    entered_text = Signal()

    def __init__(self, model: ReviewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reviewList")
        self.setAccessibleName(_("Changes to review"))
        self.setUniformItemSizes(True)
        self.setModel(model)
        self.setItemDelegate(_ChangeRows(self))
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.doubleClicked.connect(self.opened)
        theme().changed.connect(self.dress)
        self.dress()

    @Slot()
    def dress(self) -> None:
        """Take fonts and sizes from the theme anew."""
        self.setFont(theme().font())
        self.doItemsLayout()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(300), theme().px(200))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Right and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.entered_text.emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys here and look for nothing."""


class _ChangeRows(QStyledItemDelegate):
    def __init__(self, view: ChangeList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        dress = theme()
        lines = QFontMetrics(dress.font()).height() + QFontMetrics(dress.font(0.88)).height()
        return QSize(dress.px(120), lines + dress.px(15))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ChangeRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        hot = bool(option.state & QStyle.StateFlag.State_MouseOver)
        paint_row_ground(painter, option.rect, self._view, index, hot=hot)
        dress, quiet = theme(), quiet_colour(self._view, index)
        first, second = dress.font(bold=not row.change.seen), dress.font(0.88)
        left, right = option.rect.left() + dress.px(12), option.rect.right() - dress.px(12)
        top = option.rect.top() + dress.px(6)
        high, low = QFontMetrics(first).height(), QFontMetrics(second).height()
        side = dress.px(16)
        picture = "warning" if row.change.alarm else file_icon(row.change.path)
        shade = "warning" if row.change.alarm and quiet == "muted" else quiet
        icons.paint(painter, picture, QRect(left, top + (high - side) // 2, side, side), shade)
        left += side + dress.px(8)
        counted = self._paint_counts(painter, QRect(left, top, right - left, high), row, quiet)
        painter.setFont(first)
        self._paint_name(painter, QRect(left, top, right - left - counted, high), row, quiet)
        painter.setFont(second)
        self._paint_detail(painter, QRect(left, top + high + dress.px(2), right - left, low), row, quiet)

    def _paint_name(self, painter: QPainter, rect: QRect, row: ChangeRow, quiet: str) -> None:
        metrics = painter.fontMetrics()
        name, folder = shown(name_of(row.change.path)), shown(parent_of(row.change.path))
        painter.setPen(QColor(current().text))
        if row.change.kind is ChangeShape.DELETE:
            struck = painter.font()
            struck.setStrikeOut(True)
            painter.setFont(struck)
        words = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, rect.width())
        painter.drawText(rect, _LINE, words)
        gap = theme().px(8)
        rest = rect.adjusted(metrics.horizontalAdvance(words) + gap, 0, 0, 0)
        if folder and rest.width() > theme().px(36):
            painter.setFont(theme().font(0.88))
            painter.setPen(QColor(icons.current_colour(quiet)))
            painter.drawText(
                rest, _LINE, painter.fontMetrics().elidedText(folder, Qt.TextElideMode.ElideMiddle, rest.width())
            )

    def _paint_counts(self, painter: QPainter, rect: QRect, row: ChangeRow, quiet: str) -> int:
        """How many lines came and went, and how much of it is decided; answers how much room that took."""
        colours, gap = current(), theme().px(8)
        painter.setFont(theme().font(0.88))
        right = rect.right()
        parts = [
            (f"{row.done}/{row.total}" if row.done else "", icons.current_colour(quiet)),
            (f"−{row.change.removed:,}" if row.change.removed else "", colours.removed),
            (f"+{row.change.added:,}" if row.change.added else "", colours.added),
        ]
        for words, colour in parts:
            if words:
                width = painter.fontMetrics().horizontalAdvance(words)
                painter.setPen(QColor(colour if quiet == "muted" else colours.text))
                painter.drawText(QRect(right - width, rect.top(), width + 1, rect.height()), _LINE, words)
                right -= width + gap
        return rect.right() - right

    def _paint_detail(self, painter: QPainter, rect: QRect, row: ChangeRow, quiet: str) -> None:
        change = row.change
        alarm = alarm_words(change)
        if alarm:
            painter.setPen(QColor(current().warning if quiet == "muted" else current().text))
            words = painter.fontMetrics().elidedText(f"⚠ {alarm}", Qt.TextElideMode.ElideRight, rect.width())
            painter.drawText(rect, _LINE, words)
            rect = rect.adjusted(painter.fontMetrics().horizontalAdvance(words), 0, 0, 0)
        said = [kind_words(change), who_words(change), moment_words(change.since)]
        if alarm and said[0] == alarm:
            del said[0]
        text = " · ".join(part for part in said if part)
        painter.setPen(QColor(icons.current_colour(quiet)))
        text = f" · {text}" if alarm and text else text
        painter.drawText(rect, _LINE, painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width()))


_LINE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
