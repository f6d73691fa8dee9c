"""What is told of the meaning of memory: how much of it is known. Light: it knows nothing of models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

FOLDER = "meaning"
"""Where in the cache the vectors lie."""


@dataclass(frozen=True, slots=True)
class MeaningProgress:
    """How many passages have a vector, of how many. `models`: their names; none: nothing can be embedded here.

    `waiting`: another process embeds just now. `working`: this one does. `problems` are sentences.
    """

    covered: int = 0
    passages: int = 0
    models: tuple[str, ...] = ()
    working: bool = False
    waiting: bool = False
    problems: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every passage has its vector."""
        return self.covered >= self.passages


TellMeaning = Callable[[MeaningProgress], None]


def unheard(_progress: MeaningProgress) -> None:
    """For work that nobody watches."""
