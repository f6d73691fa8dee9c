"""Puts a long text into a page's editor before the page shows it, a moment at a time: the window goes on meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSignalBlocker, QTimer, Slot

from memgui.domain.documents import Document
from memgui.gui.panels.page.saving import Saver
from memgui.gui.panels.page.text import PageText


class Filling(QObject):
    """Fills the editor with one document, and then has it shown; what is not long is shown at once."""

    def __init__(self, text: PageText, saver: Saver, parent: QObject) -> None:
        super().__init__(parent)
        self._text, self._saver = text, saver
        self._coming: tuple[Document, Callable[[], None]] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    def begin(self, document: Document, show: Callable[[], None]) -> None:
        """Fill in this document in the place of any other, then `show` it."""
        self._coming = document, show
        self._timer.start()
        self._go_on()

    def finish(self) -> None:
        """Have shown at once what is being filled in."""
        coming = self._coming
        self.cancel()
        if coming is not None:
            coming[1]()

    def cancel(self) -> None:
        """Something else is shown."""
        self._timer.stop()
        self._coming = None

    @Slot()
    def _go_on(self) -> None:
        if self._coming is None:
            return
        self._saver.is_filling = True
        with QSignalBlocker(self._saver):
            done = self._text.show_some(self._coming[0])
        self._saver.is_filling = False
        if done:
            self.finish()
