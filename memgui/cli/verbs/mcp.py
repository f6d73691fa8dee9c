"""`memgui mcp`: the server that gives an agent the memory tools, on stdin and stdout."""

from __future__ import annotations

import importlib
from itertools import zip_longest

import click

from memgui.cli import options
from memgui.i18n import _
from memgui.ops import connecting

_NAMED = "memgui.workspace"


def _named(words: list[str]) -> str | None:
    """The workspace that `-w` names among the words."""
    for word, following in zip_longest(words, words[1:]):
        if word in ("-w", "--workspace"):
            return following
        if word.startswith("--workspace="):
            return word.partition("=")[2]
    return None


class _WithSetups(click.Command):
    """Its help ends with what to paste into the programs that agents run in."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # Help is printed before the other options are read.
        ctx.meta[_NAMED] = _named(args)
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        folder = options.named_workspace(ctx.meta[_NAMED])
        formatter.write_paragraph()
        formatter.write(_("To connect an agent, paste:") + "\n")
        for setup in connecting.setups_here(None if folder is None else folder.absolute()):
            formatter.write(f"\n{setup.program} ({setup.place}):\n\n")
            formatter.write("".join(f"  {line}\n" for line in setup.text.split("\n")))


@click.command(
    "mcp",
    cls=_WithSetups,
    help=_(
        "Give an agent the memory tools, over the Model Context Protocol on stdin and stdout. No socket is opened. It "
        "is started by the program that the agent runs in, and ends with it."
    ),
)
@click.option("--agent", metavar="NAME", help=_("The name to write under. Default: what the client calls itself."))
@options.common
def command(agent: str | None, workspace: str | None, as_json: bool, raw: bool) -> int:
    """Serve one client until it goes."""
    del as_json, raw
    ws = options.chosen_workspace(workspace)
    # By name, as the window is: the two faces know nothing of each other.
    code: int = importlib.import_module("memgui.mcp.server").serve(ws, agent=agent)
    return code
