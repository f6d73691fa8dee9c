"""What is told of the meaning of memory: how much of it is known. Light: it knows nothing of models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memgui.config.settings import Settings

FOLDER = "meaning"
"""Where in the cache the vectors lie."""


@dataclass(frozen=True, slots=True)
class ByModel:
    """Whether the meaning is wanted, and the folder of a model of the person's own, where one is chosen."""

    wanted: bool = True
    folder: Path | None = None

    @staticmethod
    def of(settings: Settings) -> ByModel:
        """As the settings say."""
        return ByModel(settings.search_meaning, Path(settings.search_model) if settings.search_model else None)


AS_IT_CAME = ByModel()
"""With the models that came along."""


@dataclass(frozen=True, slots=True)
class MeaningProgress:
    """How many passages have a vector, of how many. `models`: their names; none: nothing can be embedded here.

    `rough`: so many others are known by a quick model that stands in until their own has read them. `waiting`: another
    process embeds just now. `working`: this one does. `problems` are sentences.
    """

    covered: int = 0
    passages: int = 0
    rough: int = 0
    models: tuple[str, ...] = ()
    working: bool = False
    waiting: bool = False
    problems: tuple[str, ...] = ()

    @property
    def knows_any(self) -> bool:
        """Whether there is anything to be asked."""
        return self.covered > 0 or self.rough > 0

    @property
    def complete(self) -> bool:
        """Whether every passage has its vector."""
        return self.covered >= self.passages


TellMeaning = Callable[[MeaningProgress], None]


def unheard(_progress: MeaningProgress) -> None:
    """For work that nobody watches."""
