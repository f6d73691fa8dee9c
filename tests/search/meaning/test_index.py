"""What the vectors say of a query: who is near, how near exactly, and who is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from memgui.domain.paths import DocPath
from memgui.search.meaning import index, writing
from memgui.search.meaning.catalogue import Catalogue
from memgui.search.meaning.embedders import Model, Tongue
from memgui.search.meaning.index import Asking
from memgui.search.meaning.texts import passage_texts
from memgui.search.meaning.vectors import VectorFile
from memgui.search.segments import Key

KEY = Key(1, 2, 3, 4)
ENGLISH = Model("english", Tongue.ENGLISH, floor=0.2, clear=0.4)
OTHERS = Model("others", Tongue.OTHERS, floor=0.1, clear=0.3)
QUICK = Model("quick", Tongue.ALL, floor=0.3, clear=0.8, across=(0.4, 0.9), rough=True)
ALL = (ENGLISH, OTHERS, QUICK)
_CLOSE = pytest.approx
DIMENSION = 8


def at(cosine: float, axis: int = 1) -> NDArray[np.float32]:
    """A vector so far from the query's, which points along the first axis."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    vector[0], vector[axis] = cosine, (1 - cosine**2) ** 0.5
    return vector


QUERY = at(1.0)[None, :]


class Shelf:
    """A folder of vectors, put there by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.catalogue: Catalogue = writing.open_writer(folder)
        self._texts: dict[str, bytes] = {}

    def hold(self, path: str, text: str) -> None:
        data = f"# {path}\n\n{text}\n".encode()
        self._texts[path] = data
        writing.hold(self.catalogue, DocPath(path), data, KEY, weight=1.0, models=ALL)

    def put(self, model: Model, cosines: dict[str, float]) -> None:
        """Give each of these documents its vector, and the opposite of it, so that they have nothing in common."""
        prints = [self._print(path) for path in cosines]
        vectors = np.stack([at(cosine) for cosine in cosines.values()])
        file = VectorFile(self.folder / f"{model.name}.vectors", model.name)
        first = file.add(np.concatenate([vectors, -vectors]))
        rough = "" if model.rough else QUICK.name
        self.catalogue.put(model.name, [(one, first + number) for number, one in enumerate(prints)], rough=rough)

    def _print(self, path: str) -> bytes:
        return next(one.print_ for one in passage_texts(DocPath(path), self._texts[path]))

    def ask(self, *models: Model, english: bool = True, named: Sequence[str] = ()) -> index.Nearness:
        asking = Asking(self.folder, ALL)
        lines = [(DocPath(path), 0, 3) for path in named]
        found = asking.ask({model.name: QUERY for model in models}, limit=10, named=lines, english=english)
        asking.close()
        return found


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(tmp_path / "meaning")
    for number in range(4):
        made.hold(f"{number}.md", f"This is what the note says of the number {number}.")
        made.hold(f"{number}-de.md", f"Das ist, was die Notiz über die Zahl {number} sagt.")
    yield made
    made.catalogue.close()


def told(found: index.Nearness) -> list[tuple[str, Any]]:
    return [(near.path, near.closeness) for near in found.found]


def test_at_the_floor_closeness_is_nothing_and_where_it_is_clear_one(shelf: Shelf) -> None:
    shelf.put(ENGLISH, {"0.md": 0.6, "1.md": 0.4, "2.md": 0.25, "3.md": 0.15})
    assert told(shelf.ask(ENGLISH)) == [
        ("0.md", _CLOSE(2.0, abs=0.05)),
        ("1.md", _CLOSE(1.0, abs=0.05)),
        ("2.md", _CLOSE(0.25, abs=0.05)),
    ]


def test_what_is_named_is_told_below_the_floor_too_and_nothing_of_what_has_no_vector(shelf: Shelf) -> None:
    shelf.put(ENGLISH, {"0.md": 0.6, "1.md": 0.1})
    found = shelf.ask(ENGLISH, named=["0.md", "1.md", "2.md", "nowhere.md"])
    known: dict[Any, Any] = dict(found.named)
    assert known == {
        (DocPath("0.md"), 0): _CLOSE(2.0, abs=0.05),
        (DocPath("1.md"), 0): _CLOSE(-0.5, abs=0.05),
    }


def test_what_is_typical_is_the_median_of_all(shelf: Shelf) -> None:
    shelf.put(ENGLISH, {"0.md": 0.6, "1.md": 0.4, "2.md": 0.2})
    # With its opposites: -.6, -.4, -.2, .2, .4, .6.
    assert shelf.ask(ENGLISH).typical == _CLOSE(-1.0, abs=0.05)


def test_an_english_question_takes_another_language_only_where_it_is_much_nearer(shelf: Shelf) -> None:
    shelf.put(ENGLISH, {"0.md": 0.4})
    shelf.put(OTHERS, {"0-de.md": 0.3, "1-de.md": 0.4, "2-de.md": 0.15})
    assert told(shelf.ask(ENGLISH, OTHERS)) == [
        ("1-de.md", _CLOSE(1.1, abs=0.05)),
        ("0.md", _CLOSE(1.0, abs=0.05)),
        ("0-de.md", _CLOSE(0.6, abs=0.05)),
    ]


def test_a_question_in_another_language_means_its_own_as_far_as_there_is_any(shelf: Shelf) -> None:
    shelf.put(ENGLISH, {"0.md": 0.9})
    shelf.put(OTHERS, {"0-de.md": 0.2})
    assert told(shelf.ask(ENGLISH, OTHERS, english=False)) == [("0-de.md", _CLOSE(0.5, abs=0.05))]
    assert told(shelf.ask(ENGLISH, english=False)) == [("0.md", _CLOSE(3.5, abs=0.05))]


def test_the_quick_model_speaks_for_what_no_other_has_read_on_a_scale_of_its_own(shelf: Shelf) -> None:
    shelf.put(QUICK, {"0.md": 0.9, "1.md": 0.8, "2.md": 0.25, "0-de.md": 0.9})
    shelf.put(ENGLISH, {"0.md": 0.3})
    found = shelf.ask(*ALL, named=["0.md", "1.md", "2.md", "0-de.md"])
    assert told(found) == [
        ("1.md", _CLOSE(1.0, abs=0.05)),
        ("0-de.md", _CLOSE(0.6, abs=0.05)),
        ("0.md", _CLOSE(0.5, abs=0.05)),
    ]
    assert found.named[DocPath("2.md"), 0] == _CLOSE(-0.1, abs=0.05)
    # What the others know is typical, not what stands in.
    assert found.typical == _CLOSE(-1.0, abs=0.05)


def test_where_the_quick_model_is_all_there_is_it_says_what_is_typical(shelf: Shelf) -> None:
    shelf.put(QUICK, {"0.md": 0.8, "1.md": 0.3})
    assert shelf.ask(*ALL).typical == _CLOSE(-0.6, abs=0.05)


def test_in_another_language_it_stands_in_for_that_languages_model_alone(shelf: Shelf) -> None:
    shelf.put(QUICK, {"0.md": 0.95, "0-de.md": 0.7, "1-de.md": 0.65})
    shelf.put(OTHERS, {"1-de.md": 0.2})
    assert told(shelf.ask(*ALL, english=False)) == [
        ("0-de.md", _CLOSE(0.6, abs=0.05)),
        ("1-de.md", _CLOSE(0.5, abs=0.05)),
    ]


def test_the_vectors_of_another_model_are_no_vectors(shelf: Shelf) -> None:
    shelf.put(ENGLISH, {"0.md": 0.6})
    asking = Asking(shelf.folder, (Model("newer", Tongue.ALL, floor=0.2, clear=0.4),))
    found = asking.ask({"newer": QUERY}, limit=10, named=[(DocPath("0.md"), 0, 3)])
    asking.close()
    assert found == index.Nearness()


def test_a_row_that_is_damaged_is_no_hit(shelf: Shelf) -> None:
    shelf.put(ENGLISH, {"0.md": 0.6, "1.md": 0.5})
    path = shelf.folder / "english.vectors"
    data = bytearray(path.read_bytes())
    data[128 + 8] ^= 0x01
    path.write_bytes(data)
    assert [near.path for near in shelf.ask(ENGLISH).found] == ["1.md"]


def test_one_that_stands_nowhere_any_more_is_no_hit(shelf: Shelf) -> None:
    shelf.put(ENGLISH, {"0.md": 0.6, "1.md": 0.5})
    shelf.catalogue.forget([DocPath("0.md")])
    assert [near.path for near in shelf.ask(ENGLISH).found] == ["1.md"]
