"""`memgui index` and `--mode words`: states, building, what they print."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def run(root: Path, *words: str) -> tuple[int, str, str]:
    ran = subprocess.run(
        [sys.executable, "-m", "memgui", *words, "-w", str(root)], capture_output=True, text=True, check=False
    )
    return ran.returncode, ran.stdout, ran.stderr


def as_json(root: Path, *words: str) -> Any:
    return json.loads(run(root, *words, "--json")[1])


def test_the_index_is_missing_then_built_then_behind_then_ready(workspace_root: Path) -> None:
    none = as_json(workspace_root, "index")
    model = none["meaning"]["model"]
    assert "minilm" in model
    meaning = {"model": model, "covered": 0}
    assert none == {"files": 0, "passages": 0, "words": "missing", "meaning": meaning, "problems": []}
    built = as_json(workspace_root, "index", "--wait")
    assert (built["files"], built["words"]) == (12, "ready")
    assert built["passages"] > 12
    assert built["meaning"]["model"] == model
    assert built["meaning"]["covered"] == built["passages"]
    (workspace_root / "new.md").write_text("a lantern\n")
    assert as_json(workspace_root, "index")["words"] == "building"
    code, out, err = run(workspace_root, "index", "--rebuild")
    assert (code, err) == (0, "")
    assert out.startswith("The index is ready: 13 documents in ")


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("berth crane", {"MEMORY.md"}),
        ("day:2026-11-29 crane", {"memory/2026-11-29.md"}),
        ("is:protected harbour", {"USER.md", "IDENTITY.md"}),
    ],
)
def test_words_are_searched_without_an_index_to_begin_with(workspace_root: Path, query: str, paths: set[str]) -> None:
    answer = as_json(workspace_root, "search", query, "--mode", "words")
    assert {result["path"] for result in answer["results"]} == paths
    assert answer["terms"] == "all"


def test_what_holds_the_query_as_typed_comes_first_then_its_words(workspace_root: Path) -> None:
    (workspace_root / "a.md").write_text("# Crane\n\nIt was repaired.\n")
    results = as_json(workspace_root, "search", "crane is repaired")["results"]
    assert [result["path"] for result in results][:1] == ["MEMORY.md"]
    (workspace_root / "b.md").write_text("# Crane\n\nIt is repaired: is it?\n")
    results = as_json(workspace_root, "search", "crane is repaired")["results"]
    assert [result["path"] for result in results] == ["MEMORY.md", "b.md"]
    assert not any(result["is_hybrid_match"] for result in results)
