"""Parts of a window that are built late: when they are first wanted, or soon after the first picture.

A window is to be there at once, so it builds at first only what its first picture shows. All else is a part:

    self.days = window.part("days", self._build_days)
    self.days.answers("view.days", lambda days: days.show())

`_build_days` imports what it needs and answers the finished part, placed and connected. It may run at any time, so what
it builds begins with what is there by then, as with a session that is open already. `self.days()` is the part, built
if need be; `self.days.made` is None until then, and enough to tell it something that a new one finds out by itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from importlib import import_module
from time import perf_counter
from typing import Any, Generic, TypeVar, cast

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAction

T = TypeVar("T")

FIRST_PICTURE_MS = 30
"""So long the first picture has to be painted, before anything that it does not show is built."""

BETWEEN_MS = 8
"""So long the window may answer keys and paint, between one part and the next."""

BUSY_SECONDS = 0.5
"""So long after a key in search nothing is built: whoever types is not to wait for what they did not ask for."""

SLICE_SECONDS = 0.008
"""So long what a part is made of is loaded in one turn."""


class Part(Generic[T]):
    """One part: what `make` answers, from the first time that somebody asks."""

    def __init__(self, name: str, make: Callable[[], T], action: Callable[[str], QAction]) -> None:
        self.name = name
        self._make: Callable[[], T] | None = make
        self._action = action
        self._modules: deque[str] = deque()
        self._made: T | None = None
        self.is_made = False

    def __call__(self) -> T:
        """The part; it is built now, if it is not there yet."""
        make, self._make = self._make, None
        if make is not None:
            self._made = make()
            self.is_made = True
        assert self.is_made, f"the part {self.name} was asked for while it was being built"
        return cast("T", self._made)

    @property
    def made(self) -> T | None:
        """The part, if it is there already: for those who only tell it what a new one finds out by itself."""
        return self._made

    @property
    def is_due(self) -> bool:
        """Whether it is neither there nor being built."""
        return self._make is not None

    def is_made_of(self, *modules: str) -> None:
        """What takes long to load of it, each module before those that need it: they come in turns of their own."""
        self._modules.extend(modules)

    def load(self) -> bool:
        """Load for a moment what it is made of. True if that was all there, so that it can be built in this turn."""
        deadline = perf_counter() + SLICE_SECONDS
        were_missing = bool(self._modules)
        while self._modules:
            import_module(self._modules.popleft())
            if perf_counter() > deadline:
                break
        return not were_missing

    def answers(self, action: str, deed: Callable[[T], object]) -> None:
        """What the part does when a person chooses that action; for that it is built, if need be."""
        self._action(action).triggered.connect(lambda: deed(self()))


class Parts(QObject):
    """All parts of a window, in the order in which they are built when nobody asks for them."""

    def __init__(self, action: Callable[[str], QAction], parent: QObject) -> None:
        super().__init__(parent)
        self._action = action
        self._parts: list[Part[Any]] = []
        self._closed = False
        self._busy_until = 0.0
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._build_next)

    def add(self, name: str, make: Callable[[], T]) -> Part[T]:
        """A part more."""
        part = Part(name, make, self._action)
        self._parts.append(part)
        return part

    @property
    def due(self) -> tuple[str, ...]:
        """The names of those that nobody has asked for yet."""
        return tuple(part.name for part in self._parts if part.is_due)

    @Slot()
    def begin(self) -> None:
        """What is to be seen first is there: when it has been painted, build what is left, each in its own turn."""
        self._build_later(FIRST_PICTURE_MS)

    @Slot()
    def put_off(self) -> None:
        """Somebody is at something that has to come at once: build nothing for a moment."""
        self._busy_until = perf_counter() + BUSY_SECONDS

    def _build_later(self, wait: int) -> None:
        if self.due and not self._closed:
            self._next.start(wait)

    def build_all(self) -> bool:
        """Build what is left at once, since somebody looks for something that may lie in there. True if there was."""
        wanted = [] if self._closed else [part for part in self._parts if part.is_due]
        for part in wanted:
            if part.is_due:
                part()
        return bool(wanted)

    def build(self, name: str) -> None:
        """Build the part of that name, if it is not there yet."""
        for part in self._parts:
            if part.name == name:
                part()

    def close(self) -> None:
        """Build nothing any more unless it is asked for by name."""
        self._closed = True
        self._next.stop()

    @Slot()
    def _build_next(self) -> None:
        left = self._busy_until - perf_counter()
        if left > 0:
            self._build_later(round(left * 1000) + 1)
            return
        part = next((part for part in self._parts if part.is_due), None)
        if part is not None and not self._closed:
            try:
                if part.load():
                    part()
            finally:
                # One that cannot be built keeps none of the others from it.
                self._build_later(BETWEEN_MS)
