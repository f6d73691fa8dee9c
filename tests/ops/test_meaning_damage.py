"""Whatever is damaged of what is known of the meaning: the words answer, it is said, and it is made anew."""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import finding, indexing, sync, workspace
from memgui.ops.meaning import embedding as embedding_room
from memgui.ops.meaning.asked import Question, Wanted
from memgui.ops.meaning.embedding import Embedding
from memgui.ops.meaning.progress import FOLDER
from memgui.ops.words.progress import rows_of
from memgui.search.meaning.catalogue import CATALOGUE
from memgui.search.meaning.texts import PassageText, passage_texts
from tests.ops.saying import SAYING, Saying, bring_up, lay, near


@pytest.fixture
def saying(monkeypatch: pytest.MonkeyPatch) -> Saying:
    made = Saying()
    monkeypatch.setattr(embedding_room, "models", lambda _folder=None: (SAYING,))
    monkeypatch.setattr(indexing, "models", lambda _folder=None: (SAYING,))
    monkeypatch.setattr(embedding_room, "load", lambda _model: made)
    return made


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return workspace.open(lay(tmp_path / "harbour"))


@pytest.fixture
def embedding(ws: Workspace, saying: Saying) -> Iterator[Embedding]:
    made = Embedding(ws.root, ws.cache)
    yield made
    made.close()


# Files ---------------------------------------------------------------------------------------------------------------


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def zeroed(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def half_zeroed(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2].ljust(len(data), b"\0"))


def filled(path: Path) -> None:
    path.write_bytes(b"\xff" * path.stat().st_size)


def turned_into_a_folder(path: Path) -> None:
    path.unlink()
    (path / "inside").mkdir(parents=True)


def unreadable(path: Path) -> None:
    """A link to itself opens for nobody, not even for root."""
    path.unlink()
    path.symlink_to(path.name)


def gone(path: Path) -> None:
    path.unlink()


DAMAGES = (truncated, emptied, zeroed, half_zeroed, filled, turned_into_a_folder, unreadable, gone)
FILES = (CATALOGUE, "saying.vectors", "saying.common")


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_costs_no_answer_and_is_made_anew(
    embedding: Embedding, ws: Workspace, saying: Saying, name: str, damage: Callable[[Path], None]
) -> None:
    bring_up(embedding, ws)
    before = (embedding.folder / "saying.common").read_bytes()
    embedding.close()
    damage(ws.cache / FOLDER / name)
    assert finding.memory_search(ws, "ship")["results"][0]["path"] == "MEMORY.md"
    near(ws, "mend the vessel")
    problems = indexing.state(ws).problems
    if name != "saying.common":
        # What all vectors have in common is of little weight: without it answers are a little worse.
        assert len(problems) == 1
        assert "is damaged" in problems[0]
    (ws.root / "crew.md").write_text("# Crew\n\nKofi is the new mate.\n")
    again = Embedding(ws.root, ws.cache)
    assert bring_up(again, ws).complete
    assert again.progress.problems == ()
    again.close()
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"
    assert indexing.state(ws).problems == ()
    assert (ws.cache / FOLDER / "saying.common").read_bytes() == before
    for file in (ws.cache / FOLDER).iterdir():
        assert file.is_file()
        assert not file.is_symlink()


@pytest.mark.parametrize("damage", [turned_into_a_folder, unreadable, emptied], ids=lambda damage: damage.__name__)
def test_where_no_folder_is_one_is_made(
    embedding: Embedding, ws: Workspace, saying: Saying, damage: Callable[[Path], None]
) -> None:
    ws.cache.mkdir(parents=True, exist_ok=True)
    (ws.cache / FOLDER).write_text("no folder")
    damage(ws.cache / FOLDER)
    assert near(ws, "mend the vessel") == []
    assert bring_up(embedding, ws).complete
    assert embedding.progress.problems == ()
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", FILES)
def test_what_is_damaged_while_it_is_written_is_made_anew(
    embedding: Embedding, ws: Workspace, name: str, damage: Callable[[Path], None]
) -> None:
    bring_up(embedding, ws)
    damage(ws.cache / FOLDER / name)
    (ws.root / "crew.md").write_text("# Crew\n\nKofi is the new mate.\n")
    embedding.update([next(path for path in rows_of(ws, sync.look(ws)) if path == "crew.md")])
    embedding.work()
    embedding.close()
    again = Embedding(ws.root, ws.cache)
    assert bring_up(again, ws).complete
    again.close()
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"
    assert near(ws, "new mate kofi")[0] == "crew.md"


def test_one_damaged_vector_is_made_anew_and_no_other(embedding: Embedding, ws: Workspace, saying: Saying) -> None:
    bring_up(embedding, ws)
    embedding.close()
    vectors = ws.cache / FOLDER / "saying.vectors"
    data = bytearray(vectors.read_bytes())
    row = (len(data) - 128) // 3
    # The scale of the second: as a number without end it would spoil what all have in common.
    data[128 + row : 128 + row + 4] = np.float32(np.inf).tobytes()
    vectors.write_bytes(data)
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"
    saying.given.clear()
    again = Embedding(ws.root, ws.cache)
    assert bring_up(again, ws).complete
    again.close()
    assert len(saying.seen) == 1


def test_who_asks_all_day_sees_an_index_that_was_made_anew(embedding: Embedding, ws: Workspace, saying: Saying) -> None:
    bring_up(embedding, ws)
    question = Question(embedding.folder, embedding.models, embedding.embedder)
    assert question.answer(Wanted("mend the vessel", 5)) is not None
    (ws.root / "tea.md").write_text("# Tea\n\nBlack leaves, five minutes.\n")
    assert embedding.refresh(rows_of(ws, sync.look(ws)), anew=True)
    embedding.work()
    found = question.answer(Wanted("five minutes black leaves", 5))
    question.close()
    assert found is not None
    assert found.found[0].path == "tea.md"
    assert found.found[0].closeness > 0.9


def test_another_programs_lock_costs_nothing_that_is_known(
    embedding: Embedding, ws: Workspace, saying: Saying, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memgui.search.meaning import catalogue

    monkeypatch.setattr(catalogue, "_BUSY_SECONDS", 0.05)
    bring_up(embedding, ws)
    embedding.close()
    saying.given.clear()
    (ws.root / "crew.md").write_text("# Crew\n\nKofi is the new mate.\n")
    again = Embedding(ws.root, ws.cache)
    with closing(sqlite3.connect(ws.cache / FOLDER / CATALOGUE, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        assert not again.refresh(rows_of(ws, sync.look(ws)))
        assert "cannot be kept: database is locked" in again.progress.problems[0]
        db.execute("ROLLBACK")
    assert bring_up(again, ws).complete
    assert again.progress.problems == ()
    again.close()
    assert len(saying.seen) == 1


# A full disk ---------------------------------------------------------------------------------------------------------


@contextmanager
def no_file_larger(size: int) -> Iterator[None]:
    """As on a full disk, what is written beyond this is refused."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [0, 100, 400, 1_500, 40_000, 60_000])
def test_a_full_disk_is_said_and_what_was_read_stays(
    embedding: Embedding, ws: Workspace, saying: Saying, size: int
) -> None:
    for number in range(40):
        (ws.root / f"{number:02}.md").write_text(f"# Berth {number}\n\nThe boat of owner{number} lies there.\n")
    for file in ws.root.iterdir():
        # What was written just now would be indexed once more.
        os.utime(file, (1_700_000_000, 1_700_000_000))
    finding.memory_search(ws, "brings the words up to date")
    rows = rows_of(ws, sync.look(ws))
    with no_file_larger(size):
        if embedding.refresh(rows):
            embedding.work()
        said = embedding.progress.problems
        assert len(said) == 1 or embedding.progress.complete
        assert all(one.startswith("The meaning of memory cannot be kept: ") for one in said)
        near(ws, "mend the vessel")
        assert finding.memory_search(ws, "invoice of November")["results"][0]["path"] == "invoices.md"
    before = len(saying.seen)
    kept = embedding.progress.covered
    assert bring_up(embedding, ws).complete
    assert embedding.progress.problems == ()
    assert len(saying.seen) - before <= 43 - kept
    assert near(ws, "mend the vessel")[0] == "MEMORY.md"


def test_a_change_that_a_full_disk_refused_is_held_as_soon_as_there_is_room(
    embedding: Embedding, ws: Workspace, saying: Saying
) -> None:
    bring_up(embedding, ws)
    (ws.root / "tea.md").write_text("# Tea\n\n" + "\n\n".join(f"## Leaf {n}\n\nsort{n}" for n in range(300)))
    tea = next(path for path in rows_of(ws, sync.look(ws)) if path == "tea.md")
    with no_file_larger(10_000):
        assert not embedding.update([tea])
        assert embedding.progress.problems
    embedding.work()
    assert embedding.progress.complete
    assert embedding.progress.problems == ()
    assert near(ws, "sort222")[0] == "tea.md"


# At once -------------------------------------------------------------------------------------------------------------


def test_three_ask_while_one_embeds_and_nobody_is_told_what_does_not_stand_there(ws: Workspace, saying: Saying) -> None:
    for number in range(60):
        (ws.root / f"{number:02}.md").write_text(f"# Berth {number}\n\nThe boat of owner{number} lies there.\n")
    ended = threading.Event()

    def ask() -> int:
        """How many places were found; none of them told of a text that stood nowhere in its file."""
        finder, found = finding.open(ws), 0
        try:
            while not ended.is_set():
                for number in (7, 33, 58):
                    text = f"vessel of owner{number}"
                    places, _reading = finding.find_places(ws, text, 5, mode=finding.Mode.MEANING, finder=finder)
                    # The one that is written just now may say another thing by now.
                    settled = [place for place in places if place.path != "00.md"]
                    assert all(place.content in (ws.root / place.path).read_text() for place in settled)
                    found += len(places)
        finally:
            finder.close()
        return found

    with ThreadPoolExecutor(3) as threads:
        asking = [threads.submit(ask) for _ in range(3)]
        try:
            for turn in range(12):
                (ws.root / "00.md").write_text(f"# Berth 0\n\nThe boat of owner{turn} lies there now.\n")
                embedding = Embedding(ws.root, ws.cache)
                assert embedding.refresh(rows_of(ws, sync.look(ws)), anew=turn % 4 == 3)
                assert embedding.work()
                embedding.close()
        finally:
            ended.set()
        assert all(one.result() > 0 for one in asking)


def test_three_ask_while_another_process_makes_everything_anew(ws: Workspace) -> None:
    for number in range(12):
        (ws.root / f"{number:02}.md").write_text(f"# Berth {number}\n\nThe boat of owner{number} lies there.\n")
    command = [sys.executable, "-m", "memgui", "-w", str(ws.root), "index", "--rebuild", "--wait", "--json"]
    first = subprocess.run(command, check=True, capture_output=True)
    assert json.loads(first.stdout)["meaning"]["covered"] == 15
    prints = {one.print_ for path in rows_of(ws, sync.look(ws)) for one in passages(ws, path)}
    shared = Embedding(ws.root, ws.cache)
    loaded = {model.name: shared.embedder(model.name) for model in shared.models}
    ended = threading.Event()

    def ask() -> int:
        question, found = Question(shared.folder, shared.models, loaded.get), 0
        while not ended.is_set():
            nearness = question.answer(Wanted("which vessel is moored at berth 7", 5))
            found += nearness is not None and bool(nearness.found)
            # Nothing is told of that was never read from a document.
            assert all(near.print_ in prints for near in (nearness.found if nearness is not None else ()))
        question.close()
        return found

    with ThreadPoolExecutor(3) as threads:
        asking = [threads.submit(ask) for _ in range(3)]
        try:
            again = subprocess.run(command, check=True, capture_output=True)
        finally:
            ended.set()
        assert all(one.result() > 0 for one in asking)
    shared.close()
    told = json.loads(again.stdout)
    assert (told["meaning"]["covered"], told["problems"]) == (15, [])
    assert near(ws, "which vessel is moored at berth 7")[0] == "07.md"


def passages(ws: Workspace, path: DocPath) -> list[PassageText]:
    return passage_texts(path, (ws.root / path).read_bytes())


def test_the_folder_is_taken_away_while_it_is_asked(embedding: Embedding, ws: Workspace) -> None:
    bring_up(embedding, ws)
    question = Question(embedding.folder, embedding.models, embedding.embedder)
    assert question.answer(Wanted("mend the vessel", 5)) is not None
    shutil.rmtree(embedding.folder)
    assert question.answer(Wanted("mend the vessel", 5)) is None
    assert not os.path.exists(embedding.folder)
    question.close()
