"""A folder becomes a workspace, or a sentence says why not."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memgui.domain.errors import ExecutionFailed, InvalidParameters, NotFound, ReadFailed, WriteFailed
from memgui.domain.layouts import Layout
from memgui.domain.paths import DocPath
from memgui.ops import finding, preferences, reading, sync, workspace
from memgui.ops.preferences import Places


def put(root: Path, *paths: str) -> Path:
    for path in paths:
        file = root / path
        if path.endswith("/"):
            file.mkdir(parents=True, exist_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"# {path}\n")
    return root


def everything(root: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_mtime_ns for path in [root, *root.rglob("*")]}


# Opening -----------------------------------------------------------------------------------------------------------


def test_opening_a_folder_knows_its_layout_and_writes_nothing_into_it(workspace_root: Path, places: Path) -> None:
    before = everything(workspace_root)
    found = workspace.open(workspace_root)
    assert (found.root, found.name, found.layout) == (workspace_root, "harbour", Layout.OPENCLAW)
    assert found.state == places / "state" / found.id
    assert found.cache == places / "cache" / found.id
    assert found.state.is_dir()
    assert found.cache.is_dir()
    assert everything(workspace_root) == before


def test_opening_it_again_by_another_way_is_the_same_workspace(workspace_root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(workspace_root)
    one, other = workspace.open(workspace_root), workspace.open(str(tmp_path / "link" / ".." / "link"))
    assert (one.id, one.root) == (other.id, other.root)


def test_links_and_hard_links_to_identity_files_are_protected_from_the_start(workspace_root: Path) -> None:
    os.link(workspace_root / "SOUL.md", workspace_root / "projects" / "twin.md")
    (workspace_root / "projects" / "link.md").symlink_to("../USER.md")
    found = workspace.open(workspace_root)
    nodes = sync.look(found).nodes
    protected = {path for path, node in nodes.items() if found.protects(path, node)}
    assert protected == {
        "AGENTS.md", "IDENTITY.md", "SOUL.md", "TOOLS.md", "USER.md", "projects/link.md", "projects/twin.md",
    }  # fmt: skip


def test_a_person_decides_about_tools_and_bootstrap(workspace_root: Path) -> None:
    settings = preferences.changed(preferences.Settings(), protect_tools_and_bootstrap=False)
    found = workspace.open(workspace_root, settings=settings)
    assert not found.protects(DocPath("TOOLS.md"))
    assert workspace.recognised(found, sync.look(found)) is found
    anew = workspace.recognised(found, sync.look(found), settings=preferences.Settings())
    assert anew.protects(DocPath("TOOLS.md"))


def test_the_settings_on_disk_hold_where_none_are_given(workspace_root: Path) -> None:
    preferences.save(preferences.changed(preferences.Settings(), protect_tools_and_bootstrap=False))
    assert not workspace.open(workspace_root).protects(DocPath("TOOLS.md"))


def test_a_store_that_appears_and_an_identity_file_that_is_replaced_are_recognised(workspace_root: Path) -> None:
    found = workspace.open(workspace_root)
    assert workspace.recognised(found, sync.look(found)) is found
    put(workspace_root, ".agentsmith/memory/x.md")
    put(workspace_root, "fresh.md")
    (workspace_root / "fresh.md").rename(workspace_root / "SOUL.md")
    os.link(workspace_root / "SOUL.md", workspace_root / "twin.md")
    now = sync.look(found)
    anew = workspace.recognised(found, now)
    assert [store.path for store in anew.stores] == ["", ".agentsmith/memory"]
    assert anew.layout is Layout.OPENCLAW
    assert anew.protects(DocPath("twin.md"), now.nodes[DocPath("twin.md")])


def test_dozens_of_claudes_projects_are_one_workspace(tmp_path: Path) -> None:
    root = put(tmp_path / ".claude" / "projects", *(f"-p{number}/memory/MEMORY.md" for number in range(30)))
    found = workspace.open(root)
    assert len(found.stores) == 31
    assert found.store_of(DocPath("-p7/memory/x.md")).layout is Layout.CLAUDE


def test_an_index_of_facts_is_recognised_on_disk(tmp_path: Path) -> None:
    put(tmp_path, "facts/one.md", "notes.md")
    (tmp_path / "facts" / "MEMORY.md").write_text("# Memory\n\n- [One](one.md) — hook\n")
    (tmp_path / "facts" / "one.md").write_text("---\nname: one\ntype: feedback\n---\nbody\n")
    assert [store.path for store in workspace.open(tmp_path).stores] == ["", "facts"]


def test_an_index_that_is_a_pipe_or_leads_out_is_left_alone(tmp_path: Path) -> None:
    outside = put(tmp_path / "outside", "one.md")
    (outside / "MEMORY.md").write_text("- [One](one.md)\n")
    (outside / "one.md").write_text("---\ntype: user\n---\n")
    root = put(tmp_path / "root", "a/", "b/one.md")
    os.mkfifo(root / "a" / "MEMORY.md")
    (root / "b" / "MEMORY.md").symlink_to(outside / "MEMORY.md")
    assert [store.path for store in workspace.open(root).stores] == [""]


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda _path: None, NotFound, "is not there"),
        (lambda path: path.write_text("x"), ExecutionFailed, "is not a folder"),
        (lambda path: path.symlink_to(path.name), ReadFailed, "cannot be read"),
        (lambda path: path.symlink_to("nowhere"), NotFound, "is not there"),
    ],
)
def test_what_cannot_be_opened_is_a_sentence(
    tmp_path: Path, make: Callable[[Path], object], error: type[Exception], words: str
) -> None:
    path = tmp_path / "it\u202e"
    make(path)
    with pytest.raises(error, match=words) as caught:
        workspace.open(path)
    assert "\u202e" not in str(caught.value)
    assert workspace.recents() == ()


def test_a_path_with_nul_in_it_is_a_sentence() -> None:
    with pytest.raises(ReadFailed):
        workspace.open("a\0b")


def test_a_relative_folder_where_the_current_one_is_gone_is_not_there(
    tmp_path: Path, places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(NotFound, match="is not there"):
        workspace.open("x")


def test_own_folders_are_no_workspace_and_are_not_shown_in_one(tmp_path: Path) -> None:
    root = put(tmp_path / "root", "x.md")
    places = Places.find({"MEMGUI_HOME": str(root / "own")})
    found = workspace.open(root, places=places)
    assert set(sync.look(found).nodes) == {"own", "x.md"}
    assert found.is_private(DocPath("own/state/x.md"))
    for folder in (places.state, found.state):
        with pytest.raises(InvalidParameters, match="own"):
            workspace.open(folder, places=places)


def test_a_state_folder_that_takes_nothing_is_a_sentence(workspace_root: Path, places: Path) -> None:
    places.parent.mkdir(exist_ok=True)
    places.write_text("a file is in the way")
    with pytest.raises(WriteFailed):
        workspace.open(workspace_root)


# Recent and found --------------------------------------------------------------------------------------------------


def test_where_own_folders_take_nothing_memory_can_still_be_read(workspace_root: Path, places: Path) -> None:
    places.mkdir(parents=True)
    (places / "state").write_text("no folder")
    (places / "cache").write_text("no folder")
    opened = workspace.open(workspace_root, remember=False)
    assert reading.read_answer(opened, "MEMORY.md")["content"] == (workspace_root / "MEMORY.md").read_text()
    assert "MEMORY.md" in reading.tree_answer(opened)
    assert finding.memory_search(opened, "memory")["result_count"] > 0
    assert workspace.open(workspace_root, remember=False).id == opened.id


def test_opened_workspaces_are_recent_until_forgotten(workspace_root: Path, tmp_path: Path) -> None:
    other = put(tmp_path / "other", "x.md")
    workspace.open(other)
    workspace.open(workspace_root)
    workspace.open(put(tmp_path / "glance", "x.md"), remember=False)
    assert [entry.name for entry in workspace.recents()] == ["harbour", "other"]
    other.rename(tmp_path / "moved")
    assert [entry.is_there for entry in workspace.recents()] == [True, False]
    workspace.forget(other)
    assert [entry.name for entry in workspace.recents()] == ["harbour"]


def test_the_usual_places_are_found_and_counted(tmp_path: Path) -> None:
    home = tmp_path / "home"
    put(home, ".openclaw/workspace/SOUL.md", ".openclaw/workspace/USER.md", ".openclaw/workspace/memory/x.md")
    put(home, ".claude/projects/-p/memory/MEMORY.md", ".claude/projects/-p/session.jsonl")
    put(home, ".ironclaw/MEMORY.md", ".ironclaw/daily/2026-11-30.md", "repo/.agentsmith/memory/a.md", "repo/src/")
    found = workspace.found(home, here=home / "repo" / "src", seconds=60)
    assert [(str(each.path.relative_to(home)), each.layout, each.documents, each.is_complete) for each in found] == [
        ("repo", Layout.AGENTSMITH, 1, True),
        (".openclaw/workspace", Layout.OPENCLAW, 3, True),
        (".ironclaw", Layout.IRONCLAW, 2, True),
        (".claude/projects", Layout.CLAUDE, 1, True),
    ]


def test_counting_ends_when_its_time_is_over(tmp_path: Path) -> None:
    put(tmp_path, ".openclaw/workspace/SOUL.md", ".openclaw/workspace/USER.md", ".openclaw/workspace/MEMORY.md")
    (found,) = workspace.found(tmp_path, seconds=0)
    assert not found.is_complete


def test_an_empty_home_has_nothing_to_offer(tmp_path: Path) -> None:
    assert workspace.found(tmp_path, here=tmp_path) == ()
    assert workspace.found(tmp_path / "nowhere") == ()


# Locating ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        [".agentsmith/memory/"],
        ["SOUL.md", "USER.md", "memory/"],
        ["MEMORY.md", "daily/"],
    ],
)
def test_an_agents_workspace_is_located_from_anywhere_in_it(tmp_path: Path, names: list[str]) -> None:
    root = put(tmp_path / "home" / "w", *names, "a/b/c/")
    (root / "circle").symlink_to("circle")
    for start in (root, root / "a", root / "a" / "b" / "c"):
        assert workspace.locate(start, tmp_path / "home") == root


@pytest.mark.parametrize("names", [["AGENTS.md"], ["CLAUDE.md"], ["notes.md"], ["MEMORY.md"], ["memory/MEMORY.md"]])
def test_other_folders_are_opened_by_name_only(tmp_path: Path, names: list[str]) -> None:
    put(tmp_path / "home" / "w", *names)
    assert workspace.locate(tmp_path / "home" / "w", tmp_path / "home") is None


def test_the_nearest_is_taken(tmp_path: Path) -> None:
    outer = put(tmp_path / "w", ".agentsmith/memory/")
    inner = put(outer / "inner", "MEMORY.md", "daily/")
    assert workspace.locate(inner, tmp_path) == inner
    assert workspace.locate(outer / ".agentsmith" / "memory", tmp_path) == outer


def test_nothing_above_the_home_folder_is_looked_at(tmp_path: Path) -> None:
    put(tmp_path, ".agentsmith/memory/", "home/x/", "srv/x/")
    home = tmp_path / "home"
    assert workspace.locate(home / "x", home) is None
    assert workspace.locate(tmp_path, home) is None
    assert workspace.locate(tmp_path / "srv" / "x", home) is None
    put(home, ".agentsmith/memory/")
    assert workspace.locate(home / "x", home) == home
    assert workspace.locate(tmp_path / "srv" / "x", tmp_path / "elsewhere" / "home") is None


def test_outside_of_the_home_folder_it_looks_up_to_where_the_ways_part(tmp_path: Path) -> None:
    root = put(tmp_path / "srv" / "w", ".agentsmith/memory/", "a/")
    assert workspace.locate(root / "a", tmp_path / "home") == root


def test_the_border_of_a_file_system_is_not_crossed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = put(tmp_path / "w", ".agentsmith/memory/", "mounted/a/")
    devices = {root / "mounted": 2, root / "mounted" / "a": 2}
    monkeypatch.setattr(workspace, "_device", lambda folder: devices.get(folder, 1))
    assert workspace.locate(root / "mounted" / "a", tmp_path) is None
    assert workspace.locate(root, tmp_path) == root


def test_a_start_that_is_gone_locates_nothing(tmp_path: Path) -> None:
    assert workspace.locate(tmp_path / "gone", tmp_path) is None
