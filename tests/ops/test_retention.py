"""Retention: what goes by age, by folding and for room; what stays; and that a kill in between loses nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.errors import MemguiError
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import documents, recovery, retention, versions, workspace
from memgui.ops.retention import Limits, Swept
from memgui.storage import kept
from memgui.storage.baselines import Baseline, Baselines
from memgui.storage.deeds import Deed, Deeds

DAY = 86_400.0
NOW = 1_000 * DAY
USUAL = Limits()
MEMORY, YOU, SCRIBE = DocPath("MEMORY.md"), Origin.you(), Origin.agent("scribe")


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "ws"
    root.mkdir()
    return workspace.open(root, remember=False)


def write(ws: Workspace, data: bytes, days: float, path: DocPath = MEMORY, origin: Origin = SCRIBE) -> None:
    """So many days ago."""
    file = ws.root / path
    expected = fingerprint(file.read_bytes()) if file.exists() else None
    documents.write(ws, path, data, expected=expected, origin=origin, now=NOW - days * DAY)
    os.utime(file, (1, 1))


def numbers(ws: Workspace, path: DocPath = MEMORY) -> list[int]:
    return [one.number for one in versions.seen(ws, path, now=NOW)]


def texts(ws: Workspace, path: DocPath = MEMORY) -> list[bytes]:
    return [versions.bytes_of(ws, path, one) for one in versions.seen(ws, path, now=NOW)]


def swept(ws: Workspace, limits: Limits = USUAL, *, asked: bool = False, keep: frozenset[str] = frozenset()) -> Swept:
    return retention.sweep(ws, limits, now=NOW, asked=asked, keep=keep)  # type: ignore[arg-type]


def test_what_was_replaced_before_the_age_goes_and_numbers_stay(ws: Workspace) -> None:
    for number, days in enumerate((200, 150, 100, 50, 10)):
        write(ws, b"text %d\n" % number, days)
    done = swept(ws)
    assert (done.versions, numbers(ws)) == (2, [3, 4, 5])
    assert texts(ws) == [b"text 2\n", b"text 3\n", b"text 4\n"]
    assert len(list(recovery.copies(ws).all())) == 3
    write(ws, b"next\n", 1)
    assert numbers(ws) == [3, 4, 5, 6]
    assert swept(ws).versions == 0


def test_the_newest_stays_however_old_it_is(ws: Workspace) -> None:
    write(ws, b"one\n", 400)
    write(ws, b"two\n", 300)
    swept(ws)
    assert texts(ws) == [b"two\n"]


def test_what_something_else_refers_to_stays(ws: Workspace) -> None:
    for number in range(4):
        write(ws, b"text %d\n" % number, 200 - number)
    Baselines(ws.state).put(
        [(MEMORY, Baseline(fingerprint(b"text 0\n"))), (MEMORY, Baseline(fingerprint(b"text 1\n")))]
    )
    swept(ws, keep=frozenset({fingerprint(b"text 2\n")}))
    assert numbers(ws) == [2, 3, 4]
    assert texts(ws) == [b"text 1\n", b"text 2\n", b"text 3\n"]


def test_saves_within_five_minutes_fold_but_not_what_a_verdict_left_behind(ws: Workspace) -> None:
    minute = 1 / 1440
    for number in range(6):
        write(ws, b"save %d\n" % number, 1 - number * minute, origin=YOU)
    Deeds(ws.state).note(Deed(NOW - DAY + 150, "reject", MEMORY, YOU))
    swept(ws)
    assert numbers(ws) == [3, 6]
    assert texts(ws) == [b"save 2\n", b"save 5\n"]


def test_without_a_limit_nothing_goes_by_age(ws: Workspace) -> None:
    for number in range(4):
        write(ws, b"text %d\n" % number, 900 - number)
    swept(ws, Limits(days=0, megabytes=0))
    assert numbers(ws) == [1, 2, 3, 4]


def test_a_copy_that_others_stand_on_stays_until_they_go(ws: Workspace) -> None:
    log = b"- a line of a log\n" * 100
    for number in range(20):
        log += b"- entry %d %s\n" % (number, os.urandom(8).hex().encode())
        write(ws, log, 200 if number < 10 else 20 - number)
    before = texts(ws)
    assert any(copy.base is not None for copy in recovery.copies(ws).all())
    swept(ws)
    assert texts(ws) == before[9:]


def big(number: int, size: int = 300_000) -> bytes:
    return os.urandom(size).hex().encode() + b" %d\n" % number


def test_too_much_is_said_and_nothing_under_the_age_goes_without_asking(ws: Workspace) -> None:
    for number in range(5):
        write(ws, big(number), 50 - number)
    done = swept(ws, Limits(megabytes=1))
    assert (done.versions, numbers(ws)) == (0, [1, 2, 3, 4, 5])
    assert done.over == done.kept - 1_000_000 > 0


def test_asked_it_takes_first_from_the_document_that_uses_most(ws: Workspace) -> None:
    small = DocPath("small.md")
    for number in range(3):
        write(ws, b"small %d\n" % number + big(number, 20_000), 80 - number, small)
    for number in range(6):
        write(ws, big(number), 50 - number)
    done = swept(ws, Limits(megabytes=1), asked=True)
    assert done.over == 0
    assert done.kept <= 1_000_000
    assert numbers(ws, small) == [1, 2, 3]
    assert numbers(ws)[-1] == 6
    assert 1 not in numbers(ws)


def test_what_a_person_wrote_and_what_stands_nowhere_else_goes_last(ws: Workspace) -> None:
    """Each version has the lines of the one before, but the fourth has one that the fifth lacks."""
    noise = [os.urandom(60_000).hex().encode() + b"\n" for _number in range(9)]
    for number in range(9):
        lost = b"only here\n" if number == 3 else b""
        origin = YOU if number == 1 else SCRIBE
        write(ws, b"".join(noise[: number + 1]) + lost, 50 - number, origin=origin)
    kept_now = retention.usage(ws)
    done = swept(ws, Limits(megabytes=kept_now // 1_000_000), asked=True)
    assert done.versions > 0
    assert {2, 4, 9} <= set(numbers(ws))
    assert 1 not in numbers(ws)


def test_what_no_version_tells_of_goes_once_it_is_old_enough(ws: Workspace) -> None:
    write(ws, b"text\n", 1)
    old, young = recovery.kept(ws, b"displaced\n"), recovery.kept(ws, b"given up\n")
    os.utime(ws.state / "kept" / old[:2] / old[2:], (NOW - 100 * DAY, NOW - 100 * DAY))
    os.utime(ws.state / "kept" / young[:2] / young[2:], (NOW, NOW))
    swept(ws)
    assert old not in recovery.copies(ws)
    assert young in recovery.copies(ws)


def test_bytes_that_come_back_while_it_sweeps_are_kept(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        write(ws, b"text %d\n" % number, 200 - number)
    removed = retention._remove

    def first_write(*given: object, **named: object) -> int:
        write(ws, b"text 0\n", 0, DocPath("again.md"))
        return removed(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(retention, "_remove", first_write)
    swept(ws)
    assert texts(ws, DocPath("again.md")) == [b"text 0\n"]
    assert numbers(ws) == [3]


def test_bytes_that_are_kept_again_while_it_sweeps_stay(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    write(ws, b"text\n", 1)
    old = recovery.kept(ws, b"displaced\n")
    os.utime(ws.state / "kept" / old[:2] / old[2:], (NOW - 100 * DAY, NOW - 100 * DAY))
    told = retention._told_since

    def first_keep(*given: object) -> set[object]:
        recovery.kept(ws, b"displaced\n")
        return told(*given)  # type: ignore[arg-type,return-value]

    monkeypatch.setattr(retention, "_told_since", first_keep)
    swept(ws)
    assert old in recovery.copies(ws)


def test_stopped_or_killed_between_logs_and_copies_nothing_that_is_listed_is_lost(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        write(ws, b"text %d\n" % number, 200 - number * 30)
    before = dict(zip(numbers(ws), texts(ws), strict=True))

    def killed(_copies: object, _print: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(kept.KeptCopies, "drop", killed)
        with pytest.raises(KeyboardInterrupt):
            swept(ws)
    assert dict(zip(numbers(ws), texts(ws), strict=True)).items() <= before.items()
    swept(ws)
    assert dict(zip(numbers(ws), texts(ws), strict=True)).items() <= before.items()
    retention.sweep(ws, Limits(), now=NOW, stop=lambda: True)


def test_a_lost_twin_comes_back_with_a_sweep(ws: Workspace) -> None:
    log = b"- a line of a log\n" * 100
    for number in range(6):
        log += b"- entry %d\n" % number
        write(ws, log, 5)
    base = next(copy.base for copy in recovery.copies(ws).all() if copy.base is not None)
    file = ws.state / "kept" / base[:2] / base[2:]
    file.write_bytes(b"damage")
    swept(ws)
    assert file.read_bytes() != b"damage"
    file.with_name(file.name + ".twin").unlink()
    assert len(texts(ws)) == 6


def test_a_state_folder_that_is_not_there_is_no_trouble(ws: Workspace) -> None:
    assert swept(ws) == Swept()
    with pytest.raises(MemguiError):
        versions.seen(ws, MEMORY)
