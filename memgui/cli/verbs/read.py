"""`memgui read`: one document."""

from __future__ import annotations

import click

from memgui.cli import options, terminal
from memgui.i18n import _
from memgui.ops import reading


@click.command("read", help=_("Print the document at PATH, relative to the workspace."))
@click.argument("path")
@options.common
def command(path: str, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Print the document: escaped on a terminal, its bytes anywhere else."""
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    if as_json:
        out.print_json(reading.read_answer(ws, path))
        return
    found = reading.read(ws, path)
    if raw or not out.is_screen:
        out.write(found.data)
        return
    out.print(out.safe(found.content.removesuffix("\n")))
    if found.lossy:
        terminal.note(_("Some bytes are not UTF-8; \ufffd stands for them."))
