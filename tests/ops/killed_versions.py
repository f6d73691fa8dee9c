"""Run by the tests as a program of its own: writes, sweeps and forgets until it is killed, and tells what is done."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import warnings
from pathlib import Path

from memgui.domain.documents import fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import documents, forgetting, retention

warnings.simplefilter("error")
LOG, NOTE = DocPath("log.md"), DocPath("note.md")
SECRET = "ghp_forget_me"


def workspace(place: Path) -> Workspace:
    return Workspace(place / "workspace", "id", "name", place / "state", place / "cache")


def tell(word: str) -> None:
    os.write(1, word.encode() + b"\n")


def run(place: Path, begin: int, seconds: float) -> None:
    ws = workspace(place)
    agent, you = Origin.agent("killed"), Origin.you()
    tell("begun")
    # Nobody handles it, so that it ends the process where it is, as a kill does.
    signal.setitimer(signal.ITIMER_REAL, seconds)
    for number in itertools.count(begin):
        entry = b"- entry %d of a log that only grows\n" % number
        documents.append(ws, LOG, lambda _before, entry=entry: entry, origin=agent)  # type: ignore[misc]
        tell(f"log {number}")
        before = (ws.root / NOTE).read_bytes() if (ws.root / NOTE).exists() else None
        secret = SECRET if number % 7 == 3 else "nothing"
        text = f"note {number}\n{secret}\n" + "and much below it\n" * 60
        expected = None if before is None else fingerprint(before)
        documents.write(ws, NOTE, text.encode(), expected=expected, origin=you)
        tell(f"note {number} {fingerprint(text.encode())}")
        if number % 5 == 4:
            retention.sweep(ws, retention.Limits())
            tell("swept")
        if number % 11 == 9:
            forgetting.forget(ws, forgetting.secret(SECRET), origin=you)
            tell("forgot")


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
