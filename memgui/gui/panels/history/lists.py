"""The lists of the history: versions with when, who and how much; and the documents that are gone. Two lines each."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from memgui.domain.paths import name_of, parent_of, shown
from memgui.gui import icons
from memgui.gui.kit.two_lines import (
    LOWER,
    Index,
    Places,
    TwoLineList,
    TwoLineRows,
    counts,
    paint_figures,
    paint_words,
    shade_of,
)
from memgui.gui.models.history_model import ROW_ROLE, VersionRow, size_words, title_of, what_of, who_of
from memgui.gui.models.review_model import moment_words
from memgui.gui.models.tree_words import file_icon
from memgui.gui.theme import current, theme
from memgui.i18n import _
from memgui.ops.restoring import Gone


class HistoryRows(TwoLineList):
    """A list of rows of two lines. `opened`: Enter or a double click; `marked`: a click with Ctrl."""

    marked = Signal(QModelIndex)
    scrolled = Signal()

    def __init__(self, model: QAbstractItemModel, name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(model, name, words, parent)
        self.setItemDelegate(_Rows(self))
        self.verticalScrollBar().valueChanged.connect(self.scrolled)

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


class _Rows(TwoLineRows):
    def paint_row(self, painter: QPainter, index: Index, at: Places, quiet: str) -> None:
        row: VersionRow | Gone | None = index.data(ROW_ROLE)
        if row is None:
            return
        icons.paint(painter, _picture(row), at.picture, quiet)
        if isinstance(row, VersionRow):
            taken = paint_figures(painter, at.first, counts(*(row.counts or (0, 0))), quiet)
            painter.setFont(theme().font(bold=row.is_now))
            paint_words(painter, at.first.adjusted(0, 0, -taken, 0), title_of(row), current().text)
            below = _second_line(row)
        else:
            painter.setFont(theme().font())
            name = shown(name_of(row.path))
            paint_words(painter, at.first, name, current().text, cut=Qt.TextElideMode.ElideMiddle)
            said = [shown(parent_of(row.path)), moment_words(row.time), who_of(row.origin)]
            below = " · ".join([part for part in said if part] + [size_words(row.version.size)])
        painter.setFont(theme().font(LOWER))
        paint_words(painter, at.second, below, shade_of(quiet))


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
