"""The first program's door: who is the first, who is told, and that nobody is kept waiting by one that hangs."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memgui.storage.instance import LONGEST_WISH, Door, Wish, enter

WISH = Wish("/home/someone/notes/MEMORY.md", 12, "token-1")


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    return tmp_path / "run"


@contextlib.contextmanager
def answering(door: Door) -> Iterator[list[Wish | None]]:
    """Stands behind the door as the window's loop of events would."""
    heard: list[Wish | None] = []
    ended = threading.Event()

    def stand() -> None:
        while not ended.is_set():
            caller = door.caller()
            if caller is None:
                select.select([door], [], [], 0.05)
                continue
            said, is_all = b"", False
            while not is_all and not ended.is_set():
                said, is_all = Door.hear(caller, said)
            heard.append(Wish.of(said))
            caller.close()

    thread = threading.Thread(target=stand)
    thread.start()
    try:
        yield heard
    finally:
        ended.set()
        thread.join()


def test_the_first_keeps_a_door_and_the_second_is_heard(runtime: Path) -> None:
    first = enter(runtime, Wish())
    assert first.door is not None
    with answering(first.door) as heard:
        assert enter(runtime, WISH).took
        assert enter(runtime, Wish("/odd\udcff")).took
    assert heard == [WISH, Wish("/odd\udcff")]
    first.door.close()


def test_the_door_is_the_persons_alone(runtime: Path) -> None:
    first = enter(runtime, Wish())
    assert first.door is not None
    assert not runtime.stat().st_mode & 0o077
    for path in runtime.iterdir():
        assert not path.stat().st_mode & 0o077
    first.door.close()


def test_where_the_first_has_gone_the_next_takes_its_place(runtime: Path) -> None:
    first = enter(runtime, Wish())
    assert first.door is not None
    first.door.close()
    first.door.close()
    assert (runtime / "window.sock").exists()
    second = enter(runtime, WISH)
    assert second.door is not None
    second.door.close()


def test_one_that_hangs_keeps_nobody_from_a_window(runtime: Path) -> None:
    first = enter(runtime, Wish())
    assert first.door is not None
    began = time.monotonic()
    second = enter(runtime, WISH, patience=0.3)
    assert (second.took, second.door) == (False, None)
    assert time.monotonic() - began < 10
    first.door.close()


def test_one_that_ends_while_it_is_asked_leaves_its_place_to_who_asked(runtime: Path) -> None:
    first = enter(runtime, Wish())
    assert first.door is not None
    threading.Timer(0.1, first.door.close).start()
    second = enter(runtime, WISH)
    assert second.door is not None
    second.door.close()


def test_a_runtime_folder_that_cannot_be_made_costs_only_the_door(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    entered = enter(tmp_path / "file" / "run", WISH)
    assert (entered.took, entered.door) == (False, None)


def test_a_deep_runtime_folder_has_a_door_too(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 90) / ("y" * 90)
    first = enter(deep, Wish())
    assert first.door is not None
    with answering(first.door) as heard:
        assert enter(deep, WISH).took
    assert heard == [WISH]
    first.door.close()


def test_many_starts_at_once_have_one_first(runtime: Path) -> None:
    doors: list[Door] = []
    took: list[bool] = []
    all_took, ended = threading.Event(), threading.Event()

    def start() -> None:
        entered = enter(runtime, WISH)
        if entered.door is None:
            took.append(entered.took)
            if len(took) == 7:
                all_took.set()
            return
        doors.append(entered.door)
        with answering(entered.door):
            ended.wait(10)

    threads = [threading.Thread(target=start) for _number in range(8)]
    for thread in threads:
        thread.start()
    assert all_took.wait(20)
    ended.set()
    for thread in threads:
        thread.join()
    assert len(doors) == 1
    assert took == [True] * 7
    doors[0].close()


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\n",
        b"[]\n",
        b"null\n",
        b'{"path": 7}\n',
        b'{"path": "relative"}\n',
        b"\xff\n",
        b'{"path": "/a\\u0000"}\n',
    ],
)
def test_what_is_no_wish_is_none(said: bytes) -> None:
    assert Wish.of(said) is None


def test_what_is_odd_in_a_wish_is_left_out() -> None:
    assert Wish.of(b'{"path": "/a", "line": -3, "token": "\\n"}') == Wish("/a")
    assert Wish.of(b'{"path": null, "line": true}') == Wish()


def test_a_caller_that_never_ends_is_not_heard_for_ever() -> None:
    here, there = socket.socketpair()
    here.setblocking(False)
    there.setblocking(False)
    said, is_all = b"", False
    while not is_all:
        with contextlib.suppress(BlockingIOError):
            there.send(b"x" * 4096)
        said, is_all = Door.hear(here, said)
    assert len(said) <= 2 * LONGEST_WISH
    for end in (here, there):
        end.close()
