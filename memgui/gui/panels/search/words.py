"""What the search panel says of a search."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

from memgui.domain import wishes
from memgui.domain.hits import Found, Reading
from memgui.gui.models.results_model import printable
from memgui.i18n import _, ngettext

LONGEST_READING = 160
MOST_OFFERS = 3
"""So many ways on are offered where nothing was found."""

_MOST_TRIED = 12

_TERM = re.compile(r'-?(?:[a-z]+:)?"[^"]*"|\S+')


def explanation(found: Found | None, covered: tuple[int, int]) -> str:
    """How the query was read, what it found, and how much of memory had been read by then."""
    done, total = covered
    reading = ""
    if done < total:
        reading = _("{done} of {total} files read").format(done=f"{done:,}", total=f"{total:,}")
    if found is None:
        return reading or _("Finds text as you type it; case, accents and width make no difference.")
    said = [_reading(found)]
    if found.counted and (found.more_hits or found.more_files):
        told = _("{shown} of {total} lines shown")
        said.append(told.format(shown=f"{len(found.hits):,}", total=f"{found.total_hits:,}"))
    if found.left_out:
        left = len(found.left_out)
        said.append(ngettext("{count} file not searched", "{count} files not searched", left).format(count=f"{left:,}"))
    return " · ".join([*said, reading] if reading else said)


def _reading(found: Found) -> str:
    """One sentence: what was looked for, and which of it the rows below hold."""
    asked = wishes.read(found.query)
    query = short(found.query.strip())
    if not asked.is_plain:
        query = short(wishes.described(asked.wish), LONGEST_READING)
    words_only = not found.files and bool(found.by_words)
    reading = found.words_reading if words_only else found.reading
    if asked.in_history:
        told = _("No earlier version holds it, or it stands somewhere still: {query}")
        said = (told if found.is_empty else _("Read as: {query}")).format(query=query)
        if not found.history_whole:
            said += " · " + _("not all versions were looked through")
    elif found.is_empty:
        files = ngettext("{count} file", "{count} files", found.coverage.done).format(count=f"{found.coverage.done:,}")
        said = _NOTHING[asked.is_plain]().format(files=files, query=query)
    elif found.files and asked.is_plain:
        said = _READINGS[found.reading]().format(query=query)
    elif found.files:
        said = _("“{text}” as it stands").format(text=asked.phrase or short(found.query.strip()))
    elif asked.is_plain:
        said = (_READINGS[reading] if reading is not None else _READINGS[Reading.ALL])().format(query=query)
    elif reading is Reading.ANY:
        said = _("Read as: {query}. No passage has all of it; these have some").format(query=query)
    else:
        said = _("Read as: {query}").format(query=query)
    if found.files and found.by_words:
        then = _("then passages with all of its words") if asked.is_plain else _("then read as: {query}")
        said += " · " + then.format(query=query)
    if asked.is_cut:
        said += " · " + _("only the beginning of it is read")
    return said


_NOTHING: dict[bool, Callable[[], str]] = {
    True: lambda: _("No line in {files} holds “{query}”"),
    False: lambda: _("Nothing in {files} is: {query}"),
}
_READINGS: dict[Reading, Callable[[], str]] = {
    Reading.WHOLE: lambda: _("“{query}” as it stands; case, accents and width make no difference"),
    Reading.ALL: lambda: _("No line holds “{query}” as it stands; these hold all of its words"),
    Reading.ANY: lambda: _("No file holds all of “{query}”; these hold some of its words"),
}


def in_history(query: str) -> str:
    """The same query, asked of earlier versions; empty where it is asked of these already."""
    return "" if wishes.read(query).in_history or not query.strip() else f"in:history {query.strip()}"


def without_one(query: str) -> tuple[str, ...]:
    """The query without one of its terms, the last first; of a single phrase, its words. None where it has but one."""
    if len(query) > wishes.MOST_CHARACTERS:
        # Only its beginning is read: without the last of its terms it would be read as it is.
        return ()
    terms = _TERM.findall(query)
    if "OR" in terms or "(" in query:
        return ()
    if len(terms) == 1 and query.strip().startswith('"'):
        words = " ".join(query.replace('"', " ").split())
        return (words,) if " " in words else ()
    left = (" ".join(terms[:at] + terms[at + 1 :]) for at in reversed(range(len(terms))))
    return tuple(islice(dict.fromkeys(filter(None, islice(left, _MOST_TRIED))), MOST_OFFERS))


def short(text: str, most: int = 60) -> str:
    """A query as it is quoted: no longer than a line, and nothing in it turns the line around."""
    text = printable(text)
    return text if len(text) <= most else text[: most - 3] + "…"
