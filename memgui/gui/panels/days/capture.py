"""The field that adds a line to today's log, and what came of it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from memgui.domain.paths import DocPath, shown
from memgui.gui.kit.fields import SteeringField
from memgui.gui.kit.labels import ElidedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.kit.speech import announce
from memgui.i18n import _


class CaptureField(QWidget):
    """`requested` carries the text; `undo_requested` takes the last line back; `left` gives the keyboard away."""

    requested = Signal(str)
    undo_requested = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = SteeringField((Qt.Key.Key_Escape,), self)
        self.field.setObjectName("dayCapture")
        self.field.setAccessibleName(_("Add to today"))
        self.field.setPlaceholderText(_("Add to today…"))
        self._said = ElidedLabel("", self, colour="muted", scale=0.9)
        self._said.setObjectName("dayCaptureSaid")
        self.undo = QPushButton(_("Undo"), self)
        self.undo.setObjectName("dayCaptureUndo")
        self.undo.setAccessibleName(_("Take the added line back"))
        self.undo.setProperty("flat", True)
        self.undo.hide()
        self._target: DocPath | None = None
        self._waiting: list[str] = []
        """What was asked for and not answered yet, in that order."""
        below = row(gap=8)
        below.addWidget(self._said, 1)
        below.addWidget(self.undo)
        box = column(self, margins=(12, 10, 12, 8), gap=4)
        box.addWidget(self.field)
        box.addLayout(below)
        self.field.returnPressed.connect(self._ask)
        self.field.steered.connect(self.left)
        self.undo.clicked.connect(self.undo_requested)

    def show_target(self, path: DocPath | None) -> None:
        """Say where a line would go; None: this workspace has no daily log."""
        if path != self._target or not self._said.whole_text():
            self._target = path
            self.field.setEnabled(path is not None)
            words = _("Goes to {path}").format(path=shown(path)) if path is not None else ""
            self._say(words or _("This workspace keeps facts and no daily log."), "muted", undo=False)

    def show_added(self, path: DocPath, *, into_page: bool = False) -> None:
        """Say that it is there, and where."""
        if into_page:
            words = _("Added to the open page of {path}; it is saved with your other text.").format(path=shown(path))
        else:
            words = _("Added to {path}").format(path=shown(path))
        del self._waiting[:1]
        self._say(words, "added", undo=True)
        announce(self, words)

    def show_taken_back(self, path: DocPath, text: str) -> None:
        """Say that the line is gone again, and give its text back to the field where that is empty."""
        if not self.field.text():
            self.field.setText(text)
        self._say(_("Taken back from {path}").format(path=shown(path)), "muted", undo=False)

    def show_failed(self, words: str) -> None:
        """Say why it could not be; the text is in the field again, before what was typed since."""
        if self._waiting:
            self.field.setText("\n".join(filter(None, (self._waiting.pop(0), self.field.text()))))
        self._say(words, "error", undo=False)
        announce(self, words)

    @property
    def said(self) -> str:
        """The sentence below the field."""
        return self._said.whole_text()

    def _say(self, words: str, colour: str, *, undo: bool) -> None:
        self._said.set_colour(colour)
        self._said.setText(words)
        self.undo.setVisible(undo)

    @Slot()
    def _ask(self) -> None:
        text = self.field.text()
        if text.strip():
            self._waiting.append(text)
            self.field.clear()
            self.requested.emit(text)
