"""How passages are shared out among the models that are here, and how a catalogue tells among which they were."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from itertools import combinations

from memgui.search.meaning.embedders import Model, Tongue, shared_out
from memgui.search.meaning.texts import PassageText


def model_for(passage: PassageText, models: Sequence[Model]) -> Model | None:
    """Which model a passage is for: one of its language, and none that only stands in."""
    tongues = (Tongue.ENGLISH if passage.english else Tongue.OTHERS, Tongue.ALL)
    return next((model for model in models if model.tongue in tongues and not model.rough), None)


def rough_of(models: Iterable[Model]) -> str:
    """The name of the model that stands in for the others; empty where there is none."""
    return next((model.name for model in models if model.rough), "")


def mark_of(models: Iterable[Model]) -> int:
    """What tells a catalogue whose passages are shared out among these models from one of others."""
    told = [(model.name, model.tongue.value) for model in models if not model.rough]
    return zlib.crc32(repr(told).encode()) & 0x7FFF_FFFF


def as_marked(mark: int, models: Sequence[Model]) -> tuple[Model, ...]:
    """Those of the models among which a catalogue's passages were shared out; all of them where it cannot be told.

    Whoever wrote it may have found one of them damaged.
    """
    for size in range(len(models), 0, -1):
        for some in combinations(models, size):
            shared = shared_out(some)
            if mark_of(shared) == mark:
                return shared
    return tuple(models)
