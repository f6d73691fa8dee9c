"""Colours the Markdown of one document, a slice at a time."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QColor, QFont, QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

from memgui.gui import theme
from memgui.gui.panels.page import highlighting
from memgui.gui.panels.page.breaks import units
from memgui.gui.panels.page.highlighting import Kind, Span

SLICE_SECONDS = 0.006
FRONT_MATTER_LINES = 64
_BLOCKS_BETWEEN_LOOKS_AT_THE_CLOCK = 16


class Highlighter(QObject):
    """Gives each block its formats. What does not fit into a slice waits for a timer, so that no key waits for colours.

    A block's user state is what it leaves open; -1: not read yet. Blocks from `_from` up to `_to` are to be read; past
    `_to` reading goes on only while the state that a block leaves differs from what it left before.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self._enabled = True
        self._front_matter = False
        self._from = 0
        self._to = -1
        self._count = document.blockCount()
        self._formats = formats(theme.current())
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)
        document.contentsChange.connect(self._follow)
        theme.theme().changed.connect(self._recolour)

    @property
    def settled(self) -> bool:
        """Whether every block has its colours."""
        return not self._timer.isActive()

    def set_enabled(self, enabled: bool) -> None:
        """On or off. Off, the text is plain."""
        self._enabled = enabled
        self._timer.stop()
        if enabled:
            self._read_anew()

    @Slot()
    def _recolour(self) -> None:
        self._formats = formats(theme.current())
        if self._enabled:
            self._read_anew()

    def _read_anew(self) -> None:
        self._want(0, self._document.blockCount() - 1)
        self._go_on()

    @Slot(int, int, int)
    def _follow(self, position: int, removed: int, added: int) -> None:  # noqa: ARG002
        if not self._enabled:
            return
        first = self._document.findBlock(position)
        last = self._document.findBlock(position + added)
        end = last.blockNumber() if last.isValid() else self._document.blockCount() - 1
        start = 0 if first.blockNumber() < FRONT_MATTER_LINES and self._front_matter_turned() else first.blockNumber()
        self._want(start, end)
        # Qt lays out anew what the edit itself changed; to ask for it again would paint the whole view at each key.
        self._read_slice(laid_out=range(first.blockNumber(), end + 1))

    def _front_matter_turned(self) -> bool:
        before, self._front_matter = self._front_matter, highlighting.begins_front_matter(self._first_lines())
        return before != self._front_matter

    def _first_lines(self) -> list[str]:
        lines: list[str] = []
        block = self._document.firstBlock()
        if not block.text().endswith("---") and not block.text().startswith("---"):
            return lines
        while block.isValid() and len(lines) < FRONT_MATTER_LINES:
            lines.append(block.text())
            block = block.next()
        return lines

    def _want(self, start: int, end: int) -> None:
        grown = max(self._document.blockCount() - self._count, 0)
        self._count = self._document.blockCount()
        if self._timer.isActive():
            # What was still to be read may have been pushed down by this change.
            end = max(end, self._to + grown, self._from + grown)
            start = min(start, self._from)
        self._from, self._to = start, end

    @Slot()
    def _go_on(self) -> None:
        self._read_slice(laid_out=range(0))

    def _read_slice(self, laid_out: range) -> None:
        deadline = perf_counter() + SLICE_SECONDS
        block = self._document.findBlockByNumber(self._from)
        number = self._from
        redraw = None
        state = block.previous().userState() if number else self._opening()
        done = False
        while block.isValid():
            before = block.userState()
            spans, state = highlighting.read_line(block.text(), max(state, 0))
            if self._dress(block, spans) and number not in laid_out and redraw is None:
                redraw = block
            block.setUserState(state)
            block, number = block.next(), number + 1
            if number > self._to and state == before:
                done = True
                break
            if number % _BLOCKS_BETWEEN_LOOKS_AT_THE_CLOCK == 0 and perf_counter() > deadline:
                break
        self._redraw(redraw, block)
        self._from = number
        if done or not block.isValid():
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _opening(self) -> int:
        self._front_matter = highlighting.begins_front_matter(self._first_lines())
        return highlighting.FRONT_OPENS if self._front_matter else highlighting.NORMAL

    def _dress(self, block: QTextBlock, spans: list[Span]) -> bool:
        """Give a block its formats; False if it has them: setting them again would paint the whole view."""
        layout = block.layout()
        text = block.text()
        plain = text.isascii()
        ranges = []
        for span in spans:
            made = QTextLayout.FormatRange()
            made.start = span.start if plain else units(text[: span.start])
            made.length = span.end - span.start if plain else units(text[span.start : span.end])
            made.format = self._formats[span.kind]
            ranges.append(made)
        if layout.formats() == ranges:
            return False
        layout.setFormats(ranges)
        return True

    def _redraw(self, first: QTextBlock | None, end: QTextBlock) -> None:
        if first is not None:
            until = end.position() if end.isValid() else self._document.characterCount()
            self._document.markContentsDirty(first.position(), until - first.position())


def formats(colours: theme.Tokens) -> dict[Kind, QTextCharFormat]:
    """The look of each kind of span."""

    def made(
        colour: str, ground: str = "", *, bold: bool = False, italic: bool = False, strike: bool = False
    ) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setForeground(QColor(colour))
        if ground:
            look.setBackground(QColor(ground))
        if bold:
            look.setFontWeight(QFont.Weight.Bold)
        look.setFontItalic(italic)
        look.setFontStrikeOut(strike)
        return look

    return {
        Kind.HEADING: made(colours.heading, bold=True),
        Kind.STRONG: made(colours.text, bold=True),
        Kind.EMPHASIS: made(colours.text, italic=True),
        Kind.STRIKE: made(colours.muted, strike=True),
        Kind.CODE: made(colours.code, colours.code_bg),
        Kind.FENCE: made(colours.marker, colours.code_bg),
        Kind.MARKER: made(colours.marker),
        Kind.BOX: made(colours.marker, bold=True),
        Kind.DONE: made(colours.muted),
        Kind.QUOTE: made(colours.quote, italic=True),
        Kind.LINK: made(colours.link),
        Kind.TARGET: made(colours.muted),
        Kind.WIKI: made(colours.link, bold=True),
        Kind.KEY: made(colours.key),
        Kind.VALUE: made(colours.text),
        Kind.COMMENT: made(colours.comment, italic=True),
        Kind.STAMP: made(colours.accent),
    }
