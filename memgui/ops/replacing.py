"""Replace a text in many documents: first all places are shown, then the chosen ones are done, as one batch.

Each document is written by the one gate and only where it holds what was shown; a batch can be taken back as a whole.
Lane of `replace` and `take_back`: writes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace as with_
from functools import partial
from itertools import islice

from memgui.domain.changes import Change, ChangeSet
from memgui.domain.documents import Document, Fingerprint, fingerprint
from memgui.domain.errors import (
    Conflict,
    ExecutionFailed,
    InvalidParameters,
    MemguiError,
    NotFound,
    ProtectedDocument,
    ReadFailed,
    WriteFailed,
)
from memgui.domain.lines import Lines
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.replacing import Done, Exchange, InFile, LeftOut, Place, Plan, Replaced, exchanged, place
from memgui.domain.text import Editability, Text
from memgui.domain.tree import NodeKind
from memgui.domain.workspace import Workspace
from memgui.i18n import _, ngettext
from memgui.ops import batches, documents
from memgui.ops.recovery import copies
from memgui.search.literal import Stop, never
from memgui.search.standing import spans_of
from memgui.storage import files
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.locks import workspace_lock
from memgui.storage.spot import reason_of

MOST_PLACES = 10_000
"""More are not shown at once: nobody looks through them."""

_LONGEST_DETAIL = 60

Progress = Callable[[int, int], None]
Texts = Mapping[DocPath, str]
"""What stands on pages that are not saved: there it is replaced on the page."""


def nobody(_done: int, _of: int) -> None:
    """For work that nobody watches."""


# Looking -----------------------------------------------------------------------------------------------------------


def look(
    ws: Workspace,
    exchange: Exchange,
    paths: Iterable[DocPath],
    *,
    texts: Texts,
    progress: Progress = nobody,
    stop: Stop = never,
) -> Plan:
    """Every place in these documents. Those that must not or cannot be written are named, with why.

    InvalidParameters for a replacement with which no file would be text any more.
    """
    _refuse_what_is_no_text(exchange.by)
    found: list[InFile] = []
    left_out: list[LeftOut] = []
    room = MOST_PLACES
    wanted = list(dict.fromkeys((*texts, *paths)))
    for number, path in enumerate(wanted):
        if stop() or room < 0:
            return Plan(exchange, tuple(found), tuple(left_out), whole=False)
        progress(number, len(wanted))
        try:
            one = _look(ws, exchange, path, texts.get(path), most=room)
        except MemguiError as error:
            left_out.append(LeftOut(path, _reason(error)))
            continue
        if one is not None:
            file, more = one
            room = -1 if more else room - len(file.places)
            found += [file] if file.places else []
    return Plan(exchange, tuple(found), tuple(left_out), whole=room >= 0)


def _refuse_what_is_no_text(by: str) -> None:
    if "\0" in by or any("\ud800" <= character <= "\udfff" for character in by):
        told = _("The text to put in its place holds a character that no text file can hold, so nothing is replaced.")
        raise InvalidParameters(told, hint=_("Type it anew, without what was pasted."))


def _look(
    ws: Workspace, exchange: Exchange, path: DocPath, on_page: str | None, *, most: int
) -> tuple[InFile, bool] | None:
    """The first places of one document, and whether there are more; None where there is none."""
    if on_page is not None:
        lines, print_ = Lines.split(on_page), text_print(on_page)
    else:
        try:
            document = documents.read(ws, path)
        except NotFound:
            return None
        if _leads_elsewhere(ws, document):
            # It is looked at under its own name.
            return None
        lines, print_ = document.display, document.fingerprint
    places = tuple(islice(_places(lines, exchange), most + 1))
    if not places:
        return None
    documents.guard(ws, path, Origin.you())
    if on_page is None:
        _text_of(document)
    return InFile(path, print_, places[:most], on_page=on_page is not None), len(places) > most


def _leads_elsewhere(ws: Workspace, document: Document) -> bool:
    return document.node.kind is NodeKind.LINK_FILE and files.real_path(ws.root, document.path) != document.path


def _places(lines: Lines, exchange: Exchange) -> Iterator[Place]:
    number = 0
    for at, text in enumerate(lines.texts, 1):
        for span in spans_of(text, exchange):
            yield place(number, at, text, span, exchange.by)
            number += 1


def _text_of(document: Document) -> Text:
    """The text of a document that may be written as it is. ExecutionFailed, with why, for others."""
    if document.text is None or document.editability is not Editability.EDITABLE:
        raise ExecutionFailed(_NOT_EDITED.get(document.editability, _NOT_TEXT)())
    return document.text


_NOT_TEXT = partial(_, "It is no text in UTF-8; open it in its encoding and replace there.")
_NOT_EDITED: Mapping[Editability, Callable[[], str]] = {
    Editability.HUGE: partial(_, "It is very large; open it, choose Edit anyway, and replace there."),
    Editability.LONG_LINE: partial(_, "It has a very long line; open it, choose Edit anyway, and replace there."),
    Editability.LINK_OUT: partial(_, "It is a link that leads out of the workspace."),
}


def _reason(error: MemguiError) -> str:
    if isinstance(error, ProtectedDocument):
        return _("An identity file: unlock it and replace there.")
    if isinstance(error, NotFound):
        return _("It is not there any more.")
    # The same for all that met it: a disk that is full is told of once.
    if isinstance(error, WriteFailed) and error.errno is not None:
        return _("It could not be written: {reason}.").format(reason=reason_of(OSError(error.errno, "")))
    if isinstance(error, ReadFailed) and error.errno is not None:
        return _("It could not be read: {reason}.").format(reason=reason_of(OSError(error.errno, "")))
    return error.message


def text_print(text: str) -> Fingerprint:
    """What tells one text of a page from another."""
    return fingerprint(text.encode("utf-8", "surrogatepass"))


def changed(lines: Lines, exchange: Exchange, numbers: frozenset[int]) -> tuple[Lines, int]:
    """The lines with the chosen places replaced, and how many these are. New lines end as the one does they are in."""
    texts: list[str] = []
    number = done = 0
    by = Lines.split(exchange.by).texts
    for at, text in enumerate(lines.texts):
        spans = spans_of(text, exchange)
        chosen = [span for nth, span in enumerate(spans, number) if nth in numbers]
        number += len(spans)
        done += len(chosen)
        texts.append(exchanged(text, chosen, lines.ending_for_new(at + 1).join(by)) if chosen else text)
    made = Lines(tuple(texts), lines.breaks)
    return (made if len(by) == 1 else Lines.split(made.joined())), done


# Doing -------------------------------------------------------------------------------------------------------------


def replace(
    ws: Workspace,
    plan: Plan,
    chosen: Mapping[DocPath, frozenset[int]],
    *,
    origin: Origin,
    now: float | None = None,
    batch: str = "",
    progress: Progress = nobody,
    stop: Stop = never,
) -> tuple[ChangeSet, Replaced]:
    """Do the chosen places of documents (pages see to theirs). A document that changed since is left, and named.

    `batch`: under this name it is known afterwards, also to a later memgui; see `ops.batches`.
    """
    moment = time.time() if now is None else now
    changes: list[Change] = []
    done: list[Done] = []
    left_out: list[LeftOut] = []
    wanted = [file for file in plan.files if chosen.get(file.path) and not file.on_page]
    stopped = False
    for number, file in enumerate(wanted):
        if stop():
            stopped = True
            break
        progress(number, len(wanted))
        try:
            written, one = _replace(ws, plan.exchange, file, chosen[file.path], origin, moment, batch)
        except Conflict:
            left_out.append(LeftOut(file.path, _("It changed since it was shown.")))
        except MemguiError as error:
            left_out.append(LeftOut(file.path, _reason(error)))
        else:
            changes += written.changes
            done.append(one)
    if batch and left_out:
        batches.took_back(ws, batch, [one.path for one in left_out])
    replaced = Replaced(plan.exchange, tuple(done), tuple(left_out), stopped)
    _note(ws, "replace", replaced, origin, moment)
    return _together(changes), replaced


def _replace(
    ws: Workspace, exchange: Exchange, file: InFile, numbers: frozenset[int], origin: Origin, now: float, batch: str
) -> tuple[ChangeSet, Done]:
    document = documents.read(ws, file.path)
    if document.fingerprint != file.print_ or _leads_elsewhere(ws, document):
        raise Conflict(file.path, expected=file.print_, found=document.fingerprint)
    text = _text_of(document)
    lines, count = changed(text.lines, exchange, numbers)
    try:
        data = Text(lines, text.encoding).encode()
    except UnicodeEncodeError as error:
        raise ExecutionFailed(_("Its encoding has no sign for the new text.")) from error
    try:
        # Whoever takes this back needs the bytes, whatever becomes of their version.
        copies(ws).put(document.data)
    except OSError as error:
        raise ExecutionFailed(_("No copy of what stands there could be kept, so nothing was replaced.")) from error
    done = Done(file.path, file.print_, fingerprint(data), count)
    if batch:
        # Before the write: whatever ends memgui now, what it did can be taken back.
        batches.note(ws, batch, done)
    written = documents.write(ws, file.path, data, expected=file.print_, origin=origin, now=now)
    return written, done


def take_back(
    ws: Workspace,
    replaced: Replaced,
    *,
    origin: Origin,
    now: float | None = None,
    batch: str = "",
    progress: Progress = nobody,
    stop: Stop = never,
) -> tuple[ChangeSet, Replaced]:
    """Undo a batch: what stood in each document stands there again. One that changed since is left, and named.

    The answer is the batch of what was taken back.
    """
    moment = time.time() if now is None else now
    changes: list[Change] = []
    back: list[Done] = []
    left_out: list[LeftOut] = []
    for number, one in enumerate(replaced.done):
        if stop():
            break
        progress(number, len(replaced.done))
        try:
            data = _copy(ws, one.before)
            written = documents.write(ws, one.path, data, expected=one.after, origin=origin, now=moment)
        except Conflict:
            left_out.append(LeftOut(one.path, _("It changed since; it was left as it is.")))
        except MemguiError as error:
            left_out.append(LeftOut(one.path, _reason(error)))
        else:
            changes += written.changes
            back.append(with_(one, before=one.after, after=one.before))
    undone = Replaced(replaced.exchange, tuple(back), tuple(left_out))
    if batch:
        batches.took_back(ws, batch, [*(one.path for one in back), *(one.path for one in left_out)])
    _note(ws, "undo", undone, origin, moment)
    return _together(changes), undone


def _copy(ws: Workspace, print_: Fingerprint) -> bytes:
    try:
        return copies(ws).get(print_)
    except NotFound as error:
        raise ExecutionFailed(_("What stood there was forgotten, or is kept no more.")) from error


def _together(changes: Sequence[Change]) -> ChangeSet:
    return ChangeSet(tuple(sorted(changes, key=lambda change: change.path)))


def _quoted(text: str) -> str:
    """A text as the list of deeds names it: whole, so that with a secret it is forgotten, or not at all."""
    if len(text) <= _LONGEST_DETAIL:
        return f"“{text}”"
    return _("a text of {count} characters").format(count=f"{len(text):,}")


def _note(ws: Workspace, kind: str, replaced: Replaced, origin: Origin, now: float) -> None:
    def detail(places: int) -> str:
        count = ngettext("{count} place", "{count} places", places).format(count=places)
        what, by = map(_quoted, (replaced.exchange.what, replaced.exchange.by))
        return _("{what} by {by}, {count}").format(what=what, by=by, count=count)

    deeds = [Deed(now, kind, one.path, origin, detail(one.places)) for one in replaced.done]
    # It is done by now: that it cannot be listed keeps nobody from anything.
    if deeds:
        with suppress(OSError, ExecutionFailed), workspace_lock(ws.state):
            Deeds(ws.state).note(*deeds)
