"""`memgui check`: what is wrong in a workspace."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click

from memgui.cli import options, terminal
from memgui.domain.origin import Origin
from memgui.domain.paths import shown
from memgui.i18n import _, ngettext
from memgui.ops import check


@click.command("check", help=_("Print what is wrong, one finding a line. Exit 1 where there is anything."))
@click.option("--fix", is_flag=True, help=_("Put right what can be without losing anybody's words."))
@options.common
def command(fix: bool, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Print the findings; with `--fix`, those that are left."""
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    if fix:
        # A person at a terminal may change what is protected; a program that runs this may not.
        deed = check.fix(ws, origin=Origin.shell(), now=datetime.now(UTC), unlock=_is_asked_by_a_person())
        for step in deed.steps:
            terminal.note(_("Put right: {path}").format(path=shown(step.path)))
    found = check.check(ws)
    if as_json:
        out.print_json(check.answer_of(found))
    elif found:
        out.print("\n".join(f"{out.safe(shown(one.path))}:{one.line}: {one.rule}: {one.message}" for one in found))
    fixable = sum(one.fixable for one in found)
    if fixable and not as_json:
        text = ngettext(
            "memgui check --fix can put {count} right.", "memgui check --fix can put {count} right.", fixable
        )
        terminal.note(text.format(count=fixable))
    if found:
        raise click.exceptions.Exit(1)
    if not as_json:
        terminal.note(_("Nothing is wrong."))


def _is_asked_by_a_person() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()
