"""The tour: the main screens on the sample workspace, light and dark, as PNG files. It needs no display."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QApplication

from memgui.domain.errors import WriteFailed
from memgui.gui.app import open_workspace
from memgui.gui.program import Program
from memgui.gui.screens import SCREENS, Screen
from memgui.gui.stage import Stage
from memgui.gui.theme import DARK, LIGHT
from memgui.gui.window import MainWindow
from memgui.i18n import _
from memgui.ops import baselines, preferences, sample, sync
from memgui.ops import workspace as workspaces
from memgui.ops.preferences import Settings

_PERSON = ("HOME", "USERPROFILE", "MEMGUI_HOME", "MEMGUI_WORKSPACE")
_XDG = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")


def render(
    out: Path,
    *,
    tell: Callable[[Path], object] | None = None,
    only: Container[str] | None = None,
    appearances: Sequence[str] = (LIGHT, DARK),
) -> tuple[Path, ...]:
    """Render every main screen (or only those of some names) into `out`, light and dark, and answer the files.

    `tell` is called with each file when it is there. Nothing of the person's is read or written: each screen has a
    fresh sample, and a home folder of its own.
    """
    rendered = []
    for path in _rendered(out, only, appearances):
        rendered.append(path)
        if tell is not None:
            tell(path)
    return tuple(rendered)


def _rendered(out: Path, only: Container[str] | None, appearances: Sequence[str]) -> Iterator[Path]:
    app = application()
    flash = app.cursorFlashTime()
    # A caret that comes and goes would make two pictures of one.
    app.setCursorFlashTime(0)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for number, screen in enumerate(SCREENS, 1):
            for appearance in appearances if only is None or screen.name in only else ():
                yield _take(screen, appearance, out / f"{number:02}-{screen.name}-{appearance}.png")
    except OSError as error:
        raise WriteFailed(
            _("The pictures cannot be written to '{folder}': {reason}.").format(
                folder=out, reason=error.strerror or error
            ),
            errno=error.errno,
        ) from error
    finally:
        app.setCursorFlashTime(flash)


def application() -> QApplication:
    """The running application, else one that draws into memory, whether there is a display or not."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    qInstallMessageHandler(_tell)
    return QApplication(["memgui"])


def _tell(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:  # noqa: ARG001
    """Qt's own words, but for those by which drawing into memory regrets to be no desktop."""
    if not message.startswith("This plugin does not support"):
        sys.stderr.write(f"{message}\n")


def _take(screen: Screen, appearance: str, path: Path) -> Path:
    with tempfile.TemporaryDirectory(prefix="memgui-tour-") as place, _a_home_of_its_own(Path(place)) as home:
        root = home / "wren"
        screen.prepare(root)
        if root.exists() and not screen.first:
            workspace = workspaces.open(root)
            baselines.begin(workspace, sync.look(workspace))
        settings = Settings(appearance=appearance, zoom=screen.zoom)
        with (_welcome_window if screen.welcome else _workspace_window)(root, settings) as window:
            window.resize(screen.size)
            stage = Stage(window, root)
            screen.play(stage)
            _save(stage, path)
    return path


@contextmanager
def _workspace_window(root: Path, settings: Settings) -> Iterator[MainWindow]:
    window = open_workspace(root, settings=settings)
    try:
        yield window
    finally:
        window.close()
        window.deleteLater()


@contextmanager
def _welcome_window(root: Path, settings: Settings) -> Iterator[MainWindow]:
    """The program's first page, for a person who has opened one workspace before and has another."""
    preferences.save(settings)
    workspaces.open(root)
    sample.write(root.parent / ".openclaw" / "workspace")
    program = Program(application())
    try:
        program.show_welcome()
        (window,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow) and one.isVisible())
        yield window
        window.close()
        window.deleteLater()
    finally:
        program.close()


@contextmanager
def _a_home_of_its_own(place: Path) -> Iterator[Path]:
    """Stand in for the person's folders, so that none of theirs is seen or written."""
    before = {name: os.environ.get(name) for name in (*_PERSON, *_XDG)}
    home = place / "home"
    home.mkdir()
    try:
        for name in before:
            os.environ.pop(name, None)
        os.environ |= {"HOME": str(home), "USERPROFILE": str(home), "MEMGUI_HOME": str(home / ".memgui")}
        yield home
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def _save(stage: Stage, path: Path) -> None:
    writer = QImageWriter(str(path), b"png")
    writer.setCompression(100)
    if not writer.write(stage.picture().convertToFormat(QImage.Format.Format_RGB888)):
        raise WriteFailed(
            _("The picture '{path}' could not be written: {reason}.").format(path=path, reason=writer.errorString())
        )
