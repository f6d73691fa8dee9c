"""`Apart`: what reads every document when a workspace is new, done by other processes; a lane only waits for them.

Where there are few documents, or a process cannot be begun or keeps ending, it is done in the lane itself.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from memgui.domain.paths import DocPath, is_document
from memgui.domain.tree import Node, NodeKind, Snapshot
from memgui.domain.workspace import Workspace
from memgui.ops import own_process
from memgui.ops.apart.messages import BEGIN, DONE, FAILED, FOLD, LOOK_OVER, MEET, PART, Incoming, Task, send
from memgui.search.literal import Text
from memgui.search.segments import Key
from memgui.storage.folders import never

if TYPE_CHECKING:
    from memgui.ops.opening import Overview

FEW = 200
"""Fewer documents are read sooner than a process begins."""

ATTEMPTS = 2
"""So often a process is begun for one deed."""

LOOK_SECONDS = 0.01
"""How often one who waits asks whether to stop."""

NICENESS = 15
"""Everybody else comes first; but on a busy machine it comes to an end as well."""

NICENESS_WHERE_WANTED = 5
"""Somebody may be looking for something already, or waits for what is to be reviewed."""

_WANTED = frozenset({BEGIN, FOLD})

_AT_ONCE = 100
"""So many values go over at once: more would keep the window from the interpreter."""

_MODULE = "memgui.ops.apart.child"

Progress = Callable[[int, int], object]
Heard = Callable[[Any], object]
Take = Callable[[list[Text], list[DocPath]], object]
"""Is given the texts of some files, and the paths of those that are gone."""


@dataclass(frozen=True, slots=True)
class _Done:
    """It is done, or was told to stop; not here."""

    answer: Any


class Apart:
    """The processes of one window. One works at a time, so that the others have a processor; folding waits for none."""

    def __init__(self) -> None:
        self._turn, self._folding = threading.Lock(), threading.Lock()
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def close(self) -> None:
        """End them now, and whoever waits for them. What they did not come to is done another time."""
        with self._lock:
            self._closed = True
            for process in self._running:
                process.kill()

    def begin(
        self,
        ws: Workspace,
        snapshot: Snapshot,
        *,
        progress: Progress | None = None,
        stop: Callable[[], bool] = never,
    ) -> bool:
        """`baselines.begin`: the first opening, all that stands there counts as accepted. Whether it is through."""
        nodes = _documents(snapshot)
        told = _unheard if progress is None else lambda part: progress(*part)
        done = self._done(Task(BEGIN, ws, time.time()), nodes, told, stop, stopped=False)
        if done is not None:
            return bool(done.answer)
        from memgui.ops import baselines

        return baselines.begin(ws, snapshot, progress=progress, stop=stop)

    def look_over(self, ws: Workspace, snapshot: Snapshot, *, stop: Callable[[], bool] = never) -> Overview:
        """`opening.look_over`: what was wrong before anybody looked."""
        from memgui.ops import opening

        task = Task(LOOK_OVER, ws, time.time())
        done = self._done(task, _documents(snapshot), _unheard, stop, stopped=opening.Overview())
        if done is not None:
            overview: Overview = done.answer
            return overview
        return opening.look_over(ws, snapshot, stop=stop)

    def meet(self, ws: Workspace, snapshot: Snapshot, *, stop: Callable[[], bool] = never) -> None:
        """`following.meet`: every document has a first version."""
        from memgui.ops import following

        unmet = following.unmet(ws, snapshot)
        if self._done(Task(MEET, ws, time.time()), unmet, _unheard, stop, stopped=None) is None:
            following.meet_these(ws, unmet, stop=stop)

    def fold(
        self,
        ws: Workspace,
        nodes: Sequence[Node],
        names_only: frozenset[DocPath],
        take: Take,
        *,
        stop: Callable[[], bool] = never,
    ) -> None:
        """The folded texts of files, in this order. What nobody took is to be read here."""
        wanted = [(node, node.path in names_only) for node in nodes]

        def heard(part: tuple[list[tuple[Any, ...]], list[DocPath]]) -> None:
            texts, gone = part
            take([Text(path, Key(*key), weight, folded) for path, key, weight, folded in texts], gone)

        with self._folding:
            self._done(Task(FOLD, ws, time.time()), wanted, heard, stop, stopped=None)

    # In a process ------------------------------------------------------------------------------------------------

    def _done(
        self, task: Task, values: Sequence[Any], heard: Heard, stop: Callable[[], bool], *, stopped: object
    ) -> _Done | None:
        """Have it done by another process; None where that cannot be. Its errors are raised here."""

        def over() -> bool:
            return self._closed or stop()

        if len(values) < FEW:
            return None
        with nullcontext(True) if task.deed == FOLD else self._in_turn(over) as is_turn:
            for _attempt in range(ATTEMPTS):
                if over() or not is_turn:
                    return _Done(stopped)
                with suppress(OSError, EOFError), self._process(task) as process:
                    return _Done(_told(process, task, values, heard, over, stopped))
            return _Done(stopped) if over() else None

    @contextmanager
    def _in_turn(self, over: Callable[[], bool]) -> Iterator[bool]:
        """Wait until no other one works. False where it is over before that."""
        with ExitStack() as held:
            for lock in (self._turn, self._folding):
                while not lock.acquire(timeout=LOOK_SECONDS):
                    if over():
                        yield False
                        return
                if lock is self._turn:
                    held.callback(lock.release)
                else:
                    lock.release()
            yield True

    @contextmanager
    def _process(self, task: Task) -> Iterator[subprocess.Popen[bytes]]:
        """Another process, ended at the end whatever it is at."""
        niceness = NICENESS_WHERE_WANTED if task.deed in _WANTED else NICENESS
        with own_process.begin(_MODULE, str(niceness)) as process:
            with self._lock:
                self._running.add(process)
                if self._closed:
                    process.kill()
            try:
                yield process
            finally:
                # It goes on another time where it was; and nobody who ends the program waits for it.
                process.kill()
                with self._lock:
                    self._running.discard(process)


def _unheard(_part: object) -> None:
    """There is nothing to tell on the way."""


def _documents(snapshot: Snapshot) -> list[Any]:
    return [node for path, node in snapshot.nodes.items() if node.kind is NodeKind.FILE and is_document(path)]


def _told(
    process: subprocess.Popen[bytes],
    task: Task,
    values: Iterable[Any],
    heard: Heard,
    stop: Callable[[], bool],
    stopped: object,
) -> object:
    """Tell the process its task, and hear what comes of it. OSError or EOFError where it ended before."""
    assert process.stdin is not None
    assert process.stdout is not None
    incoming, out = Incoming(process.stdout.fileno()), process.stdin.fileno()
    while not stop():
        if not incoming.ready(LOOK_SECONDS):
            continue
        kind, value = incoming.next()
        if kind == DONE:
            return value
        if kind == FAILED:
            raise value
        if kind == PART:
            heard(value)
        else:
            _tell(out, task, values)
    return stopped


def _tell(out: int, task: Task, values: Iterable[Any]) -> None:
    send(out, task)
    rest = iter(values)
    while some := list(islice(rest, _AT_ONCE)):
        send(out, some)
    send(out, None)
