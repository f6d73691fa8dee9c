"""What a person does by verbs is listed as theirs, and what an agent does by them as the agent's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memgui.domain.activity import EventKind
from memgui.domain.paths import DocPath
from memgui.ops import activity, versions, workspace


def test_verbs_that_act_as_the_person_are_listed_under_their_name(
    workspace_root: Path, run: Any, monkeypatch: Any
) -> None:
    monkeypatch.setenv("MEMGUI_WORKSPACE", str(workspace_root))
    assert run("review").code == 0
    ws = workspace.open(workspace_root)
    versions.seen(ws, DocPath("MEMORY.md"))
    run("write", "from an agent", "--target", "memory", "--agent", "scribe")
    (change,) = run("review", "list", "--json").json["changes"]
    assert run("review", "accept", change["id"]).code == 0
    run("write", "again", "--target", "memory", "--agent", "scribe")
    (change,) = run("review", "list", "--json").json["changes"]
    assert run("review", "reject", change["id"]).code == 0
    assert run("restore", "MEMORY.md", "--version", "1").code == 0
    assert run("write", "x", "--target", "SOUL.md", "--agent", "scribe").code == 1
    found = [event for event in activity.activity(ws) if event.who != "outside"]
    assert [(event.kind, event.deed, event.who, event.path) for event in found] == [
        (EventKind.REFUSAL, "memory_write", 'agent "scribe"', "SOUL.md"),
        (EventKind.RESTORE, "restore", "you (shell)", "MEMORY.md"),
        (EventKind.VERDICT, "reject", "you (shell)", "MEMORY.md"),
        (EventKind.WRITE, "append", 'agent "scribe"', "MEMORY.md"),
        (EventKind.VERDICT, "accept", "you (shell)", "MEMORY.md"),
        (EventKind.WRITE, "append", 'agent "scribe"', "MEMORY.md"),
    ]


def test_what_check_mends_is_listed_under_their_name(tmp_path: Path, run: Any) -> None:
    store = tmp_path / "ship" / ".agentsmith" / "memory"
    store.mkdir(parents=True)
    (store / "MEMORY.md").write_text("# Memory index\n\n- [gone](gone.md) (project) — It is gone\n")
    run("check", "--fix", "-w", str(tmp_path / "ship"))
    (event,) = activity.activity(workspace.open(tmp_path / "ship"))
    assert (event.who, event.path) == ("you (shell)", ".agentsmith/memory/MEMORY.md")
