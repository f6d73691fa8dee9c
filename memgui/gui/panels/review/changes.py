"""The list of the changes: two lines each, alarms first and said in words."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from memgui.domain.paths import name_of, parent_of, shown
from memgui.domain.review import ChangeShape
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


class ChangeList(TwoLineList):
    """Shows a `ReviewModel`. `opened`: Enter or a double click on a row; `entered_text`: the way to its difference."""

    def __init__(self, model: ReviewModel, parent: QWidget | None = None) -> None:
        super().__init__(model, "reviewList", _("Changes to review"), parent)
        self.setItemDelegate(_ChangeRows(self))


class _ChangeRows(TwoLineRows):
    def paint_row(self, painter: QPainter, index: Index, at: Places, quiet: str) -> None:
        row: ChangeRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        dress = theme()
        picture = "warning" if row.change.alarm else file_icon(row.change.path)
        icons.paint(painter, picture, at.picture, "warning" if row.change.alarm and quiet == "muted" else quiet)
        decided = (f"{row.done}/{row.total}" if row.done else "", shade_of(quiet))
        taken = paint_figures(painter, at.first, [decided, *counts(row.change.added, row.change.removed)], quiet)
        painter.setFont(dress.font(bold=not row.change.seen))
        self._paint_name(painter, at.first.adjusted(0, 0, -taken, 0), row, quiet)
        painter.setFont(dress.font(LOWER))
        self._paint_detail(painter, at.second, row, quiet)

    def _paint_name(self, painter: QPainter, rect: QRect, row: ChangeRow, quiet: str) -> None:
        name, folder = shown(name_of(row.change.path)), shown(parent_of(row.change.path))
        if row.change.kind is ChangeShape.DELETE:
            struck = painter.font()
            struck.setStrikeOut(True)
            painter.setFont(struck)
        middle = Qt.TextElideMode.ElideMiddle
        width = paint_words(painter, rect, name, current().text, cut=middle)
        rest = rect.adjusted(width + theme().px(8), 0, 0, 0)
        if folder and rest.width() > theme().px(36):
            painter.setFont(theme().font(LOWER))
            paint_words(painter, rest, folder, shade_of(quiet), cut=middle)

    def _paint_detail(self, painter: QPainter, rect: QRect, row: ChangeRow, quiet: str) -> None:
        change = row.change
        alarm = alarm_words(change)
        if alarm:
            colour = current().warning if quiet == "muted" else current().text
            rect = rect.adjusted(paint_words(painter, rect, f"⚠ {alarm}", colour), 0, 0, 0)
        said = [kind_words(change), who_words(change), moment_words(change.since)]
        if alarm and said[0] == alarm:
            del said[0]
        text = " · ".join(part for part in said if part)
        paint_words(painter, rect, f" · {text}" if alarm and text else text, shade_of(quiet))
