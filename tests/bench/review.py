"""The list of what pends and the difference of two versions, beside git on the same files in the same run."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

from memgui.domain.hunks import hunks, pieces
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, is_document
from memgui.ops import baselines, review, review_many, sync, workspace
from tests.bench.measure import Row, spread, tell

_CHANGED = 5000
_ROUNDS = 7
_LINES = 2000
_GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "core.fsync=none")


def _git(root: Path, *words: str) -> float:
    """How many milliseconds git takes."""
    begun = perf_counter()
    subprocess.run([*_GIT, "-C", str(root), *words], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (perf_counter() - begun) * 1000


def _times(deed: Callable[[], object], rounds: int = _ROUNDS) -> list[float]:
    taken = []
    for _round in range(rounds):
        begun = perf_counter()
        deed()
        taken.append((perf_counter() - begun) * 1000)
    return taken


def _middle(times: list[float]) -> float:
    return sorted(times)[len(times) // 2]


def _change(file: Path, number: int) -> None:
    data = file.read_bytes()
    file.write_bytes(data + b"\nmore\n" if number % 2 else data.replace(b"e", b"E", 3) + b"\n")


def listing(root: Path) -> list[Row]:
    """What pends in a workspace of 10,000 files: nothing, then half of them; and all of that accepted."""
    _git(root, "init", "-q")
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", "all")
    ws = workspace.open(root, remember=False)
    snapshot = sync.look(ws)
    begun = perf_counter()
    baselines.begin(ws, snapshot)
    opening = perf_counter() - begun
    quiet = _times(lambda: review.pending(ws, snapshot))
    status = _times(lambda: _git(root, "status", "--porcelain"), 3)
    paths = [path for path in snapshot.nodes if is_document(path)][:_CHANGED]
    for number, path in enumerate(paths):
        _change(root / path, number)
    looked = sync.look(ws)
    begun = perf_counter()
    changes = review.pending(ws, looked)
    first = perf_counter() - begun
    numstat = _git(root, "diff", "--numstat") / 1000
    again = _times(lambda: review.pending(ws, looked, known=changes))
    begun = perf_counter()
    _verdict, left = review_many.accept_all(ws, changes, origin=Origin.you())
    accepted = perf_counter() - begun
    note = f"{len(changes)} listed"
    return [
        Row("first opening of 10,000 files", opening, "s", None, "", "behind the window"),
        Row(
            "pending, nothing changed",
            _middle(quiet),
            "ms",
            150.0,
            f"git status {_middle(status):.0f} ms",
            spread(quiet),
        ),
        Row("pending, 5,000 files changed", first, "s", 3.0, f"git diff {numstat:.2f} s", note),
        Row("  as often as git diff --numstat", first / numstat, "x", 15.0, f"git diff {numstat:.2f} s", ""),
        Row("pending, listed before", _middle(again), "ms", 500.0, "", spread(again)),
        Row("5,000 accepted at once", accepted, "s", None, "", f"{len(left)} left; in a lane, with progress and stop"),
    ]


def differing(root: Path) -> list[Row]:
    """The hunks of two versions of a document, and a change of it shown, as the window asks for it."""
    rows = []
    cases = {
        "different lines": (
            [b"- line %d of the list\n" % number for number in range(_LINES)],
            [b"- line %d of the %s\n" % (number, b"list" if number % 3 else b"tide") for number in range(_LINES)],
        ),
        "alike lines": ([b"- [ ] buy milk\n"] * _LINES, [b"- [x] buy milk\n"] * _LINES),
        "some of alike lines": (
            [b"- [ ] %d\n" % (number % 50) for number in range(_LINES)],
            [b"- [%s] %d\n" % (b" x"[number % 7 == 0 :][:1], number % 50) for number in range(_LINES)],
        ),
    }
    with tempfile.TemporaryDirectory(prefix="memgui-review-") as place:
        for what, (old, new) in cases.items():
            before, after = Path(place, "before"), Path(place, "after")
            before.write_bytes(b"".join(old))
            after.write_bytes(b"".join(new))
            git = _middle(_times(lambda: _git(Path(place), "diff", "--no-index", "before", "after")))
            lines = pieces(before.read_bytes()), pieces(after.read_bytes())
            taken = _times(partial(hunks, "id", *lines))
            rows.append(
                Row(f"2 × 2,000 lines, {what}", _middle(taken), "ms", 100.0, f"git diff {git:.0f} ms", spread(taken))
            )
    ws = workspace.open(root, remember=False)
    path = DocPath("MEMORY.md")
    (root / path).write_bytes(b"".join(cases["different lines"][0]))
    change = next(one for one in review.pending(ws) if one.path == path)
    review_many.accept_all(ws, [change], origin=Origin.you())
    (root / path).write_bytes(b"".join(cases["different lines"][1]))
    change = next(one for one in review.pending(ws) if one.path == path)
    taken = _times(lambda: review.show(ws, change))
    rows.append(Row("a change of 2,000 lines shown", _middle(taken), "ms", 100.0, "", spread(taken)))
    return rows


if __name__ == "__main__":
    os.environ.setdefault("GIT_CONFIG_GLOBAL", os.devnull)
    place = Path(sys.argv[1])
    tell(listing(place))
    tell(differing(place))
