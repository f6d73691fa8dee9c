"""How far the index is, of words and of meaning, in the words of the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgui.i18n import _

if TYPE_CHECKING:
    from memgui.ops.finding import MeaningProgress, Progress


def meaning_said(progress: MeaningProgress) -> tuple[str, str]:
    """What the status bar says of the meaning, and what it says when asked; both empty where all of it is known."""
    if progress.problems:
        return _("meaning with gaps"), "\n".join(progress.problems)
    if progress.complete or not progress.models:
        return "", ""
    share = 100 * progress.covered // progress.passages
    counts = {"covered": f"{progress.covered:,}", "passages": f"{progress.passages:,}"}
    told = _("{covered} of {passages} passages are known by their meaning, the newest and curated first.")
    said = told.format(**counts)
    if progress.rough:
        said += " " + _("Of {count} others a quicker model has a rough idea until then.").format(
            count=f"{progress.rough:,}"
        )
    if progress.waiting:
        said += " " + _("Another memgui sees to the rest.")
    return _("meaning {share} %").format(share=share), said


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
