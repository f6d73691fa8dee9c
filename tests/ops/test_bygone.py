"""`in:history` finds what stood in earlier versions and stands nowhere now; `is:unseen` what nobody looked at yet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from memgui.domain import wishes
from memgui.domain.documents import fingerprint
from memgui.domain.hits import HitGroup, SearchHit
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import baselines, bygone, documents, finding, following, reading, review, sync, workspace
from memgui.ops.finder import Finder
from memgui.ops.words.service import Words

MEMORY = DocPath("MEMORY.md")
ONE = b"# Harbour\n\nThe red crane stands at berth 7.\nTea at four.\nA moved line about cranes.\n"
TWO = b"# Harbour\n\nThe blue crane stands at berth 7.\nTea at four.\n"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "harbour"
    root.mkdir()
    (root / "MEMORY.md").write_bytes(ONE)
    (root / "gone.md").write_text("The caf\u00e9 by the crane is closed.\n")
    ws = workspace.open(root)
    for name in ("MEMORY.md", "gone.md"):
        reading.read(ws, name)
    (root / "other.md").write_text("Here stands: A moved line about cranes.\n")
    documents.write(ws, MEMORY, TWO, expected=fingerprint(ONE), origin=Origin.agent("scribe"), now=2e9)
    (root / "gone.md").unlink()
    following.catch_up(ws, sync.look(ws), now=2.1e9)
    return ws


@pytest.fixture
def finder(ws: Workspace) -> Iterator[Finder]:
    finder = finding.open(ws)
    finder.refresh(sync.look(ws))
    yield finder
    finder.close()


def find(ws: Workspace, finder: Finder, query: str) -> list[tuple[str, int, int, str]]:
    found = bygone.find(ws, wishes.read(query), finder.stands)
    return [_told(hit) for file in found.files for hit in file.hits]


def _told(hit: SearchHit) -> tuple[str, int, int, str]:
    return hit.path, hit.version, hit.line, hit.content


def test_what_stands_nowhere_now_is_found_with_the_version_that_held_it(ws: Workspace, finder: Finder) -> None:
    assert find(ws, finder, "in:history red crane") == [(MEMORY, 1, 3, "The red crane stands at berth 7.")]


def test_what_stands_now_or_only_moved_is_not_bygone(ws: Workspace, finder: Finder) -> None:
    assert find(ws, finder, "in:history tea") == []
    assert find(ws, finder, "in:history moved") == []


def test_documents_that_are_gone_are_searched_too_and_accents_make_no_difference(ws: Workspace, finder: Finder) -> None:
    assert find(ws, finder, "in:history cafe") == [("gone.md", 1, 1, "The caf\u00e9 by the crane is closed.")]


KINDS = {
    "SOUL.md": "the soul of the crane\n",
    "daily/2026-11-30.md": "[09:00:00] crane oiled\n",
    "fact.md": "---\nname: f\nmetadata:\n  type: feedback\nstatus: proposed\n---\ncrane fact\n",
    "copy.md": "the soul of the crane\n",
    "tasks.md": "- [ ] oil the crane\n- [x] paint the crane\n- crane, no task\n",
}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("in:history crane is:protected", {("SOUL.md", 1)}),
        ("in:history soul -is:protected", {("copy.md", 1)}),
        ("in:history oil todo:crane", {("tasks.md", 1)}),
        ("in:history todo:", {("tasks.md", 1)}),
        ("in:history done:crane -is:protected", {("tasks.md", 2)}),
        ("in:history crane type:feedback", {("fact.md", 7)}),
        ("in:history crane status:proposed", {("fact.md", 7)}),
        ("in:history crane status:ratified", set()),
        ("in:history crane day:2026-11", {("daily/2026-11-30.md", 1)}),
        ("in:history crane day:2025", set()),
        ("in:history fact -type:feedback", set()),
        ("in:history crane is:unseen", set()),
    ],
)
def test_fields_are_those_of_the_version(ws: Workspace, query: str, found: set[tuple[str, int]]) -> None:
    (ws.root / "daily").mkdir()
    for name, text in KINDS.items():
        (ws.root / name).write_text(text)
        reading.read(ws, name)
    for name in KINDS:
        (ws.root / name).write_text("nothing\n")
    following.catch_up(ws, sync.look(ws), now=2.2e9)
    late = finding.open(ws)
    late.refresh(sync.look(ws))
    hits = [hit for file in bygone.find(ws, wishes.read(query), late.stands).files for hit in file.hits]
    late.close()
    assert {(hit.path, hit.line) for hit in hits if hit.path in KINDS} == found


def test_what_a_pattern_found_is_marked_at_its_column(ws: Workspace, finder: Finder) -> None:
    (hit,) = bygone.find(ws, wishes.read("in:history /r.d cr/"), finder.stands).files[0].hits
    assert [hit.content[slice(*mark)] for mark in hit.marks] == ["red cr"]
    assert hit.column == 4


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("in:history crane", {"MEMORY.md", "gone.md"}),
        ("in:history crane path:gone", {"gone.md"}),
        ("in:history crane path:g*.md", {"gone.md"}),
        ("in:history crane -red", {"gone.md"}),
        ('in:history "red crane"', {"MEMORY.md"}),
        ("in:history red OR closed", {"MEMORY.md", "gone.md"}),
        ("in:history /r.d crane/", {"MEMORY.md"}),
        ("in:history", set()),
        ("in:history zeppelin", set()),
    ],
)
def test_other_operators_hold_as_well(ws: Workspace, finder: Finder, query: str, found: set[str]) -> None:
    assert {path for path, _version, _line, _text in find(ws, finder, query)} == found


def test_it_ends_after_a_while_and_says_that_it_did(ws: Workspace, finder: Finder) -> None:
    ticks = count()
    found = bygone.find(
        ws, wishes.read("in:history crane"), finder.stands, seconds=1.5, clock=lambda: float(next(ticks))
    )
    assert not found.whole
    assert not bygone.find(ws, wishes.read("in:history crane"), finder.stands, stop=lambda: True).whole


def test_the_window_and_the_command_line_are_answered(ws: Workspace, finder: Finder) -> None:
    words = Words(ws, helped=False)
    try:
        exact = finding.search_text(finder, "in:history red crane")
        found = finding.join_words(ws, finder, words, exact)
    finally:
        words.close()
    assert [hit.group for file in found.by_history for hit in file.hits] == [HitGroup.HISTORY]
    assert not found.is_empty
    places, _reading = finding.find_places(ws, "in:history red crane", operators=True)
    (result,) = finding.answer_of(ws, "in:history red crane", places, _reading)["results"]
    assert (result["path"], result["line"], result["version"]) == ("MEMORY.md", 3, 1)


def test_for_an_agent_it_is_text(ws: Workspace) -> None:
    assert finding.memory_search(ws, "in:history red crane")["results"][0]["path"] == "MEMORY.md"
    assert "version" not in finding.memory_search(ws, "in:history red crane")["results"][0]


def test_unseen_is_what_pends_and_nobody_looked_at(ws: Workspace) -> None:
    snapshot = sync.look(ws)
    baselines.begin(ws, snapshot)
    (ws.root / "other.md").write_text("Here stands the crane.\n")
    (ws.root / "new.md").write_text("A crane nobody saw.\n")

    def found() -> set[str]:
        places, _reading = finding.find_places(ws, "crane is:unseen", operators=True)
        return {place.path for place in places}

    # The agent wrote one of them before the window was first opened.
    assert found() == {"MEMORY.md", "other.md", "new.md"}
    (change,) = [change for change in review.pending(ws) if change.path == "new.md"]
    review.mark_seen(ws, change.path, change.disk)
    assert found() == {"MEMORY.md", "other.md"}
