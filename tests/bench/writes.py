"""Appends as tools make them, beside the bare ones of the same run: alone, and eight processes with a shell beside."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from memgui.domain.documents import fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import documents, writing
from memgui.ops.preferences import Settings
from memgui.storage import appending
from memgui.storage.kept import KeptCopies
from tests.bench.measure import Row, spread, tell

_TIMES = 1000
_PROCESSES = 8
_EACH = 125
_ENTRY = b"[14:03:05] berth 7 stays closed until the crane is repaired\n"
_FREE = Settings(limits_per_minute=0, limits_per_hour=0, limits_workspace_per_minute=0)
_SHELL = 'i=0; while [ $i -lt 500 ]; do echo "shell $i" >> "$0"; i=$((i+1)); done'


def _workspace(place: Path) -> Workspace:
    return Workspace(place / "workspace", "id", "name", place / "state", place / "cache")


def _bare(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, data)
    os.fsync(handle)
    os.close(handle)


def _taken(deed: Callable[[], object], times: int) -> list[float]:
    taken = []
    for _number in range(times):
        begun = perf_counter()
        deed()
        taken.append((perf_counter() - begun) * 1000)
    return taken


def _write(ws: Workspace, number: int) -> None:
    writing.memory_write(
        ws,
        content=f"berth 7 stays closed {os.getpid()} {number}",
        origin=Origin.agent(str(os.getpid())),
        now=datetime.now(UTC),
        settings=_FREE,
    )


def alone(place: Path) -> list[Row]:
    """One process: the storage's append, the deed with its journal and versions, and the whole tool."""
    ws = _workspace(place)
    ws.root.mkdir(parents=True)
    copies = KeptCopies(ws.state / "kept")

    def stored() -> None:
        appending.append(
            ws.root,
            DocPath("stored.md"),
            lambda _before: _ENTRY,
            keep=copies.put,
            announce=lambda _old, data: fingerprint(data),
        )

    def deed() -> None:
        documents.append(ws, DocPath("deed.md"), lambda _before: _ENTRY, origin=Origin.agent("bench"))

    numbers = iter(range(_TIMES))
    ways: dict[str, Callable[[], object]] = {
        "bare": lambda: _bare(ws.root / "bare.md", _ENTRY),
        "in storage": stored,
        "journalled, with its version": deed,
        "by the tool": lambda: _write(ws, next(numbers)),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    # In turns, so that a busy disk is as busy for one as for the other.
    for _round in range(_TIMES // 50):
        for name, way in ways.items():
            taken[name] += _taken(way, 50)
    bare = sum(taken.pop("bare"))
    return [
        Row(f"1,000 appends {name}", sum(times) / bare, "×", None, "append + fsync", f"{spread(times)} ms")
        for name, times in taken.items()
    ]


def together(place: Path) -> list[Row]:
    """Eight processes and a shell's loop into one log. Ends the bench where an entry is lost, torn or doubled."""
    ws = _workspace(place)
    (ws.root / "daily").mkdir(parents=True)
    log = ws.root / f"daily/{datetime.now(UTC):%Y-%m-%d}.md"
    log.write_text("")
    begun = perf_counter()
    command = [sys.executable, "-m", "tests.bench.writes", "--process", str(place)]
    with subprocess.Popen(["sh", "-c", _SHELL, str(log)]) as shell:
        processes = [subprocess.Popen(command) for _number in range(_PROCESSES)]
        codes = [process.wait() for process in processes]
    seconds = perf_counter() - begun
    lines = b"".join(path.read_bytes() for path in sorted(log.parent.iterdir())).decode().splitlines()
    wanted = {f"berth 7 stays closed {process.pid} {n}" for process in processes for n in range(_EACH)}
    entries = [line.partition("] ")[2] for line in lines if line.startswith("[")]
    lost = len(wanted - set(entries)) + len({f"shell {n}" for n in range(500)} - set(lines))
    wrong = len(lines) - len(set(lines)) + len(entries) - len(set(entries)) + sum(map(abs, [*codes, shell.returncode]))
    bare = sum(_taken(lambda: _bare(ws.root / "bare.md", _ENTRY), _PROCESSES * _EACH)) / 1000
    note = f"{seconds:.1f} s for {len(entries)} entries, starts included"
    return [
        Row("eight processes, entries lost", float(lost), "", 0.0, "", f"{len(lines)} lines, a shell among them"),
        Row("eight processes, entries torn or doubled", float(wrong), "", 0.0),
        Row("eight processes, 1,000 appends", seconds / bare, "×", None, "append + fsync", note),
    ]


def _process(place: Path) -> None:
    ws = _workspace(place)
    for number in range(_EACH):
        _write(ws, number)


if __name__ == "__main__":
    if sys.argv[1] == "--process":
        _process(Path(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory(dir=Path(sys.argv[1]).parent) as folder:
            tell(alone(Path(folder, "alone")))
            tell(together(Path(folder, "together")))
