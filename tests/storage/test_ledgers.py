"""Ledgers: added to by several, damaged anywhere, grown large."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.storage import deeds
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.ledger import Follower, Ledger
from memgui.storage.seen import Seen


def deed(number: int, path: str = "a.md", origin: Origin | None = None) -> Deed:
    return Deed(float(number), "accept", DocPath(path), origin or Origin.you(), str(number))


def test_deeds_come_back_in_order_whatever_their_paths_are(tmp_path: Path) -> None:
    records = Deeds(tmp_path)
    wanted = [deed(1), deed(2, os.fsdecode(b"\xff \n.md"), Origin.shell()), deed(3, "ä.md", Origin.agent("scribe"))]
    records.note(*wanted[:2])
    records.note(wanted[2])
    assert list(records.all()) == wanted
    assert stat.S_IMODE((tmp_path / "deeds.jsonl").stat().st_mode) == 0o600


def test_a_damaged_deed_is_lost_alone(tmp_path: Path) -> None:
    records = Deeds(tmp_path)
    records.note(deed(1), deed(2))
    file = tmp_path / "deeds.jsonl"
    with open(file, "ab") as handle:
        handle.write(b'{"time": 1e999, "kind"\n[1]\n{"time": "x"}\n{"time": 3, "ki')
    records.note(deed(4))
    assert [one.time for one in records.all()] == [1, 2, 4]


def test_of_too_many_deeds_the_newest_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deeds, "_MOST_BYTES", 4000)
    records = Deeds(tmp_path)
    for number in range(200):
        records.note(deed(number))
    assert (tmp_path / "deeds.jsonl").stat().st_size <= 4200
    assert [one.time for one in records.all()][-5:] == [195, 196, 197, 198, 199]


def test_what_was_seen_is_kept_once(tmp_path: Path) -> None:
    seen, path = Seen(tmp_path), DocPath("a.md")
    for number in range(1200):
        seen.put(path, fingerprint(b"%d" % number))
    seen.put(DocPath("gone.md"), None)
    assert seen.all() == {path: fingerprint(b"1199"), "gone.md": None}
    assert len((tmp_path / "seen.jsonl").read_bytes().splitlines()) < 800
    seen.drop(path)
    assert seen.all() == {"gone.md": None}


def test_a_follower_reads_on_and_tells_when_all_it_read_is_void(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    ledger, follower = Ledger(file), Follower(file)
    assert follower.news() == (False, [])
    ledger.add([{"n": 1}, {"n": 2}])
    assert follower.news() == (True, [{"n": 1}, {"n": 2}])
    assert follower.news() == (False, [])
    with open(file, "ab") as handle:
        handle.write(b'{"n": 3')
    assert follower.news() == (False, [])
    with open(file, "ab") as handle:
        handle.write(b"}\n")
    assert follower.news() == (False, [{"n": 3}])
    ledger.replace([{"n": 4}])
    assert follower.news() == (True, [{"n": 4}])
    file.write_bytes(b'{"n": 5}\n{"n": 6}\n')
    assert follower.news() == (True, [{"n": 5}, {"n": 6}])
    # The same file, with the same end: as one that was begun anew twice, and got the number of the first.
    ledger.replace([{"n": 1}, {"n": "x" * 100}])
    assert len(follower.news()[1]) == 2
    first = file.read_bytes()
    ledger.replace([{"n": 2}, {"n": "x" * 100}])
    second = file.read_bytes()
    assert first[-64:] == second[-64:]
    (tmp_path / "some.jsonl").write_bytes(first)
    assert follower.news()[0]
    (tmp_path / "some.jsonl").write_bytes(second)
    assert follower.news() == (True, [{"n": 2}, {"n": "x" * 100}])
    file.unlink()
    assert follower.news() == (True, [])
    assert follower.news() == (False, [])
