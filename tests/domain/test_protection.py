"""What an agent obeys is protected, however its name is written and by whatever name it is reached."""

from __future__ import annotations

import pytest

from memgui.domain.layouts import Layout, Store
from memgui.domain.paths import DocPath
from memgui.domain.protection import Protection
from memgui.domain.tree import Node, NodeKind, Snapshot, Stat


def over(layout: Layout, *more: Store, tools: bool | None = None) -> Protection:
    return Protection.of((Store(DocPath(""), layout), *more), tools=tools)


@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize("name", ["IDENTITY.md", "SOUL.md", "AGENTS.md", "USER.md", "CLAUDE.md"])
def test_identity_files_are_protected_in_every_layout(layout: Layout, name: str) -> None:
    assert over(layout).covers(name)


@pytest.mark.parametrize(
    "name",
    [
        "soul.md",
        "Soul.MD",
        " SOUL.md",
        "SOUL.md ",
        "SOUL.md.",
        "SOUL.md. .",
        "SOUL.md/",
        "./SOUL.md",
        "x/../SOUL.md",
        ".//SOUL.md",
        ".\\SOUL.md",
        "ＳＯＵＬ.md",
        "ＳＯＵＬ．ｍｄ",
        "SO\u200bUL.md",
        "\ufeffSOUL.md",
        "SOUL\u202e.md",
        "SOUL.md\u00a0",
        "ſoul.md",
        "SOUL.md\x07",
        "SO\x07UL.md",
    ],
)
def test_no_spelling_of_a_protected_name_slips_through(name: str) -> None:
    assert over(Layout.PLAIN).covers(name)


@pytest.mark.parametrize(
    "name",
    [
        "MEMORY.md",
        "HEARTBEAT.md",
        "x/SOUL.md",
        "x/AGENTS.md",
        "projects/CLAUDE.md",
        "SOUL.txt",
        "SOUL",
        "SOULS.md",
        "USER. md",
        "",
        "daily/2026-10-01.md",
    ],
)
def test_other_documents_are_not(name: str) -> None:
    assert not over(Layout.PLAIN).covers(name)


@pytest.mark.parametrize("name", ["TOOLS.md", "BOOTSTRAP.md", "tools.md"])
@pytest.mark.parametrize(
    ("layout", "setting", "covered"),
    [
        (Layout.OPENCLAW, None, True),
        (Layout.OPENCLAW, False, False),
        (Layout.IRONCLAW, None, False),
        (Layout.IRONCLAW, True, True),
        (Layout.PLAIN, None, False),
    ],
)
def test_tools_and_bootstrap_follow_the_layout_unless_a_person_says_otherwise(
    name: str, layout: Layout, setting: bool | None, covered: bool
) -> None:
    assert over(layout, tools=setting).covers(name) is covered


def test_each_store_has_a_root_of_its_own() -> None:
    protection = over(
        Layout.PLAIN,
        Store(DocPath("workspace"), Layout.OPENCLAW),
        Store(DocPath(".agentsmith/memory"), Layout.AGENTSMITH, holds_facts=True),
    )
    for name in ("workspace/SOUL.md", "Workspace/soul.md", "workspace/CLAUDE.md", "workspace/TOOLS.md"):
        assert protection.covers(name)
    assert protection.covers(".agentsmith/memory/USER.md")
    for name in ("workspace/x/SOUL.md", "TOOLS.md", ".agentsmith/memory/claude.md", ".agentsmith/AGENTS.md"):
        assert not protection.covers(name)


def node(path: str, inode: int, kind: NodeKind = NodeKind.FILE) -> Node:
    return Node(DocPath(path), kind, Stat(1, 1, 1, inode, 9, 0o100644, 1))


def test_links_and_hard_links_to_an_identity_file_are_protected_by_what_they_are() -> None:
    nodes = [
        node("AGENTS.md", 1),
        node("MEMORY.md", 2),
        node("hard.md", 1),
        node("links/agents.md", 1, NodeKind.LINK_FILE),
        node("links/x.md", 3, NodeKind.LINK_FILE),
        node("SOUL.md", 4, NodeKind.LINK_FILE),
        node("projects/real-soul.md", 4),
        node("USER.md", 5, NodeKind.FOLDER),
    ]
    snapshot = Snapshot({each.path: each for each in nodes})
    protection = over(Layout.PLAIN).knowing(snapshot)
    covered = [each.path for each in nodes if protection.covers_node(each)]
    assert covered == ["AGENTS.md", "hard.md", "links/agents.md", "SOUL.md", "projects/real-soul.md", "USER.md"]


def test_the_same_inode_on_another_disk_is_another_file() -> None:
    here = node("SOUL.md", 1)
    protection = over(Layout.PLAIN).knowing(Snapshot({here.path: here}))
    assert here.stat is not None
    elsewhere = Node(DocPath("x.md"), NodeKind.FILE, here.stat._replace(device=10))
    assert not protection.covers_node(elsewhere)


def test_nothing_new_in_a_snapshot_gives_the_same_protection_back() -> None:
    here = node("SOUL.md", 1)
    protection = over(Layout.PLAIN).knowing(Snapshot({here.path: here}))
    assert protection.knowing(Snapshot({here.path: here})) is protection
