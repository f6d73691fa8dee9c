"""The engine itself: what it reads by its own means is what Whoosh would answer, and little of it is ever in memory."""

from __future__ import annotations

import pickle
import random
import shutil
import tracemalloc
from array import array
from pathlib import Path

import pytest

from memgui.domain.paths import DocPath
from memgui.search.segments import Key
from memgui.search.words.engine import WordsIndex, _query
from memgui.search.words.files import PrivateFiles
from memgui.search.words.index import AllOf, AnyOf, BrokenIndexError, Has, Indexed, Marked, NoneOf, Wanted
from memgui.search.words.pieces import pieces_of

WORDS = [f"{stem}{number}" for number in range(40) for stem in ("berth", "crane", "tide")]
FEW = Key(1, 1, 1, 1)


def documents(count: int, seed: int) -> list[Indexed]:
    dice = random.Random(seed)
    # The first words are in nearly every passage, the last in few.
    weights = [1 / rank for rank in range(1, len(WORDS) + 1)]
    found = []
    for number in range(count):
        text = "\n\n".join(" ".join(dice.choices(WORDS, weights, k=dice.randint(3, 60))) for _line in range(4))
        path = DocPath(f"{seed}/{number}.md")
        found.append(Indexed(path, FEW, pieces_of(path, text.encode())))
    return found


@pytest.fixture
def index(tmp_path: Path) -> WordsIndex:
    """Several segments, passages among them that were written anew and some that are gone."""
    made = WordsIndex.create(tmp_path)
    for seed in range(3):
        made.update(documents(60, seed))
    made.update(documents(10, 1), [DocPath(f"2/{number}.md") for number in range(5)])
    return made


@pytest.mark.parametrize(
    "wanted",
    [
        AllOf((Has("berth0"), Has("crane0"))),
        AllOf((Has("berth0"), Has("tide2"), Has("berth9"))),
        AnyOf((Has("tide39"), Has("berth30"), Has("crane0"))),
        AllOf((AnyOf((Has("berth3"), Has("berth4"))), Has("crane1"))),
        AnyOf((AllOf((Has("berth1"), Has("tide1"))), Has("crane31"))),
        AllOf((AnyOf((Has("nowhere"), Has("crane5"))), Has("berth0"))),
        AllOf((Has("berth0"), Has("nowhere"))),
    ],
)
def test_all_and_any_of_several_words_are_what_whoosh_itself_would_answer(index: WordsIndex, wanted: Wanted) -> None:
    ours = index.search(wanted, limit=10_000)
    found = index._searcher.search(_query(wanted), limit=10_000)
    theirs = [index._searcher.stored_fields(number)["at"][:3] for _score, number in found.top_n]
    assert {(hit.path, hit.first, hit.end) for hit in ours} == set(theirs)
    assert [hit.score for hit in ours] == pytest.approx([score for score, _number in found.top_n])
    assert index.search(wanted, limit=7) == ours[:7]
    # What every passage is, changes nothing.
    assert index.search(AllOf((wanted, AllOf(()))), limit=7) == ours[:7]


def test_what_asks_for_more_than_words_is_left_to_whoosh(index: WordsIndex) -> None:
    assert index.search(AllOf(()), limit=3)
    assert index.search(AllOf((Has("berth0"), Marked("todo"))), limit=3) == ()
    without = index.search(AllOf((Has("berth0"), NoneOf((Has("tide5"),)))), limit=10_000)
    both = index.search(AllOf((Has("berth0"), Has("tide5"))), limit=10_000)
    assert without
    assert not {(hit.path, hit.first) for hit in without} & {(hit.path, hit.first) for hit in both}


def test_an_open_index_holds_little_of_its_files_in_memory(tmp_path: Path) -> None:
    written = WordsIndex.create(tmp_path)
    written.update(documents(1_500, 4))
    written.close()
    size = sum(path.stat().st_size for path in tmp_path.glob("*.seg"))
    tracemalloc.start()
    try:
        opened = WordsIndex(tmp_path)
        assert opened.search(Has("tide39"), limit=5)
        held, _most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        opened.close()
    assert size > 500_000
    assert held < size / 4


def test_whatever_is_damaged_in_a_segment_is_a_broken_index_or_none(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    written = WordsIndex.create(whole)
    written.update(documents(40, 1))
    written.close()
    dice, broken = random.Random(5), 0
    for number in range(120):
        folder = tmp_path / str(number)
        shutil.copytree(whole, folder)
        (segment,) = folder.glob("*.seg")
        index = WordsIndex(folder) if number % 2 else None
        data = bytearray(segment.read_bytes())
        if number % 3:
            for _time in range(dice.choice([1, 5, 50])):
                data[dice.randrange(len(data))] = dice.randrange(256)
        else:
            del data[dice.randrange(len(data)) :]
        segment.write_bytes(data)
        try:
            index = index or WordsIndex(folder)
            for wanted in (Has("berth0"), AllOf((Has("berth0"), Has("tide1"))), Marked("todo"), AllOf(())):
                index.search(wanted, limit=50)
        except BrokenIndexError:
            broken += 1
        if index is not None:
            index.close()
    assert broken > 40


def test_a_part_of_a_file_reads_as_a_file_does(tmp_path: Path) -> None:
    numbers = array("i", range(5_000))
    big = array("i", numbers)
    big.byteswap()
    told = pickle.dumps({"berth": [7, "closed" * 100]})
    (tmp_path / "whole.seg").write_bytes(b"before" + b"one line\nand another" + told + big.tobytes())
    file = PrivateFiles(str(tmp_path)).open_file("whole.seg")
    part = file.subset(6, 20 + len(told) + 20_000, "part")
    assert part.read(9) == b"one line\n"
    assert (part.tell(), part.read(3), part.tell()) == (9, b"and", 12)
    part.seek(20)
    assert part.read_pickle() == {"berth": [7, "closed" * 100]}
    assert part.tell() == 20 + len(told)
    assert part.get_array(20 + len(told), "i", 5_000) == numbers
    assert part.get_int(20 + len(told) + 4 * 4_999) == 4_999
    assert part.subset(4, 4).read() == b"line"
    part.seek(-4, 2)
    assert len(part.read()) == 4
    assert part.get(10**9, 5) == part.read(5) == b""
    part.close()
    file.close()
    with pytest.raises(ValueError, match="closed"):
        part.get(0, 1)


def test_one_passage_alone_is_the_same_as_among_all_of_its_document() -> None:
    text = "---\ntitle: Cranes\n---\n# One\n\nfirst\n\n## Two\n\nsecond here\n\n# Three\n\n- [ ] third\n"
    whole = pieces_of(DocPath("notes/a.md"), text.encode())
    assert len(whole) > 2
    for piece in whole:
        assert pieces_of(DocPath("notes/a.md"), text.encode(), first=piece.first) == [piece]
    assert pieces_of(DocPath("notes/a.md"), text.encode(), first=1_000) == []
    empty = pieces_of(DocPath("notes/a.md"), b"")
    assert pieces_of(DocPath("notes/a.md"), b"", first=0) == empty
