"""A workspace knows its stores, what is protected in it, and memgui's own folders."""

from __future__ import annotations

from pathlib import Path

from memgui.domain.layouts import Layout, Store
from memgui.domain.paths import DocPath
from memgui.domain.protection import Protection
from memgui.domain.tree import Node, NodeKind, Stat
from memgui.domain.workspace import Workspace

STORES = (Store(DocPath(""), Layout.IRONCLAW), Store(DocPath("p/.agentsmith/memory"), Layout.AGENTSMITH, True))
WORKSPACE = Workspace(
    root=Path("/w"),
    id="id",
    name="w",
    state=Path("/s"),
    cache=Path("/c"),
    stores=STORES,
    protection=Protection(Protection.of(STORES).names, identities=frozenset({(9, 7)})),
    private=frozenset({DocPath("own/state")}),
)


def test_its_layout_is_that_of_its_own_store() -> None:
    assert WORKSPACE.layout is Layout.IRONCLAW
    assert WORKSPACE.store_of(DocPath("p/.agentsmith/memory/x.md")) is STORES[1]


def test_a_path_is_protected_by_name_or_by_the_file_behind_it() -> None:
    path = DocPath("x/twin.md")
    twin = Node(path, NodeKind.FILE, Stat(1, 1, 1, 7, 9, 0o644, 2))
    assert WORKSPACE.protects(DocPath("SOUL.md"))
    assert not WORKSPACE.protects(path)
    assert WORKSPACE.protects(path, twin)


def test_its_own_folders_are_private_with_all_in_them() -> None:
    assert WORKSPACE.is_private(DocPath("own/state/x.md"))
    assert WORKSPACE.is_private(DocPath("own/state"))
    assert not WORKSPACE.is_private(DocPath("own/state.md"))


def test_the_dot_folders_that_layouts_name_may_stand_in_a_path() -> None:
    assert WORKSPACE.named_folders == {".agentsmith", ".claude"}
