"""Forgetting in the window: asked about in the history's own strip, done beside the window, and told."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from memgui.domain.errors import MemguiError
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, shown
from memgui.domain.versions import Version
from memgui.gui.jobs import Lane
from memgui.gui.panels.history.message import HistoryMessage
from memgui.gui.session import Session
from memgui.i18n import _, ngettext
from memgui.ops import forgetting
from memgui.ops.forgetting import Forgotten, Secret


class Forgetting(QObject):
    """Has a version, or a text, forgotten."""

    done = Signal()

    def __init__(self, session: Session, message: HistoryMessage, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._message, self._lane = session, message, lane

    @Slot()
    def ask(self) -> None:
        """Ask for a text that is to be forgotten."""
        words = _(
            "Forget a text, such as a key or a password: every version, unsaved text and copy that holds it goes from"
            " all that memgui keeps, and cannot be brought back. Names of files, who wrote them and when stay, and"
            " files on disk are not touched."
        )
        self._message.ask(words, action=_("Forget everywhere"), answer=self._take_text, field=_("The text to forget"))

    def _take_text(self, text: str) -> None:
        try:
            wanted = forgetting.secret(text)
        except MemguiError as error:
            self._message.say(error.sentences)
            return
        self._forget(wanted, DocPath(""))

    @Slot(object, object)
    def forget_version(self, path: DocPath, version: Version) -> None:
        """Forget a version; the person was asked."""
        self._forget(forgetting.of_one(version), path)

    def _forget(self, wanted: Secret, path: DocPath) -> None:
        self._message.say(_("Forgetting…"))
        view = self._session.view
        if view is not None:
            work = partial(forgetting.forget, view.workspace, wanted, origin=Origin.you(), path=path)
            self._lane.submit(work, self._tell_forgotten, self._tell_trouble)

    def _tell_forgotten(self, done: Forgotten) -> None:
        words = ngettext("{count} version was forgotten.", "{count} versions were forgotten.", done.versions)
        said = [words.format(count=f"{done.versions:,}")]
        if done.others:
            words = ngettext("{count} other file as well.", "{count} other files as well.", done.others)
            said.append(words.format(count=f"{done.others:,}"))
        if done.still:
            names = ", ".join(shown(path) for path in done.still[:3]) + (" …" if len(done.still) > 3 else "")
            said.append(_("It still stands on disk in {names}.").format(names=names))
        self._message.say(" ".join(said))
        self._build_index_anew()
        self.done.emit()

    def _build_index_anew(self) -> None:
        view, words = self._session.view, self._session.words.words
        if view is not None and words is not None:
            self._lane.submit(partial(words.refresh, view.snapshot, anew=True), _nothing, self._tell_trouble)

    def _tell_trouble(self, error: MemguiError) -> None:
        self._message.say(error.sentences)


def _nothing(value: None) -> None:
    """What there is to tell comes as progress."""
