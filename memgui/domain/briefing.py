"""What an agent will see of its memory when it starts: which files, in which order, under which headings, cut where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from memgui.domain import frontmatter


class System(Enum):
    """The systems whose agents' view can be shown."""

    IRONCLAW = "ironclaw"
    OPENCLAW = "openclaw"
    CLAUDE = "claude"
    AGENTSMITH = "agentsmith"
    INDUSAGI = "indusagi"
    HERMES = "hermes"


@dataclass(frozen=True, slots=True)
class ContextFile:
    """One file that an agent is given: `path` as shown to a person. `text`: None where there is no such file.

    `place`: where the file is, or would be, on disk.
    """

    path: str
    text: str | None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much the systems give their agents; OpenClaw and Hermes count in characters."""

    openclaw_file: int = 20_000
    openclaw_all: int = 150_000
    claude_lines: int = 200
    claude_bytes: int = 25_000
    hermes_memory: int = 2_200
    hermes_user: int = 1_375


@dataclass(frozen=True, slots=True)
class Part:
    """One file in the briefing. `characters`: all that the file has, `limit`: how many of them may be given."""

    path: str
    heading: str
    characters: int
    limit: int | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Dropped:
    """A line of a file that the agent does not see."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Briefing:
    """The text that the agent is given, what it is made of, and what is left out of it."""

    system: System
    text: str
    parts: tuple[Part, ...] = ()
    dropped: tuple[Dropped, ...] = field(default=(), repr=False)

    @property
    def value(self) -> dict[str, Any]:
        """In the form that programs are given."""
        return {
            "system": self.system.value,
            "text": self.text,
            "parts": [
                {
                    "path": part.path,
                    "heading": part.heading,
                    "characters": part.characters,
                    "limit": part.limit,
                    "cut": part.cut,
                }
                for part in self.parts
            ],
            "dropped": [{"path": one.path, "line": one.line, "text": one.text} for one in self.dropped],
        }


# IronClaw ----------------------------------------------------------------------------------------------------------

IRONCLAW_FILES = (
    ("AGENTS.md", "## Agent Instructions"),
    ("SOUL.md", "## Core Values"),
    ("USER.md", "## User Context"),
    ("IDENTITY.md", "## Identity"),
    ("TOOLS.md", "## Tool Notes"),
    ("MEMORY.md", "## Long-Term Memory"),
)
IRONCLAW_DAYS = ("## Today's Notes", "## Yesterday's Notes")
IRONCLAW_PRIVATE = "MEMORY.md"
"""What an agent is not given in a group."""

_BETWEEN = "\n\n---\n\n"


def ironclaw(files: Sequence[tuple[str, ContextFile]]) -> Briefing:
    """Each file under its heading, whole; files that are missing or empty leave no trace."""
    there = [(heading, file) for heading, file in files if file.text]
    return Briefing(
        System.IRONCLAW,
        _BETWEEN.join(f"{heading}\n\n{file.text}" for heading, file in there),
        tuple(Part(file.path, heading, len(file.text or "")) for heading, file in there),
    )


# OpenClaw ----------------------------------------------------------------------------------------------------------

OPENCLAW_FILES = ("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md")
OPENCLAW_MEMORY = ("MEMORY.md", "memory.md")
"""Given where they are; the others are said to be missing where they are not."""

_HEAD, _TAIL = 70, 20
"""Per cent of the limit that are kept of the beginning and the end of a file over it."""

_LEAST_LEFT = 64
"""Where less is left of the limit for all files, no further file is begun."""


def openclaw(files: Sequence[ContextFile], limits: Limits) -> Briefing:
    """Each file under its name; over its limit it loses its middle, and all together have a limit as well."""
    left = limits.openclaw_all
    texts: list[str] = []
    parts: list[Part] = []
    dropped: list[Dropped] = []
    for file in files:
        heading = f"## {file.path}"
        if file.text is None:
            missing = f"[MISSING] Expected at: {file.place}"[:left]
            if missing:
                left -= len(missing)
                texts.append(f"{heading}\n\n{missing}")
                parts.append(Part(file.path, heading, 0, limits.openclaw_file))
            continue
        if not file.text.strip():
            continue
        limit = min(limits.openclaw_file, left)
        if limit < min(_LEAST_LEFT, limits.openclaw_file):
            parts.append(Part(file.path, heading, len(file.text), limit, cut=True))
            dropped += _lines_between(file, 0, len(file.text))
            continue
        given = file.text
        if len(given) > limit:
            head, tail = limit * _HEAD // 100, limit * _TAIL // 100
            end = len(given) - tail
            given = f"{given[:head]}\n\n[...truncated, read {file.path} for full content...]\n\n{given[end:]}"
            dropped += _lines_between(file, head, end)
        parts.append(Part(file.path, heading, len(file.text), limit, cut=len(file.text) > limit))
        left = max(0, left - len(given))
        texts.append(f"{heading}\n\n{given}")
    return Briefing(System.OPENCLAW, "\n\n".join(texts), tuple(parts), tuple(dropped))


def _lines_between(file: ContextFile, begin: int, end: int) -> Iterator[Dropped]:
    """The lines that lose a character between two places, but for blank ones."""
    at = 0
    for number, line in enumerate((file.text or "").split("\n"), 1):
        if at >= end:
            return
        if at + len(line) > begin and line.strip():
            yield Dropped(file.path, number, line.removesuffix("\r"))
        at += len(line) + 1


# Claude ------------------------------------------------------------------------------------------------------------

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMENT = re.compile(r" {0,3}<!--")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def claude(file: ContextFile, limits: Limits) -> Briefing:
    """The first lines of the index, whole ones: front matter and comments that stand as blocks are left out first."""
    if file.text is None:
        return Briefing(System.CLAUDE, "")
    counted = list(_counted_lines(file.text))
    kept, size = 0, 0
    for _number, line in counted[: limits.claude_lines]:
        # What ends the last line is no part of it.
        if size + _bytes(line.removesuffix("\n")) > limits.claude_bytes:
            break
        kept, size = kept + 1, size + _bytes(line)
    text = "".join(line for _number, line in counted[:kept])
    if not kept and counted:
        text = counted[0][1].encode("utf-8", "replace")[: limits.claude_bytes].decode("utf-8", "ignore")
    dropped = tuple(Dropped(file.path, number, line.rstrip("\r\n")) for number, line in counted[kept:] if line.strip())
    characters = sum(len(line) for _number, line in counted)
    return Briefing(
        System.CLAUDE,
        text,
        (Part(file.path, "", characters, limits.claude_bytes, cut=bool(dropped)),),
        dropped,
    )


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _counted_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that count, each with its break and with the number that it has in the file."""
    found = frontmatter.read(text)
    begin = 0 if found is None else found.body
    lines = [(line.start() >= begin, line[0]) for line in _LINE.finditer(text)]
    fence, at = "", 0
    while at < len(lines):
        counts, line = lines[at]
        at += 1
        if not counts:
            continue
        if not fence and _COMMENT.match(line):
            end = next((i for i in range(at - 1, len(lines)) if "-->" in lines[i][1]), None)
            if end is not None:
                at = end + 1
                continue
        mark = _FENCE.match(line)
        if mark is not None and not fence:
            fence = mark[1]
        elif mark is not None and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        yield at, line


# AgentSmith --------------------------------------------------------------------------------------------------------

_INDEX_HEADING = "## Experiential memory index"


def agentsmith(file: ContextFile) -> Briefing:
    """The index of the facts, whole, under its heading; nothing where there is none."""
    if not file.text:
        return Briefing(System.AGENTSMITH, "")
    part = Part(file.path, _INDEX_HEADING, len(file.text))
    return Briefing(System.AGENTSMITH, f"{_INDEX_HEADING}\n\n{file.text}", (part,))


# Project context ---------------------------------------------------------------------------------------------------

PROJECT_FILES = ("AGENTS.md", "CLAUDE.md")
PROJECT_SENTENCE = (
    "The following project documents describe conventions for this repository. Treat them as standing instructions."
)


def indusagi(files: Sequence[ContextFile]) -> Briefing:
    """Each document under a sub-heading after one sentence; nothing where there are none."""
    there = [file for file in files if file.text is not None]
    if not there:
        return Briefing(System.INDUSAGI, "")
    pieces = [f"## {file.path}\n\n{file.text}" for file in there]
    return Briefing(
        System.INDUSAGI,
        "\n\n".join((PROJECT_SENTENCE, *pieces)),
        tuple(Part(file.path, f"## {file.path}", len(file.text or "")) for file in there),
    )


# Hermes ------------------------------------------------------------------------------------------------------------

HERMES_FILES = ("memories/MEMORY.md", "memories/USER.md")


def hermes(files: Sequence[ContextFile], limits: Limits) -> Briefing:
    """What the agent keeps of its work and of the person, each as far as its limit reaches."""
    texts: list[str] = []
    parts: list[Part] = []
    dropped: list[Dropped] = []
    for file, limit in zip(files, (limits.hermes_memory, limits.hermes_user), strict=True):
        if not file.text:
            continue
        texts.append(file.text[:limit])
        parts.append(Part(file.path, "", len(file.text), limit, cut=len(file.text) > limit))
        dropped += _lines_between(file, limit, len(file.text))
    return Briefing(System.HERMES, "\n\n".join(texts), tuple(parts), tuple(dropped))
