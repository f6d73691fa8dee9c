"""The semantic groups that stand above the raw tree: Memory, Days, Identity, Facts, and every file below."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from memgui.domain.daily import Days, day_of
from memgui.domain.layouts import Store, title_of
from memgui.domain.paths import DocPath, is_document, join, name_of
from memgui.domain.tree import NodeKind, Snapshot
from memgui.domain.workspace import Workspace
from memgui.i18n import _

_CURATED = frozenset({"memory.md", "heartbeat.md"})


@dataclass(frozen=True, slots=True)
class Group:
    """A heading, or a folder of the raw tree (then `path` says which). `groups` stand above `paths`."""

    key: str
    """Stays as the workspace changes: `memory`, `days`, `days:week`, `days:2026-11`, `facts:STORE`, `folder:PATH`."""
    title: str
    icon: str
    paths: tuple[DocPath, ...] = ()
    groups: tuple[Group, ...] = ()
    path: DocPath | None = None
    count: int = 0
    """How many files it holds, at any depth."""


def arrange(workspace: Workspace, snapshot: Snapshot, today: datetime.date) -> tuple[Group, ...]:
    """The groups of a workspace, top to bottom; those without a file are left out, but for the last: every file."""
    sorted_out = _Sorted.of(workspace, snapshot)
    groups = (
        _group("memory", _("Memory"), "memory", sorted_out.memory),
        _days(sorted_out.days, sorted_out.other_dates, today),
        _group("identity", _("Identity"), "identity", sorted_out.identity),
        _facts(workspace, sorted_out.facts),
    )
    return (*(group for group in groups if group.count), _every_file(snapshot))


def days(workspace: Workspace, snapshot: Snapshot) -> Days:
    """The daily logs of a workspace by their days: the same documents that the group of days holds."""
    sorted_out = _Sorted.of(workspace, snapshot)
    return Days.of((path for _day, path in sorted_out.days), sorted(sorted_out.other_dates))


@dataclass(slots=True)
class _Sorted:
    memory: list[DocPath]
    identity: list[DocPath]
    days: list[tuple[datetime.date, DocPath]]
    other_dates: list[DocPath]
    facts: dict[Store, list[DocPath]]

    @staticmethod
    def of(workspace: Workspace, snapshot: Snapshot) -> _Sorted:
        """One walk over all names; what depends on the folder alone is asked once per folder."""
        found = _Sorted([], [], [], [], {})
        kinds: dict[str, _FolderKind] = {}
        for path, node in snapshot.nodes.items():
            folder, _slash, name = path.rpartition("/")
            kind = kinds.get(folder)
            if kind is None:
                kind = kinds[folder] = _FolderKind.of(workspace, DocPath(folder))
            # The many files that are no more than files are told first, and cheaply.
            if (kind.is_plain and not name[0].isdecimal()) or (kind.holds_dates_alone and "-" not in name):
                continue
            if node.kind.is_folder or not is_document(name):
                continue
            found._place(workspace, path, name, kind)
        found.memory.sort(key=_memory_order)
        for facts in found.facts.values():
            facts.sort(key=lambda path: (name_of(path).casefold() != "memory.md", path))
        return found

    def _place(self, workspace: Workspace, path: DocPath, name: str, kind: _FolderKind) -> None:
        if kind.is_root:
            if workspace.protection.covers(path):
                self.identity.append(path)
            elif name.casefold() in _CURATED and not (kind.store.holds_facts and kind.store.path):
                self.memory.append(path)
        if kind.store.holds_facts:
            if kind.is_store_root:
                self.facts.setdefault(kind.store, []).append(path)
            return
        day = day_of(name)
        if day is None:
            if kind.holds_days_only:
                self.other_dates.append(path)
        elif kind.may_hold_dates or day.is_bare:
            if day.day is None:
                self.other_dates.append(path)
            else:
                self.days.append((day.day, path))


@dataclass(frozen=True, slots=True)
class _FolderKind:
    """What can be said of a file by the folder it lies in."""

    store: Store
    is_store_root: bool
    is_root: bool
    may_hold_dates: bool
    holds_days_only: bool
    holds_dates_alone: bool
    """Whether nothing but a date in its name makes a file in it more than a file."""
    is_plain: bool
    """Whether nothing in it but a bare date makes a file more than a file."""

    @staticmethod
    def of(workspace: Workspace, folder: DocPath) -> _FolderKind:
        # The store of what lies in the folder: asked for a name inside, so that a store contains its own files.
        store = workspace.store_of(join(folder, "x"))
        below = folder[len(store.path) :].strip("/").casefold()
        day_folders = store.layout.rules.day_folders
        is_root = workspace.protection.may_hold(folder)
        may_hold_dates = any(segment in day_folders for segment in below.split("/"))
        return _FolderKind(
            store=store,
            is_store_root=folder == store.path,
            is_root=is_root,
            may_hold_dates=may_hold_dates,
            holds_days_only=below == "daily",
            holds_dates_alone=not is_root and not store.holds_facts and below != "daily",
            is_plain=not is_root and not may_hold_dates and not store.holds_facts,
        )


def _memory_order(path: DocPath) -> tuple[str, bool, str]:
    folder, _slash, name = path.rpartition("/")
    return folder, name.casefold() != "memory.md", name


def _days(days: list[tuple[datetime.date, DocPath]], other: list[DocPath], today: datetime.date) -> Group:
    """This week, then the months, the newest day first; what no calendar has comes last."""
    monday = today - datetime.timedelta(days=today.weekday())
    sunday = monday + datetime.timedelta(days=6)
    week: list[DocPath] = []
    months: dict[tuple[int, int], list[DocPath]] = {}
    days.sort(key=lambda entry: entry[1])
    days.sort(key=lambda entry: entry[0], reverse=True)
    for day, path in days:
        if monday <= day <= sunday:
            week.append(path)
        else:
            months.setdefault((day.year, day.month), []).append(path)
    groups = [_group("days:week", _("This week"), "week", week)]
    groups += [
        _group(f"days:{year:04}-{month:02}", month_title(year, month), "month", paths)
        for (year, month), paths in months.items()
    ]
    groups.append(_group("days:other", _("Other dates"), "month", other))
    return _group("days", _("Days"), "days", groups=[group for group in groups if group.count])


def month_title(year: int, month: int) -> str:
    """`November 2026`, in the person's language."""
    names = (
        _("January"),
        _("February"),
        _("March"),
        _("April"),
        _("May"),
        _("June"),
        _("July"),
        _("August"),
        _("September"),
        _("October"),
        _("November"),
        _("December"),
    )
    return _("{month} {year}").format(month=names[month - 1], year=year)


def _facts(workspace: Workspace, facts: dict[Store, list[DocPath]]) -> Group:
    """The facts of the one store, or a group for each store, in the order of their names."""
    if len(facts) == 1:
        (paths,) = facts.values()
        return _group("facts", _("Facts"), "facts", paths)
    groups = [
        _group(f"facts:{store.path}", title_of(store, workspace.name), "facts", paths) for store, paths in facts.items()
    ]
    return _group("facts", _("Facts"), "facts", groups=sorted(groups, key=lambda group: group.title.casefold()))


def _every_file(snapshot: Snapshot) -> Group:
    """The raw tree. Backwards through the paths, so that what lies in a folder is there before the folder."""
    paths: dict[str, list[DocPath]] = {}
    groups: dict[str, list[Group]] = {}
    for path in reversed(tuple(snapshot.nodes)):
        folder, _slash, name = path.rpartition("/")
        if snapshot.nodes[path].kind is NodeKind.FOLDER:
            group = _group(
                f"folder:{path}",
                name,
                "folder",
                reversed(paths.pop(path, ())),
                reversed(groups.pop(path, ())),
                path=path,
            )
            groups.setdefault(folder, []).append(group)
        else:
            paths.setdefault(folder, []).append(path)
    return _group("files", _("Other files"), "files", reversed(paths.pop("", ())), reversed(groups.pop("", ())))


def _group(
    key: str,
    title: str,
    icon: str,
    paths: Iterable[DocPath] = (),
    groups: Iterable[Group] = (),
    *,
    path: DocPath | None = None,
) -> Group:
    own, inner = tuple(paths), tuple(groups)
    return Group(key, title, icon, own, inner, path, len(own) + sum(group.count for group in inner))
