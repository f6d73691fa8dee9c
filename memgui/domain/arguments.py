"""What a tool's caller hands over as text: checked before it can reach a document."""

from __future__ import annotations

from memgui.domain.errors import InvalidParameters
from memgui.i18n import _


def text(name: str, value: object) -> str:
    """The value, if it is text that a document can hold. InvalidParameters otherwise, with the argument's name."""
    if not isinstance(value, str):
        raise InvalidParameters(_("{name} must be a text").format(name=name))
    if "\0" in value:
        # It would make the document binary to every reader.
        raise InvalidParameters(_("{name} cannot hold the character NUL").format(name=name))
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidParameters(_("{name} holds characters that UTF-8 cannot spell").format(name=name)) from None
    return value
