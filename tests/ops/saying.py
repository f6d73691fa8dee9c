"""Models that stand for real ones, and how the tests of meaning bring a workspace up and ask it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memgui.domain.workspace import Workspace
from memgui.ops import finding, sync
from memgui.ops.meaning.embedding import Embedding
from memgui.ops.meaning.progress import MeaningProgress
from memgui.ops.words.progress import rows_of
from memgui.search.meaning.common import _ENGLISH, _OTHERS
from memgui.search.meaning.embedders import Model, Tongue

LIKE = {"vessel": "ship", "boat": "ship", "mend": "repair", "fixed": "repair", "money": "invoice", "bill": "invoice"}
SAYING = Model("saying", Tongue.ALL, floor=0.3, clear=0.7)


class Saying:
    """Stands for a model: words count, and those that mean the same are one."""

    def __init__(self, model: Model = SAYING) -> None:
        self.model = model
        self.given: list[str] = []

    @property
    def seen(self) -> list[str]:
        """The passages that were embedded, beside what tells the model's vectors from each other."""
        return [text for text in self.given if text not in (*_ENGLISH, *_OTHERS)]

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.given += texts
        return np.stack([self.vector(text) for text in texts])

    def query(self, text: str) -> NDArray[np.float32]:
        return self.vector(text)[None, :]

    def vector(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(512, dtype=np.float32)
        for word in text.lower().replace("#", " ").replace(".", " ").split():
            vector[sum(map(ord, LIKE.get(word, word))) * 31 % 512] += 1.0
        return vector / max(float(np.linalg.norm(vector)), 1e-6)


def lay(root: Path) -> Path:
    """Three documents of a harbour."""
    root.mkdir()
    (root / "MEMORY.md").write_text("# Harbour\n\nThe ship needs repair.\n")
    (root / "invoices.md").write_text("# Invoices\n\nThe invoice of November is open.\n")
    (root / "tea.md").write_text("# Tea\n\nGreen leaves, three minutes.\n")
    return root


def bring_up(embedding: Embedding, ws: Workspace) -> MeaningProgress:
    """Hold what is there now, and embed it."""
    assert embedding.refresh(rows_of(ws, sync.look(ws)))
    embedding.work()
    return embedding.progress


def near(ws: Workspace, text: str) -> list[str]:
    """The documents that are near a text in meaning, the nearest first."""
    finder = finding.open(ws)
    try:
        places, _reading = finding.find_places(ws, text, 5, mode=finding.Mode.MEANING, finder=finder)
        return [place.path for place in places]
    finally:
        finder.close()
