"""`memgui search`: places in documents that hold a text."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence

import click

from memgui.cli import options, terminal
from memgui.domain.errors import ExecutionFailed
from memgui.domain.hits import Reading
from memgui.domain.passages import Place
from memgui.i18n import _, ngettext
from memgui.ops import finding

_BEFORE = 20


@click.command(
    "search",
    help=_(
        'Find places in the documents that hold QUERY: words, "a phrase", OR, -without, ( ), path:, type:, status:, '
        "day:2026-11, todo:, done:, is:protected, is:proposed, is:unseen, in:history, /pattern/."
    ),
)
@click.argument("query")
@click.option("--limit", type=int, default=5, show_default=True, metavar="1..20", help=_("At most so many places."))
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "literal", "words", "meaning"]),
    default="hybrid",
    show_default=True,
    help=_(
        "literal: the text as typed, case and accents aside. words: passages by their words. meaning: what says the "
        "like in other words. hybrid: all of them."
    ),
)
@options.common
def command(query: str, limit: int, mode: str, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Print the places, best first."""
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    if mode == "meaning" and not finding.knows_meaning(ws):
        raise ExecutionFailed(
            _("Nothing of this memory is known by its meaning yet."),
            hint=_("The window sees to it by itself; 'memgui index --wait' does so here. Until then use --mode words."),
        )
    found, reading = finding.find_places(ws, query, limit, mode=finding.Mode(mode), operators=True)
    if as_json:
        out.print_json(finding.answer_of(ws, query, found, reading))
    elif not found:
        near = _("Nothing in memory is near '{query}' in meaning.")
        terminal.note((near if mode == "meaning" else _("No document holds '{query}'.")).format(query=query))
    elif out.is_screen:
        out.print("\n".join(_for_people(found, reading, out)))
    else:
        out.print("\n".join(f"{place.path}:{_number(place)}:{place.hit.content}" for place in found))


def _for_people(found: Sequence[Place], reading: Reading, out: terminal.Terminal) -> Iterator[str]:
    if not any(place.strong for place in found):
        yield out.styled(_("Nothing in memory clearly matches; nearest:"), "muted")
        yield ""
    elif reading is Reading.ANY:
        yield out.styled(_("No document holds all of these words; these hold some:"), "muted")
        yield ""
    by_file: dict[str, list[Place]] = {}
    for place in found:
        by_file.setdefault(place.path, []).append(place)
    for path, places in by_file.items():
        yield out.styled(out.safe(path), "path")
        width = max(len(_number(place)) for place in places)
        for place in sorted(places, key=lambda place: place.hit.line):
            number = out.styled(f"{_number(place):>{width + 2}}", "line")
            yield f"{number}  {_marked(place, out, width + 4)}"
        yield ""
    places_text = ngettext("{count} place", "{count} places", len(found)).format(count=len(found))
    files_text = ngettext("in {count} file", "in {count} files", len(by_file)).format(count=len(by_file))
    yield out.styled(f"{places_text} {files_text}", "muted")


def _number(place: Place) -> str:
    """The line; of what stands nowhere any more, the version that held it as well."""
    return f"v{place.hit.version}:{place.hit.line}" if place.hit.version else str(place.hit.line)


def _marked(place: Place, out: terminal.Terminal, used: int) -> str:
    """The line, as much of it as the terminal is wide, with what was found in it marked."""
    text, marks = place.hit.content, place.hit.marks
    room = max(20, shutil.get_terminal_size().columns - used - 2)
    indent = len(text) - len(text.lstrip())
    first = marks[0][0] if marks else indent
    start = indent if first - indent < room // 2 else max(0, first - _BEFORE)
    end = min(len(text), start + room)
    pieces = ["…" if start > indent else ""]
    at = start
    for begin, stop in marks:
        if stop <= at or begin >= end:
            continue
        pieces += (
            out.safe(text[at : max(at, begin)]),
            out.styled(out.safe(text[max(at, begin) : min(stop, end)]), "mark"),
        )
        at = min(stop, end)
    return "".join((*pieces, out.safe(text[at:end]), "…" if end < len(text) else ""))
