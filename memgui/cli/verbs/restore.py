"""`memgui restore`: a version put back, or the whole workspace as it was, in a folder of its own."""

from __future__ import annotations

import sys
from datetime import datetime, time
from pathlib import Path
from typing import Any

import click

from memgui.cli import asked, options, terminal
from memgui.domain.errors import InvalidParameters
from memgui.domain.moments import rfc3339
from memgui.domain.origin import Origin
from memgui.domain.paths import shown
from memgui.domain.workspace import Workspace
from memgui.i18n import _, ngettext
from memgui.ops import laying_out, restoring


@click.command(
    "restore",
    help=_(
        "Put version N of the document at PATH back, also of one that is gone. Or, with --all, write every document as "
        "it stood at TIME into the new or empty folder DIR; the workspace is not touched by that."
    ),
)
@click.argument("path", required=False)
@click.option("--version", "number", type=int, metavar="N", help=_("Which one; `memgui history PATH` lists them."))
@click.option("--all", "everything", is_flag=True, help=_("The whole workspace."))
@click.option(
    "--at", metavar="TIME", help=_("A moment, as 2026-11-30T14:00 or 2026-11-30T13:00Z; a day alone is its end.")
)
@click.option("--to", type=click.Path(), metavar="DIR", help=_("Where to."))
@options.common
def command(
    path: str | None,
    number: int | None,
    everything: bool,
    at: str | None,
    to: str | None,
    workspace: str | None,
    as_json: bool,
    raw: bool,
) -> None:
    """Restore, and say what."""
    one = path is not None and number is not None and not everything and at is None and to is None
    whole = everything and at is not None and to is not None and path is None and number is None
    if not one and not whole:
        raise options.Usage(
            _("Either a path with --version, or --all with --at and --to."),
            hint=_("memgui restore PATH --version N, or memgui restore --all --at TIME --to DIR."),
        )
    moment = _moment(at) if at is not None else 0.0
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    if path is not None and number is not None:
        # A person at a terminal may change what is protected; a program that runs this may not.
        unlock = sys.stdin is not None and sys.stdin.isatty()
        with asked.path(ws, path):
            answer = restoring.restore_answer(ws, path, number, origin=Origin.shell(), unlock=unlock)
        if as_json:
            out.print_json(answer)
        else:
            sentence = _("{path} is as version {number} was.")
            out.print(sentence.format(path=out.safe(shown(str(answer["path"]))), number=number))
    elif to is not None:
        _lay_out(out, ws, moment, Path(to), as_json=as_json)


def _lay_out(out: terminal.Terminal, ws: Workspace, at: float, to: Path, *, as_json: bool) -> None:
    shows = not as_json and sys.stderr.isatty()

    def tell(done: int, every: int) -> None:
        if shows and (done % 50 == 0 or done == every):
            terminal.draw(_("{done} of {every}").format(done=done, every=every))

    done = laying_out.lay_out(ws, at, to, progress=tell)
    if shows:
        terminal.draw("")
    if as_json:
        missing = [{"path": path, "message": reason} for path, reason in done.missing]
        answer: dict[str, Any] = {"to": str(done.to), "at": rfc3339(at), "documents": done.documents}
        out.print_json(answer | {"missing": missing})
    else:
        sentence = ngettext(
            "{count} document, as it stood at {at}, is in {folder}.",
            "{count} documents, as they stood at {at}, are in {folder}.",
            done.documents,
        )
        out.print(sentence.format(count=done.documents, at=rfc3339(at), folder=out.safe(shown(str(done.to)))))
        for path, reason in done.missing:
            terminal.note(_("Not {path}: {reason}").format(path=shown(path), reason=reason))
    if done.missing:
        raise click.exceptions.Exit(1)


def _moment(text: str) -> float:
    """Seconds since 1970, at the end of what is named: times are shown to the second. No zone: this machine's."""
    try:
        moment = datetime.fromisoformat(text)
        if len(text) == len("2026-11-30"):
            moment = datetime.combine(moment.date(), time.max)
        elif not moment.microsecond:
            moment = moment.replace(microsecond=999_999)
        return moment.astimezone().timestamp()
    except (ValueError, OverflowError, OSError):
        raise InvalidParameters(
            _("'{text}' is no moment.").format(text=shown(text[:60])), hint=_("Write it as 2026-11-30T14:00.")
        ) from None
