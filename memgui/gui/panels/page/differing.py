"""What would change, line by line, as a list that the keyboard and a screen reader can walk."""

from __future__ import annotations

from itertools import zip_longest

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QListWidget, QListWidgetItem, QWidget

from memgui.domain.invisible import labelled
from memgui.domain.lines import Lines
from memgui.gui import theme
from memgui.gui.panels.page.differing_rows import DifferenceRows, DifferingRole
from memgui.gui.panels.page.lines_compared import splices, with_endings
from memgui.i18n import _, ngettext

MOST_ROWS = 200
LONGEST = 2_000
"""So many characters of a line are shown."""
_ALIKE = 200
"""Where two lines begin or end alike for longer than this, only the part near their difference is shown."""
_NEAR = 80
_FIRST_WITHOUT_BLANKS = 0x2E80
"""From here on scripts write words without blanks between."""
_LINES_SHOWN = 8
_SHARE_OF_WINDOW = 6
"""The list takes no more than one part in so many of the window's height, so that the page stays in sight."""


class DifferenceList(QListWidget):
    """`−` and `+` lines with their numbers. The sign and the spoken word carry the meaning, the tint only helps.

    Long lines turn at the edge; what is new in a changed line is bold; what cannot be seen is labelled.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("difference")
        self.setAccessibleName(_("Difference"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setTabKeyNavigation(False)
        self._rows = DifferenceRows(self)
        self.setItemDelegate(self._rows)
        self._lines: tuple[Lines, Lines] | None = None
        theme.theme().changed.connect(self._dress)
        self.hide()

    def show_difference(self, old: Lines, new: Lines) -> None:
        """List what leads from `old` to `new`."""
        self._lines = (old, new)
        self.clear()
        self.setFont(theme.theme().mono(0.92))
        whole_old, whole_new = with_endings(old), with_endings(new)
        left_out = 0
        ahead = 0
        for splice in splices(whole_old, whole_new):
            gone = old.texts[splice.start : splice.start + splice.removed]
            start = splice.start + ahead
            come = new.texts[start : start + len(splice.texts)]
            paired = len(gone) == len(come)
            for number, (text, other) in enumerate(_pairs(gone, come if paired else ()), splice.start + 1):
                left_out += not self._add("−", _("removed line {line}: {text}"), number, text, other)
            for number, (text, other) in enumerate(_pairs(come, gone if paired else ()), start + 1):
                left_out += not self._add("+", _("added line {line}: {text}"), number, text, other)
            ahead += len(splice.texts) - splice.removed
        if left_out:
            more = ngettext("… {count} more line", "… {count} more lines", left_out).format(count=left_out)
            self.addItem(QListWidgetItem(more))
        if not self.count():
            self.addItem(QListWidgetItem(_("Only the ends of lines or the encoding differ.")))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(200, self._height(_LINES_SHOWN))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._height(2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _height(self, lines: int) -> int:
        """As high as its rows are at this width, but no higher than so many lines and its share of the window."""
        line = self._rows.line_height()
        most = max(2 * line, min(lines * line, self.window().height() // _SHARE_OF_WINDOW))
        height = 0
        for row in range(self.count()):
            height += self._rows.height(self.indexFromItem(self.item(row)))
            if height >= most:
                break
        return min(max(height, line), most) + 2 * self.frameWidth()

    def _add(self, sign: str, spoken: str, number: int, text: str, other: str | None) -> bool:
        if self.count() >= MOST_ROWS:
            return False
        head, tail = alike(text, other) if other is not None else (0, 0)
        start = head - _NEAR if head > _ALIKE else 0
        end = min(len(text) - (tail - _NEAR if tail > _ALIKE else 0), start + LONGEST)
        before, changed, after = _parts(text[start:end], head - start, len(text) - tail - start)
        shown = ("…" if start else "") + before + changed + after + ("…" if end < len(text) else "")
        prefix = f"{sign} {number:>4}  "
        item = QListWidgetItem(prefix + shown)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken.format(line=number, text=shown))
        item.setData(DifferingRole.SIGN, sign)
        item.setData(DifferingRole.HEAD, len(prefix))
        if other is not None:
            offset = len(prefix) + bool(start) + len(before)
            item.setData(DifferingRole.CHANGED, (offset, offset + len(changed)))
        self.addItem(item)
        return True

    @Slot()
    def _dress(self) -> None:
        if self._lines is not None and not self.isHidden():
            self.show_difference(*self._lines)


def _pairs(texts: tuple[str, ...], others: tuple[str, ...]) -> list[tuple[str, str | None]]:
    """Each line with the one that stands in its place on the other side, if that can be told."""
    return [(text or "", other) for text, other in zip_longest(texts, others)]


def alike(one: str, other: str) -> tuple[int, int]:
    """How many characters two lines begin with alike, and how many after that they end with alike, by whole words."""
    shorter = min(len(one), len(other))
    head = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    while head and any(_within_word(text, head) for text in (one, other)):
        head -= 1
    tail = next((i for i in range(shorter - head) if one[-1 - i] != other[-1 - i]), shorter - head)
    while tail and any(_within_word(text, len(text) - tail) for text in (one, other)):
        tail -= 1
    return head, tail


def _within_word(text: str, at: int) -> bool:
    """Whether a word that is written with blanks around it goes on at this place."""
    return 0 < at < len(text) and all(c.isalnum() and ord(c) < _FIRST_WITHOUT_BLANKS for c in text[at - 1 : at + 1])


def _parts(text: str, start: int, end: int) -> tuple[str, str, str]:
    """The text before, in and after a place of it, as it is shown."""
    shown = [labelled(part).replace("\t", "    ") for part in (text[:start], text[start:end], text[end:])]
    return shown[0], shown[1], shown[2]
