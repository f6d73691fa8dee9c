"""The tools that agents are given: for each its words, its parameters, and the deed behind it. Lane: one per call."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgui.domain.origin import Origin
from memgui.domain.paths import spelled
from memgui.domain.workspace import Workspace
from memgui.mcp.parameters import Parameter
from memgui.ops.notes import LiveNote

if TYPE_CHECKING:
    from memgui.ops.fact_stores import KnownFacts
    from memgui.ops.finder import Finder


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool: the workspace as it is now, who calls, when, and that session's working note."""

    ws: Workspace
    origin: Origin
    now: datetime
    note: LiveNote
    finder: Callable[[], Finder]
    """Gives the session's finder, which is not there before the first search."""
    searched: Callable[[], None]
    """Told after a search: what it could not find yet is seen to behind the server."""
    facts: Callable[[], KnownFacts]
    """Gives what the session knows of the fact stores."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answers: the value for programs, and the text for the model."""

    value: dict[str, Any]
    text: str


Deed = Callable[[Call, Mapping[str, Any]], Answer]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `writes`: it changes something, and is neither begun twice nor given up half-way.

    `guarded`: what is protected counts for it, and is looked at anew for each call; its calls are counted.
    """

    name: str
    title: str
    about: str
    parameters: tuple[Parameter, ...]
    deed: Deed
    writes: bool = False
    destroys: bool = False
    guarded: bool = False
    notes_refusals: bool = False
    """Its deed notes what it refuses by itself, the command line's as well."""


def _spelled(value: Any) -> Any:
    """The value with all its texts as UTF-8 can spell them: a file of another name keeps no agent from the rest."""
    if isinstance(value, str):
        return spelled(value)
    if isinstance(value, list):
        return [_spelled(one) for one in value]
    return {spelled(key): _spelled(one) for key, one in value.items()} if isinstance(value, dict) else value


def _as_json(value: Any) -> Answer:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        value = _spelled(value)
        text = json.dumps(value, ensure_ascii=False)
    return Answer({"result": value} if isinstance(value, list) else value, text)


# The deeds come by name: a server that is never asked to search loads no index, and starts sooner.


def _search(call: Call, given: Mapping[str, Any]) -> Answer:
    from memgui.ops import finding

    found = finding.memory_search(call.ws, given["query"], given["limit"], finder=call.finder())
    call.searched()
    return _as_json(found)


def _write(call: Call, given: Mapping[str, Any]) -> Answer:
    from memgui.ops import writing

    return _as_json(writing.memory_write(call.ws, **given, origin=call.origin, now=call.now))


def _read(call: Call, given: Mapping[str, Any]) -> Answer:
    from memgui.ops import versions

    return _as_json(versions.memory_read(call.ws, **given, now=call.now.timestamp()))


def _tree(call: Call, given: Mapping[str, Any]) -> Answer:
    from memgui.ops import reading

    return _as_json(reading.tree_answer(call.ws, given["path"], given["depth"]))


def _recall(call: Call, given: Mapping[str, Any]) -> Answer:
    from memgui.ops import facts

    value, text = facts.recall_both(call.ws, **given, known=call.facts())
    return Answer(_spelled(value), spelled(text))


def _remember(call: Call, given: Mapping[str, Any]) -> Answer:
    from memgui.ops import facts

    value = facts.remember(call.ws, **given, origin=call.origin, now=call.now, near=_here(), known=call.facts())
    return Answer(_spelled(value), spelled(value["message"]))


def _here() -> Path | None:
    """The working folder; None where it is gone."""
    try:
        return Path.cwd()
    except OSError:
        return None


def _note(call: Call, given: Mapping[str, Any]) -> Answer:
    value = call.note.act(given["action"], given.get("content"))
    return Answer(value, value["text"])


_READ_ONLY_WORDS = "This is the memory workspace, not the disk: read local files with your own file tools."

TOOLS: tuple[Tool, ...] = (
    Tool(
        "memory_search",
        "Search memory",
        "Search the memory workspace for what was written down before: long-term memory, daily logs, notes. You must "
        "call this before answering questions about prior work, decisions, dates, people, preferences or todos. "
        "Answers passages, best first, each with its path and line; read more of one with memory_read. Scores are "
        "relative to the best hit. confident=false: nothing clearly matches, and the results are only the nearest.",
        (
            Parameter("query", "string", "What to look for: words, a name, a phrase.", required=True),
            Parameter("limit", "integer", "At most so many results, from 1 to 20. Default 5.", default=5),
        ),
        _search,
    ),
    Tool(
        "memory_write",
        "Write to memory",
        "Write to the memory workspace, so that it is known in later sessions. target: daily_log (default; what "
        "happened today, always appended with the time), memory (facts and decisions worth keeping for long), "
        "heartbeat (the checklist of recurring tasks), or the path of a document (.md). Appends unless append=false, "
        "which replaces the whole document. To change a part, give old_string and new_string instead of content. "
        "Identity files (SOUL.md, AGENTS.md, USER.md, IDENTITY.md) are refused, and facts are written with remember. "
        "For the memory workspace only: write local files with your own file tools.",
        (
            Parameter("content", "string", "The text to write. Not beside old_string and new_string."),
            Parameter(
                "target",
                "string",
                "memory, heartbeat, daily_log, or a path in the workspace such as projects/alpha.md.",
                default="daily_log",
            ),
            Parameter("append", "boolean", "true: add at the end. false: replace the document.", default=True),
            Parameter("old_string", "string", "Text to replace; it must stand in the document exactly as given."),
            Parameter("new_string", "string", "The text to put in its place; empty takes it out."),
            Parameter("replace_all", "boolean", "Replace every place that holds old_string.", default=False),
            Parameter("timezone", "string", "IANA zone for the daily log's day and time, such as Europe/Berlin."),
        ),
        _write,
        writes=True,
        destroys=True,
        guarded=True,
        notes_refusals=True,
    ),
    Tool(
        "memory_read",
        "Read memory",
        "Read one document of the memory workspace, whole, by its path: one that memory_search or memory_tree named. "
        "list_versions=true lists the versions it has had, and version=N gives one of them. " + _READ_ONLY_WORDS,
        (
            Parameter("path", "string", "The document, such as MEMORY.md or daily/2026-01-31.md.", required=True),
            Parameter("version", "integer", "Give this version instead; 1 is the first."),
            Parameter("list_versions", "boolean", "List the versions instead of giving the content.", default=False),
        ),
        _read,
    ),
    Tool(
        "memory_tree",
        "List memory",
        "List the documents and folders of the memory workspace, to see what there is before reading. Folders end "
        "with a slash; those at the last level are not opened.",
        (
            Parameter("path", "string", "The folder to list. Default: the whole workspace.", default=""),
            Parameter("depth", "integer", "How many levels, from 1 to 10. Default 1.", default=1),
        ),
        _tree,
    ),
    Tool(
        "memory",
        "Working note",
        "Your working note for this session: plans, interim results, what to do next. It is gone when the session "
        "ends, and the person can read and change it meanwhile, so read it again before you rely on it. What should "
        "last belongs into memory_write or remember.",
        (
            Parameter(
                "action",
                "string",
                "read; replace the whole note with content; append content as a line.",
                required=True,
                choices=("read", "replace", "append"),
            ),
            Parameter("content", "string", "The text, for replace and append."),
        ),
        _note,
        writes=True,
    ),
    Tool(
        "recall",
        "Recall facts",
        "Recall facts that were kept with remember: how people want the work done, goals and constraints, pointers. "
        "The index in your context lists their names. Call it before you work out again what may be known already.",
        (
            Parameter(
                "query",
                "string",
                "Words that the fact holds, all of them, in its name, description or body. type:feedback (or project, "
                "reference) asks for one type; alone, for all facts of it.",
                required=True,
            ),
        ),
        _recall,
    ),
    Tool(
        "remember",
        "Remember a fact",
        "Keep one fact for later sessions, or change the one of that name: what the code and its history cannot tell. "
        "Not for what happened today; that belongs into memory_write. What is feedback is only proposed until a "
        "person ratifies it, and a change to what a person stands behind is held until they decide.",
        (
            Parameter(
                "type",
                "string",
                "feedback: how people want the work done. project: goals, constraints, state. reference: where "
                "something is found outside.",
                required=True,
            ),
            Parameter("name", "string", "A short name in lower case with hyphens, such as build-order.", required=True),
            Parameter("description", "string", "One line that says what it is; the index shows it.", required=True),
            Parameter("body", "string", "The fact itself, in Markdown.", required=True),
        ),
        _remember,
        writes=True,
        guarded=True,
        notes_refusals=True,
    ),
)


def by_name() -> Mapping[str, Tool]:
    """The tools, to be found by their names."""
    return {tool.name: tool for tool in TOOLS}


def moment() -> datetime:
    """The one reading of the clock in a call."""
    return datetime.now(UTC)
