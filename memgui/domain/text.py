"""Text in bytes and back, byte for byte; and whether a document may be edited as text at all."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from enum import Enum

from memgui.domain.lines import Lines
from memgui.domain.tree import Node, NodeKind

BINARY_HEAD = 8192
HUGE_BYTES = 2_000_000
LONG_LINE = 20_000


class Encoding(Enum):
    """How bytes spell text: the name a person sees, the codec, and the mark at the beginning that is no text."""

    UTF8 = ("UTF-8", "utf-8", b"")
    UTF8_BOM = ("UTF-8 with BOM", "utf-8", codecs.BOM_UTF8)
    UTF16LE = ("UTF-16 LE", "utf-16-le", codecs.BOM_UTF16_LE)
    UTF16BE = ("UTF-16 BE", "utf-16-be", codecs.BOM_UTF16_BE)
    CP1252 = ("Windows-1252", "cp1252", b"")
    LATIN1 = ("ISO 8859-1", "latin-1", b"")
    LATIN9 = ("ISO 8859-15", "iso8859-15", b"")
    LATIN2 = ("ISO 8859-2", "iso8859-2", b"")
    CP1250 = ("Windows-1250", "cp1250", b"")
    CP1251 = ("Windows-1251", "cp1251", b"")
    KOI8_R = ("KOI8-R", "koi8-r", b"")
    GB18030 = ("GB 18030", "gb18030", b"")
    BIG5 = ("Big5", "big5", b"")
    SHIFT_JIS = ("Shift JIS", "shift_jis", b"")
    EUC_JP = ("EUC-JP", "euc_jp", b"")
    EUC_KR = ("EUC-KR", "euc_kr", b"")

    @property
    def shown(self) -> str:
        return self.value[0]

    @property
    def codec(self) -> str:
        return self.value[1]

    @property
    def mark(self) -> bytes:
        return self.value[2]


class Editability(Enum):
    """Whether a document may be edited, and if not, why."""

    EDITABLE = "editable"
    BINARY = "binary"
    NOT_UTF8 = "not UTF-8"
    HUGE = "huge"
    LONG_LINE = "a very long line"
    LINK_OUT = "a link out of the workspace"
    GENERATED = "generated"
    UNREADABLE = "unreadable"

    @property
    def can_be_forced(self) -> bool:
        """Whether "Edit anyway" may open it."""
        return self in (Editability.HUGE, Editability.LONG_LINE)


@dataclass(frozen=True, slots=True)
class Text:
    """Lines and the encoding they came in: `encode` is the exact inverse of `decode`."""

    lines: Lines
    encoding: Encoding

    def encode(self) -> bytes:
        """The bytes. A character that the encoding cannot spell raises UnicodeEncodeError."""
        return self.encoding.mark + self.lines.joined().encode(self.encoding.codec)


def decode(data: bytes, encoding: Encoding | None = None) -> Text | None:
    """The text in `data`, None where encoding it again would not give the same bytes. Default: UTF-8, marked or not."""
    if encoding is None or encoding in (Encoding.UTF8, Encoding.UTF8_BOM):
        encoding = Encoding.UTF8_BOM if data.startswith(codecs.BOM_UTF8) else Encoding.UTF8
    if not data.startswith(encoding.mark):
        return None
    body = data.removeprefix(encoding.mark)
    try:
        text = body.decode(encoding.codec)
        # Of UTF-8 Python reads only what it writes; other codecs know several spellings of one character.
        if encoding.codec != "utf-8" and text.encode(encoding.codec) != body:
            return None
    except UnicodeError:
        return None
    return Text(Lines.split(text), encoding)


def candidates(data: bytes) -> tuple[Encoding, ...]:
    """The encodings in which these bytes can be reopened and edited without loss, the likelier first."""
    return tuple(
        encoding for encoding in Encoding if encoding is not Encoding.UTF8_BOM and decode(data, encoding) is not None
    )


def lossy(data: bytes) -> Lines:
    """The bytes as UTF-8, with U+FFFD for what is not: to look at, never to save."""
    return Lines.split(data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace"))


def judge(data: bytes, node: Node, *, encoding: Encoding | None = None, text: Text | None = None) -> Editability:
    """Whether these bytes may be edited as text. `text`, where already decoded, saves the work."""
    if node.kind is NodeKind.LINK_OUT:
        return Editability.LINK_OUT
    if not node.kind.has_bytes:
        return Editability.UNREADABLE
    if b"\0" in data[:BINARY_HEAD]:
        return Editability.BINARY
    found = text if text is not None else decode(data, encoding)
    if found is None:
        return Editability.NOT_UTF8
    if len(data) > HUGE_BYTES:
        return Editability.HUGE
    if max(map(len, found.lines.texts)) > LONG_LINE:
        return Editability.LONG_LINE
    return Editability.EDITABLE
