"""Kept copies, the write journal, the crash journal, the lock: private, whole, and one damage never spreads."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memgui.domain.documents import fingerprint
from memgui.domain.errors import ExecutionFailed, NotFound, ReadFailed
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.requests import Unsaved
from memgui.storage import anchors
from memgui.storage.crash import CrashJournal, leave_desk, take_desk
from memgui.storage.journal import Journal
from memgui.storage.kept import KeptCopies
from memgui.storage.locks import workspace_lock


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*"))}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(st.binary())
def test_a_kept_copy_comes_back_to_the_byte(tmp_path: Path, data: bytes) -> None:
    copies = KeptCopies(tmp_path / "kept")
    assert copies.put(data) == copies.put(data) == fingerprint(data)
    assert copies.get(fingerprint(data)) == data
    assert fingerprint(data) in copies


def test_a_damaged_copy_is_lost_alone_and_can_be_kept_again(tmp_path: Path) -> None:
    copies = KeptCopies(tmp_path / "kept")
    one, other = copies.put(b"one"), copies.put(b"other")
    for path in (tmp_path / "kept").rglob("*"):
        if path.is_file() and path.parent.name + path.name == one:
            path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(ReadFailed):
        copies.get(one)
    assert copies.get(other) == b"other"
    copies.put(b"one")
    assert copies.get(one) == b"one"
    with pytest.raises(NotFound):
        copies.get(fingerprint(b"never"))


def test_everything_kept_is_private_whatever_the_mask_is(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        KeptCopies(tmp_path / "state/kept").put(b"text")
        CrashJournal(tmp_path / "state/unsaved").put(Unsaved(DocPath("a.md"), fingerprint(b"b"), b"x", 1.0, 0, b"b"))
        Journal(tmp_path / "state").intend(DocPath("a.md"), Origin.you(), before=None, after=None, time=1.0)
        with workspace_lock(tmp_path / "state"):
            assert modes(tmp_path / "state") == {0o700, 0o600}
    finally:
        os.umask(old)


def test_rows_come_back_as_they_were_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    name = DocPath(os.fsdecode(b"bad\xff.md"))
    assert journal.last() is None
    first = journal.intend(name, Origin.agent("scribe"), before=None, after=fingerprint(b"x"), time=1.5)
    second = journal.intend(DocPath("b.md"), Origin.you(), before=fingerprint(b"x"), after=None, time=2.5)
    assert second > first
    (row,) = journal.rows(name)
    assert (row.path, row.origin, row.before, row.after, row.time) == (
        name,
        Origin.agent("scribe"),
        None,
        fingerprint(b"x"),
        1.5,
    )
    assert [row.id for row in journal.rows()] == [first, second]
    assert [row.id for row in journal.rows(after_id=first)] == [second]
    assert journal.last() == journal.rows()[-1]


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 100, None])
def test_a_damaged_journal_is_moved_aside_and_begun_anew(tmp_path: Path, damage: bytes | None) -> None:
    journal = Journal(tmp_path)
    for number in range(50):
        journal.intend(DocPath(f"{number}.md"), Origin.you(), before=None, after=None, time=1.0)
    anchors.release()
    file = tmp_path / "journal.sqlite"
    whole = file.read_bytes()
    file.write_bytes(whole[:100] + os.urandom(len(whole) - 100) if damage is None else damage)
    journal.intend(DocPath("new.md"), Origin.you(), before=None, after=None, time=1.0)
    assert journal.rows()[-1].path == "new.md"
    assert bool(list(tmp_path.glob("journal.sqlite.damaged-*"))) is (damage != b"")


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 100])
def test_a_journal_that_is_damaged_under_a_running_program_takes_the_next_row(tmp_path: Path, damage: bytes) -> None:
    journal = Journal(tmp_path)
    journal.intend(DocPath("a.md"), Origin.you(), before=None, after=None, time=1.0)
    (tmp_path / "journal.sqlite").write_bytes(damage)
    journal.intend(DocPath("new.md"), Origin.you(), before=None, after=None, time=1.0)
    assert journal.rows()[-1].path == "new.md"


def test_a_busy_journal_is_waited_for(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.intend(DocPath("a.md"), Origin.you(), before=None, after=None, time=1.0)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite", check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.05, other.rollback)
        timer.start()
        journal.intend(DocPath("b.md"), Origin.you(), before=None, after=None, time=2.0)
        timer.join()
    assert len(journal.rows()) == 2


@pytest.mark.parametrize("begins", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "BEGIN; SELECT * FROM sqlite_master"])
def test_a_journal_that_another_is_about_to_begin_is_waited_for(tmp_path: Path, begins: str) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.sqlite", check_same_thread=False)) as other:
        other.executescript(begins)
        timer = threading.Timer(0.05, other.rollback)
        timer.start()
        journal = Journal(tmp_path)
        journal.intend(DocPath("a.md"), Origin.you(), before=None, after=None, time=1.0)
        timer.join()
    assert len(journal.rows()) == 1


def test_a_journal_that_cannot_be_kept_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"a file in the way")
    with pytest.raises(ExecutionFailed) as caught:
        Journal(tmp_path / "state").intend(DocPath("a.md"), Origin.you(), before=None, after=None, time=1.0)
    assert caught.value.hint


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(st.binary(), st.none() | st.binary(), st.integers(0, 10**6))
def test_unsaved_text_comes_back_with_its_base(tmp_path: Path, data: bytes, base: bytes | None, caret: int) -> None:
    journal = CrashJournal(tmp_path / "unsaved")
    path = DocPath("sub/" + os.fsdecode(b"bad\xff.md"))
    unsaved = Unsaved(path, None if base is None else fingerprint(base), data, 12.5, caret, base)
    journal.put(Unsaved(path, fingerprint(b"older"), b"older text", 1.0, 0, b"older"))
    journal.put(unsaved)
    assert journal.all() == (unsaved,)
    journal.drop(path)
    assert journal.all() == ()
    assert not list((tmp_path / "unsaved").iterdir())


def test_a_damaged_entry_hides_no_other_and_is_not_thrown_away(tmp_path: Path) -> None:
    journal = CrashJournal(tmp_path / "unsaved")
    for number in range(6):
        journal.put(Unsaved(DocPath(f"{number}.md"), None, b"text %d" % number, float(number)))
    entries = sorted((tmp_path / "unsaved").iterdir())
    damages = [b"", b"{}\n", entries[2].read_bytes()[:-2], b"[1]\n" + b"x", b'{"path": "zz"}\n']
    for entry, damage in zip(entries, damages, strict=False):
        entry.write_bytes(damage)
    assert len(journal.all()) == 1
    assert len(list((tmp_path / "unsaved/damaged").iterdir())) == 5
    assert len(journal.all()) == 1


def test_the_text_of_another_running_memgui_is_left_to_it(tmp_path: Path) -> None:
    journal = CrashJournal(tmp_path / "unsaved")
    journal.put(Unsaved(DocPath("a.md"), None, b"mine", 1.0))
    (entry,) = (tmp_path / "unsaved").iterdir()
    stem, _process, ending = entry.name.split(".")
    start = Path("/proc/1/stat").read_text().rpartition(")")[2].split()[19]
    foreign = entry.rename(entry.with_name(f"{stem}.1-{start}-1.{ending}"))
    assert journal.all() == ()
    journal.drop(DocPath("a.md"))
    assert foreign.exists()
    # The number is used again by a process that began at another time: the writer itself has ended.
    foreign.rename(entry.with_name(f"{stem}.1-{int(start) + 1}-1.{ending}"))
    assert [unsaved.data for unsaved in journal.all()] == [b"mine"]


@pytest.fixture
def desks() -> Iterator[tuple[str, str]]:
    taken = take_desk(), take_desk()
    yield taken
    for desk in taken:
        leave_desk(desk)


def test_two_windows_of_one_process_keep_their_texts_apart(tmp_path: Path, desks: tuple[str, str]) -> None:
    one, other = (CrashJournal(tmp_path / "unsaved", desk) for desk in desks)
    path = DocPath("a.md")
    one.put(Unsaved(path, None, b"one", 1.0))
    other.put(Unsaved(path, None, b"other", 2.0))
    assert [unsaved.data for unsaved in one.all()] == [b"one"]
    one.drop(path)
    assert [unsaved.data for unsaved in other.all()] == [b"other"]
    # Once its window is no more, anybody may claim it.
    leave_desk(desks[1])
    assert [unsaved.data for unsaved in one.claim(_refuse)] == [b"other"]


def test_saving_forgets_the_saved_text_and_nothing_typed_since(tmp_path: Path) -> None:
    journal = CrashJournal(tmp_path / "unsaved")
    path = DocPath("a.md")
    journal.put(Unsaved(path, None, b"typed on", 1.0))
    journal.drop(path, saved=b"typed")
    assert [unsaved.data for unsaved in journal.all()] == [b"typed on"]
    journal.drop(path, saved=b"typed on")
    assert journal.all() == ()


def test_a_text_left_by_somebody_who_ended_is_not_forgotten_by_a_save_of_others(
    tmp_path: Path, desks: tuple[str, str]
) -> None:
    one, other = (CrashJournal(tmp_path / "unsaved", desk) for desk in desks)
    path = DocPath("a.md")
    other.put(Unsaved(path, None, b"theirs", 1.0))
    leave_desk(desks[1])
    one.drop(path, saved=b"mine")
    one.drop(path)
    assert [unsaved.data for unsaved in one.all()] == [b"theirs"]


def test_of_several_texts_the_newest_comes_back_and_the_others_are_kept(tmp_path: Path) -> None:
    path, copies = DocPath("a.md"), KeptCopies(tmp_path / "kept")
    texts = {b"first": 1.0, b"second": 2.0, b"third": 3.0}
    for text, time in texts.items():
        desk = take_desk()
        CrashJournal(tmp_path / "unsaved", desk).put(Unsaved(path, None, text, time))
        leave_desk(desk)
    desk = take_desk()
    journal = CrashJournal(tmp_path / "unsaved", desk)
    (back,) = journal.claim(copies.put)
    assert (back.data, back.others) == (b"third", 2)
    assert copies.get(fingerprint(b"first")) == b"first"
    assert copies.get(fingerprint(b"second")) == b"second"
    journal.drop(path)
    assert not list((tmp_path / "unsaved").iterdir())
    leave_desk(desk)


def test_what_this_window_keeps_already_is_nothing_that_it_finds(tmp_path: Path, desks: tuple[str, str]) -> None:
    one, other = (CrashJournal(tmp_path / "unsaved", desk) for desk in desks)
    other.put(Unsaved(DocPath("a.md"), None, b"left behind", 1.0))
    leave_desk(desks[1])
    for path in ("a.md", "b.md"):
        one.put(Unsaved(DocPath(path), None, b"typed just now", 2.0))
    assert [unsaved.data for unsaved in one.claim(_refuse)] == [b"left behind"]
    assert sorted(unsaved.data for unsaved in one.all()) == [b"left behind", b"typed just now", b"typed just now"]


def test_what_cannot_be_kept_is_left_where_it_is(tmp_path: Path) -> None:
    path = DocPath("a.md")
    for text, time in ((b"first", 1.0), (b"second", 2.0)):
        desk = take_desk()
        CrashJournal(tmp_path / "unsaved", desk).put(Unsaved(path, None, text, time))
        leave_desk(desk)
    desk = take_desk()
    journal = CrashJournal(tmp_path / "unsaved", desk)
    (back,) = journal.claim(_refuse)
    assert back.data == b"second"
    journal.drop(path)
    assert [unsaved.data for unsaved in journal.all()] == [b"first"]
    leave_desk(desk)


def test_a_text_that_the_folder_will_not_take_goes_into_the_spare_one_and_comes_back_from_there(tmp_path: Path) -> None:
    folder, spare, path = tmp_path / "unsaved", tmp_path / "spare", DocPath("a.md")
    journal = CrashJournal(folder, spare=spare)
    journal.put(Unsaved(path, fingerprint(b"base"), b"first", 1.0, 0, b"base"))
    folder.rename(tmp_path / "away")
    folder.write_bytes(b"in the way")
    journal.put(Unsaved(path, fingerprint(b"base"), b"second", 2.0, 0, b"base"))
    assert modes(spare) == {0o700, 0o600}
    folder.unlink()
    (tmp_path / "away").rename(folder)
    copies = KeptCopies(tmp_path / "kept")
    desk = take_desk()
    journal = CrashJournal(folder, desk, spare=spare)
    (back,) = journal.claim(copies.put)
    assert (back.data, back.base_data, back.others) == (b"second", b"base", 1)
    journal.put(Unsaved(path, fingerprint(b"base"), b"third", 3.0, 0, b"base"))
    assert [unsaved.data for unsaved in journal.all()] == [b"third"]
    journal.drop(path)
    assert not [*folder.iterdir(), *spare.iterdir()]
    leave_desk(desk)


def _refuse(data: bytes) -> None:
    raise OSError(errno.ENOSPC, "full")


def test_the_lock_lets_one_in_at_a_time_and_its_holder_in_again(tmp_path: Path) -> None:
    inside: list[str] = []
    tried = threading.Event()

    def other() -> None:
        with pytest.raises(ExecutionFailed, match="Another memgui"), workspace_lock(tmp_path, timeout=0):
            inside.append("other")
        tried.set()

    with workspace_lock(tmp_path), workspace_lock(tmp_path):
        thread = threading.Thread(target=other)
        thread.start()
        assert tried.wait(10)
        thread.join()
    assert not inside
    with workspace_lock(tmp_path, timeout=0):
        pass
