"""Lines with their own endings.

A line ends at CR LF, LF, CR, U+2029, U+FDD0 or U+FDD1 (the last three because a Qt document begins a new block there).
U+2028, vertical tab, form feed and U+0085 are ordinary characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memgui.domain.differences import Splice, differences

__all__ = ["Lines", "Splice", "differences"]

_BREAK = re.compile("(\r\n|[\n\r\u2029\ufdd0\ufdd1])")
_OTHER_BREAKS = "\r\u2029\ufdd0\ufdd1"
"""Where there is none of these, as nearly everywhere, a text is split several times as fast."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Text as lines. `breaks[i]` stands between `texts[i]` and `texts[i + 1]`: one break less than there are texts."""

    texts: tuple[str, ...]
    breaks: tuple[str, ...]

    @staticmethod
    def split(text: str) -> Lines:
        """The lines of `text`; `joined` gives it back exactly."""
        if not any(other in text for other in _OTHER_BREAKS):
            texts = tuple(text.split("\n"))
            return Lines(texts, ("\n",) * (len(texts) - 1))
        pieces = _BREAK.split(text)
        return Lines(tuple(pieces[::2]), tuple(pieces[1::2]))

    def joined(self) -> str:
        """The whole text."""
        if self.breaks.count("\n") == len(self.breaks):
            return "\n".join(self.texts)
        pieces = [""] * (len(self.texts) + len(self.breaks))
        pieces[::2] = self.texts
        pieces[1::2] = self.breaks
        return "".join(pieces)

    def ending_for_new(self, index: int) -> str:
        """The ending of a new line before line `index`: of the line above; for the first, of the one below; or LF."""
        if not self.breaks:
            return "\n"
        return self.breaks[min(max(index - 1, 0), len(self.breaks) - 1)]
