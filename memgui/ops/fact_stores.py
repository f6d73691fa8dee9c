"""Fact stores as they are on the disk: which there are, what stands in one, and its index. Lane: reads."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from memgui.domain import fact_index, facts
from memgui.domain.errors import ExecutionFailed, MemguiError, NotFound
from memgui.domain.facts import Fact, Malformed
from memgui.domain.layouts import Layout, Store
from memgui.domain.paths import ROOT, DocPath, join, name_of, parent_of, stem_of
from memgui.domain.text import HUGE_BYTES
from memgui.domain.tree import NodeKind, Stat
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.storage import files
from memgui.storage.reader import Reader

NEW_STORE = Store(DocPath(".agentsmith/memory"), Layout.AGENTSMITH, holds_facts=True)
"""The store that is made where there is none."""
_SETTLED_NS = 50_000_000


@dataclass(frozen=True, slots=True)
class Source:
    """One document of a store as it was read: its bytes, its text with every byte in it, and the fact, if it is one."""

    path: DocPath
    data: bytes
    text: str
    found: Fact | Malformed

    @property
    def name(self) -> str:
        """What it is called: by itself, else by its file."""
        return self.found.name if isinstance(self.found, Fact) else stem_of(name_of(self.path))


@dataclass(frozen=True, slots=True)
class Index:
    """A store's index as it was read; `data` is None where there is none yet."""

    path: DocPath
    data: bytes | None
    text: str


def text_of(data: bytes) -> str:
    """All bytes as text, so that `bytes_of` gives them back, whatever they are."""
    return data.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """The bytes that `text_of` made a text of."""
    return text.encode("utf-8", "surrogateescape")


def stores(ws: Workspace) -> tuple[Store, ...]:
    """The stores that hold facts, also one that was made since the workspace was opened."""
    known = tuple(store for store in ws.stores if store.holds_facts)
    if any(store.path in (ROOT, NEW_STORE.path) for store in known):
        return known
    try:
        node = files.look(ws.root, NEW_STORE.path)
    except MemguiError:
        return known
    return (*known, NEW_STORE) if node is not None and node.kind.is_folder else known


def store_of(ws: Workspace, path: DocPath) -> Store:
    """The store that a fact lies in. NotFound where its folder is none."""
    folder = parent_of(path)
    for store in (*stores(ws), NEW_STORE):
        if store.path == folder:
            return store
    raise NotFound(_("'{path}' is no fact.").format(path=path))


def store_for(ws: Workspace, near: Path | None) -> Store:
    """The store into which a new fact goes: the one nearest to a folder, else the root's; a new one where none is.

    ExecutionFailed where there are several and none is near.
    """
    found = stores(ws)
    if len(found) < 2:
        return found[0] if found else NEW_STORE
    nearest = _nearest(ws, found, near)
    if nearest is not None:
        return nearest
    for path in (NEW_STORE.path, ROOT, DocPath("memory")):
        for store in found:
            if store.path == path:
                return store
    raise ExecutionFailed(
        _("there are {count} fact stores here, and none is near the working folder").format(count=len(found)),
        hint=_("Work in the folder of one, or name the workspace that has it."),
    )


def _nearest(ws: Workspace, found: Sequence[Store], near: Path | None) -> Store | None:
    if near is None:
        return None
    place = near.resolve()
    best: tuple[int, Store] | None = None
    for store in found:
        owner = ws.root / _owner(store)
        # Claude names the folder of a project after the project's own path.
        mangled = name_of(parent_of(store.path)) if store.layout is Layout.CLAUDE else ""
        for depth, folder in enumerate((place, *place.parents)):
            is_its = folder == owner or (mangled and re.sub(r"[^A-Za-z0-9]", "-", str(folder)) == mangled)
            if is_its and (best is None or depth < best[0]):
                best = (depth, store)
    return best[1] if best else None


def _owner(store: Store) -> DocPath:
    """The folder whose store it is."""
    if store.path.endswith(NEW_STORE.path):
        return parent_of(parent_of(store.path))
    return parent_of(store.path) if name_of(store.path) == "memory" else store.path


class KnownFacts:
    """The documents of fact stores as they were read last, each with the state of its file: for who reads them often.

    Any thread may ask. What changed since is known by its state, and read again.
    """

    def __init__(self) -> None:
        self._held: dict[DocPath, tuple[Stat, Layout, Source]] = {}

    def get(self, path: DocPath, state: Stat, layout: Layout) -> Source | None:
        """The document, if it is still in this state."""
        held = self._held.get(path)
        return held[2] if held is not None and held[0] == state and held[1] is layout else None

    def put(self, state: Stat, layout: Layout, source: Source) -> None:
        """Know a document. Not if it changed just now: it may change again without its times showing it."""
        if max(state.mtime_ns, state.ctime_ns) < time.time_ns() - _SETTLED_NS:
            self._held[source.path] = state, layout, source


def sources(ws: Workspace, store: Store, known: KnownFacts | None = None) -> Iterator[Source]:
    """The documents of a store that are, or should be, facts, by name. What leads out of the workspace is none."""
    with ExitStack() as stack:
        reader: Reader | None = None
        for name, state in files.states_in(ws.root, store.path):
            path = join(store.path, name)
            if not facts.is_fact_file(name) or ws.protects(path):
                continue
            found = None if known is None or state is None else known.get(path, state, store.layout)
            if found is None and state is not None and state.size <= HUGE_BYTES:
                with suppress(OSError):
                    reader = reader or stack.enter_context(Reader(ws.root))
                got = None if reader is None else reader.read(path)
                if got is not None:
                    found = _source(path, got[0], store)
                    if known is not None:
                        known.put(got[1], store.layout, found)
            found = found or source(ws, store, path)
            if found is not None:
                yield found


def _source(path: DocPath, data: bytes, store: Store) -> Source:
    return Source(path, data, text_of(data), facts.read(path, data.decode("utf-8", "replace"), store.layout))


def source(ws: Workspace, store: Store, path: DocPath) -> Source | None:
    """One document of a store; None where nothing stands there, or no file."""
    try:
        node = files.look(ws.root, path)
        if node is None or node.kind not in (NodeKind.FILE, NodeKind.LINK_FILE):
            return None
        if node.stat is not None and node.stat.size > HUGE_BYTES:
            return Source(path, b"", "", Malformed(path, _("it is too large for a fact")))
        data, _node = files.read(ws.root, path)
    except NotFound:
        return None
    except MemguiError as error:
        return Source(path, b"", "", Malformed(path, error.message))
    return _source(path, data, store)


def index_of(ws: Workspace, store: Store) -> Index:
    """The index of a store. Older ones are named in lower case; where both are there, MEMORY.md counts."""
    names = files.names_in(ws.root, store.path)
    name = next((one for one in names if one.casefold() == fact_index.NAME.casefold()), fact_index.NAME)
    path = join(store.path, fact_index.NAME if fact_index.NAME in names else name)
    try:
        data, _node = files.read(ws.root, path)
    except NotFound:
        return Index(path, None, "")
    return Index(path, data, text_of(data))
