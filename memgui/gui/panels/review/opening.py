"""The strip of a first opening: does what is there count as seen, or is it to be reviewed."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QRadioButton, QWidget

from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import row
from memgui.gui.kit.strip import Strip
from memgui.gui.theme import theme
from memgui.i18n import _

_NARROW = 720


class OpeningStrip(Strip):
    """`chosen`: whether what is there counts as seen. Closed, it holds as it was chosen last, at first: seen."""

    chosen = Signal(bool)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tone="info")
        self.setObjectName("openingStrip")
        self.setAccessibleName(_("First opening"))
        self._words = ThemedLabel(_("Treat what is there now as"), self, colour="info")
        self.seen = QRadioButton(_("already seen"), self)
        self.unseen = QRadioButton(_("to be reviewed"), self)
        self.seen.setChecked(True)
        done = QPushButton(_("OK"), self)
        for button, name in ((self.seen, "openingSeen"), (self.unseen, "openingUnseen"), (done, "openingDone")):
            button.setObjectName(name)
            button.setAccessibleName(button.text())
            button.setMinimumHeight(24)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._parts.setContentsMargins(14, 6, 10, 7)
        self._parts.setSpacing(10)
        choices = row(gap=14)
        choices.addWidget(self.seen)
        choices.addWidget(self.unseen)
        choices.addStretch(1)
        choices.addWidget(done)
        self._parts.addWidget(self._words)
        self._parts.addLayout(choices, 1)
        self.seen.toggled.connect(self.chosen)
        done.clicked.connect(self._close)

    def show_progress(self, done: int, total: int) -> None:
        """How far what is there has been taken in."""
        words = _("Treat what is there now as")
        self._words.setText(f"{words} ({done:,}/{total:,})" if done < total else words)

    @Slot()
    def _close(self) -> None:
        self.hide()
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < theme().px(_NARROW)
        self._words.setWordWrap(narrow)
        self._parts.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
