"""What a tool's caller hands over as text: checked before it can reach a document."""

from __future__ import annotations

from memgui.domain.errors import InvalidParameters
from memgui.i18n import _

MOST_BYTES = 1_000_000
"""No text that a tool is given is longer: what is, was not written to be remembered."""


def text(name: str, value: object) -> str:
    """The value, if it is text that a document can hold. InvalidParameters otherwise, with the argument's name."""
    if not isinstance(value, str):
        raise InvalidParameters(_("{name} must be a text").format(name=name))
    if "\0" in value:
        # It would make the document binary to every reader.
        raise InvalidParameters(_("{name} cannot hold the character NUL").format(name=name))
    return fitting(name, value)


def fitting(name: str, value: str) -> str:
    """The text, if UTF-8 can spell it in so many bytes. InvalidParameters otherwise."""
    try:
        length = len(value.encode())
    except UnicodeEncodeError:
        raise InvalidParameters(_("{name} holds characters that UTF-8 cannot spell").format(name=name)) from None
    if length > MOST_BYTES:
        raise InvalidParameters(
            _("{name} is too long: it has {length:,} bytes, and {most:,} are the most").format(
                name=name, length=length, most=MOST_BYTES
            ),
            hint=_("Write less at once, and only what should be known later."),
        )
    return value
