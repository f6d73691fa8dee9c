"""What a tool's search answers: the form, the order, what is strong, and how many places one document fills."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

from memgui.domain.errors import InvalidParameters
from memgui.domain.passages import MOST_WORDS, words_in
from memgui.ops import workspace
from memgui.ops.finding import memory_search

FILES = {
    "MEMORY.md": "# Memory\n\n## Decisions\n\n- 2026-11-12 Use SQLite; one writer\n- Keep answers short\n",
    "memory/2026-11-12.md": "# 2026-11-12\n\n- 10:14 talked about the database\n\nThe decision: one writer, SQLite.\n",
    "notes/cats.md": "The cat sleeps on the printer.\n",
    "notes/记忆.md": "# 决定\n\n我们用单一数据库。\n",
    "data.txt": "SQLite in a file that is no document\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    return root


def answer(root: Path, query: str, limit: int = 5, *, exact: bool = False) -> dict[str, Any]:
    return memory_search(workspace.open(root), query, limit, exact=exact)


def places(root: Path, query: str, limit: int = 5) -> list[tuple[str, int]]:
    return [(result["path"], result["line"]) for result in answer(root, query, limit)["results"]]


def test_an_answer_has_the_form_that_tools_know(root: Path) -> None:
    found = answer(root, "use sqlite")
    assert list(found) == ["query", "results", "result_count", "terms", "confident"]
    assert (found["query"], found["result_count"], found["terms"], found["confident"]) == ("use sqlite", 1, "all", True)
    (result,) = found["results"]
    assert list(result) == ["content", "score", "document_id", "is_hybrid_match", "path", "line", "match"]
    assert result["content"] == "## Decisions\n\n- 2026-11-12 Use SQLite; one writer\n- Keep answers short"
    assert (result["score"], result["path"], result["line"], result["match"]) == (1.0, "MEMORY.md", 5, "strong")
    assert result["is_hybrid_match"] is False
    uuid.UUID(result["document_id"])


def test_a_documents_id_stays_and_differs_between_documents_and_workspaces(root: Path, tmp_path: Path) -> None:
    ids = {result["path"]: result["document_id"] for result in answer(root, "sqlite")["results"]}
    assert ids == {result["path"]: result["document_id"] for result in answer(root, "one writer")["results"]}
    assert len(set(ids.values())) == 2
    root.rename(tmp_path / "moved")
    assert not set(ids.values()) & {r["document_id"] for r in answer(tmp_path / "moved", "sqlite")["results"]}


def test_documents_that_hold_the_query_as_typed_come_before_those_with_its_words(root: Path) -> None:
    (root / "MEMORY.md").write_text("# writer one\n\nwriter one, writer one\n")
    assert places(root, "one writer") == [("memory/2026-11-12.md", 5), ("MEMORY.md", 3)]


def test_all_words_must_be_there_and_only_where_none_has_them_any_will_do(root: Path) -> None:
    assert answer(root, "writer database")["terms"] == "all"
    assert places(root, "writer database")[0][0] == "memory/2026-11-12.md"
    found = answer(root, "printer database zeppelin")
    assert found["terms"] == "any"
    assert {result["path"] for result in found["results"]} == {"notes/cats.md", "memory/2026-11-12.md"}
    assert all(result["match"] == "weak" for result in found["results"])
    assert found["confident"] is False


def test_a_question_without_blanks_is_taken_apart(root: Path) -> None:
    found = answer(root, "数据库怎么决定的")
    assert found["results"][0]["path"] == "notes/记忆.md"
    assert found["terms"] == "any"


def test_only_documents_are_answered(root: Path) -> None:
    assert "data.txt" not in {path for path, _line in places(root, "SQLite", 20)}


def test_nothing_found_is_an_empty_answer_without_confidence(root: Path) -> None:
    found = answer(root, "zeppelin")
    assert (found["results"], found["result_count"], found["confident"]) == ([], 0, False)


def test_one_document_fills_three_places_while_others_match(root: Path) -> None:
    section = "\n\n".join(f"## Part {i}\n\nneedle {i}" for i in range(30))
    (root / "many.md").write_text(section)
    (root / "one.md").write_text("needle")
    (root / "two.md").write_text("needle")
    found = [path for path, _line in places(root, "needle", 5)]
    assert sorted(found) == ["many.md", "many.md", "many.md", "one.md", "two.md"]
    assert set(found[:3]) == {"many.md", "one.md", "two.md"}
    assert len(places(root, "needle", 20)) == 20


def test_scores_begin_at_one_and_never_rise(root: Path) -> None:
    scores = [result["score"] for result in answer(root, "the one sqlite database", 20)["results"]]
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_like_places_stand_in_the_order_of_path_and_line(root: Path) -> None:
    for name in ("b.md", "a.md", "c.md"):
        (root / name).write_text("the same needle\n")
    assert places(root, "needle") == [("a.md", 1), ("b.md", 1), ("c.md", 1)]


def test_a_passage_has_at_most_two_hundred_words(root: Path) -> None:
    (root / "long.md").write_text("# Long\n\n" + "word " * 5000 + "needle " + "word " * 5000)
    (root / "list.md").write_text("".join(f"- item {i} of a long list\n" for i in range(500)) + "- the needle\n")
    (root / "汉.md").write_text("字" * 3000 + "needle" + "字" * 3000)
    found = answer(root, "needle")["results"]
    assert len(found) == 3
    for result in found:
        assert "needle" in result["content"]
        assert words_in(result["content"].strip("…")) <= MOST_WORDS
    assert next(r["content"] for r in found if r["path"] == "list.md") == "- the needle"


def test_exact_answers_hold_the_query_as_typed_and_nothing_else(root: Path) -> None:
    assert not answer(root, "writer database", exact=True)["results"]
    assert answer(root, "ONE writer", exact=True)["result_count"] == 2


@pytest.mark.parametrize(("limit", "count"), [(-5, 1), (0, 1), (1, 1), (20, 20), (10**9, 20)])
def test_the_limit_is_clamped(root: Path, limit: int, count: int) -> None:
    for i in range(30):
        (root / f"{i}.md").write_text("needle")
    assert answer(root, "needle", limit)["result_count"] == count


@pytest.mark.parametrize("limit", ["7", 2.0, None, True])
def test_a_limit_that_is_no_whole_number_is_refused(root: Path, limit: Any) -> None:
    with pytest.raises(InvalidParameters):
        answer(root, "needle", limit)


@pytest.mark.parametrize("query", ["", "  ", "\n\t", None, 7])
def test_a_blank_query_is_refused(root: Path, query: Any) -> None:
    with pytest.raises(InvalidParameters):
        answer(root, query)


def test_a_fact_in_a_named_folder_is_found_and_a_hidden_file_is_not(root: Path) -> None:
    for name in (".agentsmith/memory/fact.md", ".agentsmith/other/fact.md", ".git/fact.md", "node_modules/x/fact.md"):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text("the needle fact")
    assert places(root, "needle", 20) == [(".agentsmith/memory/fact.md", 1)]


def test_a_link_to_what_is_no_document_answers_nothing(root: Path) -> None:
    for name in ("data.txt", ".git/config"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("needle")
    (root / "link.md").symlink_to("data.txt")
    (root / "hidden.md").symlink_to(".git/config")
    assert places(root, "needle") == []
