"""Tables of Markdown: their cells, and rows made to fit, so that nothing of them is dropped."""

from __future__ import annotations

import re
from collections.abc import Sequence

_DELIMITERS = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_PIPE = re.compile(r"(?<!\\)((?:\\\\)*)\|")
_WIDEST = 60


def begins_table(head: str, below: str) -> bool:
    """Whether these two lines are the head of a table."""
    return "|" in head and "-" in below and _DELIMITERS.match(below) is not None and cells(head) == cells(below)


def cells(row: str) -> int:
    """How many cells a row has."""
    row = row.strip()
    bars = len(_PIPE.findall(row))
    return bars + 1 - row.startswith("|") - (bars > 0 and row.endswith("|") and not row.endswith("\\|"))


def widths(rows: Sequence[str], columns: int) -> tuple[int, ...]:
    """How wide the columns are to each other."""
    widest = [4] * columns
    for row in rows:
        for number, cell in enumerate(_PIPE.split(row.strip().removeprefix("|"))[::2][:columns]):
            widest[number] = max(widest[number], min(len(cell), _WIDEST))
    return tuple(widest)


def fitted(row: str, columns: int) -> str:
    """The row with no more cells than the table has columns: what is too much stands in the last."""
    if cells(row) <= columns:
        return row
    wanted = columns - 1 + row.strip().startswith("|")
    seen = 0

    def escape(at: re.Match[str]) -> str:
        nonlocal seen
        seen += 1
        return at[0] if seen <= wanted else f"{at[1]}\\|"

    return _PIPE.sub(escape, row)
