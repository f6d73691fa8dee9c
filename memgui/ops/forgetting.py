"""Forgetting: a secret, or a version, is taken out of all that memgui keeps. What stands on the disk is not touched.

The lines of the versions stay, and say that they were forgotten; so do who wrote them, and when. Lane: writes.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memgui.config.places import Places
from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import ExecutionFailed, InvalidParameters, MemguiError, NotAuthorized, NotFound, ReadFailed
from memgui.domain.origin import Origin
from memgui.domain.paths import ROOT, DocPath, is_document
from memgui.domain.versions import Version
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import sync, versions
from memgui.storage import files
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.folders import never
from memgui.storage.history import History, Line
from memgui.storage.journal import Journal
from memgui.storage.kept import KeptCopies
from memgui.storage.locks import workspace_lock
from memgui.storage.purging import purge, sweep_leftovers

SHORTEST = 4
"""A text of fewer characters stands nearly everywhere."""

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Secret:
    """What is to be forgotten: every text that holds these bytes, or exactly the bytes with this hash."""

    text: bytes = b""
    hash: Fingerprint | None = None

    def is_in(self, data: bytes) -> bool:
        """Whether bytes hold it."""
        return self.text in data if self.text else fingerprint(data) == self.hash


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten: how many versions, how many files beside them; and where it still stands on the disk."""

    versions: int
    others: int
    still: tuple[DocPath, ...]


def _nobody(_done: int, _all: int) -> None:
    """Wants no progress."""


def secret(text: str) -> Secret:
    """A text to forget. InvalidParameters for one that would take nearly everything with it."""
    if len(text.strip()) < SHORTEST:
        raise InvalidParameters(
            _("What is to be forgotten has to have at least {count} characters.").format(count=SHORTEST),
            hint=_("Give the whole of it: all versions that hold it go."),
        )
    return Secret(text.encode("utf-8", "surrogateescape"))


def of_version(ws: Workspace, path: DocPath, number: int) -> Secret:
    """A version to forget. InvalidParameters for one that has no bytes."""
    return of_one(versions.numbered(path, versions.seen(ws, path), number))


def of_one(one: Version) -> Secret:
    """The same, of a version that is known."""
    if one.hash is None:
        raise InvalidParameters(_("That version says that the document was deleted; it has nothing to forget."))
    return Secret(hash=one.hash)


def forget(
    ws: Workspace,
    wanted: Secret,
    *,
    origin: Origin,
    path: DocPath = ROOT,
    now: float | None = None,
    places: Places | None = None,
    progress: Progress = _nobody,
    stop: Callable[[], bool] = never,
) -> Forgotten:
    """Take it out of versions, unsaved text, held changes, trash and caches. Only a person may. `path`: for the list.

    Stopped while it still looks, nothing was touched. A killed one is finished by the next sweep.
    """
    if not origin.is_person:
        raise NotAuthorized(_("Only a person may have something forgotten."))
    copies, history = KeptCopies(ws.state / "kept"), History(ws.state)
    prints = {wanted.hash} if wanted.hash is not None else _holding(copies, wanted, progress, stop)
    if stop():
        return Forgotten(0, 0, ())
    try:
        with workspace_lock(ws.state):
            if wanted.text:
                # What came while it was looked for.
                prints |= {print_ for print_ in _newer(history, prints) if _holds(copies, print_, wanted)}
            count = _mark(history, prints)
            purge_copies(copies, prints)
            sweep_leftovers(ws.state)
            spare = (places or Places.find()).runtime / "unsaved" / ws.id
            others = purge(ws.state, wanted.is_in) + purge(spare, wanted.is_in)
            others += Journal(ws.state).forget_refusals(wanted.text) if wanted.text else 0
            moment = time.time() if now is None else now
            Deeds(ws.state).note(Deed(moment, "forget", path, origin, _("{count} versions").format(count=count)))
    except OSError as error:
        raise ExecutionFailed(
            _("Not all could be forgotten: {reason}.").format(reason=error.strerror or error),
            hint=_("Make sure that {folder} can be written, then try again.").format(folder=ws.state),
        ) from error
    forget_caches(ws)
    return Forgotten(count, others, _still(ws, wanted, stop))


def purge_copies(copies: KeptCopies, prints: Iterable[Fingerprint]) -> None:
    """Take these copies away for good; what stands on one of them stands alone from then on. The lock is held."""
    gone = set(prints)
    for copy in list(copies.all()):
        if copy.base in gone and copy.hash not in gone:
            copies.make_whole(copy.hash)
    for print_ in gone:
        copies.forget(print_)


def forget_caches(ws: Workspace) -> None:
    """Cached texts and the index go; they may at any time, and are built anew."""
    with contextlib.suppress(OSError):
        for entry in list(ws.cache.iterdir()):
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.suffix != ".lock":
                # A lock may be held: were it gone, two could write at once.
                entry.unlink(missing_ok=True)


def _holding(copies: KeptCopies, wanted: Secret, progress: Progress, stop: Callable[[], bool]) -> set[Fingerprint]:
    """The copies that hold it. Those that cannot be read any more cannot be looked into, and go as well."""
    every = [copy for copy in copies.all() if not copy.is_forgotten]
    found = set()
    for number, copy in enumerate(every):
        if stop():
            break
        if _holds(copies, copy.hash, wanted):
            found.add(copy.hash)
        progress(number + 1, len(every))
    return found


def _holds(copies: KeptCopies, print_: Fingerprint, wanted: Secret) -> bool:
    try:
        return wanted.is_in(copies.get(print_))
    except NotFound:
        return False
    except ReadFailed:
        return True


def _newer(history: History, known: set[Fingerprint]) -> list[Fingerprint]:
    newest = (history.newest(document) for document in history.documents())
    return [one.hash for one in newest if one is not None and one.hash is not None and one.hash not in known]


def _mark(history: History, prints: set[Fingerprint]) -> int:
    """Let the logs say which versions were forgotten. How many."""
    count = 0
    for document in history.documents():
        lines = list(history.lines(document))
        numbers = frozenset(
            line.version.number for line in lines if line.version is not None and line.version.hash in prints
        ) - frozenset().union(*(line.forgotten for line in lines))
        if numbers:
            history.add(document, Line(lines[-1].path, None, forgotten=numbers))
            count += len(numbers)
    return count


def _still(ws: Workspace, wanted: Secret, stop: Callable[[], bool]) -> tuple[DocPath, ...]:
    """The documents on the disk that hold it now: those are the person's to change."""
    found = []
    with contextlib.suppress(MemguiError):
        for path, node in sync.look(ws, stop=stop).nodes.items():
            if node.kind.has_bytes and is_document(path):
                with contextlib.suppress(MemguiError):
                    if wanted.is_in(files.read(ws.root, path)[0]):
                        found.append(path)
    return tuple(found)
