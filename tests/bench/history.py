"""What versions cost: bytes for logs and edited texts, and time beside a bare replacement of a file."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import documents, retention, versions
from memgui.storage.kept import KeptCopies
from tests.bench.measure import Row, spread, tell

_VERSIONS = 1000
_WRITES = 300
_GOAL = 15.0


def _line(words: random.Random, number: int) -> bytes:
    told = " ".join("".join(words.choices("abcdefghijklmnopqrstuvwxyz", k=words.randint(2, 9))) for _word in range(9))
    return f"[{number // 60 % 24:02d}:{number % 60:02d}:05] {told}\n".encode()


def _bytes(folder: Path) -> tuple[int, int]:
    """The bytes in the files of a folder, and those that the disk gives them."""
    found = [path.stat() for path in folder.rglob("*")]
    files = [path.stat() for path in folder.rglob("*") if path.is_file()]
    return sum(one.st_size for one in files), sum(one.st_blocks * 512 for one in found)


def _kept(place: Path, texts: list[bytes], what: str, goal: float | None) -> Row:
    copies, like = KeptCopies(place / "kept"), None
    taken = []
    prints: list[Fingerprint] = []
    for text in texts:
        begun = perf_counter()
        like = copies.put(text, like=like, durable=False)
        taken.append((perf_counter() - begun) * 1000)
        prints.append(like)
    begun = perf_counter()
    assert [copies.get(print_) for print_ in prints] == texts
    read = (perf_counter() - begun) * 1000 / len(prints)
    size, blocks = _bytes(place)
    whole = sum(map(len, texts))
    note = f"{whole / 1e6:.1f} MB; {100 * blocks / whole:.1f} % in blocks; put {spread(taken)} ms, got {read:.2f} ms"
    return Row(what, 100 * size / whole, "%", goal, "sum of the bytes", note)


def sizes(place: Path) -> list[Row]:
    """A log that was appended to, a text that was edited all over, and one that was rewritten."""
    words = random.Random(7)
    log, logs = b"", []
    for number in range(_VERSIONS):
        log += _line(words, number)
        logs.append(log)
    lines = [_line(words, number) for number in range(300)]
    edited = []
    for number in range(_VERSIONS):
        for _edit in range(3):
            lines[words.randrange(len(lines))] = _line(words, number)
        edited.append(b"".join(lines))
    rewritten = [b"".join(_line(words, number) for number in range(100)) for _version in range(100)]
    return [
        _kept(place / "log", logs, "append-only log, 1,000 versions", _GOAL),
        _kept(place / "edited", edited, "3 of 300 lines edited, 1,000 versions", None),
        _kept(place / "rewritten", rewritten, "rewritten, 100 versions", None),
    ]


def _bare(path: Path, data: bytes) -> None:
    """What every careful program does: a new file beside, on the disk, in its place, the folder on the disk."""
    temporary = path.with_name(f".{path.name}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.write(handle, data)
    os.fsync(handle)
    os.close(handle)
    os.replace(temporary, path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def writes(place: Path) -> list[Row]:
    """The same texts by a bare replacement and by the one gate, in turns."""
    ws = Workspace(place / "workspace", "id", "name", place / "state", place / "cache")
    ws.root.mkdir(parents=True)
    words = random.Random(7)
    lines = [_line(words, number) for number in range(300)]
    path, before = DocPath("memory.md"), None
    bare, gate = [], []
    for number in range(_WRITES):
        lines[words.randrange(len(lines))] = _line(words, number)
        data = b"".join(lines)
        begun = perf_counter()
        _bare(place / "bare.md", data)
        bare.append((perf_counter() - begun) * 1000)
        begun = perf_counter()
        documents.write(ws, path, data, expected=before, origin=Origin.agent("bench"))
        gate.append((perf_counter() - begun) * 1000)
        before = fingerprint(data)
    begun = perf_counter()
    found = versions.seen(ws, path)
    listed = (perf_counter() - begun) * 1000
    begun = perf_counter()
    retention.sweep(ws, retention.Limits())
    swept = (perf_counter() - begun) * 1000
    note = f"bare {spread(bare)} ms, gate {spread(gate)} ms"
    return [
        Row("write with journal and version", sum(gate) / sum(bare), "×", None, "temp + fsync + rename", note),
        Row(f"list of {len(found)} versions", listed, "ms", None, "", f"a sweep over them {swept:.0f} ms"),
    ]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=Path(sys.argv[1]).parent) as folder:
        tell(sizes(Path(folder, "sizes")))
        tell(writes(Path(folder, "writes")))
