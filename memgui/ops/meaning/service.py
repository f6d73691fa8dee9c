"""`Meaning`: the meaning of a workspace's memory as a window or a verb asks for it. Where nothing is known, it says so.

A window has the helper process embed and answer; a verb and a server answer by themselves, from what is there.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memgui.domain.workspace import Workspace
from memgui.ops import preferences
from memgui.ops.meaning.progress import FOLDER, ByModel, MeaningProgress, TellMeaning, unheard
from memgui.search.memory import trim

if TYPE_CHECKING:
    from memgui.ops.meaning.asked import Queries, Question, Wanted
    from memgui.ops.meaning.embedding import Embedding
    from memgui.ops.words.helper import Helper
    from memgui.search.meaning.index import Nearness

PATIENCE_SECONDS = 2.0
"""After so long a question is given up: what the words found stands alone."""


class Answers:
    """Questions that the helper process answers, as it gets to them."""

    def __init__(self, tell: TellMeaning = unheard) -> None:
        self._tell = tell
        self._numbers = itertools.count(1)
        self._waiting: dict[int, tuple[threading.Event, list[Nearness | None]]] = {}
        self._lock = threading.Lock()
        self.progress = MeaningProgress()

    def heard(self, message: dict[str, Any]) -> None:
        """What the process says. On its listener's thread."""
        if "meaning" in message:
            values = message["meaning"]
            self.progress = MeaningProgress(
                **(values | {"models": tuple(values["models"]), "problems": tuple(values["problems"])})
            )
            self._tell(self.progress)
        elif "answer" in message:
            from memgui.ops.meaning.asked import nearness_of

            with self._lock:
                waiting = self._waiting.pop(message["answer"], None)
            if waiting is not None:
                event, answer = waiting
                answer.append(None if message["found"] is None else nearness_of(message["found"]))
                event.set()

    def ask(self, helper: Helper, wanted: Wanted) -> Nearness | None:
        """Put a question and wait for its answer, but not for ever; None where there is none."""
        from memgui.ops.meaning.asked import wanted_values

        if not self.progress.knows_any:
            return None
        number, event = next(self._numbers), threading.Event()
        answer: list[Nearness | None] = []
        with self._lock:
            self._waiting[number] = event, answer
        if helper.ask({"ask": wanted_values(wanted), "number": number}):
            event.wait(PATIENCE_SECONDS)
        with self._lock:
            self._waiting.pop(number, None)
        return answer[0] if answer else None

    def close(self) -> None:
        """Nobody waits any longer."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for event, _answer in waiting.values():
            event.set()


class Meaning:
    """Answers in this process, with models loaded at the first question. For verbs and servers."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self._by: ByModel | None = None
        self._turn = threading.Lock()
        self._embedding: Embedding | None = None
        self._question: Question | None = None

    @property
    def is_there(self) -> bool:
        """Whether anything was ever embedded: no model is loaded to find that out."""
        return (self._ws.cache / FOLDER).is_dir() and self._by_model.wanted

    @property
    def _by_model(self) -> ByModel:
        if self._by is None:
            self._by = ByModel.of(preferences.load())
        return self._by

    def begin(self, text: str) -> Callable[[], Queries | None]:
        """Have the models read a text beside whatever else its answer takes; what is given back waits for them.

        None of it where nothing is known.
        """
        if not self.is_there:
            return lambda: None
        read: list[Queries] = []
        thread = threading.Thread(target=lambda: read.append(self._read(text)), name="memgui-question", daemon=True)
        thread.start()

        def queries() -> Queries | None:
            thread.join()
            return read[0] if read else None

        return queries

    def ask(self, wanted: Wanted, queries: Queries | None = None) -> Nearness | None:
        """The nearest passages; None where nothing is known. `queries`: the text as the models read it already."""
        if not self.is_there:
            return None
        with self._turn:
            return self._asked().answer(wanted, queries)

    def _read(self, text: str) -> Queries:
        with self._turn:
            read = self._asked().read(text)
        # Models that were loaded for it leave as much behind as they take.
        trim()
        return read

    def _asked(self) -> Question:
        from memgui.ops.meaning.asked import Question

        embedding = self._opened()
        if self._question is None:
            self._question = Question(embedding.folder, embedding.models, embedding.embedder)
        return self._question

    def _opened(self) -> Embedding:
        if self._embedding is None:
            from memgui.ops.meaning.embedding import Embedding

            self._embedding = Embedding(self._ws.root, self._ws.cache, chosen=self._by_model.folder)
        return self._embedding

    def rest(self) -> None:
        """Give the memory of the models back until they are wanted again."""
        from memgui.ops.meaning.memory import give_back

        self.close()
        give_back()

    def close(self) -> None:
        """Let go of models and files."""
        with self._turn:
            if self._question is not None:
                self._question.close()
                self._question = None
            if self._embedding is not None:
                self._embedding.close()
                self._embedding = None
