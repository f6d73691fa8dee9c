"""Queries that nobody means well: every way of looking answers them, soon, and in its form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import pytest

from memgui.domain.workspace import Workspace
from memgui.ops import finding, workspace
from memgui.ops.finder import Finder
from memgui.ops.finding import Mode
from memgui.ops.meaning import embedding as embedding_room
from memgui.ops.meaning.asked import Wanted
from memgui.ops.meaning.embedding import Embedding
from memgui.ops.words.service import Words
from memgui.search.meaning.index import Nearness
from tests.ops.saying import SAYING, Saying, bring_up, lay

HOSTILE = {
    "twenty thousand letters": "a" * 20_000,
    "twenty thousand words": "crane " * 20_000,
    "four thousand different words": " ".join(f"w{number}" for number in range(4_000)),
    "nul": "ship\0repair",
    "nul alone": "\0",
    "a lone surrogate": "ship \ud800 repair",
    "lone surrogates alone": "\udcff\ud83d",
    "punctuation": "!?.,;:—…()[]{}<>",
    "a quote that does not end": '"ship',
    "quotes": '""""""""',
    "stars": "***",
    "question marks": "?????",
    "parentheses": "(" * 300 + "ship" + ")" * 300,
    "parentheses that do not end": "(" * 300,
    "a pattern of parentheses": "/(((/",
    "a pattern that takes for ever elsewhere": "/(a+)+$/",
    "a pattern of ten thousand": "/" + "a?" * 5_000 + "/",
    "signs": "- - -- NOT OR AND OR",
    "nots": "NOT " * 2_000 + "ship",
    "minuses": "-(-(-(-ship",
    "a range": "[a TO z] foo~9 ship^99999",
    "operators of nothing": "path: type: day: is: todo: in:",
    "right to left": "\u202eriaper\u202c pihs",
    "hebrew and arabic": "ספינה سفينة \u200f",
    "a family": "👨\u200d👩\u200d👧\u200d👦🏳️\u200d🌈",
    "only stop words": "the of and to is that it for",
    "marks without a letter": "\u0301\u0302" * 500,
    "ligatures of a phrase": "\ufdfa" * 500,
    "blanks of every kind": "\u00a0ship\u2028repair\u3000needs\u200b",
    "a number without end": "9" * 5_000,
    "lines": "ship\r\nrepair\n\n\n" * 200,
    "markup": "<script>alert(1)</script> ](file:///etc/passwd) ${jndi:x} '; DROP TABLE vectors; --",
}
SOON = 5.0
"""Seconds, on a machine that has a lot to do. One that hangs takes for ever."""


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A small memory that is known by its words and by its meaning."""
    root = lay(tmp_path / "harbour")
    text = "# 港口\n\n船需要修理。 Café, ספינה, سفينة 🎉 snake_case\n\n" + "aaaa " * 400 + "!\n"
    (root / "notes.md").write_text(text, encoding="utf-8")
    saying = Saying()
    monkeypatch.setattr(embedding_room, "models", lambda _folder=None: (SAYING,))
    monkeypatch.setattr(embedding_room, "load", lambda _model: saying)
    ws = workspace.open(root)
    embedding = Embedding(ws.root, ws.cache)
    bring_up(embedding, ws)
    embedding.close()
    return ws


@pytest.fixture
def finder(ws: Workspace) -> Iterator[Finder]:
    made = finding.open(ws)
    yield made
    made.close()


@pytest.mark.parametrize("operators", [False, True])
@pytest.mark.parametrize("mode", Mode)
def test_every_mode_answers_in_its_form(ws: Workspace, finder: Finder, mode: Mode, operators: bool) -> None:
    for name, query in HOSTILE.items():
        begun = perf_counter()
        found, reading = finding.find_places(ws, query, 5, mode=mode, operators=operators, finder=finder)
        answer = finding.answer_of(ws, query, found, reading)
        assert perf_counter() - begun < SOON, name
        scores = [result["score"] for result in answer["results"]]
        assert len(scores) == answer["result_count"] <= 5, name
        assert scores == sorted(scores, reverse=True), name
        assert all(0 < score <= 1 for score in scores), name
        assert json.loads(json.dumps(answer)) == answer, name


def test_a_window_answers_as_it_is_typed(ws: Workspace, finder: Finder) -> None:
    class Asked(Words):
        def near(self, wanted: Wanted) -> Nearness | None:
            return finder.meaning.ask(wanted)

    words = Asked(ws, helped=False)
    finder.refresh(finder.look())
    words.bring_up_to_date(finder.look())
    try:
        for name, query in HOSTILE.items():
            begun = perf_counter()
            first = finding.search_text(finder, query, count=False)
            found = finding.join_meaning(finder, words, finding.complete(ws, finder, words, first))
            assert perf_counter() - begun < SOON, name
            assert found.query == query
    finally:
        words.close()


def test_those_that_mean_something_find_it(ws: Workspace, finder: Finder) -> None:
    for name, path in {
        "nul": "MEMORY.md",
        "a lone surrogate": "MEMORY.md",
        "blanks of every kind": "MEMORY.md",
        "lines": "MEMORY.md",
        "hebrew and arabic": "notes.md",
    }.items():
        found, _reading = finding.find_places(ws, HOSTILE[name], 5, finder=finder)
        assert found, name
        assert found[0].path == path, name
