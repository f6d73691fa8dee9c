"""Findings: what is wrong, or worth a look, in a workspace. Rules alone; nothing here reads or writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from memgui.domain import fact_index, frontmatter
from memgui.domain.crosslinks import WIKI
from memgui.domain.fact_index import IndexLine
from memgui.domain.facts import Fact, Malformed
from memgui.domain.layouts import Layout
from memgui.domain.paths import DocPath, comparable, join, name_of, parent_of, shown
from memgui.i18n import _


class Severity(StrEnum):
    """How much it matters."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One finding, at a line (from 1). `fixable`: memgui can put it right without losing what anybody wrote."""

    path: DocPath
    line: int
    rule: str
    severity: Severity
    message: str
    fixable: bool = False


@dataclass(frozen=True, slots=True)
class StoreText:
    """A fact store as it was read: its index, the names in its folder, its facts and what should be one."""

    layout: Layout
    index: DocPath
    text: str
    names: Collection[str]
    found: Sequence[Fact | Malformed]
    facts: Mapping[str, Fact] = field(init=False)
    """File name -> fact."""
    lines: Sequence[IndexLine] = field(init=False)

    def __post_init__(self) -> None:
        facts = {name_of(one.path): one for one in self.found if isinstance(one, Fact)}
        object.__setattr__(self, "facts", facts)
        object.__setattr__(self, "lines", fact_index.lines(self.text, self.layout))


# Fact stores -------------------------------------------------------------------------------------------------------


def of_store(store: StoreText) -> list[Finding]:
    """What is wrong with a store's facts and its index."""
    found = [
        Finding(
            one.path, 1, "fact-malformed", Severity.ERROR, _("This is no fact: {reason}.").format(reason=one.reason)
        )
        for one in store.found
        if isinstance(one, Malformed)
    ]
    return [*found, *_of_names(store), *_of_index(store)]


def _of_names(store: StoreText) -> Iterable[Finding]:
    first: dict[str, Fact] = {}
    for fact in store.facts.values():
        other = first.setdefault(comparable(fact.name), fact)
        if other is not fact:
            message = _("The fact '{name}' has the same name as {other}.").format(
                name=shown(fact.name), other=shown(name_of(other.path))
            )
            yield Finding(fact.path, 1, "fact-duplicate-name", Severity.ERROR, message)


def _of_index(store: StoreText) -> Iterable[Finding]:
    seen: dict[str, int] = {}
    for line in store.lines:
        if line.file not in store.names:
            message = _("The index names {file}, which is not there.").format(file=shown(line.file))
            yield Finding(store.index, line.line, "index-dangling", Severity.ERROR, message, fixable=True)
        elif line.file in seen:
            message = _("The index names {file} again; line {line} does already.").format(
                file=shown(line.file), line=seen[line.file]
            )
            yield Finding(store.index, line.line, "index-duplicate", Severity.WARNING, message)
        elif (finding := _of_line(store, line)) is not None:
            yield finding
        seen.setdefault(line.file, line.line)
    for file, fact in store.facts.items():
        if file not in seen:
            message = _("The index has no line for this fact.")
            yield Finding(fact.path, 1, "index-missing", Severity.WARNING, message, fixable=True)


def _of_line(store: StoreText, line: IndexLine) -> Finding | None:
    """Whether a line says something else than its fact. A hook (Claude) is written by whoever likes, and may differ."""
    fact = store.facts.get(line.file)
    if fact is None or fact_index.says(line, fact, store.layout):
        return None
    if line.status != fact.status and (line.status or store.layout is not Layout.CLAUDE):
        message = _("The index says {index} of {file}, the fact itself says {fact}.").format(
            index=line.status or _("no status"), file=shown(line.file), fact=fact.status or _("none")
        )
        # Which of them is right is the person's to say.
        return Finding(store.index, line.line, "index-status", Severity.ERROR, message)
    if store.layout is Layout.CLAUDE:
        return None
    message = _("The index describes {file} differently than the fact itself does.").format(file=shown(line.file))
    # A line of another form may hold a person's own words.
    return Finding(store.index, line.line, "index-differs", Severity.WARNING, message, fixable=line.type is not None)


def fixed_index(store: StoreText) -> str:
    """The index with all that is fixable put right."""
    findings = [one for one in _of_index(store) if one.fixable]
    missing = {one.path for one in findings if one.rule == "index-missing"}
    stale = {one.line for one in findings if one.rule == "index-differs"}
    gone = {one.line for one in findings if one.rule == "index-dangling"}
    changed = [(line, store.facts[line.file]) for line in store.lines if line.line in stale]
    text = fact_index.with_changed(store.text, changed, store.layout)
    text = fact_index.without_lines(text, gone)
    return fact_index.with_added(text, [fact for fact in store.facts.values() if fact.path in missing], store.layout)


def since_ratified(fact: Fact, *, is_as_ratified: bool) -> Finding | None:
    """What has become of a fact that a person ratified in memgui."""
    if not fact.is_ratified:
        status = fact.status or _("no status")
        message = _("A person ratified this fact; now it says {status}.").format(status=status)
        return Finding(fact.path, 1, "fact-status", Severity.ERROR, message)
    if not is_as_ratified:
        message = _("The text of this fact has changed since a person ratified it.")
        return Finding(fact.path, 1, "fact-changed", Severity.ERROR, message)
    return None


# Any document ------------------------------------------------------------------------------------------------------


def two_memories(paths: Collection[DocPath]) -> list[Finding]:
    """Folders that hold both `memory.md` and `MEMORY.md`: agents read one of them, and nobody knows which."""
    found = []
    for path in paths:
        if name_of(path) == "memory.md" and join(parent_of(path), "MEMORY.md") in paths:
            message = _("Both memory.md and MEMORY.md are here; an agent reads only one of them.")
            found.append(Finding(path, 1, "memory-twice", Severity.WARNING, message))
    return found


def front_matter(path: DocPath, lines: Sequence[str]) -> list[Finding]:
    """Front matter that never ends: what is meant for programs is read as text, and the other way round."""
    if lines[0].strip("\ufeff ") not in ("", "---") or not frontmatter.is_unclosed("\n".join(lines)):
        return []
    message = _("The front matter that begins here has no closing ---.")
    return [Finding(path, 1, "front-matter", Severity.WARNING, message)]


_BEGIN, _MIDDLE, _END = re.compile(r"<{7}(?: |$)"), re.compile(r"={7}$"), re.compile(r">{7}(?: |$)")


def conflict_markers(path: DocPath, lines: Sequence[str]) -> list[Finding]:
    """The places where a merge was left half done."""
    found: list[Finding] = []
    begin, has_middle = 0, False
    for number, line in enumerate(lines, start=1):
        if _BEGIN.match(line):
            begin, has_middle = number, False
        elif begin and _MIDDLE.match(line):
            has_middle = True
        elif begin and has_middle and _END.match(line):
            message = _("A merge was left unfinished here, down to line {line}.").format(line=number)
            found.append(Finding(path, begin, "conflict-marker", Severity.ERROR, message))
            begin, has_middle = 0, False
    return found


def links(
    path: DocPath, found: Iterable[tuple[int, str]], ends_of: Callable[[str], Sequence[DocPath] | None]
) -> list[Finding]:
    """Links that lead nowhere, and names that several documents have. `ends_of` answers None where it cannot tell."""
    made = []
    for line, target in found:
        ends, name = ends_of(target), shown(f"{target}]]" if target.startswith(WIKI) else target)
        if ends is not None and not ends:
            message = _("The link to '{target}' leads nowhere.").format(target=name)
            made.append(Finding(path, line, "link-dangling", Severity.WARNING, message))
        elif ends is not None and len(ends) > 1:
            message = _("'{target}' may mean {one} or {other}.").format(
                target=name, one=shown(ends[0]), other=shown(ends[1])
            )
            made.append(Finding(path, line, "link-ambiguous", Severity.WARNING, message))
    return made
