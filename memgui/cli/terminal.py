"""What is printed: always UTF-8, coloured and escaped on a terminal only, one JSON value where that is asked for."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass
from typing import Any, TextIO

from memgui.domain.errors import MemguiError, RateLimited

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f\ud800-\udfff]"
)
"""Controls (but tab and line feed), what turns the direction of text, and what hides text."""

_STYLES = {"path": "1;35", "line": "32", "mark": "1;31", "muted": "2", "folder": "1;34", "error": "1;31"}


def escaped(text: str) -> str:
    r"""The text with every character that could deceive a reader of a terminal written out, as `\x1b` or `\u202e`."""
    return _UNSAFE.sub(_written_out, text.replace("\r\n", "\n"))


def _written_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class ReaderGone(Exception):
    """Nobody reads the answer any more. Not an `OSError`: the parser would take that for a failure and exit 1."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where the answer goes, and in which form: `as_json`, `raw` (nothing escaped)."""

    as_json: bool = False
    raw: bool = False

    @property
    def is_screen(self) -> bool:
        """Whether a person looks at it."""
        return sys.stdout.isatty()

    @property
    def colours(self) -> bool:
        return self.is_screen and _wants_colour()

    def safe(self, text: str) -> str:
        """Text from a workspace, as it may be printed here."""
        return escaped(text) if self.is_screen and not self.raw else text

    def styled(self, text: str, style: str) -> str:
        """The text in a colour, where there is colour."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colours and text else text

    def print(self, text: str) -> None:
        """A line, or lines, of text that is already safe."""
        self.write((text + "\n").encode("utf-8", "surrogateescape"))

    def write(self, data: bytes) -> None:
        """Bytes as they are. Raises `ReaderGone` where whoever read the answer has stopped."""
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError as error:
            raise ReaderGone from error

    def print_json(self, value: Any) -> None:
        """The one JSON value of this run."""
        text = json.dumps(value, ensure_ascii=False, indent=2 if self.is_screen else None)
        if self.is_screen and not self.raw:
            text = _UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1], text)
        # A name that is no UTF-8 holds lone surrogates; written out with a backslash they are valid in a JSON string.
        self.write((text + "\n").encode("utf-8", "backslashreplace"))


def note(text: str) -> None:
    """A sentence beside the answer, on stderr."""
    _print_error(escaped(text) if sys.stderr.isatty() else text)


def draw(text: str) -> None:
    """One line on stderr in the place of the last one drawn; an empty one takes it away."""
    sys.stderr.buffer.write(f"\r\x1b[K{text}".encode())
    sys.stderr.buffer.flush()


def fail(message: str, hint: str | None) -> None:
    """One sentence that says what went wrong, and a hint where there is one."""
    screen = sys.stderr.isatty()
    sign = "\x1b[1;31mmemgui:\x1b[0m" if screen and _wants_colour() else "memgui:"
    _print_error(f"{sign} {escaped(message) if screen else message}")
    if hint:
        _print_error(escaped(hint) if screen else hint)


def error_value(error: MemguiError) -> dict[str, Any]:
    """An error in the form that programs are given."""
    value: dict[str, Any] = {"code": error.code, "message": error.message, "hint": error.hint}
    if isinstance(error, RateLimited):
        value["retry_after"] = error.retry_after
    return {"error": value}


def _print_error(text: str, stream: TextIO | None = None) -> None:
    stream = stream or sys.stderr
    stream.flush()
    stream.buffer.write((text + "\n").encode("utf-8", "surrogateescape"))
    stream.buffer.flush()


def _wants_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
