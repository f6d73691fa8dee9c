"""Words and meaning together at full size: the time of an answer, and the memory of a window with its helper.

The passages of ten thousand files would take a model half an hour. Their vectors are made by chance here: what a
question costs is the same. The questions go through the real models.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from memgui.domain.workspace import Workspace
from memgui.ops import finding, workspace
from memgui.ops.finder import Finder
from memgui.ops.meaning.progress import FOLDER
from memgui.ops.sync import look
from memgui.ops.words.progress import rows_of
from memgui.ops.words.service import Words
from memgui.search.meaning import writing
from memgui.search.meaning.catalogue import Catalogue
from memgui.search.meaning.embedders import models
from memgui.search.meaning.sharing import model_for
from memgui.search.meaning.texts import passage_texts
from memgui.search.meaning.vectors import VectorFile
from memgui.search.ranking import weight_of
from tests.bench.measure import Row, percentile, spread, tell
from tests.bench.workspace import question

_DIMENSION = 384
_ASKED = 40


def fill(space: Workspace) -> int:
    """Give every passage of the workspace a vector by chance; how many there are."""
    dice = np.random.default_rng(7)
    folder, chosen = space.cache / FOLDER, models()
    catalogue: Catalogue = writing.open_writer(folder)
    covered, passages = catalogue.coverage()
    if passages and covered == passages:
        # Another bench of the same run was here.
        catalogue.close()
        return passages
    prints: dict[str, dict[bytes, None]] = {model.name: {} for model in chosen}
    for path, key in rows_of(space, look(space)).items():
        data = (space.root / path).read_bytes()
        writing.hold(catalogue, path, data, key, weight=weight_of(path, key.mtime_ns), models=chosen)
        for passage in passage_texts(path, data):
            model = model_for(passage, chosen)
            if model is not None:
                prints[model.name][passage.print_] = None
    for name, some in prints.items():
        if some:
            rows = dice.normal(size=(len(some), _DIMENSION)).astype(np.float32)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            first = VectorFile(folder / f"{name}.vectors", name).add(rows)
            catalogue.put(name, [(print_, first + number) for number, print_ in enumerate(some)])
    _covered, passages = catalogue.coverage()
    catalogue.close()
    return passages


def prepare(space: Workspace) -> int:
    """Have the words indexed and every passage embedded; how many passages there are."""
    passages = fill(space)
    built = Words(space, helped=False)
    built.bring_up_to_date(look(space))
    built.close()
    return passages


def answers(root: Path) -> list[Row]:
    """One question after the other, by a finder that stays, as a server has it."""
    space = workspace.open(root)
    # By another process: what that takes is no part of what answers take.
    subprocess.run([sys.executable, "-m", "tests.bench.hybrid", str(root), "--prepare"], check=True)
    passages = fill(space)
    finder: Finder = finding.open(space)
    taken = []
    for asked in map(question, range(_ASKED)):
        begun = perf_counter()
        finding.memory_search(space, asked, finder=finder)
        taken.append((perf_counter() - begun) * 1000)
    warm = taken[3:]
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    finder.close()
    note = f"{spread(warm)} ms; first {taken[0]:.0f} ms; {passages:,} passages"
    return [
        Row("hybrid answer, p95", percentile(warm, 0.95), "ms", 120.0, "", note),
        Row("memory of a process that answered", resident, "MB"),
    ]


if __name__ == "__main__":
    if sys.argv[2:] == ["--prepare"]:
        prepare(workspace.open(Path(sys.argv[1])))
    else:
        tell(answers(Path(sys.argv[1])))
