"""The file of vectors: what was added is found again, and what is not whole is never taken for one."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memgui.search.meaning.vectors import BrokenVectorsError, VectorFile


def some(count: int, dimension: int = 8, seed: int = 1) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).normal(size=(count, dimension))
    unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.fixture
def file(tmp_path: Path) -> Iterator[VectorFile]:
    made = VectorFile(tmp_path / "v", "m")
    yield made
    made.close()


def test_each_vector_is_most_like_itself(file: VectorFile) -> None:
    rows = some(500)
    assert file.add(rows[:200]) == 0
    assert file.add(rows[200:]) == 200
    file.refresh()
    for number in (0, 199, 200, 499):
        alike = file.similarities(rows[number : number + 1])
        assert alike.argmax() == number
        assert alike[number] == pytest.approx(1.0, abs=0.02)


def test_what_another_process_adds_is_seen_after_a_look(file: VectorFile, tmp_path: Path) -> None:
    writer = VectorFile(tmp_path / "v", "m")
    file.refresh()
    assert len(file.similarities(some(1))) == 0
    writer.add(some(3))
    file.refresh()
    assert len(file.similarities(some(1))) == 3


def test_a_file_made_anew_with_as_many_rows_is_another(file: VectorFile, tmp_path: Path) -> None:
    file.add(some(5))
    file.refresh()
    other = some(5, seed=9)
    VectorFile(tmp_path / "new", "m").add(other)
    (tmp_path / "new").replace(tmp_path / "v")
    file.refresh()
    assert file.similarities(other[3:4]).argmax() == 3


def test_the_nearest_are_those_of_a_comparison_with_every_number(file: VectorFile) -> None:
    rows, asked = some(3_000, 384), some(20, 384, seed=2)
    file.add(rows[:1_500])
    file.add(rows[1_500:])
    file.refresh()
    whole = rows - rows.mean(axis=0)
    whole /= np.linalg.norm(whole, axis=1, keepdims=True)
    for question in asked:
        own = question - rows.mean(axis=0)
        exact = whole @ (own / np.linalg.norm(own))
        found = file.similarities(question[None, :])
        assert np.abs(found - exact).max() < 0.01
        best = set(np.argsort(-found)[:60].tolist())
        assert len(best & set(np.argsort(-exact)[:40].tolist())) == 40


def test_a_few_more_rows_are_compared_without_weighing_all_anew(
    file: VectorFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = some(3_000, 384)
    file.add(rows[:2_900])
    file.refresh()
    weighed: list[int] = []
    weigh = VectorFile._weigh

    def noted(one: VectorFile) -> None:
        weighed.append(one.rows)
        weigh(one)

    monkeypatch.setattr(VectorFile, "_weigh", noted)
    for first in range(2_900, 3_000, 50):
        file.add(rows[first : first + 50])
        file.refresh()
    assert weighed == []
    anew = VectorFile(tmp_path / "v", "m")
    anew.refresh()
    for question in (rows[10:11], rows[2_990:2_991], some(1, 384, seed=5)):
        assert np.abs(file.similarities(question) - anew.similarities(question)).max() < 0.01
    anew.close()
    file.add(some(300, 384, seed=6))
    file.refresh()
    assert weighed == [3_000, 3_300]


def test_a_question_takes_little_memory_however_many_rows_there_are(file: VectorFile) -> None:
    file.add(some(20_000, 384))
    file.refresh()
    question = some(1, 384, seed=3)
    tracemalloc.start()
    try:
        file.similarities(question)
        _held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 4_000_000


def test_a_file_cut_short_while_it_is_open_is_broken_and_ends_nobody(file: VectorFile, tmp_path: Path) -> None:
    file.add(some(100))
    file.refresh()
    os.truncate(tmp_path / "v", 700)
    with pytest.raises(BrokenVectorsError):
        file.similarities(some(1))
    file.refresh()
    assert len(file.similarities(some(1))) == file.rows > 0


def test_half_a_row_that_a_killed_writer_left_is_written_over(file: VectorFile, tmp_path: Path) -> None:
    path = tmp_path / "v"
    file.add(some(2))
    whole = path.read_bytes()
    path.write_bytes(whole + b"half a row")
    assert file.rows == 2
    assert file.add(some(1, seed=2)) == 2
    assert path.read_bytes().startswith(whole)
    assert len(path.read_bytes()) == len(whole) + (len(whole) - 128) // 2


def test_a_damaged_row_is_known_and_costs_no_other(file: VectorFile, tmp_path: Path) -> None:
    path = tmp_path / "v"
    file.add(some(3))
    data = bytearray(path.read_bytes())
    data[-1] ^= 0xFF
    path.write_bytes(data)
    file.refresh()
    assert [file.is_whole(row) for row in range(3)] == [True, True, False]


@pytest.mark.parametrize("head", [b"", b"another file" * 20, b"memgui vectors 1 8 other\n".ljust(128, b"\0")])
def test_a_file_of_another_model_or_of_nobody_is_broken(tmp_path: Path, head: bytes) -> None:
    (tmp_path / "v").write_bytes(head)
    with pytest.raises(BrokenVectorsError):
        _ = VectorFile(tmp_path / "v", "m").rows


def test_vectors_of_another_length_are_not_mixed_in(tmp_path: Path) -> None:
    file = VectorFile(tmp_path / "v", "m")
    file.add(some(1, dimension=8))
    with pytest.raises(BrokenVectorsError):
        file.add(some(1, dimension=16))


def test_the_file_is_for_this_user_alone(tmp_path: Path) -> None:
    VectorFile(tmp_path / "v", "m").add(some(1))
    assert (tmp_path / "v").stat().st_mode & 0o777 == 0o600
