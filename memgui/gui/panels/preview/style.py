"""How a rendered page looks: the formats of its parts, made from the theme's tokens."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTableFormat,
)

from memgui.gui.panels.preview.colouring import Ink
from memgui.gui.theme import Theme

CHARACTERS = 78
"""How wide a line is at most."""
DEEPEST = 8
"""Nothing is indented further, however deep it is nested."""

QUOTE = QTextFormat.Property.UserProperty + 1
"""On a block: how many quotes it stands in."""
RULE = QTextFormat.Property.UserProperty + 2
"""On a block: a line is drawn across it."""
BULLET = QTextFormat.Property.UserProperty + 3
"""On a block: the sign before an item of a list, one of `DISC`, `RING`, `SQUARE`, `OPEN`, `DONE`."""
DISC, RING, SQUARE, OPEN, DONE = 1, 2, 3, 4, 5

_INKS = {
    Ink.PLAIN: "text",
    Ink.KEYWORD: "marker",
    Ink.TEXT: "key",
    Ink.NUMBER: "code",
    Ink.REMARK: "comment",
    Ink.NAME: "link",
    Ink.ADDED: "added",
    Ink.REMOVED: "removed",
    Ink.STRONG: "text",
}
"""Which token each ink of code is."""

_BODY = 1.1
_HEADINGS = (2.0, 1.6, 1.32, 1.15, 1.08, 1.02)
_LINE_HEIGHT = 122.0
_CODE_LINE_HEIGHT = 112.0
LEFT = Qt.AlignmentFlag.AlignLeft

_PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value


class Style:
    """One set of formats; a theme that changed wants a new one."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        colours = self.colours = theme.tokens
        self.font = theme.font(_BODY)
        self.column = round(QFontMetricsF(self.font).averageCharWidth() * CHARACTERS)
        self.body = self._chars(colours.text)
        self.muted = self._chars(colours.muted, scale=_BODY * 0.88)
        self.caption = self._chars(colours.muted, scale=_BODY * 0.82)
        self.link = self._chars(colours.link)
        self.code = self._mono(colours.code, ground=colours.code_bg)
        self.fence = self._mono(colours.text)
        self.comment = self._mono(colours.comment)
        self.key = self._mono(colours.key)
        self.label = self._mono(colours.warning, ground=colours.warning_bg)
        self.headings = tuple(self._heading(number) for number in range(6))
        self.quoted = self._chars(colours.quote)
        self.inks = {ink: self._mono(getattr(colours, token)) for ink, token in _INKS.items()}
        self.inks[Ink.STRONG].setFontWeight(QFont.Weight.Bold)

    # Characters ------------------------------------------------------------------------------------------------------

    def _chars(self, colour: str, *, scale: float = _BODY, bold: bool = False) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._theme.font(scale, bold=bold))
        made.setForeground(QBrush(QColor(colour)))
        return made

    def _mono(self, colour: str, *, ground: str = "") -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._theme.mono(0.96))
        made.setForeground(QBrush(QColor(colour)))
        if ground:
            made.setBackground(QBrush(QColor(ground)))
        return made

    def _heading(self, number: int) -> QTextCharFormat:
        colours = self.colours
        return self._chars(colours.muted if number == 5 else colours.heading, scale=_HEADINGS[number], bold=True)

    def run(self, base: QTextCharFormat, source: QTextCharFormat) -> QTextCharFormat:
        """`base` with what Markdown says of a run of text: bold, italic, struck, code."""
        made = QTextCharFormat(base)
        if source.fontFixedPitch():
            made.merge(self.code)
            # In a heading it is as large as the words around it.
            scale = base.font().pointSizeF() / self.body.font().pointSizeF()
            made.setFontPointSize(self.code.font().pointSizeF() * scale)
        if source.fontWeight() > QFont.Weight.Medium:
            made.setFontWeight(QFont.Weight.Bold)
        if source.fontItalic():
            made.setFontItalic(True)
        if source.fontStrikeOut():
            made.setFontStrikeOut(True)
        return made

    def linked(self, base: QTextCharFormat, href: str) -> QTextCharFormat:
        """`base` as a link."""
        made = QTextCharFormat(base)
        made.setAnchor(True)
        made.setAnchorHref(href)
        made.setForeground(QBrush(QColor(self.colours.link)))
        made.setFontUnderline(True)
        return made

    # Blocks ----------------------------------------------------------------------------------------------------------

    def paragraph(self, above: float = 0.0, below: float = 10.0) -> QTextBlockFormat:
        """A block of running text, with room above and below in pixels at 100 %."""
        made = QTextBlockFormat()
        made.setLineHeight(_LINE_HEIGHT, _PROPORTIONAL)
        self._room(made, above, below)
        return made

    def heading(self, level: int) -> QTextBlockFormat:
        """A block with the words of a heading."""
        made = QTextBlockFormat()
        made.setHeadingLevel(level)
        made.setLineHeight(120.0, _PROPORTIONAL)
        self._room(made, *((22, 12), (26, 8), (20, 6))[min(level, 3) - 1])
        return made

    def fenced(self) -> QTextBlockFormat:
        """A line of code."""
        made = QTextBlockFormat()
        made.setLineHeight(_CODE_LINE_HEIGHT, _PROPORTIONAL)
        return made

    def cell(self) -> QTextBlockFormat:
        """The text of one cell of a table."""
        made = QTextBlockFormat()
        made.setLineHeight(118.0, _PROPORTIONAL)
        return made

    def keep_away(self, block: QTextBlockFormat) -> None:
        """Part a block from what ends above it."""
        block.setTopMargin(self._theme.px(8))

    def rule(self) -> QTextBlockFormat:
        """A line across the page."""
        made = QTextBlockFormat()
        made.setProperty(RULE, True)
        self._room(made, 12, 12)
        return made

    def gap(self) -> QTextBlockFormat:
        """The empty block that has to stand between two boxes."""
        made = QTextBlockFormat()
        made.setLineHeight(1.0, _FIXED)
        return made

    def _room(self, block: QTextBlockFormat, above: float, below: float) -> None:
        block.setTopMargin(self._theme.px(above) if above else 0)
        block.setBottomMargin(self._theme.px(below) if below else 0)

    # Boxes -----------------------------------------------------------------------------------------------------------

    def code_box(self) -> QTextFrameFormat:
        """The ground of fenced code."""
        return self._box(self.colours.code_bg, "")

    def literal_box(self) -> QTextFrameFormat:
        """Round what other previews leave out."""
        return self._box(self.colours.page, self.colours.border)

    def quiet_box(self) -> QTextFrameFormat:
        """Round front matter."""
        return self._box(self.colours.side, self.colours.hairline)

    def _box(self, ground: str, edge: str) -> QTextFrameFormat:
        made = QTextFrameFormat()
        made.setBackground(QBrush(QColor(ground)))
        made.setPadding(self._theme.px(11))
        made.setTopMargin(self._theme.px(4))
        made.setBottomMargin(self._theme.px(14))
        made.setBorder(1 if edge else 0)
        if edge:
            made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            made.setBorderBrush(QBrush(QColor(edge)))
        return made

    def table(self, widths: Sequence[int] = (), *, continued: bool = False) -> QTextTableFormat:
        """Hairlines, and room round every cell. `widths`: of the columns, to each other."""
        made = QTextTableFormat()
        made.setBorderCollapse(True)
        made.setBorder(1)
        made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        made.setBorderBrush(QBrush(QColor(self.colours.hairline)))
        made.setCellPadding(self._theme.px(6))
        made.setCellSpacing(0)
        if widths:
            all_of_them = sum(widths)
            made.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
            made.setColumnWidthConstraints(
                [QTextLength(QTextLength.Type.PercentageLength, 100 * width / all_of_them) for width in widths]
            )
        made.setTopMargin(0 if continued else self._theme.px(4))
        made.setBottomMargin(0 if widths else self._theme.px(14))
        return made

    def root(self, width: int) -> QTextFrameFormat:
        """The page itself in a view of that width: one column in its middle."""
        side = max(self._theme.px(20), (width - self.column) // 2)
        made = QTextFrameFormat()
        made.setLeftMargin(side)
        made.setRightMargin(side)
        made.setTopMargin(self._theme.px(18))
        made.setBottomMargin(self._theme.px(48))
        return made

    @property
    def indent(self) -> int:
        """How far one level of a list goes in."""
        return self._theme.px(26)

    @property
    def quote_indent(self) -> int:
        """How far one level of a quote goes in."""
        return self._theme.px(18)

    @property
    def bar(self) -> int:
        """How wide the bar beside a quote is."""
        return self._theme.px(3)
