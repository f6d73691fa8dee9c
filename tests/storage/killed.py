"""Run by the tests as a program of its own: writers that are killed at every step, and writers side by side."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import documents, recovery
from memgui.storage import swap
from memgui.storage.journal import Journal

warnings.simplefilter("error")
STEPS = ("open", "pwrite", "fsync", "fchmod", "close", "unlink", "replace", "link", "stat", "pread", "rename", "write")
PATH = DocPath("sub/MEMORY.md")
OLD, NEW = b"old\n" * 3000, b"new\n" * 4000


def workspace(place: Path) -> Workspace:
    return Workspace(place / "workspace", "id", "name", place / "state", place / "cache")


def die_at(step: int) -> None:
    """Kill this process at its `step`th call of the system, half of the time in the middle of a write."""
    left = itertools.count(step, -1)

    def dying(call: Callable[..., object]) -> Callable[..., object]:
        def run(*arguments: object, **names: object) -> object:
            if next(left) == 0:
                if call is os_pwrite and step % 2:
                    handle, data, offset = arguments
                    os_pwrite(handle, bytes(data)[: len(bytes(data)) // 2], offset)  # type: ignore[arg-type,call-overload]
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **names)

        return run

    os_pwrite = os.pwrite
    for name in STEPS:
        setattr(os, name, dying(getattr(os, name)))
    swap._rename = dying(swap._rename)  # type: ignore[assignment]


def child(work: Callable[[], object]) -> int:
    """How a forked child that does `work` ended: 0, or the signal that killed it."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    ended = 3
    try:
        work()
        ended = 0
    finally:
        if ended:
            sys.excepthook(*sys.exc_info())
        os._exit(ended)


def killed_writes(place: Path, creating: bool, linked: bool) -> None:
    """Kill a writer at each step in turn. The document is old or new each time; the next writer cleans up."""
    ws = workspace(place)
    document = ws.root / PATH
    document.parent.mkdir(parents=True)

    def write() -> None:
        die_at(step)
        documents.write(ws, PATH, NEW, expected=None if creating else fingerprint(OLD), origin=Origin.you())

    for step in range(1000):
        document.unlink(missing_ok=True)
        if not creating:
            document.write_bytes(OLD)
        if linked:
            (ws.root / "other.md").unlink(missing_ok=True)
            os.link(document, ws.root / "other.md")
        ended = child(write)
        data = document.read_bytes() if document.exists() else None
        if data not in (NEW, None if creating else OLD):
            # A file that has to stay the same file cannot be exchanged: then a copy of what it held is kept.
            assert linked, (step, data)
            assert recovery.copies(ws).get(fingerprint(OLD)) == OLD
        if data == NEW:
            last = Journal(ws.state).last()
            assert last is not None, step
            assert last.after == fingerprint(NEW), step
        documents.write(ws, DocPath("other-folder.md"), b"%d" % step, expected=_now(ws), origin=Origin.you())
        left = [name for name in os.listdir(document.parent) if name != document.name]
        assert not left, (step, left)
        if ended == 0:
            sys.stdout.write(f"steps {step}\n")
            return
    raise AssertionError("the writer never came to its end")


def _now(ws: Workspace) -> Fingerprint | None:
    found = ws.root / "other-folder.md"
    return fingerprint(found.read_bytes()) if found.exists() else None


def killed_journals(place: Path) -> None:
    """Kill a process that journals unsaved text at each step. The last text or the one before is found, and others."""
    ws = workspace(place)
    recovery.journal_unsaved(ws, DocPath("other.md"), b"x", b"other")

    def journal() -> None:
        die_at(step)
        recovery.journal_unsaved(ws, PATH, b"base 2", b"text 2")

    for step in range(1000):
        recovery.drop_unsaved(ws, PATH)
        child(lambda: recovery.journal_unsaved(ws, PATH, b"base 1", b"text 1"))
        ended = child(journal)
        found = {unsaved.path: unsaved for unsaved in recovery.unsaved(ws)}
        assert found[DocPath("other.md")].data == b"other", step
        newest = max((u for u in recovery.unsaved(ws) if u.path == PATH), key=lambda u: u.time)
        assert (newest.base_data, newest.data) in ((b"base 1", b"text 1"), (b"base 2", b"text 2")), step
        if ended == 0:
            assert newest.data == b"text 2"
            sys.stdout.write(f"steps {step}\n")
            return


def count(place: Path, times: int) -> None:
    """Add one line per write, reading again on each conflict."""
    ws = workspace(place)
    done = 0
    while done < times:
        document = documents.read(ws, PATH)
        line = b"%d %d\n" % (os.getpid(), done)
        try:
            documents.write(ws, PATH, document.data + line, expected=document.fingerprint, origin=Origin.you())
        except Conflict:
            continue
        done += 1


if __name__ == "__main__":
    place = Path(sys.argv[2])
    if sys.argv[1] == "count":
        count(place, int(sys.argv[3]))
    elif sys.argv[1] == "journal":
        killed_journals(place)
    else:
        killed_writes(place, creating=sys.argv[1] == "create", linked=sys.argv[1] == "linked")
