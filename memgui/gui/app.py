"""The window of one workspace, for a program or a test that has a QApplication already."""

from __future__ import annotations

import gc
import os
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from memgui.gui.sources import leave_unread

# Before anything else of the window is loaded.
leave_unread()

# All of it here, and not while somebody waits in front of a window that is there already. It stays: to look through it
# for garbage would only take time.
gc.disable()
from memgui.gui import theme  # noqa: E402
from memgui.gui.pauses import pauses  # noqa: E402
from memgui.gui.session import Session  # noqa: E402
from memgui.gui.state import Placement  # noqa: E402
from memgui.gui.window import MainWindow  # noqa: E402
from memgui.gui.wiring import Wiring  # noqa: E402
from memgui.ops import preferences  # noqa: E402
from memgui.ops.preferences import Settings  # noqa: E402

gc.enable()


def open_workspace(path: str | Path, *, settings: Settings | None = None) -> MainWindow:
    """Build and show the window of one workspace, inside a running QApplication. It shows itself before it is `ready`.

    Trouble with the folder is told in the window. Closing the window ends its threads and frees its files.
    """
    return open_at(path, None, settings)


def open_at(
    path: str | Path, placement: Placement | None, settings: Settings | None = None, *, remembers: bool = False
) -> MainWindow:
    """The same, where it stood before; one that `remembers` opens again what was open in it, and keeps that."""
    app = QApplication.instance()
    assert isinstance(app, QApplication), "a window needs a QApplication"
    # Whatever is loaded and built from here on stays: to look through it for garbage would only take time.
    pauses().begin()
    try:
        places = preferences.Places.find()
        chosen = settings if settings is not None else preferences.load(places)
        session = Session(Path(os.path.abspath(path)), places=places, settings=chosen)
        try:
            window = _window_of(session, app, chosen, placement, remembers=remembers)
            # Only now: while the folder is read, the window is painted, and neither waits for the interpreter.
            session.open()
            return window
        except BaseException:
            session.close()
            raise
    finally:
        pauses().end()


def _window_of(
    session: Session, app: QApplication, settings: Settings, placement: Placement | None, *, remembers: bool
) -> MainWindow:
    theme.apply(app, settings.appearance, settings.zoom)
    window = MainWindow()
    Wiring(window, session, settings=settings, remembers=remembers)
    window.place_at(placement or Placement())
    window.show()
    return window


def wiring_of(window: QWidget) -> Wiring | None:
    """The wiring of a workspace's window; None for the welcome page."""
    return window.findChild(Wiring)
