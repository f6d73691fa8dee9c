"""What was asked for and is not there, in the words of who asked: paths that come near, options as typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from memgui.domain.errors import InvalidParameters, MemguiError, NotFound
from memgui.domain.paths import shown
from memgui.domain.workspace import Workspace
from memgui.i18n import _

MOST_NAMED = 3


@contextmanager
def path(ws: Workspace, raw: str) -> Iterator[None]:
    """Where no such document is found in here, the error names those whose paths come near."""
    try:
        yield
    except (NotFound, InvalidParameters) as error:
        if error.hint is None:
            # Nobody else needs it.
            from memgui.ops import nearest

            near = nearest.documents(ws, raw)[:MOST_NAMED]
            if near:
                error.hint = _("Did you mean {paths}?").format(paths=", ".join(f"'{shown(one)}'" for one in near))
        raise


@contextmanager
def options(names: Mapping[str, str], *, as_typed: bool) -> Iterator[None]:
    """Errors name what they are about as tools do; `as_typed`, by the options that a person types."""
    try:
        yield
    except MemguiError as error:
        if as_typed:
            for name, option in names.items():
                error.message = error.message.replace(name, option)
                error.hint = error.hint.replace(name, option) if error.hint is not None else None
        raise
