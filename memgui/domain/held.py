"""`Held`: a change that waits for a person, beside the document as it is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from memgui.domain.documents import Fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath


@dataclass(frozen=True, slots=True)
class Held:
    """At `time` (seconds since 1970) `origin` would have put `data` where the bytes `base` stood (None: nothing)."""

    id: str
    path: DocPath
    base: Fingerprint | None
    data: bytes
    origin: Origin
    time: float

    @staticmethod
    def of(path: DocPath, base: Fingerprint | None, data: bytes, origin: Origin, time: float) -> Held:
        """The same change of the same bytes has the same id, whoever asks for it how often."""
        told = b"\0".join([path.encode("utf-8", "surrogateescape"), (base or "").encode(), data])
        return Held(f"held-{hashlib.sha256(told).hexdigest()[:16]}", path, base, data, origin, time)
