"""A quick model stands in: at once for what the others have not read yet, and for good where one of them is damaged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import finding, indexing, preferences, sync, workspace
from memgui.ops.meaning import embedding as embedding_room
from memgui.ops.meaning.asked import Question, Wanted
from memgui.ops.meaning.embedding import Embedding
from memgui.ops.meaning.progress import FOLDER
from memgui.ops.preferences import Settings
from memgui.ops.words.progress import rows_of
from memgui.search.meaning.embedders import BrokenModelError, Model, Tongue
from tests.ops.saying import SAYING, Saying, bring_up, lay, near

ROUGH = Model("quick", Tongue.ALL, floor=0.1, clear=0.5, rough=True)


class Both:
    """A model and the one that stands in for it; `broken` names those whose files are damaged."""

    def __init__(self) -> None:
        self.own, self.rough = Saying(), Saying(ROUGH)
        self.broken: set[str] = set()

    def load(self, model: Model) -> Saying:
        if model.name in self.broken:
            raise BrokenModelError("no model")
        return self.rough if model.name == ROUGH.name else self.own


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Both:
    made = Both()
    monkeypatch.setattr(embedding_room, "models", lambda _folder=None: (SAYING, ROUGH))
    monkeypatch.setattr(embedding_room, "load", made.load)
    monkeypatch.setattr(embedding_room, "_NEXT", 10)
    return made


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = lay(tmp_path / "harbour")
    for number in range(20):
        (root / f"{number:02}.md").write_text(f"# Berth {number}\n\nThe boat of owner{number} lies there.\n")
    return workspace.open(root)


@pytest.fixture
def embedding(ws: Workspace, both: Both) -> Iterator[Embedding]:
    made = Embedding(ws.root, ws.cache)
    yield made
    made.close()


def begin(embedding: Embedding, ws: Workspace, both: Both, *, own: int) -> None:
    """Go as far as so many passages were read by their own model."""
    assert embedding.refresh(rows_of(ws, sync.look(ws)))
    assert not embedding.work(interrupted=lambda: len(both.own.seen) >= own and len(both.rough.seen) >= 23)


def test_everything_is_asked_at_once_and_only_what_its_own_model_read_is_called_known(
    embedding: Embedding, ws: Workspace, both: Both
) -> None:
    begin(embedding, ws, both, own=0)
    told = embedding.progress
    assert (told.covered, told.rough, told.passages) == (0, 23, 23)
    assert told.models == ("saying",)
    assert told.knows_any
    assert not told.complete
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"
    assert near(ws, "the vessel of owner17")[0] == "17.md"


def test_each_passage_is_read_by_its_own_model_in_the_end_and_none_stands_in_any_more(
    embedding: Embedding, ws: Workspace, both: Both
) -> None:
    assert bring_up(embedding, ws).complete
    assert len(both.own.seen) == len(both.rough.seen) == 23
    assert embedding.progress.rough == 0
    assert not (embedding.folder / "quick.vectors").exists()
    assert near(ws, "the vessel of owner17")[0] == "17.md"


def test_a_passage_that_its_own_model_read_is_never_ranked_by_the_other(
    embedding: Embedding, ws: Workspace, both: Both
) -> None:
    begin(embedding, ws, both, own=4)
    own = [text for text in both.own.seen if text in both.rough.seen]
    assert 0 < len(own) < 23
    question = Question(embedding.folder, embedding.models, embedding.embedder)
    places = tuple((DocPath(path), 0, 3) for path in rows_of(ws, sync.look(ws)))
    both.rough.vector = both.own.vector  # type: ignore[method-assign]
    found = question.answer(Wanted("ship needs repair", 60, places))
    assert found is not None
    assert [near.path for near in found.found].count(DocPath("MEMORY.md")) == 1
    by_own = (1.0 - SAYING.floor) / (SAYING.clear - SAYING.floor)
    assert found.named[DocPath("MEMORY.md"), 0] < by_own
    assert len(found.named) == 23
    question.close()


def test_a_few_changes_are_left_to_the_models_that_know_better(embedding: Embedding, ws: Workspace, both: Both) -> None:
    bring_up(embedding, ws)
    both.rough.given.clear()
    (ws.root / "tea.md").write_text("# Tea\n\nBlack leaves, five minutes.\n")
    assert bring_up(embedding, ws).complete
    assert both.rough.given == []


def test_where_a_model_is_damaged_the_quick_one_does_its_work_and_it_is_said(
    embedding: Embedding, ws: Workspace, both: Both
) -> None:
    both.broken.add("saying")
    told = bring_up(embedding, ws)
    # What it has read once it need not read again.
    assert len(both.rough.seen) == 23
    assert (told.models, told.covered, told.rough) == (("quick",), 23, 0)
    assert len(told.problems) == 1
    assert "saying cannot be loaded" in told.problems[0]
    (ws.root / "tea.md").write_text("# Tea\n\nBlack leaves, five minutes.\n")
    assert bring_up(embedding, ws).complete
    assert near(ws, "five minutes black leaves")[0] == "tea.md"


def test_a_model_that_is_damaged_later_is_stood_in_for_and_taken_up_again_when_it_is_mended(
    embedding: Embedding, ws: Workspace, both: Both
) -> None:
    bring_up(embedding, ws)
    both.broken.add("saying")
    other = Embedding(ws.root, ws.cache)
    assert other.refresh(rows_of(ws, sync.look(ws)))
    question = Question(other.folder, other.models, other.embedder)
    # Who asks is the first to find out; whoever embeds then makes good for it.
    assert question.answer(Wanted("mend the vessel", 5)) is None
    assert other.work()
    assert other.progress.models == ("quick",)
    found = question.answer(Wanted("mend the vessel", 5))
    question.close()
    other.close()
    assert found is not None
    assert found.found[0].path == "MEMORY.md"
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"
    both.broken.clear()
    both.own.given.clear()
    mended = Embedding(ws.root, ws.cache)
    told = bring_up(mended, ws)
    mended.close()
    assert (told.models, told.complete, told.problems) == (("saying",), True, ())
    assert both.own.given == []
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"


def test_where_the_quick_one_is_damaged_the_others_do_without(embedding: Embedding, ws: Workspace, both: Both) -> None:
    both.broken.add("quick")
    assert bring_up(embedding, ws).complete
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"


def test_it_alone_does_everything_where_there_is_no_other(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Saying(Model("quick", Tongue.ALL, floor=0.1, clear=0.5))
    monkeypatch.setattr(embedding_room, "models", lambda _folder=None: (alone.model,))
    monkeypatch.setattr(embedding_room, "load", lambda _model: alone)
    embedding = Embedding(ws.root, ws.cache)
    told = bring_up(embedding, ws)
    embedding.close()
    assert told.complete
    assert told.models == ("quick",)
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"


def test_a_model_that_has_read_nothing_here_is_not_loaded_for_a_question(
    embedding: Embedding, ws: Workspace, both: Both
) -> None:
    bring_up(embedding, ws)
    asked: list[str] = []

    def load(name: str) -> Saying:
        asked.append(name)
        return both.own

    question = Question(embedding.folder, embedding.models, load)
    assert question.answer(Wanted("mend the vessel", 5)) is not None
    question.close()
    assert asked == ["saying"]


def test_an_interrupted_start_goes_on_where_it_was(embedding: Embedding, ws: Workspace, both: Both) -> None:
    begin(embedding, ws, both, own=0)
    embedding.close()
    other = Embedding(ws.root, ws.cache)
    assert bring_up(other, ws).complete
    other.close()
    assert len(both.rough.seen) == 23
    assert len(both.own.seen) == len(set(both.own.seen)) == 23


def test_other_models_make_their_own_vectors_and_no_old_one_is_mixed_in(
    embedding: Embedding, ws: Workspace, both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring_up(embedding, ws)
    embedding.close()
    other = Saying(Model("another", Tongue.ALL, floor=0.3, clear=0.7))
    monkeypatch.setattr(embedding_room, "models", lambda _folder=None: (other.model,))
    monkeypatch.setattr(embedding_room, "load", lambda _model: other)
    assert near(ws, "mend the vessel") == []
    embedding = Embedding(ws.root, ws.cache)
    assert embedding.refresh(rows_of(ws, sync.look(ws)))
    assert (embedding.progress.covered, embedding.progress.passages) == (0, 23)
    embedding.work()
    embedding.close()
    assert len(other.seen) == 23
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"


def test_the_command_line_calls_known_only_what_the_chosen_models_read(ws: Workspace, tmp_path: Path) -> None:
    built = indexing.build(ws)
    assert built.models == ("minilm-int8", "e5-small-q4")
    assert built.covered == built.meant == 23
    assert not (ws.cache / FOLDER / "wordllama-256.vectors").exists()
    own = tmp_path / "own"
    own.mkdir()
    (own / "model.onnx").write_bytes(b"")
    (own / "tokenizer.json").write_text("{}")
    preferences.save(Settings(search_model=str(own)))
    told = indexing.state(ws)
    assert (told.covered, told.meant) == (0, 23)
    assert finding.memory_search(ws, "Berth 7")["results"]
