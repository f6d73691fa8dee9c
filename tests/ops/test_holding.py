"""Writes of agents that wait for a person: nothing is written before, nothing is lost after."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memgui.domain.errors import Conflict, ExecutionFailed, MemguiError, NotAuthorized, RateLimited
from memgui.domain.held import matches
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import facts, holding, workspace, writing
from memgui.ops.preferences import Settings

NOW = datetime(2026, 11, 30, 14, 3, 5, tzinfo=UTC)
YOU, PEN = Origin.you(), Origin.agent("pen")
FREE = Settings(limits_per_minute=0, limits_per_hour=0, limits_workspace_per_minute=0)


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "root"
    (root / "daily").mkdir(parents=True)
    (root / "projects").mkdir()
    (root / "MEMORY.md").write_text("# Memory\n\none\n\ntwo\n")
    (root / "projects" / "a.md").write_text("a\n")
    (root / "link.md").symlink_to("MEMORY.md")
    return workspace.open(root)


def write(ws: Workspace, *patterns: str, origin: Origin = PEN, later: int = 0, **arguments: Any) -> dict[str, Any]:
    settings = FREE.holding(ws.root, patterns or ["MEMORY.md", "projects/", "daily/*.md"])
    now = NOW + timedelta(seconds=later)
    return writing.memory_write(ws, origin=origin, now=now, settings=settings, **arguments)


def told(ws: Workspace, path: str) -> str:
    return (ws.root / path).read_text()


def accept(ws: Workspace, answer: dict[str, Any]) -> Any:
    return facts.accept_held(ws, answer["change"], origin=YOU, now=NOW)


@pytest.mark.parametrize(
    ("arguments", "path", "after"),
    [
        ({"content": "three", "target": "memory"}, "MEMORY.md", "# Memory\n\none\n\ntwo\n\nthree\n"),
        ({"content": "new", "target": "memory", "append": False}, "MEMORY.md", "new"),
        (
            {"old_string": "one", "new_string": "1", "target": "link.md"},
            "MEMORY.md",
            "# Memory\n\n1\n\ntwo\n",
        ),
        ({"content": "b", "target": "Projects/b.md"}, "Projects/b.md", "b\n"),
        ({"content": "x"}, "daily/2026-11-30.md", "[14:03:05] x\n"),
    ],
)
def test_a_write_waits_until_a_person_accepts_it(
    ws: Workspace, arguments: dict[str, Any], path: str, after: str
) -> None:
    before = told(ws, path) if (ws.root / path).exists() else None
    answer = write(ws, **arguments)
    assert list(answer) == ["status", "path", "change"]
    assert (answer["status"], answer["path"]) == ("held", path)
    assert (told(ws, path) if (ws.root / path).exists() else None) == before
    (held,) = facts.held(ws)
    assert (held.id, held.path, held.origin) == (answer["change"], path, PEN)
    deed = accept(ws, answer)
    assert told(ws, path) == after
    assert facts.held(ws) == ()
    facts.take_back(ws, deed, origin=YOU, now=NOW)
    assert (told(ws, path) if (ws.root / path).exists() else None) == before


def test_a_rejected_write_never_comes(ws: Workspace) -> None:
    answer = write(ws, content="x", target="memory")
    (held,) = facts.held(ws)
    assert facts.reject_held(ws, answer["change"], origin=YOU) == held
    assert facts.held(ws) == ()
    assert told(ws, "MEMORY.md") == "# Memory\n\none\n\ntwo\n"


def test_appends_stack_and_each_is_put_behind_what_stands_there_then(ws: Workspace) -> None:
    answers = [write(ws, content=f"entry {n}", target="memory", later=n) for n in range(3)]
    logs = [write(ws, content=f"log {n}", later=n) for n in range(3)]
    assert len(facts.held(ws)) == 6
    (ws.root / "MEMORY.md").write_text("# Memory, by the person\n")
    for answer in (answers[2], answers[0], answers[1], logs[1], logs[0]):
        accept(ws, answer)
    assert told(ws, "MEMORY.md") == "# Memory, by the person\n\nentry 2\n\nentry 0\n\nentry 1\n"
    assert told(ws, "daily/2026-11-30.md") == "[14:03:06] log 1\n[14:03:05] log 0\n"
    assert [held.id for held in facts.held(ws)] == [logs[2]["change"]]


def test_a_patch_is_merged_with_what_was_written_since(ws: Workspace) -> None:
    answer = write(ws, old_string="one", new_string="1", target="memory")
    (ws.root / "MEMORY.md").write_text("# Memory\n\none\n\n2\n")
    accept(ws, answer)
    assert told(ws, "MEMORY.md") == "# Memory\n\n1\n\n2\n"


@pytest.mark.parametrize("replaced", [True, False])
def test_what_does_not_go_together_is_a_conflict_and_goes_on_waiting(ws: Workspace, replaced: bool) -> None:
    if replaced:
        answer = write(ws, content="new", target="projects/new.md", append=False)
        (ws.root / "projects" / "new.md").write_text("theirs\n")
    else:
        answer = write(ws, old_string="one", new_string="1", target="memory")
        (ws.root / "MEMORY.md").write_text("# Memory\n\neins\n\ntwo\n")
    before = told(ws, answer["path"])
    with pytest.raises(Conflict):
        accept(ws, answer)
    assert told(ws, answer["path"]) == before
    assert [one.id for one in facts.held(ws)] == [answer["change"]]


def test_only_a_person_decides_and_only_agents_wait(ws: Workspace) -> None:
    answer = write(ws, content="x", target="memory")
    for deed in (
        lambda: facts.accept_held(ws, answer["change"], origin=PEN, now=NOW),
        lambda: facts.reject_held(ws, answer["change"], origin=PEN),
    ):
        with pytest.raises(NotAuthorized):
            deed()
    assert write(ws, content="x", target="memory", origin=Origin.shell())["status"] == "written"


def test_what_is_refused_is_refused_and_not_held(ws: Workspace) -> None:
    refused: list[dict[str, Any]] = [
        {"content": "x", "target": "SOUL.md"},
        {"content": "x", "target": "../x.md"},
        {"content": " "},
        {"old_string": "nowhere", "new_string": "x", "target": "memory"},
    ]
    for arguments in refused:
        with pytest.raises(MemguiError):
            write(ws, "**", **arguments)
    assert facts.held(ws) == ()
    assert write(ws, content=told(ws, "MEMORY.md"), target="memory", append=False)["status"] == "written"


def test_held_writes_are_counted_like_others(ws: Workspace) -> None:
    settings = Settings(limits_per_minute=2).holding(ws.root, ["**"])
    for number in range(2):
        writing.memory_write(ws, content=f"{number}", origin=PEN, now=NOW, settings=settings)
    with pytest.raises(RateLimited):
        writing.memory_write(ws, content="x", origin=PEN, now=NOW, settings=settings)


def test_facts_wait_as_well_where_a_person_asked_for_it(ws: Workspace) -> None:
    settings = FREE.holding(ws.root, [".agentsmith/memory/*.md"])

    def remember(body: str) -> dict[str, Any]:
        return facts.remember(
            ws, name="build", type="project", description="d", body=body, origin=PEN, now=NOW, settings=settings
        )

    first = remember("one")
    assert (first["status"], facts.recall(ws, query="build")) == ("held", {"facts": []})
    facts.accept_held(ws, first["change"], origin=YOU, now=NOW)
    assert [one["body"] for one in facts.recall(ws, query="build")["facts"]] == ["one"]
    assert "build.md" in told(ws, ".agentsmith/memory/MEMORY.md")
    second = remember("two")
    assert second["status"] == "held"
    facts.accept_held(ws, second["change"], origin=YOU, now=NOW)
    assert [one["body"] for one in facts.recall(ws, query="build")["facts"]] == ["two"]


@pytest.mark.parametrize(
    ("pattern", "path", "named"),
    [
        ("MEMORY.md", "MEMORY.md", True),
        ("MEMORY.md", "memory.md", True),
        ("MEMORY.md", "projects/MEMORY.md", False),
        ("*.md", "projects/a.md", False),
        ("projects/*.md", "projects/a.md", True),
        ("projects/*.md", "projects/x/a.md", False),
        ("projects/", "projects/x/a.md", True),
        ("projects/**", "projects/x/a.md", True),
        ("**/*.md", "a.md", True),
        ("**/a.md", "x/y/a.md", True),
        ("**", "x/y/z.md", True),
        ("a?.md", "ab.md", True),
        ("./a.md", "a.md", True),
        ("[a].md", "a.md", False),
        ("", "a.md", False),
        ("ＭＥＭＯＲＹ.md", "MEMORY.md", True),
    ],
)
def test_patterns_name_documents(pattern: str, path: str, named: bool) -> None:
    assert matches([pattern], DocPath(path)) is named


def test_no_more_wait_than_a_person_can_look_through(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "MOST_HELD", 3)
    answers = [write(ws, content=f"{n}", target="memory") for n in range(3)]
    with pytest.raises(ExecutionFailed, match="3 changes wait"):
        write(ws, content="more", target="memory")
    assert len(facts.held(ws)) == 3
    facts.reject_held(ws, answers[0]["change"], origin=YOU)
    monkeypatch.setattr(holding, "MOST_HELD_BYTES", 10)
    with pytest.raises(ExecutionFailed, match="2 changes wait"):
        write(ws, content="more", target="memory")
    assert told(ws, "MEMORY.md") == "# Memory\n\none\n\ntwo\n"
