"""The card on which a name is typed: over the row that it is for, with what is wrong with it said below the field."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column
from memgui.gui.kit.speech import announce
from memgui.gui.theme import current, theme
from memgui.i18n import _

_EDGE = 8


class NameField(QLineEdit):
    """Types a name; Escape gives it up, and so does going elsewhere in the window."""

    given_up = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        # Keys of the window that are keys of a text field too (Delete) are the field's while it is typed in.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
            if is_plain and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_F2, Qt.Key.Key_Escape):
                event.accept()
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.given_up.emit()


class NameCard(QWidget):
    """Asks for one name. It stays until `done` or until it is given up; `refuse` says why the name will not do."""

    accepted = Signal(str)
    edited = Signal(str)
    given_up = Signal()
    left = Signal()
    """It went by the keyboard: what it lay over has the keyboard again."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setObjectName("nameCard")
        self._refused = False
        self._caption = ThemedLabel("", self, colour="muted", scale=0.9)
        self._caption.setObjectName("nameCaption")
        self._caption.setWordWrap(True)
        self.field = NameField(self)
        self.field.setObjectName("nameField")
        self.field.setAccessibleName(_("Name"))
        self.setAccessibleName(_("Name"))
        self._words = ThemedLabel("", self, colour="error", scale=0.9)
        self._words.setObjectName("nameMessage")
        self._words.setWordWrap(True)
        self._words.hide()
        box = column(self, margins=(10, 7, 10, 9), gap=5)
        for widget in (self._caption, self.field, self._words):
            box.addWidget(widget)
        self.hide()
        self.field.textEdited.connect(self._edited)
        self.field.returnPressed.connect(self._accept)
        self.field.given_up.connect(self.give_up)

    @property
    def message(self) -> str:
        """What is said of the name below the field."""
        return self._words.text() if not self._words.isHidden() else ""

    def ask(self, caption: str, text: str, chosen: int) -> None:
        """Come up with a text of which the first characters are chosen, and take the keyboard."""
        self._caption.setText(caption)
        self.field.setAccessibleName(caption)
        self.setAccessibleName(caption)
        self.field.setEnabled(True)
        self.field.setText(text)
        self.field.setSelection(0, chosen)
        self.say("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def say(self, words: str, *, is_wrong: bool = False) -> None:
        """What is to be said of the name: that it will not do, or what to think of; nothing."""
        self._refused = is_wrong
        self._words.set_colour("error" if is_wrong else "warning")
        self._words.setText(words)
        self._words.setVisible(bool(words))
        self.field.setAccessibleDescription(words)
        if words:
            announce(self.field, words)
        self.place(self.y())

    def refuse(self, words: str) -> None:
        """The name was tried and will not do; another one may be typed."""
        self.field.setEnabled(True)
        self.say(words, is_wrong=True)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def wait(self) -> None:
        """The name is being given: nothing can be typed meanwhile."""
        self.field.blockSignals(True)
        self.field.setEnabled(False)
        self.field.blockSignals(False)

    def done(self) -> None:
        """It was given."""
        if self.isVisible():
            self._go()

    @Slot()
    def give_up(self) -> None:
        """Go away; nothing was named."""
        if self.isVisible() and self.field.isEnabled():
            self._go()
            self.given_up.emit()

    def _go(self) -> None:
        focus = QApplication.focusWidget()
        held = focus is None or focus is self.field or not focus.isVisible()
        self.field.blockSignals(True)
        self.hide()
        self.field.blockSignals(False)
        if held:
            self.left.emit()

    def place(self, top: int) -> None:
        """Stand with its top at this height, as far as the panel reaches."""
        width = self._over.width() - 2 * _EDGE
        self.setFixedWidth(max(120, width))
        box = self.layout()
        height = box.heightForWidth(self.width()) if box is not None and box.hasHeightForWidth() else -1
        self.resize(self.width(), height if height > 0 else self.sizeHint().height())
        lowest = self._over.height() - self.height() - _EDGE
        self.move(_EDGE, max(_EDGE, min(top, lowest)))

    @Slot(str)
    def _edited(self, text: str) -> None:
        self.edited.emit(text)

    @Slot()
    def _accept(self) -> None:
        if not self._refused and self.field.isEnabled():
            self.accepted.emit(self.field.text())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        colours, painter = current(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(colours.border))
        painter.setBrush(QColor(colours.raised))
        radius = theme().px(8)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
