"""How a line of Markdown source divides into spans, and what it leaves open for the next. Knows no Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

LONG = 5_000
"""A longer line is shown plain: nobody reads its colours, and each key in it would wait for them."""

NORMAL, FRONT, COMMENT, FRONT_OPENS = 0, 1, 2, 3
_FENCE = 16


class Kind(Enum):
    """What a span is; the theme gives each its look."""

    HEADING = "heading"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    STRIKE = "strike"
    CODE = "code"
    FENCE = "fence"
    MARKER = "marker"
    BOX = "box"
    DONE = "done"
    QUOTE = "quote"
    LINK = "link"
    TARGET = "target"
    WIKI = "wiki"
    KEY = "key"
    VALUE = "value"
    COMMENT = "comment"
    STAMP = "stamp"


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` up to `end`, counted in characters."""

    start: int
    end: int
    kind: Kind


_OPENING = re.compile(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$")
_CLOSING = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*$")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_QUOTE = re.compile(r"(?: {0,3}> ?)+")
_LIST = re.compile(r"[ \t]*([-*+]|\d{1,9}[.)])(?:[ \t]+(\[[ xX]\](?=[ \t]|$))?|$)")
_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?"
_DATE_TIME = rf"\d{{4}}-\d\d-\d\d(?:[T ]{_TIME}(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"
_AFTER_STAMP = r"(?=[\s|:—–-]|$)"
_STAMP = re.compile(rf"[ \t]*(\[{_TIME}(?: UTC)?\]|【{_TIME}】|{_DATE_TIME}{_AFTER_STAMP}|{_TIME}{_AFTER_STAMP})")
_STAMP_AT_END = re.compile(rf"\({_TIME}\)[ \t]*$")
_FRONT_KEY = re.compile(r"[ \t]*(?:- +)?([^\s:#][^:]*)(:)(?=[ \t]|$)")
_FRONT_END = re.compile(r"(?:---|\.\.\.)[ \t]*$")
_PLAIN_KEY = re.compile(r"[\w.-]+[ \t]*:")
_INLINE = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>(?P<ticks>`+)(?!`)(?:[^`]|(?!(?P=ticks)(?!`))`+)*?(?P=ticks)(?!`))"
    r"|(?P<comment><!--.*?(?:-->|$))"
    r"|(?P<wiki>!?\[\[[^\[\]]{1,300}\]\])"
    r"|(?P<link>!?\[(?:[^\[\]\\]|\\.){0,600}\]"
    r"(?P<target>\((?:[^()\s]|\([^()\s]*\))*(?:[ \t]+\"[^\"]*\")?\)|\[[^\[\]]{0,200}\]))"
    r"|(?P<url><(?:[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>|\bhttps?://[^\s<>()\[\]]+(?:\([^\s<>()]*\)[^\s<>()\[\]]*)?)"
    r"|(?P<strong>\*\*(?=\S)(?:[^*]|\*(?!\*)){1,2000}?(?<=\S)\*\*|(?<!\w)__(?=\S)(?:[^_]|_(?!_)){1,2000}?(?<=\S)__(?!\w))"
    r"|(?P<emphasis>\*(?=[^\s*])[^*]{1,2000}?(?<=[^\s])\*(?!\*)|(?<!\w)_(?=[^\s_])[^_]{1,2000}?(?<=[^\s])_(?!\w))"
    r"|(?P<strike>~~(?=\S)[^~]{1,2000}?(?<=\S)~~)"
)
_INLINE_KINDS = {
    "code": Kind.CODE,
    "comment": Kind.COMMENT,
    "wiki": Kind.WIKI,
    "link": Kind.LINK,
    "url": Kind.LINK,
    "strong": Kind.STRONG,
    "emphasis": Kind.EMPHASIS,
    "strike": Kind.STRIKE,
}
_AFTER_ADDRESS = ".,;:!?'\""
_MAY_HOLD_INLINE = re.compile(r"[`*_\[<~]|https?:")


def begins_front_matter(first_lines: Iterable[str]) -> bool:
    """Whether the text opens with front matter. A leading `---` that is only a rule does not."""
    keyed = False
    for number, text in enumerate(first_lines):
        if number == 0:
            if text.removeprefix("\ufeff").rstrip() != "---":
                return False
        elif _FRONT_END.match(text):
            return keyed
        elif _PLAIN_KEY.match(text):
            keyed = True
    return False


def read_line(text: str, before: int) -> tuple[list[Span], int]:
    """The spans of a line that begins in state `before`, and the state it leaves behind."""
    if before >= _FENCE:
        return _in_fence(text, before)
    if before == FRONT_OPENS:
        return [Span(0, len(text), Kind.MARKER)], FRONT
    if before == FRONT:
        return _in_front_matter(text)
    if before == COMMENT:
        return _in_comment(text)
    if len(text) > LONG:
        return [], NORMAL
    if opening := _OPENING.match(text):
        fence = opening[1] or opening[2]
        return [Span(0, len(text), Kind.FENCE)], _FENCE + 2 * len(fence) + (fence[0] == "~")
    return _in_text(text)


def _in_fence(text: str, before: int) -> tuple[list[Span], int]:
    length, tilde = divmod(before - _FENCE, 2)
    closing = _CLOSING.match(text)
    if closing and len(closing[1]) >= length and (closing[1][0] == "~") == bool(tilde):
        return [Span(0, len(text), Kind.FENCE)], NORMAL
    return ([Span(0, len(text), Kind.CODE)] if text else []), before


def _in_front_matter(text: str) -> tuple[list[Span], int]:
    if _FRONT_END.match(text):
        return [Span(0, len(text), Kind.MARKER)], NORMAL
    if text.lstrip().startswith("#"):
        return [Span(0, len(text), Kind.COMMENT)], FRONT
    if key := _FRONT_KEY.match(text):
        return [
            Span(*key.span(1), Kind.KEY),
            Span(*key.span(2), Kind.MARKER),
            Span(key.end(), len(text), Kind.VALUE),
        ], FRONT
    return ([Span(0, len(text), Kind.VALUE)] if text else []), FRONT


def _in_comment(text: str) -> tuple[list[Span], int]:
    end = text.find("-->")
    if end < 0:
        return ([Span(0, len(text), Kind.COMMENT)] if text else []), COMMENT
    spans, state = _inline(text, end + 3)
    return [Span(0, end + 3, Kind.COMMENT), *spans], state


def _in_text(text: str) -> tuple[list[Span], int]:
    if heading := _HEADING.match(text):
        spans, state = _inline(text, heading.end())
        return [
            Span(0, len(text), Kind.HEADING),
            Span(*heading.span(1), Kind.MARKER),
            *spans,
            *_stamp_at_end(text),
        ], state
    if _RULE.match(text):
        return [Span(0, len(text), Kind.MARKER)], NORMAL
    spans, start = [], 0
    if quote := _QUOTE.match(text):
        start = quote.end()
        spans += [Span(start, len(text), Kind.QUOTE), Span(0, start, Kind.MARKER)]
    if item := _LIST.match(text, start):
        start = item.end()
        spans.append(Span(*item.span(1), Kind.MARKER))
        if item[2]:
            spans.append(Span(*item.span(2), Kind.BOX))
            if item[2] != "[ ]":
                spans.append(Span(start, len(text), Kind.DONE))
    if stamp := _STAMP.match(text, start):
        spans.append(Span(*stamp.span(1), Kind.STAMP))
    elif text.lstrip().startswith("|"):
        spans += [Span(bar.start(), bar.end(), Kind.MARKER) for bar in re.finditer(r"(?<!\\)\||:?-{3,}:?", text)]
    inline, state = _inline(text, start)
    return [*spans, *inline, *_stamp_at_end(text)], state


def _stamp_at_end(text: str) -> list[Span]:
    found = _STAMP_AT_END.search(text) if text.rstrip().endswith(")") else None
    return [Span(*found.span(), Kind.STAMP)] if found else []


def _inline(text: str, start: int) -> tuple[list[Span], int]:
    spans: list[Span] = []
    if not _MAY_HOLD_INLINE.search(text, start):
        return spans, NORMAL
    state = NORMAL
    for found in _INLINE.finditer(text, start):
        group = (
            found.lastgroup if found.lastgroup in _INLINE_KINDS else next((g for g in _INLINE_KINDS if found[g]), None)
        )
        if group is None:
            continue
        end = found.start() + len(found[0].rstrip(_AFTER_ADDRESS)) if group == "url" else found.end()
        spans.append(Span(found.start(), end, _INLINE_KINDS[group]))
        if group == "link":
            spans.append(Span(*found.span("target"), Kind.TARGET))
        if group == "comment" and not found[0].endswith("-->"):
            state = COMMENT
    return spans, state
