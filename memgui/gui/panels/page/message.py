"""A strip that says one thing and offers what can be done: the buttons beside the sentence, or below it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QSizePolicy, QWidget

from memgui.gui import icons, theme
from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.kit.strip import Strip
from memgui.gui.panels.page.flow import FlowLayout

_GAP = 8


class Message(Strip):
    """An icon, a sentence, buttons in `flow`, and room for more `below` and in the `corner`."""

    def __init__(self, text_name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = ("info", "muted")
        self._icon = QLabel(self)
        self._text = ThemedLabel("", self)
        self._text.setObjectName(text_name)
        self._text.setAccessibleName(words)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.flow = FlowLayout(gap=6)
        head = row(gap=_GAP)
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self._text, 1)
        self._parts = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._parts.setContentsMargins(0, 0, 0, 0)
        self._parts.setSpacing(6)
        self._parts.addLayout(head, 1)
        self._parts.addLayout(self.flow)
        self.corner = row(gap=_GAP)
        self.corner.addLayout(self._parts, 1)
        self.below = column(self, margins=(12, 7, 10, 8), gap=6)
        self.below.addLayout(self.corner)
        theme.theme().changed.connect(self._draw_icon)

    @property
    def text(self) -> str:
        """The sentence shown."""
        return self._text.text()

    def say(self, icon: str, tone: str, text: str) -> None:
        """Show this sentence in this tone."""
        self.set_tone(tone)
        self._text.set_colour(tone or "text")
        self._picture = (icon, tone or "muted")
        self._draw_icon()
        if text != self._text.text():
            self._text.setText(text)
            # A name of its own would be read out in place of the sentence.
            self._text.setAccessibleName(text)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        wanted = self._text.fontMetrics().horizontalAdvance(self._text.text()) + self.flow.sizeHint().width()
        fits = wanted + theme.theme().px(100) <= self.width()
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if self._parts.direction() != direction:
            self._parts.setDirection(direction)

    @Slot()
    def _draw_icon(self) -> None:
        name, colour = self._picture
        self._icon.setPixmap(icons.pixmap(name, theme.theme().px(18), self.devicePixelRatioF(), colour))
