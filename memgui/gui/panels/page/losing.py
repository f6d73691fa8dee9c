"""Notices when another program's write removed lines that the person saved a while ago, and puts them back."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, Signal, Slot

from memgui.domain.lines import Lines
from memgui.domain.own_lines import Lost, OwnSave, lost, put_back, recent
from memgui.domain.text import HUGE_BYTES, Text
from memgui.gui.notices import Notices
from memgui.gui.panels.page import saying
from memgui.gui.panels.page.disk_side import DiskSide
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.saving import Saver
from memgui.gui.panels.page.text import PageText
from memgui.i18n import _

LOST_LINES = "lost-lines"
TOGETHER_SECONDS = 60.0
"""Saves of one minute, with nobody else's between, count as one."""
_TICK = re.compile(r"\[[ xX]\]")


class OwnLines(QObject):
    """Remembers a document's saves of the last minutes (`saves` may outlive the page), and offers lost lines again."""

    save_wanted = Signal()

    def __init__(
        self,
        editor: MemoryEditor,
        text: PageText,
        saver: Saver,
        disk: DiskSide,
        *,
        saves: list[OwnSave],
        notices: Notices,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._text = text
        self._saver = saver
        self._notices = notices
        self._now = now
        self._lost: Lost | None = None
        self._saves = saves
        disk.moved.connect(self._moved)
        notices.acted.connect(self._put_back)
        notices.dismissed.connect(self._forget)

    def look_back(self) -> None:
        """The page shows its document anew: somebody may have written since the last save."""
        self._look(self._saves[-1].after if self._saves else Lines.split(""))

    @Slot(object, bool)
    def _moved(self, stood: Lines, own: bool) -> None:
        base = self._saver.standing.base
        if base is None or base.text is None or len(base.data) > HUGE_BYTES:
            return
        if own:
            self._note(OwnSave.of(self._now().timestamp(), stood, base.text.lines))
        else:
            self._look(stood)

    def _look(self, stood: Lines) -> None:
        self._saves[:] = recent(self._saves, self._now().timestamp())
        if not self._saves:
            return
        there = self._editor.lines()
        # Lines that were missed already are still missed, though they did not stand there just now.
        before = Lines((*stood.texts, *(self._lost.texts if self._lost else ())), ())
        found = lost(self._saves, before, there)
        texts = _not_only_ticked(found.texts, there) if found else ()
        if found is None or not texts:
            self._lost = None
            self._notices.withdraw(LOST_LINES)
            return
        self._lost = Lost(texts, found.time)
        words = saying.lost_lines(len(texts), datetime.fromtimestamp(found.time, self._now().tzinfo))
        self._notices.tell(LOST_LINES, words, _("Re-apply"), lasting=True)

    def _note(self, save: OwnSave) -> None:
        self._saves[:] = recent(self._saves, save.time)
        last = self._saves[-1] if self._saves else None
        if last is not None and last.after == save.before and save.time - last.time < TOGETHER_SECONDS:
            self._saves[-1] = OwnSave.of(last.time, last.before, save.after)
        else:
            self._saves.append(save)

    @Slot(str)
    def _put_back(self, kind: str) -> None:
        gone, stands = self._lost, self._editor.lines()
        if kind != LOST_LINES or gone is None:
            return
        self._lost = None
        lines = put_back(recent(self._saves, self._now().timestamp()), gone, stands)
        if self._editor.may_put(lines.joined()):
            self._text.take(Text(lines, self._text.encoding))
            self.save_wanted.emit()

    @Slot(str)
    def _forget(self, kind: str) -> None:
        if kind == LOST_LINES:
            self._lost = None


def _not_only_ticked(texts: tuple[str, ...], there: Lines) -> tuple[str, ...]:
    """Those of the lines that do not stand there with another tick."""
    ticked = {_TICK.sub("[ ]", text, count=1) for text in there.texts}
    return tuple(text for text in texts if _TICK.sub("[ ]", text, count=1) not in ticked)
