"""`Places`: where memgui keeps its own, never inside a workspace unless a person points it there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memgui.domain.errors import WriteFailed
from memgui.domain.paths import shown
from memgui.i18n import _

_APP = "memgui"


@dataclass(frozen=True, slots=True)
class WorkspacePlaces:
    """The folders of one workspace; both exist and are the person's alone."""

    state: Path
    cache: Path


@dataclass(frozen=True, slots=True)
class Places:
    """The four folders: what a person set, what must not be lost, what can be made anew, what ends with the login."""

    config: Path
    state: Path
    cache: Path
    runtime: Path

    @staticmethod
    def find(environ: Mapping[str, str] | None = None) -> Places:
        """All under `$MEMGUI_HOME` where that is set, else where this system keeps such things. Creates nothing."""
        environ = os.environ if environ is None else environ
        home = environ.get("MEMGUI_HOME", "")
        if home:
            base = Path(os.path.abspath(os.path.expanduser(home)))
            return Places(base / "config", base / "state", base / "cache", base / "run")
        import platformdirs

        state = platformdirs.user_state_path(_APP, appauthor=False)
        session = environ.get("XDG_RUNTIME_DIR", "")
        return Places(
            config=platformdirs.user_config_path(_APP, appauthor=False),
            state=state,
            cache=platformdirs.user_cache_path(_APP, appauthor=False),
            runtime=Path(session) / _APP if os.path.isabs(session) else state / "run",
        )

    @property
    def settings_file(self) -> Path:
        """Where the settings are."""
        return self.config / "config.toml"

    @property
    def all(self) -> tuple[Path, ...]:
        """The four folders."""
        return self.config, self.state, self.cache, self.runtime

    def of_workspace(self, workspace_id: str) -> WorkspacePlaces:
        """Where the folders of one workspace are, or would be."""
        return WorkspacePlaces(self.state / workspace_id, self.cache / workspace_id)

    def for_workspace(self, workspace_id: str) -> WorkspacePlaces:
        """The folders of one workspace, made where they are missing."""
        own = self.of_workspace(workspace_id)
        return WorkspacePlaces(private_folder(own.state), private_folder(own.cache))


def private_folder(path: Path) -> Path:
    """The folder, made with all that leads to it where it is missing, and closed to everybody else."""
    try:
        missing = []
        folder = path
        while not folder.is_dir():
            missing.append(folder)
            folder = folder.parent
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
        info = path.stat()
        if info.st_mode & 0o077 and info.st_uid == os.geteuid():
            path.chmod(0o700)
    except OSError as error:
        raise WriteFailed(
            _("memgui cannot keep its own files in {folder}: {reason}.").format(
                folder=shown(str(path)), reason=os.strerror(error.errno or 0)
            ),
            errno=error.errno,
            hint=_("Set MEMGUI_HOME to a folder that you can write to."),
        ) from error
    return path
