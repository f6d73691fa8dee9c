"""The lists of the history: versions with when, who and how much; and the documents that are gone. Two lines each."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from memgui.domain.paths import name_of, parent_of, shown
from memgui.gui import icons
from memgui.gui.kit.rows import paint_row_ground, quiet_colour
from memgui.gui.models.history_model import ROW_ROLE, VersionRow, size_words, title_of, what_of, who_of
from memgui.gui.models.review_model import moment_words
from memgui.gui.models.tree_words import file_icon
from memgui.gui.theme import current, theme
from memgui.i18n import _
from memgui.ops.restoring import Gone

Index = QModelIndex | QPersistentModelIndex
_LINE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine


class HistoryRows(QListView):
    """A list of rows of two lines. `opened`: Enter or a double click; `marked`: a click with Ctrl."""

    opened = Signal(QModelIndex)
    marked = Signal(QModelIndex)
    entered_text = Signal()
    scrolled = Signal()

    def __init__(self, model: QAbstractItemModel, name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setUniformItemSizes(True)
        self.setModel(model)
        self.setItemDelegate(_Rows(self))
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.doubleClicked.connect(self.opened)
        self.verticalScrollBar().valueChanged.connect(self.scrolled)
        theme().changed.connect(self.dress)
        self.dress()

    @Slot()
    def dress(self) -> None:
        """Take fonts and sizes from the theme anew."""
        self.setFont(theme().font())
        self.doItemsLayout()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(300), theme().px(200))

    @property
    def in_sight(self) -> range:
        """The rows that can be seen."""
        first, last = self.indexAt(self.viewport().rect().topLeft()), self.indexAt(self.viewport().rect().bottomLeft())
        count = self.model().rowCount()
        return range(max(0, first.row()), last.row() + 1 if last.isValid() else count)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.marked.emit(index)
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Right and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.entered_text.emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys here and look for nothing."""


class _Rows(QStyledItemDelegate):
    def __init__(self, view: HistoryRows) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        dress = theme()
        lines = QFontMetrics(dress.font()).height() + QFontMetrics(dress.font(0.88)).height()
        return QSize(dress.px(120), lines + dress.px(15))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: VersionRow | Gone | None = index.data(ROW_ROLE)
        if row is None:
            return
        hot = bool(option.state & QStyle.StateFlag.State_MouseOver)
        paint_row_ground(painter, option.rect, self._view, index, hot=hot)
        dress, quiet = theme(), quiet_colour(self._view, index)
        left, right = option.rect.left() + dress.px(12), option.rect.right() - dress.px(12)
        top = option.rect.top() + dress.px(6)
        bold = isinstance(row, VersionRow) and row.is_now
        high, low = QFontMetrics(dress.font(bold=bold)).height(), QFontMetrics(dress.font(0.88)).height()
        side = dress.px(16)
        picture = _picture(row)
        icons.paint(painter, picture, QRect(left, top + (high - side) // 2, side, side), quiet)
        left += side + dress.px(8)
        first = QRect(left, top, right - left, high)
        second = QRect(left, top + high + dress.px(2), right - left, low)
        if isinstance(row, VersionRow):
            first.setRight(right - self._paint_counts(painter, first, row, quiet))
            painter.setFont(dress.font(bold=bold))
            self._paint_words(painter, first, title_of(row), current().text)
            painter.setFont(dress.font(0.88))
            self._paint_words(painter, second, _second_line(row), icons.current_colour(quiet))
        else:
            painter.setFont(dress.font())
            self._paint_words(painter, first, shown(name_of(row.path)), current().text, middle=True)
            painter.setFont(dress.font(0.88))
            said = [shown(parent_of(row.path)), moment_words(row.time), who_of(row.origin)]
            words = " · ".join([part for part in said if part] + [size_words(row.version.size)])
            self._paint_words(painter, second, words, icons.current_colour(quiet))

    def _paint_words(self, painter: QPainter, rect: QRect, words: str, colour: str, *, middle: bool = False) -> None:
        mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        painter.setPen(QColor(colour))
        painter.drawText(rect, _LINE, painter.fontMetrics().elidedText(words, mode, rect.width()))

    def _paint_counts(self, painter: QPainter, rect: QRect, row: VersionRow, quiet: str) -> int:
        """How many lines came and went; answers how much room that took."""
        colours, gap = current(), theme().px(8)
        painter.setFont(theme().font(0.88))
        right = rect.right()
        added, removed = row.counts or (0, 0)
        for words, colour in (
            (f"−{removed:,}" if removed else "", colours.removed),
            (f"+{added:,}" if added else "", colours.added),
        ):
            if words:
                width = painter.fontMetrics().horizontalAdvance(words)
                painter.setPen(QColor(colour if quiet == "muted" else colours.text))
                painter.drawText(QRect(right - width, rect.top(), width + 1, rect.height()), _LINE, words)
                right -= width + gap
        return rect.right() - right


def _second_line(row: VersionRow) -> str:
    said = [who_of(row.origin), what_of(row)]
    if row.number is not None:
        said.append(_("version {number}").format(number=row.number))
    if row.is_marked:
        said.insert(0, _("◆ compared with"))
    return " · ".join(said)


def _picture(row: VersionRow | Gone) -> str:
    if isinstance(row, Gone):
        return file_icon(row.path)
    if row.version is None:
        return "close"
    if row.version.hash is None:
        return "trash"
    if row.version.is_forgotten:
        return "eye"
    return "live" if row.origin.is_agent else "edit" if row.origin.is_person else "document"
