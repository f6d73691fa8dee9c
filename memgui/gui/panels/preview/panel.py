"""A page's preview: the rendered text, kept up with its source, with the questions that its links raise."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QImage, QShowEvent, QTextCursor, QTextImageFormat
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from memgui.domain.invisible import labelled
from memgui.domain.links import WIKI
from memgui.domain.paths import DocPath, shown
from memgui.gui import theme
from memgui.gui.kit.layout import column
from memgui.gui.panels.preview.asking import Question
from memgui.gui.panels.preview.browser import PreviewBrowser
from memgui.gui.panels.preview.rendering import MOST_CHARACTERS, Rendering
from memgui.gui.panels.preview.style import Style
from memgui.gui.panels.preview.syncing import Sync
from memgui.i18n import _

MOST_CHOICES = 6
_LINE_ENDS = re.compile("[\u2029\ufdd0\ufdd1]")
"""Where Qt ends a block, and so the editor a line."""
_LINE_BREAK = "\u2028"
REST_MS = 150
"""How long the source rests before it is rendered again."""


class PreviewPanel(QWidget):
    """Shows the text of an editor, again whenever that changes. It never changes anything, and fetches nothing."""

    followed = Signal(str)
    """The person chose a link with this target."""
    outside_chosen = Signal(str)
    """The person said that this address is to be opened outside the window."""
    document_chosen = Signal(object)
    """One of several documents that a link may mean."""
    pointed = Signal(str)
    """The whole target of the link under the mouse or the keyboard; empty: none any more."""
    picture_wanted = Signal(str)
    rendered = Signal()
    """What is shown is the source of now."""

    def __init__(self, source: QPlainTextEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._stale = True
        self._limit = MOST_CHARACTERS
        self._start: float | None = None
        self._asked: set[str] = set()
        """Pictures that were asked for since the panel was shown; each key in the source must not ask again."""
        self._rendering: Rendering | None = None
        self.browser = PreviewBrowser(self)
        self.sync = Sync(source, self.browser, self)
        self.question = Question("previewQuestion", self)
        self.rest = Question("previewRest", self, tone="")
        self.reason = Question("previewReason", self, tone="")
        box = column(self)
        box.addWidget(self.reason)
        box.addWidget(self.browser, 1)
        box.addWidget(self.rest)
        box.addWidget(self.question)
        self.setFocusProxy(self.browser)
        self._wait = QTimer(self, singleShot=True, interval=REST_MS)
        self._wait.timeout.connect(self.refresh)
        self.browser.followed.connect(self.followed)
        self.browser.pointed.connect(self._point)
        self.question.answered.connect(self._answered)
        self.rest.answered.connect(self._show_all)
        source.document().contentsChanged.connect(self._source_changed)
        theme.theme().changed.connect(self._dress)

    # Rendering -------------------------------------------------------------------------------------------------------

    @property
    def is_current(self) -> bool:
        """Whether what is shown is the source of now."""
        return not self._stale and (self._rendering is None or self._rendering.finished)

    @Slot()
    def _source_changed(self) -> None:
        self._stale = True
        if self.isVisible():
            self._wait.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._asked.clear()
        if self._stale:
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Render the source as it is now. The view stays at its line."""
        self._wait.stop()
        self._stale = False
        if self._rendering is not None:
            self._rendering.stop()
            if self._rendering.document is not self.browser.document():
                self._rendering.deleteLater()
        first = not self.browser.written.lines
        self._rendering = Rendering(
            _LINE_ENDS.split(self._source.document().toRawText()), self.browser.look, limit=self._limit, parent=self
        )
        self._rendering.done.connect(self._show_done)
        self._rendering.start()
        if first and not self._rendering.finished:
            # The beginning can be read while the rest is on its way.
            self.browser.show_document(self._rendering.document, self._rendering.written)

    @Slot()
    def _show_done(self) -> None:
        rendering = self._rendering
        if rendering is None:
            return
        if rendering.document is not self.browser.document():
            line = self.sync.preview_line()
            self.browser.show_document(rendering.document, rendering.written)
            self.sync.show_line(line)
        if self._start is not None:
            self.sync.show_line(self._start)
            self._start = None
        self.browser.settle()
        self._show_rest(rendering)
        for target in dict.fromkeys(picture.target for picture in rendering.written.pictures):
            if target in self.browser.pictures:
                self._put_picture(target)
            elif target not in self._asked:
                self._asked.add(target)
                self.picture_wanted.emit(target)
        if self._source.isVisible():
            self.sync.follow_source()
        self.rendered.emit()

    def _show_rest(self, rendering: Rendering) -> None:
        if rendering.complete:
            self.rest.hide()
            return
        text = _("Rendered up to line {line} of {total}.").format(
            line=f"{rendering.written.end:,}", total=f"{rendering.total:,}"
        )
        self.rest.ask(text, [("renderRest", _("Render the rest"), True)], focus=False)

    @Slot(object)
    def _show_all(self, wanted: object) -> None:
        if wanted:
            self._limit = 1 << 62
            self.refresh()

    @Slot()
    def _dress(self) -> None:
        self.browser.look = Style(theme.theme())
        self._stale = True
        if self.isVisible():
            self.refresh()

    def explain(self, text: str) -> None:
        """Say why this is not all there is, or not what it should be; empty: it is."""
        if text:
            self.reason.ask(text, [], focus=False)
        else:
            self.reason.hide()

    def start_at(self, line: float) -> None:
        """Show this line of the source (from 0) at the top, as soon as it is rendered."""
        if self.is_current:
            self.sync.show_line(line)
        else:
            self._start = line

    # Pictures --------------------------------------------------------------------------------------------------------

    def show_picture(self, target: str, image: QImage) -> None:
        """The picture that `picture_wanted` asked for."""
        self.browser.pictures[target] = image
        if self._rendering is not None and self._rendering.finished:
            self._put_picture(target)

    def _put_picture(self, target: str) -> None:
        """Put the picture above its words, wherever the text names it."""
        image, written = self.browser.pictures[target], self.browser.written
        most = min(self.browser.look.column, max(40, self.browser.viewport().width() - 80))
        scale = min(1.0, most / image.width(), theme.theme().px(460) / image.height())
        look = QTextImageFormat()
        look.setName(target)
        look.setWidth(max(1, round(image.width() * scale)))
        look.setHeight(max(1, round(image.height() * scale)))
        cursor = QTextCursor(self.browser.document())
        for picture in written.pictures:
            if picture.target == target and not picture.is_shown:
                cursor.setPosition(picture.position)
                cursor.insertImage(look)
                cursor.insertText(_LINE_BREAK, self.browser.look.muted)
                picture.is_shown = True
                written.make_room(picture.position, 1 + len(_LINE_BREAK))

    # Links -----------------------------------------------------------------------------------------------------------

    @Slot(str)
    def _point(self, target: str) -> None:
        if target.startswith(WIKI):
            target = f"[[{target.removeprefix(WIKI)}]]"
        self.pointed.emit(labelled(target))

    def ask_outside(self, target: str) -> None:
        """Ask whether to leave for an address."""
        text = _("Open this outside memgui?\n{target}").format(target=labelled(target))
        self.question.ask(text, [("openOutside", _("Open"), target), ("stayHere", _("Stay here"), None)])

    def offer(self, paths: Sequence[DocPath]) -> None:
        """Ask which document was meant."""
        answers = [(f"choice{number}", shown(path), (path,)) for number, path in enumerate(paths[:MOST_CHOICES])]
        text = _("{count} documents have this name. Which one?").format(count=f"{len(paths):,}")
        self.question.ask(text, [*answers, ("stayHere", _("Stay here"), None)])

    @Slot(object)
    def _answered(self, value: object) -> None:
        self.setFocus()
        if isinstance(value, str):
            self.outside_chosen.emit(value)
        elif isinstance(value, tuple):
            self.document_chosen.emit(value[0])
