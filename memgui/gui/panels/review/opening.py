"""The strip of a first opening: does what is there count as seen, or is it to be reviewed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QRadioButton, QWidget

from memgui.domain.paths import DocPath, shown
from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.kit.strip import Strip
from memgui.gui.theme import theme
from memgui.i18n import _, ngettext

_NARROW = 720


class OpeningStrip(Strip):
    """`chosen`: whether what is there counts as seen. Closed, it holds as it was chosen last, at first: seen."""

    chosen = Signal(bool)
    closed = Signal()
    show_requested = Signal()
    """Open the first of the documents that hide something."""

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
        self._found = ThemedLabel("", self, colour="warning")
        self._found.setObjectName("openingFound")
        self._found.setWordWrap(True)
        self._show = QPushButton(_("Show"), self)
        self._show.setObjectName("openingShow")
        self._show.setAccessibleName(_("Show the first of them"))
        self._show.clicked.connect(self.show_requested)
        rows = column(self, margins=(12, 6, 12, 7), gap=4)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._parts.setSpacing(10)
        rows.addLayout(self._parts)
        below = row(gap=10)
        below.addWidget(self._found, 1)
        below.addWidget(self._show)
        rows.addLayout(below)
        for widget in (self._found, self._show):
            widget.hide()
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

    def show_found(self, findings: int, hiding: Sequence[DocPath]) -> None:
        """Say what was wrong before anybody looked, whatever is chosen."""
        said = []
        if hiding:
            names = ", ".join(shown(path) for path in hiding[:3]) + (" …" if len(hiding) > 3 else "")
            words = ngettext(
                "{count} file holds hidden characters: {names}",
                "{count} files hold hidden characters: {names}",
                len(hiding),
            )
            said.append(words.format(count=f"{len(hiding):,}", names=names))
        if findings:
            words = ngettext(
                "{count} finding in facts, links and front matter (memgui check lists it)",
                "{count} findings in facts, links and front matter (memgui check lists them)",
                findings,
            )
            said.append(words.format(count=f"{findings:,}"))
        self._found.setText("⚠ " + " · ".join(said))
        self._found.setVisible(bool(said))
        self._show.setVisible(bool(hiding))

    @Slot()
    def _close(self) -> None:
        self.hide()
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < theme().px(_NARROW)
        self._words.setWordWrap(narrow)
        self._parts.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
