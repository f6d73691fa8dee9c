"""What the window asks of the disk and is answered: a save, its result, and text that was never saved."""

from __future__ import annotations

from dataclasses import dataclass

from memgui.domain.documents import Fingerprint
from memgui.domain.paths import DocPath
from memgui.domain.text import Encoding
from memgui.domain.tree import Node


@dataclass(frozen=True, slots=True)
class SaveRequest:
    """Put `data` where the bytes `expected` stand (None: where nothing does). `unlocked`: protected, but unlocked."""

    path: DocPath
    data: bytes
    expected: Fingerprint | None
    unlocked: bool = False
    ticket: int = 0


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The bytes with this fingerprint were read back from the disk."""

    path: DocPath
    fingerprint: Fingerprint
    node: Node
    ticket: int = 0


@dataclass(frozen=True, slots=True)
class Unsaved:
    """Text that was typed and not saved. `base` is the hash of the bytes it was typed over (None: there was no file),
    `base_data` those bytes where they are at hand. `time` is in seconds since 1970, `caret` counts characters.
    `encoding` is how `data` spells the text; None: as UTF-8, with or without a mark. `others`: how many more texts of
    the same document were found, and are among the kept copies. `beside`: what was being made of this text and the
    disk's while the two were in conflict, as UTF-8; None: nothing."""

    path: DocPath
    base: Fingerprint | None
    data: bytes
    time: float
    caret: int = 0
    base_data: bytes | None = None
    encoding: Encoding | None = None
    others: int = 0
    beside: bytes | None = None
