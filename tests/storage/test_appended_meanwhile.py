"""An agent appends to a document while it is saved: at whatever step that is, the line stands there in the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import FrameType

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.errors import Conflict
from memgui.domain.paths import DocPath
from memgui.storage import exchange, removing, swap
from memgui.storage import replace as replacing
from tests.storage.conftest import Desk

BEFORE = b"# Memory\n- one\n- two\n"
LINE = b"- agent\n"
LATER = b"- later\n"
TEXTS = {
    "longer": b"# Mine\n- one\n- two\n- three\n- four\n- five\n",
    "as long": b"# Memory\n- ONE\n- TWO\n",
    "shorter": b"# Mine\n",
    "added to": BEFORE + b"- three\n",
}
# Where a document becomes shorter in place, what is appended in the instant before the cut is not seen.
UNSEEN = "ftruncate"


def at_step(number: int, deed: Callable[[], None], write: Callable[[], object]) -> int:
    """Write, and do the deed before the so-manieth call to the system. How many there were."""
    calls = 0

    def step(frame: FrameType, event: str, called: object) -> None:
        nonlocal calls
        if event == "c_call" and getattr(called, "__module__", "") in ("posix", "fcntl"):
            # The system itself lets an opener wait while a lease stands.
            due = getattr(called, "__name__", "") != UNSEEN and frame.f_code.co_name != "_lease"
        else:
            due = event == "call" and frame.f_code.co_name == "_rename_between"
        if due:
            calls += 1
            if calls == number:
                deed()

    old = sys.getprofile()
    sys.setprofile(step)
    try:
        write()
    except Conflict:
        pass
    finally:
        sys.setprofile(old)
    return calls


class Agent:
    """Appends to a file; may keep it open for a while."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle = -1

    def open(self) -> None:
        self._handle = os.open(self._path, os.O_WRONLY | os.O_APPEND)

    def write(self, line: bytes = LINE) -> None:
        os.write(self._handle, line)

    def close(self) -> None:
        os.close(self._handle)

    def append(self, line: bytes = LINE) -> None:
        self.open()
        self.write(line)
        self.close()


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replacing, "_WRITERS_BEFORE_SECONDS", 0.0)
    monkeypatch.setattr(exchange, "_WRITERS_AFTER_SECONDS", 0.0)
    monkeypatch.setattr(os, "fsync", lambda _handle: None)


@pytest.fixture(params=["exchange", "in place", "held open", "without exchange"])
def path(request: pytest.FixtureRequest, root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A document that is saved in this way."""
    path = root / "log.md"
    path.write_bytes(BEFORE)
    if request.param == "in place":
        os.link(path, root / "second.md")
    elif request.param == "without exchange":
        monkeypatch.setattr(swap, "_rename_between", lambda *_arguments: False)
    holder = path.open("ab") if request.param == "held open" else nullcontext()
    with holder:
        yield path


def each_step(desk: Desk, path: Path, data: bytes, deed: Callable[[], None], then: Callable[[], None]) -> list[int]:
    """At which steps of the save the deed led to another end than both texts, or the old one with what was added."""
    wrong, number, steps = [], 1, 1
    while number <= steps:
        path.write_bytes(BEFORE)
        steps = at_step(number, deed, lambda: desk.write(path.name, data, BEFORE))
        if number <= steps:
            then()
            if path.read_bytes() not in (data + LINE, BEFORE + LINE):
                wrong.append(number)
        number += 1
    assert steps > 10
    return wrong


@pytest.mark.parametrize("text", TEXTS)
def test_a_line_appended_at_any_step_of_a_save_stands_behind_one_of_the_texts(
    desk: Desk, path: Path, text: str
) -> None:
    assert each_step(desk, path, TEXTS[text], Agent(path).append, lambda: None) == []


@pytest.mark.parametrize("text", TEXTS)
def test_a_line_of_one_who_opened_the_document_at_any_step_and_wrote_after_the_save_stands_too(
    desk: Desk, path: Path, text: str
) -> None:
    agent = Agent(path)

    def write_and_close() -> None:
        agent.write()
        agent.close()

    assert each_step(desk, path, TEXTS[text], agent.open, write_and_close) == []
    assert {one.name for one in path.parent.iterdir()} <= {path.name, "second.md"}


def test_where_one_keeps_the_displaced_file_open_and_another_appends_to_ours_both_lines_stand(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = root / "log.md"
    holder, other = Agent(path), Agent(path)
    real = swap.exchange
    held: list[int] = []

    def exchange_beside_a_holder(folder: int, one: bytes, name: bytes) -> bool:
        if not held:
            holder.open()
            held.append(path.stat().st_ino)
        return real(folder, one, name)

    monkeypatch.setattr(swap, "exchange", exchange_beside_a_holder)
    number = steps = 1
    while number <= steps:
        path.write_bytes(BEFORE)
        held.clear()
        steps = at_step(number, lambda: other.append(LATER), lambda: desk.write("log.md", TEXTS["longer"], BEFORE))
        if held:
            holder.write()
            holder.close()
            assert path.stat().st_ino == held[0]
            assert path.read_bytes().count(LINE) == 1
        assert path.read_bytes().count(LATER) == (number <= steps), number
        number += 1
    assert steps > 50
    assert desk.names() == {"log.md"}


def test_one_who_opened_the_document_before_the_exchange_may_write_and_close_at_any_step_after_it(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = root / "log.md"
    agent = Agent(path)
    real = swap.exchange
    held: list[bool] = []

    def exchange_beside_an_agent(folder: int, one: bytes, name: bytes) -> bool:
        if not held:
            agent.open()
            held.append(True)
        return real(folder, one, name)

    def write_and_close() -> None:
        if held == [True]:
            agent.write()
            agent.close()
            held.append(False)

    monkeypatch.setattr(swap, "exchange", exchange_beside_an_agent)
    number = steps = 1
    while number <= steps:
        path.write_bytes(BEFORE)
        held.clear()
        steps = at_step(number, write_and_close, lambda: desk.write("log.md", TEXTS["shorter"], BEFORE))
        write_and_close()
        assert path.read_bytes() in (TEXTS["shorter"] + LINE, BEFORE + LINE), number
        number += 1
    assert desk.names() == {"log.md"}


def test_a_line_that_is_being_appended_keeps_a_document_from_being_removed(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = root / "log.md"
    path.write_bytes(BEFORE)
    agent = Agent(path)
    real_rename, real_lease = os.rename, swap.has_writers

    def rename(old: bytes, new: bytes, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        agent.open()
        real_rename(old, new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    def has_writers(handle: int, *, patience: float) -> bool:
        assert real_lease(handle, patience=0.0)
        agent.write()
        agent.close()
        return real_lease(handle, patience=patience)

    monkeypatch.setattr(os, "rename", rename)
    monkeypatch.setattr(swap, "has_writers", has_writers)
    with pytest.raises(Conflict):
        removing.remove(
            root, DocPath("log.md"), expected=fingerprint(BEFORE), keep=desk.copies.put, announce=lambda _: None
        )
    assert path.read_bytes() == BEFORE + LINE


def test_bytes_that_come_while_a_save_is_read_back_are_no_fault_of_the_disk(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = root / "log.md"
    path.write_bytes(BEFORE)
    real, stats = os.fstat, []

    def fstat(handle: int) -> os.stat_result:
        found = real(handle)
        if path.read_bytes() == TEXTS["longer"]:
            stats.append(handle)
            Agent(path).append()
        return found

    monkeypatch.setattr(os, "fstat", fstat)
    desk.write("log.md", TEXTS["longer"], BEFORE)
    assert stats
    assert path.read_bytes() == TEXTS["longer"] + LINE
