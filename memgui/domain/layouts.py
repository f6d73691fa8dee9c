"""How agents lay out their memory: `Layout`, the `Store` that follows one, and how both are recognised by names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from memgui.domain.paths import ROOT, DocPath, comparable, is_inside, join, name_of, parent_of, segments_of

NAMED_FOLDERS: Mapping[str, str] = {".agentsmith": "memory", ".claude": "projects"}
"""The dot folders that a layout names, and the one folder in each that holds memory: nothing else in them is seen."""

IDENTITY_NAMES = frozenset({"agents.md", "soul.md", "user.md", "identity.md"})
HEAD_BYTES = 16 * 1024
"""How much of a file is read to recognise a store."""

_OPENCLAW_NAMES = IDENTITY_NAMES | {"tools.md", "bootstrap.md", "heartbeat.md"}
_TELLING_FILES = _OPENCLAW_NAMES | {"memory.md", "claude.md", "readme.md"}
_TELLING_FOLDERS = frozenset({"memory", "daily", "context", ".agentsmith"})
_INDEX_LINE = re.compile(r"^\s*[-*] \[[^\]\n]{0,500}\]\(([^()/\\\n]{1,200}\.md)\)", re.MULTILINE)
_LINKS_TRIED = 8
_INDEXES_TRIED = 1000

ReadHead = Callable[[DocPath], bytes | None]
"""Gives the first `HEAD_BYTES` of a file, None where there is no such file or it cannot be read."""


class Layout(Enum):
    """The ways of keeping memory that memgui knows, by the name of the system that brought each."""

    AGENTSMITH = "agentsmith"
    CLAUDE = "claude"
    OPENCLAW = "openclaw"
    IRONCLAW = "ironclaw"
    PROJECT_CONTEXT = "project-context"
    PLAIN = "plain"

    @property
    def rules(self) -> Rules:
        """Where this layout keeps things."""
        return _RULES[self]


@dataclass(frozen=True, slots=True)
class Rules:
    """Where a layout keeps things, relative to its store. None: it has no such thing. `{day}` stands for YYYY-MM-DD."""

    memory: str | None
    daily_log: str | None
    heartbeat: str | None
    day_folders: tuple[str, ...] = ("daily", "memory", "journal", "archive")
    protects_tools: bool = False


_PLAIN_RULES = Rules("MEMORY.md", "daily/{day}.md", "HEARTBEAT.md")
_RULES: Mapping[Layout, Rules] = {
    Layout.AGENTSMITH: Rules(None, None, None, day_folders=()),
    Layout.CLAUDE: Rules(None, None, None, day_folders=()),
    Layout.OPENCLAW: Rules("MEMORY.md", "memory/{day}.md", "HEARTBEAT.md", protects_tools=True),
    Layout.IRONCLAW: _PLAIN_RULES,
    Layout.PROJECT_CONTEXT: _PLAIN_RULES,
    Layout.PLAIN: _PLAIN_RULES,
}


@dataclass(frozen=True, slots=True)
class Store:
    """A folder of the workspace (`""`: the workspace itself) in which an agent keeps memory by `layout`.

    `holds_facts`: the facts lie directly in it. (A repository laid out for AgentSmith is no fact store itself; its
    `.agentsmith/memory` is.)
    """

    path: DocPath
    layout: Layout
    holds_facts: bool = False


@dataclass(frozen=True, slots=True)
class Folder:
    """The names in one folder by which a layout can be told, in lower case (folders as written)."""

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()


@dataclass(slots=True)
class Listing:
    """Collects the telling names of a tree while it is walked: all that `recognise` needs to know of it."""

    _found: dict[str, tuple[set[str], set[str]]] = field(default_factory=dict)

    def add(self, path: str, *, is_folder: bool) -> None:
        """Takes note of one name."""
        folder, _slash, name = path.rpartition("/")
        if is_folder:
            if name in _TELLING_FOLDERS:
                self._found.setdefault(folder, (set(), set()))[1].add(name)
        elif name[-3:].lower() == ".md" and (plain := name.casefold()) in _TELLING_FILES:
            self._found.setdefault(folder, (set(), set()))[0].add(plain)

    def folders(self) -> Iterable[tuple[DocPath, Folder]]:
        """Each folder that holds a telling name."""
        for path, (files, folders) in self._found.items():
            yield DocPath(path), Folder(frozenset(files), frozenset(folders))


def recognise(listing: Listing, read_head: ReadHead, *, above: Sequence[str] = ()) -> tuple[Store, ...]:
    """The stores of a workspace, its own first, then by path.

    `above`: the names along the real path of the workspace, so that `~/.claude/projects` is known for what it is. Only
    the workspace itself can be a mere project context or plain: a project's own `x/AGENTS.md` makes no store.
    """
    folders = dict(listing.folders())
    root = folders.get(ROOT, Folder())
    found: dict[DocPath, Store] = {}
    indexes = 0
    for path, names in folders.items():
        whole = (*above, *segments_of(path))
        if "memory" in names.folders:
            inner = join(path, "memory")
            layout = _named_layout((*whole, "memory"))
            if layout is not None:
                found[inner] = Store(inner, layout, holds_facts=True)
        if _named_layout(whole) is not None:
            continue
        has_index = "memory.md" in names.files and indexes < _INDEXES_TRIED
        indexes += has_index
        layout = _agent_layout(names)
        if layout is not None:
            # Names tell before contents do: an index is what an agent writes, and it must not change the rules.
            found[path] = Store(path, layout)
        elif has_index and is_fact_index(path, read_head):
            found[path] = Store(path, Layout.CLAUDE, holds_facts=True)
    own = _named_layout(above)
    if own is not None:
        found[ROOT] = Store(ROOT, own, holds_facts=True)
    elif ROOT not in found:
        found[ROOT] = Store(ROOT, _root_layout(root, has_facts=join(ROOT, ".agentsmith/memory") in found))
    return tuple(found[path] for path in sorted(found))


def agent_layout(listing: Listing, *, has_agentsmith: bool) -> Layout | None:
    """The layout of a folder that an agent's system made, told by the names at its top; None for any other folder."""
    layout = _agent_layout(dict(listing.folders()).get(ROOT, Folder()))
    return layout if layout is not None or not has_agentsmith else Layout.AGENTSMITH


def deepest(stores: Iterable[Store], path: DocPath) -> Store:
    """The store whose rules hold for a path: the deepest that contains it."""
    return max((store for store in stores if is_inside(path, store.path)), key=lambda store: len(store.path))


def lies_among_facts(path: DocPath, *, above: Sequence[str], stores: Iterable[Store]) -> bool:
    """Whether a path lies where facts are, or would be once its folder is made, on a disk that folds case too.

    `above`: the names along the real path of the workspace.
    """
    folders = [comparable(name) for name in segments_of(path)[:-1]]
    whole = [*above, *folders]
    if any(_named_layout(whole[:end]) is not None for end in range(len(above), len(whole) + 1)):
        return True
    held = deepest(stores, path)
    for store in stores:
        names = [comparable(name) for name in segments_of(store.path)]
        if store.holds_facts and len(store.path) > len(held.path) and folders[: len(names)] == names:
            return True
    return False


def is_seen(path: DocPath) -> bool:
    """Whether hidden folders on the way are only such as a layout names (any other dot folder is never scanned)."""
    *folders, last = segments_of(path) or ("",)
    for index, name in enumerate(folders):
        if name.startswith("."):
            allowed = NAMED_FOLDERS.get(name)
            following = folders[index + 1] if index + 1 < len(folders) else last
            if allowed is None or following != allowed:
                return False
    return True


def _named_layout(segments: Sequence[str]) -> Layout | None:
    """What the place itself tells: `…/.agentsmith/memory`, `…/.claude/projects/*/memory`."""
    if tuple(segments[-2:]) == (".agentsmith", "memory"):
        return Layout.AGENTSMITH
    if len(segments) >= 4 and tuple(segments[-4:-2]) == (".claude", "projects") and segments[-1] == "memory":
        return Layout.CLAUDE
    return None


def _agent_layout(names: Folder) -> Layout | None:
    files, folders = names.files, names.folders
    has_daily = "daily" in folders
    if not has_daily and len(files & _OPENCLAW_NAMES) >= 2 and ("memory" in folders or "memory.md" in files):
        return Layout.OPENCLAW
    if has_daily and (files & {"memory.md", "heartbeat.md"} or ("readme.md" in files and "context" in folders)):
        return Layout.IRONCLAW
    return None


def _root_layout(names: Folder, *, has_facts: bool) -> Layout:
    if has_facts:
        return Layout.AGENTSMITH
    return Layout.PROJECT_CONTEXT if names.files & {"agents.md", "claude.md"} else Layout.PLAIN


def is_fact_index(folder: DocPath, read_head: ReadHead) -> bool:
    """Whether MEMORY.md is an index of facts beside it: half of the linked files, or more, say what type they are."""
    from memgui.domain import frontmatter

    head = read_head(join(folder, "MEMORY.md")) or read_head(join(folder, "memory.md"))
    if not head:
        return False
    names = dict.fromkeys(_INDEX_LINE.findall(head[:HEAD_BYTES].decode("utf-8", "replace")))
    seen = typed = 0
    for name in names:
        data = read_head(join(folder, name))
        if data is None:
            continue
        seen += 1
        matter = frontmatter.read_bytes(data)
        typed += matter is not None and matter.fact_type is not None
        if seen == _LINKS_TRIED:
            break
    return typed > 0 and typed * 2 >= seen


def title_of(store: Store, workspace_name: str) -> str:
    """What a person calls a store: the project it belongs to."""
    path = store.path
    if store.layout is Layout.AGENTSMITH and path.endswith(".agentsmith/memory"):
        path = parent_of(parent_of(path))
    elif name_of(path) == "memory":
        path = parent_of(path)
    return path or workspace_name
