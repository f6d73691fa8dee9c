"""The command line: finds the verb among the options, runs it, and says what went wrong, with the exit code for it."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click
from click.shell_completion import CompletionItem, shell_complete

import memgui
from memgui.cli import options, terminal
from memgui.domain.errors import InvalidParameters, MemguiError
from memgui.i18n import _

VERBS = {
    "open": _("open the window on a workspace or a file of it"),
    "search": _("find places in the documents"),
    "read": _("print a document"),
    "write": _("write into a document, as an agent"),
    "tree": _("list the documents"),
    "history": _("list the versions of a document, or what was refused"),
    "review": _("list, show, accept and reject what was written and not accepted"),
    "restore": _("put a version back, or lay out the whole workspace as it was"),
    "recall": _("find facts"),
    "remember": _("keep a fact, as an agent"),
    "check": _("find what is wrong in a workspace"),
    "index": _("show or build the index of the documents' words"),
    "context": _("print what an agent would be given of this memory"),
    "note": _("read and change the working note of a live session"),
    "mcp": _("give an agent the memory tools"),
    "demo": _("write the sample workspace and open it"),
    "tour": _("render every main screen as pictures"),
}

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130

_NO_VERB = "open the window"
_COMPLETE = "_MEMGUI_COMPLETE"
_SHELLS = ("bash", "zsh", "fish")
_EPILOG = _(
    "Options stand before or after the verb; -- ends them. A failure is one sentence on stderr, with --json one value "
    "on stdout. Exit: 0 done, 1 refused or failed, 2 wrong usage.\n\n"
    'Completion: eval "$(memgui --completion bash)" in ~/.bashrc (or zsh, fish).'
)


class Verbs(click.Group):
    """The verbs; a verb's module is loaded when it is chosen, so that none waits for what another needs."""

    # Click calls these with a context, whether they need it or not.
    # ruff: noqa: ARG002

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == _NO_VERB:
            return _window
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"memgui.cli.verbs.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(_("Verbs")):
            formatter.write_dl(list(VERBS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        verbs = [CompletionItem(verb, help=text) for verb, text in VERBS.items() if verb.startswith(incomplete)]
        return [*verbs, CompletionItem(incomplete, type="dir")]


def _print_completion(context: click.Context, _option: click.Parameter, shell: str | None) -> None:
    if shell is not None:
        shell_complete(_verbs, {}, "memgui", _COMPLETE, f"{shell}_source")
        context.exit()


@click.group(
    cls=Verbs,
    name="memgui",
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="[PATH | VERB …]",
    epilog=_EPILOG,
    help=_("Curate the Markdown memory of AI agents. With no verb: the window on PATH, or on the nearest workspace."),
)
@options.common
@click.option(
    "--completion",
    type=click.Choice(_SHELLS),
    expose_value=False,
    is_eager=True,
    callback=_print_completion,
    help=_("Print the script that completes verbs and options in a shell."),
)
@click.version_option(memgui.__version__, message="memgui %(version)s")
def _verbs(workspace: str | None, as_json: bool, raw: bool) -> None:
    """Every option is given to the verb, never to this."""


@click.command(_NO_VERB, hidden=True)
@click.argument("path", required=False, type=options.PLACE)
@click.argument("more", nargs=-1)
@options.common
@click.pass_context
def _window(
    context: click.Context, path: str | None, more: tuple[str, ...], workspace: str | None, as_json: bool, raw: bool
) -> None:
    if path is not None and not os.path.lexists(path):
        raise options.Usage(
            _("'{word}' is neither a verb nor an existing path.").format(word=path), hint=_nearest_verb(path)
        )
    if more:
        raise options.Usage(_("A window opens on one path, not also on '{word}'.").format(word=more[0]))
    command: click.Command = importlib.import_module("memgui.cli.verbs.open").command
    context.invoke(command, path=path, workspace=workspace, as_json=as_json, raw=raw)


def _nearest_verb(word: str) -> str:
    near = [verb for verb in VERBS if word[:2] and verb != word and verb.startswith(word[:2].lower())]
    return _("Did you mean '{verb}'?").format(verb=near[0]) if near else _("'memgui --help' lists the verbs.")


def arranged(words: Sequence[str]) -> list[str]:
    """The same words with the verb first. Where no verb is named: the window, or what an option alone asks for."""
    at = 0
    while at < len(words) and words[at] != "--":
        word = words[at]
        if word in VERBS:
            return [word, *words[:at], *words[at + 1 :]]
        if not word.startswith("-") or word == "-":
            break
        at += 2 if word in options.WITH_VALUE or _names_a_version(words[at : at + 2]) else 1
    alone = {"-h", "--help", "--version", "--completion"}
    if any(word.partition("=")[0] in alone for word in words[:at]):
        return list(words)
    return [_NO_VERB, *words]


def _names_a_version(words: Sequence[str]) -> bool:
    """Whether the option is that of a verb, which has a value; alone it asks for memgui's own version."""
    return len(words) == 2 and words[0] == "--version" and words[1].isdecimal()


def main(words: Sequence[str]) -> int:
    """Run the command line and answer the exit code."""
    _open_what_is_closed()
    try:
        if _COMPLETE in os.environ:
            return shell_complete(_verbs, {}, "memgui", _COMPLETE, os.environ[_COMPLETE])
        code = _verbs.main(arranged(words), prog_name="memgui", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except MemguiError as error:
        return _failed(words, error, FAILED)
    except click.UsageError as error:
        return _failed(words, InvalidParameters(_in_one_line(error), hint=_usage_hint(error)), WRONG_USAGE)
    except click.ClickException as error:
        return _failed(words, InvalidParameters(error.format_message()), FAILED)
    except (terminal.ReaderGone, BrokenPipeError):
        _let_go_of_stdout()
        return DONE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED


def _failed(words: Sequence[str], error: MemguiError, code: int) -> int:
    options_given = words[: words.index("--")] if "--" in words else words
    try:
        if "--json" in options_given:
            terminal.Terminal(as_json=True).print_json(terminal.error_value(error))
        else:
            terminal.fail(error.message, error.hint)
    except (terminal.ReaderGone, BrokenPipeError):
        _let_go_of_stdout()
    return code


def _in_one_line(error: click.UsageError) -> str:
    """What is wrong as a sentence: choices beside each other, and not as a list."""
    return " ".join(error.format_message().split())


def _usage_hint(error: click.UsageError) -> str:
    if isinstance(error, options.Usage) and error.hint:
        return error.hint
    name = error.ctx.info_name if error.ctx is not None else None
    verb = f" {name}" if name in VERBS else ""
    return _("'memgui{verb} --help' says what it takes.").format(verb=verb)


def _open_what_is_closed() -> None:
    """Where a caller closed an output (`>&-`), what would go there goes nowhere, and no file is taken for it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _let_go_of_stdout() -> None:
    """Whoever read the answer has gone; nothing more is written, not even at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
