"""Why a hit is there, or a file is not: a few sentences below the results, as long as one wants them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from memgui.gui.kit.buttons import IconButton
from memgui.gui.kit.labels import ElidedLabel, ThemedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.kit.speech import announce
from memgui.gui.kit.strip import Strip
from memgui.i18n import _


class WhyStrip(Strip):
    """Says what it is told until it is closed."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tone="info")
        self.setObjectName("searchWhy")
        self.setAccessibleName(_("Why"))
        self._title = ElidedLabel("", self, colour="info")
        self._words = ThemedLabel("", self, colour="info", scale=0.92)
        self._words.setObjectName("searchWhyText")
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = IconButton("close", _("Close (Esc)"), self, size=14)
        close.setObjectName("searchWhyClose")
        close.clicked.connect(self.leave)
        head = row(gap=4)
        head.addWidget(self._title, 1)
        head.addWidget(close)
        box = column(self, margins=(12, 4, 4, 8), gap=2)
        box.addLayout(head)
        box.addWidget(self._words)
        QShortcut(QKeySequence("Escape"), self, self.leave, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.hide()

    def say(self, title: str, reasons: Sequence[str]) -> None:
        """Say these sentences."""
        self._title.setText(title)
        self._words.setText("\n".join(reasons))
        self.show()
        announce(self, f"{title}: {' '.join(reasons)}")

    @Slot()
    def leave(self) -> None:
        """Say nothing any more."""
        self.hide()
        self.closed.emit()
