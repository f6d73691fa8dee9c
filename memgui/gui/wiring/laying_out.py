"""Laying the workspace out as of a moment: where to is asked, how far it is told, and it can be stopped."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from memgui.domain.errors import MemguiError
from memgui.domain.paths import shown
from memgui.gui.jobs import Desk, Lane
from memgui.gui.models.review_model import moment_words
from memgui.gui.panels.history.message import HistoryMessage
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.i18n import _, ngettext
from memgui.ops import laying_out
from memgui.ops.laying_out import LaidOut


class LayingOut(QObject):
    """Writes every document as it stood at a moment into a folder that the person chooses."""

    _progressed = Signal(str)

    def __init__(
        self, window: MainWindow, session: Session, message: HistoryMessage, lane: Lane, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._window, self._session, self._message, self._lane = window, session, message, lane
        self._desk = Desk()
        self._dialog: QFileDialog | None = None
        # It is told from the lane's thread.
        self._progressed.connect(message.retell, Qt.ConnectionType.QueuedConnection)

    def stop(self) -> None:
        """Lay out no more; what stands there by now stays."""
        self._desk.cancel()

    def choose_folder(self, moment: float) -> None:
        """Ask where to, beside the window and not in its way; then lay the workspace out as of that moment."""
        title = _("A new or empty folder for the workspace as of {moment}").format(moment=moment_words(moment))
        dialog = QFileDialog(self._window, title, str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.fileSelected.connect(partial(self._lay_out_at, moment))
        self._dialog = dialog
        dialog.open()

    def _lay_out_at(self, moment: float, folder: str) -> None:
        self.lay_out(moment, Path(folder))

    def lay_out(self, moment: float, folder: Path) -> None:
        """Write every document as it stood at a moment into a folder."""
        view, ticket = self._session.view, self._desk.next()
        if view is None:
            return
        said = time.monotonic()

        def tell(done: int, every: int) -> None:
            nonlocal said
            if time.monotonic() - said > 0.1 and not ticket.stale:
                said = time.monotonic()
                self._progressed.emit(_("{done} of {every} documents…").format(done=f"{done:,}", every=f"{every:,}"))

        self._message.say(_("Laying out the workspace…"), action=_("Stop"), answer=lambda _text: self._desk.cancel())
        work = partial(laying_out.lay_out, view.workspace, moment, folder, progress=tell, stop=lambda: ticket.stale)
        self._lane.submit(work, partial(self._tell_laid_out, moment), self._tell_trouble)

    def _tell_laid_out(self, moment: float, done: LaidOut) -> None:
        if done.is_stopped:
            words = _("Stopped: {count} documents stand in {folder}.")
        else:
            words = _("{count} documents, as of {moment}, stand in {folder}.")
        folder = shown(str(done.to))
        said = [words.format(count=f"{done.documents:,}", moment=moment_words(moment), folder=folder)]
        if done.missing:
            words = ngettext("{count} could not be laid out.", "{count} could not be laid out.", len(done.missing))
            said.append(words.format(count=len(done.missing)))
        self._message.say(" ".join(said))

    def _tell_trouble(self, error: MemguiError) -> None:
        self._message.say(error.sentences)
