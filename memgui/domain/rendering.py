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
from urllib.parse import quote

from memgui.domain import frontmatter
from memgui.domain.invisible import labelled

LONGEST_LINE = 20_000
"""A longer line is shown as it is written: to part it into Markdown would hold up the page."""
DEEPEST = 12
"""A line that is nested deeper is shown as it is written: indented so far it would leave the page."""
MOST_LINES, MOST_ROWS, MOST_LITERAL = 200, 40, 250
"""A paragraph, a table, and code or other literal text go into pieces of so many lines."""
MOST_CELLS, MOST_BRACKETS = 128, 1_000
"""A line with more of them is shown as it is written: a table so wide, and brackets so deep, take long to lay out."""
_SLICE = 4_000
_WIDEST = 60


NOTHING = "\uf8ff"
"""Stands in a `TEXT` where Markdown would drop what has no words of its own. Whoever renders it takes it out again."""


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


_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})(.*)\Z", re.DOTALL)
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|\Z)")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_ITEM = re.compile(r"( *)([-+*]|\d{1,9}[.)])(?:([ \t]+)|\Z)")
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
_DEFINITION = re.compile(r" {0,3}\[((?:[^\[\]\\]|\\.)+)\]:[ \t]*(?:<([^<>\n]*)>|(\S+))(?:[ \t]+(.*))?\Z", re.DOTALL)
_DELIMITERS = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_CONTAINERS = re.compile(r"(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+")
_OPENER = re.compile(r"(?m)^((?:[ \t]|>|[-+*][ \t]|\d{1,9}[.)][ \t])*)\[((?:[^\[\]\\]|\\.)*)\]:")
_EMPTY_LINK = re.compile(r"((?<!\\)\[[ \t\n]*)\](?=[(\[])")
_PICTURE_LINK = re.compile(r"(!\[[^\[\]]*\](?:\([^()\n]*\)|\[[^\[\]]*\])?)[ \t\n]*\](?=[(\[])")
_INNER_FENCE = re.compile(r"(?m)^((?:[ \t]|>|[-+*][ \t]|\d{1,9}[.)][ \t])*(?:`{3,}|~{3,}))[ \t]*(\S[^`\n]*)$")
_LABELS = re.compile(r"\[((?:[^\[\]\\]|\\.){1,200})\]")
_WORD = re.compile(r"[^\W_]+")
_UNTOLD = re.compile(
    r"(?m)^(?:[ \t]|>|[-+*][ \t]|\d{1,9}[.)](?:[ \t]|$))*(?:\[[xX ]\][ \t])?|&\#?\w{1,31};|(?<=\])\[[^\[\]]*\]"
)
"""What has no words of its own in a rendered text: signs before a line, entities, the labels of definitions."""
_PIPE = re.compile(r"(?<!\\)((?:\\\\)*)\|")


def pieces(lines: Sequence[str]) -> Iterator[Piece]:
    """The pieces of a text from top to bottom. Every line that is not blank is in one of them."""
    return _Cutter(lines).pieces()


def is_told(piece: Piece, rendered: str) -> bool:
    """Whether every word of a `TEXT` or `TABLE` is in what became of it. Where it is not, show the text itself."""
    text = _UNTOLD.sub(" ", piece.text)
    missing = set(_WORD.findall(text)) - set(_WORD.findall(rendered))
    return all(word in rendered for word in missing)


class _Cutter:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._at = 0
        self._definitions = _definitions(lines)
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
                    used = self._used(piece.text) if piece.kind in (Kind.TEXT, Kind.TABLE) else ""
                    yield from _parted(replace(piece, definitions=used) if used else piece)
            else:
                self._at += 1
                self._number = 0 if not self._goes_on_counting() else self._number

    def _starts_with_rule(self) -> bool:
        return next((line.strip("\ufeff \t") for line in self._lines[:20] if line.strip("\ufeff \t")), "") == "---"

    def _goes_on_counting(self) -> bool:
        return self._at < len(self._lines) and (
            not self._lines[self._at].strip() or _ITEM.match(self._lines[self._at]) is not None
        )

    def _next(self) -> Iterator[Piece]:
        line = self._lines[self._at]
        if _is_too_much(line):
            yield from self._plain()
        elif (fence := _opening(line)) is not None:
            yield self._code(fence)
        elif _indent(line) >= 4:
            yield self._indented()
        elif _HTML.match(line) is not None:
            yield self._markup()
        elif (found := _DEFINITION.match(line)) is not None and not found[1].startswith("^"):
            yield self._literal(Kind.DEFINITION, self._definition_length())
        elif _HEADING.match(line) is not None or _RULE.match(line) is not None:
            yield self._text(1)
        elif _ITEM.match(line) is not None:
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
        texts = [_moved(line, cut) for line in self._lines[start + skip : end - drop]]
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
            closed = _closes(self._lines[self._at + count], mark)
            count += 1
        label = fence[3].strip()
        return self._literal(Kind.CODE, count, label=label, skip=1, drop=int(closed), cut=len(fence[1]))

    def _indented(self) -> Piece:
        count = last = 1
        while self._at + count < len(self._lines):
            line = self._lines[self._at + count]
            if line.strip() and _indent(line) < 4:
                break
            count += 1
            last = count if line.strip() else last
        return self._literal(Kind.CODE, last, cut=4)

    def _definition_length(self) -> int:
        count = 1
        while self._at + count < len(self._lines):
            found = _DEFINITION.match(self._lines[self._at + count])
            if found is None or found[1].startswith("^") or _is_too_much(self._lines[self._at + count]):
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
        return Piece(Kind.TEXT, start, self._at, self._safe("\n".join(lines)))

    def _paragraph(self) -> Piece:
        """A paragraph or a quote: to the next blank line, or to what may stand right below a paragraph."""
        self._number = 0
        quote = self._lines[self._at].lstrip().startswith(">")
        count = 1
        while self._at + count < len(self._lines) and count < MOST_LINES:
            line = self._lines[self._at + count]
            if not line.strip() or _is_too_much(line) or _interrupts(line):
                break
            if line.lstrip().startswith(">") != quote and (not quote or _ITEM.match(line)):
                break
            if not quote and (_ITEM.match(line) and not line.strip().isdigit()) and _may_interrupt(line):
                break
            if self._is_table(self._at + count):
                break
            count += 1
        return self._text(count)

    def _item(self) -> Iterator[Piece]:
        """One item of a list with all that belongs to it. Its number is the one that the list has come to."""
        line = self._lines[self._at]
        found = _ITEM.match(line)
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
        away = _indent(self._lines[start])
        texts = [_moved(line, away) for line in self._lines[start : self._at]]
        return Piece(Kind.TEXT, start, self._at, self._safe("\n".join(texts)), depth=max(1, away // 2))

    def _item_length(self, inside: int) -> tuple[int, list[int]]:
        """How many lines belong to the item, and where within them a long one may be parted."""
        count = last = 1
        joints: list[int] = []
        first = self._lines[self._at]
        fence = _opening(first[inside:]) if len(first) > inside else None
        mark = fence[2] if fence is not None else ""
        while self._at + count < len(self._lines):
            line = self._lines[self._at + count]
            blank, deep = not line.strip(), _indent(line) >= min(inside, 4) or line[:1] == "\t"
            if _is_too_much(line) or (not blank and not deep and (mark or last <= count - 1 or not _is_lazy(line))):
                break
            far = count - (joints[-1] if joints else 0) >= MOST_LINES
            if far and not mark and not blank and deep and line[:1] == " " and _ITEM.match(line):
                joints.append(count)
            count += 1
            if not blank:
                last = count
            if mark:
                mark = "" if _closes(line.strip(), mark) else mark
            elif deep and (fence := _opening(line.strip())) is not None:
                mark = fence[2]
        return last, [joint for joint in joints if joint < last]

    def _is_table(self, at: int) -> bool:
        return (
            at + 1 < len(self._lines)
            and "|" in self._lines[at]
            and "-" in self._lines[at + 1]
            and _DELIMITERS.match(self._lines[at + 1]) is not None
            and _cells(self._lines[at]) == _cells(self._lines[at + 1])
        )

    def _table(self) -> Iterator[Piece]:
        self._number = 0
        head, rule = self._lines[self._at : self._at + 2]
        end = self._at + 2
        while end < len(self._lines) and not self._ends_table(self._lines[end]):
            end += 1
        columns, first = _cells(head), self._at
        rows = [_fitted(line, columns) for line in self._lines[self._at + 2 : end]]
        widths = _widths([head, *rows], columns) if len(rows) > MOST_ROWS else ()
        for start in range(0, max(len(rows), 1), MOST_ROWS):
            part = rows[start : start + MOST_ROWS]
            above = first if start == 0 else first + 2 + start
            below = first + 2 + start + len(part)
            text = self._safe("\n".join([head, rule, *part]))
            yield Piece(Kind.TABLE, above, below, text, continued=start > 0, widths=widths)
        self._at = end

    def _ends_table(self, line: str) -> bool:
        return not line.strip() or _interrupts(line) or _is_too_much(line) or line.lstrip().startswith(">")

    def _safe(self, text: str) -> str:
        text = text.replace(NOTHING, f"‹U+{ord(NOTHING):04X}›")
        text = _OPENER.sub(rf"\1{NOTHING}[\2]:", text) if "]:" in text else text
        text = _EMPTY_LINK.sub(rf"\1{NOTHING}]", text) if "[" in text else text
        text = _PICTURE_LINK.sub(rf"\1{NOTHING}]", text) if "![" in text else text
        text = _INNER_FENCE.sub(_kept_words, text) if "```" in text or "~~~" in text else text
        return "\n".join(map(labelled, text.split("\n")))

    def _used(self, text: str) -> str:
        if not self._definitions or "]" not in text:
            return ""
        wanted = {_folded(at[1]) for at in _LABELS.finditer(text)}
        return "\n\n".join(self._definitions[label] for label in sorted(wanted & self._definitions.keys()))


def _parted(piece: Piece) -> Iterator[Piece]:
    """The piece, in parts where it is literal text of many lines."""
    if piece.kind in (Kind.TEXT, Kind.TABLE) or piece.end - piece.line <= MOST_LITERAL:
        yield piece
        return
    texts = piece.text.split("\n")
    # A line above the text is the fence.
    above = piece.line + min(1, piece.end - piece.line - len(texts))
    for start in range(0, len(texts), MOST_LITERAL):
        end = start + MOST_LITERAL
        yield replace(
            piece,
            line=piece.line if start == 0 else above + start,
            end=piece.end if end >= len(texts) else above + end,
            text="\n".join(texts[start:end]),
            label=piece.label if start == 0 else "",
            continued=start > 0,
        )


def _kept_words(at: re.Match[str]) -> str:
    # Of the words behind a fence only the first would be told, and that as Latin-1: so they go as one, in ASCII.
    return at[1] + quote(at[2].strip())


def _definitions(lines: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        match = _DEFINITION.match(line) if "]:" in line and len(line) <= LONGEST_LINE else None
        if match is not None and not match[1].startswith("^"):
            target = match[2] if match[2] is not None else match[3]
            target = target.replace("<", "%3C").replace(">", "%3E")
            found.setdefault(_folded(match[1]), f"[{match[1]}]: <{target}>")
    return found


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()


def _is_too_much(line: str) -> bool:
    if len(line) > LONGEST_LINE or line.count("|") > MOST_CELLS or line.count("[") > MOST_BRACKETS:
        return True
    found = _CONTAINERS.match(line)
    return found is not None and len(found[0]) > DEEPEST and len(re.findall(r"[>\-+*.)]", found[0])) > DEEPEST


def _indent(line: str) -> int:
    width = 0
    for character in line:
        if character == " ":
            width += 1
        elif character == "\t":
            width += 4 - width % 4
        else:
            break
    return width


def _moved(line: str, columns: int) -> str:
    """The line so many columns further left, as far as it has blanks to lose."""
    width = _indent(line) if columns else 0
    return line if not width else " " * max(0, width - columns) + line.lstrip(" \t")


def _opening(line: str) -> re.Match[str] | None:
    found = _FENCE.match(line)
    return None if found is None or (found[2][0] == "`" and "`" in found[3]) else found


def _closes(line: str, mark: str) -> bool:
    stripped = line.strip()
    return _indent(line) < 4 and stripped.startswith(mark) and not stripped.strip(mark[0])


def _interrupts(line: str) -> bool:
    """Whether this ends the paragraph above, but is no list."""
    return (
        _opening(line) is not None
        or _HEADING.match(line) is not None
        or (_HTML.match(line) is not None and line.lstrip().startswith("<!--"))
        or (_RULE.match(line) is not None and line.lstrip()[:1] != "-")
    )


def _may_interrupt(line: str) -> bool:
    found = _ITEM.match(line)
    if found is None or found[3] is None or len(found[1]) > 3:
        return False
    return not found[2][0].isdigit() or int(found[2][:-1]) == 1


def _is_lazy(line: str) -> bool:
    return not (_interrupts(line) or _ITEM.match(line) or line.lstrip().startswith(">") or _RULE.match(line))


def _cells(row: str) -> int:
    row = row.strip()
    bars = len(_PIPE.findall(row))
    return bars + 1 - row.startswith("|") - (bars > 0 and row.endswith("|") and not row.endswith("\\|"))


def _widths(rows: Sequence[str], columns: int) -> tuple[int, ...]:
    widest = [4] * columns
    for row in rows:
        for number, cell in enumerate(_PIPE.split(row.strip().removeprefix("|"))[::2][:columns]):
            widest[number] = max(widest[number], min(len(cell), _WIDEST))
    return tuple(widest)


def _fitted(row: str, columns: int) -> str:
    """The row with no more cells than the table has columns: what is too much stands in the last."""
    if _cells(row) <= columns:
        return row
    wanted = columns - 1 + row.strip().startswith("|")
    seen = 0

    def escape(at: re.Match[str]) -> str:
        nonlocal seen
        seen += 1
        return at[0] if seen <= wanted else f"{at[1]}\\|"

    return _PIPE.sub(escape, row)
