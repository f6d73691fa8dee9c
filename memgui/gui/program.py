"""The program: windows on workspaces, the end of them all, and what happens when something breaks."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Qt, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QSessionManager
from PySide6.QtWidgets import QApplication

from memgui.domain.errors import MemguiError
from memgui.domain.paths import is_document
from memgui.domain.workspace import FoundWorkspace, RecentWorkspace
from memgui.gui import theme
from memgui.gui.app import open_at, wiring_of
from memgui.gui.doorway import Doorway
from memgui.gui.jobs import Failure, Lane
from memgui.gui.pauses import pauses
from memgui.gui.state import Placement
from memgui.gui.window import APP_ID, MainWindow
from memgui.i18n import _
from memgui.ops import preferences, remembered
from memgui.ops import workspace as workspaces
from memgui.ops.preferences import Places

if TYPE_CHECKING:
    from PySide6.QtWidgets import QFileDialog

    from memgui.gui.panels.welcome import WelcomePanel
    from memgui.ops.instance import Door, Wish

log = logging.getLogger(__name__)


def run(target: Path | None, line: int | None = None, door: Door | None = None) -> int:
    """The program: a window on the target (a folder, or a file at a line), or the welcome page. `door`: at which later
    starts knock."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("memgui")
    app.setApplicationDisplayName("memgui")
    QGuiApplication.setDesktopFileName(APP_ID)
    program = Program(app)
    if door is not None:
        program.keep(door)
    program.start(target, line)
    try:
        return app.exec()
    finally:
        program.close()


class Program(QObject):
    """All windows of one process, from the first to the last."""

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        pauses().begin()
        self._windows: list[MainWindow] = []
        self._welcome: MainWindow | None = None
        self._panel: WelcomePanel | None = None
        self._dialog: QFileDialog | None = None
        self._doorway: Doorway | None = None
        self._lane = Lane("program", parent=self)
        self._ending = _Ending(self._end)
        self._hooks = sys.excepthook, threading.excepthook
        sys.excepthook = self._on_exception
        threading.excepthook = _log_thread
        app.commitDataRequest.connect(self._on_log_out)

    def close(self) -> None:
        """Give back what the process lent to the program."""
        if self._doorway is not None:
            self._doorway.close()
        self._ending.close()
        self._lane.close(1.0, finish=True)
        sys.excepthook, threading.excepthook = self._hooks
        pauses().end()

    def keep(self, door: Door) -> None:
        """Open what later starts were to open."""
        self._doorway = Doorway(door, self)
        self._doorway.wished.connect(self._grant)

    @Slot(object)
    def _grant(self, wish: Wish) -> None:
        if wish.token:
            # By this the desktop knows that a person wanted the window to come to the front.
            os.environ["XDG_ACTIVATION_TOKEN"] = wish.token
        if wish.path is not None:
            self.open(Path(wish.path), wish.line)
        elif self._windows:
            _to_front(self._windows[-1])
        else:
            self.show_welcome()

    def start(self, target: Path | None, line: int | None) -> None:
        """The first window."""
        if target is None:
            self.show_welcome()
        else:
            self.open(target, line)

    def open(self, target: Path, line: int | None = None) -> None:
        """A window on this folder, or on the workspace of this file; the one that is there already, if there is."""
        path = Path(os.path.abspath(target))
        root = workspace_of(path)
        window = self._window_on(root) or self._new_window(root)
        wiring = wiring_of(window)
        if wiring is not None and path != root:
            wiring.show_file(path, line)
        _to_front(window)
        if self._welcome is not None:
            self._welcome.close()

    def show_welcome(self) -> None:
        """The page for when no workspace is open."""
        from memgui.gui.panels.welcome import WelcomePanel

        app = QApplication.instance()
        assert isinstance(app, QApplication)
        settings = preferences.load()
        theme.apply(app, settings.appearance, settings.zoom)
        window, panel = MainWindow(), WelcomePanel()
        window.choices.show_settings(settings)
        panel.folder_requested.connect(self.choose_folder)
        panel.sample_requested.connect(self._make_sample)
        panel.workspace_chosen.connect(self.open)
        window.place_welcome(panel)
        window.show_middle("welcome")
        self._welcome, self._panel = window, panel
        self._adopt(window)
        window.place_at(Placement(side_shown=False))
        window.show()
        window.parts.begin()
        self._lane.submit(_what_to_offer, self._show_offers, self._say)

    def _show_offers(self, offers: Offers) -> None:
        if self._welcome is not None and self._panel is not None:
            self._panel.show_workspaces(offers.recent, offers.found)
            self._panel.show_places(offers.places.state, offers.places.cache)

    @Slot()
    def _make_sample(self) -> None:
        self._lane.submit(_new_sample, self.open, self._say)

    def _say(self, error: MemguiError) -> None:
        if self._welcome is not None:
            self._welcome.status.showMessage(error.message)

    @Slot()
    def choose_folder(self) -> None:
        """Ask for a folder, beside the window and not in its way."""
        from PySide6.QtWidgets import QFileDialog

        window = QApplication.activeWindow() or (self._windows[-1] if self._windows else None)
        dialog = QFileDialog(window, _("Open a folder of agent memory"), str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.fileSelected.connect(self._open_text)
        self._dialog = dialog
        dialog.open()

    def _new_window(self, root: Path) -> MainWindow:
        window = open_at(root, Placement.of(remembered.recall(remembered.WINDOW)), remembers=True)
        self._adopt(window)
        return window

    def _adopt(self, window: MainWindow) -> None:
        self._windows.append(window)
        window.action_chosen.connect(self._on_action)
        window.closing.connect(self._forget_closed)
        window.setAcceptDrops(True)
        window.installEventFilter(_Drops(window, self.open))

    def _window_on(self, root: Path) -> MainWindow | None:
        for window in self._windows:
            wiring = wiring_of(window)
            if wiring is not None and wiring.root == root:
                return window
        return None

    @Slot(str)
    def _open_text(self, path: str) -> None:
        self.open(Path(path))

    @Slot(str)
    def _on_action(self, name: str) -> None:
        if name == "workspace.open":
            self.choose_folder()

    @Slot()
    def _forget_closed(self) -> None:
        gone = self.sender()
        self._windows = [window for window in self._windows if window is not gone]
        if isinstance(gone, MainWindow) and wiring_of(gone) is not None:
            keep = partial(remembered.remember, remembered.WINDOW, gone.placement().values())
            self._lane.submit(keep, _nothing_more, _nothing_more)
        if self._welcome is gone:
            self._welcome = self._panel = None
        if isinstance(gone, MainWindow):
            gone.deleteLater()

    # The end -----------------------------------------------------------------------------------------------------

    def _save_text(self) -> None:
        """Every page's unsaved text into the crash journal, now."""
        for window in self._windows:
            wiring = wiring_of(window)
            if wiring is not None:
                wiring.journal_everything()

    def _end(self) -> None:
        self._save_text()
        for window in list(self._windows):
            window.close()
        QApplication.quit()

    @Slot(QSessionManager)
    def _on_log_out(self, manager: QSessionManager) -> None:  # noqa: ARG002
        # No question is asked and nothing is held up: what is unsaved and what is open comes back at the next start.
        self._save_text()
        for window in self._windows:
            wiring = wiring_of(window)
            if wiring is not None:
                wiring.keep_sitting()
                remembered.remember(remembered.WINDOW, window.placement().values())

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """An error that nobody caught: first the text, then the words."""
        try:
            self._save_text()
        except Exception:
            log.exception("unsaved text could not be put into the crash journal")
        log.critical("an unexpected error", exc_info=(kind, error, trace))
        sentence = _("Something inside memgui went wrong ({kind}). Unsaved text is in the crash journal.")
        for window in self._windows:
            wiring = wiring_of(window)
            if wiring is not None:
                wiring.show_failure(Failure(sentence.format(kind=kind.__name__)))


def _to_front(window: MainWindow) -> None:
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.raise_()
    window.activateWindow()


def workspace_of(path: Path) -> Path:
    """The folder to open for a path: itself; for a file the nearest workspace above it, else the folder it lies in.

    A missing folder stays itself: its window says so, rather than show the folder above.
    """
    if path.is_dir() or not (os.path.lexists(path) or is_document(path.name)):
        return path
    return workspaces.locate(path.parent, Path.home()) or path.parent


@dataclass(frozen=True, slots=True)
class Offers:
    """What the welcome page has to offer."""

    places: Places
    recent: tuple[RecentWorkspace, ...]
    found: tuple[FoundWorkspace, ...]


def _what_to_offer() -> Offers:
    places = Places.find()
    try:
        here: Path | None = Path.cwd()
    except FileNotFoundError:
        here = None
    return Offers(places, workspaces.recents(places), workspaces.found(Path.home(), here=here))


def _nothing_more(answer: object) -> None:
    """Where the window stood is kept or not; there is nothing to say."""


def _new_sample() -> Path:
    import tempfile

    from memgui.ops import sample

    folder = Path(tempfile.mkdtemp(prefix="memgui-sample-")) / "workspace"
    sample.write(folder)
    return folder


def _log_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        log.critical("an unexpected error in a thread", exc_info=(args.exc_type, args.exc_value, args.exc_traceback))


class _Ending(QObject):
    """Turns SIGTERM and SIGINT into a call on the GUI thread."""

    def __init__(self, end: Callable[[], None]) -> None:
        super().__init__()
        self._end = end
        self._here, self._there = socket.socketpair()
        for end_of_pair in (self._here, self._there):
            end_of_pair.setblocking(False)
        self._notifier = QSocketNotifier(self._here.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal)
        # Qt's loop runs no Python while it waits: the number of the signal, written to the pair, wakes it.
        self._wakeup = signal.set_wakeup_fd(self._there.fileno())
        self._before = {number: signal.signal(number, _noted) for number in (signal.SIGTERM, signal.SIGINT)}

    def close(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup)
        self._notifier.setEnabled(False)
        self._here.close()
        self._there.close()

    @Slot()
    def _on_signal(self) -> None:
        try:
            self._here.recv(64)
        except BlockingIOError:
            return
        self._end()


def _noted(number: int, frame: object) -> None:
    """The wake-up has told all there is to tell."""


class _Drops(QObject):
    """A folder or file dropped on a window opens."""

    opened = Signal(object)

    def __init__(self, window: MainWindow, opened: Callable[[Path], None]) -> None:
        super().__init__(window)
        self.opened.connect(opened)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent | QDropEvent):
            paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
            if paths:
                event.acceptProposedAction()
                if event.type() == QEvent.Type.Drop:
                    self.opened.emit(Path(paths[0]))
                return True
        return super().eventFilter(watched, event)
