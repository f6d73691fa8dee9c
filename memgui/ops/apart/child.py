"""A process apart: told one task on its input, it does that at a low priority, answers, and ends; so it does when its
input ends. Killed at any moment it has lost nothing: the next one goes on where it was.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple
from typing import Any

from memgui.domain.errors import MemguiError
from memgui.domain.paths import DocPath
from memgui.domain.tree import Node, Snapshot
from memgui.ops.apart.messages import BEGIN, DONE, FAILED, FOLD, LOOK_OVER, MEET, PART, READY, Incoming, Task, send

TOLD_SECONDS = 0.1
_BATCH_BYTES = 1 << 20

Tell = Callable[[object], None]
Stop = Callable[[], bool]


def _begin(task: Task, nodes: list[Node], tell: Tell, stop: Stop) -> bool:
    from memgui.ops import baselines

    return baselines.begin(task.workspace, _snapshot(nodes), now=task.now, progress=_Progress(tell), stop=stop)


def _look_over(task: Task, nodes: list[Node], _tell: Tell, stop: Stop) -> object:
    from memgui.ops import opening

    return opening.look_over(task.workspace, _snapshot(nodes), stop=stop)


def _fold(task: Task, wanted: list[tuple[Node, bool]], tell: Tell, stop: Stop) -> None:
    from memgui.ops.folding import text_of
    from memgui.storage.reader import Reader

    texts: list[tuple[Any, ...]] = []
    gone: list[DocPath] = []
    size = 0
    with suppress(OSError), Reader(task.workspace.root) as reader:
        for node, by_name in wanted:
            if stop():
                return
            text = text_of(task.workspace.root, reader, node, by_name=by_name)
            if text is None:
                gone.append(node.path)
                continue
            texts.append((text.path, astuple(text.key), text.weight, text.folded))
            size += len(text.folded or b"")
            if size >= _BATCH_BYTES:
                tell((texts, gone))
                texts, gone, size = [], [], 0
        tell((texts, gone))


def _meet(task: Task, paths: list[Any], _tell: Tell, stop: Stop) -> None:
    from memgui.ops import following

    following.meet_these(task.workspace, paths, stop=stop)


DEEDS: dict[str, Callable[[Task, list[Any], Tell, Stop], object]] = {
    BEGIN: _begin,
    LOOK_OVER: _look_over,
    MEET: _meet,
    FOLD: _fold,
}


def _snapshot(nodes: list[Node]) -> Snapshot:
    return Snapshot({node.path: node for node in nodes})


class _Progress:
    """Tells how far it is, but not all the time."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._told_at = tell, 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._told_at >= TOLD_SECONDS or done == total:
            self._told_at = now
            self._tell((done, total))


def serve(source: int, out: int) -> None:
    """Do what is told on `source`, and answer on `out`."""
    send(out, (READY, None))
    incoming = Incoming(source)
    task: Task = incoming.next()
    values: list[Any] = []
    while (some := incoming.next()) is not None:
        values += some
    ended = threading.Event()

    def tell(part: object) -> None:
        # Where nobody listens any more, the end of the input tells so.
        with suppress(OSError):
            send(out, (PART, part))

    threading.Thread(target=_wait_for_end, args=(source, ended), name="end", daemon=True).start()
    try:
        answer = DONE, DEEDS[task.deed](task, values, tell, ended.is_set)
    except MemguiError as error:
        answer = FAILED, error
    send(out, answer)


def _wait_for_end(source: int, ended: threading.Event) -> None:
    with suppress(OSError):
        os.read(source, 1)
    ended.set()


def main() -> int:
    """Serve the process that began this one, on the standard streams: `python -m memgui.ops.apart.child NICENESS`."""
    # Ctrl+C in a terminal is for the program; this one ends with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, 0, int(sys.argv[1]))
    with suppress(OSError, EOFError):
        serve(sys.stdin.fileno(), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
