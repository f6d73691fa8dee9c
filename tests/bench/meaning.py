"""How well notes are found by questions in other words: two hundred pairs, a third of them not English.

The pairs were written for this, the note first and then a question that shares few words or none with it; forty
questions have no note at all. The notes stand among the documents of the sample workspace.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from unittest.mock import patch

from memgui.domain.workspace import Workspace
from memgui.ops import finding, indexing, sample, workspace
from memgui.ops.meaning.embedding import Embedding
from memgui.ops.sync import look
from memgui.ops.words.progress import rows_of
from memgui.search.meaning.embedders import Embedder, Model, load
from tests.bench.measure import Row, percentile, tell

PAIRS = Path(__file__).with_name("pairs.tsv")
ABSENT, ENGLISH = "absent", "en"
_SEEN = 10


@dataclass(frozen=True, slots=True)
class Pair:
    """A note, the question that it answers, and their language."""

    language: str
    note: str
    question: str


@dataclass(slots=True)
class Score:
    """Where the right notes came: their ranks from 1, 0 for those not among the first ten; and which were strong."""

    ranks: list[int] = field(default_factory=list)
    strong: list[bool] = field(default_factory=list)

    def recall(self, within: int) -> float:
        return sum(0 < rank <= within for rank in self.ranks) / max(1, len(self.ranks))

    @property
    def mrr(self) -> float:
        return sum(1 / rank for rank in self.ranks if rank) / max(1, len(self.ranks))


def pairs() -> list[Pair]:
    """All of them."""
    lines = PAIRS.read_text(encoding="utf-8").splitlines()
    return [Pair(*line.split("\t")) for line in lines]


def write(root: Path, found: list[Pair]) -> dict[Pair, str]:
    """Lay the notes among the documents of the sample; the path of each."""
    sample.write(root)
    folder = root / "pairs"
    folder.mkdir()
    paths = {}
    for number, pair in enumerate(pair for pair in found if pair.language != ABSENT):
        (folder / f"{number:03}.md").write_text(pair.note + "\n", encoding="utf-8")
        paths[pair] = f"pairs/{number:03}.md"
    return paths


def asked(space: Workspace, found: list[Pair], paths: dict[Pair, str], mode: finding.Mode) -> dict[str, Score]:
    """Every question put, in one way of looking; by language, and `absent`: whether anything strong was answered."""
    scores: dict[str, Score] = {}
    finder = finding.open(space)
    taken = []
    for pair in found:
        begun = perf_counter()
        places, _reading = finding.find_places(space, pair.question, _SEEN, mode=mode, finder=finder)
        taken.append((perf_counter() - begun) * 1000)
        score = scores.setdefault(pair.language, Score())
        if pair.language == ABSENT:
            score.strong.append(any(place.strong for place in places[:5]))
            continue
        ranks = [number for number, place in enumerate(places, 1) if place.path == paths[pair]]
        score.ranks.append(ranks[0] if ranks else 0)
        score.strong.append(bool(ranks) and ranks[0] <= 5 and places[ranks[0] - 1].strong)
    finder.close()
    print(
        f"    {mode.value}: p50 {percentile(taken, 0.5):.0f} ms, p95 {percentile(taken, 0.95):.0f} ms", file=sys.stderr
    )
    return scores


def together(scores: dict[str, Score], languages: set[str]) -> Score:
    """The scores of several languages as one."""
    some = [score for language, score in scores.items() if language in languages]
    return Score(
        [rank for score in some for rank in score.ranks], [strong for score in some for strong in score.strong]
    )


def stand_in(space: Workspace) -> None:
    """Have the quick model read everything, and the others hardly anything yet."""
    loaded: list[str] = []

    def load_it(model: Model) -> Embedder:
        loaded.append(model.name)
        return load(model)

    embedding = Embedding(space.root, space.cache)
    assert embedding.refresh(rows_of(space, look(space)))
    with patch("memgui.ops.meaning.embedding.load", load_it):
        embedding.work(interrupted=lambda: len(loaded) > 1)
    embedding.close()


def quality() -> list[Row]:
    """How often the right note is missed; beside it recall@1, recall@5 and MRR of words, meaning and both."""
    folder = Path(tempfile.mkdtemp(prefix="memgui-pairs-"))
    try:
        root = folder / "workspace"
        found = pairs()
        paths = write(root, found)
        space = workspace.open(root)
        stand_in(space)
        roughly = asked(space, found, paths, finding.Mode.HYBRID)
        indexing.build(space)
        by_mode = {
            mode: asked(space, found, paths, mode)
            for mode in (finding.Mode.WORDS, finding.Mode.MEANING, finding.Mode.HYBRID)
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = []
    languages = {pair.language for pair in found} - {ABSENT}
    sets = {"English": {ENGLISH}, "other languages": languages - {ENGLISH}, **{one: {one} for one in sorted(languages)}}
    goals = {"English": 0.22, "other languages": 0.20}
    for name, chosen in sets.items():
        told = {mode: together(scores, chosen) for mode, scores in by_mode.items()}
        figures = "; ".join(
            f"{mode.value} {score.recall(1):.2f} {score.recall(5):.2f} {score.mrr:.2f}" for mode, score in told.items()
        )
        missed = 1 - told[finding.Mode.HYBRID].recall(5)
        rows.append(Row(f"right note not in the first five, {name}", missed, "", goals.get(name), "", figures))
    for name in ("English", "other languages"):
        score = together(roughly, sets[name])
        figures = f"hybrid {score.recall(1):.2f} {score.recall(5):.2f} {score.mrr:.2f}"
        missed = 1 - score.recall(5)
        rows.append(Row(f"the same while the quick model stands in, {name}", missed, "", None, "", figures))
    strong = roughly[ABSENT].strong
    rows.append(Row("absent topics with a strong answer of the quick model", sum(strong) / len(strong), ""))
    hybrid = by_mode[finding.Mode.HYBRID]
    absent, present = hybrid[ABSENT].strong, together(hybrid, languages).strong
    rows.append(Row("absent topics with a strong answer", sum(absent) / len(absent), "", 0.35))
    rows.append(Row("right answers that are not strong", 1 - sum(present) / len(present), "", 0.50))
    return rows


if __name__ == "__main__":
    tell(quality())
