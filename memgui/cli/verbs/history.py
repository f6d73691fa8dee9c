"""`memgui history`: the versions of a document, or what was refused."""

from __future__ import annotations

from typing import Any

import click

from memgui.cli import options, terminal
from memgui.i18n import _
from memgui.ops import refusals as refused
from memgui.ops import versions


@click.command("history", help=_("List every version of the document at PATH that was seen, and who wrote it."))
@click.argument("path", required=False)
@click.option("--refusals", is_flag=True, help=_("List what agents were refused, and why."))
@options.common
def command(path: str | None, refusals: bool, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Print the versions, the newest last."""
    if (path is None) is not refusals:
        raise options.Usage(
            _("Either a path or --refusals."), hint=_("memgui history PATH, or memgui history --refusals.")
        )
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    answer = refused.refusals_answer(ws) if path is None else versions.versions(ws, path)
    if as_json:
        out.print_json(answer)
    elif path is not None:
        print_versions(out, answer)
    elif answer["refusals"]:
        out.print("\n".join(_refusal_line(out, one) for one in answer["refusals"]))
    else:
        terminal.note(_("Nothing was refused."))


def print_versions(out: terminal.Terminal, answer: dict[str, Any]) -> None:
    """A line for each version."""
    out.print("\n".join(_version_line(out, one) for one in answer["versions"]))


def _version_line(out: terminal.Terminal, one: dict[str, Any]) -> str:
    size = _("deleted") if one["content_hash"] is None else _("{size} bytes").format(size=one["bytes"])
    number = out.styled(f"{one['version']:>4}", "line")
    return f"{number}  {one['created_at']}  {out.safe(str(one['changed_by']))}  {size}"


def _refusal_line(out: terminal.Terminal, one: dict[str, Any]) -> str:
    times = "" if one["count"] == 1 else f" (× {one['count']})"
    what = out.styled(out.safe(f"{one['tool']} {one['target']}".strip().replace("\n", "\\n")), "path")
    return f"{one['at']}  {out.safe(str(one['who']))}  {what}: {out.safe(str(one['message']))}{times}"
