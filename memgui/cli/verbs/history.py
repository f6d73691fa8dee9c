"""`memgui history`: the versions of a document, the documents that are gone, what was refused; and forgetting."""

from __future__ import annotations

import sys
from typing import Any

import click

from memgui.cli import asked, options, terminal
from memgui.domain.errors import InvalidParameters, NotAuthorized
from memgui.domain.moments import rfc3339
from memgui.domain.origin import Origin
from memgui.domain.paths import ROOT, DocPath, shown
from memgui.domain.workspace import Workspace
from memgui.i18n import _, ngettext
from memgui.ops import adoption, following, forgetting, preferences, restoring, retention, sync, versions
from memgui.ops import blame as lines
from memgui.ops import refusals as refused


@click.command("history", help=_("List every version of the document at PATH that was seen, and who wrote it."))
@click.argument("path", required=False)
@click.option("--blame", is_flag=True, help=_("Print the lines of the document, each with who wrote it and when."))
@click.option("--refusals", is_flag=True, help=_("List what agents were refused, and why."))
@click.option("--deleted", is_flag=True, help=_("List the documents that are gone and can be restored."))
@click.option("--forget", type=int, metavar="N", help=_("Forget version N of PATH: its bytes go for good."))
@click.option(
    "--forget-text",
    metavar="TEXT|-",
    help=_("Forget TEXT in every version and all else that memgui keeps; - asks for it unseen."),
)
@click.option(
    "--take-over", is_flag=True, help=_("Take over the history of this workspace from where it stood before.")
)
@options.common
def command(
    path: str | None,
    blame: bool,
    refusals: bool,
    deleted: bool,
    forget: int | None,
    forget_text: str | None,
    take_over: bool,
    workspace: str | None,
    as_json: bool,
    raw: bool,
) -> None:
    """Print the versions, the newest last."""
    alone = sum((refusals, deleted, forget_text is not None, take_over))
    if alone + (path is not None) != 1 or ((forget is not None or blame) and path is None):
        raise options.Usage(
            _("Either a path or one of the options."), hint=_("memgui history PATH, or memgui history --refusals.")
        )
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    if forget is not None and path is not None:
        _check_person()
        real, found = versions.all_versions(ws, path)
        _forget(out, ws, forgetting.of_one(versions.numbered(real, found, forget)), real, as_json=as_json)
    elif forget_text is not None:
        _check_person()
        text = click.prompt(_("Text to forget"), hide_input=True, err=True) if forget_text == "-" else forget_text
        _forget(out, ws, forgetting.secret(text), ROOT, as_json=as_json)
    elif take_over:
        _take_over(out, ws, as_json=as_json)
    elif refusals:
        _print_refusals(out, refused.refusals_answer(ws), as_json=as_json)
    elif deleted:
        _print_deleted(out, ws, as_json=as_json)
    elif path is not None and blame:
        _print_blame(out, lines.blame_answer(ws, path), as_json=as_json)
    elif path is not None:
        _print_history(out, ws, path, as_json=as_json)


def _print_history(out: terminal.Terminal, ws: Workspace, path: str, *, as_json: bool) -> None:
    with asked.path(ws, path):
        answer = versions.versions(ws, path)
    if as_json:
        out.print_json(answer)
        return
    print_versions(out, answer)
    _say_what_is_to_be_decided(ws)


def _print_blame(out: terminal.Terminal, answer: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        out.print_json(answer)
        return
    width = max((len(one["who"]) for one in answer["lines"]), default=0)
    for one in answer["lines"]:
        who = out.styled(f"{out.safe(one['who']):<{width}}", "muted")
        number = out.styled(f"{one['line']:>4}", "line")
        out.print(f"{who}  {one['at']}  {number}  {out.safe(one['text'])}")


def print_versions(out: terminal.Terminal, answer: dict[str, Any]) -> None:
    """A line for each version."""
    out.print("\n".join(_version_line(out, one) for one in answer["versions"]))


def _version_line(out: terminal.Terminal, one: dict[str, Any]) -> str:
    size = _("deleted") if one["content_hash"] is None else _("{size} bytes").format(size=one["bytes"])
    if one.get("forgotten"):
        size = _("forgotten")
    number = out.styled(f"{one['version']:>4}", "line")
    return f"{number}  {one['created_at']}  {out.safe(str(one['changed_by']))}  {size}"


def _say_what_is_to_be_decided(ws: Workspace) -> None:
    """What only the person can say: more room or fewer versions; whose history this is."""
    settings = preferences.load()
    kept, most = retention.usage(ws), settings.history_megabytes * 1_000_000
    if most and kept > most:
        sentence = _("Versions take {kept} MB, more than the {most} MB that history.megabytes allows.")
        terminal.note(sentence.format(kept=kept // 1_000_000, most=settings.history_megabytes))
        terminal.note(
            _("None under {days} days goes without your word: open the window to give it.").format(
                days=settings.history_days or retention.DAYS
            )
        )
    for candidate in adoption.candidates(ws)[:1]:
        sentence = _("This looks like {folder}, which is not there any more: memgui history --take-over.")
        terminal.note(sentence.format(folder=shown(str(candidate.path))))


def _print_refusals(out: terminal.Terminal, answer: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        out.print_json(answer)
    elif answer["refusals"]:
        out.print("\n".join(_refusal_line(out, one) for one in answer["refusals"]))
    else:
        terminal.note(_("Nothing was refused."))


def _refusal_line(out: terminal.Terminal, one: dict[str, Any]) -> str:
    times = "" if one["count"] == 1 else f" (× {one['count']})"
    what = out.styled(out.safe(f"{one['tool']} {one['target']}".strip().replace("\n", "\\n")), "path")
    return f"{one['at']}  {out.safe(str(one['who']))}  {what}: {out.safe(str(one['message']))}{times}"


def _print_deleted(out: terminal.Terminal, ws: Workspace, *, as_json: bool) -> None:
    following.catch_up(ws, sync.look(ws))
    found = restoring.deleted(ws)
    if as_json:
        listed = [
            {
                "path": one.path,
                "version": one.version.number,
                "deleted_at": rfc3339(one.time),
                "changed_by": one.origin.label,
                "bytes": one.version.size,
            }
            for one in found
        ]
        out.print_json({"deleted": listed})
    elif found:
        for one in found:
            path = out.styled(out.safe(shown(one.path)), "path")
            size = _("version {number}, {size} bytes").format(number=one.version.number, size=one.version.size)
            out.print(f"{rfc3339(one.time)}  {out.safe(one.origin.label)}  {path}  {size}")
        terminal.note(_("memgui restore PATH --version N brings one back."))
    else:
        terminal.note(_("Nothing is gone."))


def _check_person() -> None:
    """What is forgotten cannot be brought back: a person says so, at a terminal."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise NotAuthorized(_("Only a person at a terminal, or in the window, may have something forgotten."))


def _forget(out: terminal.Terminal, ws: Workspace, wanted: forgetting.Secret, path: DocPath, *, as_json: bool) -> None:
    done = forgetting.forget(ws, wanted, origin=Origin.shell(), path=path)
    if as_json:
        out.print_json({"versions": done.versions, "others": done.others, "still": list(done.still)})
        return
    sentence = ngettext("Forgot {count} version.", "Forgot {count} versions.", done.versions)
    out.print(sentence.format(count=done.versions))
    for still in done.still:
        terminal.note(_("It still stands in {path}: that file is yours to change.").format(path=shown(still)))


def _take_over(out: terminal.Terminal, ws: Workspace, *, as_json: bool) -> None:
    found = adoption.candidates(ws)
    if not found:
        raise InvalidParameters(
            _("No workspace that is gone looks like this one."),
            hint=_("Most of its documents have to stand here as they did there, and nothing done here yet."),
        )
    adoption.adopt(ws, found[0])
    if as_json:
        out.print_json({"taken_over": str(found[0].path)})
    else:
        out.print(_("The history of {folder} goes on here.").format(folder=out.safe(shown(str(found[0].path)))))
