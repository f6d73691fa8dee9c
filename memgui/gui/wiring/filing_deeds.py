"""The deeds on files as the write lane does them, what they are asked with in the palette, and how trouble is said."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from memgui.domain.errors import MemguiError, ProtectedDocument
from memgui.domain.filing import Trashed
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, join, name_of, parent_of, segments_of, shown
from memgui.gui.disk import View
from memgui.gui.models.palette_model import Offer
from memgui.gui.models.tree_words import file_icon
from memgui.i18n import _, ngettext
from memgui.ops import filing
from memgui.ops.filing import Filed

TO_FOLDER, FROM_TRASH = "to folder", "from trash"
"""What is asked in the palette."""


def takes(view: View, folder: DocPath) -> bool:
    """Whether documents are put into a folder by hand: not among facts, nor where a layout keeps its own."""
    is_hidden = any(name.startswith(".") for name in segments_of(folder))
    return not is_hidden and not view.workspace.holds_facts(join(folder, "x.md"))


def folder_offer(path: DocPath, top: str) -> Offer:
    """A folder to choose; the workspace itself is called `top`."""
    title = shown(name_of(path)) if path else top
    icon = "folder" if path else "store"
    return Offer(title, shown(parent_of(path)), icon, id=shown(path) or top, path=path, question=TO_FOLDER)


def trash_offer(one: Trashed) -> Offer:
    """Something in the trash to choose."""
    moment = datetime.fromtimestamp(one.time).strftime("%Y-%m-%d %H:%M")
    where = shown(parent_of(one.path))
    detail = f"{where} · {moment}" if where else moment
    if one.is_folder:
        files = ngettext("{count} file", "{count} files", one.files).format(count=f"{one.files:,}")
        detail = f"{detail} · {files}"
    icon = "folder" if one.is_folder else file_icon(one.path)
    return Offer(shown(name_of(one.path)), detail, icon, id=one.id, question=FROM_TRASH)


def sentence(error: MemguiError) -> str:
    """What went wrong, as a person is told it."""
    if isinstance(error, ProtectedDocument):
        return _("“{name}” is an identity file and stays where it is.").format(name=shown(name_of(error.path)))
    return error.sentences


def create(path: DocPath, view: View) -> filing.Answer:
    """Make a document."""
    return filing.create(view.workspace, path, origin=Origin.you())


def make_folder(path: DocPath, view: View) -> filing.Answer:
    """Make a folder."""
    return filing.make_folder(view.workspace, path, origin=Origin.you())


def rename(path: DocPath, raw: str, view: View) -> filing.Answer:
    """Give another name."""
    return filing.rename(view.workspace, path, raw, origin=Origin.you())


def move(path: DocPath, folder: DocPath, view: View) -> filing.Answer:
    """Put into another folder."""
    return filing.move(view.workspace, path, folder, origin=Origin.you())


def duplicate(path: DocPath, view: View) -> filing.Answer:
    """Put a copy beside it."""
    return filing.duplicate(view.workspace, path, origin=Origin.you())


def trash(path: DocPath, progress: Callable[[int], None], stop: Callable[[], bool], view: View) -> filing.Answer:
    """Put in the trash, telling how many files went, until it is to stop."""
    return filing.trash(view.workspace, path, origin=Origin.you(), progress=progress, stop=stop)


def undelete(id_: str, view: View) -> filing.Answer:
    """Put back from the trash."""
    return filing.undelete(view.workspace, id_, origin=Origin.you())


def in_trash(view: View) -> tuple[Trashed, ...]:
    """What is in the trash."""
    return filing.trashed(view.workspace)


def take_back(filed: Filed, view: View) -> filing.Answer:
    """Undo."""
    return filing.take_back(view.workspace, filed, origin=Origin.you())
