"""`memgui remember`: keep a fact, as an agent does."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from memgui.cli import options
from memgui.domain.errors import InvalidParameters
from memgui.domain.origin import Origin
from memgui.i18n import _
from memgui.ops import facts

_MOST_BYTES = 4 << 20


@click.command(
    "remember",
    help=_(
        "Keep a fact, by the rules for agents. BODY is its text, - reads it from stdin. What is feedback is proposed."
    ),
)
@click.argument("name")
@click.argument("body", required=False)
@click.option("--type", "kind", required=True, metavar="T", help=_("feedback, project or reference."))
@click.option("--description", required=True, metavar="D", help=_("One line that says what it is; the index shows it."))
@click.option("--agent", default="cli", show_default=True, metavar="NAME", help=_("The name to write under."))
@options.common
def command(
    name: str,
    body: str | None,
    kind: str,
    description: str,
    agent: str,
    workspace: str | None,
    as_json: bool,
    raw: bool,
) -> None:
    """Write the fact and its index line, and say what became of it."""
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    answer = facts.remember(
        ws,
        name=name,
        type=kind,
        description=description,
        body=_from_stdin() if body == "-" else body,
        origin=Origin.agent(agent),
        now=datetime.now(UTC),
        near=_working_folder(),
    )
    if as_json:
        out.print_json(answer)
    else:
        out.print(out.safe(answer["message"]))


def _working_folder() -> Path | None:
    try:
        return Path.cwd()
    except OSError:
        # It was removed while somebody stands in it.
        return None


def _from_stdin() -> str:
    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise InvalidParameters(_("the text is too long"))
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InvalidParameters(_("the text on stdin is not UTF-8")) from None
