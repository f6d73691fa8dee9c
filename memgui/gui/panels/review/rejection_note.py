"""The strip that asks, after a rejection, whether agents are to be left a note, and says what came of it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QSizePolicy, QWidget

from memgui.domain.paths import DocPath, shown
from memgui.gui.kit.fields import SteeringField
from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.kit.speech import announce
from memgui.gui.kit.strip import Strip
from memgui.gui.theme import theme
from memgui.i18n import _

_NARROW = 620


class RejectionNote(Strip):
    """It takes no keyboard unless it is asked for. `requested` carries the text."""

    requested = Signal(str)
    undo_requested = Signal()
    left = Signal()
    """The keyboard is given away."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tone="info")
        self.setObjectName("rejectionNote")
        self.setAccessibleName(_("Note for agents"))
        self._words = ThemedLabel("", self, colour="info")
        self._words.setObjectName("rejectionNoteText")
        self._words.setWordWrap(True)
        self.field = SteeringField((Qt.Key.Key_Escape,), self)
        self.field.setObjectName("rejectionNoteField")
        self.field.setAccessibleName(_("Note for agents"))
        self.field.setPlaceholderText(_("What they should do instead, in a line"))
        self._add = QPushButton(_("Add note"), self)
        self._undo = QPushButton(_("Undo"), self)
        self._close = QPushButton(_("Not now"), self)
        self._close.setProperty("flat", True)
        self._undo.setAccessibleName(_("Take the note back"))
        for button, name in ((self._add, "noteAdd"), (self._undo, "noteUndo"), (self._close, "noteDismiss")):
            button.setObjectName(name)
            button.setAccessibleName(button.accessibleName() or button.text())
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        below = row(gap=6)
        below.addWidget(self.field, 1)
        for button in (self._add, self._undo, self._close):
            below.addWidget(button)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._parts.setSpacing(10)
        self._parts.addWidget(self._words, 2)
        self._parts.addLayout(below, 3)
        column(self, margins=(12, 6, 12, 7)).addLayout(self._parts)
        self.field.textChanged.connect(self._allow)
        self.field.returnPressed.connect(self._ask)
        self.field.steered.connect(self._leave)
        self._add.clicked.connect(self._ask)
        self._undo.clicked.connect(self.undo_requested)
        self._close.clicked.connect(self._leave)
        self.hide()

    def offer(self, path: DocPath) -> None:
        """Ask; what was typed for an earlier rejection stays."""
        words = _("Agents may write this again. Add a note to {path}?").format(path=shown(path))
        was_asking = not self.isHidden() and not self.field.isHidden()
        self._show(words, asks=True)
        if not was_asking:
            announce(self, words)

    def begin(self) -> None:
        """Give the field the keyboard."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_added(self, path: DocPath, *, into_page: bool = False) -> None:
        """Say that it is there, and where."""
        if into_page:
            words = _("Added to the open page of {path}; it is saved with your other text.").format(path=shown(path))
        else:
            words = _("Added to {path}.").format(path=shown(path))
        had_focus = self.field.hasFocus()
        self.field.clear()
        self._show(words, asks=False)
        announce(self, words)
        if had_focus:
            self.left.emit()

    def show_failed(self, words: str) -> None:
        """Say why it could not be; the text is kept in the field."""
        self._show(words, asks=True)
        announce(self, words)

    def show_taken_back(self, path: DocPath, text: str) -> None:
        """Say that the note is gone again, and give its text back to the field."""
        self.field.setText(text)
        self._show(_("Taken back from {path}.").format(path=shown(path)), asks=True)

    @property
    def said(self) -> str:
        """What it says now; empty where it is not shown."""
        return "" if self.isHidden() else self._words.text()

    def _show(self, words: str, *, asks: bool) -> None:
        self._words.setText(words)
        self.field.setVisible(asks)
        self._add.setVisible(asks)
        self._undo.setVisible(not asks)
        self._parts.setStretch(1, 3 if asks else 0)
        self._close.setText(_("Not now") if asks else _("Dismiss"))
        self._close.setAccessibleName(self._close.text())
        self._allow()
        self.show()

    @Slot()
    def _allow(self) -> None:
        self._add.setEnabled(bool(self.field.text().strip()))

    @Slot()
    def _ask(self) -> None:
        if self.field.text().strip():
            self.requested.emit(self.field.text())

    @Slot()
    def _leave(self) -> None:
        held_focus = self.isAncestorOf(self.window().focusWidget())
        self.hide()
        if held_focus:
            self.left.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < theme().px(_NARROW)
        self._parts.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
