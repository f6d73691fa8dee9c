"""What the search panel says of a search."""

from __future__ import annotations

from collections.abc import Callable

from memgui.domain.hits import Found, Reading
from memgui.i18n import _, ngettext


def explanation(found: Found | None, covered: tuple[int, int]) -> str:
    """How the query was read, what it found, and how much of memory had been read by then."""
    done, total = covered
    reading = ""
    if done < total:
        reading = _("{done} of {total} files read").format(done=f"{done:,}", total=f"{total:,}")
    if found is None:
        return reading or _("Finds text as you type it; case, accents and width make no difference.")
    query = short(found.query.strip())
    if not found.files:
        files = ngettext("{count} file", "{count} files", found.coverage.done).format(count=f"{found.coverage.done:,}")
        said = [_("No line in {files} holds “{query}”").format(files=files, query=query)]
    else:
        said = [_READINGS[found.reading]().format(query=query)]
        if found.more_hits or found.more_files:
            told = _("{shown} of {total} lines shown")
            said.append(told.format(shown=f"{len(found.hits):,}", total=f"{found.total_hits:,}"))
    if found.left_out:
        left = len(found.left_out)
        said.append(ngettext("{count} file not searched", "{count} files not searched", left).format(count=f"{left:,}"))
    return " · ".join([*said, reading] if reading else said)


_READINGS: dict[Reading, Callable[[], str]] = {
    Reading.WHOLE: lambda: _("“{query}” as it stands; case, accents and width make no difference"),
    Reading.ALL: lambda: _("No line holds “{query}” as it stands; these hold all of its words"),
    Reading.ANY: lambda: _("No file holds all of “{query}”; these hold some of its words"),
}


def shorter(query: str) -> str:
    """The query without its last word; empty where it has but one."""
    words = query.split()
    return " ".join(words[:-1]) if len(words) > 1 else ""


def short(text: str) -> str:
    """A query as it is quoted: no longer than a line."""
    return text if len(text) <= 60 else text[:57] + "…"
