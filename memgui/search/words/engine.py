"""`WordsIndex`: a `SearchIndex` on Whoosh. The one module that knows Whoosh; it is imported where words are asked for.

What a word is worth in a passage (BM25F: the weights of all fields together, then dampened by the passage's length) is
settled when the passage is written, against a fixed average length. A query only multiplies it by the word's rarity,
so that whole blocks of passages that cannot reach the best are passed over unread.
"""

from __future__ import annotations

import heapq
import pickle
import struct
import threading
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import accumulate
from math import log
from pathlib import Path
from typing import Any

from whoosh import fields, formats, index, scoring
from whoosh.codec.whoosh3 import W3LeafMatcher
from whoosh.filedb.filestore import StorageError
from whoosh.filedb.filetables import FileFormatError
from whoosh.matching.mcore import ReadTooFar
from whoosh.query import And, AndNot, Every, NullQuery, Or, Term
from whoosh.reading import CorruptIndexError, SegmentReader, TermNotFound

from memgui.domain.paths import DocPath
from memgui.search.literal import Stop, never
from memgui.search.segments import Key
from memgui.search.words.analysis import RULE
from memgui.search.words.files import PrivateFiles
from memgui.search.words.index import AllOf, AnyOf, BrokenIndexError, Has, Hit, In, Indexed, Marked, NoneOf, Wanted
from memgui.search.words.pieces import Piece

_NAME = f"words{RULE}u{unicodedata.unidata_version.replace('.', '')}"
"""The rule by which words are made stands in the names of the files: an index of another rule is not found."""

K1, B, AVERAGE = 1.2, 0.6, 60
"""BM25's saturation, how much the length counts, and the length in words that a passage is compared with."""

_YES = 1e-6
"""What a name is worth: of what is worth nothing Whoosh passes over whole blocks."""

_POOL_MB = 256
"""A portion fits into this: what does not is sorted on disk, which takes twice as long."""

_ALIKE = 6
"""So many segments of about one size are joined into one."""

_DAMAGE = (
    OSError,
    EOFError,
    pickle.PickleError,
    struct.error,
    zlib.error,
    index.IndexError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    AssertionError,
    ImportError,
    OverflowError,
    MemoryError,
    NotImplementedError,
    TermNotFound,
    CorruptIndexError,
    FileFormatError,
    StorageError,
    ReadTooFar,
)
"""All that reading damaged files has been seen to raise."""


class _Weights(fields.FieldType):  # type: ignore[misc]
    """The words of a piece, each with what it is worth there."""

    def __init__(self) -> None:
        super().__init__(formats.Existence(), None, scorable=False)

    def index(self, value: Any, **_options: Any) -> Iterator[tuple[bytes, int, float, bytes]]:
        piece: Piece = value
        norm = K1 * (1 - B + B * piece.length / AVERAGE)
        for word, weight in piece.weights.items():
            yield word.encode("utf-8", "replace"), 1, round(weight / (weight + norm), 3), b""


class _Names(fields.FieldType):  # type: ignore[misc]
    """Names that are held or not: a path, marks."""

    def __init__(self) -> None:
        super().__init__(formats.Existence(), None, scorable=False)

    def index(self, value: Any, **_options: Any) -> Iterator[tuple[bytes, int, float, bytes]]:
        for name in value:
            yield _bytes(name), 1, 1.0, b""


class _Worth(scoring.WeightingModel):  # type: ignore[misc]
    """A word is worth what was settled for the passage, times its rarity; names only say yes or no."""

    def scorer(self, searcher: Any, fieldname: str, text: Any, qf: int = 1) -> scoring.BaseScorer:  # noqa: ARG002
        return _WordScorer(searcher, fieldname, text)


class _WordScorer(scoring.BaseScorer):  # type: ignore[misc]
    def __init__(self, searcher: Any, fieldname: str, text: Any) -> None:
        whole = searcher.get_parent()
        held = whole.doc_frequency(fieldname, text)
        self._rarity = _rarity(whole.doc_count_all(), held) if fieldname == "words" else _YES
        self._most = self._rarity * searcher.term_info(fieldname, text).max_weight()

    def supports_block_quality(self) -> bool:
        return True

    def score(self, matcher: Any) -> float:
        return self._rarity * float(matcher.weight())

    def max_quality(self) -> float:
        return float(self._most)

    def block_quality(self, matcher: Any) -> float:
        return self._rarity * float(matcher.block_max_weight())


class WordsIndex:
    """A folder with an index, private to this user: reading it means to trust it."""

    def __init__(self, folder: Path) -> None:
        """Open the index. BrokenIndexError where there is none that can be read."""
        self._lock = threading.RLock()
        with _damage():
            # Its own types say little and leave out what is used here.
            self._index: Any = index.FileIndex(PrivateFiles(str(folder)), indexname=_NAME)
            self._searcher: Any = self._index.searcher(weighting=_Worth())

    @staticmethod
    def create(folder: Path) -> WordsIndex:
        """Begin an empty index in the folder. OSError where the disk does not take it."""
        schema = fields.Schema(words=_Weights(), path=_Names(), marks=_Names(), at=fields.STORED)
        index.FileIndex.create(PrivateFiles(str(folder)), schema, _NAME).close()
        return WordsIndex(folder)

    @property
    def passages(self) -> int:
        return int(self._searcher.doc_count())

    def search(self, wanted: Wanted, *, limit: int, stop: Stop = never) -> tuple[Hit, ...]:
        with self._lock, _damage():
            if stop() or not self._searcher.doc_count_all():
                return ()
            wanted = _plainly(wanted)
            if isinstance(wanted, Has):
                return self._holding(_bytes(wanted.word), limit)
            if _is_of_words(wanted):
                return self._of_words(wanted, limit)
            found = self._searcher.search(_query(wanted), limit=limit, scored=True)
            return tuple(_hit(self._searcher.stored_fields(number), score or 0.0) for score, number in found.top_n)

    def _of_words(self, wanted: Wanted, limit: int) -> tuple[Hit, ...]:
        """The best passages with several words, all or any of them, by the same means."""
        passages = self._searcher.doc_count_all()
        held = {word: self._searcher.doc_frequency("words", word) for word in _words(wanted)}
        best: list[tuple[float, int]] = []
        for leaf, offset in self._searcher.leaf_searchers():
            reader = leaf.reader()
            scores = _Scores(reader, {word: _rarity(passages, held[word]) for word in held}, {}).of(wanted)
            found = ((score, -number - offset) for number, score in scores.items() if not reader.is_deleted(number))
            best = heapq.nlargest(limit, (*best, *found))
        return tuple(_hit(self._searcher.stored_fields(-number), score) for score, number in best)

    def _holding(self, word: bytes, limit: int) -> tuple[Hit, ...]:
        """The best passages with one word: whole blocks at a time, where Whoosh itself looks at each passage."""
        best: list[tuple[float, int]] = []
        for leaf, offset in self._searcher.leaf_searchers():
            reader = leaf.reader()
            if ("words", word) not in reader:
                continue
            postings = reader.postings("words", word)
            # Deleted passages are sifted out by a matcher around the one that reads; here only the best are asked.
            postings = getattr(postings, "child", postings)
            for weight, number in _in_blocks(postings, best, limit):
                if (len(best) < limit or (weight, -number - offset) > best[0]) and not reader.is_deleted(number):
                    push = heapq.heappush if len(best) < limit else heapq.heapreplace
                    push(best, (weight, -number - offset))
        rarity = _rarity(self._searcher.doc_count_all(), self._searcher.doc_frequency("words", word))
        return tuple(
            _hit(self._searcher.stored_fields(-number), rarity * weight)
            for weight, number in sorted(best, reverse=True)
        )

    def passages_with(self, word: str) -> int:
        with self._lock, _damage():
            return int(self._searcher.doc_frequency("words", _bytes(word)))

    def known(self) -> dict[DocPath, Key]:
        with self._lock, _damage():
            stored = self._searcher.reader().iter_docs()
            hits = (_hit(values, 0.0) for _number, values in stored)
            return {hit.path: hit.key for hit in hits}

    def update(self, documents: Iterable[Indexed], gone: Iterable[DocPath] = ()) -> None:
        with self._lock, _damage(but=OSError):
            self.refresh()
            writer: Any = self._index.writer(limitmb=_POOL_MB)
            try:
                if self._write(writer, documents, gone):
                    writer.commit(mergetype=_merge)
            finally:
                if not writer.is_closed:
                    writer.cancel()
            self.refresh()

    def _write(self, writer: Any, documents: Iterable[Indexed], gone: Iterable[DocPath]) -> bool:
        changes = sum(self._forget(writer, path) for path in gone)
        written: set[DocPath] = set()
        for document in documents:
            # Whoosh would keep both where one path is written twice before a commit.
            if document.path in written:
                continue
            written.add(document.path)
            self._forget(writer, document.path)
            for piece in document.pieces:
                writer.add_document(
                    words=piece, path=(document.path,), marks=sorted(piece.marks), at=_at(document, piece)
                )
                changes += 1
        return changes > 0

    def _forget(self, writer: Any, path: DocPath) -> int:
        numbers = self._numbers(path)
        for number in numbers:
            writer.delete_document(number)
        return len(numbers)

    def refresh(self) -> bool:
        with self._lock, _damage():
            if self._searcher.up_to_date():
                return False
            # Opened anew: Whoosh's own refreshing keeps what was deleted or joined meanwhile.
            before, self._searcher = self._searcher, self._index.searcher(weighting=_Worth())
            before.close()
            return True

    def close(self) -> None:
        with self._lock, suppress(*_DAMAGE):
            self._searcher.close()
            self._index.close()

    def _numbers(self, path: DocPath) -> list[int]:
        reader = self._searcher.reader()
        name = _bytes(path)
        return list(reader.postings("path", name).all_ids()) if ("path", name) in reader else []


@dataclass(frozen=True, slots=True)
class _Scores:
    """What the passages of one segment are worth, by their numbers. `known`: words that were read already."""

    reader: Any
    rarities: Mapping[bytes, float]
    known: dict[bytes, dict[int, float]]

    def of(self, wanted: Wanted) -> dict[int, float]:
        """Of a wish for words and nothing else."""
        match wanted:
            case Has():
                weights, rarity = self._weights(wanted)
                return {number: rarity * weight for number, weight in weights.items()}
            case AllOf(wishes):
                return self._of_all(wishes)
            case AnyOf(wishes):
                found: dict[int, float] = {}
                for wish in wishes:
                    for number, score in self.of(wish).items():
                        found[number] = found.get(number, 0.0) + score
                return found
        raise AssertionError(wanted)

    def _of_all(self, wishes: Sequence[Wanted]) -> dict[int, float]:
        # The rarest first: where it is not, the others need not be read.
        first, *others = sorted(wishes, key=self._rarest, reverse=True)
        found = self.of(first)
        for wish in others:
            if not found:
                break
            weights, rarity = self._weights(wish)
            found = {number: found[number] + rarity * weights[number] for number in found.keys() & weights.keys()}
        return found

    def _weights(self, wanted: Wanted) -> tuple[dict[int, float], float]:
        """What a wish is worth, and by what that is to be multiplied: of a common word most is never asked for."""
        if not isinstance(wanted, Has):
            return self.of(wanted), 1.0
        word = _bytes(wanted.word)
        if word not in self.known:
            self.known[word] = _weights_by_number(self.reader, word)
        return self.known[word], self.rarities[word]

    def _rarest(self, wanted: Wanted) -> float:
        """How rare a wish is: as its commonest word where any will do, as its rarest where all have to be there."""
        match wanted:
            case Has(word):
                return self.rarities[_bytes(word)]
            case AllOf(wishes):
                return max(map(self._rarest, wishes))
            case AnyOf(wishes):
                return min(map(self._rarest, wishes))
        raise AssertionError(wanted)


def _plainly(wanted: Wanted) -> Wanted:
    """The same with no more than it needs: what is wanted alone or twice, and what every passage is, goes."""
    if not isinstance(wanted, (AllOf, AnyOf)):
        return wanted
    kind = type(wanted)
    inside = [_plainly(wish) for wish in wanted.wishes]
    flat = [one for wish in inside for one in (wish.wishes if isinstance(wish, kind) else (wish,))]
    wishes = tuple(dict.fromkeys(flat))
    return wishes[0] if len(wishes) == 1 else kind(wishes)


def _is_of_words(wanted: Wanted) -> bool:
    """Whether it asks for words and nothing else, and for at least one."""
    match wanted:
        case Has():
            return True
        case AllOf(wishes) | AnyOf(wishes):
            return bool(wishes) and all(map(_is_of_words, wishes))
    return False


def _words(wanted: Wanted) -> set[bytes]:
    """The words that it asks for."""
    match wanted:
        case Has(word):
            return {_bytes(word)}
        case AllOf(wishes) | AnyOf(wishes):
            return {word for wish in wishes for word in _words(wish)}
    return set()


def _rarity(passages: int, holding: int) -> float:
    return log(1 + passages / (holding + 1))


def _weights_by_number(reader: Any, word: bytes) -> dict[int, float]:
    """What a word is worth in each passage of a segment that holds it."""
    found: dict[int, float] = {}
    try:
        postings = reader.postings("words", word)
    except TermNotFound:
        return found
    # Deleted passages are sifted out by a matcher around the one that reads; the best alone are asked for that.
    postings = getattr(postings, "child", postings)
    while postings.is_active():
        if isinstance(postings, W3LeafMatcher):
            found.update(_block(postings))
            postings._next_block()
        else:
            found[postings.id()] = postings.weight()
            postings.next()
    return found


def _block(postings: Any) -> Iterator[tuple[int, float]]:
    """Numbers and weights of the block at which postings stand: decoded at once, where Whoosh adds up one by one."""
    postings._read_weights()
    steps = postings._data[0]
    return zip(steps if postings._byteids else accumulate(steps), postings._weights, strict=True)


def _in_blocks(postings: Any, best: Sequence[tuple[float, int]], limit: int) -> Iterator[tuple[float, int]]:
    """Weights and numbers, whole blocks left out that hold nothing better than the worst of `best`."""
    if not isinstance(postings, W3LeafMatcher):
        while postings.is_active():
            yield postings.weight(), postings.id()
            postings.next()
        return
    while postings.is_active():
        least = best[0][0] if len(best) >= limit else 0.0
        if postings.block_max_weight() > least:
            yield from ((weight, number) for number, weight in _block(postings) if weight > least)
        postings._next_block()


@contextmanager
def _damage(*, but: type[BaseException] | tuple[()] = ()) -> Iterator[None]:
    try:
        yield
    except but:
        raise
    except _DAMAGE as error:
        raise BrokenIndexError(f"{type(error).__name__}: {error}") from error


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def _at(document: Indexed, piece: Piece) -> tuple[Any, ...]:
    key = document.key
    return document.path, piece.first, piece.end, key.size, key.mtime_ns, key.ctime_ns, key.inode


def _hit(stored: Mapping[str, Any], score: float) -> Hit:
    path, first, end, *key = stored["at"]
    return Hit(DocPath(path), first, end, Key(*key), score)


def _merge(writer: Any, segments: list[Any]) -> list[Any]:
    """Join segments of about one size when there are many, and those that are mostly deleted."""
    by_size: dict[int, list[Any]] = {}
    for segment in segments:
        alive = segment.doc_count_all() - segment.deleted_count()
        by_size.setdefault(alive.bit_length() // 2, []).append(segment)
    joined = [one for alike in by_size.values() if len(alike) >= _ALIKE for one in alike]
    joined += [one for one in segments if one not in joined and one.deleted_count() * 2 > one.doc_count_all()]
    for segment in joined:
        reader = SegmentReader(writer.storage, writer.schema, segment)
        writer.add_reader(reader)
        reader.close()
    return [segment for segment in segments if segment not in joined]


def _query(wanted: Wanted) -> Any:
    match wanted:
        case Has(word):
            return Term("words", _bytes(word))
        case Marked(mark):
            return Term("marks", _bytes(mark))
        case In(paths):
            return _any(Term("path", _bytes(path)) for path in sorted(paths))
        case AnyOf(wishes):
            return _any(map(_query, wishes))
        case NoneOf(wishes):
            return AndNot(Every(), _any(map(_query, wishes)))
        case AllOf(wishes):
            return _all(wishes)


def _all(wishes: tuple[Wanted, ...]) -> Any:
    wanted = [_query(wish) for wish in wishes if not isinstance(wish, NoneOf)]
    refused = [_query(one) for wish in wishes if isinstance(wish, NoneOf) for one in wish.wishes]
    kept = Every() if not wanted else wanted[0] if len(wanted) == 1 else And(wanted)
    return AndNot(kept, _any(refused)) if refused else kept


def _any(queries: Iterable[Any]) -> Any:
    several = list(queries)
    return NullQuery if not several else several[0] if len(several) == 1 else Or(several)
