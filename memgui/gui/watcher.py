"""Watches a workspace's folders. An event is only a hint where to look; what is true is what the next look finds."""

from __future__ import annotations

import errno
import logging
import os
import stat
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from memgui.domain.paths import DocPath
from memgui.domain.watch import WatchState

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.api import BaseObserver

HEALTHY_MS = 60_000
POLLING_MS = 3_000
PRESENCE_SECONDS = 1.0
PACE_MS = (8, 24, 60, 110, 160)
"""How long to gather hints: hardly at all for the first, longer the longer it goes on. Quiet begins it anew."""
MANY_FOLDERS = 1_000
"""From so many touched folders on, one look at everything costs less."""

_KINDS = (
    *("FileCreatedEvent", "FileDeletedEvent", "FileModifiedEvent", "FileMovedEvent", "FileClosedEvent"),
    *("FileAttribEvent", "DirCreatedEvent", "DirDeletedEvent", "DirMovedEvent"),
)
# Opened and closed-without-writing stay out: our own reads would come back as events, without end.

NETWORK_TYPES = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "sshfs", "fuse.sshfs", "9p", "afs", "ceph", "glusterfs"),
        *("fuse.glusterfs", "lustre", "davfs", "fuse.davfs2", "fuse.rclone", "fuse.s3fs", "fuse.gvfsd-fuse"),
        *("virtiofs", "vboxsf", "prl_fs", "ncpfs"),
    }
)
"""File systems that others can write to without this machine's kernel seeing it."""


def file_system_type(path: Path, mounts: str) -> str:
    """The type of the file system that `path` lies on, by the text of /proc/mounts; empty where it is not known."""
    best, found = "", ""
    real = os.path.realpath(path)
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        inside = real == point or real.startswith(point.rstrip("/") + "/")
        # The last of two mounts on one point is the one that is seen.
        if inside and len(point) >= len(best):
            best, found = point, fields[2]
    return found


def count_folders(root: Path, limit: int) -> int:
    """How many folders a watch on `root` has to hold, those it may not read left out. Stops counting above `limit`."""
    count, waiting = 0, [os.fsencode(root)]
    while waiting and count <= limit:
        try:
            with os.scandir(waiting.pop()) as entries:
                waiting.extend(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
        except OSError:
            continue
        count += 1
    return count


def _text(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""


def _inotify_handles() -> set[str]:
    found = set()
    try:
        for name in os.listdir("/proc/self/fd"):
            try:
                if os.readlink(f"/proc/self/fd/{name}") == "anon_inode:inotify":
                    found.add(name)
            except OSError:
                continue
    except OSError:
        return set()
    return found


class _Hints:
    """Runs on watchdog's thread: keeps the folder of each event, and calls once until the folders are taken."""

    def __init__(self, root: Path, call: Callable[[], None]) -> None:
        super().__init__()
        self._root = os.fspath(root)
        self._call = call
        self._lock = threading.Lock()
        self._folders: set[DocPath] = set()
        self._everything = False

    def dispatch(self, event: FileSystemEvent) -> None:
        """What watchdog calls with every event."""
        self.add(self._folder(os.fsdecode(event.src_path)))
        if event.dest_path:
            self.add(self._folder(os.fsdecode(event.dest_path)))
        if event.is_directory:
            self.add(self._relative(os.fsdecode(event.dest_path or event.src_path)))

    def add(self, folder: DocPath | None) -> None:
        """Look into this folder; None: look at everything."""
        with self._lock:
            first = not self._folders and not self._everything
            if folder is None:
                self._everything = True
            else:
                self._folders.add(folder)
        if first:
            self._call()

    def take(self) -> frozenset[DocPath] | None:
        """What was touched since the last call. None: everything."""
        with self._lock:
            taken = None if self._everything or len(self._folders) > MANY_FOLDERS else frozenset(self._folders)
            self._folders.clear()
            self._everything = False
        return taken

    def _folder(self, path: str) -> DocPath:
        return self._relative(os.path.dirname(path))

    def _relative(self, path: str) -> DocPath:
        return DocPath(path[len(self._root) + 1 :] if path.startswith(self._root + "/") else "")


class _Ears(logging.Filter):
    """Listens to watchdog's log, the only place where it tells of an overflow; keeps what means nothing out of ours."""

    def __init__(self, overflowed: Callable[[], None]) -> None:
        super().__init__()
        self._overflowed = overflowed

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if "overflow" in message.casefold():
            self._overflowed()
            return False
        # An event that arrives while the watch is being taken down.
        return "called when the thread is inactive" not in message

    def listen(self, on: bool) -> None:
        for name in ("watchdog.observers.inotify", "watchdog.observers.inotify_c"):
            logger = logging.getLogger(name)
            logger.addFilter(self) if on else logger.removeFilter(self)


def _hush() -> None:
    """Say nothing of a folder that watchdog comes upon twice.

    Of folders made one in another at once, it finds the inner one by walking through the outer, and again by its own
    event; it warns that the second watch takes the place of the first, which is the same. Where warnings are errors,
    that would end its thread.
    """
    twice = r"Callback with id .* already exists for watch"
    warnings.filterwarnings("ignore", message=twice, category=RuntimeWarning, module=r"watchdog\.")


class _Keeper:
    """A thread of its own that sets the watch up and takes it down, and looks whether the folder is still there.

    Both can take long (many folders, a network disk that does not answer) and must not hold up the window.
    """

    _one_at_a_time = threading.Lock()

    def __init__(self, root: Path, hints: _Hints, tell: Callable[[WatchState], None]) -> None:
        self._root = root
        self._hints = hints
        self._tell = tell
        self._observer: BaseObserver | None = None
        self._identity: tuple[int, int] | None = None
        self._wake = threading.Event()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="memgui-watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended = True
        self._wake.set()

    def join(self, wait: float) -> None:
        if self._thread.ident is not None:
            self._thread.join(wait)

    def _run(self) -> None:
        state: WatchState | None = None
        while not self._ended:
            identity = self._look()
            if identity is None:
                if state is not WatchState.FOLDER_MISSING:
                    self._unwatch()
                    state = WatchState.FOLDER_MISSING
                    self._tell(state)
            elif identity != self._identity or self._deaf or state in (None, WatchState.FOLDER_MISSING):
                # There for the first time, there again, or another folder under the same name (which may have got
                # the number of the old one, whose watch has ended with it).
                self._unwatch()
                state = self._watch()
                self._tell(state)
            self._identity = identity
            self._wake.wait(PRESENCE_SECONDS)
        self._unwatch()

    @property
    def _deaf(self) -> bool:
        return self._observer is not None and not all(emitter.is_alive() for emitter in self._observer.emitters)

    def _look(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._root)
        except OSError:
            return None
        return (found.st_dev, found.st_ino) if stat.S_ISDIR(found.st_mode) else None

    def _watch(self) -> WatchState:
        if file_system_type(self._root, _text("/proc/mounts")) in NETWORK_TYPES:
            return WatchState.POLLING_NETWORK
        limit = int(_text("/proc/sys/fs/inotify/max_user_watches").strip() or 10**9)
        needed = count_folders(self._root, limit)
        if needed > limit:
            return WatchState.POLLING_LIMIT
        # Here and not above: a window is up before it is watched.
        from watchdog import events
        from watchdog.observers import Observer

        _hush()
        # Not every release of watchdog has all of these.
        wanted = [getattr(events, name) for name in _KINDS if hasattr(events, name)]
        with self._one_at_a_time:
            before = _inotify_handles()
            try:
                self._observer = Observer()
                handler = cast("FileSystemEventHandler", self._hints)
                self._observer.schedule(handler, os.fspath(self._root), recursive=True, event_filter=wanted)
                self._observer.start()
            except OSError as error:
                self._unwatch()
                full = error.errno in (errno.ENOSPC, errno.EMFILE)
                return WatchState.POLLING_LIMIT if full else WatchState.FOLDER_MISSING
            # Beyond the limit watchdog says nothing and leaves folders out, so count what the kernel really holds.
            mine = _inotify_handles() - before
        held = sum(_text(f"/proc/self/fdinfo/{handle}").count("inotify wd:") for handle in mine)
        if mine and held < needed and held < count_folders(self._root, limit):
            self._unwatch()
            return WatchState.POLLING_LIMIT
        return WatchState.LIVE

    def _unwatch(self) -> None:
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.unschedule_all()
            observer.stop()
            if observer.is_alive():
                observer.join(5.0)


class Watcher(QObject):
    """Tells in which folders to look. Lives on the GUI thread; its watching threads end with `close`."""

    touched = Signal(object)
    """`frozenset[DocPath]` of folders in which something may be new, or None: look at everything."""
    state_changed = Signal(object)
    """`WatchState`"""

    _hinted = Signal()
    _told = Signal(object)

    def __init__(self, root: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = WatchState.STARTING
        self._closed = False
        self._guard = threading.Lock()
        self._hinted.connect(self._on_hint, Qt.ConnectionType.QueuedConnection)
        self._told.connect(self._on_state, Qt.ConnectionType.QueuedConnection)
        self._pace = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._pace.timeout.connect(self._on_pace)
        self._step = 0
        self._rounds = QTimer(self, interval=HEALTHY_MS)
        self._rounds.timeout.connect(self.look_everywhere)
        self._hints = _Hints(root, self._hint)
        self._ears = _Ears(self._overflowed)
        self._keeper = _Keeper(root, self._hints, self._tell)

    def start(self) -> None:
        """Begin to watch. The first state comes by signal."""
        self._ears.listen(True)
        self._keeper.start()
        self._rounds.start()

    def end(self) -> None:
        """Tell threads and timers to end; nothing is signalled any more."""
        with self._guard:
            self._closed = True
        self._pace.stop()
        self._rounds.stop()
        self._keeper.stop()

    def close(self, wait: float = 5.0) -> None:
        """The same, and wait for it."""
        self.end()
        self._keeper.join(wait)
        self._ears.listen(False)

    @Slot()
    def look_everywhere(self) -> None:
        """Ask for a look at everything: on activation, on F5, after sleep, and every minute."""
        self._hints.add(None)

    # From other threads ---------------------------------------------------------------------------------------------

    def _hint(self) -> None:
        with self._guard:
            if not self._closed:
                self._hinted.emit()

    def _tell(self, state: WatchState) -> None:
        with self._guard:
            if not self._closed:
                self._told.emit(state)

    def _overflowed(self) -> None:
        self._hints.add(None)

    # On the GUI thread ----------------------------------------------------------------------------------------------

    @Slot()
    def _on_hint(self) -> None:
        if not self._closed and not self._pace.isActive():
            self._pace.start(PACE_MS[0])
            self._step = 0

    @Slot()
    def _on_pace(self) -> None:
        folders = self._hints.take()
        if folders is not None and not folders:
            self._step = 0
            return
        self._step = min(self._step + 1, len(PACE_MS) - 1)
        self._pace.start(PACE_MS[self._step])
        self.touched.emit(folders)

    @Slot(object)
    def _on_state(self, state: WatchState) -> None:
        if self._closed:
            return
        self.state = state
        self._rounds.setInterval(POLLING_MS if state.is_polling else HEALTHY_MS)
        self.state_changed.emit(state)
        if state is not WatchState.FOLDER_MISSING:
            # What was written before the watch stood was not seen by it.
            self.look_everywhere()
