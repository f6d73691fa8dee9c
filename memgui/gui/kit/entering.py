"""Enter presses the button that has the keyboard, as Space does, on every desktop and not by its theme alone."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget


class EnterPresses(QObject):
    """Listens to the button in focus, and to no other widget, of one window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._go_to)

    @Slot(QWidget, QWidget)
    def _go_to(self, old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(old, QAbstractButton):
            old.removeEventFilter(self)
        if isinstance(new, QAbstractButton) and self._window.isAncestorOf(new):
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and isinstance(watched, QAbstractButton)
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ):
            if not event.isAutoRepeat():
                watched.click()
            return True
        return super().eventFilter(watched, event)
