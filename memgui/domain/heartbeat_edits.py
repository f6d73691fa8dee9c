"""Edits of a heartbeat's items. Each answers the whole text anew, in which only the lines of that edit are others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memgui.domain.errors import ExecutionFailed
from memgui.domain.heartbeat import Checklist, Item, Passage, Row, Section, read
from memgui.domain.lines import Lines
from memgui.domain.paths import shown
from memgui.i18n import _

_BLANKS = re.compile(r"[\s\ufdd0\ufdd1]+")
_BREAKS = frozenset("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\ufdd0\ufdd1")
_LONGEST_QUOTE = 60
_NEW = "- [ ] "


@dataclass(frozen=True, slots=True)
class Edit:
    """The text after an edit, and the line on which what was edited now stands."""

    lines: Lines
    line: int


class ItemNotFound(ExecutionFailed):
    """The item that is meant is not in the text exactly once. Nothing was changed."""

    @staticmethod
    def no_text(item: Item) -> ItemNotFound:
        """The file holds no text any more."""
        return ItemNotFound(
            _("{item} was not found: the file holds no text now; nothing was changed.").format(item=quoted(item.text))
        )


# Finding -------------------------------------------------------------------------------------------------------------


def locate(now: Checklist, then: Checklist, item: Item) -> Item:
    """The item of an older reading in the text of now, found by its words exactly once; or `ItemNotFound`.

    Of several with the same words it is the one in the same section between the same neighbours, if that is one; else
    the one at the same line, if above it nothing came, went or changed places.
    """
    found = [each for each in now.items if _alike(each, item)]
    if len(found) > 1:
        around = _around(then, item)
        found = [each for each in found if _around(now, each) == around] or found
    if len(found) > 1 and _rows_above(now, item) == _rows_above(then, item):
        found = [each for each in found if each.line == item.line] or found
    if len(found) == 1:
        return found[0]
    words = quoted(item.text)
    if found:
        raise ItemNotFound(
            _("{item} stands there {count} times now; choose the one you mean.").format(item=words, count=len(found))
        )
    raise ItemNotFound(_("{item} is not there any more; nothing was changed.").format(item=words))


def _alike(one: Item, other: Item) -> bool:
    return one.text == other.text and (one.mark is None) == (other.mark is None)


def _rows_above(checklist: Checklist, item: Item) -> list[tuple[int, str]]:
    return [(row.line, row.text) for row in checklist.rows if row.line < item.line]


def _around(checklist: Checklist, item: Item) -> tuple[str | None, str | None, str | None]:
    """The words of the section above the item, and of the items before and after it."""
    items = checklist.items
    at = next((at for at, each in enumerate(items) if each.line == item.line), 0)
    above = [row.text for row in checklist.rows if isinstance(row, Section) and row.line < item.line]
    return (
        above[-1] if above else None,
        items[at - 1].text if at else None,
        items[at + 1].text if at + 1 < len(items) else None,
    )


def quoted(text: str) -> str:
    """An item's words as a sentence can hold them."""
    words = text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE].rstrip()}…"
    return f"‘{shown(words) or '…'}’"


# Edits ---------------------------------------------------------------------------------------------------------------


def set_mark(lines: Lines, item: Item, mark: str) -> Edit:
    """Put another mark into the item's box, and change nothing else."""
    if item.mark is None:
        raise ExecutionFailed(_("{item} has no box to tick.").format(item=quoted(item.text)))
    old = lines.texts[item.line - 1]
    return _with_line(lines, item.line, old[: item.mark_at] + mark + old[item.mark_at + 1 :])


def set_text(lines: Lines, item: Item, text: str) -> Edit:
    """Give the item other words, in its own line. Blanks at the line's end stay."""
    old, words = lines.texts[item.line - 1], one_line(text)
    if not words:
        raise ExecutionFailed(_("An item needs words; to take it away, remove it."))
    head, tail = old[: item.text_at], old[item.text_at + len(item.text) :]
    if not head.endswith((" ", "\t")):
        head, tail = f"{head} ", tail.lstrip()
    return _checked(_with_line(lines, item.line, head + words + tail))


def add_below(lines: Lines, item: Item, text: str) -> Edit:
    """Put a new item after this one and all that belongs to it, in its form: indent, bullet, box."""
    bullet = item.bullet
    if item.is_numbered:
        bullet = f"{int(bullet[:-1]) + 1}{bullet[-1]}"
    box = "[ ] " if item.mark is not None else ""
    return _checked(_inserted(lines, item.last, [f"{item.indent}{bullet} {box}{_needed(text)}"]))


def add_to_section(lines: Lines, section: Section | None, text: str) -> Edit:
    """Put a new item in front of a section's items; without a section, at the end of the text."""
    new = _NEW + _needed(text)
    if section is None:
        return _at_end(lines, new)
    below = section.line
    if below < len(lines.texts) and re.fullmatch(r" {0,3}(=+|-+)[ \t]*", lines.texts[below]):
        below += 1
    here = read(lines.texts)
    following = next((row for row in here.rows if row.line > section.line), None)
    if isinstance(following, Item):
        return _inserted(lines, following.line - 1, [f"{following.indent}{new}"])
    if below < len(lines.texts) and not lines.texts[below].strip():
        below += 1
        new_lines = [new, ""] if below < len(lines.texts) and lines.texts[below].strip() else [new]
        return _inserted(lines, below, new_lines)
    return _inserted(lines, below, ["", new, ""] if below < len(lines.texts) else ["", new], at=1)


def remove(lines: Lines, item: Item) -> Edit:
    """Take the item away with all that belongs to it."""
    start, end = item.line - 1, item.last
    ends = _ends(lines)
    made = _made([*lines.texts[:start], *lines.texts[end:]], [*ends[:start], *ends[end:]])
    return Edit(made, item.line)


def move(lines: Lines, item: Item, *, down: bool) -> Edit:
    """Let the item, with all that belongs to it, and its neighbour change places; or go over into the next section."""
    checklist = read(lines.texts)
    other = _neighbour(checklist, item, down=down)
    if other is not None:
        upper, lower = (item, other) if down else (other, item)
        return _checked(_exchanged(lines, upper, lower, down=down))
    if item.depth:
        words = _("{item} is the last one there already.") if down else _("{item} is the first one there already.")
        raise ExecutionFailed(words.format(item=quoted(item.text)))
    return _checked(_to_other_section(lines, checklist, item, down=down))


# How -----------------------------------------------------------------------------------------------------------------


def one_line(text: str) -> str:
    """Words without breaks, as one line holds them."""
    return _BLANKS.sub(_single, text).strip()


def _single(blanks: re.Match[str]) -> str:
    return blanks[0] if _BREAKS.isdisjoint(blanks[0]) else " "


def _needed(text: str) -> str:
    words = one_line(text)
    if not words:
        raise ExecutionFailed(_("An item needs words."))
    return words


def _neighbour(checklist: Checklist, item: Item, *, down: bool) -> Item | None:
    """The next item of the same parent and section, above or below."""
    rows = checklist.rows if down else tuple(reversed(checklist.rows))
    at = next(at for at, row in enumerate(rows) if row.line == item.line)
    for row in rows[at + 1 :]:
        if isinstance(row, Section) or (isinstance(row, Item) and row.depth < item.depth):
            return None
        if isinstance(row, Passage) and row.depth < item.depth:
            return None
        if isinstance(row, Item) and row.depth == item.depth:
            return row
    return None


def _exchanged(lines: Lines, upper: Item, lower: Item, *, down: bool) -> Edit:
    start, end = upper.line - 1, lower.last
    texts, ends = list(lines.texts), _ends(lines)
    above = slice(start, upper.last)
    between = slice(upper.last, lower.line - 1)
    below = slice(lower.line - 1, end)
    if upper.is_numbered and lower.is_numbered:
        # The numbers stay where they are: only what they number is another.
        texts[start] = _with_bullet(texts[start], upper, lower.bullet)
        texts[lower.line - 1] = _with_bullet(texts[lower.line - 1], lower, upper.bullet)
    if ends[end - 1] is None:
        ends[end - 1], ends[upper.last - 1] = ends[upper.last - 1], None
    new_texts = texts[:start] + texts[below] + texts[between] + texts[above] + texts[end:]
    new_ends = ends[:start] + ends[below] + ends[between] + ends[above] + ends[end:]
    stands = end - (upper.last - start) + 1 if down else start + 1
    return Edit(_made(new_texts, new_ends), stands)


def _with_bullet(text: str, item: Item, bullet: str) -> str:
    at = len(item.indent)
    return text[:at] + bullet + text[at + len(item.bullet) :]


def _to_other_section(lines: Lines, checklist: Checklist, item: Item, *, down: bool) -> Edit:
    rows = checklist.rows
    here = next(at for at, row in enumerate(rows) if row.line == item.line)
    if down:
        section = next((at for at in range(here + 1, len(rows)) if isinstance(rows[at], Section)), None)
    else:
        section = next((at for at in range(here - 1, -1, -1) if isinstance(rows[at], Section)), None)
    target: Row | None = None
    if section is not None and down:
        target = next((row for row in rows[section + 1 :] if isinstance(row, Item | Section)), None)
    elif section is not None:
        target = next((row for row in reversed(rows[:section]) if _is_top(row)), None)
    if not isinstance(target, Item):
        words = _("{item} is the last one already.") if down else _("{item} is the first one already.")
        raise ExecutionFailed(words.format(item=quoted(item.text)))
    return _carried(lines, item, before=target.line if down else target.last + 1)


def _is_top(row: object) -> bool:
    return isinstance(row, Section) or (isinstance(row, Item) and not row.depth)


def _carried(lines: Lines, item: Item, *, before: int) -> Edit:
    """The item's lines taken out and put in before another line."""
    start, end = item.line - 1, item.last
    texts, ends = list(lines.texts), _ends(lines)
    own_texts, own_ends = texts[start:end], ends[start:end]
    if own_ends[-1] is None:
        own_ends[-1] = lines.ending_for_new(start)
        if start:
            ends[start - 1] = None
    del texts[start:end], ends[start:end]
    at = before - 1 if before - 1 <= start else before - 1 - (end - start)
    texts[at:at], ends[at:at] = own_texts, own_ends
    return Edit(_made(texts, ends), at + 1)


def _checked(edit: Edit) -> Edit:
    """The edit, if an item stands where it says; in a comment or in code, that is never closed, there would be none."""
    if read(edit.lines.texts).item_at(edit.line) is None:
        raise ExecutionFailed(
            _("With that, line {line} would not be an item; nothing was changed.").format(line=edit.line)
        )
    return edit


def _with_line(lines: Lines, line: int, text: str) -> Edit:
    return Edit(Lines((*lines.texts[: line - 1], text, *lines.texts[line:]), lines.breaks), line)


def _at_end(lines: Lines, new: str) -> Edit:
    """After the last line that is not blank, parted from it where that is no item."""
    last = max((at for at, text in enumerate(lines.texts, 1) if text.strip()), default=0)
    checklist = read(lines.texts)
    gap = [""] if last and checklist.item_over(last) is None else []
    return _checked(_inserted(lines, last, [*gap, new], at=len(gap)))


def _inserted(lines: Lines, index: int, new: Sequence[str], *, at: int = 0) -> Edit:
    """New lines before line `index` (from 0), each with the ending of the line above. `at`: which is the item's."""
    texts, ends = list(lines.texts), _ends(lines)
    ending = lines.ending_for_new(index)
    own: list[str | None] = [ending] * len(new)
    if index == len(texts):
        ends[-1], own[-1] = ending, None
    texts[index:index], ends[index:index] = list(new), own
    return Edit(_made(texts, ends), index + at + 1)


def _ends(lines: Lines) -> list[str | None]:
    """Each line's own ending; the last has none."""
    return [*lines.breaks, None]


def _made(texts: Sequence[str], ends: Sequence[str | None]) -> Lines:
    """Lines from texts and their endings. Where the line without one is gone, an empty one takes its place."""
    if not texts:
        return Lines(("",), ())
    whole = list(texts) if ends[-1] is None else [*texts, ""]
    known = [end for end in ends if end is not None]
    for at in range(len(known) - 1):
        if known[at] == "\r" and not whole[at + 1] and known[at + 1] == "\n":
            # Together they would be one ending, and a line would be lost.
            known[at] = "\n"
    return Lines(tuple(whole), tuple(known))
