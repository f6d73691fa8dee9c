"""`Held`: a change that waits for a person, beside the document as it is. And which documents a person wants so."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict
from memgui.domain.joining import piece_behind
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, comparable
from memgui.domain.pieces import merge_pieces, pieces
from memgui.i18n import _


@dataclass(frozen=True, slots=True)
class Held:
    """At `time` (seconds since 1970) `origin` would have put `data` where the bytes `base` stood (None: nothing)."""

    id: str
    path: DocPath
    base: Fingerprint | None
    data: bytes
    origin: Origin
    time: float
    before: bytes | None = None
    """The bytes whose fingerprint is `base`, where they are known: with them it can be merged into later ones."""
    joint: int = 0
    """It adds at the end, with so many line ends between; 0: it changes something else."""

    @staticmethod
    def of(
        path: DocPath,
        base: Fingerprint | None,
        data: bytes,
        origin: Origin,
        time: float,
        *,
        before: bytes | None = None,
        joint: int = 0,
    ) -> Held:
        """The same change of the same bytes has the same id, whoever asks for it how often."""
        told = b"\0".join([path.encode("utf-8", "surrogateescape"), (base or "").encode(), data])
        id_ = f"held-{hashlib.sha256(told).hexdigest()[:16]}"
        return Held(id_, path, base, data, origin, time, before, joint)

    def over(self, disk: bytes | None) -> bytes:
        """What the change makes of the bytes that stand there now. Conflict where the two do not go together."""
        found = None if disk is None else fingerprint(disk)
        if found == self.base:
            return self.data
        if disk is not None:
            if self.joint:
                added = self.data[len(self.before or b"") :].decode().lstrip("\r\n")
                return disk + piece_behind(disk, added, line_ends=self.joint)
            if self.before is not None:
                merged = merge_pieces(pieces(self.before), pieces(self.data), pieces(disk))
                if not merged.overlaps:
                    return b"".join(merged.lines)
        raise Conflict(
            self.path, expected=self.base, found=found, hint=_("Look at it beside the document as it is now.")
        )


def matches(patterns: Iterable[str], path: DocPath) -> bool:
    """Whether one of the patterns names the document, in whatever case. `*` stays within a name, `**` does not."""
    plain = "/".join(map(comparable, path.split("/")))
    return any(_expression(pattern).fullmatch(plain) for pattern in patterns)


@lru_cache(maxsize=256)
def _expression(pattern: str) -> re.Pattern[str]:
    wanted = pattern.strip().replace("\\", "/").removeprefix("./").lstrip("/")
    if wanted.endswith("/"):
        wanted += "**"
    plain = "/".join(comparable(name) if name != "**" else name for name in wanted.split("/"))
    pieces_ = re.split(r"(\*\*/|\*\*|\*|\?)", plain)
    forms = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(forms.get(piece) or re.escape(piece) for piece in pieces_), re.DOTALL)
