"""A folder to write in, and a desk that writes there as the ops do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.paths import DocPath
from memgui.domain.tree import Node
from memgui.storage import files
from memgui.storage.kept import KeptCopies


@dataclass
class Desk:
    """Writes by compare and replace, and remembers what was announced."""

    root: Path
    copies: KeptCopies
    announced: list[tuple[Fingerprint | None, Fingerprint]] = field(default_factory=list)

    def write(self, path: str, data: bytes, before: bytes | None) -> Node:
        return files.replace(
            self.root,
            DocPath(path),
            data,
            expected=None if before is None else fingerprint(before),
            keep=self.copies.put,
            announce=lambda *prints: self.announced.append(prints),
        )

    def names(self) -> set[str]:
        return {path.name for path in self.root.rglob("*")}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def desk(root: Path, tmp_path: Path) -> Desk:
    return Desk(root, KeptCopies(tmp_path / "kept"))
