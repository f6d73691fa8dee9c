"""Stamps: the time that a line of a daily log carries, in every form that agents and people write.

A time is text. It is found, never read: `24:00`, `9:10`, `11:30-12:00`, `2:15 PM`, `23:30:00-05:00` stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CLOCK = r"(?:[01]?[0-9]|2[0-4])[:：][0-5][0-9](?:[:：][0-5][0-9](?:[.,][0-9]{1,9})?)?"
_HALF = r"(?:\s?[AaPp]\.?[Mm]\b\.?)?"
_CONTINENT = r"(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Za-z_/+-]+"
_ABBREVIATION = (
    r"(?:UTC|GMT)(?:[+-][0-9]{1,2}(?::?[0-9]{2})?)?|[CEW]ES?T|WEST|[ECMP][SD]T|AK[SD]T|HST|BST|IST|JST|KST|MSK|HKT|SGT"
    r"|AE[SD]T|NZ[SD]T"
)
_ZONE = rf"(?:Z\b|\s?\+[0-9]{{2}}:?[0-9]{{2}}(?![0-9])|\s?(?:{_ABBREVIATION})(?![A-Za-z])|\s{_CONTINENT})?"
_DAYTIME = r"(?:(?:上午|下午|早上|晚上|中午|凌晨|午前|午後|오전|오후)\s?)?"
_MOMENT = rf"[~≈]?{_DAYTIME}{_CLOCK}{_HALF}{_ZONE}"
_TIME = rf"{_MOMENT}(?:\s?(?:[-–—~～→]|to\s|bis\s)\s?{_MOMENT})?"
_DATE = r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}"
_BETWEEN = r"(?:[T_]|,?\s{1,3}(?:\(?[^\W\d_]{2,9}\)?[.,]?\s{1,3})?|\s?[·|]\s?)"
_STAMP = rf"(?:(?P<date>{_DATE})(?P<between>{_BETWEEN}))?(?P<time>{_TIME})"

_COULD = re.compile(r"[0-9][:：][0-5][0-9]")
_HEADING = re.compile(r" {0,3}(?P<marker>#{1,6}[ \t]+)(?P<rest>.*)$", re.DOTALL)
_ITEM = re.compile(
    r"(?P<indent>[ \t]*)(?P<marker>(?:[-*+•]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)(?P<rest>.*)$", re.DOTALL
)
_ROW = re.compile(r" {0,3}\|[ \t]*(?P<rest>.*)$", re.DOTALL)
_PLAIN = re.compile(r" {0,3}(?P<rest>[^\s].*)$", re.DOTALL)
_LEADING = re.compile(rf"(?P<open>(?:\*\*|__|[\[(【（`*_]|@\s?){{0,4}}){_STAMP}")
_GLUED = re.compile(r"[0-9A-Za-z_/%:：]*[0-9A-Za-z_/%]")
_SEPARATOR = re.compile(r"\s*(?:(?:[-–—:|·•,>]+)(?=\s|$)|[：，、｜]|[|](?=\S))?\s*")
_CLOSED = re.compile(
    rf"[\s*_`]*(?P<open>[(（\[【])\s?(?:@\s?|at\s)?{_STAMP}\s?(?P<close>[)）\]】])[*_`]{{0,3}}\s?[.。!]?\s*$"
)
_ENDING = re.compile(rf"(?:^|(?<=[\s@|,–—-])){_STAMP}[.*_]{{0,3}}\s*$")
_CELL = re.compile(rf"[*_`\[(]{{0,4}}{_STAMP}[*_`\])]{{0,4}}\s*$")
_DATE_CELL = re.compile(rf"[*_`\[(]{{0,4}}(?P<date>{_DATE})[*_`\])]{{0,4}}\s*$")
_BARS = re.compile(r"(?<!\\)\|")
_CLOSERS = {"[": "]", "(": ")", "【": "】", "（": "）", "`": "`"}
_WRAPPED = 60
"""So far behind its time a bracket may close: `[14:05:09 scribe]`."""
_TAIL = 120
"""A stamp at the end of a line is looked for in so many characters."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a log as Markdown sees it: its `marker` (`### `, `- `, `| `, or nothing) and what follows."""

    marker: str
    rest: str
    indent: int = 0

    @property
    def is_heading(self) -> bool:
        return self.marker.startswith("#")

    @property
    def is_item(self) -> bool:
        return bool(self.marker) and self.marker[0] not in "#|"

    @property
    def is_row(self) -> bool:
        return self.marker.startswith("|")


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a stamped line says: `time` and `date` as written (`date` mostly empty), and its `text` without them.

    The rest is the form: what stands around the time, whether it leads the line, and what parts it from the text.
    """

    time: str
    text: str
    date: str = ""
    between: str = ""
    marker: str = ""
    opened: str = ""
    closed: str = ""
    separator: str = " "
    leads: bool = True

    @property
    def is_bare(self) -> bool:
        """Whether nothing but its place tells it from prose: `14:30 we met`."""
        return not (self.marker or self.opened or self.date)


def line_of(line: str) -> Line:
    """The line, parted at its marker."""
    for form in (_HEADING, _ITEM, _ROW):
        match = form.match(line)
        if match is not None:
            found = match.groupdict()
            indent = len((found.get("indent") or "").expandtabs(4))
            rest = found["rest"].rstrip()
            if form is _HEADING and rest.endswith("#") and (open_end := rest.rstrip("#"))[-1:] in ("", " ", "\t"):
                rest = open_end.rstrip()
            return Line(found.get("marker", "| "), rest, indent)
    match = _PLAIN.match(line)
    return Line("", match["rest"]) if match is not None else Line("", "")


def stamp_of(line: str) -> Stamp | None:
    """The stamp of a line, where it has one. Whether the line may carry one (in a fence it does not) is not asked."""
    if _COULD.search(line, 0, 2 * _TAIL) is None and _COULD.search(line, max(0, len(line) - _TAIL)) is None:
        return None
    parted = line_of(line)
    if parted.is_row:
        return _in_row(parted)
    found = _leading(parted)
    if found is None and parted.marker:
        found = _trailing(parted)
    return found


def _leading(line: Line) -> Stamp | None:
    match = _LEADING.match(line.rest)
    if match is None:
        return None
    opened, after = match["open"], line.rest[match.end() :]
    if _GLUED.match(after):
        return None
    closed, inner = "", ""
    for sign in ("**", "__"):
        if sign in opened and sign not in after:
            return None
    bracket = next((sign for sign in opened if sign in _CLOSERS), "")
    if bracket:
        end = after.find(_CLOSERS[bracket], 0, _WRAPPED)
        if end < 0:
            return None
        inner, after = after[:end].strip("*_ :,-–—"), after[end + 1 :]
        closed = _CLOSERS[bracket]
    for sign in ("**", "__", "*", "_"):
        if sign in opened:
            after = after.replace(sign, "", 1)
            closed = closed + sign if opened.startswith(sign) else sign + closed
            break
    parting = _SEPARATOR.match(after)
    separator = parting[0] if parting is not None else ""
    text = after[len(separator) :].strip()
    return Stamp(
        time=match["time"].strip(),
        text=f"{inner} {text}".strip() if inner else text,
        date=match["date"] or "",
        between=match["between"] or "",
        marker=line.marker,
        opened=opened,
        closed=closed,
        separator=separator or " ",
    )


def _trailing(line: Line) -> Stamp | None:
    """`title (HH:MM)` in headings and items; a heading may end in a time without a bracket, too."""
    text = line.rest
    start = max(0, len(text) - _TAIL)
    match = _CLOSED.search(text, start)
    if match is None and line.is_heading:
        match = _ENDING.search(text, start)
    if match is None:
        return None
    found = match.groupdict()
    return Stamp(
        time=match["time"].strip(),
        text=text[: match.start()].rstrip(" \t:：@|,–—-"),
        date=match["date"] or "",
        between=match["between"] or "",
        marker=line.marker,
        opened=found.get("open") or "",
        closed=found.get("close") or "",
        leads=False,
    )


def _in_row(line: Line) -> Stamp | None:
    """`| HH:MM | text |`, with a date before the time in the same cell or in one of its own."""
    cells = [cell.strip() for cell in _BARS.split(line.rest)]
    if cells and not cells[-1]:
        cells.pop()
    date = ""
    if len(cells) > 1 and (own := _DATE_CELL.match(cells[0])) is not None:
        date, cells = own["date"], cells[1:]
    match = _CELL.match(cells[0]) if cells else None
    if match is None:
        return None
    return Stamp(
        time=match["time"].strip(),
        text=" · ".join(cell for cell in cells[1:] if cell),
        date=match["date"] or date,
        between=match["between"] or "",
        marker=line.marker,
        separator=" | ",
    )
