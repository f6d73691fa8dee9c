"""How a line of Markdown begins: how deep it stands, and whether it opens or closes a fence, a heading, an item."""

from __future__ import annotations

import re

HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|\Z)")
RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
ITEM = re.compile(r"( *)([-+*]|\d{1,9}[.)])(?:([ \t]+)|\Z)")
_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})(.*)\Z", re.DOTALL)


def indent(line: str) -> int:
    """How far a line is indented; a tab goes to the next fourth column."""
    width = 0
    for character in line:
        if character == " ":
            width += 1
        elif character == "\t":
            width += 4 - width % 4
        else:
            break
    return width


def moved(line: str, columns: int) -> str:
    """The line so many columns further left, as far as it has blanks to lose."""
    width = indent(line) if columns else 0
    return line if not width else " " * max(0, width - columns) + line.lstrip(" \t")


def opening(line: str) -> re.Match[str] | None:
    """The fence that a line opens: its indent, its mark, the words behind it."""
    found = _FENCE.match(line)
    return None if found is None or (found[2][0] == "`" and "`" in found[3]) else found


def closes(line: str, mark: str) -> bool:
    """Whether a line closes the fence that was opened with that mark."""
    stripped = line.strip()
    return indent(line) < 4 and stripped.startswith(mark) and not stripped.strip(mark[0])


def may_interrupt(line: str) -> bool:
    """Whether an item may begin right below a paragraph: not empty, and if numbered, the first."""
    found = ITEM.match(line)
    if found is None or found[3] is None or len(found[1]) > 3:
        return False
    return not found[2][0].isdigit() or int(found[2][:-1]) == 1
