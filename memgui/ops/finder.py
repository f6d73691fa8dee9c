"""`Finder`: the folded texts of a workspace's files, kept up with the disk, and asked as one types."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from memgui.domain.changes import ChangeKind, ChangeSet
from memgui.domain.hits import Coverage, Found, Reading
from memgui.domain.passages import Place
from memgui.domain.paths import DocPath, is_document, sort_key
from memgui.domain.tree import Node, NodeKind, Snapshot, Stat
from memgui.domain.workspace import Workspace
from memgui.ops.folding import bytes_at, is_settled, key_of, text_of
from memgui.ops.looking import Looking
from memgui.ops.meaning.service import Meaning
from memgui.ops.words.service import Words
from memgui.search import cache
from memgui.search.fold import is_binary, needle_of
from memgui.search.fusion import ByMeaning
from memgui.search.literal import LiteralIndex, Part, Stop, Text, never
from memgui.search.places import ByWords, places
from memgui.search.ranking import Asked, Read, answer
from memgui.search.segments import Entry, Key
from memgui.storage.reader import Reader

if TYPE_CHECKING:
    from memgui.ops.apart.reading import Apart

MOST_TEXT = 256 << 20
"""All folded texts together take at most so many bytes; documents and newer files come first, the rest is left out."""

MOST_HELD = 48 << 20
"""So many bytes of them are memory of this process; the others are mapped, and the system may take theirs back."""

LARGE = 5 << 20
"""Files above this come last: they find room after all others."""

FILES, LINES = 50, 5
"""How many files an answer shows, and how many lines of each."""

_BATCH_FILES, _BATCH_BYTES = 64, 1 << 18
_FIRST = 100
"""So many, the newest, are read here at any rate: to have them at once."""
_FEW = 200

Progress = Callable[[int, int], None]


class Finder:
    """The folded texts of one workspace. Any thread may search while another refreshes or applies changes."""

    def __init__(
        self, ws: Workspace, *, most_text: int = MOST_TEXT, most_held: int = MOST_HELD, apart: Apart | None = None
    ) -> None:
        self._ws = ws
        self._apart = apart
        """What reads many files at once beside this process."""
        self.meaning = Meaning(ws)
        """What answers by meaning, for who asks in this process; nothing is loaded before."""
        self.words = Words(ws, helped=False)
        """The index of words, for who asks in this process; it is opened with the first question."""
        self._most_text, self._most_held = most_text, most_held
        self._index = LiteralIndex()
        self._refreshing = threading.Lock()
        self._changing = threading.Lock()
        self._waiting = 0
        self._unkept = 0
        self._loaded = False
        self._closed = False
        self._linked: frozenset[DocPath] = frozenset()
        self._left_out: dict[DocPath, int] = {}
        self._looking = Looking(ws)
        self._seen: Snapshot | None = None
        """The snapshot of which all is known; None: there is more to know, or it is known otherwise."""
        self._unsettled = False
        self.looked: Snapshot | None = None
        """What the last look saw."""
        self.indexed: Snapshot | None = None
        """The snapshot that a tool last brought the index of words up to."""
        self._paths: tuple[Snapshot | None, tuple[DocPath, ...]] | None = None

    def look(self) -> Snapshot:
        """What stands in the workspace now; the same snapshot as before where nothing changed."""
        self.looked = self._looking.look()
        return self.looked

    @property
    def coverage(self) -> Coverage:
        """How many files are known, of how many there are."""
        known = self._index.files
        return Coverage(known, known + self._waiting)

    def refresh(self, snapshot: Snapshot, *, stop: Stop = never, progress: Progress | None = None) -> None:
        """Know what the files of this snapshot hold: it reads those that are new or changed."""
        with self._refreshing:
            if self._closed or (snapshot is self._seen and not self._unsettled):
                return
            self._seen, self._unsettled = None, False
            nodes = {path: node for path, node in snapshot.nodes.items() if node.kind.has_bytes and node.stat}
            nodes = {path: node for path, node in nodes.items() if not self._ws.is_private(path)}
            self._linked = frozenset(path for path, node in nodes.items() if node.kind is NodeKind.LINK_FILE)
            if not self._loaded:
                self._load(nodes)
            known = self._index.known()
            gone = [path for path in known if path not in nodes]
            if gone:
                self._forget(gone)
            todo = [
                node
                for path, node in nodes.items()
                if path not in known or not _is_known(known[path], node) or self._may_fit(path)
            ]
            self._waiting = sum(node.path not in known for node in todo)
            self._read_all(sorted(todo, key=_turn), _names_only(nodes), stop=stop, progress=progress)
            self._seen = None if self._waiting else snapshot
            self._index.map_beyond(self._most_held, self._ws.cache)
            self._keep()

    def apply(self, changes: ChangeSet) -> None:
        """Know what these changes did. Files that were not in them stay as they are known."""
        self._seen = None
        gone: list[DocPath] = []
        nodes: list[Node] = []
        for change in changes.changes:
            if change.renamed_from is not None:
                gone.append(change.renamed_from)
            if change.kind is ChangeKind.DELETED or change.node is None or not change.node.kind.has_bytes:
                gone.append(change.path)
            elif not self._ws.is_private(change.path):
                nodes.append(change.node)
        self._linked |= frozenset(node.path for node in nodes if node.kind is NodeKind.LINK_FILE)
        if gone:
            self._forget(gone)
        self._read_all(nodes, frozenset(), stop=never, progress=None)

    def search(
        self,
        text: str,
        *,
        limit: int = FILES,
        per_file: int = LINES,
        relax: bool = True,
        stop: Stop = never,
        count: bool = True,
    ) -> Found:
        """The files that hold `text`, best first, with exact totals; of these `limit` files, `per_file` lines of each.

        Where nothing holds the whole text and `relax`, those that hold all of its words. A blank text finds nothing.
        Without `count`, the places of a very common text are left uncounted: its rows are there sooner.
        """
        coverage, left_out = self.coverage, tuple(sorted(self._left_out))

        def completed(found: Found) -> Found:
            return replace(found, coverage=coverage, left_out=left_out)

        try:
            with Reader(self._ws.root) as reader:
                asked = Asked(limit, per_file, relax, stop, count)
                return completed(answer(self._index, text, self._reading(reader), asked))
        except OSError:
            # The workspace itself is gone for now: nothing that was known of it can be shown as true.
            return completed(Found(text))

    def places(
        self,
        text: str,
        *,
        limit: int,
        exact: bool = False,
        words: ByWords | None = None,
        meaning: ByMeaning | None = None,
    ) -> tuple[tuple[Place, ...], Reading]:
        """The passages of documents that answer a tool's query, best first, and how the query was read.

        `words` is asked for what the index of words adds, `meaning` for what is near in meaning.
        """
        with self.reading(links=False) as read:
            return places(self._index, text, read, limit=limit, exact=exact, words=words, meaning=meaning)

    @contextmanager
    def reading(self, *, links: bool = True) -> Iterator[Read]:
        """Gives what reads the files as they are now; nothing can be read where the workspace is gone.

        Without `links`, what a link leads to answers under its own name alone.
        """
        try:
            reader = Reader(self._ws.root)
        except OSError:
            yield lambda _path: None
            return
        with reader:
            yield self._reading(reader, links=links)

    def holding(self, text: str) -> tuple[DocPath, ...]:
        """The files that may hold a text: all whose folded text has it, and those whose text is not known."""
        needle = needle_of(text)
        if not needle:
            return self.paths
        found = [match.entry.path for match in self._index.search(needle.encode()).all() if match.inside]
        return tuple(sorted({*found, *self._left_out}, key=sort_key))

    def stands(self, folded: str) -> bool:
        """Whether this folded text stands in any file."""
        return bool(folded) and any(match.inside for match in self._index.search(folded.encode()).all())

    @property
    def paths(self) -> tuple[DocPath, ...]:
        """Every file that is known."""
        seen = self._seen
        if seen is None or self._paths is None or self._paths[0] is not seen:
            self._paths = seen, tuple(self._index.known())
        return self._paths[1]

    def keep(self) -> None:
        """Keep what is worth keeping for the next start: all texts are written for that."""
        with self._refreshing:
            if not self._closed:
                self._keep()

    def rest(self) -> None:
        """Give back the memory of what answers by words and by meaning, until somebody asks again."""
        self.meaning.rest()
        self.words.rest()

    def close(self, *, keep: bool = True) -> None:
        """Keep what is worth keeping, unless there is no time for that, and let go of the texts."""
        self._closed = True
        self.meaning.close()
        self.words.close()
        with self._refreshing, self._changing:
            if keep:
                self._keep()
            self._index.adopt(())

    def _reading(self, reader: Reader, *, links: bool = True) -> Read:
        def read(path: DocPath) -> tuple[bytes, Key] | None:
            got = self._bytes(reader, path) if links or path not in self._linked else None
            return None if got is None or is_binary(got[0]) else (got[0], key_of(got[1]))

        return read

    def _bytes(self, reader: Reader, path: DocPath) -> tuple[bytes, Stat] | None:
        return bytes_at(self._ws.root, reader, path, is_link=path in self._linked)

    def _load(self, nodes: Mapping[DocPath, Node]) -> None:
        """Take over the texts that were kept, as far as they are those of the files as they are now."""
        seen: set[DocPath] = set()
        parts = []
        for segment in cache.load(self._ws.cache):
            dead = set()
            for i, entry in enumerate(segment.entries):
                node = nodes.get(entry.path)
                if node is None or entry.path in seen or not _is_known(entry, node):
                    dead.add(i)
                seen.add(entry.path)
            parts.append(Part(segment, frozenset(dead)))
            self._unkept += len(dead)
        self._index.adopt(parts)
        self._loaded = True

    def _forget(self, paths: Iterable[DocPath]) -> None:
        with self._changing:
            self._index.update(gone=paths)
            for path in paths:
                self._left_out.pop(path, None)

    def _may_fit(self, path: DocPath) -> bool:
        return path in self._left_out and self._index.size + self._left_out[path] <= self._most_text

    def _read_all(
        self, nodes: list[Node], names_only: frozenset[DocPath], *, stop: Stop, progress: Progress | None
    ) -> None:
        if self._apart is not None and len(nodes) > _FIRST:
            # The newest are there at once; the others come from a process that reads them beside the window.
            self._read_here(nodes[:_FIRST], names_only, stop=stop, progress=progress)
            nodes = self._read_apart(self._apart, nodes[_FIRST:], names_only, stop=stop, progress=progress)
        self._read_here(nodes, names_only, stop=stop, progress=progress)

    def _read_apart(
        self, apart: Apart, nodes: list[Node], names_only: frozenset[DocPath], *, stop: Stop, progress: Progress | None
    ) -> list[Node]:
        """Have as many read as there is room for; answers the others."""
        room = self._most_text - self._index.size
        sizes = accumulate(0 if node.stat is None else node.stat.size for node in nodes)
        wanted = nodes[: bisect_right(list(sizes), room)]
        done: set[DocPath] = set()

        def take(texts: list[Text], gone: list[DocPath]) -> None:
            with self._changing:
                self._put(texts, gone)
            done.update(text.path for text in texts)
            done.update(gone)
            if progress is not None:
                progress(self.coverage.done, self.coverage.total)

        apart.fold(self._ws, wanted, names_only, take, stop=lambda: stop() or self._closed)
        return [node for node in nodes if node.path not in done]

    def _read_here(
        self, nodes: list[Node], names_only: frozenset[DocPath], *, stop: Stop, progress: Progress | None
    ) -> None:
        if not nodes:
            return
        with suppress(OSError), Reader(self._ws.root) as reader:
            at = 0
            while at < len(nodes) and not stop() and not self._closed:
                # Read and put under one lock, so that what another thread puts meanwhile is never older than this.
                with self._changing:
                    at = self._read_batch(reader, nodes, at, names_only)
                if progress is not None:
                    progress(self.coverage.done, self.coverage.total)

    def _read_batch(self, reader: Reader, nodes: list[Node], at: int, names_only: frozenset[DocPath]) -> int:
        texts: list[Text] = []
        gone: list[DocPath] = []
        size = 0
        while at < len(nodes) and len(texts) < _BATCH_FILES and size < _BATCH_BYTES:
            node = nodes[at]
            at += 1
            text = self._text(reader, node, self._index.size + size, by_name=node.path in names_only)
            if text is None:
                gone.append(node.path)
            else:
                texts.append(text)
                size += len(text.folded or b"")
        self._put(texts, gone)
        return at

    def _put(self, texts: list[Text], gone: list[DocPath]) -> None:
        before = self._index.files
        self._unsettled = self._unsettled or not all(map(is_settled, texts))
        self._index.update(texts, gone)
        self._waiting = max(0, self._waiting - (self._index.files - before))
        self._unkept += len(texts) + len(gone)

    def _text(self, reader: Reader, node: Node, held: int, *, by_name: bool) -> Text | None:
        """The file's folded text; without one where it has none or there is no room; None where the file is gone."""
        self._left_out.pop(node.path, None)
        if node.stat is not None and held + node.stat.size > self._most_text:
            self._left_out[node.path] = node.stat.size
            by_name = True
        return text_of(self._ws.root, reader, node, by_name=by_name)

    def _keep(self) -> None:
        """Keep the texts on disk, where enough of them are new: a few are read again faster than all are written."""
        if self._unkept <= min(_FEW, self._index.files // 20) or not self._loaded:
            return
        parts = []
        for part in self._index.parts:
            without = {i for i, entry in enumerate(part.segment.entries) if entry.path in self._left_out}
            parts.append(Part(part.segment, part.dead | without))
        if cache.save(self._ws.cache, parts):
            self._unkept = 0


def _is_known(entry: Entry, node: Node) -> bool:
    return node.stat is not None and entry.key == key_of(node.stat)


def _turn(node: Node) -> tuple[bool, bool, int]:
    """Documents before others, newer before older, large ones last."""
    stat = node.stat
    if stat is None:
        return True, True, 0
    return stat.size > LARGE, not is_document(node.path), -stat.mtime_ns


def _names_only(nodes: Mapping[DocPath, Node]) -> frozenset[DocPath]:
    """Links to files that are searched under their own names: the same text is not found twice."""
    real = {(node.stat.device, node.stat.inode) for node in nodes.values() if node.stat and node.kind is NodeKind.FILE}
    return frozenset(
        path
        for path, node in nodes.items()
        if node.kind is NodeKind.LINK_FILE and node.stat and (node.stat.device, node.stat.inode) in real
    )
