"""Documents whose paths come near one that does not exist: for whoever mistyped it. Lane: reads."""

from __future__ import annotations

import difflib

from memgui.domain.paths import DocPath, comparable, name_of, sort_key
from memgui.domain.workspace import Workspace
from memgui.ops import reading

MOST = 5
_ALIKE = 0.6
"""From here on two names are taken for one that was mistyped; the module's own measure, 0 to 1."""


def documents(ws: Workspace, raw: str) -> tuple[DocPath, ...]:
    """The documents that tools can read and that `raw` may have meant, the likeliest first; often there is none."""
    wanted = comparable(raw.strip().strip("/"))
    rated = ((_likeness(wanted, comparable(path)), path) for path in reading.documents(ws))
    near = sorted((one for one in rated if one[0] >= _ALIKE), key=lambda one: (-one[0], sort_key(one[1])))
    return tuple(path for _likely, path in near[:MOST])


def _likeness(wanted: str, path: str) -> float:
    """By the whole path, or by the name alone where the folder was left out or is another; suffixes may be missing."""
    name, other = name_of(DocPath(wanted)), name_of(DocPath(path))
    return max(_alike(wanted, path), 0.95 * max(_alike(name, other), _alike(name, other.rpartition(".")[0])))


def _alike(one: str, other: str) -> float:
    measure = difflib.SequenceMatcher(None, one, other)
    return measure.ratio() if measure.real_quick_ratio() >= _ALIKE and measure.quick_ratio() >= _ALIKE else 0.0
