"""The window of one workspace, for a program or a test that has a QApplication already."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QWidget

from memgui.gui.sources import leave_unread

# Before anything else of the window is loaded.
leave_unread()

from memgui.gui.pauses import pauses  # noqa: E402

if TYPE_CHECKING:
    from memgui.gui.session import Session
    from memgui.gui.state import Placement
    from memgui.gui.window import MainWindow
    from memgui.gui.wiring import Wiring
    from memgui.ops.preferences import Settings


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
        from memgui.gui.session import Session
        from memgui.ops import preferences

        places = preferences.Places.find()
        chosen = settings if settings is not None else preferences.load(places)
        session = Session(Path(os.path.abspath(path)), places=places, settings=chosen)
        session.open()
        try:
            # While the folder is read.
            return _window_of(session, app, chosen, placement, remembers=remembers)
        except BaseException:
            session.close()
            raise
    finally:
        pauses().end()


def _window_of(
    session: Session, app: QApplication, settings: Settings, placement: Placement | None, *, remembers: bool
) -> MainWindow:
    from memgui.gui import theme
    from memgui.gui.state import Placement
    from memgui.gui.window import MainWindow
    from memgui.gui.wiring import Wiring

    theme.apply(app, settings.appearance, settings.zoom)
    window = MainWindow()
    Wiring(window, session, settings=settings, remembers=remembers)
    window.place_at(placement or Placement())
    window.show()
    return window


def wiring_of(window: QWidget) -> Wiring | None:
    """The wiring of a workspace's window; None for the welcome page."""
    from memgui.gui.wiring import Wiring

    return window.findChild(Wiring)
