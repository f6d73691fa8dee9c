"""The one tree of errors. Raised below, rendered once per face: a sentence, what was kept, and what to do (`hint`)."""

from __future__ import annotations

from typing import ClassVar


class MemguiError(Exception):
    """Expected trouble. `code` is the public name a face prints, `message` one sentence; `hint` says what to do."""

    code: ClassVar[str] = "ExecutionFailed"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def sentences(self) -> str:
        """What happened and what to do, as a person reads it in one line."""
        return self.message if self.hint is None else f"{self.message} {self.hint}"


class InvalidParameters(MemguiError):
    """What was asked for does not fit the rules (a bad path, an empty query)."""

    code = "InvalidParameters"


class NotAuthorized(MemguiError):
    """Asked for by somebody who may not."""

    code = "NotAuthorized"


class ProtectedDocument(NotAuthorized):
    """A write to an identity file that the person has not unlocked."""

    def __init__(self, path: str, *, hint: str | None = None) -> None:
        message = f"writing to '{_printable(path)}' is not allowed (identity file protected from tool access)"
        super().__init__(message, hint=hint)
        self.path = path


class RateLimited(MemguiError):
    """Too many calls in the window of time; `retry_after` is in whole seconds."""

    code = "RateLimited"

    def __init__(self, message: str, *, retry_after: int, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class ExecutionFailed(MemguiError):
    """Allowed and well-formed, but it could not be done."""


class NotFound(ExecutionFailed):
    """No such document, folder or workspace."""


class ReadFailed(ExecutionFailed):
    """The disk would not give the bytes. `errno` is the system's number where there is one."""

    def __init__(self, message: str, *, errno: int | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.errno = errno


class WriteFailed(ExecutionFailed):
    """The disk would not take the bytes (full, read-only, no permission). The document on disk is as it was before."""

    def __init__(self, message: str, *, errno: int | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.errno = errno


class NotEditable(ExecutionFailed):
    """The document can be shown but not edited as text (binary, not UTF-8, a link out of the workspace)."""


class Conflict(MemguiError):
    """The bytes on disk are not those the writer saw; nothing was touched. `found`: the hash on disk, None: gone."""

    code = "Conflict"

    def __init__(self, path: str, *, expected: str | None, found: str | None, hint: str | None = None) -> None:
        super().__init__(f"'{_printable(path)}' changed on disk since it was read; nothing was written", hint=hint)
        self.path = path
        self.expected = expected
        self.found = found


def _printable(path: str) -> str:
    """A path as a sentence can hold it, whatever its bytes are."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in path)
