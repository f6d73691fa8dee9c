"""The side panel: a row of names over what was chosen by them."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from memgui.gui.kit.buttons import SideTab
from memgui.gui.kit.layout import HairLine, column, row


class SidePanel(QWidget):
    """The side panel: a row of names over what was chosen by them."""

    wanted = Signal(str)
    """A name was chosen under which nothing was placed yet: now is the time to."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sidePanel")
        self._stack = QStackedWidget(self)
        self._head = QWidget(self)
        self._tabs = row(self._head, margins=(6, 0, 6, 0), gap=0)
        self._tabs.addStretch(1)
        self._buttons: dict[str, SideTab] = {}
        self._widgets: dict[str, QWidget] = {}
        box = column(self)
        box.addWidget(self._head)
        box.addWidget(HairLine(self))
        box.addWidget(self._stack, 1)

    def offer(self, name: str, words: str) -> None:
        """Have a name more in the row, in these words."""
        button = SideTab(words, self._head)
        button.setObjectName(f"side.{name}")
        button.clicked.connect(self._show_pressed)
        self._tabs.insertWidget(self._tabs.count() - 1, button)
        self._buttons[name] = button

    def place(self, name: str, widget: QWidget) -> None:
        """Take in what is shown under a name that is offered; the first one is shown at once."""
        self._widgets[name] = widget
        self._stack.addWidget(widget)
        if len(self._widgets) == 1:
            self.choose(name)

    @property
    def chosen(self) -> str:
        """The name of what is shown."""
        return next((name for name, widget in self._widgets.items() if widget is self._stack.currentWidget()), "")

    def choose(self, name: str) -> None:
        """Show what was placed under that name."""
        if name not in self._widgets:
            self.wanted.emit(name)
        self._buttons[name].setChecked(True)
        self._stack.setCurrentWidget(self._widgets[name])
        self.setFocusProxy(self._widgets[name])

    @Slot()
    def _show_pressed(self) -> None:
        self.choose(next(name for name, button in self._buttons.items() if button.isChecked()))
