"""What stands between the two `---` at the top of a document, read line by line and leniently.

Many real blocks are no valid YAML (`@handle`, `a: b` inside a value, `{{date}}`); they say what they say all the same.
An edit of one key changes that line alone: the block's bytes belong to the person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_CHARACTERS = 64 * 1024
"""A block that has not ended by here is no front matter."""

FACT_TYPES = frozenset({"feedback", "project", "reference", "user"})

_QUOTES = "\"'"
_BREAK = re.compile(r"\r\n|\n|\r")
_TOP = {
    "name": ("name",),
    "description": ("description",),
    "type": ("type", "*.type"),
    "status": ("status", "metadata.status"),
}
_AFTER = {"status": "metadata", "description": "name", "type": "description"}
"""Behind which key a missing one is put; where that is missing too, at the end."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The keys that memgui knows, as written (quotes dropped), None where absent. `body`: where the text begins."""

    name: str | None = None
    description: str | None = None
    type: str | None = None
    status: str | None = None
    body: int = 0

    @property
    def fact_type(self) -> str | None:
        """The type in lower case where it is one that a fact can have."""
        kind = (self.type or "").lower()
        return kind if kind in FACT_TYPES else None


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a block: from `start` to `end` (its break not counted), and behind the break at `next`."""

    start: int
    end: int
    next: int
    text: str
    under: str
    """The key at the top that it belongs to; `""` where it is one itself."""

    @property
    def key(self) -> str:
        word, colon, _value = self.text.partition(":")
        return word.strip().lower() if colon else ""

    @property
    def value(self) -> str:
        return _plain(self.text.partition(":")[2])

    def answers(self, wanted: str) -> bool:
        """Whether it holds `status`, `metadata.status`, or, for `*.type`, a type under whatever key."""
        folder, _dot, key = wanted.rpartition(".")
        return key == self.key and (bool(self.under) if folder == "*" else self.under == folder)


def read(text: str) -> FrontMatter | None:
    """The front matter of a text; None where it has none (a leading `---` may be only a rule). Never raises."""
    block = _block(text)
    if block is None:
        return None
    lines, _closing, body = block
    if not any(line.key for line in lines):
        return None
    return FrontMatter(**{key: _value(lines, key) for key in _TOP}, body=body)


def read_bytes(data: bytes) -> FrontMatter | None:
    """As `read`, of a document's first bytes, whatever they are."""
    return read(data[: MAX_CHARACTERS * 4].decode("utf-8", "replace"))


def is_unclosed(text: str) -> bool:
    """Whether a text begins like a block with keys whose closing `---` never comes."""
    if _block(text) is not None:
        return False
    start = _beginning(text)
    opening, *following = _BREAK.split(text[start : start + MAX_CHARACTERS], maxsplit=2)
    return opening.rstrip() == "---" and bool(following) and re.match(r"[\w-]+:(?:\s|$)", following[0]) is not None


def with_value(text: str, key: str, value: str) -> str:
    """The text with another value for a key, where the reader finds it; a missing key gets a line of its own.

    No other line changes. ValueError where the text has no front matter.
    """
    block = _block(text)
    if block is None:
        raise ValueError(key)
    lines, closing, _body = block
    for wanted in _TOP[key]:
        for line in lines:
            if line.answers(wanted):
                head = line.text.partition(":")[0]
                return f"{text[: line.start]}{head}: {value}{text[line.end :]}"
        if wanted == key and _from_flow(lines, key) is not None:
            break
    at = closing
    for i, line in enumerate(lines):
        if not line.under and line.key == _AFTER.get(key):
            behind = [one for one in lines[i + 1 :] if not one.under]
            at = behind[0].start if behind else closing
            break
    ending = _BREAK.search(text, _beginning(text))
    return f"{text[:at]}{key}: {value}{ending[0] if ending else chr(10)}{text[at:]}"


def _value(lines: list[_Line], key: str) -> str | None:
    top, *nested = _TOP[key]
    for line in lines:
        if line.answers(top):
            return line.value
    for wanted in nested:
        for line in lines:
            if line.answers(wanted):
                return line.value
    return _from_flow(lines, key) if nested else None


def _from_flow(lines: list[_Line], key: str) -> str | None:
    """The value of a key in `metadata: {"type": "feedback", …}`."""
    for line in lines:
        if line.answers("metadata"):
            return dict(reversed(_flow(line.text.partition(":")[2]))).get(key)
    return None


def _beginning(text: str) -> int:
    return len(text) - len(text.lstrip("\ufeff \t\r\n"))


def _block(text: str) -> tuple[list[_Line], int, int] | None:
    """The lines between the fences, where the closing one begins, and where the line after it does."""
    start = _beginning(text)
    opening = _BREAK.search(text, start)
    if opening is None or text[start : opening.start()].strip() != "---":
        return None
    found: list[tuple[int, int, int]] = []
    for begin, end, following in _lines(text, opening.end()):
        if begin - opening.end() > MAX_CHARACTERS:
            return None
        if text[begin:end].rstrip() == "---":
            return list(_placed(text, found)), begin, following
        found.append((begin, end, following))
    return None


def _lines(text: str, begin: int) -> Iterator[tuple[int, int, int]]:
    while begin < len(text):
        ending = _BREAK.search(text, begin)
        end, following = (ending.start(), ending.end()) if ending else (len(text), len(text))
        yield begin, end, following
        begin = following


def _placed(text: str, spans: list[tuple[int, int, int]]) -> Iterator[_Line]:
    under = ""
    for begin, end, following in spans:
        line = text[begin:end]
        if line[:1] in (" ", "\t"):
            # Indented below no key at all, it belongs to none: it is not at the top.
            yield _Line(begin, end, following, line, under or "?")
            continue
        made = _Line(begin, end, following, line, "")
        under = made.key or under
        yield made


def _plain(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] in _QUOTES and value[-1] == value[0]:
        return value[1:-1]
    return value


def _flow(value: str) -> list[tuple[str, str]]:
    """The pairs of a value written as `{"type": "feedback", …}`."""
    value = value.strip()
    if not (value.startswith("{") and value.endswith("}")):
        return []
    pairs = (piece.partition(":") for piece in value[1:-1].split(","))
    return [(_plain(key).lower(), _plain(inner)) for key, colon, inner in pairs if colon]
