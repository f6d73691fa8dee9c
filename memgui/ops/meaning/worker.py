"""`Worker`: embeds in a process of its own, behind everything else, and answers queries beside that."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from memgui.domain.paths import DocPath
from memgui.ops.meaning.asked import Question, nearness_values, wanted_of
from memgui.ops.meaning.embedding import Embedding
from memgui.ops.meaning.memory import give_back
from memgui.ops.meaning.progress import MeaningProgress
from memgui.search.meaning.embedders import Embedder
from memgui.search.memory import trim
from memgui.search.segments import Key

NICENESS = 19
BEGIN_SECONDS = 2.0
"""A window that was just opened has better things to do: so long nothing is embedded."""

RETRY_SECONDS = 5.0
"""How long after another process was found embedding this one looks again."""

REST_SECONDS = 10.0
"""After so long without work or a query the models give their memory back; they are there again in half a second."""

_ASKED: dict[str, Any] = {"asked": True}
_REST: dict[str, Any] = {"rest": True}

Say = Callable[[dict[str, Any]], None]


class Worker:
    """Told what changed and what is asked; says how far it is, and the answers. Two threads, ended by `close`."""

    def __init__(self, root: Path, cache: Path, say: Say, chosen: Path | None = None) -> None:
        self._say = say
        self._ended = threading.Event()
        self._loading = threading.Lock()
        self._open = 0
        """So many questions wait for their answers."""
        self._tasks: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._questions: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._embedding = Embedding(root, cache, self._tell, self._ended.is_set, chosen)
        self._question = Question(self._embedding.folder, self._embedding.models, self._embedder)
        self._threads = [
            threading.Thread(target=self._work, name="embed", daemon=True),
            threading.Thread(target=self._answer, name="ask", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def put(self, message: dict[str, Any]) -> None:
        """A message: `refresh` and `update` as the index of words is told, or `ask`."""
        if "ask" in message:
            with self._loading:
                self._open += 1
            self._questions.put(message)
            # Whoever works gives way, and the models stay for the next question.
            self._tasks.put(_ASKED)
        else:
            self._tasks.put(message)

    def close(self) -> None:
        """End soon: what is not embedded will be another time."""
        self._ended.set()
        self._tasks.put(None)
        self._questions.put(None)

    def _embedder(self, name: str) -> Embedder | None:
        # Both threads use the models, and each may be the first to want one.
        with self._loading:
            return self._embedding.embedder(name)

    def _tell(self, progress: MeaningProgress) -> None:
        self._say({"meaning": asdict(progress)})

    def _work(self) -> None:
        with suppress(OSError, AttributeError):
            # The window comes first, whatever it does.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        self._ended.wait(BEGIN_SECONDS)
        again: dict[str, Any] | None = None
        wait: float | None = None
        done = told = False
        used = time.monotonic()
        while not self._ended.is_set():
            message = self._next(wait)
            if self._ended.is_set():
                break
            if message is not None:
                used = time.monotonic()
            if message is None or message is _ASKED:
                message = again
            if message is not None:
                again, done, told = self._do(message), False, False
            # Who only asked has brought nothing new.
            done = done or (again is None and self._embedding.work(interrupted=lambda: not self._tasks.empty()))
            if not done:
                wait = RETRY_SECONDS if self._tasks.empty() else 0.0
                continue
            if not told:
                used, told = time.monotonic(), True
                self._say({"rests": True})
                trim()
            wait = used + REST_SECONDS - time.monotonic()
            if wait <= 0:
                wait = None
                self._rest()
        self._embedding.close()

    def _rest(self) -> None:
        """Nobody has worked or asked for a while: what they need is loaded again when somebody does."""
        with self._loading:
            if self._open:
                # Whoever answers says when that is done, and the while begins then.
                return
            self._embedding.rest()
        self._questions.put(_REST)

    def _next(self, wait: float | None) -> dict[str, Any] | None:
        with suppress(queue.Empty):
            return self._tasks.get(timeout=wait) if wait is not None else self._tasks.get()
        return None

    def _do(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Do what a message says; the message again where another process was at it."""
        if "refresh" in message:
            rows = {DocPath(path): Key(*key) for path, *key in message["refresh"]}
            return None if self._embedding.refresh(rows, anew=bool(message.get("anew"))) else message
        self._embedding.update([DocPath(path) for path in message["update"]])
        return None

    def _answer(self) -> None:
        while (message := self._questions.get()) is not None:
            if message is _REST:
                self._question.close()
                give_back()
                continue
            found = self._question.answer(wanted_of(message["ask"]))
            self._say({"answer": message["number"], "found": None if found is None else nearness_values(found)})
            # A model that was loaded leaves as much behind as it takes.
            trim()
            with self._loading:
                self._open -= 1
            self._tasks.put(_ASKED)
        self._question.close()
