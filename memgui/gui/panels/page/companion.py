"""The room of a page's text: the source, and beside it or in its place a companion that shows the same otherwise."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from memgui.gui.kit.layout import Splitter, column
from memgui.gui.theme import theme

NARROW = 700
"""Where there is less room than this (at 100 %), the halves lie below each other."""

_NARROWEST, _LOWEST = 120, 48
_ENOUGH = 190
"""So much of the height a companion has below its source, where there is that much."""
_LEAST_SHARE, _MOST_SHARE = 0.15, 0.85


class Halves(QWidget):
    """Source left, companion right; below each other where it is narrow; the companion alone if the source is hidden.

    A companion that was sent away stays a hidden child, to be set again or deleted by whoever made it.
    """

    changed = Signal()
    """Another companion, or none, or the source came or went."""
    share_changed = Signal(float)
    """The person moved the line between the halves: how much of the room the source has, 0 to 1."""

    def __init__(self, source: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._companion: QWidget | None = None
        self._share = 0.5
        self._splitter = Splitter(Qt.Orientation.Horizontal, self)
        self._left, self._right = QWidget(self._splitter), QWidget(self._splitter)
        self._left_box, self._right_box = column(self._left), column(self._right)
        self._left_box.addWidget(source)
        for half in (self._left, self._right):
            self._splitter.addWidget(half)
            half.setMinimumSize(_NARROWEST, _LOWEST)
        self._right.hide()
        self._splitter.splitterMoved.connect(self._moved)
        column(self).addWidget(self._splitter)
        self.setFocusProxy(source)

    # What is shown ---------------------------------------------------------------------------------------------------

    @property
    def companion(self) -> QWidget | None:
        """What is shown beside the source or in its place."""
        return self._companion

    @property
    def source_shown(self) -> bool:
        """Whether the source can be seen (or could, were the page shown)."""
        return not self._left.isHidden()

    @property
    def share(self) -> float:
        """How much of the room the source has where both are shown, 0 to 1."""
        return self._share

    def set_share(self, share: float) -> None:
        """Give the source so much of the room."""
        self._share = min(max(share, _LEAST_SHARE), _MOST_SHARE)
        self._lay_out()

    def set_companion(self, widget: QWidget | None, *, side_by_side: bool) -> None:
        """Show a companion beside the source or in its place; with None, the source alone.

        The keyboard stays in a half that is still there, and goes to the other one with a half that went.
        """
        focus = QApplication.focusWidget()
        had_focus = focus is not None and self.isAncestorOf(focus)
        before, self._companion = self._companion, widget
        if before is not None and before is not widget:
            self._right_box.removeWidget(before)
            before.hide()
        if widget is not None and before is not widget:
            self._right_box.addWidget(widget)
            widget.show()
            QWidget.setTabOrder(self._source, widget)
        self._left.setVisible(widget is None or side_by_side)
        self._right.setVisible(widget is not None)
        both = widget is not None and side_by_side
        for half in (self._left, self._right):
            half.setProperty("pane", both)
        self.setFocusProxy(self._source if widget is None or side_by_side else widget)
        self._lay_out()
        if had_focus and (focus is None or not focus.isVisibleTo(self)):
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

    # Room ------------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        narrow = self.width() < theme().px(NARROW)
        self._splitter.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
        if self._companion is not None and self.source_shown:
            room = self.height() if narrow else self.width()
            first = round(room * self._share)
            if narrow:
                # In a low window three lines of the source will do: the companion is what was asked for.
                first = min(first, max(_LOWEST, room - theme().px(_ENOUGH)))
            self._splitter.setSizes([first, max(1, room - first)])

    @Slot()
    def _moved(self) -> None:
        first, second = self._splitter.sizes()
        if first + second:
            self._share = min(max(first / (first + second), _LEAST_SHARE), _MOST_SHARE)
            self.share_changed.emit(self._share)
