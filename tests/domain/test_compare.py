"""Two snapshots tell what came, went, moved, or may hold other bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.changes import ChangeKind, ChangeSet
from memgui.domain.compare import compare
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, sort_key
from memgui.domain.tree import Node, NodeKind, Snapshot, Stat


def node(path: str, inode: int, *, kind: NodeKind = NodeKind.FILE, size: int = 1, mtime: int = 1) -> Node:
    return Node(DocPath(path), kind, Stat(size, mtime, mtime, inode, 9, 0o644, 1))


def snapshot(*nodes: Node) -> Snapshot:
    return Snapshot({each.path: each for each in sorted(nodes, key=lambda each: sort_key(each.path))})


def told(changes: ChangeSet) -> list[tuple[str, str, str | None]]:
    return [(change.path, change.kind.value, change.renamed_from) for change in changes.changes]


def test_nothing_new_is_an_empty_answer() -> None:
    assert not compare(snapshot(node("a.md", 1)), snapshot(node("a.md", 1)))


def test_what_came_went_and_changed_is_told_in_order() -> None:
    old = snapshot(node("b.md", 1), node("c.md", 2), node("same.md", 3))
    new = snapshot(node("a.md", 4, mtime=5), node("b.md", 1, size=2), node("same.md", 3))
    changes = compare(old, new)
    assert told(changes) == [("a.md", "created", None), ("b.md", "modified", None), ("c.md", "deleted", None)]
    assert {change.origin for change in changes.changes} == {Origin.outside()}
    assert [change.node is None for change in changes.changes] == [False, False, True]


def test_a_file_replaced_whole_is_modified() -> None:
    assert told(compare(snapshot(node("a.md", 1)), snapshot(node("a.md", 2, mtime=2)))) == [("a.md", "modified", None)]


def test_the_same_time_and_size_in_another_file_is_modified() -> None:
    assert told(compare(snapshot(node("a.md", 1)), snapshot(node("a.md", 2)))) == [("a.md", "modified", None)]


def test_a_file_under_another_name_is_renamed_once() -> None:
    old = snapshot(node("a.md", 1), node("keep.md", 2))
    new = snapshot(node("b.md", 1), node("c.md", 1), node("keep.md", 2))
    assert told(compare(old, new)) == [("b.md", "renamed", "a.md"), ("c.md", "created", None)]


def test_a_hard_link_beside_its_twin_is_created() -> None:
    old, new = snapshot(node("a.md", 1)), snapshot(node("a.md", 1), node("b.md", 1))
    assert told(compare(old, new)) == [("b.md", "created", None)]


def test_an_inode_used_again_is_no_rename() -> None:
    old, new = snapshot(node("a.md", 1)), snapshot(node("b.md", 1, mtime=2))
    assert told(compare(old, new)) == [("a.md", "deleted", None), ("b.md", "created", None)]


def test_a_moved_folder_moves_with_all_in_it() -> None:
    folder = NodeKind.FOLDER
    old = snapshot(node("a", 1, kind=folder), node("a/x.md", 2), node("a/y.md", 3))
    new = snapshot(node("b", 1, kind=folder), node("b/x.md", 2), node("b/y.md", 3))
    assert told(compare(old, new)) == [
        ("b", "renamed", "a"),
        ("b/x.md", "renamed", "a/x.md"),
        ("b/y.md", "renamed", "a/y.md"),
    ]


def test_a_folder_does_not_change_by_what_lies_in_it() -> None:
    folder = NodeKind.FOLDER
    assert not compare(snapshot(node("a", 1, kind=folder)), snapshot(node("a", 1, kind=folder, mtime=2)))


def test_a_name_that_turned_into_something_else_is_modified() -> None:
    old = snapshot(node("a", 1, kind=NodeKind.FOLDER), node("b.md", 2))
    new = snapshot(node("a", 3), node("b.md", 2, kind=NodeKind.LINK_FILE))
    assert told(compare(old, new)) == [("a", "modified", None), ("b.md", "modified", None)]


def test_a_folder_that_became_unreadable_is_modified() -> None:
    before = node("a", 1, kind=NodeKind.FOLDER)
    assert told(compare(snapshot(before), snapshot(before._replace(problem="No.")))) == [("a", "modified", None)]


@given(
    *[st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.integers(1, 4), st.integers(1, 2)), max_size=6)] * 2,
)
def test_every_name_is_told_once_and_the_changes_lead_from_old_to_new(
    old: dict[str, tuple[int, int]], new: dict[str, tuple[int, int]]
) -> None:
    before, after = (
        snapshot(*(node(path, inode, mtime=mtime) for path, (inode, mtime) in names.items())) for names in (old, new)
    )
    changes = compare(before, after).changes
    assert len({change.path for change in changes}) == len(changes)
    sources = [change.renamed_from for change in changes if change.renamed_from is not None]
    assert len(set(sources)) == len(sources)
    nodes = dict(before.nodes)
    for change in changes:
        if change.kind is ChangeKind.DELETED:
            del nodes[change.path]
        if change.renamed_from is not None:
            del nodes[change.renamed_from]
    nodes |= {change.path: change.node for change in changes if change.node is not None}
    assert nodes == after.nodes
