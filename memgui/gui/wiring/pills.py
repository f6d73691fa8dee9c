"""Pills that went by, kept as long as the window lives: each can be read again in the list of what happened."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from memgui.domain.paths import DocPath

if TYPE_CHECKING:
    from memgui.domain.activity import Event
    from memgui.gui.notices import Notices
    from memgui.gui.panels.page.page import Page

MOST = 500


class Pills(QObject):
    """What was said in pills, as events. `changed`: there is one more, or one says something newer."""

    changed = Signal()

    def __init__(self, parent: QObject, *, now: Callable[[], float] = time.time) -> None:
        super().__init__(parent)
        self._now = now
        self._told: deque[Event] = deque(maxlen=MOST)
        self._latest: dict[tuple[DocPath | None, str], str] = {}
        self._count = 0

    @property
    def events(self) -> tuple[Event, ...]:
        """All that are kept."""
        return tuple(self._told)

    def hear(self, notices: Notices) -> None:
        """Keep what is said there; it is about no document."""
        notices.told.connect(partial(self._keep, None))

    @Slot(object)
    def hear_page(self, page: Page) -> None:
        """Keep what is said on a page; it is about its document."""
        page.notices.told.connect(partial(self._keep, page))

    def _keep(self, page: Page | None, kind: str, text: str, is_new: bool) -> None:
        # With the first pill; most windows show their first picture without one.
        from memgui.domain.activity import Event, EventKind

        path = None if page is None else page.path
        known = "" if is_new else self._latest.get((path, kind), "")
        for at, event in enumerate(self._told):
            if event.id == known:
                self._told[at] = replace(event, detail=text)
                break
        else:
            self._count += 1
            id_, paths = f"notice-{self._count:09}", () if path is None else (path,)
            self._told.append(Event(id_, self._now(), EventKind.NOTICE, kind, paths=paths, detail=text))
            self._latest[path, kind] = id_
        self.changed.emit()
