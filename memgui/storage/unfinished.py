"""A change of name that goes by way of a third one: noted before, so that whoever comes next can end it."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from memgui.domain.errors import MemguiError
from memgui.domain.paths import DocPath
from memgui.storage import filing, private

_NOTE = "renaming.json"


def note(state: Path, old: DocPath, aside: DocPath, new: DocPath) -> None:
    """What stands at `old` is about to go to `new` by way of `aside`."""
    values = [os.fsencode(path).decode("utf-8", "surrogateescape") for path in (old, aside, new)]
    private.put(private.folder(state) / _NOTE, json.dumps(values).encode())


def done(state: Path) -> None:
    """It is there."""
    with contextlib.suppress(OSError):
        (state / _NOTE).unlink(missing_ok=True)


def finish(root: Path, state: Path) -> None:
    """End what a killed process left at the third name: forward, or back where the new name was taken meanwhile."""
    try:
        old, aside, new = map(DocPath, json.loads((state / _NOTE).read_bytes()))
    except (OSError, ValueError, TypeError, RecursionError):
        done(state)
        return
    with contextlib.suppress(MemguiError):
        if filing.standing(root, aside) is not None:
            try:
                filing.move(root, aside, new, step_aside=_no_further)
            except filing.Taken:
                filing.move(root, aside, old, step_aside=_no_further)
    done(state)


def _no_further(_aside: DocPath) -> None:
    """A free name needs no third one."""
