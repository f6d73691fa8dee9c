"""A strip under the preview that asks before something leaves the window, or which of several was meant."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.kit.strip import Strip


class Question(Strip):
    """Words and a few answers. `answered` gives the answer's value; None when the person turned away."""

    answered = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None, *, tone: str = "info") -> None:
        super().__init__(parent, tone=tone)
        self.setObjectName(name)
        self._text = ThemedLabel("", self, colour=tone or "text")
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._buttons = row(gap=6)
        self._values: dict[str, object] = {}
        box = column(self, margins=(14, 8, 12, 9), gap=7)
        box.addWidget(self._text)
        box.addLayout(self._buttons)
        self.hide()

    @property
    def text(self) -> str:
        """What is asked."""
        return self._text.text()

    def ask(self, text: str, answers: Sequence[tuple[str, str, object]], *, focus: bool = True) -> None:
        """Show the question; `answers` are (name, words, value), the first the obvious one."""
        self._text.setText(text)
        self.setAccessibleName(text)
        while item := self._buttons.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        self._values = {}
        first: QPushButton | None = None
        for name, words, value in answers:
            button = QPushButton(words.replace("&", "&&"), self)
            button.setObjectName(name)
            button.setAccessibleName(words)
            button.setAutoDefault(True)
            button.clicked.connect(self._answer)
            self._values[name] = value
            self._buttons.addWidget(button)
            first = first or button
        self._buttons.addStretch(1)
        self.show()
        if focus and first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _answer(self) -> None:
        sender = self.sender()
        if sender is not None:
            self._end(self._values.get(sender.objectName()))

    def _end(self, value: object) -> None:
        self.hide()
        self.answered.emit(value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._end(None)
            return
        super().keyPressEvent(event)
