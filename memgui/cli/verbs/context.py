"""`memgui context`: what an agent would be given of this memory when it starts."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from memgui.cli import options, terminal
from memgui.domain.briefing import Briefing, System
from memgui.i18n import _, ngettext
from memgui.ops import briefing


@click.command(
    "context",
    help=_("Print what an agent of a system would be given of this memory, byte for byte. --json says what is cut."),
)
@click.option(
    "--system",
    type=click.Choice([system.value for system in System]),
    help=_("Which system. Default: the one whose layout the workspace has."),
)
@options.common
def command(system: str | None, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Print the text; what is cut, and a heartbeat that will not run, is said on stderr."""
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    wanted = None if system is None else System(system)
    found = briefing.brief(ws, wanted, now=datetime.now(UTC), near=Path.cwd())
    if as_json:
        out.print_json(found.value)
        return
    if out.is_screen:
        out.print(out.safe(found.text.removesuffix("\n")))
    else:
        out.write(found.text.encode("utf-8", "surrogatepass"))
    _say(found)
    skipped = briefing.heartbeat_sentence(ws)
    if skipped is not None and found.system in (System.OPENCLAW, System.IRONCLAW):
        terminal.note(skipped)


def _say(found: Briefing) -> None:
    if not found.text:
        terminal.note(_("An agent of this system would be given nothing."))
    for part in found.parts:
        if part.cut:
            count = sum(1 for one in found.dropped if one.path == part.path)
            lines = ngettext("{count} line", "{count} lines", count).format(count=count)
            terminal.note(_("{path} is cut: the agent does not see {lines}.").format(path=part.path, lines=lines))
