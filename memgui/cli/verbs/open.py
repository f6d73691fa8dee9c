"""`memgui open`: the window on a workspace, or on a file of it."""

from __future__ import annotations

import click

from memgui.cli import options, window
from memgui.i18n import _


@click.command("open", help=_("Open the window on a workspace, or on a file of it (PATH:LINE goes to a line)."))
@click.argument("path", required=False, type=options.PLACE)
@options.common
@click.pass_context
def command(context: click.Context, path: str | None, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Open it, and stay until the window is closed."""
    folder = options.named_workspace(workspace)
    target, line = (folder, None) if path is None else window.target_of(path, folder)
    code = window.show(target, line)
    if as_json:
        options.terminal(as_json=as_json, raw=raw).print_json({"opened": None if target is None else str(target)})
    context.exit(code)
