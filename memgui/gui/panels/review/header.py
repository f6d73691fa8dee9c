"""What stands over the review: since when, what is done to all of it, and the sentence on what came of a wish."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from memgui.domain.paths import DocPath
from memgui.gui.kit.key_button import KeyButton
from memgui.gui.kit.labels import ElidedLabel, ThemedLabel
from memgui.gui.kit.layout import row
from memgui.gui.kit.strip import Strip
from memgui.gui.models.review_model import moment_words
from memgui.i18n import _


class ReviewHeader(QWidget):
    """The title, and the buttons for all that is listed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ElidedLabel("", self, scale=1.25, mode=Qt.TextElideMode.ElideRight)
        self._title.setObjectName("reviewTitle")
        self.all_seen = KeyButton("markAllSeen", _("Mark all seen"), self, tip=_("As if each was looked at"))
        self.accept_all = KeyButton("acceptAllButton", _("Accept all"), self, tip=_("Accept every change of the list"))
        box = row(self, margins=(12, 8, 12, 8), gap=6)
        box.addWidget(self._title, 1)
        box.addWidget(self.all_seen)
        box.addWidget(self.accept_all)

    def show_since(self, moment: float) -> None:
        """Since when something pends; 0: nothing does, or that is not known."""
        words = _("Review — changed since {moment}").format(moment=moment_words(moment)) if moment else _("Review")
        self._title.setText(words)


class ReviewMessage(Strip):
    """A sentence on what came of a wish, and the way to unlock the identity file that stood in its way."""

    unlock_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tone="info")
        self.setObjectName("reviewMessage")
        self._locked: DocPath | None = None
        self._text = ThemedLabel("", self, colour="info")
        self._text.setObjectName("reviewMessageText")
        self._text.setWordWrap(True)
        self._unlock = QPushButton(_("Unlock…"), self)
        self._unlock.setObjectName("reviewUnlock")
        self._unlock.clicked.connect(self._ask_to_unlock)
        dismiss = QPushButton(_("Dismiss"), self)
        dismiss.setObjectName("reviewMessageDismiss")
        dismiss.setProperty("flat", True)
        dismiss.clicked.connect(self.hide)
        box = row(self, margins=(12, 6, 12, 6), gap=6)
        box.addWidget(self._text, 1)
        for button in (self._unlock, dismiss):
            button.setAccessibleName(button.text())
            box.addWidget(button)
        self.hide()

    def say(self, words: str, *, locked: DocPath | None = None) -> None:
        """Say this, until something else is said or it is dismissed."""
        self._locked = locked
        self._text.setText(words)
        self._unlock.setVisible(locked is not None)
        self.show()

    @property
    def said(self) -> str:
        """What is said now."""
        return "" if self.isHidden() else self._text.text()

    @Slot()
    def _ask_to_unlock(self) -> None:
        if self._locked is not None:
            self.unlock_requested.emit(self._locked)
