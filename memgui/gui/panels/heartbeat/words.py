"""Words in lines: as many as there is room for, with code in its own look."""

from __future__ import annotations

import re

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QTextCharFormat, QTextLayout, QTextOption

from memgui.gui.theme import current, theme

_CODE = re.compile(r"`[^`]+`")
_LONGEST_DRAWN = 4_000


def laid_out(text: str, font: QFont, width: int, most: int, *, coded: bool = False) -> QTextLayout:
    """The text in so many lines at most; where there are more, the last one ends with `…`."""
    text = text[:_LONGEST_DRAWN]
    layout = _broken(text, font, width, most)
    if layout.lineCount() > most:
        last = layout.lineAt(most - 1)
        cut = _units_before(text, last.textStart())
        line = QFontMetrics(font).elidedText(
            text[cut:].partition("\u2028")[0] + "…", Qt.TextElideMode.ElideRight, max(width - 4, 8)
        )
        text = text[:cut] + line
        layout = _broken(text, font, width, most)
    if coded and "`" in text:
        layout.setFormats([_coded(text, found) for found in _CODE.finditer(text)])
        _break(layout, width, most)
    return layout


def _broken(text: str, font: QFont, width: int, most: int) -> QTextLayout:
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    _break(layout, width, most)
    return layout


def _break(layout: QTextLayout, width: int, most: int) -> None:
    layout.beginLayout()
    top = 0.0
    while layout.lineCount() <= most:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, top))
        top += line.height()
    layout.endLayout()


def _coded(text: str, found: re.Match[str]) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    # Qt counts UTF-16 units where Python counts characters.
    made.start = _units(text[: found.start()])
    made.length = _units(found[0])
    style = QTextCharFormat()
    style.setFontFamilies(theme().mono().families())
    style.setBackground(QColor(current().code_bg))
    made.format = style
    return made


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _units_before(text: str, units: int) -> int:
    """How many characters take so many UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))
