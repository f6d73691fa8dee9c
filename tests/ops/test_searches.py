"""Searches are kept per workspace, and forgotten with a secret that stands in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgui.domain.origin import Origin
from memgui.domain.workspace import Workspace
from memgui.ops import forgetting, searches, workspace
from memgui.ops.searches import Searches


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "harbour"
    root.mkdir()
    (root / "MEMORY.md").write_text("# Harbour\n")
    return workspace.open(root)


MADE = (
    Searches().made("crane").made('"a phrase" \u4e2d\u6587').with_saved("day:2026-11", "November").with_saved("key", "")
)


def test_what_is_kept_is_known_again(ws: Workspace) -> None:
    searches.keep(ws, MADE)
    assert searches.known(ws) == MADE
    assert (ws.state / "searches.jsonl").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "damage", [b"\xff\n", b"[]\n{}\n", b'{"query": 7}\n', b'{"query": "x", "name": "n"', b"{" * 10_000]
)
def test_damage_costs_its_own_line_alone(ws: Workspace, damage: bytes) -> None:
    searches.keep(ws, MADE)
    file = ws.state / "searches.jsonl"
    file.write_bytes(file.read_bytes() + damage)
    assert searches.known(ws) == MADE


def test_a_secret_that_was_searched_for_is_forgotten_and_the_others_stay(ws: Workspace) -> None:
    searches.keep(ws, MADE.made("hunter2-swordfish"))
    forgetting.forget(ws, forgetting.secret("hunter2-swordfish"), origin=Origin.you())
    assert searches.known(ws) == MADE
