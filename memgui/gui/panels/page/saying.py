"""The sentences of a page's states, banners and notices."""

from __future__ import annotations

from datetime import datetime

from memgui.domain.errors import MemguiError, WriteFailed
from memgui.domain.text import Editability
from memgui.gui.panels.page.standing import Standing
from memgui.gui.state import DocumentState
from memgui.i18n import _, ngettext

GLYPHS = {
    DocumentState.UNSAVED: "●",
    DocumentState.MERGED: "⊕",
    DocumentState.CONFLICT: "⚠",
    DocumentState.NOT_SAVED: "✕",
    DocumentState.VIEW: "⌁",
}
"""What stands behind the name on a tab; the lock and the struck-out name are drawn."""


def state_sentence(state: DocumentState, standing: Standing, *, journalled: bool, only_here: bool = False) -> str:
    """What the status bar says of a page. `only_here`: not even the crash journal could take its text."""
    if state is DocumentState.SAVED and standing.base is None:
        return _("New – nothing on disk yet")
    if state is DocumentState.SAVED:
        return _("Saved {time}").format(time=f"{standing.written:%H:%M:%S}") if standing.written else _("Saved")
    if state is DocumentState.UNSAVED and only_here:
        return _("Unsaved – not in the crash journal, which cannot be written")
    if state is DocumentState.UNSAVED:
        return _("Unsaved – in the crash journal") if journalled else _("Unsaved")
    if state is DocumentState.MERGED:
        return merged(standing.merged)
    if state is DocumentState.NOT_SAVED and standing.failure is not None and only_here:
        return _("Not saved: {why} – text is only here").format(why=short_reason(standing.failure))
    if state is DocumentState.NOT_SAVED and standing.failure is not None:
        return _("Not saved: {why} – text is safe in the journal").format(why=short_reason(standing.failure))
    if state is DocumentState.DELETED and standing.gone is not None:
        return _("Deleted on disk {time} – Restore").format(time=f"{standing.gone:%H:%M}")
    if state is DocumentState.VIEW:
        why = why_view(standing.base.editability) if standing.base is not None else ""
        return _("{why} – view only").format(why=why) if why else _("View only")
    return {
        DocumentState.CONFLICT: _("Conflict – not saving"),
        DocumentState.PROTECTED: _("Protected – read only"),
    }.get(state, "")


def merged(lines: int) -> str:
    """What the status bar says while lines from the disk stand beside unsaved text."""
    return ngettext("Merged {count} line from disk", "Merged {count} lines from disk", lines).format(count=lines)


def arrived(lines: int) -> str:
    """What the status bar adds while lines that came in have not been visited."""
    return ngettext("{count} new line from outside", "{count} new lines from outside", lines).format(count=lines)


def why_view(editability: Editability) -> str:
    """Why a document can only be looked at."""
    return {
        Editability.BINARY: _("Binary"),
        Editability.NOT_UTF8: _("Not UTF-8"),
        Editability.HUGE: _("Too large"),
        Editability.LONG_LINE: _("A very long line"),
        Editability.LINK_OUT: _("A link out of the workspace"),
        Editability.GENERATED: _("Generated"),
        Editability.UNREADABLE: _("Unreadable"),
    }.get(editability, "")


def short_reason(error: MemguiError) -> str:
    """Why a save failed, in few words."""
    numbers = {28: _("disk full"), 122: _("disk quota reached"), 13: _("permission denied"), 1: _("permission denied")}
    numbers |= {30: _("the disk is read-only"), 5: _("the disk reports an error")}
    known = numbers.get(error.errno or 0) if isinstance(error, WriteFailed) else None
    return known or error.message.rstrip(".")


def conflict(lines: int | None, writes: int, when: datetime) -> str:
    """The banner's sentence where the disk holds other bytes than the page stands on."""
    if lines is None:
        first = _("An outside write changed this file while you were editing ({time}).")
    else:
        first = ngettext(
            "An outside write changed {count} line you are editing ({time}).",
            "An outside write changed {count} lines you are editing ({time}).",
            lines,
        )
    first = first.format(count=lines, time=f"{when:%H:%M:%S}")
    again = (
        ngettext("{count} write so far.", "{count} writes so far.", writes).format(count=writes) if writes > 1 else ""
    )
    return " ".join(part for part in (first, again, _("Your text is kept; not saving.")) if part)


def merged_pill(lines: int, when: datetime) -> str:
    """The pill's sentence where lines from the disk came in beside unsaved text."""
    text = ngettext(
        "{count} line written outside memgui was merged into your text at {time}.",
        "{count} lines written outside memgui were merged into your text at {time}.",
        lines,
    )
    return text.format(count=lines, time=f"{when:%H:%M}")


def lost_lines(lines: int, saved: datetime) -> str:
    """The pill's sentence where the person's saved lines are gone."""
    text = ngettext(
        "An outside write removed {count} line you saved at {time}.",
        "An outside write removed {count} lines you saved at {time}.",
        lines,
    )
    return text.format(count=lines, time=f"{saved:%H:%M}")


def deleted(when: datetime | None, *, dirty: bool, failure: MemguiError | None) -> str:
    """The banner's sentence where the file is gone; with why it could not be put back, where that was tried."""
    text = _("This file was deleted on disk ({time}).").format(time=f"{when:%H:%M}" if when else "…")
    text += " " + (_("Your text is kept here.") if dirty else _("Its last text is kept here."))
    if failure is None:
        return text
    return f"{text} " + _("It could not be put back: {why}.").format(why=short_reason(failure))


def save_failed(error: MemguiError, *, only_here: bool) -> str:
    """The banner's sentence where the disk would not take the text."""
    text = (
        _("Not saved: {why}. Your text is kept only here: the crash journal cannot be written either.")
        if only_here
        else _("Not saved: {why}. Your text is kept here and in the crash journal.")
    ).format(why=short_reason(error))
    return f"{text} {error.hint}" if error.hint else text


def encoding() -> str:
    """The banner's sentence for bytes that are not UTF-8."""
    return _(
        "This file is not UTF-8. What cannot be read is shown as �; it can be edited after reopening in its encoding."
    )


def binary() -> str:
    """The banner's sentence for bytes that are no text."""
    return _("This file is not text, so it is only shown, as well as that can be, and never changed.")


def huge(editability: Editability, size: int, *, in_part: bool) -> str:
    """The banner's sentence for a text that may be slow to edit."""
    if editability is Editability.LONG_LINE:
        text = _("This file has a line of over 20,000 characters; editing it may be slow.")
    else:
        text = _("This file is large ({size:.1f} MB); editing it may be slow.").format(size=size / 1_000_000)
    return f"{text} {_('Until then only a part of it is shown.')}" if in_part else text


def undo_outside(when: datetime | None) -> str:
    """The pill's sentence where undo went back over an outside write."""
    moment = f"{when:%H:%M}" if when else ""
    return _("Undo went back to before an outside write ({time}). Saving waits.").format(time=moment)
