"""Retention: which versions of a document are kept no longer. Rules alone; who asks knows what else needs them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from memgui.domain.documents import Fingerprint
from memgui.domain.origin import OriginKind
from memgui.domain.versions import Version

FOLD_SECONDS = 300.0
DAY_SECONDS = 86_400.0


def folded(found: Sequence[Version], deeds: Collection[float]) -> dict[int, float]:
    """The numbers of versions that fold into the next: saves in the window within five minutes, and when those began.

    `deeds`: when something was decided about the document. What stood there then, and what it led to, stays.
    """
    gone = {}
    begun: float | None = None
    for one, after in pairwise(found):
        if one.origin.kind is not OriginKind.YOU or one.hash is None:
            begun = None
            continue
        begun = (one.time if one.begun is None else one.begun) if begun is None else begun
        is_save = after.origin.kind is OriginKind.YOU and after.hash is not None and after.time - begun <= FOLD_SECONDS
        if is_save and not any(one.time <= deed <= after.time for deed in deeds):
            gone[one.number] = begun
        else:
            begun = None
    return gone


def begun_by(found: Sequence[Version], gone: Collection[int]) -> dict[int, float]:
    """When the saves began that fold into each of those that stay, where others go before them."""
    began: dict[int, float] = {}
    for one, after in pairwise(found):
        is_fold = one.origin.kind is after.origin.kind is OriginKind.YOU and one.number in gone
        if is_fold and after.time - one.time <= FOLD_SECONDS:
            began[after.number] = began.get(one.number, one.time if one.begun is None else one.begun)
    return {number: moment for number, moment in began.items() if number not in gone}


def outdated(found: Sequence[Version], before: float) -> frozenset[int]:
    """The numbers of versions that were replaced before a moment: the one that stood there then is not among them."""
    return frozenset(one.number for one, after in pairwise(found) if max(one.time, after.time) < before)


def is_needed(one: Version, newest: Version, referred: Collection[Fingerprint]) -> bool:
    """Whether a version stays whatever its age: the newest, and what something else refers to."""
    return one.number == newest.number or (one.hash is not None and one.hash in referred)


def holds_alone(lines: Collection[bytes], *beside: Collection[bytes]) -> bool:
    """Whether a text has lines that none of its neighbours has."""
    return not all(any(line in others for others in beside) for line in lines)
