"""What the history says or asks, in one strip above it: never in the way, one at a time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.kit.speech import announce
from memgui.gui.kit.strip import Strip
from memgui.i18n import _

_WITHIN = Qt.ShortcutContext.WidgetWithChildrenShortcut


class HistoryMessage(Strip):
    """A sentence; beside it what can be done, and a field where something is to be typed."""

    withdrawn = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tone="info")
        self.setObjectName("historyMessage")
        self._answer: Callable[[str], object] | None = None
        self._words = ThemedLabel("", self, colour="info")
        self._words.setObjectName("historyMessageText")
        self._words.setWordWrap(True)
        self.field = QLineEdit(self)
        self.field.setObjectName("historyMessageField")
        self.field.setEchoMode(QLineEdit.EchoMode.PasswordEchoOnEdit)
        self.yes = QPushButton(self)
        self.yes.setObjectName("historyMessageAction")
        self.no = QPushButton(self)
        self.no.setObjectName("historyMessageDismiss")
        self.no.setProperty("flat", True)
        line = row(gap=6)
        line.addWidget(self._words, 1)
        line.addWidget(self.yes)
        line.addWidget(self.no)
        box = column(self, margins=(12, 6, 12, 6), gap=6)
        box.addLayout(line)
        box.addWidget(self.field)
        self.yes.clicked.connect(self._say_yes)
        self.no.clicked.connect(self.withdraw)
        self.field.returnPressed.connect(self._say_yes)
        QShortcut(QKeySequence("Escape"), self, self.withdraw, context=_WITHIN)
        self.hide()

    @property
    def words(self) -> str:
        """What is said; empty where nothing is."""
        return "" if self.isHidden() else self._words.text()

    def say(self, words: str, *, action: str = "", answer: Callable[[str], object] | None = None) -> None:
        """Say something, with what can be done about it."""
        self._show("info", words, action, answer, dismiss=_("Dismiss"))
        announce(self, words)

    def ask(self, words: str, *, action: str, answer: Callable[[str], object], field: str = "") -> None:
        """Ask whether, or (with a `field` of that name) what; the keyboard goes there."""
        self._show("warning", words, action, answer, dismiss=_("Cancel"))
        self.field.setVisible(bool(field))
        self.field.setAccessibleName(field)
        self.field.setPlaceholderText(field)
        self.field.clear()
        (self.field if field else self.no).setFocus()
        announce(self, words)

    def retell(self, words: str) -> None:
        """Say something newer in the same strip."""
        self._words.setText(words)

    def _show(
        self, tone: str, words: str, action: str, answer: Callable[[str], object] | None, *, dismiss: str
    ) -> None:
        self.set_tone(tone)
        self._words.set_colour(tone)
        self._words.setText(words)
        self._answer = answer
        self.field.hide()
        self.yes.setText(action)
        self.yes.setAccessibleName(action)
        self.yes.setVisible(bool(action))
        self.no.setText(dismiss)
        self.no.setAccessibleName(dismiss)
        self.show()

    @Slot()
    def _say_yes(self) -> None:
        answer, text = self._answer, self.field.text()
        self.field.clear()
        self.withdraw()
        if answer is not None:
            answer(text)

    @Slot()
    def withdraw(self) -> None:
        """Nothing is said or asked any more."""
        held = self.isAncestorOf(self.window().focusWidget()) if self.window().focusWidget() is not None else False
        self._answer = None
        self.hide()
        if held:
            self.withdrawn.emit()
