"""The meaning of memory: embedded behind everything else, gone on with after any end, asked beside the words."""

from __future__ import annotations

import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock
from numpy.typing import NDArray

from memgui.domain.errors import InvalidParameters
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import finding, preferences, sync, workspace
from memgui.ops.meaning import embedding as embedding_room
from memgui.ops.meaning import worker as worker_room
from memgui.ops.meaning.asked import Question, Wanted, nearness_of, nearness_values, wanted_of, wanted_values
from memgui.ops.meaning.embedding import Embedding
from memgui.ops.meaning.progress import FOLDER, ByModel
from memgui.ops.meaning.worker import Worker
from memgui.ops.preferences import Settings
from memgui.ops.words.progress import rows_of
from memgui.search.meaning.catalogue import CATALOGUE
from memgui.search.meaning.embedders import Model, Tongue, load, models
from memgui.search.meaning.index import Nearness
from tests.ops.saying import SAYING, Saying, bring_up, lay, near


@pytest.fixture
def saying(monkeypatch: pytest.MonkeyPatch) -> Saying:
    made = Saying()
    monkeypatch.setattr(embedding_room, "models", lambda _folder=None: (SAYING,))
    monkeypatch.setattr(embedding_room, "load", lambda _model: made)
    return made


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return lay(tmp_path / "harbour")


@pytest.fixture
def ws(root: Path) -> Workspace:
    return workspace.open(root)


@pytest.fixture
def embedding(ws: Workspace, saying: Saying) -> Iterator[Embedding]:
    made = Embedding(ws.root, ws.cache)
    yield made
    made.close()


def test_what_says_the_like_in_other_words_is_found(embedding: Embedding, ws: Workspace) -> None:
    progress = bring_up(embedding, ws)
    assert (progress.covered, progress.passages, progress.complete) == (3, 3, True)
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"
    assert near(ws, "open bill of november")[0] == "invoices.md"


def test_below_the_floor_nothing_is_near(embedding: Embedding, ws: Workspace) -> None:
    bring_up(embedding, ws)
    assert near(ws, "quantum chromodynamics") == []


def test_only_what_is_new_is_embedded_and_what_moved_is_not(
    embedding: Embedding, ws: Workspace, saying: Saying, root: Path
) -> None:
    bring_up(embedding, ws)
    saying.given.clear()
    (root / "tea.md").rename(root / "drinks.md")
    (root / "MEMORY.md").write_text("# Harbour\n\nThe ship needs repair.\n\n# Crew\n\nKofi is the new mate.\n")
    bring_up(embedding, ws)
    assert saying.seen == ["# Crew\n\nKofi is the new mate."]
    assert near(ws, "green leaves")[0] == "drinks.md"


def test_a_changed_passage_is_never_shown_by_what_it_said_before(
    embedding: Embedding, ws: Workspace, root: Path
) -> None:
    bring_up(embedding, ws)
    (root / "MEMORY.md").write_text("# Harbour\n\nAll quiet.\n")
    assert near(ws, "mend the vessel") == []
    (root / "tea.md").write_text("A line before.\n\n# Tea\n\nGreen leaves, three minutes.\n")
    finder = finding.open(ws)
    places, _reading = finding.find_places(
        ws, "green leaves three minutes", 5, mode=finding.Mode.MEANING, finder=finder
    )
    finder.close()
    assert [(place.path, place.hit.line) for place in places] == [("tea.md", 5)]


def test_it_goes_on_where_it_was_interrupted(embedding: Embedding, ws: Workspace, saying: Saying, root: Path) -> None:
    for number in range(20):
        (root / f"{number}.md").write_text(f"# Note {number}\n\nNumber {number} of many.\n")
    assert embedding.refresh(rows_of(ws, sync.look(ws)))
    assert not embedding.work(interrupted=lambda: len(saying.seen) >= 8)
    before = list(saying.seen)
    embedding.close()
    other = Embedding(ws.root, ws.cache)
    progress = bring_up(other, ws)
    other.close()
    assert progress.complete
    assert len(saying.seen) == len(set(saying.seen)) == 23
    # The curated and the newest first.
    assert before[0] == "# Harbour\n\nThe ship needs repair."


def test_one_embeds_at_a_time(embedding: Embedding, ws: Workspace) -> None:
    ws.cache.mkdir(parents=True, exist_ok=True)
    with FileLock(ws.cache / f"{FOLDER}.lock"):
        assert not embedding.refresh(rows_of(ws, sync.look(ws)))
        assert embedding.progress.waiting
    assert bring_up(embedding, ws).complete


@pytest.mark.parametrize("damage", ["catalogue", "vectors", "vectors cut", "vectors gone", "everything gone"])
def test_what_is_damaged_is_made_anew_and_never_raises(
    embedding: Embedding, ws: Workspace, saying: Saying, damage: str
) -> None:
    bring_up(embedding, ws)
    embedding.close()
    folder = ws.cache / FOLDER
    catalogue, vectors = folder / CATALOGUE, folder / "saying.vectors"
    if damage == "catalogue":
        for file in folder.glob(f"{CATALOGUE}*"):
            file.write_bytes(b"\xff" * 5000)
    elif damage == "vectors":
        vectors.write_bytes(b"\xff" * 5000)
    elif damage == "vectors cut":
        vectors.write_bytes(vectors.read_bytes()[:200])
    elif damage == "vectors gone":
        vectors.unlink()
    else:
        for file in folder.iterdir():
            file.unlink()
    near(ws, "mend the vessel")
    again = Embedding(ws.root, ws.cache)
    assert bring_up(again, ws).complete
    again.close()
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"
    assert catalogue.stat().st_mode & 0o777 == 0o600


def test_a_catalogue_of_another_rule_is_made_anew(embedding: Embedding, ws: Workspace, saying: Saying) -> None:
    bring_up(embedding, ws)
    embedding.close()
    with closing(sqlite3.connect(ws.cache / FOLDER / CATALOGUE)) as db:
        db.execute("PRAGMA user_version = 999")
    saying.given.clear()
    again = Embedding(ws.root, ws.cache)
    bring_up(again, ws)
    again.close()
    assert len(saying.seen) == 3


def test_a_hybrid_answer_holds_what_only_the_meaning_knows(embedding: Embedding, ws: Workspace) -> None:
    bring_up(embedding, ws)
    answer = finding.memory_search(ws, "mend the vessel")
    assert answer["results"][0]["path"] == "MEMORY.md"
    assert answer["confident"]


def test_what_both_lists_hold_is_a_hybrid_match_and_is_not_told_twice(embedding: Embedding, ws: Workspace) -> None:
    bring_up(embedding, ws)
    results = finding.memory_search(ws, "repair ship harbour needs")["results"]
    assert [result["path"] for result in results].count("MEMORY.md") == 1
    assert results[0]["path"] == "MEMORY.md"
    assert results[0]["is_hybrid_match"]
    assert results[0]["score"] == 1.0


def test_a_question_is_read_by_the_models_once_and_beside_whoever_asks(
    embedding: Embedding, ws: Workspace, saying: Saying, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring_up(embedding, ws)
    read: list[tuple[str, bool]] = []
    query = saying.query

    def noted(text: str) -> NDArray[np.float32]:
        read.append((text, threading.current_thread() is threading.main_thread()))
        return query(text)

    monkeypatch.setattr(saying, "query", noted)
    finder = finding.open(ws)
    for mode in (finding.Mode.HYBRID, finding.Mode.MEANING, finding.Mode.LITERAL, finding.Mode.WORDS):
        finding.find_places(ws, f"mend the vessel {mode.value}", 5, mode=mode, finder=finder)
    finder.close()
    assert read == [("mend the vessel hybrid", False), ("mend the vessel meaning", False)]


def test_scores_never_rise_and_weak_answers_are_said_to_be_weak(embedding: Embedding, ws: Workspace) -> None:
    bring_up(embedding, ws)
    answer = finding.memory_search(ws, "the the the november weather elsewhere")
    scores = [result["score"] for result in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    assert not answer["confident"]


def test_without_vectors_the_meaning_says_nothing_and_the_words_answer(ws: Workspace, saying: Saying) -> None:
    assert near(ws, "ship") == []
    assert not finding.knows_meaning(ws)
    assert [result["path"] for result in finding.memory_search(ws, "ship")["results"]] == ["MEMORY.md"]
    assert saying.seen == []


def test_a_blank_question_is_refused(ws: Workspace) -> None:
    with pytest.raises(InvalidParameters):
        finding.find_places(ws, "  ", 5, mode=finding.Mode.MEANING)


def test_questions_and_answers_pass_through_messages_whole(embedding: Embedding, ws: Workspace) -> None:
    bring_up(embedding, ws)
    wanted = Wanted("mend the vessel", 5, ((DocPath("MEMORY.md"), 0, 3),))
    assert wanted_of(wanted_values(wanted)) == wanted
    question = Question(embedding.folder, embedding.models, embedding.embedder)
    answer = question.answer(wanted)
    question.close()
    assert answer is not None
    assert answer.named
    assert nearness_of(nearness_values(answer)) == answer


def test_the_real_models_find_other_words_in_two_languages(tmp_path: Path) -> None:
    root = tmp_path / "real"
    root.mkdir()
    (root / "storage.md").write_text(
        "# Storage\n\nWe keep an embedded database; a server would be one more thing to run.\n"
    )
    (root / "kran.md").write_text("# Kran\n\nDer Kran ist seit gestern kaputt, die Werft kommt am Montag.\n")
    (root / "tea.md").write_text("# Tea\n\nGreen leaves, three minutes, not boiling.\n")
    ws = workspace.open(root)
    embedding = Embedding(ws.root, ws.cache)
    assert bring_up(embedding, ws).complete
    embedding.close()
    assert near(ws, "which SQL engine did we choose")[0] == "storage.md"
    assert near(ws, "Hebezeug defekt")[0] == "kran.md"


def test_every_model_says_what_it_is(tmp_path: Path) -> None:
    found = models()
    assert [model.tongue for model in found] == [Tongue.ENGLISH, Tongue.OTHERS, Tongue.ALL]
    assert [model.rough for model in found] == [False, False, True]
    for model in found:
        embedder = load(model)
        rows = embedder.passages(["one ship sails", "a much longer text about something else", "one\0two three\ud800"])
        assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1], abs=1e-3)
    assert models(tmp_path) == ()


def test_who_wants_no_meaning_gets_none_and_a_model_of_ones_own_takes_the_place_of_all(
    embedding: Embedding, ws: Workspace, tmp_path: Path
) -> None:
    bring_up(embedding, ws)
    assert finding.knows_meaning(ws)
    preferences.save(Settings(search_meaning=False))
    assert not finding.knows_meaning(ws)
    assert near(ws, "mend the vessel") == []
    preferences.save(Settings(search_model=str(tmp_path)), known=Settings(search_meaning=False))
    assert ByModel.of(preferences.load()).folder == tmp_path


def test_a_damaged_model_is_said_and_the_words_answer(ws: Workspace, tmp_path: Path) -> None:
    own = tmp_path / "model"
    own.mkdir()
    (own / "model.onnx").write_bytes(b"no model")
    (own / "tokenizer.json").write_text("{}")
    embedding = Embedding(ws.root, ws.cache, chosen=own)
    progress = bring_up(embedding, ws)
    embedding.close()
    assert any("cannot be loaded" in problem for problem in progress.problems)
    assert (progress.models, progress.complete) == (("wordllama-256",), True)
    assert [result["path"] for result in finding.memory_search(ws, "ship")["results"]] == ["MEMORY.md"]


@pytest.fixture
def working(ws: Workspace, saying: Saying, monkeypatch: pytest.MonkeyPatch) -> Iterator[Working]:
    monkeypatch.setattr(worker_room, "BEGIN_SECONDS", 0.0)
    monkeypatch.setattr(worker_room, "REST_SECONDS", 0.1)
    loads: queue.SimpleQueue[str] = queue.SimpleQueue()

    def load_it(model: Model) -> Saying:
        loads.put(model.name)
        return saying

    monkeypatch.setattr(embedding_room, "load", load_it)
    made = Working(ws, loads)
    yield made
    made.worker.close()
    for thread in made.worker._threads:
        thread.join()


class Working:
    """A worker that rests soon, what it says, and which models it loaded."""

    def __init__(self, ws: Workspace, loads: queue.SimpleQueue[str]) -> None:
        self.said: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.loads = loads
        self.worker = Worker(ws.root, ws.cache, self.said.put)
        self._rows = rows_of(ws, sync.look(ws))

    def begin(self) -> None:
        self.again()
        self.hear("rests")

    def again(self) -> None:
        told = [[path, key.size, key.mtime_ns, key.ctime_ns, key.inode] for path, key in self._rows.items()]
        self.worker.put({"refresh": told})

    def ask(self, number: int) -> None:
        self.worker.put({"ask": wanted_values(Wanted("mend the vessel", 3)), "number": number})

    def hear(self, key: str) -> dict[str, Any]:
        while key not in (message := self.said.get(timeout=20)):
            pass
        return message

    def dropped(self) -> bool:
        return not self.worker._embedding._loaded


def test_models_are_dropped_a_while_after_the_last_question_and_loaded_again(working: Working) -> None:
    working.begin()
    assert working.loads.get(timeout=20) == SAYING.name
    until(working.dropped)
    for number in (1, 2):
        working.ask(number)
        assert working.hear("answer")["found"]["found"][0][0] == "MEMORY.md"
        assert working.loads.get(timeout=20) == SAYING.name
        until(working.dropped)


def test_questions_alone_are_no_reason_to_look_for_work(working: Working, monkeypatch: pytest.MonkeyPatch) -> None:
    working.begin()
    until(working.dropped)
    worked: list[bool] = []
    work = Embedding.work

    def noted(embedding: Embedding, **options: Any) -> bool:
        worked.append(True)
        return work(embedding, **options)

    monkeypatch.setattr(Embedding, "work", noted)
    for number in range(20):
        working.ask(number)
    for _number in range(20):
        working.hear("answer")
    until(working.dropped)
    assert not worked
    working.again()
    working.hear("rests")
    assert worked


def test_a_rest_that_comes_while_a_question_is_answered_waits_for_its_end(
    working: Working, monkeypatch: pytest.MonkeyPatch
) -> None:
    working.begin()
    working.loads.get(timeout=20)
    until(working.dropped)
    tried = threading.Event()
    rest, answer = working.worker._rest, working.worker._question.answer

    def trying() -> None:
        rest()
        tried.set()

    def slowly(wanted: Wanted) -> Nearness | None:
        # The models are not loaded yet when the time of the rest has come.
        assert tried.wait(20)
        return answer(wanted)

    monkeypatch.setattr(working.worker, "_rest", trying)
    monkeypatch.setattr(working.worker._question, "answer", slowly)
    working.ask(1)
    assert working.hear("answer")["found"]["found"][0][0] == "MEMORY.md"
    assert working.loads.get(timeout=20) == SAYING.name
    until(working.dropped)


def until(fact: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end
        threading.Event().wait(0.01)
