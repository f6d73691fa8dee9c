"""A careless agent for the soak: appends, replaces, inserts, rewrites, makes, renames, deletes, bursts; says each deed.

Each deed is one line of JSON on stdout, with the moment after it and the lines that it brought to the disk.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path

_DEEDS = {"append": 40, "replace": 20, "insert": 10, "rewrite": 8, "make": 8, "rename": 4, "delete": 4, "burst": 6}
_FEWEST = 8


def _do(deed: str, path: Path, line: str, dice: random.Random) -> Path:
    """Do it; where what it brought stands now."""
    if deed == "append":
        with open(path, "ab") as file:
            file.write(line.encode())
    elif deed == "burst":
        for part in line.splitlines(keepends=True):
            with open(path, "ab") as file:
                file.write(part.encode())
    elif deed in ("replace", "insert"):
        lines = path.read_bytes().splitlines(keepends=True)
        at = len(lines) if deed == "replace" else dice.randrange(len(lines) + 1)
        beside = path.with_name(f"{path.name}.{os.getpid()}~")
        beside.write_bytes(b"".join([*lines[:at], line.encode(), *lines[at:]]))
        os.replace(beside, path)
    elif deed == "rewrite":
        path.write_bytes(b"# Written anew\n" + line.encode())
    elif deed == "make":
        path = path.parent / f"made-{time.monotonic_ns()}.md"
        path.write_bytes(b"# Made\n" + line.encode())
    elif deed == "rename":
        target = path.with_name(f"moved-{time.monotonic_ns() % 1_000_000}-{path.name[-40:]}")
        os.rename(path, target)
        path = target
    elif deed == "delete":
        path.unlink()
    return path


def main() -> None:
    """`python -m tests.bench.careless ROOT SECONDS RATE SEED`."""
    root, seconds, rate, seed = Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    dice = random.Random(seed)
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        files = sorted(path for path in root.rglob("*.md") if path.is_file() and not path.is_symlink())
        path = dice.choice(files)
        count += 1
        deed = dice.choices(list(_DEEDS), list(_DEEDS.values()))[0]
        if deed == "delete" and len(files) < _FEWEST:
            deed = "append"
        parts = 30 if deed == "burst" else 1
        line = "".join(f"- agent {seed}.{count}.{part} {dice.randrange(10**6)}\n" for part in range(parts))
        before = path
        try:
            path = _do(deed, path, line, dice)
        except OSError:
            continue
        brought = [] if deed in ("rename", "delete") else line.splitlines()
        told = {"time": time.time(), "deed": deed, "path": path.relative_to(root).as_posix(), "lines": brought}
        print(json.dumps(told | {"before": before.relative_to(root).as_posix()}), flush=True)
        time.sleep(dice.expovariate(rate))


if __name__ == "__main__":
    main()
