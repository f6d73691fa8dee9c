"""Right after an edit: no old text, no score of an old vector, no file that is gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memgui.domain.hits import Found
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import finding, why, workspace
from memgui.ops.finder import Finder
from memgui.ops.finding import Mode
from memgui.ops.meaning import embedding as embedding_room
from memgui.ops.meaning.embedding import Embedding
from tests.ops.saying import SAYING, Saying, bring_up, lay

CHANGED = "# Harbour\n\nThe quay has gone quiet.\n"


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Three documents, all of them known by their words and their meaning."""
    saying = Saying()
    monkeypatch.setattr(embedding_room, "models", lambda _folder=None: (SAYING,))
    monkeypatch.setattr(embedding_room, "load", lambda _model: saying)
    made = workspace.open(lay(tmp_path / "harbour"))
    embedding = Embedding(made.root, made.cache)
    bring_up(embedding, made)
    embedding.close()
    finding.memory_search(made, "brings the words up to date")
    return made


@pytest.fixture
def finder(ws: Workspace) -> Iterator[Finder]:
    made = finding.open(ws)
    yield made
    made.close()


def results(ws: Workspace, query: str, finder: Finder, mode: Mode = Mode.HYBRID) -> dict[str, dict[str, Any]]:
    found, reading = finding.find_places(ws, query, 5, mode=mode, finder=finder)
    return {result["path"]: result for result in finding.answer_of(ws, query, found, reading)["results"]}


def test_an_edited_passage_has_no_score_of_what_it_said_before(ws: Workspace, finder: Finder) -> None:
    query = "vessel needs mend harbour quay"
    assert results(ws, query, finder)["MEMORY.md"]["match"] == "strong"
    (ws.root / "MEMORY.md").write_text(CHANGED)
    told = results(ws, query, finder)["MEMORY.md"]
    assert told["content"] == CHANGED.strip()
    assert told["match"] == "weak"
    assert not told["is_hybrid_match"]
    assert results(ws, query, finder, Mode.MEANING) == {}


def test_why_a_hit_is_there_tells_nothing_of_what_it_meant_before(ws: Workspace, finder: Finder) -> None:
    (ws.root / "MEMORY.md").write_text(CHANGED)
    finder.refresh(finder.look())
    told = why.why_not(ws, finder, finder.meaning.ask, Found("mend the vessel"), DocPath("MEMORY.md"))
    assert "It is not known by its meaning yet." in told.reasons


@pytest.mark.parametrize("mode", Mode)
def test_a_deleted_file_is_no_result(ws: Workspace, finder: Finder, mode: Mode) -> None:
    query = "the ship needs repair"
    assert "MEMORY.md" in results(ws, query, finder, mode)
    (ws.root / "MEMORY.md").unlink()
    assert "MEMORY.md" not in results(ws, query, finder, mode)


@pytest.mark.parametrize("mode", Mode)
def test_every_text_that_is_shown_stands_there(ws: Workspace, finder: Finder, mode: Mode) -> None:
    for turn in range(4):
        for name in ("MEMORY.md", "tea.md"):
            text = (ws.root / name).read_text()
            (ws.root / name).write_text("A line above.\n\n" + text if turn % 2 else text.replace("ship", "boat"))
        for query in ("the ship needs repair", "mend the vessel", "green leaves"):
            for path, result in results(ws, query, finder, mode).items():
                lines = (ws.root / path).read_text().splitlines()
                assert result["content"] in (ws.root / path).read_text()
                assert lines[result["line"] - 1].strip()


def test_a_passage_that_only_moved_keeps_its_meaning(ws: Workspace, finder: Finder) -> None:
    text = (ws.root / "MEMORY.md").read_text()
    (ws.root / "MEMORY.md").write_text("A line above.\n\n" + text)
    told = results(ws, "mend the vessel", finder, Mode.MEANING)["MEMORY.md"]
    assert (told["line"], told["match"]) == (5, "strong")
