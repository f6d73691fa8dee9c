"""`Version`: one state that a document has been in, as far as memgui has seen it."""

from __future__ import annotations

from dataclasses import dataclass

from memgui.domain.documents import Fingerprint
from memgui.domain.origin import Origin


@dataclass(frozen=True, slots=True)
class Version:
    """The bytes with this hash stood there from `time` (seconds since 1970) on; None: the document was deleted.

    Numbers count from 1, the first bytes seen, and never change; the newest is the document as it is.
    """

    number: int
    hash: Fingerprint | None
    time: float
    origin: Origin
    size: int
    row: int = 0
    """The youngest row of the journal that has named a writer up to here; no older one names another."""
    is_forgotten: bool = False
    """A person wanted its bytes forgotten: they are gone, and only this is left to say that it was."""
    settles: bool = True
    """A person wrote it as text of their own. Not so: by it they decided on what others wrote, which may pend on."""
    begun: float | None = None
    """When the first of those saves was made that were folded into this one."""
