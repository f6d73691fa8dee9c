"""The index of a fact store: one line for each fact, in MEMORY.md. Other lines are the person's, and stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from memgui.domain.facts import Fact, one_line
from memgui.domain.frontmatter import FACT_TYPES
from memgui.domain.layouts import Layout
from memgui.domain.lines import Lines
from memgui.domain.paths import name_of, stem_of

NAME = "MEMORY.md"
TITLE = "# Memory index"

_BOM = "\ufeff"
_LINE = re.compile(
    r"(?P<head>\s*[-*+] +\[(?P<title>.*?)\]\((?P<target>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\))(?P<rest>.*)"
)
_REST = re.compile(r"\s*\((?P<type>[^(),]*)(?:,\s*(?P<status>[^()]*))?\)\s*(?:[\u2014\u2013:-]+\s*(?P<text>.*))?")
_HOOK = re.compile(r"\s*(?:[\u2014\u2013:-]+\s*)?(?P<text>.*)")


@dataclass(frozen=True, slots=True)
class IndexLine:
    """One line of an index that leads to a document; `line` counts from 1. None: the form has no such part."""

    line: int
    title: str
    file: str
    type: str | None
    status: str | None
    text: str


def lines(text: str, layout: Layout) -> list[IndexLine]:
    """The index lines of a text, in order; links to anywhere else are none. Never raises."""
    found = (
        _read(number, line, layout) for number, line in enumerate(Lines.split(text.removeprefix(_BOM)).texts, start=1)
    )
    return [one for one in found if one is not None]


def lines_of(text: str, file: str, layout: Layout) -> list[IndexLine]:
    """Those of them that lead to one document."""
    # Few lines name it, and only these are taken apart.
    split = enumerate(Lines.split(text.removeprefix(_BOM)).texts, start=1)
    found = (_read(number, line, layout) for number, line in split if file in line or "%" in line)
    return [one for one in found if one is not None and one.file == file]


def _read(number: int, line: str, layout: Layout) -> IndexLine | None:
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    file = unquote(match["target"].strip().removeprefix("<").removesuffix(">").removeprefix("./"))
    if "/" in file or "\\" in file or not file.lower().endswith(".md"):
        return None
    label = _REST.fullmatch(match["rest"])
    kind = label["type"].strip() if label else None
    status = (label["status"] or "").strip().lower() or None if label else None
    if layout is Layout.CLAUDE:
        hook = _HOOK.fullmatch(match["rest"])
        if (kind or "").lower() not in FACT_TYPES:
            # Words in parentheses, and no type of fact.
            kind = status = None
        return IndexLine(number, match["title"], file, kind, status, one_line(hook["text"] if hook else ""))
    text = label["text"] if label else _HOOK.sub(r"\g<text>", match["rest"])
    return IndexLine(number, match["title"], file, kind, status, one_line(text or ""))


def line_for(fact: Fact, layout: Layout, *, title: str = "", text: str = "") -> str:
    """The index line of a fact. Claude's form has a title and a hook, and neither type nor status."""
    file = name_of(fact.path)
    if layout is Layout.CLAUDE:
        return f"- [{title or spoken(stem_of(file))}]({file}) \u2014 {text or fact.description}"
    return f"- [{title or stem_of(file)}]({file}) ({fact.label}) \u2014 {text or fact.description}"


def spoken(stem: str) -> str:
    """A stem as a title: `build-order` is `Build order`."""
    words = re.sub(r"[-_]+", " ", stem).strip()
    return words[:1].upper() + words[1:]


def upserted(text: str, fact: Fact, layout: Layout, *, keep_text: bool = False) -> str:
    """The index with the fact's line as it should be: in its place, else at the end. Nothing else changes.

    `keep_text`: the words that a line has for it already stay: they may be somebody's own.
    """
    if not text.removeprefix(_BOM).strip():
        return f"{text}{TITLE}\n\n{line_for(fact, layout)}\n"
    file = name_of(fact.path)
    split = Lines.split(text)
    mine = lines_of(text, file, layout)
    if mine:
        # By its prefix first; a line that leads there under another title is its line as well.
        plain = [one for one in mine if one.title == stem_of(file)]
        line = (plain or mine)[0]
        words = line.text if keep_text else ""
        if says(line, replace(fact, description=words or fact.description), layout):
            return text
        return _with_line(split, line.line - 1, line_for(fact, layout, title=line.title, text=words))
    return appended(text, line_for(fact, layout))


def with_changed(text: str, changed: Iterable[tuple[IndexLine, Fact]], layout: Layout) -> str:
    """The index with these lines as they should be."""
    split = Lines.split(text)
    for line, fact in changed:
        split = _with_text(split, line.line - 1, line_for(fact, layout, title=line.title))
    return split.joined()


def with_added(text: str, facts: Sequence[Fact], layout: Layout) -> str:
    """The index with lines for facts that have none, at its end."""
    if not facts:
        return text
    first, *others = (line_for(fact, layout) for fact in facts)
    if not text.removeprefix(_BOM).strip():
        text = f"{text}{TITLE}\n\n{first}\n"
    else:
        text = appended(text, first)
    ending = Lines.split(text).breaks[-1]
    return text + "".join(line + ending for line in others)


def line_of(text: str, file: str, layout: Layout) -> str:
    """The line that leads to a file, as it is written; `""` where there is none."""
    return next((Lines.split(text).texts[one.line - 1] for one in lines_of(text, file, layout)), "")


def appended(text: str, line: str) -> str:
    """The index with a line at its end, in its own line ends."""
    split = Lines.split(text)
    ending = split.breaks[-1] if split.breaks else "\n"
    joint = "" if split.texts[-1] == "" else ending
    return f"{text}{joint}{line}{ending}"


def says(line: IndexLine, fact: Fact, layout: Layout) -> bool:
    """Whether an index line says of a fact what the fact's document does."""
    if layout is Layout.CLAUDE:
        return line.text == one_line(fact.description)
    return (line.type or "").lower() == fact.type and line.status == fact.status and line.text == fact.description


def without(text: str, file: str, layout: Layout) -> str:
    """The index without the lines that lead to a file."""
    gone = {one.line - 1 for one in lines_of(text, file, layout)}
    return _without_lines(text, gone)


def without_lines(text: str, numbers: set[int]) -> str:
    """The index without the lines of these numbers (from 1)."""
    return _without_lines(text, {number - 1 for number in numbers})


def _without_lines(text: str, gone: set[int]) -> str:
    split = Lines.split(text)
    pieces = []
    for i, line in enumerate(split.texts):
        if i not in gone:
            pieces.append(line + (split.breaks[i] if i < len(split.breaks) else ""))
        elif i == 0 and line.startswith(_BOM):
            pieces.append(_BOM)
    return "".join(pieces)


def _with_line(split: Lines, index: int, line: str) -> str:
    return _with_text(split, index, line).joined()


def _with_text(split: Lines, index: int, line: str) -> Lines:
    before = split.texts[index]
    indent = before[: len(before) - len(before.lstrip())]
    mark = _BOM if index == 0 and before.startswith(_BOM) else indent
    return Lines((*split.texts[:index], mark + line, *split.texts[index + 1 :]), split.breaks)
