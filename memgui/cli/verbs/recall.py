"""`memgui recall`: facts that hold some words."""

from __future__ import annotations

import click

from memgui.cli import options, terminal
from memgui.domain import facts as rules
from memgui.domain.paths import shown
from memgui.i18n import _
from memgui.ops import facts


@click.command("recall", help=_("Print the facts that hold every word of QUERY; type:feedback asks for a type."))
@click.argument("query")
@options.common
def command(query: str, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Print the facts, best first."""
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    if as_json:
        out.print_json(facts.recall(ws, query=query))
        return
    found = facts.find(ws, query=query)
    for one in found.skipped:
        terminal.note(_("{path} is no fact: {reason}.").format(path=shown(one.path), reason=one.reason))
    out.print(out.safe(rules.told(found.facts, query)))
