"""`memgui note`: the working notes of live sessions, read and changed by the person."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from memgui.cli import options, terminal
from memgui.domain.errors import InvalidParameters
from memgui.domain.notes import ACTIONS, NoteSession
from memgui.i18n import _
from memgui.ops import notes

_WITH_TEXT = ("replace", "append")
_VERBS = (*ACTIONS, "status", "on", "off", "tools")


@click.command(
    "note",
    help=_(
        "The working note of a live session. read prints it, replace TEXT and append TEXT change it (- reads stdin); "
        "off keeps the agent from it, on lets it again; status lists the sessions, tools what each offers."
    ),
)
@click.argument("action", type=click.Choice(_VERBS), metavar=f"[{'|'.join(_VERBS)}]")
@click.argument("text", required=False)
@click.option("--session", metavar="ID", help=_("Which session, by its id or how that begins. Default: the only one."))
@options.common
def command(
    action: str, text: str | None, session: str | None, workspace: str | None, as_json: bool, raw: bool
) -> None:
    """Do one thing with a session's note."""
    if text is not None and action not in _WITH_TEXT:
        raise options.Usage(_("'note {action}' takes no text.").format(action=action))
    if text is None and action == "replace":
        raise options.Usage(_("'note replace' needs the new text."), hint=_("An empty note: memgui note replace ''."))
    out = options.terminal(as_json=as_json, raw=raw)
    # A note belongs to a session, wherever one stands; a workspace that is named narrows them down.
    named = workspace or os.environ.get("MEMGUI_WORKSPACE")
    found = notes.sessions(Path(os.path.realpath(named)) if named else None)
    if action in ("status", "tools"):
        _show(found if session is None else (notes.chosen(found, session),), action, out)
    elif action in ("on", "off"):
        _show((notes.switch(notes.chosen(found, session).id, active=action == "on"),), "status", out)
    else:
        answer = notes.act_on(notes.chosen(found, session).id, action, _from_stdin() if text == "-" else text)
        _answer(answer, out)


def _answer(answer: dict[str, Any], out: terminal.Terminal) -> None:
    if out.as_json:
        out.print_json(answer)
    elif answer["action"] == "read":
        text = answer["text"]
        if out.is_screen and not text:
            terminal.note(_("The note is empty."))
        elif out.is_screen:
            out.print(out.safe(text.removesuffix("\n")))
        else:
            out.write(text.encode("utf-8", "surrogatepass"))


def _show(found: tuple[NoteSession, ...], action: str, out: terminal.Terminal) -> None:
    if out.as_json:
        out.print_json({"sessions": [one.value for one in found]})
        return
    if not found:
        terminal.note(_("No live session offers a working note."))
    for one in found:
        state = _("on") if one.active else _("off")
        told = (
            ", ".join(one.tools)
            if action == "tools"
            else _("{state}, {length} characters").format(state=state, length=len(one.text))
        )
        out.print(f"{out.styled(one.id, 'path')}  {out.safe(one.agent)}  {told}")


def _from_stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise InvalidParameters(_("the text on stdin is not UTF-8")) from None
