"""The first opening, and what a person makes of it afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import baselines, opening, review, review_verdicts, sync, workspace
from memgui.ops.review_stamp import stamp

YOU = Origin.you()


@pytest.fixture
def ws(workspace_root: Path) -> Workspace:
    """The small workspace, opened and all of it taken as seen."""
    ws = workspace.open(workspace_root)
    baselines.begin(ws, sync.look(ws))
    return ws


def pending(ws: Workspace) -> dict[str, str]:
    return {change.path: change.kind.value for change in review.pending(ws)}


def test_all_that_was_there_can_be_reviewed_after_all(ws: Workspace) -> None:
    assert pending(ws) == {}
    opening.to_be_reviewed(ws)
    assert set(pending(ws).values()) == {"create"}
    assert len(pending(ws)) == 12


def test_and_count_as_seen_again(ws: Workspace) -> None:
    taken = opening.to_be_reviewed(ws)
    opening.already_seen(ws, taken)
    assert pending(ws) == {}


def test_what_was_decided_in_between_stays_decided(ws: Workspace) -> None:
    taken = opening.to_be_reviewed(ws)
    change = next(one for one in review.pending(ws) if one.path == "MEMORY.md")
    review_verdicts.accept(ws, change, origin=YOU)
    (ws.root / "MEMORY.md").write_text("# Memory\n\nanother\n")
    opening.already_seen(ws, taken)
    assert pending(ws) == {"MEMORY.md": "rewrite"}


def test_what_others_wrote_since_pends_either_way(ws: Workspace) -> None:
    with (ws.root / "MEMORY.md").open("a") as file:
        file.write("more\n")
    taken = opening.to_be_reviewed(ws)
    assert pending(ws)["MEMORY.md"] == "create"
    opening.already_seen(ws, taken)
    assert pending(ws) == {"MEMORY.md": "append"}


@pytest.mark.parametrize("text", ["ga\u200bte", "a\u202eb", "bell\a", "\ufeff# A\n\nb\u2066c"])
def test_characters_that_hide_are_found_before_anybody_looks(ws: Workspace, text: str) -> None:
    (ws.root / "projects/notes.md").write_text(text)
    assert opening.look_over(ws, sync.look(ws)).hiding == (DocPath("projects/notes.md"),)


@pytest.mark.parametrize(
    "text",
    ["plain\ttext\r\n", "\ufeff# A mark\n", "\U0001f469\u200d\U0001f680 joined\n", "港口\n"],
)
def test_what_only_looks_odd_hides_nothing(ws: Workspace, text: str) -> None:
    (ws.root / "projects/notes.md").write_text(text, newline="")
    assert opening.look_over(ws, sync.look(ws)).hiding == ()


def test_findings_are_counted(ws: Workspace) -> None:
    before = opening.look_over(ws, sync.look(ws)).findings
    (ws.root / "projects/notes.md").write_text("[gone](nowhere.md)\n")
    assert opening.look_over(ws, sync.look(ws)).findings == before + 1


def test_the_stamp_tells_of_verdicts_and_looks_and_of_nothing_else(ws: Workspace) -> None:
    (ws.root / "MEMORY.md").write_text("# Memory\n\nanother\n")
    (change,) = review.pending(ws)
    first = stamp(ws)
    assert stamp(ws) == first
    review.mark_seen(ws, change.path, change.disk)
    second = stamp(ws)
    assert second != first
    review_verdicts.accept(ws, change, origin=YOU)
    assert stamp(ws) != second
