"""Several documents changed as one deed: all of them or none, and taken back as one. Lane: writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memgui.domain.changes import Change, ChangeSet
from memgui.domain.documents import fingerprint
from memgui.domain.errors import MemguiError
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import documents
from memgui.storage.locks import workspace_lock


@dataclass(frozen=True, slots=True)
class Step:
    """The bytes of one document before and after; None: it is not there."""

    path: DocPath
    before: bytes | None
    after: bytes | None

    @property
    def back(self) -> Step:
        """The step that takes this one back."""
        return Step(self.path, self.after, self.before)


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done: the changes, and the steps by which it can be taken back."""

    steps: tuple[Step, ...] = ()
    changes: ChangeSet = field(default_factory=ChangeSet)


def do(
    ws: Workspace,
    steps: Sequence[Step],
    *,
    origin: Origin,
    now: float | None = None,
    unlocked: frozenset[DocPath] = frozenset(),
) -> Deed:
    """Take the steps in order. Where one is refused, those before it are taken back, and the refusal is raised on.

    Conflict where other bytes stand somewhere than a step says.
    """
    taken: list[Step] = []
    changes: list[Change] = []
    with workspace_lock(ws.state):
        for step in steps:
            # Known of all before the first is taken: a refusal that can be foreseen costs no write.
            documents.guard(ws, step.path, origin, unlocked)
        try:
            for step in steps:
                if step.before != step.after:
                    changes += _take(ws, step, origin, now, unlocked).changes
                    taken.append(step)
        except MemguiError:
            for step in reversed(taken):
                _take(ws, step.back, origin, now, unlocked)
            raise
    return Deed(tuple(taken), ChangeSet(tuple(sorted(changes, key=lambda change: change.path))))


def take_back(
    ws: Workspace,
    deed: Deed,
    *,
    origin: Origin,
    now: float | None = None,
    unlocked: frozenset[DocPath] = frozenset(),
) -> Deed:
    """Undo a deed, as one deed. Conflict where somebody changed one of its documents since; nothing is touched then."""
    return do(ws, [step.back for step in reversed(deed.steps)], origin=origin, now=now, unlocked=unlocked)


def _take(ws: Workspace, step: Step, origin: Origin, now: float | None, unlocked: frozenset[DocPath]) -> ChangeSet:
    expected = None if step.before is None else fingerprint(step.before)
    if step.after is None:
        assert expected is not None
        return documents.remove(ws, step.path, expected=expected, origin=origin, unlocked=unlocked, now=now)
    return documents.write(ws, step.path, step.after, expected=expected, origin=origin, unlocked=unlocked, now=now)
