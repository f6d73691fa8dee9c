"""What a search answers with: places in documents, by file, best first; and how much of the workspace was looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from memgui.domain.paths import DocPath

_DOCUMENT_IDS = "5f6a2f6e-3c55-4d0c-9a53-7d0f2b6d9a10"


class HitGroup(Enum):
    """How a hit was found, in the words that views and tools use."""

    LITERAL = "literal"
    WORDS = "words"
    MEANING = "meaning"
    HISTORY = "history"


class Reading(Enum):
    """How a query was read: as one text, or as words that a file must hold all or any of."""

    WHOLE = "whole"
    ALL = "all"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One place. `content` is the line as it stands (cut around the match where very long); `marks` are spans in it."""

    path: DocPath
    line: int
    """Counted from 1."""
    content: str
    marks: tuple[tuple[int, int], ...]
    score: float
    group: HitGroup = HitGroup.LITERAL
    column: int = 0
    """Where the first match begins in the whole line, in characters from 0."""
    version: int = 0
    """Of a text that stands nowhere now: the version of the document that held it."""
    in_name: bool = False
    """The file's name holds the query; `content` is then its path, and `line` is 1."""

    @property
    def places(self) -> int:
        """How many of the counted places are shown by this line; a name counts once."""
        return 1 if self.in_name else max(1, len(self.marks))


@dataclass(frozen=True, slots=True)
class FileHits:
    """The places of one file, in line order. `total` counts those not shown too."""

    path: DocPath
    hits: tuple[SearchHit, ...]
    total: int
    score: float

    @property
    def more(self) -> int:
        """How many places are not shown."""
        return max(0, self.total - sum(hit.places for hit in self.hits))


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the workspace's files the search knows the text of."""

    done: int = 0
    total: int = 0

    @property
    def complete(self) -> bool:
        return self.done >= self.total


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to one query: files best first. The totals count everything, `files` holds what is shown of it."""

    query: str
    files: tuple[FileHits, ...] = ()
    total_hits: int = 0
    total_files: int = 0
    reading: Reading = Reading.WHOLE
    coverage: Coverage = field(default_factory=Coverage)
    stopped: bool = False
    """Somebody asked it to stop: what is here is right, but not all."""
    counted: bool = True
    """Whether the totals are whole numbers, and not the least there can be; rows shown early do not wait for them."""
    by_words: tuple[FileHits, ...] = ()
    """What the index of words adds, best first; these are in no total."""
    words_reading: Reading | None = None
    """Whether those hold all of the words or some; None where no index could say."""
    by_meaning: tuple[FileHits, ...] = ()
    """What says the like in other words, best first; these are in no total."""
    clear: bool = True
    """Whether the nearest of those clearly means what was asked, where nothing else was found."""
    by_history: tuple[FileHits, ...] = ()
    """What stood in earlier versions and stands nowhere now, the latest first; only where it was asked for."""
    history_whole: bool = True
    """Whether all versions were looked through."""
    left_out: tuple[DocPath, ...] = ()
    """Files whose text is not searched, because all texts together would take too much memory."""

    @property
    def hits(self) -> tuple[SearchHit, ...]:
        """The places counted that are shown, in the order of the files."""
        return tuple(hit for file in self.files for hit in file.hits)

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was found."""
        return not (self.files or self.by_words or self.by_meaning or self.by_history)

    @property
    def complete(self) -> bool:
        """Whether nothing can be missing from the totals."""
        return self.coverage.complete and self.counted and not self.stopped and not self.left_out

    @property
    def more_hits(self) -> int:
        return max(0, self.total_hits - sum(hit.places for hit in self.hits))

    @property
    def more_files(self) -> int:
        return max(0, self.total_files - len(self.files))


def document_id(workspace: str, path: DocPath) -> str:
    """The id by which tools name a document: the same for the same workspace (its real path) and path."""
    name = f"{workspace}\0{path}".encode("utf-8", "surrogateescape")
    # Of all who search, only tools ask for ids.
    import uuid

    return str(uuid.uuid5(uuid.UUID(_DOCUMENT_IDS), name.decode("latin-1")))
