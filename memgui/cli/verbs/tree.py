"""`memgui tree`: the documents below a folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from memgui.cli import options, terminal
from memgui.i18n import _
from memgui.ops import reading


@click.command("tree", help=_("List the documents below PATH (default: the whole workspace)."))
@click.argument("path", default="", required=False)
@click.option("--depth", type=int, default=None, metavar="1..10", help=_("How many levels. Default: 1, as tools do."))
@options.common
def command(path: str, depth: int | None, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Print the tree."""
    out = options.terminal(as_json=as_json, raw=raw)
    listed = reading.tree_answer(options.chosen_workspace(workspace), path, 1 if depth is None else depth)
    if as_json:
        out.print_json(listed)
    elif listed:
        out.print("\n".join(_drawn(listed, out, "")))
    else:
        terminal.note(_("There are no documents here."))


def _drawn(listed: list[Any], out: terminal.Terminal, before: str) -> Iterator[str]:
    for i, item in enumerate(listed):
        last = i == len(listed) - 1
        name, inside = next(iter(item.items())) if isinstance(item, dict) else (item, [])
        shown = out.safe(name.replace("\n", "\\n"))
        branch = out.styled(before + ("└── " if last else "├── "), "muted")
        yield branch + (out.styled(shown, "folder") if name.endswith("/") else shown)
        yield from _drawn(inside, out, before + ("    " if last else "│   "))
