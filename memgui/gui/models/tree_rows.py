"""The rows of the tree, made from groups when looked at, and what can be found out about them without Qt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memgui.domain.groups import Group
from memgui.domain.paths import DocPath

Entry = tuple[str, Group | None, DocPath | None]
"""A child to be: its key, and either the group or the file it stands for."""


class Row:
    """One row. `id` is what Qt holds of it, so that an index that outlived its row leads nowhere."""

    __slots__ = ("children", "group", "id", "number", "parent", "path")

    def __init__(self, id: int, parent: Row | None, number: int, group: Group | None, path: DocPath | None) -> None:
        self.id, self.parent, self.number, self.group, self.path = id, parent, number, group, path
        self.children: list[Row] | None = None
        """None until somebody looked."""

    @property
    def key(self) -> str:
        """Tells it from its siblings, and stays the same while the workspace changes."""
        return self.group.key if self.group is not None else f"/{self.path}"

    @property
    def target(self) -> DocPath | None:
        """The path it stands for: a file's or a folder's; None for a heading."""
        return self.path if self.group is None else self.group.path

    @property
    def in_days(self) -> bool:
        """Whether it is a file among the days."""
        above = self.parent.group if self.parent is not None else None
        return self.path is not None and above is not None and above.key.startswith("days")


def top(groups: tuple[Group, ...]) -> Group:
    """The group that nobody sees, above all others."""
    return Group("", "", "", (), groups)


def entries(group: Group) -> Iterator[Entry]:
    """The children of a group, top to bottom."""
    for inner in group.groups:
        yield inner.key, inner, None
    for path in group.paths:
        yield f"/{path}", None, path


def renumber(rows: Sequence[Row], start: int) -> None:
    """Tell the rows from `start` on which they are."""
    for number in range(start, len(rows)):
        rows[number].number = number


def only(group: Group, hits: set[str]) -> Group | None:
    """The group with nothing but hits; None where it has none."""
    paths = tuple(path for path in group.paths if path in hits)
    groups = tuple(kept for inner in group.groups if (kept := only(inner, hits)) is not None)
    if not paths and not groups:
        return None
    return replace(group, paths=paths, groups=groups, count=len(paths) + sum(inner.count for inner in groups))


def trail_to(group: Group, path: DocPath) -> tuple[str, ...] | None:
    """The keys that lead from a group to the topmost row of a path; None where it is not there."""
    if path in group.paths:
        return (f"/{path}",)
    for inner in group.groups:
        if inner.path == path:
            return (inner.key,)
        # A folder holds only what lies below it.
        if inner.path is not None and not path.startswith(f"{inner.path}/"):
            continue
        found = trail_to(inner, path)
        if found is not None:
            return (inner.key, *found)
    return None
