"""Brings into safety what could be lost: unsaved text into the crash journal, and copies of what is about to go.

It has a lane of its own, so that a slow disk, or somebody who holds the workspace's lock, keeps no typed line waiting.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memgui.domain.errors import MemguiError
from memgui.domain.paths import DocPath
from memgui.gui.jobs import Lane

if TYPE_CHECKING:
    from memgui.domain.requests import Unsaved
    from memgui.domain.review import Owed
    from memgui.domain.workspace import Workspace

_AT_ONCE_SECONDS = 2.0


class Safety:
    """The crash journal and the kept copies of one window. Where the state folder takes no unsaved text, it goes into
    the `spare` one. `journalled` is told what became of each text, `failed` of
    all other trouble."""

    def __init__(
        self,
        lane: Lane,
        spare: Path,
        journalled: Callable[[DocPath, MemguiError | None], None],
        failed: Callable[[MemguiError], None],
    ) -> None:
        self._lane = lane
        self._spare = spare
        self._journalled = journalled
        self._failed = failed
        self._desk = ""
        self._owed: dict[DocPath, deque[bytes]] = {}
        self._guard = threading.Lock()

    def claim(self, ws: Workspace) -> tuple[Unsaved, ...]:
        """What nobody is left to save: it is this window's from now on."""
        from memgui.ops import recovery

        return recovery.claim_unsaved(ws, self._own_desk(), spare=self._spare)

    def _own_desk(self) -> str:
        """The name under which this window keeps its text: taken when there is first something to keep or claim."""
        from memgui.ops import recovery

        with self._guard:
            self._desk = self._desk or recovery.take_desk()
            return self._desk

    def journal(self, ws: Workspace, text: Unsaved) -> None:
        """Keep unsaved text where a crash cannot reach it."""
        put = partial(self._put, ws, text)
        self._lane.submit(put, partial(self._in_journal, text.path), partial(self._journalled, text.path))

    def _in_journal(self, path: DocPath, value: None) -> None:  # noqa: ARG002
        self._journalled(path, None)

    def journal_now(self, ws: Workspace, text: Unsaved) -> None:
        """The same before this returns: the process may be about to end."""
        done = threading.Event()

        def put() -> None:
            try:
                self._put(ws, text)
            finally:
                done.set()

        self._submit(put)
        if not done.wait(_AT_ONCE_SECONDS):
            self._put(ws, text)

    def drop(self, ws: Workspace, path: DocPath) -> None:
        """The unsaved text was saved or given up; where a copy of it is owed, it goes only after that is kept."""
        self._submit(partial(self._drop, ws, path, None))

    def saved(self, ws: Workspace, path: DocPath, data: bytes) -> None:
        """The disk holds these bytes: the journal forgets them, and not what was typed since. From any thread."""
        self._submit(partial(self._drop, ws, path, data))

    def keep(self, ws: Workspace, path: DocPath, data: bytes) -> None:
        """Keep a copy of bytes of a document that are about to be replaced for good."""
        with self._guard:
            self._owed.setdefault(path, deque()).append(data)
        self._submit(partial(self.settle, ws, path))

    def settle(self, ws: Workspace, path: DocPath) -> None:
        """Keep the copies that are owed of a document, or raise why that cannot be. From any thread."""
        from memgui.ops import recovery

        with self._guard:
            owed = self._owed.get(path)
            while owed:
                recovery.kept(ws, owed[0])
                owed.popleft()

    def owe(self, ws: Workspace, verdicts: tuple[Owed, ...]) -> None:
        """These verdicts are not done yet: the next start tells of them, unless they are by then. From any thread."""
        self._submit(partial(self._owe, ws, verdicts))

    def close(self, wait: float) -> None:
        """Finish what is on its way. What the journal still holds is anybody's to claim."""
        from memgui.ops import recovery

        self._lane.close(wait, finish=True)
        recovery.leave_desk(self._desk)

    def _submit(self, work: Callable[[], None]) -> None:
        self._lane.submit(work, _nothing, self._failed)

    def _put(self, ws: Workspace, text: Unsaved) -> None:
        from memgui.ops import recovery

        recovery.journal_unsaved(
            ws,
            text.path,
            text.base_data,
            text.data,
            caret=text.caret,
            now=text.time,
            encoding=text.encoding,
            beside=text.beside,
            desk=self._own_desk(),
            spare=self._spare,
        )

    def _owe(self, ws: Workspace, verdicts: tuple[Owed, ...]) -> None:
        from memgui.ops import owed

        owed.keep(ws, verdicts, desk=self._own_desk())

    def _drop(self, ws: Workspace, path: DocPath, saved: bytes | None) -> None:
        from memgui.ops import recovery

        self.settle(ws, path)
        recovery.drop_unsaved(ws, path, desk=self._own_desk(), saved=saved, spare=self._spare)


def _nothing(value: None) -> None:
    """For work whose answer nobody waits for."""
