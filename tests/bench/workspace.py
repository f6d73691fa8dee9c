"""A workspace to measure on: ten thousand files of about three kilobytes, the same in every run."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

_ONSETS = [
    "b",
    "br",
    "d",
    "f",
    "g",
    "gr",
    "h",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "pr",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "w",
]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ou", "ü", "é"]
_CODAS = ["", "n", "r", "l", "st", "ck", "m", "nd", "ss"]
_HAN = "港口船锚潮水码头记忆文件计划会议明天今天修理天气"

RARE = "quillwort"
"""A word that stands in one file of a hundred."""

_SIZE = 3_000
_PROJECTS = 60
_IDENTITY = ["AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md", "TOOLS.md"]


def words(count: int = 4_000) -> list[str]:
    """The vocabulary, the commonest word first; as in any language, the common ones are short."""
    dice = random.Random(20_261_130)
    found: dict[str, None] = {}
    while len(found) < count:
        syllables = dice.choices([1, 2, 3], weights=[2, 5, 3])[0]
        parts = (dice.choice(_ONSETS) + dice.choice(_VOWELS) + dice.choice(_CODAS) for _ in range(syllables))
        found["".join(parts)] = None
    return sorted(found, key=len)


def question(number: int) -> str:
    """Three words that seldom stand together, others for each number."""
    vocabulary = [word for word in words() if word.isascii() and len(word) > 4]
    return " ".join(vocabulary[50 + number * 7 : 53 + number * 7])


class _Writer:
    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._words = words()
        # Zipf: the tenth word is a tenth as common as the first.
        self._weights = list(itertools.accumulate(1 / rank for rank in range(1, len(self._words) + 1)))

    def sentence(self) -> str:
        chosen = self._dice.choices(self._words, cum_weights=self._weights, k=self._dice.randint(6, 16))
        if self._dice.random() < 0.02:
            chosen.append("".join(self._dice.choices(_HAN, k=4)))
        if self._dice.random() < 0.05:
            chosen.append(f"POL-{self._dice.randint(1, 999)}")
        return " ".join(chosen).capitalize() + "."

    def text(self, title: str, size: int, *, stamped: bool) -> str:
        lines, length = [f"# {title}", ""], 0
        while length < size:
            kind = self._dice.random()
            if kind < 0.15:
                line = f"\n## {self.sentence()[:40]}\n"
            elif kind < 0.6:
                stamp = f"{self._dice.randint(7, 18):02}:{self._dice.randint(0, 59):02} " if stamped else ""
                line = f"- {stamp}{self.sentence()}"
            else:
                line = f"{self.sentence()} {self.sentence()}\n"
            lines.append(line)
            length += len(line.encode()) + 1
        if self._dice.random() < 0.01:
            lines.append(f"Remember the {RARE}.")
        return "\n".join(lines) + "\n"


def names(count: int) -> Iterator[str]:
    """Paths of `count` documents: identity files, memory, daily logs, and projects in nested folders."""
    fixed = [*_IDENTITY, "HEARTBEAT.md", "MEMORY.md"]
    first = date(2026, 11, 30)
    days = [f"memory/{first - timedelta(days=back)}.md" for back in range(min(1_200, count // 8))]
    project = (
        f"projects/{number % _PROJECTS:02}/{'notes' if number % 3 else 'plans'}/{number:05}.md"
        for number in itertools.count()
    )
    return itertools.islice(itertools.chain(fixed, days, project), count)


def write(root: Path, count: int = 10_000) -> Path:
    """Writes the workspace below `root`, which has to be new or empty."""
    dice = random.Random(count)
    writer = _Writer(dice)
    for name in names(count):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        size = int(dice.lognormvariate(0, 0.4) * _SIZE * 0.92)
        path.write_text(writer.text(path.stem, size, stamped=name.startswith("memory/")), encoding="utf-8", newline="")
    return root


def write_large(path: Path, size: int = 1_000_000) -> Path:
    """Writes one document of about `size` bytes."""
    path.write_text(_Writer(random.Random(size)).text(path.stem, size, stamped=False), encoding="utf-8", newline="")
    return path
