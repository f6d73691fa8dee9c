"""What a reader takes a name for: letters of other scripts that look like Latin ones, and what cannot be seen."""

from __future__ import annotations

import re
import unicodedata

from memgui.domain.invisible import HIDDEN
from memgui.domain.paths import DOCUMENT_SUFFIXES, comparable

_UNSEEN = re.compile("[\\s\ufe00-\ufe0f\U000e0100-\U000e01ef\u2800]+")
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("аαɑᴀ", "a"),
        **dict.fromkeys("вβʙᴃ", "b"),
        **dict.fromkeys("сϲᴄⅽ", "c"),
        **dict.fromkeys("ԁɗᴅⅾ", "d"),
        **dict.fromkeys("еεєᴇ", "e"),
        **dict.fromkeys("ɡɢց", "g"),
        **dict.fromkeys("іιıɪlӏ1|ⅼʟℓ", "i"),
        **dict.fromkeys("мμᴍⅿ", "m"),
        **dict.fromkeys("нηνпɴո", "n"),
        **dict.fromkeys("оοօᴏ0", "o"),
        **dict.fromkeys("рρᴘ", "p"),
        **dict.fromkeys("гʀ", "r"),
        **dict.fromkeys("ѕꜱʂ5$", "s"),
        **dict.fromkeys("тτᴛ", "t"),
        **dict.fromkeys("υսᴜц", "u"),
        **dict.fromkeys("уүʏγ", "y"),
    }
)


def likeness(name: str) -> str:
    """The form in which two names are alike to the eye. For comparing alone: it is no name."""
    form = HIDDEN.sub("", unicodedata.normalize("NFKC", comparable(name)))
    form = _UNSEEN.sub("", form)
    suffix = next((one for one in DOCUMENT_SUFFIXES if form.endswith(one)), "")
    stem = form[: len(form) - len(suffix)].rstrip(".").translate(_ALIKE)
    return f"{stem}{DOCUMENT_SUFFIXES[0]}" if suffix else stem
