"""One page and its checklist. What a person does to an item is an edit of the page's text, and saved at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from memgui.domain import heartbeat_edits as edits
from memgui.domain.errors import ExecutionFailed
from memgui.domain.heartbeat import Checklist, Item, Section, read
from memgui.domain.heartbeat_run import Verdict, verdict
from memgui.domain.lines import Lines
from memgui.domain.paths import name_of, shown
from memgui.gui.jobs import Desk, Ticket
from memgui.gui.panels.heartbeat import HeartbeatPanel
from memgui.gui.panels.page.page import Page
from memgui.gui.state import DocumentState
from memgui.gui.wiring.ticking import Ticking
from memgui.i18n import _, ngettext

LOST_TICK = "lost-tick"
REMEMBERED = timedelta(minutes=10)
"""So long a tick that an outside write dropped is worth a word."""

READ_AT_ONCE = 1_000
"""A text of more lines is read beside the window, and its list follows a moment later."""

_FOLLOW_MS = 40
_SOURCE_SHARE = 0.45
_NEW_FILE = "# Heartbeat\n\n"
_CLOSED = (DocumentState.CONFLICT, DocumentState.DELETED, DocumentState.VIEW, DocumentState.PROTECTED)


Reading = tuple[Checklist, Verdict]
Ask = Callable[[Callable[[], Reading], Callable[[Reading], None], Ticket], None]
"""Has a text read beside the window, and tells what was read unless the ticket is stale by then."""


@dataclass(frozen=True)
class Tick:
    """A tick of the person's: the item, in the reading in which it was ticked, and when that was."""

    item: Item
    then: Checklist
    at: datetime
    saved: bool = False


class Beside(QObject):
    """One page and its checklist: the list follows the text, and its wishes become edits of the text."""

    said = Signal(str)

    def __init__(self, page: Page, ticks: list[Tick], now: Callable[[], datetime], ask: Ask) -> None:
        super().__init__(page)
        self.page = page
        self.panel = HeartbeatPanel(page)
        self.ticking = Ticking(page)
        self._now = now
        self._ask = ask
        self._desk = Desk()
        self._lookups = Desk()
        self._to_select: int | None = None
        self._ticks = ticks
        """The latest ticks; they outlive the page."""
        self._lost: list[Tick] = []
        self._turned: dict[str, str] = {}
        """The mark that an item had before the person turned it, so that turning it back gives the same bytes."""
        self._later = QTimer(self, singleShot=True, interval=_FOLLOW_MS)
        self._later.timeout.connect(self.refresh)
        panel = self.panel
        panel.tick_requested.connect(self.tick)
        panel.text_requested.connect(self._set_text)
        panel.add_requested.connect(self._add)
        panel.remove_requested.connect(self._remove)
        panel.move_requested.connect(self._move)
        panel.create_requested.connect(self._create)
        panel.line_chosen.connect(self._go_to)
        panel.left.connect(self._leave)
        panel.said.connect(self.said)
        panel.source_requested.connect(self._turn_source)
        self.ticking.refused.connect(self.said)
        self.ticking.landed.connect(self._landed)
        page.editor.document().contentsChanged.connect(self._later.start)
        page.state_changed.connect(self.refresh)
        page.caret_moved.connect(self._follow_caret)
        page.notices.acted.connect(self._notice_acted)
        page.halves.changed.connect(self.show)
        page.halves.set_share(_SOURCE_SHARE)
        self.refresh()
        self.show()

    # Following -------------------------------------------------------------------------------------------------------

    @Slot()
    def show(self) -> None:
        """Stand beside the source, unless something else does."""
        if self.page.halves.companion is None:
            self.page.set_companion(self.panel, side_by_side=True)
        self.panel.header.show_source(shown=self.page.halves.source_shown)

    def come_forward(self) -> None:
        """Stand there, whatever did, with the keyboard in the list."""
        if self.page.halves.companion is not self.panel:
            self.page.set_companion(self.panel, side_by_side=True)
        self.panel.focus_list()

    @Slot()
    def refresh(self) -> None:
        """Show the text as it is now."""
        page = self.page
        self._later.stop()
        if not page.ready:
            return
        if page.document is None and not page.is_dirty:
            self.panel.show_absent(shown(name_of(page.path)))
        elif page.document is not None and page.document.text is None:
            self.panel.show_trouble(_("No checklist"), page.sentence)
        elif page.editor.blockCount() > READ_AT_ONCE:
            self._ask(partial(_read, page.lines().texts), self._show, self._desk.next())
        else:
            self._desk.cancel()
            self._show(_read(page.lines().texts))

    def _show(self, was_read: Reading) -> None:
        self.panel.show_checklist(self.page.path, *was_read)
        line, self._to_select = self._to_select, None
        if line is not None:
            self.panel.select(line)

    def forget(self) -> None:
        """The page is gone: nothing that was asked for it counts any more."""
        self._desk.cancel()
        self._lookups.cancel()

    @Slot(int, int)
    def _follow_caret(self, line: int, column: int) -> None:  # noqa: ARG002
        if not self.panel.isAncestorOf(self.panel.window().focusWidget() or self.page.editor):
            self.panel.select(line)

    @Slot(int)
    def _go_to(self, line: int) -> None:
        self.page.go_to(line)

    @Slot()
    def _leave(self) -> None:
        if self.page.halves.source_shown:
            self.page.editor.setFocus()

    @Slot()
    def _turn_source(self) -> None:
        self.page.set_companion(self.panel, side_by_side=not self.page.halves.source_shown)
        self.panel.header.show_source(shown=self.page.halves.source_shown)

    # Edits -----------------------------------------------------------------------------------------------------------

    @Slot(object, bool)
    def tick(self, item: Item, done: bool) -> None:
        """Tick an item, or take its tick away."""
        mark, then = self._mark_for(item, done=done), self.panel.checklist
        by_itself = self.ticking.may_go
        here = self._apply(lambda text, found: edits.set_mark(text, found, mark), item, save=not by_itself)
        if here is None:
            return
        if by_itself:
            self.ticking.go(item, then, mark)
        self._ticks[:] = [tick for tick in self._ticks if tick.item.text != item.text]
        if done:
            self._ticks.append(Tick(item, then, self._now()))
        count = then.done + (not item.is_done)
        self.panel.tell(_("Ticked, {done} of {count} done").format(done=count, count=then.boxes) if done else _("Open"))

    def _mark_for(self, item: Item, *, done: bool) -> str:
        """The mark that was there before, where the person turns back; else this file's own tick, or a blank."""
        before = self._turned.pop(item.text, None)
        if before is not None and (before in "xX") == done:
            mark = before
        else:
            mark = self.panel.checklist.tick if done else " "
        if item.mark is not None:
            self._turned[item.text] = item.mark
        return mark

    @Slot(object, str)
    def _set_text(self, item: Item, words: str) -> None:
        if self._apply(lambda text, found: edits.set_text(text, found, words), item) is None:
            self.panel.offer_again(words)

    @Slot(object, str)
    def _add(self, after: Item | Section | None, words: str) -> None:
        if isinstance(after, Item):
            self._apply(lambda text, found: edits.add_below(text, found, words), after)
        else:
            self._put(lambda text: edits.add_to_section(text, self._section_now(after, text), words))

    @Slot(object)
    def _remove(self, item: Item) -> None:
        if self._apply(edits.remove, item) is not None:
            self.said.emit(_("Removed {item} – Ctrl+Z brings it back").format(item=edits.quoted(item.text)))

    @Slot(object, bool)
    def _move(self, item: Item, down: bool) -> None:
        self._apply(lambda text, found: edits.move(text, found, down=down), item)

    @Slot()
    def _create(self) -> None:
        self._put(lambda text: edits.Edit(Lines.split(text.joined() or _NEW_FILE), 1))
        self.panel.add()

    def _section_now(self, section: Section | None, lines: Lines) -> Section | None:
        if section is None:
            return None
        same = [row for row in read(lines.texts).rows if isinstance(row, Section) and row.text == section.text]
        return min(same, key=lambda row: abs(row.line - section.line), default=None)

    def _apply(self, edit: Callable[[Lines, Item], edits.Edit], item: Item, *, save: bool = True) -> int | None:
        """Find the item in the text of now and edit it; answers its line, None where it was refused."""
        then = self.panel.checklist

        def do(lines: Lines) -> edits.Edit:
            return edit(lines, edits.locate(read(lines.texts), then, item))

        return self._put(do, save=save)

    def _put(self, edit: Callable[[Lines], edits.Edit], *, save: bool = True) -> int | None:
        """Put an edit into the page and, unless it goes to the disk by itself, ask the page to save at once."""
        page = self.page
        if page.ready and page.state in _CLOSED:
            self.said.emit(page.sentence)
            return None
        try:
            made = edit(self._lines())
        except ExecutionFailed as error:
            self.said.emit(error.message)
            return None
        if not page.change(made.lines):
            return None
        self._to_select = made.line
        self.refresh()
        if save:
            page.save()
        return made.line

    def _lines(self) -> Lines:
        return self.page.lines()

    # Lost ticks ------------------------------------------------------------------------------------------------------

    @Slot()
    def _landed(self) -> None:
        self.saved()
        self.look_for_lost()

    def saved(self) -> None:
        """The page's text is on the disk: ticks in it count from now on."""
        if not self._ticks:
            return
        now = read(self._lines().texts)
        self._ticks[:] = [replace(tick, saved=True) for tick in self._ticks if _stands(tick, now)]

    def look_for_lost(self) -> None:
        """Something was read from the disk: does it still hold the person's ticks?"""
        page = self.page
        if self._is_busy or not (self._ticks or self._lost):
            self._lookups.cancel()
        elif page.editor.blockCount() > READ_AT_ONCE:
            self._ask(partial(_read, self._lines().texts), self._look_for_lost_in, self._lookups.next())
        else:
            self._look_for_lost_in(_read(self._lines().texts))

    @property
    def _is_busy(self) -> bool:
        """Whether the page's text is not the disk's."""
        return not self.page.ready or self.page.is_dirty or self.page.state is DocumentState.CONFLICT

    def _look_for_lost_in(self, reading: Reading) -> None:
        if self._is_busy:
            return
        page, now, since = self.page, reading[0], self._now() - REMEMBERED
        fresh = [tick for tick in self._ticks if tick.at >= since]
        lost = [tick for tick in fresh if tick.saved and _is_dropped(tick, now)]
        self._ticks[:] = [tick for tick in fresh if tick not in lost]
        self._lost = [tick for tick in self._lost if _is_dropped(tick, now)] + lost
        if self._lost:
            page.notices.tell(LOST_TICK, _lost_words(self._lost), _("Re-apply"), lasting=True)
        else:
            page.notices.withdraw(LOST_TICK)

    @Slot(str)
    def _notice_acted(self, kind: str) -> None:
        if kind == LOST_TICK:
            lost, self._lost = self._lost, []
            for tick in lost:
                self._reapply(tick)

    def _reapply(self, tick: Tick) -> None:
        try:
            item = edits.locate(read(self._lines().texts), tick.then, tick.item)
        except ExecutionFailed as error:
            self.said.emit(error.message)
            return
        if not item.is_done:
            self.refresh()
            self.tick(item, True)


def _read(texts: tuple[str, ...]) -> Reading:
    return read(texts), verdict(texts)


def _found(tick: Tick, now: Checklist) -> Item | None:
    try:
        return edits.locate(now, tick.then, tick.item)
    except ExecutionFailed:
        return None


def _stands(tick: Tick, now: Checklist) -> bool:
    item = _found(tick, now)
    return item is not None and item.is_done


def _is_dropped(tick: Tick, now: Checklist) -> bool:
    item = _found(tick, now)
    return item is not None and not item.is_done


def _lost_words(lost: list[Tick]) -> str:
    first, others = edits.quoted(lost[0].item.text), len(lost) - 1
    if not others:
        return _("An outside write dropped your tick on {item}").format(item=first)
    return ngettext(
        "An outside write dropped your ticks on {item} and {count} other",
        "An outside write dropped your ticks on {item} and {count} others",
        others,
    ).format(item=first, count=others)
