"""What the history asks and does, as jobs for the lanes: values in, a value out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from memgui.domain.changes import ChangeSet
from memgui.domain.errors import MemguiError
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.versions import Version
from memgui.gui.disk import View
from memgui.gui.panels.history.wishes import Comparison
from memgui.ops import restoring
from memgui.ops import timeline as timelines
from memgui.ops.restoring import Gone, Restored
from memgui.ops.timeline import Compared, Timeline

T = TypeVar("T")


def tried(question: Callable[[View], T], view: View) -> T | MemguiError:
    """Trouble is an answer: it is shown where the thing itself would stand."""
    try:
        return question(view)
    except MemguiError as error:
        return error


def timeline(view: View, *, path: DocPath) -> Timeline:
    """The versions of a document."""
    return timelines.timeline(view.workspace, path)


def deleted(view: View) -> tuple[Gone, ...]:
    """What is gone."""
    return restoring.deleted(view.workspace)


def compared(view: View, *, comparison: Comparison) -> Compared:
    """Two states of a document."""
    return timelines.compared(view.workspace, comparison.path, comparison.before, comparison.after, now=comparison.now)


def counts(
    view: View, *, path: DocPath, pairs: list[tuple[Version | None, Version]], stop: Callable[[], bool]
) -> dict[int, tuple[int, int]]:
    """How many lines came and went with some versions."""
    return timelines.counts(view.workspace, path, pairs, stop=stop)


def text(view: View, *, path: DocPath, version: Version) -> str:
    """The text of a version."""
    return timelines.text(view.workspace, path, version)


def restored(
    view: View, *, path: DocPath, number: int, seen: Compared | None, unlocked: frozenset[DocPath]
) -> tuple[ChangeSet, Restored]:
    """A version put back."""
    # What stands there now is what was seen, where it was compared with that; else whatever it is.
    ws = view.workspace
    expected = seen.now if seen is not None and seen.now is not None else restoring.standing(ws, path)
    restored = restoring.restore(ws, path, number, expected=expected, origin=Origin.you(), unlocked=unlocked)
    return restored.changes, restored


def restored_place(
    view: View, *, path: DocPath, number: int, place: int, seen: Compared, unlocked: frozenset[DocPath]
) -> tuple[ChangeSet, Restored]:
    """One place of a version put back."""
    assert seen.now is not None
    restored = restoring.restore_hunk(
        view.workspace, path, number, place, expected=seen.now, origin=Origin.you(), unlocked=unlocked
    )
    return restored.changes, restored


def taken_back(view: View, *, restored: Restored, unlocked: frozenset[DocPath]) -> tuple[ChangeSet, None]:
    """A restore undone."""
    return restoring.take_back(view.workspace, restored, origin=Origin.you(), unlocked=unlocked), None
