"""Placeholder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memgui.domain.documents import Fingerprint
from memgui.domain.paths import DocPath
from memgui.domain.tree import Node


def replace(
    root: Path,
    path: DocPath,
    data: bytes,
    *,
    expected: Fingerprint | None,
    keep: Callable[[bytes], object],
    announce: Callable[[Fingerprint | None, Fingerprint], object],
) -> Node:
    raise NotImplementedError
