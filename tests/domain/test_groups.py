"""The groups say at a glance what the memory holds; every file is below them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.groups import Group, arrange
from memgui.domain.layouts import Layout, Store
from memgui.domain.paths import DocPath, sort_key
from memgui.domain.protection import Protection
from memgui.domain.tree import Node, NodeKind, Snapshot
from memgui.domain.workspace import Workspace

TODAY = datetime.date(2026, 11, 30)
"""A Monday."""


def workspace(*stores: Store) -> Workspace:
    stores = stores or (Store(DocPath(""), Layout.OPENCLAW),)
    return Workspace(Path("/w"), "id", "harbour", Path("/s"), Path("/c"), stores, Protection.of(stores))


def snapshot(*names: str, links: Iterable[str] = ()) -> Snapshot:
    kinds = dict.fromkeys(names, NodeKind.FILE) | dict.fromkeys(links, NodeKind.LINK_FOLDER)
    for name in names:
        kinds |= {name[:at]: NodeKind.FOLDER for at, character in enumerate(name) if character == "/"}
    kinds = {name.rstrip("/"): kind for name, kind in kinds.items() if not name.endswith("/")}
    return Snapshot({DocPath(name): Node(DocPath(name), kinds[name]) for name in sorted(kinds, key=sort_key)})


def by_key(groups: tuple[Group, ...]) -> dict[str, Group]:
    found = {}
    todo = list(groups)
    while todo:
        group = todo.pop()
        assert group.key not in found
        found[group.key] = group
        todo += group.groups
    return found


def test_a_workspace_is_shown_by_what_its_files_are_for() -> None:
    found = arrange(
        workspace(),
        snapshot("HEARTBEAT.md", "MEMORY.md", "SOUL.md", "AGENTS.md", "memory/2026-11-30.md", "x/y.md", "TOOLS.md"),
        TODAY,
    )
    assert [(group.key, group.title, group.count) for group in found] == [
        ("memory", "Memory", 2),
        ("days", "Days", 1),
        ("identity", "Identity", 3),
        ("files", "Other files", 7),
    ]
    assert found[0].paths == ("MEMORY.md", "HEARTBEAT.md")
    assert found[2].paths == ("AGENTS.md", "SOUL.md", "TOOLS.md")


def test_an_empty_workspace_still_has_its_files() -> None:
    assert [group.key for group in arrange(workspace(), snapshot(), TODAY)] == ["files"]


def test_days_are_this_week_and_then_the_months_newest_first() -> None:
    names = ["2026-11-29", "2026-11-30", "2026-12-06", "2026-12-07", "2026-10-01", "2025-11-30", "2026-11-01-slug"]
    found = by_key(arrange(workspace(), snapshot(*(f"memory/{name}.md" for name in names)), TODAY))
    assert [(group.title, list(group.paths)) for group in found["days"].groups] == [
        ("This week", ["memory/2026-12-06.md", "memory/2026-11-30.md"]),
        ("December 2026", ["memory/2026-12-07.md"]),
        ("November 2026", ["memory/2026-11-29.md", "memory/2026-11-01-slug.md"]),
        ("October 2026", ["memory/2026-10-01.md"]),
        ("November 2025", ["memory/2025-11-30.md"]),
    ]
    assert found["days:2026-11"].count == 2


def test_logs_of_one_day_stand_together() -> None:
    names = ["memory/2026-11-30-2215.md", "memory/2026-11-30.md", "archive/2026-11-30.md"]
    found = by_key(arrange(workspace(), snapshot(*names), TODAY))
    assert list(found["days:week"].paths) == sorted(names)


def test_dates_that_no_calendar_has_are_other_dates() -> None:
    store = Store(DocPath(""), Layout.IRONCLAW)
    names = ["daily/2026-02-30.md", "daily/yesterday.md", "daily/2026-11-30.md", "memory/notes.md"]
    found = by_key(arrange(workspace(store), snapshot(*names), TODAY))
    assert found["days:other"].title == "Other dates"
    assert found["days:other"].paths == ("daily/2026-02-30.md", "daily/yesterday.md")


def test_a_date_in_a_name_makes_a_log_only_where_logs_lie() -> None:
    logs = [
        "daily/2026-01-01-a.md",
        "journal/2026/01/2026-01-02.md",
        "archive/1/daily/2026-01-03.md",
        "x/2026-01-04.md",
    ]
    others = ["projects/2026-01-05-meeting.md", "x/plan-2026-01-06.md", "x/2026-01-07.txt"]
    found = by_key(arrange(workspace(), snapshot(*logs, *others), TODAY))
    assert set(found["days:2026-01"].paths) == set(logs)


def test_the_old_lower_case_memory_is_memory_too() -> None:
    found = by_key(arrange(workspace(), snapshot("MEMORY.md", "memory.md", "x/MEMORY.md"), TODAY))
    assert found["memory"].paths == ("MEMORY.md", "memory.md")


def test_one_fact_store_is_one_group_with_its_index_first() -> None:
    stores = (Store(DocPath(""), Layout.AGENTSMITH), Store(DocPath(".agentsmith/memory"), Layout.AGENTSMITH, True))
    names = [f".agentsmith/memory/{name}.md" for name in ("MEMORY", "A-first", "tide", "2026-11-30")]
    found = by_key(arrange(workspace(*stores), snapshot(*names, ".agentsmith/memory/sub/x.md", "MEMORY.md"), TODAY))
    assert found["facts"].title == "Facts"
    assert found["facts"].paths == tuple(names[:1] + sorted(names[1:]))
    assert found["memory"].paths == ("MEMORY.md",)
    assert "days" not in found


def test_many_fact_stores_are_a_group_each_under_the_name_of_the_project() -> None:
    stores = [Store(DocPath(f"-home-ann-{name}/memory"), Layout.CLAUDE, True) for name in ("web", "Api")]
    names = [f"{store.path}/{name}.md" for store in stores for name in ("MEMORY", "one")]
    found = by_key(arrange(workspace(Store(DocPath(""), Layout.PLAIN), *stores), snapshot(*names), TODAY))
    assert [group.title for group in found["facts"].groups] == ["-home-ann-Api", "-home-ann-web"]
    assert found["facts"].count == 4
    assert found["facts:-home-ann-web/memory"].paths == (
        "-home-ann-web/memory/MEMORY.md",
        "-home-ann-web/memory/one.md",
    )
    assert "memory" not in found


def test_a_fact_store_opened_by_itself_has_its_index_as_memory() -> None:
    store = Store(DocPath(""), Layout.CLAUDE, True)
    found = by_key(arrange(workspace(store), snapshot("MEMORY.md", "one.md"), TODAY))
    assert found["memory"].paths == ("MEMORY.md",)
    assert found["facts"].paths == ("MEMORY.md", "one.md")


def test_a_projects_own_identity_files_are_documents() -> None:
    found = by_key(arrange(workspace(), snapshot("AGENTS.md", "x/AGENTS.md"), TODAY))
    assert found["identity"].paths == ("AGENTS.md",)


def test_folders_hold_their_files_and_empty_ones_are_there() -> None:
    found = by_key(arrange(workspace(), snapshot("a/b/x.md", "a/y.txt", "empty/", "z.bin", links=["a/link"]), TODAY))
    files = found["files"]
    assert [(group.path, group.title) for group in files.groups] == [("a", "a"), ("empty", "empty")]
    assert files.paths == ("z.bin",)
    assert found["folder:a"].paths == ("a/link", "a/y.txt")
    assert found["folder:a/b"].paths == ("a/b/x.md",)
    assert (files.count, found["folder:a"].count, found["folder:empty"].count) == (4, 3, 0)


def test_a_folder_named_like_a_document_is_a_folder() -> None:
    found = by_key(arrange(workspace(), snapshot("memory/2026-11-30.md/x.md", "MEMORY.md/y.md"), TODAY))
    assert "memory" not in found
    assert "days" not in found


SEGMENTS = st.sampled_from(["a", "b.md", "daily", "memory", "2026-11-30.md", "2026-02-30.md", "SOUL.md", "\udcff.md"])


@given(st.sets(st.lists(SEGMENTS, min_size=1, max_size=4).map("/".join), max_size=12))
def test_every_file_is_below_exactly_once(names: set[str]) -> None:
    files = {name for name in names if not any(other.startswith(name + "/") for other in names)}
    found = arrange(workspace(), snapshot(*files), TODAY)
    below: list[str] = []
    todo = [found[-1]]
    while todo:
        group = todo.pop()
        assert group.count == len(group.paths) + sum(inner.count for inner in group.groups)
        assert all(path.rpartition("/")[0] == (group.path or "") for path in group.paths)
        below += group.paths
        todo += group.groups
    assert sorted(below) == sorted(files)
