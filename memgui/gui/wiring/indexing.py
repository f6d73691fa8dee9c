"""How far the index of words is, in the words of the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgui.i18n import _

if TYPE_CHECKING:
    from memgui.ops.finding import Progress


def words_said(progress: Progress) -> tuple[str, str]:
    """What the status bar says of the index of words, and what it says when asked; both empty where all is well."""
    why = _("Until then searches find text as it is typed.")
    if progress.waiting:
        return _("another memgui indexes the words"), why
    if progress.ready:
        return ("", "") if not progress.problems else (_("words ready, with gaps"), "\n".join(progress.problems))
    if progress.failed:
        said = _("words not indexed, trying again") if progress.retrying else _("only exact text is found")
        what = why if progress.retrying else _("Press F5 to try again. Until then searches find text as it is typed.")
        return said, "\n".join((*progress.problems, what))
    counts = {"done": f"{progress.done:,}", "total": f"{progress.total:,}"}
    return _("indexing words, {done} of {total}").format(**counts), why
