"""What counts as accepted: from the first opening, through what is written meanwhile, and in a file that is damaged."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.paths import DocPath
from memgui.domain.review import ChangeShape
from memgui.domain.workspace import Workspace
from memgui.ops import baselines, review, review_found, sync, workspace
from memgui.ops.damage import SHELL, WINDOW, met
from memgui.ops.review_verdicts import accept
from memgui.storage.baselines import FILE, Baseline, Baselines, state_of
from tests.ops.review_values import LONG_AGO, MEMORY, SCRIBE, YOU, only, opened, put, write


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Never opened for review."""
    root = tmp_path / "ws"
    for number in range(120):
        put(root, f"{number:03}.md", b"%d\n" % number)
        os.utime(root / f"{number:03}.md", (LONG_AGO, LONG_AGO))
    return workspace.open(root, remember=False)


def test_nothing_pends_before_the_first_opening(ws: Workspace) -> None:
    assert not baselines.is_begun(ws)
    put(ws.root, "new.md", b"new\n")
    assert review.pending(ws) == ()


def test_asked_for_everything_counts_as_unseen(ws: Workspace) -> None:
    assert baselines.begin(ws, sync.look(ws), seen=False)
    changes = review.pending(ws)
    assert len(changes) == 120
    assert {change.kind for change in changes} == {ChangeShape.CREATE}


def test_what_agents_wrote_before_the_first_opening_pends_after_it(ws: Workspace) -> None:
    write(ws, b"0\nmore\n", "000.md", origin=SCRIBE)
    write(ws, b"0\nmore\nand more\n", "000.md", origin=SCRIBE)
    write(ws, b"new\n", "new.md", origin=SCRIBE)
    baselines.begin(ws, sync.look(ws))
    assert {(one.path, one.kind, one.added, *one.who) for one in review.pending(ws)} == {
        ("000.md", ChangeShape.APPEND, 2, 'agent "scribe"'),
        ("new.md", ChangeShape.CREATE, 1, 'agent "scribe"'),
    }


def test_what_is_written_while_it_goes_on_pends(ws: Workspace) -> None:
    snapshot = sync.look(ws)
    put(ws.root, "119.md", b"other\n")
    put(ws.root, "120.md", b"new\n")
    (ws.root / "118.md").unlink()
    write(ws, b"117\nmine\n", "117.md")
    write(ws, b"116\nmore\n", "116.md", origin=SCRIBE)
    assert baselines.begin(ws, snapshot)
    assert sorted(change.path for change in review.pending(ws)) == ["116.md", "119.md", "120.md"]


def test_what_the_person_writes_while_it_goes_on_does_not(ws: Workspace) -> None:
    snapshot = sync.look(ws)
    calls = iter(range(10))
    assert not baselines.begin(ws, snapshot, stop=lambda: next(calls) > 0)
    write(ws, b"119\nmine\n", "119.md")
    assert baselines.begin(ws, sync.look(ws))
    assert review.pending(ws) == ()


def test_stopped_and_begun_again_it_goes_on_and_takes_nothing_for_old_that_came_since(ws: Workspace) -> None:
    calls = iter(range(10))
    done: list[tuple[int, int]] = []
    assert not baselines.begin(
        ws, sync.look(ws), progress=lambda *told: done.append(told), stop=lambda: next(calls) > 0
    )
    assert done == [(50, 120)]
    assert review.pending(ws) == ()
    put(ws.root, "000.md", b"0\nmore\n")
    put(ws.root, "119.md", b"other\n")
    put(ws.root, "new.md", b"new\n")
    assert [change.path for change in review.pending(ws)] == ["000.md"]
    assert baselines.begin(ws, sync.look(ws))
    assert sorted(change.path for change in review.pending(ws)) == ["000.md", "119.md", "new.md"]
    assert baselines.begin(ws, sync.look(ws), seen=False)
    assert len(review.pending(ws)) == 3


def test_a_file_that_was_only_touched_does_not_pend_and_is_not_read_again(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    baselines.begin(ws, sync.look(ws))
    os.utime(ws.root / "000.md", (LONG_AGO + 9, LONG_AGO + 9))
    node = sync.look(ws).nodes[DocPath("000.md")]
    assert node.stat is not None
    # A moment later, when its times tell it from whatever is written then.
    monkeypatch.setattr(review_found, "time", SimpleNamespace(time=lambda: node.stat.ctime_ns / 1e9 + 1))
    assert review.pending(ws) == ()
    entry = Baselines(ws.state).at(node.path)
    assert entry is not None
    assert entry.is_as(node.stat)


def test_times_that_are_too_fresh_are_not_trusted(ws: Workspace) -> None:
    stat = sync.look(ws).nodes[DocPath("000.md")].stat
    assert stat is not None
    fresh = Baseline(fingerprint(b"0\n"), state_of(stat, stat.ctime_ns / 1e9 + 0.01))
    later = Baseline(fingerprint(b"0\n"), state_of(stat, stat.ctime_ns / 1e9 + 1))
    assert (fresh.is_as(stat), later.is_as(stat)) == (False, True)


def test_same_size_and_time_with_other_bytes_pends(ws: Workspace) -> None:
    baselines.begin(ws, sync.look(ws))
    put(ws.root, "000.md", b"1\n")
    os.utime(ws.root / "000.md", (LONG_AGO, LONG_AGO))
    assert only(ws).path == "000.md"


def test_a_damaged_line_costs_its_own_entry_alone(ws: Workspace) -> None:
    baselines.begin(ws, sync.look(ws))
    file = ws.state / FILE
    lines = file.read_bytes().split(b"\n")
    damaged = next(at for at, line in enumerate(lines) if b"007.md" in line)
    lines[damaged] = b'{"p": "007.md", "h": 3'
    file.write_bytes(b"\n".join(lines))
    change = only(ws)
    assert (change.path, change.kind) == ("007.md", ChangeShape.CREATE)
    accept(ws, change, origin=YOU)
    assert review.pending(ws) == ()


@pytest.mark.parametrize("line", [b"[]", b"null", b'{"p": 3}', b'{"p":"000.md","h":"x","s":null,"v":0,"t":0}', b"\xff"])
def test_lines_that_say_nothing_are_passed_over(ws: Workspace, line: bytes) -> None:
    baselines.begin(ws, sync.look(ws))
    with open(ws.state / FILE, "ab") as file:
        file.write(line + b"\n")
    assert review.pending(ws) == ()


def test_the_file_does_not_grow_for_good(ws: Workspace) -> None:
    baselines.begin(ws, sync.look(ws))
    records, path = Baselines(ws.state), DocPath("000.md")
    for _round in range(14):
        records.put((path, Baseline(fingerprint(b"%d" % number))) for number in range(100))
    assert len((ws.state / FILE).read_bytes().splitlines()) < 1400
    entries, opening = Baselines(ws.state).all()
    assert (len(entries), opening.done, entries[path].hash) == (120, True, fingerprint(b"99"))


def test_another_process_sees_what_was_accepted(ws: Workspace) -> None:
    baselines.begin(ws, sync.look(ws))
    put(ws.root, MEMORY, b"new\n")
    change = only(ws)
    if not (child := os.fork()):
        accept(ws, change, origin=YOU)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert review.pending(ws) == ()


@pytest.mark.parametrize("damage", [None, lambda _data: b"", lambda data: bytes(len(data)), lambda _data: b"\xff" * 99])
def test_where_all_entries_are_lost_everything_waits_again_and_that_is_told(
    damage: Callable[[bytes], bytes] | None, tmp_path: Path
) -> None:
    ws = opened(tmp_path / "ws", {"MEMORY.md": b"a\n", "other.md": b"b\n"})
    put(ws.root, "MEMORY.md", b"poison\n")
    file = ws.state / FILE
    if damage is None:
        file.unlink()
    else:
        file.write_bytes(damage(file.read_bytes()))
    assert baselines.is_begun(ws)
    assert baselines.begin(ws, sync.look(ws))
    assert {change.path for change in review.pending(ws)} == {"MEMORY.md", "other.md"}
    for face in (WINDOW, SHELL):
        assert "what you accepted was damaged" in (met(ws, face) or "")
        assert met(ws, face) is None
    for change in review.pending(ws):
        accept(ws, change, origin=YOU)
    assert review.pending(ws) == ()


def test_where_the_lines_of_the_opening_are_lost_no_other_is(tmp_path: Path) -> None:
    ws = opened(tmp_path / "ws", {"MEMORY.md": b"a\n"})
    put(ws.root, "new.md", b"poison\n")
    file = ws.state / FILE
    file.write_bytes(b"".join(line for line in file.read_bytes().splitlines(True) if b"began" not in line))
    assert baselines.begin(ws, sync.look(ws))
    assert only(ws).path == "new.md"
    assert met(ws, WINDOW) is not None
    (ws.state / "opening.json").unlink()
    assert only(ws).path == "new.md"


def test_a_damaged_note_of_the_opening_is_written_anew(tmp_path: Path) -> None:
    ws = opened(tmp_path / "ws", {"MEMORY.md": b"a\n"})
    note = ws.state / "opening.json"
    whole = note.read_bytes()
    note.write_bytes(b"\0" * 40)
    assert baselines.is_begun(ws)
    assert met(ws, WINDOW) is None
    assert note.read_bytes() == whole
