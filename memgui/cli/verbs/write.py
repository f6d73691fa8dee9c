"""`memgui write`: into a document, as an agent does."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click

from memgui.cli import asked, options
from memgui.domain.errors import InvalidParameters
from memgui.domain.origin import Origin
from memgui.i18n import _, ngettext
from memgui.ops import writing

_MOST_BYTES = 64 << 20
_AS_TYPED = {"old_string": "--old", "new_string": "--new", "replace_all": "--all"}


@click.command(
    "write",
    help=_(
        "Write TEXT into a document, by the rules for agents: protected files are refused, and so is what comes too "
        "often. - reads TEXT from stdin."
    ),
)
@click.argument("text", required=False, metavar="[TEXT|-]")
@click.option(
    "--target",
    default=writing.DAILY_LOG,
    show_default=True,
    metavar="T",
    help=_("memory, heartbeat, daily_log, or the path of a document."),
)
@click.option("--replace", is_flag=True, help=_("Put TEXT in the place of all that the document holds."))
@click.option("--old", metavar="S", help=_("Patch: the text to look for in the document."))
@click.option("--new", metavar="S", help=_("Patch: the text to put in its place."))
@click.option("--all", "replace_all", is_flag=True, help=_("Patch every place, and not only one."))
@click.option("--timezone", metavar="Z", help=_("The zone of the daily log, such as Europe/Berlin."))
@click.option("--agent", default="cli", show_default=True, metavar="NAME", help=_("The name to write under."))
@options.common
def command(
    text: str | None,
    target: str,
    replace: bool,
    old: str | None,
    new: str | None,
    replace_all: bool,
    timezone: str | None,
    agent: str,
    workspace: str | None,
    as_json: bool,
    raw: bool,
) -> None:
    """Write, and say where to."""
    if text is None and old is None and new is None:
        raise options.Usage(
            _("There is nothing to write."), hint=_("Give the text, - to read it from stdin, or --old and --new.")
        )
    out = options.terminal(as_json=as_json, raw=raw)
    with asked.options(_AS_TYPED, as_typed=not as_json):
        answer = writing.memory_write(
            options.chosen_workspace(workspace),
            content=_from_stdin() if text == "-" else text,
            target=target,
            append=not replace,
            old_string=old,
            new_string=new,
            replace_all=replace_all,
            timezone=timezone,
            origin=Origin.agent(agent),
            now=datetime.now(UTC),
        )
    if as_json:
        out.print_json(answer)
        return
    path = out.safe(answer["path"])
    if answer["status"] == "held":
        out.print(_("A change of {path} waits for a person: {id}.").format(path=path, id=answer["change"]))
    elif answer["status"] == "patched":
        count = answer["replacements"]
        sentence = ngettext("Patched {count} place in {path}.", "Patched {count} places in {path}.", count)
        out.print(sentence.format(count=count, path=path))
    else:
        sentence = _("Added to {path}.") if answer["append"] else _("Replaced {path}.")
        out.print(sentence.format(path=path))


def _from_stdin() -> str:
    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise InvalidParameters(_("content is larger than {size} MB").format(size=_MOST_BYTES >> 20))
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InvalidParameters(_("content is not UTF-8")) from None
