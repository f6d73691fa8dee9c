"""An entry as it is read: its Markdown signs put away, what they mean kept as formats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from memgui.domain.entries import fenced
from memgui.domain.invisible import labelled
from memgui.gui.models.days_model import DayRow

_INLINE = re.compile(
    r"(?P<code>`+)(?P<in_code>[^`]{1,400})(?P=code)"
    r"|\*\*(?P<bold>[^*\s][^*]{0,400}?)\*\*"
    r"|(?<![\w!])\[(?P<words>[^\[\]]{1,300})\]\((?P<target>[^()\s]{1,500})\)"
    r"|\[\[(?P<name>[^\[\]]{1,300})\]\]"
)
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)", re.DOTALL)
_ITEM = re.compile(r"([ \t]*)[-*+][ \t]+(.*)", re.DOTALL)
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*$")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_LONGEST_LINE = 4_000
"""Of a longer line the rest is not drawn among others."""


class Span(Enum):
    """How a part of the text is drawn."""

    BOLD = "bold"
    CODE = "code"
    LINK = "link"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Told:
    """Lines of text, and of each the (start, length, span) of its parts that are drawn otherwise.

    `more`: how many lines there are besides.
    """

    lines: tuple[str, ...]
    spans: tuple[tuple[tuple[int, int, Span], ...], ...]
    more: int = 0


def told(row: DayRow, most: int) -> Told:
    """What an entry says, in at most so many lines. A character that cannot be seen is named."""
    pieces: list[tuple[str, list[tuple[int, int, Span]]]] = []
    first = labelled(_cut(row.text))
    if first:
        text, spans = _inline(first)
        pieces.append((text, [(0, len(text), Span.BOLD)] if row.is_titled else spans))
    if row.date:
        text, spans = pieces[0] if pieces else ("", [])
        pieces[:1] = [(f"{row.date}  {text}", [(0, len(row.date), Span.QUIET), *_moved(spans, len(row.date) + 2)])]
    room = max(0, most - len(pieces))
    # Each line that is shown takes one of the body, or more.
    pieces += islice(_body(row.body[: 2 * room + 8]), room)
    said = sum(1 for text in row.body if text.strip()) if len(row.body) > room else 0
    more = max(0, said - room) if len(pieces) >= most else 0
    return Told(tuple(text for text, _spans in pieces), tuple(tuple(spans) for _text, spans in pieces), more)


def _body(lines: Sequence[str]) -> Iterator[tuple[str, list[tuple[int, int, Span]]]]:
    in_code = fenced(lines)
    indent = min((len(text) - len(text.lstrip()) for text in lines if text.strip()), default=0)
    for text, code in zip(lines, in_code, strict=True):
        if not text.strip() or (code and _FENCE.match(text)) or (not code and _TABLE_RULE.match(text)):
            continue
        text = labelled(_cut(text[indent:]).replace("\t", "    "))
        yield (text, [(0, len(text), Span.CODE)]) if code else _line(text)


def _line(text: str) -> tuple[str, list[tuple[int, int, Span]]]:
    heading = _HEADING.match(text)
    if heading is not None:
        plain, _spans = _inline(heading[1].rstrip(" #"))
        return plain, [(0, len(plain), Span.BOLD)]
    item = _ITEM.match(text)
    if item is not None:
        lead = f"{item[1]}•\u2002"
        plain, spans = _inline(item[2])
        return lead + plain, _moved(spans, len(lead))
    if text.lstrip().startswith("|"):
        text = " · ".join(cell.strip() for cell in text.strip().strip("|").split("|") if cell.strip())
    return _inline(text.lstrip() if text.startswith(" ") and len(text) - len(text.lstrip()) < 4 else text)


def _inline(text: str) -> tuple[str, list[tuple[int, int, Span]]]:
    """The text without the signs of code, bold and links."""
    made: list[str] = []
    spans: list[tuple[int, int, Span]] = []
    length = at = 0
    for match in _INLINE.finditer(text):
        made.append(text[at : match.start()])
        length += len(made[-1])
        if match["in_code"] is not None:
            words, span = match["in_code"], Span.CODE
        elif match["bold"] is not None:
            words, span = match["bold"], Span.BOLD
        else:
            words, span = match["words"] or match["name"], Span.LINK
        made.append(words)
        spans.append((length, len(words), span))
        length += len(words)
        at = match.end()
    made.append(text[at:])
    return "".join(made), spans


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE] + "…"


def _moved(spans: Sequence[tuple[int, int, Span]], by: int) -> list[tuple[int, int, Span]]:
    return [(start + by, length, span) for start, length, span in spans]
