"""A Markdown text cut into the pieces that a reader sees, each with its lines; nothing of the text is left out.

What Markdown would swallow (comments, raw HTML, definitions, surplus cells, names of fences) becomes text here, so that
whoever reads the rendered page reads what an agent reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from memgui.domain import frontmatter
from memgui.domain.blocks import HEADING, ITEM, RULE, closes, indent, may_interrupt, moved, opening
from memgui.domain.invisible import labelled
from memgui.domain.tables import begins_table, cells, fitted, widths
from memgui.domain.untold import Definitions, is_definition, safe

LONGEST_LINE = 20_000
"""A longer line is shown as it is written: to part it into Markdown would hold up the page."""
DEEPEST = 12
"""A line that is nested deeper is shown as it is written: indented so far it would leave the page."""
MOST_LINES, MOST_ROWS, MOST_LITERAL = 200, 40, 250
"""A paragraph, a table, and code or other literal text go into pieces of so many lines."""
MOST_AT_ONCE = 6_000
"""And of so many characters, except in one line."""
LONGEST_OF_SIGNS = 6_000
"""A line of other letters than ASCII (emoji, Chinese) is shown as it is written if it is longer than this."""
MOST_CELLS, MOST_BRACKETS = 128, 1_000
"""A line with more of them is shown as it is written: a table so wide, and brackets so deep, take long to lay out."""
_SLICE = 4_000


class Kind(StrEnum):
    """What a piece is. All but `TEXT` and `TABLE` are to be shown exactly as they are written."""

    TEXT = "text"
    TABLE = "table"
    CODE = "code"
    COMMENT = "comment"
    HTML = "html"
    FRONT = "front"
    DEFINITION = "definition"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines `line` up to `end` of the source, from 0. `text` is Markdown that is safe to render, or literal text."""

    kind: Kind
    line: int
    end: int
    text: str
    label: str = ""
    """The words behind the fence of code, as written. Those of a fence inside a `TEXT` are percent-encoded there."""
    continued: bool = False
    """The rest of a table (its heading row was shown with the piece before), of a long line, of long code."""
    depth: int = 0
    """In so many lists it stands that began in pieces before."""
    definitions: str = ""
    """Of a `TEXT` or `TABLE`: where its links by reference lead, as Markdown; they are pieces of their own too."""
    widths: tuple[int, ...] = ()
    """Of a table in several pieces: how wide its columns are to each other, the same in all pieces."""


_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|"
    "track|ul|script|pre|style|textarea"
)
_HTML = re.compile(
    rf" {{0,3}}<(?:!--|\?|![A-Za-z\[]|/?(?:{_BLOCK_TAGS})(?=[\s/>]|\Z)|/?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>\s*\Z)",
    re.IGNORECASE,
)
_WHOLE = re.compile(r" {0,3}<(script|pre|style|textarea)(?=[\s>]|\Z)", re.IGNORECASE)
_CONTAINERS = re.compile(r"(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+")


def pieces(lines: Sequence[str]) -> Iterator[Piece]:
    """The pieces of a text from top to bottom. Every line that is not blank is in one of them."""
    return _Cutter(lines).pieces()


class _Cutter:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._at = 0
        self._definitions = Definitions(lines)
        self._number = 0

    def pieces(self) -> Iterator[Piece]:
        front = frontmatter.read("\n".join(self._lines[:1000])) if self._starts_with_rule() else None
        if front is not None:
            head = "\n".join(self._lines[:1000])[: front.body]
            count = max(1, head.count("\n") + (not head.endswith("\n")))
            yield from _parted(self._literal(Kind.FRONT, count))
        while self._at < len(self._lines):
            if self._lines[self._at].strip():
                for piece in self._next():
                    used = self._definitions.used_in(piece.text) if piece.kind in (Kind.TEXT, Kind.TABLE) else ""
                    yield from _parted(replace(piece, definitions=used) if used else piece)
            else:
                self._at += 1
                self._number = 0 if not self._goes_on_counting() else self._number

    def _starts_with_rule(self) -> bool:
        return next((line.strip("\ufeff \t") for line in self._lines[:20] if line.strip("\ufeff \t")), "") == "---"

    def _goes_on_counting(self) -> bool:
        return self._at < len(self._lines) and (
            not self._lines[self._at].strip() or ITEM.match(self._lines[self._at]) is not None
        )

    def _next(self) -> Iterator[Piece]:
        line = self._lines[self._at]
        if _is_too_much(line):
            yield from self._plain()
        elif (fence := opening(line)) is not None:
            yield self._code(fence)
        elif indent(line) >= 4:
            yield self._indented()
        elif _HTML.match(line) is not None:
            yield self._markup()
        elif is_definition(line):
            yield self._literal(Kind.DEFINITION, self._definition_length())
        elif HEADING.match(line) is not None or RULE.match(line) is not None:
            yield self._text(1)
        elif ITEM.match(line) is not None:
            yield from self._item()
        elif self._is_table(self._at):
            yield from self._table()
        else:
            yield self._paragraph()

    # As it is written ------------------------------------------------------------------------------------------------

    def _literal(self, kind: Kind, count: int, *, label: str = "", skip: int = 0, drop: int = 0, cut: int = 0) -> Piece:
        start, end = self._at, self._at + count
        self._at = end
        self._number = 0
        texts = [moved(line, cut) for line in self._lines[start + skip : end - drop]]
        return Piece(kind, start, end, "\n".join(map(labelled, texts)), labelled(label))

    def _plain(self) -> Iterator[Piece]:
        line, at = self._lines[self._at], self._at
        self._at += 1
        for start in range(0, len(line), _SLICE):
            yield Piece(Kind.PLAIN, at, at + 1, labelled(line[start : start + _SLICE]), continued=start > 0)

    def _code(self, fence: re.Match[str]) -> Piece:
        mark, count = fence[2], 1
        closed = False
        while self._at + count < len(self._lines) and not closed:
            closed = closes(self._lines[self._at + count], mark)
            count += 1
        label = fence[3].strip()
        return self._literal(Kind.CODE, count, label=label, skip=1, drop=int(closed), cut=len(fence[1]))

    def _indented(self) -> Piece:
        count = last = 1
        while self._at + count < len(self._lines):
            line = self._lines[self._at + count]
            if line.strip() and indent(line) < 4:
                break
            count += 1
            last = count if line.strip() else last
        return self._literal(Kind.CODE, last, cut=4)

    def _definition_length(self) -> int:
        count = 1
        while self._at + count < len(self._lines):
            line = self._lines[self._at + count]
            if not is_definition(line) or _is_too_much(line):
                break
            count += 1
        return count

    def _markup(self) -> Piece:
        """To the end of the comment or the script, else to the next blank line."""
        first = self._lines[self._at]
        comment, whole = first.lstrip().startswith("<!--"), _WHOLE.match(first)
        end = "-->" if comment else f"</{whole[1].lower()}>" if whole is not None else ""
        count = 0
        while self._at + count < len(self._lines):
            line = self._lines[self._at + count]
            if not end and not line.strip():
                break
            count += 1
            if end and end in line.lower():
                break
        return self._literal(Kind.COMMENT if comment else Kind.HTML, count)

    # Markdown --------------------------------------------------------------------------------------------------------

    def _text(self, count: int, *, replace_first: str | None = None) -> Piece:
        start, self._at = self._at, self._at + count
        lines = list(self._lines[start : self._at])
        if replace_first is not None:
            lines[0] = replace_first
        return Piece(Kind.TEXT, start, self._at, safe("\n".join(lines)))

    def _paragraph(self) -> Piece:
        """A paragraph or a quote: to the next blank line, or to what may stand right below a paragraph."""
        self._number = 0
        quote = self._lines[self._at].lstrip().startswith(">")
        count, size = 1, len(self._lines[self._at])
        while self._at + count < len(self._lines) and count < MOST_LINES:
            line = self._lines[self._at + count]
            size += len(line)
            if size > MOST_AT_ONCE or not line.strip() or _is_too_much(line) or _interrupts(line):
                break
            if line.lstrip().startswith(">") != quote and (not quote or ITEM.match(line)):
                break
            if not quote and (ITEM.match(line) and not line.strip().isdigit()) and may_interrupt(line):
                break
            if self._is_table(self._at + count):
                break
            count += 1
        return self._text(count)

    def _item(self) -> Iterator[Piece]:
        """One item of a list with all that belongs to it. Its number is the one that the list has come to."""
        line = self._lines[self._at]
        found = ITEM.match(line)
        assert found is not None
        inside = found.end() if found[3] and len(found[3]) <= 4 else found.end(2) + 1
        first = None
        if found[2][-1] in ".)":
            self._number = self._number + 1 if self._number else int(found[2][:-1])
            first = f"{found[1]}{self._number}{found[2][-1]}{line[found.end(2) :]}"
            inside += len(first) - len(line)
        else:
            self._number = 0
        number = self._number
        length, joints = self._item_length(inside)
        ends = [*joints, length]
        yield self._text(ends[0], replace_first=first)
        for start, end in pairwise(ends):
            yield self._rest_of_item(end - start)
        self._number = number

    def _rest_of_item(self, count: int) -> Piece:
        """What goes on under an item, moved to the edge, so that it can be read by itself."""
        start, self._at = self._at, self._at + count
        away = indent(self._lines[start])
        texts = [moved(line, away) for line in self._lines[start : self._at]]
        return Piece(Kind.TEXT, start, self._at, safe("\n".join(texts)), depth=max(1, away // 2))

    def _item_length(self, inside: int) -> tuple[int, list[int]]:
        """How many lines belong to the item, and where within them a long one may be parted."""
        count = last = 1
        joints: list[int] = []
        first = self._lines[self._at]
        fence = opening(first[inside:]) if len(first) > inside else None
        mark = fence[2] if fence is not None else ""
        while self._at + count < len(self._lines):
            line = self._lines[self._at + count]
            blank, deep = not line.strip(), indent(line) >= min(inside, 4) or line[:1] == "\t"
            if _is_too_much(line) or (not blank and not deep and (mark or last <= count - 1 or not _is_lazy(line))):
                break
            far = count - (joints[-1] if joints else 0) >= MOST_LINES
            if far and not mark and not blank and deep and line[:1] == " " and ITEM.match(line):
                joints.append(count)
            count += 1
            if not blank:
                last = count
            if mark:
                mark = "" if closes(line.strip(), mark) else mark
            elif deep and (fence := opening(line.strip())) is not None:
                mark = fence[2]
        return last, [joint for joint in joints if joint < last]

    def _is_table(self, at: int) -> bool:
        return at + 1 < len(self._lines) and begins_table(self._lines[at], self._lines[at + 1])

    def _table(self) -> Iterator[Piece]:
        self._number = 0
        head, rule = self._lines[self._at : self._at + 2]
        end = self._at + 2
        while end < len(self._lines) and not self._ends_table(self._lines[end]):
            end += 1
        columns, first = cells(head), self._at
        rows = [fitted(line, columns) for line in self._lines[self._at + 2 : end]]
        parts = list(_portions(rows, MOST_ROWS)) or [(0, 0)]
        wide = widths([head, *rows], columns) if len(parts) > 1 else ()
        for start, stop in parts:
            above = first if start == 0 else first + 2 + start
            text = safe("\n".join([head, rule, *rows[start:stop]]))
            yield Piece(Kind.TABLE, above, first + 2 + stop, text, continued=start > 0, widths=wide)
        self._at = end

    def _ends_table(self, line: str) -> bool:
        return not line.strip() or _interrupts(line) or _is_too_much(line) or line.lstrip().startswith(">")


def _parted(piece: Piece) -> Iterator[Piece]:
    """The piece, in parts where it is literal text of many lines."""
    texts = [] if piece.kind in (Kind.TEXT, Kind.TABLE, Kind.PLAIN) else piece.text.split("\n")
    parts = list(_portions(texts, MOST_LITERAL))
    if len(parts) < 2:
        yield piece
        return
    # A line above the text is the fence.
    above = piece.line + min(1, piece.end - piece.line - len(texts))
    for start, stop in parts:
        yield replace(
            piece,
            line=piece.line if start == 0 else above + start,
            end=piece.end if stop >= len(texts) else above + stop,
            text="\n".join(texts[start:stop]),
            label=piece.label if start == 0 else "",
            continued=start > 0,
        )


def _portions(texts: Sequence[str], most: int) -> Iterator[tuple[int, int]]:
    """From where up to where: so many lines at most, and no more characters than can be laid out at once."""
    start = size = 0
    for at, text in enumerate(texts):
        if at > start and (at - start >= most or size + len(text) > MOST_AT_ONCE):
            yield start, at
            start, size = at, 0
        size += len(text)
    if start < len(texts):
        yield start, len(texts)


def _is_too_much(line: str) -> bool:
    if len(line) > LONGEST_LINE or (len(line) > LONGEST_OF_SIGNS and not line.isascii()):
        return True
    if line.count("|") > MOST_CELLS or line.count("[") > MOST_BRACKETS:
        return True
    found = _CONTAINERS.match(line)
    return found is not None and len(found[0]) > DEEPEST and len(re.findall(r"[>\-+*.)]", found[0])) > DEEPEST


def _interrupts(line: str) -> bool:
    """Whether this ends the paragraph above, but is no list."""
    return (
        opening(line) is not None
        or HEADING.match(line) is not None
        or (_HTML.match(line) is not None and line.lstrip().startswith("<!--"))
        or (RULE.match(line) is not None and line.lstrip()[:1] != "-")
    )


def _is_lazy(line: str) -> bool:
    return not (_interrupts(line) or ITEM.match(line) or line.lstrip().startswith(">") or RULE.match(line))
