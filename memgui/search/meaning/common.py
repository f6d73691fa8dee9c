"""What a model's vectors have in common whatever a text says, told from sentences about nothing in particular.

Where a workspace has few passages, their own mean would be the passages themselves; these stand in for it.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from memgui.search.meaning.embedders import Embedder, Tongue

if TYPE_CHECKING:
    from memgui.search.meaning.embedders import Vectors

_ENGLISH = (
    "The bridge was painted green last summer.",
    "Please bring two chairs to the meeting room.",
    "She learned to play the violin when she was six.",
    "The function returns the number of open files.",
    "Rain is expected in the north on Thursday.",
    "Our neighbours sold their house and moved away.",
    "Press the button twice to switch off the lamp.",
    "The committee rejected the second proposal.",
    "He forgot his umbrella on the bus again.",
    "A new version will be available next month.",
    "The soup tastes better with a little salt.",
    "Prices rose by three percent over the year.",
    "The report describes the results of the survey.",
    "Turn left after the church, then go straight on.",
    "They agreed to share the cost equally.",
    "The museum is closed on public holidays.",
)
_OTHERS = (
    "Die Brücke wurde im letzten Sommer grün gestrichen.",
    "Für Donnerstag wird im Norden Regen erwartet.",
    "Drücken Sie zweimal auf den Knopf, um das Licht auszuschalten.",
    "Elle a appris à jouer du violon à six ans.",
    "Le musée est fermé les jours fériés.",
    "Los vecinos vendieron su casa y se mudaron.",
    "La sopa sabe mejor con un poco de sal.",
    "I prezzi sono aumentati del tre per cento.",
    "Ela esqueceu o guarda-chuva no ônibus.",
    "Комитет отклонил второе предложение.",
    "Новая версия выйдет в следующем месяце.",
    "Raport opisuje wyniki badania.",
    "请把两把椅子搬到会议室。",
    "这个函数返回打开文件的数量。",
    "教会の先を左に曲がって、まっすぐ進んでください。",
    "費用は全員で等しく分けることにした。",
    "박물관은 공휴일에 문을 닫습니다.",
    "가격이 일 년 동안 조금 올랐다.",
    "اتفقوا على تقاسم التكاليف بالتساوي.",
    "Köprü geçen yaz yeşile boyandı.",
)


_SUM = 4


def common_of(embedder: Embedder) -> Vectors:
    """The mean of vectors about nothing in particular."""
    texts = {Tongue.ENGLISH: _ENGLISH, Tongue.OTHERS: _OTHERS, Tongue.ALL: (*_ENGLISH, *_OTHERS)}
    mean: Vectors = embedder.passages(texts[embedder.model.tongue]).mean(axis=0)
    return mean


def keep_common(path: Path, common: Vectors) -> None:
    """Keep it beside the vectors: whole, or not at all."""
    data = common.astype("<f4").tobytes()
    fresh = path.with_suffix(".common-new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data + _sum(data))
    os.replace(fresh, path)


def kept_common(path: Path, dimension: int) -> Vectors:
    """What was kept; nothing in common where nothing was, or not this much, or it is damaged."""
    import numpy as np

    data = _kept(path)
    return np.frombuffer(data, dtype="<f4") if len(data) == 4 * dimension else np.zeros(dimension, dtype=np.float32)


def is_kept(path: Path) -> bool:
    """Whether it is there, as it was written."""
    return bool(_kept(path))


def _kept(path: Path) -> bytes:
    try:
        told = path.read_bytes()
    except OSError:
        return b""
    data = told[:-_SUM]
    return data if _sum(data) == told[-_SUM:] else b""


def _sum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(_SUM, "little")
