"""`memgui read`: one document, one of its versions, or the list of them."""

from __future__ import annotations

import click

from memgui.cli import asked, options, terminal
from memgui.cli.verbs.history import print_versions
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import reading, versions


@click.command("read", help=_("Print the document at PATH, relative to the workspace."))
@click.argument("path")
@click.option("--version", type=int, metavar="N", help=_("Print that version; `memgui history PATH` lists them."))
@click.option("--list-versions", is_flag=True, help=_("Print the versions that were seen, and who wrote them."))
@options.common
def command(
    path: str, version: int | None, list_versions: bool, workspace: str | None, as_json: bool, raw: bool
) -> None:
    """Print the document: escaped on a terminal, its bytes anywhere else."""
    if version is not None and list_versions:
        raise options.Usage(_("Either --version or --list-versions."))
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    with asked.path(ws, path):
        _print(out, ws, path, version=version, list_versions=list_versions, as_json=as_json)


def _print(
    out: terminal.Terminal, ws: Workspace, path: str, *, version: int | None, list_versions: bool, as_json: bool
) -> None:
    if as_json:
        out.print_json(versions.memory_read(ws, path, version=version, list_versions=list_versions))
        return
    if list_versions:
        print_versions(out, versions.versions(ws, path))
        return
    found = reading.read(ws, path) if version is None else versions.version(ws, path, version)
    if out.raw or not out.is_screen:
        out.write(found.data)
        return
    out.print(out.safe(found.content.removesuffix("\n")))
    if found.lossy:
        terminal.note(_("Some bytes are not UTF-8; \ufffd stands for them."))
