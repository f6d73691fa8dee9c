"""Room: which versions go first where all of them are too many. From the document that takes most, its oldest first.

What a person wrote, and what holds lines that stand nowhere else, goes last; the newest, and what something else refers
to, never.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Iterator

from memgui.domain.documents import Fingerprint
from memgui.domain.errors import MemguiError
from memgui.domain.retention import holds_alone, is_needed
from memgui.domain.versions import Version
from memgui.storage.folders import never
from memgui.storage.history import History
from memgui.storage.kept import Copy, KeptCopies

_LINES_KEPT = 8


class Room:
    """Makes room, on paper: the caller does what it says. `before`: only what was replaced before that moment goes."""

    def __init__(
        self, history: History, copies: KeptCopies, referred: Collection[Fingerprint], *, before: float | None
    ) -> None:
        self._copies = copies
        self._referred = referred
        self._before = before
        self._files: dict[Fingerprint, Copy] = {copy.hash: copy for copy in copies.all()}
        self._standing: dict[Fingerprint, set[Fingerprint]] = {}
        for copy in self._files.values():
            if copy.base is not None:
                self._standing.setdefault(copy.base, set()).add(copy.hash)
        self._versions = {document: list(history.versions(document)) for document in history.documents()}
        self._uses = Counter(one.hash for found in self._versions.values() for one in found if one.hash is not None)
        self._lines: dict[Fingerprint, frozenset[bytes]] = {}
        self._freed = 0

    def made(self, wanted: int, *, stop: Callable[[], bool] = never) -> Iterator[tuple[str, frozenset[int]]]:
        """The versions, by document, that have to go so that so many bytes are free, as far as there are any."""
        gone: dict[str, set[int]] = {}
        for last in (False, True):
            heap = [(-self._usage(document), document) for document in self._versions]
            heapq.heapify(heap)
            places = dict.fromkeys(self._versions, 0)
            while heap and self._freed < wanted and not stop():
                _usage, document = heapq.heappop(heap)
                place = self._next(document, places[document], last)
                if place is not None:
                    places[document] = place
                    gone.setdefault(document, set()).add(self._take(document, place))
                    heapq.heappush(heap, (-self._usage(document), document))
        for document, numbers in gone.items():
            yield document, frozenset(numbers)

    def _next(self, document: str, place: int, last: bool) -> int | None:
        """Where the oldest version stands, from a place on, that may go."""
        found = self._versions[document]
        for at in range(place, len(found) - 1):
            one = found[at]
            is_young = self._before is not None and max(one.time, found[at + 1].time) >= self._before
            if is_young or is_needed(one, found[-1], self._referred):
                continue
            if last or not (one.origin.is_person or self._is_alone(found, at)):
                return at
        return None

    def _take(self, document: str, place: int) -> int:
        one = self._versions[document].pop(place)
        if one.hash is not None:
            self._uses[one.hash] -= 1
            self._release(one.hash)
        return one.number

    def _release(self, print_: Fingerprint) -> None:
        """Count what gets free, where nothing needs a copy any more; and then, perhaps, its base."""
        if self._uses[print_] > 0 or print_ in self._referred or self._standing.get(print_):
            return
        copy = self._files.pop(print_, None)
        if copy is not None:
            self._freed += copy.size
            if copy.base is not None:
                self._standing[copy.base].discard(print_)
                self._release(copy.base)

    def _usage(self, document: str) -> int:
        prints = {one.hash for one in self._versions[document] if one.hash is not None}
        return sum(self._files[print_].size for print_ in prints if print_ in self._files)

    def _is_alone(self, found: list[Version], at: int) -> bool:
        """Whether a version has lines that those before and after it do not have: nor do any others, then."""
        beside = [self._lines_of(found[near]) for near in (at - 1, at + 1) if 0 <= near < len(found)]
        return holds_alone(self._lines_of(found[at]), *beside)

    def _lines_of(self, one: Version) -> frozenset[bytes]:
        if one.hash is None:
            return frozenset()
        lines = self._lines.get(one.hash)
        if lines is None:
            try:
                lines = frozenset(self._copies.get(one.hash).splitlines())
            except MemguiError:
                lines = frozenset()
            while len(self._lines) >= _LINES_KEPT:
                self._lines.pop(next(iter(self._lines)))
            self._lines[one.hash] = lines
        return lines
