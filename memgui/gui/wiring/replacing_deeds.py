"""What replacing in all files asks and does, as jobs for the lanes; a batch is a row of short ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from memgui.domain.changes import ChangeSet
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.replacing import Exchange, Plan, Replaced
from memgui.gui.disk import View
from memgui.gui.jobs import Ticket
from memgui.ops import batches, replacing
from memgui.ops.finder import Finder

SLICE = 32
"""So many documents are written before others may write: each takes as long as the disk needs to be sure of it."""

T = TypeVar("T")


class Deed(Protocol):
    """Does one part of a batch."""

    def __call__(
        self, view: View, *, progress: Callable[[int, int], None], stop: Callable[[], bool]
    ) -> tuple[ChangeSet, Replaced]: ...


@dataclass(frozen=True, slots=True)
class Part:
    """Some documents of a batch, and what is done to them."""

    size: int
    deed: Deed


@dataclass(frozen=True, slots=True)
class Work:
    """A batch on its way: the parts to come, what the others did, and who is told in the end, with what went wrong."""

    parts: tuple[Part, ...]
    so_far: Replaced
    finish: Callable[[Replaced, str], None]
    before: int = field(default=0)
    """How many documents the parts had that are done."""

    @property
    def size(self) -> int:
        """How many documents all of it has."""
        return self.before + sum(part.size for part in self.parts)

    def after(self, replaced: Replaced) -> Work:
        """The next part did this."""
        before = self.before + self.parts[0].size
        return replace(self, parts=self.parts[1:], so_far=self.so_far.and_then(replaced), before=before)


def slices(several: Sequence[T]) -> Iterator[Sequence[T]]:
    """These in short rows."""
    return (several[at : at + SLICE] for at in range(0, len(several), SLICE))


def look(
    view: View,
    *,
    finder: Finder | None,
    exchange: Exchange,
    texts: dict[DocPath, str],
    progress: Callable[[int, int], None],
    ticket: Ticket,
) -> Plan:
    """Where the text stands. What cannot hold it is not looked into."""
    paths = (
        finder.holding(exchange.what)
        if finder is not None and finder.coverage.complete
        else [path for path, node in view.snapshot.nodes.items() if node.kind.has_bytes]
    )
    return replacing.look(view.workspace, exchange, paths, texts=texts, progress=progress, stop=lambda: ticket.stale)


def do(
    view: View,
    *,
    plan: Plan,
    chosen: dict[DocPath, frozenset[int]],
    batch: str,
    begins: bool,
    progress: Callable[[int, int], None],
    stop: Callable[[], bool],
) -> tuple[ChangeSet, Replaced]:
    """Replace at the chosen places, as a part of a batch: of the first one, where it `begins`."""
    if begins:
        batches.begin(view.workspace, batch, plan.exchange)
    return replacing.replace(
        view.workspace, plan, chosen, origin=Origin.you(), batch=batch, progress=progress, stop=stop
    )


def take_back(
    view: View, *, replaced: Replaced, batch: str, progress: Callable[[int, int], None], stop: Callable[[], bool]
) -> tuple[ChangeSet, Replaced]:
    """Undo that much of a batch."""
    return replacing.take_back(view.workspace, replaced, origin=Origin.you(), batch=batch, progress=progress, stop=stop)


def earlier(view: View) -> tuple[tuple[str, Replaced], ...]:
    """What an earlier memgui replaced and nobody took back."""
    return batches.known(view.workspace)
