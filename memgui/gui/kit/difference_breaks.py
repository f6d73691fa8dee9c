"""Where long lines turn: found by arithmetic, so that thousands of rows know their height before they are drawn."""

from __future__ import annotations

import re
import unicodedata

from PySide6.QtGui import QFont, QFontMetricsF

_STICKS = "\u0300-\u036f\u200d\ufe0f\u3099\u309a\U0001f3fb-\U0001f3ff"
"""What belongs to the character before it: accents, joiners, the colour of an emoji."""
_PIECES = re.compile(
    f"‹[^›]{{0,40}}› *|[\u2e80-\uffef\U0001f000-\U0001ffff][{_STICKS}]*(?:\u200d.[{_STICKS}]*)* *"
    "|[^ ‹\u2e80-\uffef\U0001f000-\U0001ffff]+ *| +|‹"
)
"""Labels, characters of scripts that write words without blanks between, and words; with the blanks behind them."""
_MOST_KEPT = 20_000


class Ruler:
    """Measures text in one font. The widths of characters are kept."""

    def __init__(self, font: QFont) -> None:
        self._metrics = QFontMetricsF(font)
        self.cell = self._metrics.horizontalAdvance("0")
        self.height = self._metrics.height()
        self._even = abs(self._metrics.horizontalAdvance("iiii") - 4 * self.cell) < 0.01
        self._advances: dict[str, float] = {}
        self._pieces: dict[str, tuple[float, float]] = {}

    def lines(self, text: str, width: float) -> int:
        """In how many lines the text is written at that width."""
        # In UTF-8 a character has at least as many bytes as it is wide.
        if self._even and len(text.encode("utf-8", "surrogatepass")) * self.cell <= width:
            return 1
        return len(self.breaks(text, width)) + 1

    def breaks(self, text: str, width: float) -> list[int]:
        """Where the second and all later lines begin."""
        if self._even and text.isascii():
            return _even_breaks(text, max(8, int(width / self.cell)))
        return self._uneven_breaks(text, max(width, 8 * self.cell))

    def _uneven_breaks(self, text: str, width: float) -> list[int]:
        """By pieces: words with the blanks behind them, and single characters of scripts without blanks."""
        found: list[int] = []
        at, used = 0, 0.0
        known, measure = self._pieces, self._measure
        for piece in _PIECES.findall(text):
            wide, bare = known.get(piece) or measure(piece)
            if used and used + bare > width:
                found.append(at)
                used = 0.0
            if bare > width:
                used = self._within(piece, at, width, used, found)
            else:
                used += wide
            at += len(piece)
        return found

    def _measure(self, piece: str) -> tuple[float, float]:
        """How wide a piece is, with and without the blanks at its end."""
        if len(self._pieces) > _MOST_KEPT:
            self._pieces.clear()
        wide, bare = (
            len(part) * self.cell if self._even and part.isascii() else sum(map(self._advance, part))
            for part in (piece, piece.rstrip(" "))
        )
        self._pieces[piece] = wide, bare
        return wide, bare

    def _within(self, piece: str, at: int, width: float, used: float, found: list[int]) -> float:
        """Turn inside of a word that has no room in one line."""
        for number, character in enumerate(piece):
            wide = self._advance(character)
            if wide and used + wide > width and used:
                found.append(at + number)
                used = 0.0
            used += wide
        return used

    def _advance(self, character: str) -> float:
        known = self._advances.get(character)
        if known is None:
            joins = unicodedata.category(character) in ("Mn", "Me", "Cf")
            known = 0.0 if joins else self._metrics.horizontalAdvance(character)
            self._advances[character] = known
        return known


def _even_breaks(text: str, columns: int) -> list[int]:
    found: list[int] = []
    start = 0
    while len(text) - start > columns:
        blank = text.rfind(" ", start + columns // 3, start + columns + 1)
        start = blank + 1 if blank >= 0 else start + columns
        if start < len(text):
            found.append(start)
    return found
