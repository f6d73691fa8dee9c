"""Whether an agent will run a heartbeat file or skip it, and why.

Agents skip a file that is effectively empty: when, after its comments are taken out, every line is blank, a heading or
an empty item. They look at lines alone; that a line stands in a fence or is ticked changes nothing for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memgui.domain.paths import shown
from memgui.i18n import _

_HEADING = re.compile(r"#{1,6}(?:\s|\Z)")
_EMPTY_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])\s*(?:\[[ \txX]?\])?\Z")
_BEGINNING = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])\s+(?:\[([^\[\]])\]\s+)?")
_LONGEST_QUOTE = 48


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the agent runs it; the line that makes it do so, counted from 1; and the sentence for a person."""

    runs: bool
    line: int | None
    sentence: str


def verdict(texts: Sequence[str]) -> Verdict:
    """What an agent will do with a file of these lines."""
    headings = items = False
    for line, text in _without_comments(texts):
        stripped = text.strip()
        if _HEADING.match(stripped):
            headings = True
        elif _EMPTY_ITEM.match(stripped):
            items = True
        elif stripped:
            return Verdict(True, line, _runs(line, stripped))
    comments = any("<!--" in text for text in texts)
    return Verdict(False, None, _skips(headings=headings, items=items, comments=comments))


def _without_comments(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines as an agent has them, each with the number of the line where its text begins."""
    inside, left, began = False, "", 1
    for number, text in enumerate(texts, 1):
        if not left.strip():
            began = number
        while text:
            if inside:
                _comment, closed, text = text.partition("-->")
                inside = not closed
            else:
                before, opened, text = text.partition("<!--")
                if not left.strip() and before.strip():
                    began = number
                left, inside = left + before, bool(opened)
        if not inside:
            yield began, left
            left = ""
    yield began, left


def _runs(line: int, text: str) -> str:
    item = _BEGINNING.match(text)
    words = text[item.end() :] if item is not None else text
    if len(words) > _LONGEST_QUOTE:
        words = f"{words[:_LONGEST_QUOTE].rstrip()}…"
    if item is not None and item[1] in ("x", "X"):
        sentence = _("The agent will run this, because line {line} is not empty, though ticked: “{text}”")
    else:
        sentence = _("The agent will run this, because line {line} is not empty: “{text}”")
    return sentence.format(line=line, text=shown(words))


def _skips(*, headings: bool, items: bool, comments: bool) -> str:
    held = [
        words
        for words, there in (
            (_("headings"), headings),
            (_("empty items"), items),
            (_("comments"), comments),
        )
        if there
    ]
    if not held:
        return _("The agent will skip this, because nothing is in it.")
    kinds = held[0] if len(held) == 1 else _("{first} and {last}").format(first=", ".join(held[:-1]), last=held[-1])
    return _("The agent will skip this, because it holds nothing but {kinds}.").format(kinds=kinds)
