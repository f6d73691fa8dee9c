"""Prints the report: what was measured, its goal, the reference of the same run. Exits 1 where a goal is missed."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import memgui
from tests.bench.workspace import write

_BENCHES = [
    "start",
    "first",
    "search",
    "agent",
    "keys",
    "days",
    "server",
    "stalls",
    "worked",
    "words",
    "writes",
    "history",
    "history_window",
    "review",
    "review_window",
    "activity",
    "meaning",
    "hybrid",
    "memory",
]
_NAMED_ONLY = ["large"]
"""These take long, and are run only where they are named."""


def _run(name: str, root: Path, environment: dict[str, str]) -> list[dict[str, object]]:
    command = [sys.executable, "-m", f"tests.bench.{name}", str(root)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        rows = []
        for line in process.stdout:
            if line.startswith("row "):
                rows.append(json.loads(line.removeprefix("row ")))
                _show(rows[-1])
    if process.returncode:
        print(f"{name}: ended with {process.returncode}", flush=True)
        rows.append({"missed": True})
    return rows


def _missed(row: dict[str, object]) -> bool:
    goal, figure = row.get("goal"), row.get("figure")
    return bool(row.get("missed")) or (isinstance(goal, float) and isinstance(figure, float) and figure > goal)


def _show(row: dict[str, object]) -> None:
    goal = "" if row["goal"] is None else f"{row['goal']:g} {row['unit']}"
    mark = "over" if _missed(row) else "ok" if goal else ""
    figure = f"{row['figure']:.2f} {row['unit']}"
    print(f"{row['what']:<42} {figure:>11} {goal:>8} {mark:<5} {row['reference']:<24} {row['note']}", flush=True)


def main() -> int:
    """Runs the benches named on the command line, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join([*_BENCHES, *_NAMED_ONLY]))
    parser.add_argument("--files", type=int, default=10_000, help="size of the workspace")
    chosen = parser.parse_args()
    if unknown := set(chosen.names) - {*_BENCHES, *_NAMED_ONLY}:
        known = ", ".join([*_BENCHES, *_NAMED_ONLY])
        parser.error(f"there is no bench {', '.join(sorted(unknown))}; there are {known}")
    with tempfile.TemporaryDirectory(prefix="memgui-bench-") as place:
        root = write(Path(place, "workspace"), chosen.files)
        environment = os.environ | {"MEMGUI_HOME": str(Path(place, "memgui"))}
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        # Warm means compiled: as installed, and without leaving anything in the checkout.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = str(Path(place, "compiled"))
        package = str(Path(memgui.__file__).parent)
        subprocess.run([sys.executable, "-m", "compileall", "-q", package], env=environment, check=True)
        size = sum(path.stat().st_size for path in root.rglob("*.md")) / 1e6
        print(f"{chosen.files:,} files, {size:.0f} MB, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        print(f"{'':<42} {'figure':>11} {'goal':>8} {'':<5} {'reference':<24} note")
        rows = [row for name in chosen.names or _BENCHES for row in _run(name, root, environment)]
    return 1 if any(map(_missed, rows)) else 0


if __name__ == "__main__":
    sys.exit(main())
