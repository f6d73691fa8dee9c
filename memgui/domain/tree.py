"""What a scan of a workspace finds: one `Node` per name, and the `Snapshot` that holds them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from memgui.domain.paths import DocPath


class NodeKind(Enum):
    """What stands at a name. A link is classed by its target; `LINK_OUT` and `LINK_BROKEN` are never followed."""

    FILE = "file"
    FOLDER = "folder"
    LINK_FILE = "link to a file inside the workspace"
    LINK_FOLDER = "link to a folder inside the workspace"
    LINK_OUT = "link out of the workspace"
    LINK_BROKEN = "link to nothing"
    OTHER = "neither file nor folder"

    def __init__(self, words: str) -> None:
        # Known of each kind rather than worked out: asked of every name of a workspace, again and again.
        self.is_link = words.startswith("link")
        self.is_folder = words in ("folder", "link to a folder inside the workspace")
        self.has_bytes = words in ("file", "link to a file inside the workspace")


class Stat(NamedTuple):
    """What tells one state of a file from another without reading it (ctime catches a kept mtime)."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    device: int
    mode: int
    links: int


class Node(NamedTuple):
    """One name in the workspace. `stat` is the target's for links inside, if any. `problem` is a sentence."""

    path: DocPath
    kind: NodeKind
    stat: Stat | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All names found by one scan, in bytewise order of paths, and the folders not readable (path -> sentence)."""

    nodes: Mapping[DocPath, Node]
    problems: Mapping[DocPath, str] = field(default_factory=dict)
    folders: int = 0
    """How many real folders there are: what a watch costs."""
