"""What would change, line by line, as a list that the keyboard and a screen reader can walk."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from memgui.domain.lines import Lines
from memgui.gui import theme
from memgui.gui.panels.page.lines_compared import splices, with_endings
from memgui.i18n import _, ngettext

MOST_ROWS = 200
_LONGEST = 400
_ROWS_SHOWN = 8


class DifferenceList(QListWidget):
    """`−` and `+` lines with their numbers. The sign and the spoken word carry the meaning, the tint only helps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("difference")
        self.setAccessibleName(_("Difference"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setUniformItemSizes(True)
        self.setTabKeyNavigation(False)
        self._lines: tuple[Lines, Lines] | None = None
        theme.theme().changed.connect(self._dress)
        self.hide()

    def show_difference(self, old: Lines, new: Lines) -> None:
        """List what leads from `old` to `new`."""
        self._lines = (old, new)
        self.clear()
        colours = theme.current()
        self.setFont(theme.theme().mono(0.92))
        whole_old, whole_new = with_endings(old), with_endings(new)
        left_out = 0
        for splice in splices(whole_old, whole_new):
            for number, text in enumerate(old.texts[splice.start : splice.start + splice.removed], splice.start + 1):
                left_out += not self._add(
                    "−", _("removed line {line}: {text}"), number, text, colours.removed, colours.removed_bg
                )
            for number, whole in enumerate(splice.texts, splice.start + 1):
                text = whole.rstrip("\r\n\u2029\ufdd0\ufdd1")
                left_out += not self._add(
                    "+", _("added line {line}: {text}"), number, text, colours.added, colours.added_bg
                )
        if left_out:
            more = ngettext("… {count} more line", "… {count} more lines", left_out).format(count=left_out)
            self.addItem(QListWidgetItem(more))
        if not self.count():
            self.addItem(QListWidgetItem(_("Only the ends of lines or the encoding differ.")))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(200, self._height_of(min(max(self.count(), 1), _ROWS_SHOWN)))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._height_of(min(max(self.count(), 1), 2)))

    def _height_of(self, rows: int) -> int:
        # A line longer than the page brings a scroll bar, and that must not lie over the last row.
        bar = self.horizontalScrollBar().sizeHint().height()
        return rows * max(self.sizeHintForRow(0), self.fontMetrics().height()) + bar + 2 * self.frameWidth() + 2

    def _add(self, sign: str, spoken: str, number: int, text: str, colour: str, ground: str) -> bool:
        if self.count() >= MOST_ROWS:
            return False
        shown = text[:_LONGEST].replace("\t", "    ")
        item = QListWidgetItem(f"{sign} {number:>4}  {shown}")
        item.setForeground(QColor(colour))
        item.setBackground(QColor(ground))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken.format(line=number, text=shown))
        self.addItem(item)
        return True

    @Slot()
    def _dress(self) -> None:
        if self._lines is not None and not self.isHidden():
            self.show_difference(*self._lines)
