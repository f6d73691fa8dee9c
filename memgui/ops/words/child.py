"""The process that writes the indexes of a workspace, of words and of meaning. It is told on its input what to do.

Its input's end is its own. Each message is one line of JSON. In: `{"rows": [[path, size, mtime, ctime, inode], …]}`, as
many as it takes, then `{"refresh": anew}`; `{"update": [path, …]}` and, of the meaning, `{"ask": …, "number": n}`.
Out: `{"words": progress}`, `{"meaning": progress}`, `{"answer": n, "found": …}`, and `{"rests": true}` when there is
nothing left to do.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from contextlib import nullcontext, suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from memgui.domain.paths import DocPath
from memgui.ops.meaning.memory import give_back
from memgui.ops.meaning.progress import ByModel
from memgui.ops.meaning.worker import Worker
from memgui.ops.words.builder import Builder
from memgui.ops.words.presence import BEHIND, window_stands
from memgui.ops.words.progress import Progress
from memgui.search.segments import Key

NICENESS = 15
NICENESS_FOR_CHANGES = 10
"""What was just written is to be found soon."""

REST_SECONDS = 60.0
"""An index that is open takes some ten megabytes, and is open again in half a second."""


class Child:
    """Does what it is told, one thing after the other; small updates go between the portions of a large one."""

    def __init__(self, root: Path, cache: Path, out: IO[bytes], meaning: ByModel) -> None:
        self._out = out
        self._saying = threading.Lock()
        self._meaning = Worker(root, cache, self._say, meaning.folder) if meaning.wanted else None
        self._messages: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._builder = Builder(root, cache, self._tell, self._ended.is_set, self._between)

    def listen(self, source: IO[bytes]) -> None:
        """Take messages until there are no more. Who writes them may be killed in the middle of one."""
        rows: list[list[Any]] = []
        with suppress(OSError, ValueError):
            for line in source:
                message = json.loads(line)
                if "ask" in message:
                    self._pass_on(message)
                elif "rows" in message:
                    rows += message["rows"]
                elif "refresh" in message:
                    self._messages.put({"refresh": rows, "anew": message["refresh"]})
                    rows = []
                else:
                    self._messages.put(message)
        self._ended.set()
        self._messages.put(None)

    def run(self) -> None:
        """Work until the messages end."""
        later: list[dict[str, Any]] = []
        while True:
            message = later.pop(0) if later else self._next()
            if message is None:
                break
            if "refresh" in message:
                self._in_background(message)
            else:
                later += self._update(message["update"])
        if self._meaning is not None:
            self._meaning.close()
        self._builder.close()

    def _next(self) -> dict[str, Any] | None:
        """The next message; where none comes for a while, the memory of the open index is given back meanwhile."""
        with suppress(queue.Empty):
            return self._messages.get(timeout=REST_SECONDS)
        self._builder.close()
        give_back()
        return self._messages.get()

    def _pass_on(self, message: dict[str, Any]) -> None:
        if self._meaning is not None:
            self._meaning.put(message)

    def _in_background(self, message: dict[str, Any]) -> None:
        """A large portion of work gives way to everything else; a thread can be made so without the process."""
        rows = {DocPath(path): Key(*key) for path, *key in message["refresh"]}

        def work() -> None:
            with suppress(OSError, AttributeError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
            self._builder.refresh(rows, anew=bool(message.get("anew")))

        thread = threading.Thread(target=work, name="refresh")
        thread.start()
        thread.join()
        # The words first: they are there in seconds.
        if self._meaning is not None:
            self._pass_on(message)
        elif self._builder.progress.ready:
            self._say({"rests": True})

    def _update(self, paths: list[str]) -> list[dict[str, Any]]:
        """Write these, with all that was asked for since; answers what else was."""
        others, more = self._waiting_updates()
        self._builder.update([DocPath(path) for path in (*paths, *more)])
        self._pass_on({"update": [*paths, *more]})
        return others

    def _between(self) -> None:
        others, more = self._waiting_updates()
        if more:
            self._builder.update_held([DocPath(path) for path in more])
            self._pass_on({"update": more})
        for message in others:
            self._messages.put(message)

    def _waiting_updates(self) -> tuple[list[dict[str, Any]], list[str]]:
        others: list[dict[str, Any]] = []
        paths: list[str] = []
        while not self._ended.is_set():
            try:
                message = self._messages.get_nowait()
            except queue.Empty:
                break
            if message is None:
                self._messages.put(None)
                break
            if "update" in message:
                paths += message["update"]
            else:
                others.append(message)
        return others, paths

    def _tell(self, progress: Progress) -> None:
        self._say({"words": asdict(progress)})

    def _say(self, message: dict[str, Any]) -> None:
        try:
            with self._saying:
                self._out.write(json.dumps(message).encode() + b"\n")
                self._out.flush()
        except (OSError, ValueError):
            self._ended.set()


def _at_idle_priority() -> None:
    """This process has the processor when nobody else wants it."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, 0, 19)
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _below_the_window() -> None:
    """Where many files change at once, the window comes first, and whoever writes them."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS_FOR_CHANGES)


def main() -> int:
    """Serve the process that began this one.

    `python -m memgui.ops.words.child ROOT CACHE [--behind] [--meaning [FOLDER]]`; without `--behind` for a window.
    """
    # Ctrl+C in a terminal is for the program; this one ends with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    root, cache = map(Path, sys.argv[1:3])
    behind = BEHIND in sys.argv[3:4]
    wanted, *folder = sys.argv[4 if behind else 3 :] or [""]
    if behind:
        _at_idle_priority()
    else:
        _below_the_window()
    with nullcontext() if behind else window_stands(cache):
        model = ByModel(wanted == "--meaning", Path(folder[0]) if folder else None)
        child = Child(root, cache, sys.stdout.buffer, model)
        threading.Thread(target=child.listen, args=(sys.stdin.buffer,), daemon=True, name="listen").start()
        child.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
