"""Searches are kept per workspace, and forgotten with a secret that stands in one."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from memgui.domain.errors import WriteFailed
from memgui.domain.origin import Origin
from memgui.domain.searches import LONGEST, MOST_SAVED
from memgui.domain.workspace import Workspace
from memgui.ops import forgetting, searches, workspace
from memgui.ops.searches import Searches
from memgui.storage import private


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
    searches.keep(ws, MADE, base=Searches())
    assert searches.known(ws) == MADE
    assert (ws.state / "searches.jsonl").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "damage", [b"\xff\n", b"[]\n{}\n", b'{"query": 7}\n', b'{"query": "x", "name": "n"', b"{" * 10_000]
)
def test_damage_costs_its_own_line_alone(ws: Workspace, damage: bytes) -> None:
    searches.keep(ws, MADE, base=Searches())
    file = ws.state / "searches.jsonl"
    file.write_bytes(file.read_bytes() + damage)
    assert searches.known(ws) == MADE


def test_a_secret_that_was_searched_for_is_forgotten_and_the_others_stay(ws: Workspace) -> None:
    with_it = searches.keep(ws, MADE.made("hunter2-swordfish"), base=Searches())
    forgetting.forget(ws, forgetting.secret("hunter2-swordfish"), origin=Origin.you())
    assert searches.known(ws) == MADE
    # A window that knows it still brings it back with no search of its own.
    assert searches.keep(ws, with_it.made("tide"), base=with_it) == MADE.made("tide")


def test_two_windows_keep_what_both_made_and_what_one_took_away_is_gone(ws: Workspace) -> None:
    base = searches.keep(ws, MADE, base=Searches())
    one = base.made("tide").with_saved("tide", "the tide").without("day:2026-11")
    other = base.made("moon").with_saved("moon", "").without("crane").with_saved("key", "the key")
    searches.keep(ws, one, base=base)
    kept = searches.keep(ws, other, base=base)
    assert kept == searches.known(ws)
    assert [one.title for one in kept.saved] == ["moon", "the key", "the tide"]
    assert kept.recent == ("moon", "tide", '"a phrase" \u4e2d\u6587')


def test_all_that_may_be_saved_is_known_again_however_long(ws: Workspace) -> None:
    made = Searches()
    for number in range(MOST_SAVED):
        made = made.with_saved(f"{number} " + "\U0001f9ad" * (LONGEST - 4), "\U0001f30a" * LONGEST)
    searches.keep(ws, made, base=Searches())
    assert len(searches.known(ws).saved) == MOST_SAVED


def test_a_disk_that_takes_nothing_is_told_where_a_saved_search_is_lost(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = searches.keep(ws, MADE, base=Searches())

    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(private, "put", full)
    searches.keep(ws, base.made("tide"), base=base)
    with pytest.raises(WriteFailed, match="could not be kept"):
        searches.keep(ws, base.with_saved("tide", ""), base=base)
    assert searches.known(ws) == base
