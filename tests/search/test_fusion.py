"""Words and meaning in one order: exactly these places, in this order, with these scores."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from memgui.domain import wishes
from memgui.domain.hits import Reading
from memgui.domain.passages import Passage, Place
from memgui.domain.paths import DocPath
from memgui.search.literal import LiteralIndex, Text
from memgui.search.meaning.index import Lines, Near, Nearness
from memgui.search.meaning.texts import passage_texts
from memgui.search.places import only_near, places
from memgui.search.ranking import Read
from memgui.search.segments import Key
from memgui.search.words.answering import Found

KEY = Key(1, 2, 3, 4)
QUERY = "crane rope harbour"


@dataclass(slots=True)
class Memory:
    """Documents, and what the words and the vectors are made to say of them."""

    texts: Mapping[str, str]
    words: Sequence[tuple[str, int, float, float]] = ()
    """Document, first line, BM25, how much of the query is covered."""
    near: Sequence[tuple[str, int, float]] = ()
    """Document, first line, closeness; those below the floor are only known where they are named."""
    typical: float = 0.0
    as_of: Key = KEY
    """The state of the documents that the vectors tell of."""
    named: list[Lines] = field(default_factory=list)
    has_vectors: bool = True

    def read(self, path: DocPath) -> tuple[bytes, Key] | None:
        return (self.texts[path].encode(), KEY) if path in self.texts else None

    def passage(self, path: str, first: int) -> Passage:
        """The passage that begins there."""
        found = passage_texts(DocPath(path), self.texts[path].encode())
        return next(Passage(one.first, one.end) for one in found if one.first == first)

    def by_words(self, read: Read, before_any: Callable[[], bool]) -> tuple[list[Found], Reading, wishes.Wish]:
        found = [
            Found(DocPath(path), self.passage(path, first), self.texts[path].split("\n"), score, covered)
            for path, first, score, covered in self.words
        ]
        return found, Reading.ANY, wishes.plain(QUERY).wish

    def by_meaning(self, named: Collection[Lines]) -> Nearness | None:
        self.named = list(named)
        if not self.has_vectors:
            return None
        known = {(DocPath(path), first): closeness for path, first, closeness in self.near}
        found = []
        for (path, first), closeness in sorted(known.items(), key=lambda one: -one[1]):
            if closeness > 0:
                passage = self.passage(path, first)
                found.append(Near(path, passage.first, passage.end, KEY, b"", closeness))
        asked = {(path, first) for path, first, _end in named}
        near = {at: known[at] for at in known if at in asked}
        return Nearness(tuple(found), near, self.typical, {path: self.as_of for path, _first in near})

    def answer(self, query: str = QUERY, limit: int = 10) -> tuple[Place, ...]:
        index = LiteralIndex()
        index.update(Text(DocPath(path), KEY, 1.0, text.encode()) for path, text in self.texts.items())
        found, _reading = places(
            index, query, self.read, limit=limit, exact=False, words=self.by_words, meaning=self.by_meaning
        )
        return found


def told(found: Sequence[Place]) -> list[tuple[str, int, float, bool, bool]]:
    return [(place.path, place.hit.line, place.score, place.strong, place.hybrid) for place in found]


FOUR = {
    "a.md": "# A\n\nA rope for the crane of the harbour.\n",
    "b.md": "# B\n\nThe rope is short.\n",
    "c.md": "# C\n\nThe hoist at the quay needs a new cable.\n",
    "d.md": "# D\n\nShips come and go.\n",
}


def test_what_both_say_is_added_and_divided_by_the_best() -> None:
    memory = Memory(
        FOUR,
        words=[("a.md", 0, 12.0, 1.0), ("b.md", 0, 12.0, 0.5)],
        near=[("a.md", 0, 0.6), ("b.md", 0, 0.1), ("c.md", 0, 1.1), ("d.md", 0, 0.3)],
    )
    # a: .6 + 1.8 · 12/24 · 1 = 1.5; c: 1.1; b: .1 + 1.8 · 12/24 · .5 = .55; d: .3. All lifted by 2.
    assert told(memory.answer()) == [
        ("a.md", 3, 1.0, True, True),
        ("c.md", 3, round(3.1 / 3.5, 4), True, False),
        ("b.md", 3, round(2.55 / 3.5, 4), False, True),
        ("d.md", 3, round(2.3 / 3.5, 4), False, False),
    ]
    assert memory.named == [(DocPath("a.md"), 0, 3), (DocPath("b.md"), 0, 3)]


@pytest.mark.parametrize("typical", [0.0, 0.4])
def test_a_passage_without_a_vector_takes_the_median(typical: float) -> None:
    memory = Memory(FOUR, words=[("b.md", 0, 12.0, 0.5)], near=[("c.md", 0, 1.1), ("d.md", 0, 0.7)], typical=typical)
    order = [("c.md", 1.0), ("d.md", 2.7 / 3.1), ("b.md", (2.45 + typical) / 3.1)]
    expected = [(path, round(score, 4)) for path, score in sorted(order, key=lambda one: -one[1])]
    found = memory.answer()
    assert [(place.path, place.score) for place in found] == expected
    assert not any(place.hybrid for place in found)


def test_what_a_passage_said_before_it_changed_tells_nothing_of_what_it_says_now() -> None:
    near = [("b.md", 0, 3.0), ("c.md", 0, 1.1)]
    memory = Memory(FOUR, words=[("b.md", 0, 12.0, 0.5)], near=near, typical=0.2, as_of=Key(9, 9, 9, 9))
    assert told(memory.answer()) == [
        ("c.md", 3, 1.0, True, False),
        ("b.md", 3, round(2.65 / 3.1, 4), False, False),
    ]


def test_a_hit_below_the_floor_is_none() -> None:
    memory = Memory(FOUR, words=[("a.md", 0, 12.0, 1.0)], near=[("a.md", 0, -0.4), ("c.md", 0, -0.1)])
    # Its words alone bring it in; what is known of its meaning counts against it, and it is no match of both.
    assert told(memory.answer()) == [("a.md", 3, 1.0, True, False)]


def test_a_list_of_noise_does_not_drag_the_other_down() -> None:
    memory = Memory(
        FOUR,
        words=[("b.md", 0, 30.0, 0.2), ("d.md", 0, 28.0, 0.2)],
        near=[("c.md", 0, 0.9), ("b.md", 0, 0.05), ("d.md", 0, 0.05)],
    )
    assert [place.path for place in memory.answer()] == ["c.md", "b.md", "d.md"]


@pytest.mark.parametrize(("closeness", "strong"), [(0.99, False), (1.0, True)])
def test_from_clear_on_a_meaning_answers_strongly_by_itself(closeness: float, strong: bool) -> None:
    found = Memory(FOUR, near=[("c.md", 0, closeness)]).answer()
    assert told(found) == [("c.md", 3, 1.0, strong, False)]


@pytest.mark.parametrize(("covered", "strong"), [(0.59, False), (0.6, True)])
def test_most_of_the_words_answer_strongly_too(covered: float, strong: bool) -> None:
    found = Memory(FOUR, words=[("b.md", 0, 12.0, covered)], near=[("b.md", 0, 0.1)]).answer()
    assert told(found) == [("b.md", 3, 1.0, strong, True)]


def test_what_holds_the_query_as_typed_comes_first_however_near_others_are() -> None:
    texts = FOUR | {"z.md": "# Z\n\nThe crane rope harbour list.\n"}
    found = Memory(texts, words=[("a.md", 0, 40.0, 1.0)], near=[("a.md", 0, 3.0), ("c.md", 0, 2.0)]).answer()
    assert [place.path for place in found] == ["z.md", "a.md", "c.md"]
    assert found[0].strong
    assert found[0].score == 1.0


MANY = "\n\n".join(f"## Part {number}\n\nRope {number}." for number in range(5)) + "\n"


def test_one_document_fills_three_places_while_others_match() -> None:
    firsts = [passage.first for passage in passage_texts(DocPath("many.md"), MANY.encode())]
    memory = Memory(
        FOUR | {"many.md": MANY},
        near=[*(("many.md", first, 0.9 - number / 100) for number, first in enumerate(firsts)), ("d.md", 0, 0.1)],
    )
    found = memory.answer()
    assert [place.path for place in found] == ["many.md"] * 3 + ["d.md"] + ["many.md"] * 2
    assert [place.score for place in found] == sorted((place.score for place in found), reverse=True)
    assert [place.path for place in memory.answer(limit=4)] == ["many.md"] * 3 + ["d.md"]


def test_like_places_stand_in_the_order_of_path_and_line() -> None:
    firsts = [passage.first for passage in passage_texts(DocPath("many.md"), MANY.encode())]
    near = [("many.md", firsts[1], 0.5), ("many.md", firsts[0], 0.5), ("d.md", 0, 0.5), ("b.md", 0, 0.5)]
    found = Memory(FOUR | {"many.md": MANY}, near=near).answer()
    assert [(place.path, place.hit.line) for place in found] == [
        ("b.md", 3),
        ("d.md", 3),
        ("many.md", 3),
        ("many.md", 7),
    ]


def test_a_passage_that_both_lists_hold_is_told_once() -> None:
    found = Memory(FOUR, words=[("a.md", 0, 12.0, 1.0)], near=[("a.md", 0, 0.6)]).answer()
    assert told(found) == [("a.md", 3, 1.0, True, True)]


def test_without_vectors_the_words_answer_in_their_own_order() -> None:
    memory = Memory(FOUR, words=[("b.md", 0, 12.0, 0.5), ("a.md", 0, 6.0, 1.0)], has_vectors=False)
    # a: 4 · 1 + 6/12; b: 4 · .5 + 12/12.
    assert told(memory.answer()) == [("a.md", 3, 1.0, True, False), ("b.md", 3, round(3.0 / 4.5, 4), False, False)]


def test_a_place_whose_file_changed_or_is_gone_is_left_out() -> None:
    texts = dict(FOUR)
    memory = Memory(texts)
    old = [
        Near(DocPath(path), 0, 3, Key(9, 9, 9, 9), passage_texts(DocPath(path), text.encode())[0].print_, 0.9)
        for path, text in FOUR.items()
    ]
    texts["a.md"] = "# A\n\nSomething else.\n"
    texts["c.md"] = "A line above.\n\n" + FOUR["c.md"]
    del texts["d.md"]
    found = only_near(old, memory.read, QUERY, 10)
    assert [(place.path, place.hit.line, place.content) for place in found] == [
        ("b.md", 3, FOUR["b.md"].rstrip("\n")),
        ("c.md", 5, FOUR["c.md"].rstrip("\n")),
    ]
