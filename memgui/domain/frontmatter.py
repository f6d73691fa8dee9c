"""What stands between the two `---` at the top of a document, read line by line and leniently.

Many real blocks are no valid YAML (`@handle`, `a: b` inside a value, `{{date}}`); they say what they say all the same.
Nothing here writes: the block's bytes belong to the person.
"""

from __future__ import annotations

from dataclasses import dataclass

MAX_CHARACTERS = 64 * 1024
"""A block that has not ended by here is no front matter."""

FACT_TYPES = frozenset({"feedback", "project", "reference", "user"})

_QUOTES = "\"'"


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


def read(text: str) -> FrontMatter | None:
    """The front matter of a text; None where it has none (a leading `---` may be only a rule). Never raises."""
    block = _block(text)
    if block is None:
        return None
    lines, body = block
    top: dict[str, str] = {}
    nested: dict[str, str] = {}
    under = ""
    for line in lines:
        key, colon, value = line.partition(":")
        if not colon:
            continue
        word = key.strip().lower()
        if line[:1] in " \t":
            nested.setdefault(word, _plain(value))
            if under == "metadata":
                nested.setdefault(f"metadata.{word}", _plain(value))
            continue
        under = word
        top.setdefault(word, _plain(value))
        if word == "metadata":
            for inner, text_ in _flow(value):
                nested.setdefault(inner, text_)
                nested.setdefault(f"metadata.{inner}", text_)
    if not top and not nested:
        return None
    return FrontMatter(
        name=top.get("name"),
        description=top.get("description"),
        type=top.get("type", nested.get("type")),
        status=top.get("status", nested.get("metadata.status")),
        body=body,
    )


def read_bytes(data: bytes) -> FrontMatter | None:
    """As `read`, of a document's first bytes, whatever they are."""
    return read(data[: MAX_CHARACTERS * 4].decode("utf-8", "replace"))


def _block(text: str) -> tuple[list[str], int] | None:
    """The lines between the fences, and where the line after the closing one begins."""
    start = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    end = text.find("\n", start)
    if end < 0 or text[start:end].strip() != "---":
        return None
    begin = position = end + 1
    while position < len(text) and position - begin <= MAX_CHARACTERS:
        line_end = text.find("\n", position)
        line_end = len(text) if line_end < 0 else line_end
        if text[position:line_end].rstrip() == "---":
            return text[begin:position].splitlines(), min(line_end + 1, len(text))
        position = line_end + 1
    return None


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
