"""The options that every verb has, and the workspace that they choose."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memgui.cli.terminal import Terminal, note
from memgui.i18n import _

if TYPE_CHECKING:
    from memgui.domain.workspace import Workspace

Command = TypeVar("Command", bound=Callable[..., Any])

WITH_VALUE = frozenset(
    {
        "-w",
        "--workspace",
        "--limit",
        "--mode",
        "--depth",
        "--out",
        "--completion",
        "--agent",
        "--type",
        "--description",
        "--session",
        "--system",
        "--timezone",
        "--new",
        "--old",
        "--version",
        "--target",
        "--at",
        "--to",
        "--forget",
        "--forget-text",
    }
)
"""Options whose next word belongs to them. They may stand before the verb as well."""

PLACE = click.Path(readable=False)
"""A path on disk. Whether it can be read is found out, and said, by whoever reads it."""


class Usage(click.UsageError):
    """Wrong usage, with a hint."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def common(command: Command) -> Command:
    """Give a verb the options that all verbs have."""
    for option in (
        click.option("--raw", is_flag=True, help=_("Print control characters to a terminal as they are.")),
        click.option("--json", "as_json", is_flag=True, help=_("Print exactly one JSON value.")),
        click.option(
            "-w",
            "--workspace",
            metavar="PATH",
            type=PLACE,
            help=_("The folder of memory. Default: $MEMGUI_WORKSPACE, else the nearest workspace from here upwards."),
        ),
    ):
        command = option(command)
    return command


def terminal(*, as_json: bool, raw: bool) -> Terminal:
    """Where a verb's answer goes."""
    return Terminal(as_json=as_json, raw=raw)


def named_workspace(given: str | None) -> Path | None:
    """The folder that `-w` or `$MEMGUI_WORKSPACE` names, else the nearest workspace; None where there is none."""
    # By name: starting a window should not wait for it, and neither should `--help`.
    from memgui.ops import workspace

    named = given or os.environ.get("MEMGUI_WORKSPACE")
    if named:
        return Path(named)
    try:
        return workspace.locate(Path.cwd(), Path.home())
    except OSError:
        return None


def chosen_workspace(given: str | None) -> Workspace:
    """The workspace that a verb works on. Usage where none is named and none is near."""
    from memgui.ops import workspace

    folder = named_workspace(given)
    if folder is None:
        raise Usage(
            _("There is no workspace here."),
            hint=_("Name one: memgui -w PATH …, or set MEMGUI_WORKSPACE."),
        )
    ws = workspace.open(folder, remember=False)
    click.get_current_context().call_on_close(partial(_tell_of_damage, ws))
    return ws


def _tell_of_damage(ws: Workspace) -> None:
    """On stderr, once the verb is done: what it met was met by the way."""
    from memgui.ops import damage

    sentence = damage.met(ws, damage.SHELL)
    if sentence is not None:
        note(sentence)
