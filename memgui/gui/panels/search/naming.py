"""The name of a search that is to be saved: asked for below the search field, with its text as the answer offered."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.kit.strip import Strip
from memgui.i18n import _

_WITHIN = Qt.ShortcutContext.WidgetWithChildrenShortcut


class Naming(Strip):
    """Enter saves, Escape leaves all as it was."""

    named = Signal(str, str)
    """The query and its name."""
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("searchNaming")
        self._query = ""
        words = ThemedLabel(_("Save this search as"), self, colour="muted", scale=0.92)
        self.field = QLineEdit(self)
        self.field.setObjectName("searchName")
        self.field.setAccessibleName(_("Name of the saved search"))
        save = QPushButton(_("Save"), self)
        save.setObjectName("searchSave")
        save.setAccessibleName(_("Save search"))
        line = row(gap=6)
        line.addWidget(self.field, 1)
        line.addWidget(save)
        box = column(self, margins=(10, 6, 10, 8), gap=4)
        box.addWidget(words)
        box.addLayout(line)
        self.field.returnPressed.connect(self._save)
        save.clicked.connect(self._save)
        QShortcut(QKeySequence("Escape"), self, self._leave, context=_WITHIN)
        self.hide()

    def ask(self, query: str, name: str) -> None:
        """Ask how this search is to be called."""
        self._query = query
        self.field.setText(name)
        self.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    @Slot()
    def _save(self) -> None:
        self.hide()
        self.named.emit(self._query, self.field.text())

    @Slot()
    def _leave(self) -> None:
        self.hide()
        self.left.emit()
