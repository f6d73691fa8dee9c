"""`memgui review`: what was written and no person has accepted; accept and reject it."""

from __future__ import annotations

import sys

import click

from memgui.cli import options, terminal
from memgui.domain.moments import rfc3339
from memgui.domain.origin import Origin
from memgui.domain.paths import shown
from memgui.domain.review import PendingChange, ShownChange
from memgui.domain.workspace import Workspace
from memgui.i18n import _, ngettext
from memgui.ops import review, review_answers, review_steps, review_verdicts

_LIST, _SHOW, _ACCEPT, _REJECT = "list", "show", "accept", "reject"


@click.command("review", help=_("List the changes that no person has accepted; show, accept or reject one of them."))
@click.argument("action", type=click.Choice([_LIST, _SHOW, _ACCEPT, _REJECT]), default=_LIST)
@click.argument("change", metavar="ID[.N]", required=False)
@options.common
def command(action: str, change: str | None, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Print the changes, or the one that is named."""
    if (change is None) is not (action == _LIST):
        raise options.Usage(
            _("'{action}' takes no id.").format(action=action) if change else _("The id of a change is missing."),
            hint=_("memgui review lists the changes with their ids."),
        )
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    if review_answers.begun(ws):
        terminal.note(_("Reviewed for the first time: all that stands there now counts as accepted."))
    if change is None:
        _list(out, review.pending(ws))
        return
    id_, number = review_answers.numbered(change)
    found = review.show(ws, id_)
    if action == _SHOW:
        _show(out, found, number)
        return
    one = found.change
    # A person at a terminal may decide on what is protected; a program that runs this may not.
    unlocked = frozenset({one.path, one.source}) if _is_asked_by_a_person() else frozenset()
    if action == _ACCEPT:
        review_verdicts.accept(ws, one, hunk=number, origin=Origin.shell(), unlocked=unlocked)
    else:
        review_verdicts.reject(ws, one, hunk=number, origin=Origin.shell(), unlocked=unlocked)
    _tell(out, ws, one, action)


def _is_asked_by_a_person() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _list(out: terminal.Terminal, changes: tuple[PendingChange, ...]) -> None:
    if out.as_json:
        out.print_json(review_answers.list_answer(changes))
    elif not changes:
        terminal.note(_("Nothing waits for you."))
    for one in changes if not out.as_json else ():
        out.print(_line(out, one))


def _line(out: terminal.Terminal, one: PendingChange) -> str:
    path = out.styled(out.safe(shown(one.path)), "path")
    if one.renamed_from is not None:
        path = _("{path} (was {old})").format(path=path, old=out.safe(shown(one.renamed_from)))
    kind = _("held") if one.held else str(one.kind)
    who = out.safe(", ".join(one.who))
    alarms = "".join(f"\n    {out.styled(reason.sentence, 'error')}" for reason in one.reasons)
    lines = f"+{one.added} -{one.removed}"
    return f"{out.styled(one.id, 'line')}  {kind:<7} {path}  {lines}  {who}  {rfc3339(one.since)}{alarms}"


def _show(out: terminal.Terminal, change: ShownChange, number: int | None) -> None:
    hunks = [hunk for hunk in change.hunks if number in (None, hunk.number)]
    if number is not None and not hunks:
        # The sentence for a hunk that is not there is one for all verbs.
        review_steps.chosen_of(change.hunks, number, change.change)
    if out.as_json:
        answer = review_answers.show_answer(change)
        out.print_json(answer | {"hunks": [one for one in answer["hunks"] if one["id"] in {h.id for h in hunks}]})
        return
    out.print(_line(out, change.change))
    if change.note:
        terminal.note(change.note)
    for hunk in hunks:
        removed, added = review_answers.told(hunk)
        head = _("line {line}").format(line=hunk.line)
        out.print(out.styled(f"@@ {hunk.id}  {head}", "folder"))
        for sign, lines, style in (("-", removed, "error"), ("+", added, "line")):
            for line in lines:
                out.print(out.styled(f"{sign}{out.safe(line)}", style))


def _tell(out: terminal.Terminal, ws: Workspace, one: PendingChange, action: str) -> None:
    left = review_answers.after(ws, one)
    if out.as_json:
        out.print_json(review_answers.show_answer(left))
        return
    sentence = _("Accepted: {path}.") if action == _ACCEPT else _("Rejected: {path}.")
    out.print(sentence.format(path=out.safe(shown(one.path))))
    if left.hunks:
        text = ngettext("{count} hunk is left: {id}", "{count} hunks are left: {id}", len(left.hunks))
        terminal.note(text.format(count=len(left.hunks), id=left.id))
