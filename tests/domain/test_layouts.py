"""Layouts are told by names, and by a look into what may be an index."""

from __future__ import annotations

import pytest

from memgui.domain.layouts import Layout, Listing, Store, deepest, is_seen, recognise, title_of
from memgui.domain.paths import DocPath

FACT = b"---\nname: x\nmetadata:\n  type: user\n---\nbody\n"


def stores_in(
    *names: str, heads: dict[str, bytes] | None = None, above: tuple[str, ...] = ("home", "ann")
) -> dict[str, tuple[Layout, bool]]:
    """The stores recognised among these files and all folders on their way."""
    listing = Listing()
    for name in names:
        parts = name.split("/")
        for depth in range(1, len(parts)):
            listing.add("/".join(parts[:depth]), is_folder=True)
        if parts[-1]:
            listing.add(name, is_folder=False)
    contents = {DocPath(path): data for path, data in (heads or {}).items()}
    found = recognise(listing, contents.get, above=above)
    return {store.path: (store.layout, store.holds_facts) for store in found}


@pytest.mark.parametrize(
    ("names", "layout"),
    [
        (["SOUL.md", "USER.md", "memory/"], Layout.OPENCLAW),
        (["AGENTS.md", "HEARTBEAT.md", "MEMORY.md"], Layout.OPENCLAW),
        (["TOOLS.md", "BOOTSTRAP.md", "memory.md"], Layout.OPENCLAW),
        (["soul.md", "identity.md", "memory/"], Layout.OPENCLAW),
        (["SOUL.md", "USER.md", "MEMORY.md", "daily/2026-10-01.md"], Layout.IRONCLAW),
        (["HEARTBEAT.md", "daily/"], Layout.IRONCLAW),
        (["README.md", "context/", "daily/"], Layout.IRONCLAW),
        (["README.md", "daily/"], Layout.PLAIN),
        (["SOUL.md", "USER.md"], Layout.PLAIN),
        (["SOUL.md", "MEMORY.md"], Layout.PLAIN),
        (["AGENTS.md"], Layout.PROJECT_CONTEXT),
        (["CLAUDE.md", "src/x.md"], Layout.PROJECT_CONTEXT),
        (["AGENTS.md", "SOUL.md"], Layout.PROJECT_CONTEXT),
        (["notes.md"], Layout.PLAIN),
        (["MEMORY.md", "notes.md"], Layout.PLAIN),
        ([], Layout.PLAIN),
    ],
)
def test_the_workspace_itself_follows_the_layout_of_its_names(names: list[str], layout: Layout) -> None:
    assert stores_in(*names)[""] == (layout, False)


def test_a_repository_with_agentsmith_memory_has_its_fact_store() -> None:
    found = stores_in("AGENTS.md", "src/main.md", ".agentsmith/memory/MEMORY.md", ".agentsmith/memory/x.md")
    assert found == {"": (Layout.AGENTSMITH, False), ".agentsmith/memory": (Layout.AGENTSMITH, True)}


def test_a_fact_store_made_in_an_openclaw_workspace_leaves_its_layout_alone() -> None:
    found = stores_in("SOUL.md", "USER.md", "MEMORY.md", ".agentsmith/memory/")
    assert found == {"": (Layout.OPENCLAW, False), ".agentsmith/memory": (Layout.AGENTSMITH, True)}


def test_all_of_claudes_projects_open_as_one_workspace_with_many_stores() -> None:
    names = [f"-home-ann-p{number}/memory/MEMORY.md" for number in range(40)]
    found = stores_in(*names, "-home-ann-empty/session.md", above=("home", "ann", ".claude", "projects"))
    assert found.pop("") == (Layout.PLAIN, False)
    assert len(found) == 40
    assert set(found.values()) == {(Layout.CLAUDE, True)}


@pytest.mark.parametrize(
    ("above", "path"),
    [
        (("home", "ann"), ".claude/projects/p/memory"),
        (("home", "ann", ".claude"), "projects/p/memory"),
        (("home", "ann", ".claude", "projects"), "p/memory"),
        (("home", "ann", ".claude", "projects", "p"), "memory"),
    ],
)
def test_claudes_memory_is_known_from_wherever_it_is_opened(above: tuple[str, ...], path: str) -> None:
    assert stores_in(f"{path}/", above=above)[path] == (Layout.CLAUDE, True)


@pytest.mark.parametrize(
    ("above", "layout"),
    [
        (("home", "ann", ".claude", "projects", "p", "memory"), Layout.CLAUDE),
        (("srv", ".agentsmith", "memory"), Layout.AGENTSMITH),
    ],
)
def test_a_store_opened_by_itself_is_known_by_its_place(above: tuple[str, ...], layout: Layout) -> None:
    assert stores_in("MEMORY.md", "AGENTS.md", "USER.md", above=above) == {"": (layout, True)}


@pytest.mark.parametrize("index", ["MEMORY.md", "memory.md"])
def test_an_index_of_typed_facts_makes_a_claude_store(index: str) -> None:
    heads = {
        f"facts/{index}": b"# Index\n\n- [One](one.md) \xe2\x80\x94 hook\n- [Gone](gone.md)\n",
        "facts/one.md": FACT,
    }
    assert stores_in(f"facts/{index}", "facts/one.md", heads=heads)["facts"] == (Layout.CLAUDE, True)


@pytest.mark.parametrize(
    "line",
    [
        b"- [One](untyped.md)",
        b"- [One](../one.md)",
        b"- [One](gone.md)",
        b"[One](one.md)",
        b"- one.md",
        b"\xff\xfe\x00",
    ],
)
def test_links_to_anything_else_make_no_claude_store(line: bytes) -> None:
    heads = {"facts/MEMORY.md": line, "facts/one.md": FACT, "facts/untyped.md": b"text", "one.md": FACT}
    assert "facts" not in stores_in("facts/MEMORY.md", "facts/one.md", heads=heads)


def test_a_memory_that_mostly_links_notes_stays_a_memory() -> None:
    heads = {"MEMORY.md": b"- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n", "a.md": b"a", "b.md": b"b", "c.md": FACT}
    assert stores_in("MEMORY.md", "SOUL.md", "USER.md", heads=heads)[""] == (Layout.OPENCLAW, False)


def test_agents_workspaces_in_subfolders_are_stores_and_mere_projects_are_not() -> None:
    found = stores_in("workspace/SOUL.md", "workspace/USER.md", "workspace/memory/x.md", "x/AGENTS.md", "y/CLAUDE.md")
    assert found == {"": (Layout.PLAIN, False), "workspace": (Layout.OPENCLAW, False)}


def test_the_rules_of_a_path_are_those_of_the_deepest_store_around_it() -> None:
    stores = (
        Store(DocPath(""), Layout.OPENCLAW),
        Store(DocPath("a"), Layout.IRONCLAW),
        Store(DocPath("a/.agentsmith/memory"), Layout.AGENTSMITH, holds_facts=True),
    )
    assert deepest(stores, DocPath("a/.agentsmith/memory/x.md")).layout is Layout.AGENTSMITH
    assert deepest(stores, DocPath("a/.agentsmith/y.md")).layout is Layout.IRONCLAW
    assert deepest(stores, DocPath("ab/x.md")).layout is Layout.OPENCLAW


@pytest.mark.parametrize(
    ("layout", "memory", "log", "heartbeat"),
    [
        (Layout.AGENTSMITH, None, None, None),
        (Layout.CLAUDE, None, None, None),
        (Layout.OPENCLAW, "MEMORY.md", "memory/{day}.md", "HEARTBEAT.md"),
        (Layout.IRONCLAW, "MEMORY.md", "daily/{day}.md", "HEARTBEAT.md"),
        (Layout.PROJECT_CONTEXT, "MEMORY.md", "daily/{day}.md", "HEARTBEAT.md"),
        (Layout.PLAIN, "MEMORY.md", "daily/{day}.md", "HEARTBEAT.md"),
    ],
)
def test_each_layout_says_where_things_are_kept(
    layout: Layout, memory: str | None, log: str | None, heartbeat: str | None
) -> None:
    assert (layout.rules.memory, layout.rules.daily_log, layout.rules.heartbeat) == (memory, log, heartbeat)


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("MEMORY.md", True),
        (".agentsmith/memory/x.md", True),
        ("a/.agentsmith/memory/x.md", True),
        (".agentsmith/memory", True),
        (".agentsmith/secrets.md", False),
        (".claude/projects/p/memory/x.md", True),
        (".claude/agents/x.md", False),
        (".git/config.md", False),
        (".agentsmith/memory/.cache/x.md", False),
        ("", True),
    ],
)
def test_of_hidden_folders_only_the_memory_in_them_is_seen(path: str, seen: bool) -> None:
    assert is_seen(DocPath(path)) is seen


@pytest.mark.parametrize(
    ("path", "layout", "title"),
    [
        (".agentsmith/memory", Layout.AGENTSMITH, "home"),
        ("api/.agentsmith/memory", Layout.AGENTSMITH, "api"),
        ("-home-ann-api/memory", Layout.CLAUDE, "-home-ann-api"),
        ("memory", Layout.CLAUDE, "home"),
        ("facts", Layout.CLAUDE, "facts"),
        ("", Layout.CLAUDE, "home"),
    ],
)
def test_a_store_is_called_by_its_project(path: str, layout: Layout, title: str) -> None:
    assert title_of(Store(DocPath(path), layout, holds_facts=True), "home") == title
