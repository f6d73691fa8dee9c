"""What an agent obeys, and so never writes: the identity files at the root of the workspace and of each store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from memgui.domain.layouts import IDENTITY_NAMES, Store
from memgui.domain.paths import DocPath, comparable
from memgui.domain.tree import Node, Snapshot

Identity = tuple[int, int]
"""Device and inode: what a file is, by whatever name it is reached."""

_TOOLS = frozenset({"tools.md", "bootstrap.md"})
_STANDING = frozenset({"claude.md"})
_BESIDE = frozenset({"claude.local.md", "agents.override.md"})
"""What programs read beside, or instead of, a protected file of the root."""


@dataclass(frozen=True, slots=True)
class Protection:
    """The protected names of each root, and the `identities` of the files that bear them: links are covered too."""

    names: Mapping[str, frozenset[str]] = field(default_factory=lambda: {"": IDENTITY_NAMES | _STANDING})
    """Comparable path of a root -> comparable names protected there."""
    identities: frozenset[Identity] = frozenset()
    tools: bool | None = None
    """Whether a person protects TOOLS.md and BOOTSTRAP.md too; None: as the layout says."""

    @staticmethod
    def of(stores: Iterable[Store], *, tools: bool | None = None) -> Protection:
        """The protection of a workspace's stores."""
        names: dict[str, frozenset[str]] = {"": IDENTITY_NAMES | _STANDING}
        for store in stores:
            mine = names.get(_comparable_path(store.path), IDENTITY_NAMES)
            # Among facts, `claude.md` is one more fact; everywhere else agents read CLAUDE.md as instructions.
            if not store.holds_facts:
                mine |= _STANDING
            if store.layout.rules.protects_tools if tools is None else tools:
                mine |= _TOOLS
            names[_comparable_path(store.path)] = mine
        return Protection(names, tools=tools)

    def covers(self, path: str) -> bool:
        """Whether the name itself is protected, however it is written."""
        folder, _slash, name = path.rpartition("/")
        if not folder and name[-3:].lower() == ".md" and name.isascii() and name.isprintable() and "\\" not in name:
            # The common case, and the cheap one: a plain name at the top.
            return name.strip().lower() in self.names[""]
        plain = comparable(name)
        if plain and "\\" not in name and not any(plain in names for names in self.names.values()):
            # Nearly all: it is no protected name in any folder.
            return False
        whole = _comparable_path(path)
        folder, _slash, name = whole.rpartition("/")
        return name in self.names.get(folder, ())

    def covers_node(self, node: Node) -> bool:
        """Whether the name is protected, or the file behind it is one of the protected by another name."""
        stat = node.stat
        if stat is not None and node.kind.has_bytes and (stat.device, stat.inode) in self.identities:
            return True
        return self.covers(node.path)

    def resembles(self, path: str) -> bool:
        """Whether a reader, or a program, could take the name for that of a protected file in its folder."""
        whole = _comparable_path(path)
        folder, _slash, name = whole.rpartition("/")
        names = self.names.get(folder, frozenset())
        if not names or name in names:
            return name in names
        # Only who writes is asked so closely; a window opens without it.
        from memgui.domain.likeness import likeness

        return likeness(name) in {likeness(one) for one in names | (_BESIDE if names >= _STANDING else frozenset())}

    def may_hold(self, folder: str) -> bool:
        """Whether protected names can stand directly in this folder."""
        return not folder or _comparable_path(folder) in self.names

    def knowing(self, snapshot: Snapshot) -> Protection:
        """The same names, with the identities of the files that bear them in this snapshot."""
        held: dict[str, bool] = {}
        found = set()
        for path, node in snapshot.nodes.items():
            if node.stat is None or not node.kind.has_bytes:
                continue
            folder = path.rpartition("/")[0]
            if folder not in held:
                held[folder] = self.may_hold(folder)
            if held[folder] and self.covers(path):
                found.add((node.stat.device, node.stat.inode))
        identities = frozenset(found)
        return self if identities == self.identities else replace(self, identities=identities)


def _comparable_path(path: str | DocPath) -> str:
    """The path with each name in comparable form; `.` and empty segments gone, `..` resolved."""
    kept: list[str] = []
    for piece in path.replace("\\", "/").split("/"):
        plain = comparable(piece)
        if piece.strip() == "..":
            del kept[-1:]
        elif plain:
            kept.append(plain)
    return "/".join(kept)
