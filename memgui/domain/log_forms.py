"""How a log is continued in its own form: the stamp and line of a new entry, the title of a new file."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from memgui.domain.lines import Lines
from memgui.domain.stamps import Stamp

_SECONDS = re.compile(r"[0-9][:：][0-5][0-9][:：][0-5][0-9]")
_HALF = re.compile(r"(?P<gap>\s?)(?P<half>[AaPp]\.?[Mm]\b\.?)")
_UNIVERSAL = re.compile(r"[0-9]\s?(?P<zone>Z|UTC|GMT)$")
_OFFSET = re.compile(r"[0-9](?P<gap>\s?)[+-][0-9]{2}(?P<colon>:?)[0-9]{2}$")
_BREAK = re.compile("\r\n|[\n\r\u2028\u2029\ufdd0\ufdd1\x0b\x0c\x85]")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Form:
    """Where an entry's time stands, how it is written and what stands around it."""

    marker: str = ""
    opened: str = ""
    closed: str = ""
    separator: str = " "
    leads: bool = True
    between: str = ""
    """What parts a date from the time; empty where entries carry no date."""
    seconds: bool = False
    half: str = ""
    """` AM`, as it is written, where hours are counted to twelve."""
    zone: str = ""
    """`Z`, ` UTC`, or `+00:00` for the offset of the time itself."""
    below: bool = False
    """Whether the text stands below the stamp and not beside it."""


SQUARE = Form(opened="[", closed="]", seconds=True)
"""`[14:03:05] text`"""
LIST = Form(marker="- ")
"""`- 14:03 text`"""


def form_of(stamp: Stamp) -> Form:
    """The form of an entry that is there."""
    time = stamp.time
    half, universal, offset = _HALF.search(time), _UNIVERSAL.search(time), _OFFSET.search(time)
    has_offset = offset is not None and bool(stamp.date)
    zone = ""
    if universal is not None:
        zone = time[universal.start() + 1 :]
    elif has_offset and offset is not None:
        zone = f"{offset['gap']}+00{offset['colon']}00"
    marker = re.sub(r"\[[xX]\](?=\s)", "[ ]", stamp.marker)
    return Form(
        marker=marker,
        opened=stamp.opened,
        closed=stamp.closed,
        separator=stamp.separator,
        leads=stamp.leads,
        between=stamp.between if stamp.date else "",
        seconds=_SECONDS.search(time) is not None,
        half=half[0] if half is not None else "",
        zone=zone,
        below=stamp.leads and stamp.marker.startswith("#") and not stamp.text,
    )


def written(form: Form, text: str, now: datetime.datetime) -> str:
    """The lines of a new entry. `now` carries its zone; a form in universal time gets universal time."""
    first, *more = [line.rstrip() for line in _BREAK.split(text.strip())]
    stamp = _stamp(form, now)
    marker = _next_marker(form.marker)
    if marker.startswith("|"):
        cells = " ".join([first, *more]).replace("|", "\\|")
        return f"{marker}{form.opened}{stamp}{form.closed} | {cells} |"
    if form.below:
        return "\n".join([f"{marker}{form.opened}{stamp}{form.closed}", "", first, *more])
    if form.leads:
        head = f"{marker}{form.opened}{stamp}{form.closed}{form.separator}{first}"
    else:
        head = f"{marker}{first} {form.opened}{stamp}{form.closed}"
    indent = "  " if marker and not marker.startswith("#") else ""
    return "\n".join([head, *(f"{indent}{line}" if line else "" for line in more)])


def piece(text: str, addition: str) -> str:
    """What has to be put behind `text` so that `addition` stands in lines of its own and ends with one line end.

    Line ends are those of the text around them.
    """
    lines = Lines.split(text)
    ending = lines.ending_for_new(len(lines.texts))
    join = ending if text.strip("\ufeff") and lines.texts[-1] else ""
    return join + addition.replace("\n", ending) + ending


def title_for(title: str, *, of: datetime.date, day: datetime.date) -> str:
    """The title of the log of `of`, as it would be for another day; empty where it does not name its day."""
    if of.isoformat() not in title:
        return ""
    found = title.rstrip().replace(of.isoformat(), day.isoformat())
    old, new = _WEEKDAYS[of.weekday()], _WEEKDAYS[day.weekday()]
    for before, after in ((old, new), (old[:3], new[:3])):
        found = re.sub(rf"\b{before}\b", after, found)
    return found


def _stamp(form: Form, now: datetime.datetime) -> str:
    if form.zone.strip() in ("Z", "UTC", "GMT"):
        now = now.astimezone(datetime.UTC)
        zone = form.zone
    elif form.zone:
        offset = now.strftime("%z")[:5] or "+0000"
        zone = form.zone.replace("+00:00", f"{offset[:3]}:{offset[3:]}").replace("+0000", offset)
    else:
        zone = ""
    if form.half:
        hour, half = (now.hour % 12 or 12), "AM" if now.hour < 12 else "PM"
        time = f"{hour:02}:{now:%M}" + (f":{now:%S}" if form.seconds else "")
        dotted = "." in form.half
        sign = f"{half[0]}.{half[1]}." if dotted else half
        gap = form.half[: len(form.half) - len(form.half.lstrip())]
        time += gap + (sign.lower() if form.half.strip()[0].islower() else sign)
    else:
        time = f"{now:%H:%M:%S}" if form.seconds else f"{now:%H:%M}"
    date = f"{now:%Y-%m-%d}{form.between}" if form.between else ""
    return f"{date}{time}{zone}"


def _next_marker(marker: str) -> str:
    """A number counts on; all else is the same again."""
    match = re.match(r"([0-9]{1,9})([.)].*)", marker, re.DOTALL)
    return f"{int(match[1]) + 1}{match[2]}" if match is not None else marker
