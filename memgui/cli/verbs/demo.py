"""`memgui demo`: the sample workspace, written out and opened."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

import click

from memgui.cli import options, window
from memgui.i18n import _
from memgui.ops import sample


@click.command("demo", help=_("Write the sample workspace to DIR (default: a new temporary folder) and open it."))
@click.argument("folder", metavar="[DIR]", required=False, type=options.PLACE)
@options.common
@click.pass_context
def command(context: click.Context, folder: str | None, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Write the sample; without a display, say where it is and what to type."""
    if workspace is not None:
        raise options.Usage(_("'demo' takes no workspace."), hint=_("Name the new folder: memgui demo DIR"))
    out = options.terminal(as_json=as_json, raw=raw)
    written = Path(folder) if folder else Path(tempfile.mkdtemp(prefix="memgui-sample-"))
    sample.write(written)
    seen = window.has_display()
    if as_json:
        out.print_json({"sample": str(written), "opened": seen})
    else:
        out.print(out.safe(_("The sample workspace is in {folder}").format(folder=written)))
    if seen:
        context.exit(window.show(written))
    if not as_json:
        named = out.safe(shlex.quote(str(written)))
        out.print(_("No display was found. Try: memgui -w {folder} tree --depth 3").format(folder=named))
