"""The single writes of the other side while a page is in conflict, the newest first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from memgui.gui import theme
from memgui.gui.panels.page.standing import SideWrite
from memgui.i18n import _, ngettext

_ROWS_SHOWN = 5


class WriteList(QListWidget):
    """When each was seen, and how many lines came and went with it. As high as its rows, up to a few."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sideWrites")
        self.setAccessibleName(_("Writes from outside, newest first"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self._told: tuple[tuple[SideWrite, ...], int] = ((), 0)
        theme.theme().changed.connect(self._dress)
        self._dress()
        self.hide()

    def show_writes(self, came: Sequence[SideWrite], *, count: int) -> None:
        """List these; of `count` in all the older ones are only counted."""
        told = tuple(came), count
        if told == self._told:
            return
        self._told = told
        self.clear()
        for write in came:
            moment = f"{write.when:%H:%M:%S}"
            added, removed = f"+{write.added:,}", f"−{write.removed:,}" if write.removed else ""
            self._add(f" {moment}  {added:>6}  {removed:>6}".rstrip(), f"{moment}, {_lines_said(write)}")
        if left := count - len(came):
            words = ngettext("{count} earlier write", "{count} earlier writes", left).format(count=f"{left:,}")
            self._add(f" {words}", words)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(200, self._height(min(_ROWS_SHOWN, max(1, self.count()))))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._height(1))

    def _height(self, rows: int) -> int:
        row = self.sizeHintForRow(0) if self.count() else self.fontMetrics().lineSpacing()
        return rows * row + 2 * self.frameWidth()

    def _add(self, shown: str, spoken: str) -> None:
        item = QListWidgetItem(shown)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
        self.addItem(item)

    @Slot()
    def _dress(self) -> None:
        self.setFont(theme.theme().mono(0.92))
        self.setMaximumHeight(self._height(_ROWS_SHOWN))
        self.updateGeometry()


def _lines_said(write: SideWrite) -> str:
    added = ngettext("{count} line added", "{count} lines added", write.added).format(count=f"{write.added:,}")
    removed = ngettext("{count} line removed", "{count} lines removed", write.removed).format(
        count=f"{write.removed:,}"
    )
    return f"{added}, {removed}"
