"""A document as it was read: its bytes, their hash, and the text in them where they are text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import NewType

from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath
from memgui.domain.text import Editability, Encoding, Text, decode, judge, lossy
from memgui.domain.tree import Node

Fingerprint = NewType("Fingerprint", str)


def fingerprint(data: bytes) -> Fingerprint:
    """The hash (SHA-256, hexadecimal) by which two states of a document are told apart."""
    return Fingerprint(hashlib.sha256(data).hexdigest())


@dataclass(frozen=True, slots=True)
class Document:
    """What stood at `path` when it was read. `text` is None where the bytes are no text in the encoding asked for."""

    path: DocPath
    data: bytes
    fingerprint: Fingerprint
    node: Node
    editability: Editability
    text: Text | None

    @staticmethod
    def of(path: DocPath, data: bytes, node: Node, *, encoding: Encoding | None = None) -> Document:
        """The document in these bytes, read as UTF-8 or in the `encoding` that a person chose."""
        text = decode(data, encoding)
        return Document(path, data, fingerprint(data), node, judge(data, node, encoding=encoding, text=text), text)

    @property
    def display(self) -> Lines:
        """Lines to look at: the text, or the bytes with U+FFFD for what is no UTF-8. Those are never to be saved."""
        return self.text.lines if self.text is not None else lossy(self.data)
