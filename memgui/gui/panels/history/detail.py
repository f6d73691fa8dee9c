"""Two states of a document compared, and the buttons that put one of them back."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton, QWidget

from memgui.domain.paths import name_of, parent_of, shown
from memgui.gui.kit.difference import DifferenceView
from memgui.gui.kit.key_button import KeyButton
from memgui.gui.kit.labels import ElidedLabel, ThemedLabel
from memgui.gui.kit.layout import HairLine, column, row
from memgui.gui.panels.history.wishes import Comparison, difference_of
from memgui.i18n import _
from memgui.ops.timeline import Compared


class HistoryDetail(QWidget):
    """Shows a `Compared`. What the buttons wish is the panel's to tell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("historyDetail")
        self.setProperty("pane", True)
        self.comparison: Comparison | None = None
        self.found: Compared | None = None
        self.can_restore = False
        self._can_compare = self._waits = False
        self._name = ElidedLabel("", self, scale=1.1)
        self._name.setObjectName("historyName")
        self._what = ElidedLabel("", self, colour="muted", scale=0.9)
        self._what.setObjectName("historyWhat")
        self.view = DifferenceView(self)
        self.view.setObjectName("historyDiff")
        self.view.setAccessibleName(_("The two versions compared"))
        self.view.part_chosen.connect(self._refresh)
        self.note = ThemedLabel("", self, colour="muted", scale=0.92)
        self.note.setObjectName("historyNote")
        self.note.setWordWrap(True)
        self.note.setContentsMargins(12, 8, 12, 8)
        head = column(margins=(12, 7, 12, 7), gap=1)
        head.addWidget(self._name)
        head.addWidget(self._what)
        box = column(self)
        box.addLayout(head)
        box.addWidget(HairLine(self))
        box.addWidget(self.note)
        box.addWidget(self.view, 1)
        box.addWidget(HairLine(self))
        box.addWidget(self._build_buttons())
        self.clear()

    def _build_buttons(self) -> QWidget:
        strip = QWidget(self)
        self.restore = KeyButton("restoreButton", _("Restore"), strip, tip=_("Put this version back into the file"))
        self.restore.setProperty("primary", True)
        self.restore_place = KeyButton(
            "restorePlaceButton", _("Restore this place"), strip, tip=_("Put only the framed lines back")
        )
        self.compare = KeyButton(
            "compareButton", _("Compare with…"), strip, tip=_("Compare others with this version; again: with now")
        )
        self.copy = KeyButton("copyVersionButton", _("Copy text"), strip, tip=_("The whole text of this version"))
        self.more = QToolButton(strip)
        self.more.setObjectName("historyMore")
        self.more.setText("⋯")
        self.more.setAccessibleName(_("More to do with this version"))
        self.more.setToolTip(_("More to do with this version"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._of_the_text = QWidget(strip)
        first, second = row(gap=6), row(self._of_the_text, gap=6)
        first.addWidget(self.restore)
        first.addWidget(self.restore_place)
        first.addStretch(1)
        first.addWidget(self.more)
        second.addWidget(self.compare)
        second.addWidget(self.copy)
        second.addStretch(1)
        box = column(strip, margins=(12, 8, 12, 8), gap=6)
        box.addLayout(first)
        box.addWidget(self._of_the_text)
        return strip

    def show_low(self, low: bool) -> None:
        """Where there is little height, the text comes first: what only reads is left to keys and the menu."""
        self._of_the_text.setVisible(not low)
        self._what.setVisible(not low)

    def add_more(self, actions: list[QAction]) -> None:
        """What else can be done, in the menu at the end."""
        self.more.addActions(actions)

    def clear(self, note: str = "", words: str = "") -> None:
        """Show nothing but why."""
        self._waits = False
        self.comparison = self.found = None
        self.can_restore = False
        self._what.setText(words)
        self.view.clear()
        self._say(note)
        self._refresh()

    def announce(self, comparison: Comparison, words: str, *, can_restore: bool, can_compare: bool) -> None:
        """Name the two that are on their way."""
        self.comparison, self.found = comparison, None
        self._can_compare, self._waits = can_compare, True
        self.can_restore = can_restore
        folder, name = shown(parent_of(comparison.path)), shown(name_of(comparison.path))
        self._name.setText(f"{name}  ·  {folder}" if folder else name)
        self._what.setText(words)
        self._refresh()

    def show_compared(self, comparison: Comparison, found: Compared) -> None:
        """Show them, where they are still wanted."""
        if comparison != self.comparison:
            return
        self.found, self._waits = found, False
        note = found.note
        if not note and not found.places:
            note = _("Both are the same.") if found.before else _("There is no text in either.")
        self._say(note)
        self.view.show_difference(difference_of(found))
        self.view.setVisible(not note or bool(found.before))
        self._refresh()

    def show_trouble(self, comparison: Comparison, words: str) -> None:
        """They cannot be compared."""
        if comparison == self.comparison:
            self._waits = False
            self.view.clear()
            self._say(words)
            self._refresh()

    def _say(self, note: str) -> None:
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.view.show()

    @property
    def waits(self) -> bool:
        """Whether what was announced is still on its way."""
        return self._waits

    @property
    def place(self) -> int | None:
        """The number of the framed place, where it can be put back."""
        comparison, found = self.comparison, self.found
        if comparison is None or found is None or found.now is None or not comparison.can_restore_place:
            return None
        part = self.view.part
        return None if part is None else int(part)

    @Slot()
    def _refresh(self) -> None:
        is_there = self.found is not None and self.found.is_same and self.comparison is not None and self.comparison.now
        self.restore.setEnabled(self.can_restore and not is_there)
        self.restore_place.setEnabled(self.place is not None)
        self.compare.setEnabled(self.comparison is not None and self._can_compare)
        self.copy.setEnabled(self.can_restore or (self.comparison is not None and self.comparison.now))
