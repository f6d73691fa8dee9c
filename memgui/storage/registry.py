"""`WorkspaceRegistry`: the id of each workspace by its real path, and when it was opened; a small file for each."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path

from memgui.domain.errors import WriteFailed
from memgui.domain.paths import shown
from memgui.domain.workspace import RecentWorkspace
from memgui.i18n import _
from memgui.storage import private
from memgui.storage.spot import reason_of

_MAX_BYTES = 64 * 1024


class WorkspaceRegistry:
    """Keeps its files in the state folder. Many processes may use it at once: the first to name an id wins."""

    def __init__(self, state: Path) -> None:
        self._folder = state / "workspaces"

    def id_for(self, root: Path, *, now: float) -> str:
        """The id of the workspace at this real path, drawn by lot the first time. WriteFailed: it cannot be kept."""
        known = self._read(self._file(root))
        if known is not None:
            return known.id
        import secrets

        fresh = RecentWorkspace(root, secrets.token_hex(8), root.name or str(root), now)
        try:
            return self._create(fresh).id
        except OSError as error:
            raise WriteFailed(
                _("memgui cannot note the folder {folder} among its own files: {reason}.").format(
                    folder=shown(str(root)), reason=reason_of(error)
                ),
                errno=error.errno,
                hint=_("Set MEMGUI_HOME to a folder that you can write to."),
            ) from error

    def opened(self, root: Path, *, now: float) -> None:
        """Notes that a workspace was opened. A disk that does not take it costs the note, and nothing else."""
        known = self._read(self._file(root))
        if known is not None:
            with contextlib.suppress(OSError):
                self._put(RecentWorkspace(root, known.id, known.name, now))

    def recents(self) -> tuple[RecentWorkspace, ...]:
        """All that were opened and not forgotten, the latest first."""
        try:
            names = sorted(os.listdir(self._folder))
        except OSError:
            return ()
        found = [self._read(self._folder / name) for name in names if name.endswith(".json")]
        shown_ones = [entry for entry in found if entry is not None and entry.opened > 0]
        return tuple(sorted(shown_ones, key=lambda entry: -entry.opened))

    def vanished(self) -> tuple[RecentWorkspace, ...]:
        """All whose folder is not there any more, forgotten or not."""
        try:
            names = sorted(os.listdir(self._folder))
        except OSError:
            return ()
        found = (self._read(self._folder / name) for name in names if name.endswith(".json"))
        return tuple(entry for entry in found if entry is not None and not entry.is_there)

    def take_over(self, root: Path, id_: str, before: Path) -> None:
        """The workspace at `root` is the one that stood at `before`, under its id. WriteFailed: it cannot be kept."""
        known = self._read(self._file(root))
        opened = known.opened if known is not None else 0.0
        try:
            self._put(RecentWorkspace(root, id_, root.name or str(root), opened))
            self._file(before).unlink(missing_ok=True)
        except OSError as error:
            raise WriteFailed(
                _("The history of {folder} was not taken over: {reason}.").format(
                    folder=shown(str(before)), reason=reason_of(error)
                ),
                errno=error.errno,
            ) from error

    def forget(self, root: Path) -> None:
        """No longer among the recent ones. Its id and its history stay, and are found when it is opened again."""
        known = self._read(self._file(root))
        if known is not None:
            with contextlib.suppress(OSError):
                self._put(RecentWorkspace(root, known.id, known.name, 0.0))

    def _file(self, root: Path) -> Path:
        return self._folder / f"{hashlib.sha256(os.fsencode(root)).hexdigest()[:32]}.json"

    def _read(self, file: Path) -> RecentWorkspace | None:
        """What a file says; None where it says nothing that can be used, and then it is put aside."""
        try:
            data = file.read_bytes()
        except OSError:
            return None
        try:
            values = json.loads(data[:_MAX_BYTES])
            path, opened = Path(str(values["path"])), float(values["opened"])
            entry = RecentWorkspace(path, str(values["id"]), str(values["name"]), opened, path.is_dir())
            if self._file(path) != file or not entry.id.isalnum() or opened != opened:
                raise ValueError
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
            with contextlib.suppress(OSError):
                os.replace(file, file.with_suffix(".damaged"))
            return None
        return entry

    def _create(self, entry: RecentWorkspace) -> RecentWorkspace:
        """Names the id, unless somebody was faster: a link is made whole or not at all, and by one alone."""
        import secrets

        private.folder(self._folder)
        file = self._file(entry.path)
        temporary = self._folder / f".{secrets.token_hex(8)}.tmp"
        private.put(temporary, _data(entry))
        try:
            os.link(temporary, file)
        except FileExistsError:
            known = self._read(file)
            return entry if known is None else known
        finally:
            os.unlink(temporary)
        return entry

    def _put(self, entry: RecentWorkspace) -> None:
        private.put(self._file(entry.path), _data(entry))


def _data(entry: RecentWorkspace) -> bytes:
    values = {"path": str(entry.path), "id": entry.id, "name": entry.name, "opened": entry.opened}
    return json.dumps(values).encode()
