"""The entries of a daily log, line by line: what was written when, in the order of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from memgui.domain.stamps import Line, Stamp, line_of, stamp_of

_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?(?P<fence>`{3,}|~{3,})(?P<info>.*)$", re.DOTALL)
_RULE = re.compile(r" {0,3}(?:[-*_][ \t]*){3,}$")
_TABLE_HEAD = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t|:-]*)?$")
_COMMENT = re.compile(r"\s*<!--.*-->\s*$", re.DOTALL)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WORD = re.compile(r"[0-9]+|[^\W\d_]+")
_CALENDAR_WORDS = frozenset(
    _WORD.findall(
        """年 月 日 星期一 星期二 星期三 星期四 星期五 星期六 星期日 星期天 周一 周二 周三 周四 周五 周六 周日
        月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 월요일 화요일 수요일 목요일 금요일 토요일 일요일 년 월 일
        montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
        lundi mardi mercredi jeudi vendredi samedi dimanche
        lunes martes miércoles jueves viernes sábado domingo
        daily log logs journal diary notes note memory day th st nd rd of the
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun"""
    )
)
_LONGEST_TITLE = 200
_MOST_MATTER = 400

T = TypeVar("T")


class EntryKind(Enum):
    """What makes a run of lines an entry."""

    STAMPED = "stamped"
    SECTION = "section"
    """A heading without a time, and what stands under it."""
    PROSE = "prose"
    """A paragraph or item without a time."""
    FRAME = "frame"
    """What says nothing by itself: front matter, the date as a title, a rule, the head of a table, blank lines."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Lines `first` up to `end` (from 0, the end not counted). `time` and `date` stand as they are written."""

    first: int
    end: int
    kind: EntryKind
    text: str = ""
    """What its first line says, without marker and stamp."""
    time: str = ""
    date: str = ""
    stamp: Stamp | None = None

    @property
    def line(self) -> int:
        """Where it begins, counted from 1."""
        return self.first + 1


def entries(lines: Sequence[str]) -> tuple[Entry, ...]:
    """The entries of a log. Every line belongs to exactly one; a line without a stamp to the one above it.

    Lines before the first stamp, and logs without any, become sections, paragraphs and items without a time.
    """
    stamps = list(_stamps(lines))
    first = stamps[0][0] if stamps else len(lines)
    found = list(_untimed(lines, first))
    found += [
        Entry(number, end, EntryKind.STAMPED, stamp.text, stamp.time, stamp.date, stamp)
        for number, stamp, end in _runs(stamps, len(lines))
    ]
    return tuple(found)


def fenced(lines: Sequence[str]) -> list[bool]:
    """Of each line, whether it lies in fenced code, fences included."""
    found: list[bool] = []
    fence = ""
    for text in lines:
        if fence:
            found.append(True)
            bare = text.strip()
            if bare.startswith(fence) and not bare.strip(fence[0]):
                fence = ""
            continue
        match = _FENCE.match(text) if "```" in text or "~~~" in text else None
        if match is not None and "`" not in (match["info"] if match["fence"][0] == "`" else ""):
            fence = match["fence"]
        found.append(bool(fence))
    return found


def title_of(lines: Sequence[str]) -> str:
    """The first heading of a log where it stands above all else; empty where it has none."""
    for text in lines[_matter_end(lines) :]:
        if text.strip("\ufeff \t"):
            return text.lstrip("\ufeff") if line_of(text.lstrip("\ufeff")).is_heading else ""
    return ""


def _stamps(lines: Sequence[str]) -> Iterator[tuple[int, Stamp]]:
    """The stamped lines, and what their stamps say."""
    in_code = fenced(lines)
    nested_from: int | None = None
    block = ""
    for number in range(_matter_end(lines), len(lines)):
        text = lines[number]
        if in_code[number] or not text.strip():
            block = "" if not in_code[number] else "code"
            continue
        stamp = stamp_of(text)
        if stamp is not None and not stamp.marker and (text.startswith(("    ", "\t")) or block == "prose"):
            # Wrapped prose may begin a line with a time; a log's own lines stand apart, or below each other.
            stamp = None if stamp.is_bare or text.startswith(("    ", "\t")) else stamp
        line = line_of(text) if stamp is None or stamp.marker else Line("", text)
        if line.is_item:
            if nested_from is not None and line.indent > nested_from + 1:
                continue
            nested_from = line.indent if stamp is not None else None
        elif stamp is not None or line.is_heading:
            nested_from = None
        if stamp is not None:
            block = "stamped"
            yield number, stamp
        elif line.is_heading:
            block = ""
        elif not block:
            block = "prose"


def _runs(starts: Sequence[tuple[int, T]], end: int) -> Iterator[tuple[int, T, int]]:
    """Each start with where the next one is; the last runs up to `end`."""
    for index, (number, what) in enumerate(starts):
        yield number, what, starts[index + 1][0] if index + 1 < len(starts) else end


def _untimed(lines: Sequence[str], end: int) -> Iterator[Entry]:
    """The lines up to `end` as entries without a time."""
    for number, kind, after in _runs(list(_untimed_starts(lines, end)), end):
        if kind is EntryKind.SECTION and _is_frame_heading(lines[number].lstrip("\ufeff")):
            yield from _under_a_date(lines, number, after)
        else:
            yield _untimed_entry(lines, number, after, kind)


def _under_a_date(lines: Sequence[str], first: int, end: int) -> Iterator[Entry]:
    """A heading that says no more than the date is no section: what stands under it is parted like what has none."""
    body = first + 1
    while body < end and not lines[body].strip():
        body += 1
    yield Entry(first, body, EntryKind.FRAME, line_of(lines[first].lstrip("\ufeff")).rest)
    for number, kind, after in _runs(list(_blocks(lines, body, end)), end):
        yield _untimed_entry(lines, number, after, kind)


def _untimed_starts(lines: Sequence[str], end: int) -> Iterator[tuple[int, EntryKind]]:
    in_code = fenced(lines)
    matter = min(_matter_end(lines), end)
    headings = [
        number
        for number in range(matter, end)
        if not in_code[number] and line_of(lines[number].lstrip("\ufeff")).is_heading
    ]
    if matter:
        yield 0, EntryKind.FRAME
    yield from _blocks(lines, matter, headings[0] if headings else end)
    for number in headings:
        yield number, EntryKind.SECTION


def _blocks(lines: Sequence[str], first: int, end: int) -> Iterator[tuple[int, EntryKind]]:
    """Where paragraphs and items at the margin begin."""
    in_code = fenced(lines[first:end])
    fresh = True
    for number in range(first, end):
        text = lines[number]
        blank = not text.strip("\ufeff \t")
        if number == first and blank:
            yield number, EntryKind.FRAME
        elif in_code[number - first]:
            if fresh:
                yield number, EntryKind.PROSE
            fresh = False
            continue
        elif not blank:
            line = line_of(text)
            continues = line.is_item is False and text.startswith(("  ", "\t"))
            if (fresh and not (continues and number > first)) or (line.is_item and line.indent < 2):
                yield number, EntryKind.PROSE
        fresh = blank


def _untimed_entry(lines: Sequence[str], first: int, end: int, kind: EntryKind) -> Entry:
    said = [text for text in lines[first:end] if text.strip("\ufeff \t")]
    if kind is EntryKind.SECTION:
        return Entry(first, end, kind, line_of(lines[first].lstrip("\ufeff")).rest)
    if kind is EntryKind.FRAME or not said or _is_frame(said):
        return Entry(first, end, EntryKind.FRAME)
    return Entry(first, end, kind, line_of(lines[first].lstrip("\ufeff")).rest)


def _is_frame(said: Sequence[str]) -> bool:
    """Whether a block is a rule, a comment, or no more than the head of a table."""
    if len(said) == 1:
        return bool(_RULE.match(said[0]) or _COMMENT.match(said[0]))
    return len(said) == 2 and "|" in said[0] and "-" in said[1] and bool(_TABLE_HEAD.match(said[1]))


def _is_frame_heading(text: str) -> bool:
    """Whether a heading says no more than which day it is."""
    line = line_of(text)
    if not line.is_heading or len(line.rest) > _LONGEST_TITLE:
        return False
    if not any(character.isdigit() for character in line.rest):
        return False
    words = _WORD.findall(_DATE.sub(" ", line.rest))
    return all(word.isdigit() or word.lower() in _CALENDAR_WORDS for word in words)


def _matter_end(lines: Sequence[str]) -> int:
    """How many lines the front matter takes, its fences counted."""
    if not lines or lines[0].lstrip("\ufeff").rstrip() != "---":
        return 0
    for number in range(1, min(len(lines), _MOST_MATTER)):
        if lines[number].rstrip() in ("---", "..."):
            inner = [text for text in lines[1:number] if text.strip()]
            return number + 1 if inner and all(":" in text or text[:1] in " \t-#" for text in inner) else 0
    return 0
