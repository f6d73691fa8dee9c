"""Run by the tests as a program of its own: a person who is killed at every step of a verdict, one after the other."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

from memgui.domain.workspace import Workspace
from memgui.ops import review
from memgui.ops.recovery import copies
from memgui.ops.review_undo import take_back
from memgui.ops.review_verdicts import accept, edit, put_back, reject
from memgui.storage.baselines import FILE, Baselines
from tests.ops.review_values import MEMORY, YOU, now_there, only, opened, put, write
from tests.storage.killed import child, die_at

warnings.simplefilter("error")

OLD = b"".join(b"line %d\n" % number for number in range(1, 9))
NEW = OLD.replace(b"line 2\n", b"line two\n").replace(b"line 6\n", b"") + b"line 9\n"
LEFT = OLD.replace(b"line 6\n", b"") + b"line 9\n"
"""NEW without its first hunk."""
TAKEN = OLD.replace(b"line 2\n", b"line two\n")
"""OLD with it."""

Texts = tuple[bytes | None, bytes | None]
"""The disk and the baseline."""


def standing(ws: Workspace) -> Texts:
    entry = Baselines(ws.state).at(MEMORY)
    accepted = None if entry is None or entry.hash is None else copies(ws).get(entry.hash)
    return now_there(ws), accepted


def anew(ws: Workspace) -> None:
    """The baseline is OLD, and NEW stands on disk."""
    write(ws, OLD)
    assert review.pending(ws) == ()
    put(ws.root, MEMORY, NEW)


def undone(ws: Workspace) -> Callable[[], object]:
    _changes, verdict = reject(ws, only(ws), hunk=1, origin=YOU)
    return lambda: take_back(ws, verdict, origin=YOU)


DEEDS: dict[str, tuple[Callable[[Workspace], Callable[[], object]], tuple[Texts, ...]]] = {
    "accept": (lambda ws: lambda: accept(ws, only(ws), origin=YOU), ((NEW, OLD), (NEW, NEW))),
    "accept-hunk": (lambda ws: lambda: accept(ws, only(ws), hunk=1, origin=YOU), ((NEW, OLD), (NEW, TAKEN))),
    "reject": (lambda ws: lambda: reject(ws, only(ws), origin=YOU), ((NEW, OLD), (OLD, OLD))),
    "reject-hunk": (lambda ws: lambda: reject(ws, only(ws), hunk=1, origin=YOU), ((NEW, OLD), (LEFT, OLD))),
    "undo": (undone, ((LEFT, OLD), (NEW, OLD))),
    "put-back": (
        lambda ws: lambda: put_back(ws, only(ws), hunk=2, origin=YOU),
        ((NEW, OLD), (NEW.replace(b"line 7\n", b"line 6\nline 7\n"), OLD)),
    ),
    "edit": (
        lambda ws: lambda: edit(ws, only(ws), 1, "mine", origin=YOU),
        (
            (NEW, OLD),
            (NEW.replace(b"line two\n", b"mine\n"), OLD),
            (NEW.replace(b"line two\n", b"mine\n"), OLD.replace(b"line 2\n", b"mine\n")),
        ),
    ),
}


def killed(place: Path, name: str, stride: int) -> None:
    """Kill at each `stride`th step: what is found is a state on the way, and the next verdict goes through."""
    ws = opened(place / "ws", {"MEMORY.md": OLD})
    begin, states = DEEDS[name]

    def dying() -> None:
        deed = begin(ws)
        die_at(step)
        deed()

    for step in range(len(name) % stride, 2000, stride):
        anew(ws)
        ended = child(dying)
        found = standing(ws)
        assert found in states, (step, found)
        if ended == 0:
            assert found == states[-1], step
            sys.stdout.write(f"steps {step}\n")
            return
        left = [file for file in os.listdir(ws.root) if file != MEMORY]
        changes = review.pending(ws)
        assert bool(changes) is (found[0] != found[1]), step
        for change in changes:
            accept(ws, change, origin=YOU)
        assert review.pending(ws) == (), step
        write(ws, b"%d\n" % step, "other.md")
        assert [file for file in os.listdir(ws.root) if file not in (MEMORY, "other.md")] == [], (step, left)
        (ws.root / "other.md").unlink()
        for change in review.pending(ws):
            accept(ws, change, origin=YOU)
    raise AssertionError("the verdict never came to its end")


def torn(place: Path) -> None:
    """A line of which only a part was written costs nothing but itself, wherever it was cut."""
    ws = opened(place / "ws", {"MEMORY.md": OLD, "other.md": b"other\n"})
    file = ws.state / FILE
    whole = file.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for cut in range(last, len(whole) + 1):
        file.write_bytes(whole[:cut])
        entries, _opening = Baselines(ws.state).all()
        assert MEMORY in entries, cut
        put(ws.root, MEMORY, OLD + b"%d\n" % cut)
        for change in review.pending(ws):
            accept(ws, change, origin=YOU)
        assert standing(ws) == (OLD + b"%d\n" % cut,) * 2, cut
        assert json.loads(file.read_bytes().splitlines()[-1])["p"]
    sys.stdout.write(f"steps {len(whole) - last}\n")


def text(number: int) -> bytes:
    """What others put there in turn `number`; every second is accepted."""
    return OLD + b"turn %d\n" % number


def kept(number: int) -> bytes:
    """What is accepted after turn `number`."""
    return text(number - number % 2) if number > 1 else OLD


def deciding(place: Path) -> None:
    """Accept and reject in turns for good, and tell of each verdict once it is given."""
    ws = opened(place / "ws", {"MEMORY.md": OLD})
    number = 0
    while True:
        number += 1
        # Whole: what others leave half-written is no matter here.
        (place / "next").write_bytes(text(number))
        os.replace(place / "next", ws.root / MEMORY)
        decide = reject if number % 2 else accept
        decide(ws, only(ws), origin=YOU)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "deciding":
        deciding(Path(sys.argv[2]))
    elif sys.argv[1] == "torn":
        torn(Path(sys.argv[2]))
    else:
        killed(Path(sys.argv[2]), sys.argv[1], int(sys.argv[3]))
