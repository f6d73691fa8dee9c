"""Fields: one line to type into that steers a list with the keys it has no use for itself; a choice that is cut."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from memgui.gui import icons
from memgui.gui.theme import theme


class SteeringField(QLineEdit):
    """Types, and passes some keys on: `steered` carries the key."""

    steered = Signal(int)

    def __init__(self, keys: Iterable[Qt.Key], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = frozenset(keys)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in self._keys:
            self.steered.emit(event.key())
        else:
            super().keyPressEvent(event)


class FilterField(SteeringField):
    """Narrows what stands below it; Down and Escape lead out of it. A magnifier stands at its beginning."""

    def __init__(self, name: str, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__((Qt.Key.Key_Down, Qt.Key.Key_Escape), parent)
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setClearButtonEnabled(True)
        self._dress()
        theme().changed.connect(self._dress)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = theme().px(15)
        icons.paint(QPainter(self), "search", QRect(theme().px(9), (self.height() - side) // 2, side, side))

    @Slot()
    def _dress(self) -> None:
        self.setTextMargins(theme().px(20), 0, 0, 0)


class NameChooser(QComboBox):
    """A choice among names. One that is too long is cut in its middle, with `…`, and the whole of it is in the tip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentTextChanged.connect(self.setToolTip)

    def shown_text(self) -> str:
        """The chosen name as it is drawn."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        # The style keeps a pixel or two on either side of the text for itself.
        width = room.width() - theme().px(4)
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideMiddle, width)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
