"""What a tool may not bring about by writing: another layout of a folder, and with it other rules of what is protected.

Layouts are told by names and by what an index holds, and an agent writes both.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate

from memgui.domain import frontmatter
from memgui.domain.errors import NotAuthorized
from memgui.domain.layouts import HEAD_BYTES, Layout, is_fact_index
from memgui.domain.paths import DocPath, join, name_of, parent_of, segments_of, shown
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.storage import files
from memgui.storage.recognition import head

_DAYS = "daily"
_INDEX = "memory.md"


def check_place(ws: Workspace, real: DocPath) -> None:
    """NotAuthorized where a document at a real path would bring the folder that makes OpenClaw's another layout."""
    for step in accumulate(segments_of(parent_of(real)), join):
        if name_of(step) != _DAYS or files.look(ws.root, DocPath(step)) is not None:
            continue
        if any(store.path == parent_of(step) and store.layout is Layout.OPENCLAW for store in ws.stores):
            told = _("this workspace keeps its days in memory/; a folder '{folder}' would change how it is read")
            raise NotAuthorized(
                told.format(folder=shown(step)),
                hint=_("Use the target daily_log, or another folder. A person can make this one."),
            )


def check_bytes(ws: Workspace, real: DocPath, data: bytes) -> None:
    """NotAuthorized where these bytes at a real path would make a fact store of a folder that is none.

    What stands there would count as ratified, although no person ever saw it.
    """
    folder = parent_of(real)
    if any(store.path == folder and store.layout in (Layout.OPENCLAW, Layout.IRONCLAW) for store in ws.stores):
        return
    is_index = name_of(real).casefold() == _INDEX
    matter = None if is_index else frontmatter.read_bytes(data)
    if not is_index and (matter is None or matter.fact_type is None):
        return
    read = partial(head, ws.root)

    def read_after(path: DocPath) -> bytes | None:
        return data[:HEAD_BYTES] if path == real else read(path)

    if is_fact_index(folder, read_after) and not is_fact_index(folder, read):
        raise NotAuthorized(
            _("'{path}' would make a fact store of its folder: use remember").format(path=shown(real)),
            hint=_("Call remember for facts, or link documents that say no type."),
        )
