"""`Helper`: the process that writes the index, as seen from the window: told what to do, begun again where it dies."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from memgui.domain.paths import DocPath
from memgui.i18n import _
from memgui.ops import own_process
from memgui.ops.meaning.progress import AS_IT_CAME, ByModel
from memgui.ops.words.presence import BEHIND
from memgui.ops.words.progress import Progress, Rows, Tell

Heard = Callable[[dict[str, Any]], None]


def unheard(_message: dict[str, Any]) -> None:
    """For a process that is asked nothing."""


MOST_DEATHS = 3
"""So often in a row it is begun again; one that keeps dying is left alone until the next whole look."""


_AT_ONCE = 200
"""So many documents are told of in one message: to write down more would keep the window from the interpreter."""


class Helper:
    """Nothing here waits for the other process, but `close`. `tell` and `heard` are called on a thread of its own."""

    def __init__(
        self,
        root: Path,
        cache: Path,
        tell: Tell,
        heard: Heard = unheard,
        meaning: ByModel = AS_IT_CAME,
        *,
        behind: bool = False,
    ) -> None:
        self._root, self._cache, self._tell, self._heard, self._meaning = root, cache, tell, heard, meaning
        self._behind = behind
        """It works for no window, at idle priority."""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._listener: threading.Thread | None = None
        self._rows: dict[DocPath, tuple[int, ...]] = {}
        self._touched: set[DocPath] = set()
        self._deaths = 0
        self._closed = False

    @property
    def process(self) -> int | None:
        """The number of the other process, while there is one."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def refresh(self, rows: Rows, *, anew: bool = False) -> None:
        """Have the index hold these documents and no others."""
        with self._lock:
            self._rows = {path: (key.size, key.mtime_ns, key.ctime_ns, key.inode) for path, key in rows.items()}
            self._deaths = 0
            self._touched.clear()
            self._ask_for_all(anew=anew)

    def update(self, paths: Iterable[DocPath]) -> None:
        """Have the index hold these documents as they are now."""
        with self._lock:
            changed = list(paths)
            self._touched.update(changed)
            if self._process is not None:
                self._send({"update": changed})

    def ask(self, message: dict[str, Any]) -> bool:
        """Pass on a question; `heard` is told the answer. False where there is no other process."""
        with self._lock:
            if self._process is None or self._closed:
                return False
            self._send(message)
            return True

    def close(self, wait: float = 5.0) -> None:
        """End the other process; what it has not written it will write another time.

        Without a `wait` it is ended by force, and whoever listens to it sees it off: this returns at once.
        """
        self._closed = True
        if not wait and self._process is not None:
            # Before the lock: who holds it may just be telling that process something, which now fails.
            self._process.kill()
        with self._lock:
            process, listener = self._process, self._listener
        if process is None:
            return
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        if not wait:
            process.kill()
            return
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if listener is not None:
            listener.join()

    def _ask_for_all(self, *, anew: bool = False) -> None:
        if self._process is None:
            self._begin()
        rows = iter(self._rows.items())
        while some := [[path, *key] for path, key in islice(rows, _AT_ONCE)]:
            self._send({"rows": some})
        self._send({"refresh": anew})

    def _ask_again(self) -> None:
        """All of it, as far as it is known; what was told since the last whole look is looked at once more."""
        for path in self._touched:
            self._rows.pop(path, None)
            with suppress(OSError):
                found = os.lstat(os.fsencode(self._root / path))
                if stat.S_ISREG(found.st_mode):
                    self._rows[path] = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
        self._ask_for_all()

    def _begin(self) -> None:
        if self._closed:
            return
        told = [os.fspath(self._root), os.fspath(self._cache)]
        told += [BEHIND] if self._behind else []
        if self._meaning.wanted:
            told += ["--meaning", *([] if self._meaning.folder is None else [os.fspath(self._meaning.folder)])]
        try:
            self._process = own_process.begin("memgui.ops.words.child", *told)
        except OSError as error:
            reason = error.strerror or str(error)
            self._tell(
                Progress(
                    failed=True, problems=(_("The index of words cannot be built: {reason}.").format(reason=reason),)
                )
            )
            return
        self._listener = threading.Thread(target=self._listen, args=(self._process,), name="memgui-words", daemon=True)
        self._listener.start()

    def _fail(self, sentence: str) -> None:
        self._tell(Progress(failed=True, problems=(sentence,)))

    def _send(self, message: dict[str, Any]) -> None:
        if self._process is None or self._process.stdin is None:
            return
        # One that has died is noticed by whoever listens to it.
        with suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with process.stdout as source, suppress(OSError, ValueError):
            for line in source:
                message = json.loads(line)
                if "words" in message:
                    progress = _progress(message["words"])
                    if progress.ready:
                        self._deaths = 0
                    self._tell(progress)
                else:
                    self._heard(message)
        process.wait()
        with self._lock:
            if process.stdin is not None:
                with suppress(OSError):
                    process.stdin.close()
            if self._closed or self._process is not process:
                return
            self._process = None
            self._deaths += 1
            again = self._deaths <= MOST_DEATHS
            if again:
                self._ask_again()
        if not again:
            self._tell(
                Progress(failed=True, problems=(_("The index of words cannot be built: the builder keeps ending."),))
            )


def _progress(values: dict[str, Any]) -> Progress:
    return Progress(**(values | {"problems": tuple(values["problems"])}))
