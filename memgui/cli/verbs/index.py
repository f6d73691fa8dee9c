"""`memgui index`: the state of the index, of words and of meaning, or building it."""

from __future__ import annotations

import sys
from typing import Any

import click

from memgui.cli import options, terminal
from memgui.domain.errors import ExecutionFailed
from memgui.i18n import _, ngettext
from memgui.ops import indexing

_WIDTH = 30


@click.command("index", help=_("Show the state of the search index, or build it. Searches go on meanwhile."))
@click.option("--rebuild", is_flag=True, help=_("Make it anew from the documents."))
@click.option("--wait", is_flag=True, help=_("Bring it up to date, and end when that is done."))
@options.common
def command(rebuild: bool, wait: bool, workspace: str | None, as_json: bool, raw: bool) -> None:
    """Print how much of the workspace is indexed."""
    out = options.terminal(as_json=as_json, raw=raw)
    ws = options.chosen_workspace(workspace)
    if rebuild or wait:
        bar = _Bar(shown=sys.stderr.isatty() and not as_json)
        try:
            state = indexing.build(ws, anew=rebuild, tell=bar.show, tell_meaning=bar.show_meaning)
        finally:
            bar.end()
    else:
        state = indexing.state(ws)
    if as_json:
        out.print_json(_value(state))
    else:
        out.print("\n".join(out.safe(line) for line in _sentences(state)))
    if (rebuild or wait) and state.words != "ready":
        problem = state.problems[0] if state.problems else _("The index is not complete.")
        raise ExecutionFailed(problem) if not as_json else click.exceptions.Exit(1)


def _value(state: indexing.IndexState) -> dict[str, Any]:
    return {
        "files": state.files,
        "passages": state.passages,
        "words": state.words,
        "meaning": {"model": ", ".join(state.models) or None, "covered": state.covered_passages},
        "problems": list(state.problems),
    }


def _sentences(state: indexing.IndexState) -> list[str]:
    files = ngettext("{count} document", "{count} documents", state.files).format(count=f"{state.files:,}")
    passages = ngettext("{count} passage", "{count} passages", state.passages).format(count=f"{state.passages:,}")
    said = {
        "ready": _("The index is ready: {files} in {passages}."),
        "building": _("The index is not up to date: {files} in {passages} so far."),
        "missing": _("There is no index yet. 'memgui index --wait' builds it; until then the exact search answers."),
    }[state.words]
    return [said.format(files=files, passages=passages), _meaning(state), *state.problems]


def _meaning(state: indexing.IndexState) -> str:
    if not state.models:
        return _("Meaning: no model is installed here; memory is searched by its words.")
    if not state.meant:
        return _("Meaning: nothing is known yet.")
    share = 100 * state.covered // state.meant
    passages = ngettext("{count} passage", "{count} passages", state.meant).format(count=f"{state.meant:,}")
    return _("Meaning: {share} % of {passages} known.").format(share=share, passages=passages)


class _Bar:
    """A progress bar on stderr, where a person looks at it."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._drawn = False

    def show(self, progress: indexing.Progress) -> None:
        """Draw it anew."""
        if not self._shown or not progress.total:
            return
        if progress.waiting:
            text = _("Waiting for another memgui that is building the index…")
        else:
            text = _("words   {bar}").format(bar=_bar(progress.done, progress.total))
        self._draw(text)

    def show_meaning(self, progress: indexing.MeaningProgress) -> None:
        """Draw how much of the meaning is known."""
        if not self._shown or not progress.passages:
            return
        text = _("meaning {bar}").format(bar=_bar(progress.covered, progress.passages))
        self._draw(_("Another memgui embeds the passages just now.") if progress.waiting else text)

    def _draw(self, text: str) -> None:
        terminal.draw(text)
        self._drawn = True

    def end(self) -> None:
        """Take it away."""
        if self._drawn:
            terminal.draw("")


def _bar(done: int, total: int) -> str:
    filled = _WIDTH * done // total
    return f"{'█' * filled}{'░' * (_WIDTH - filled)} {done:,}/{total:,}"
