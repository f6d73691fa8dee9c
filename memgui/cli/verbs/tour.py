"""`memgui tour`: pictures of every main screen."""

from __future__ import annotations

import os
from pathlib import Path

import click

from memgui.cli import options, window
from memgui.i18n import _


@click.command("tour", help=_("Render every main screen on the sample workspace, without a display, as PNG files."))
@click.option("--out", "folder", metavar="DIR", required=True, type=options.PLACE, help=_("Where the pictures go."))
@options.common
def command(folder: str, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Render them and say where they are."""
    if workspace is not None:
        raise options.Usage(_("'tour' takes no workspace: it shows the sample."))
    out = options.terminal(as_json=as_json, raw=raw)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"

    def tell(picture: Path) -> None:
        if not as_json:
            out.print(out.safe(str(picture)))

    pictures = window.gui("tour").render(Path(folder), tell=tell)
    if as_json:
        out.print_json({"pictures": [str(picture) for picture in pictures]})
