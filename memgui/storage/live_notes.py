"""The notes of live sessions in the runtime folder: one private file each, gone with its session or process."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from memgui.domain.errors import ExecutionFailed
from memgui.domain.notes import NoteSession
from memgui.i18n import _
from memgui.storage import private

PATIENCE_SECONDS = 5.0
MAX_BYTES = 64 * 1024 * 1024
_SUFFIX = ".note.json"


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that a session lives in. `begun`: when, by the system's count, as numbers are given out again."""

    pid: int
    begun: str

    @staticmethod
    def of(pid: int) -> Owner:
        return Owner(pid, _begun(pid))

    @property
    def is_alive(self) -> bool:
        """Whether that very process still runs."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except (OSError, OverflowError):
            return True
        return _begun(self.pid) == self.begun


class LiveNotes:
    """The folder of live notes. Many processes use it at once; each change is made under its lock."""

    def __init__(self, runtime: Path) -> None:
        self._folder = runtime / "notes"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else changes a note meanwhile. ExecutionFailed where the folder cannot be had."""
        # By name: a server answers its client first.
        from filelock import FileLock, Timeout

        try:
            lock = FileLock(private.folder(self._folder) / "lock", mode=0o600, is_singleton=True)
            lock.acquire(timeout=PATIENCE_SECONDS, poll_interval=0.004)
        except Timeout:
            raise ExecutionFailed(_("Another program holds the working notes and does not let go.")) from None
        except OSError as error:
            raise ExecutionFailed(
                _("The folder of the working notes cannot be used: {reason}.").format(reason=error.strerror or error)
            ) from error
        try:
            yield
        finally:
            lock.release()

    def put(self, session: NoteSession, owner: Owner) -> None:
        """Publish a session as it is now."""
        record = {**asdict(session), "pid": owner.pid, "begun": owner.begun}
        try:
            private.put(self._file(session.id), json.dumps(record).encode())
        except OSError as error:
            raise ExecutionFailed(
                _("The working note cannot be published: {reason}.").format(reason=error.strerror or error)
            ) from error

    def get(self, session_id: str) -> tuple[NoteSession, Owner] | None:
        """One session, None where it is not live."""
        return _read(self._file(session_id))

    def drop(self, session_id: str) -> None:
        """The session has ended."""
        with contextlib.suppress(OSError):
            self._file(session_id).unlink()

    def all(self) -> tuple[tuple[NoteSession, Owner], ...]:
        """The live sessions by id. What a killed process left is removed."""
        try:
            names = sorted(name for name in os.listdir(self._folder) if name.endswith(_SUFFIX))
        except OSError:
            return ()
        live: list[tuple[NoteSession, Owner]] = []
        for name in names:
            found = _read(self._folder / name)
            if found is None:
                continue
            if found[1].is_alive:
                live.append(found)
            else:
                self.drop(name.removesuffix(_SUFFIX))
        return tuple(live)

    def _file(self, session_id: str) -> Path:
        return self._folder / f"{session_id}{_SUFFIX}"


def _begun(pid: int) -> str:
    """When a process began, in the system's own count; empty where it does not tell."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return ""
    # The name of the program, in parentheses, may hold blanks.
    fields = text.rpartition(b")")[2].split()
    return fields[19].decode("ascii", "replace") if len(fields) > 19 else ""


def _read(path: Path) -> tuple[NoteSession, Owner] | None:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:
            info = os.fstat(handle)
            if not stat.S_ISREG(info.st_mode) or info.st_uid != os.geteuid():
                return None
            record = json.loads(file.read(MAX_BYTES))
        session = NoteSession(
            id=str(record["id"]),
            agent=str(record["agent"]),
            workspace=str(record["workspace"]),
            active=bool(record["active"]),
            text=str(record["text"]),
            tools=tuple(map(str, record["tools"])),
        )
        return session, Owner(int(record["pid"]), str(record["begun"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
