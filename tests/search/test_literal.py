"""The exact scan: every query finds its file, counts are exact, changes are seen whole."""

from __future__ import annotations

import os
import threading
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.paths import DocPath
from memgui.search import literal, segments
from memgui.search.fold import fold_bytes, needle_of
from memgui.search.literal import SEGMENT_BYTES, LiteralIndex, Text
from memgui.search.segments import WINDOW, Joined, Key


def text(path: str, content: str | bytes | None, *, weight: float = 1.0) -> Text:
    data = content.encode() if isinstance(content, str) else content
    return Text(DocPath(path), Key(1, 2, 3, 4), weight, None if data is None else fold_bytes(data))


def found(index: LiteralIndex, query: str) -> dict[str, int]:
    needle = needle_of(query).encode()
    return {match.entry.path: match.count((needle,)) for match in index.search(needle).all()}


def test_a_file_is_found_by_what_it_holds_and_by_its_path() -> None:
    index = LiteralIndex()
    index.update([text("notes/Straße.md", "Alpha beta alpha"), text("b.md", "beta")])
    assert found(index, "ALPHA") == {"notes/Straße.md": 2}
    assert found(index, "beta") == {"notes/Straße.md": 1, "b.md": 1}
    assert found(index, "strasse") == {"notes/Straße.md": 1}
    assert found(index, "gamma") == {}


def test_no_match_runs_from_one_file_into_the_next() -> None:
    index = LiteralIndex()
    index.update([text("a.md", "one tw"), text("b.md", "o three")])
    assert found(index, "two") == {}


def test_a_changed_text_takes_the_place_of_the_old_one_and_a_forgotten_one_is_gone() -> None:
    index = LiteralIndex()
    index.update([text(f"{i}.md", f"old {i}") for i in range(500)])
    index.update([text("7.md", "new")], gone=[DocPath("8.md")])
    assert index.files == 499
    assert found(index, "new") == {"7.md": 1}
    assert "8.md" not in found(index, "old")
    assert len(found(index, "old")) == 498


def test_a_file_without_text_is_found_by_name_alone() -> None:
    index = LiteralIndex()
    index.update([text("photo of alpha.png", None)])
    assert found(index, "alpha") == {"photo of alpha.png": 1}


@given(st.lists(st.tuples(st.integers(0, 5), st.text("abß\n", max_size=12)), max_size=30), st.text("abß\n", min_size=1))
def test_after_any_changes_it_answers_like_a_plain_look(changes: list[tuple[int, str]], query: str) -> None:
    index, plain = LiteralIndex(), dict[str, str]()
    for number, content in changes:
        if content == "b":
            index.update(gone=[DocPath(f"{number}.x")])
            plain.pop(f"{number}.x", None)
        else:
            index.update([text(f"{number}.x", content)])
            plain[f"{number}.x"] = content
    needle = needle_of(query)
    if needle:
        expected = {
            path: n for path, content in plain.items() if (n := fold_bytes(content.encode()).count(needle.encode()))
        }
        assert found(index, query) == expected
        assert index.search(needle.encode()).count() == sum(expected.values())


def test_what_is_remembered_of_a_query_answers_the_next_as_if_it_were_asked_first() -> None:
    texts = [text(f"{i}.md", "ferry " * (i % 7) + "ferryman " * (i % 40 == 3) + "a" * (i % 90)) for i in range(900)]
    index = LiteralIndex()
    index.update(texts)
    for query in ("f", "fe", "fer", "ferry", "ferrym", "ferryma", "ferryman", "ferry", "a", "aa", "aaa"):
        needle = query.encode()
        expected = {t.path: n for t in texts if t.folded and (n := t.folded.count(needle))}
        assert found(index, query) == expected
        assert index.search(needle).count() == sum(expected.values())
        index.update([texts[5]])


def test_many_small_changes_make_no_crowd_of_segments() -> None:
    index = LiteralIndex()
    index.update([text(f"{i}.md", "x" * 3000) for i in range(1000)])
    before = len(index.parts)
    for round_ in range(300):
        index.update([text(f"{round_ % 50}.md", f"round {round_}" + "y" * 3000)])
    assert len(index.parts) <= before + 3
    assert index.size < 2 * 1000 * 3000


@pytest.mark.parametrize("c_search", [True, False])
def test_places_far_apart_and_on_the_seams_of_windows_are_found(
    monkeypatch: pytest.MonkeyPatch, c_search: bool
) -> None:
    if not c_search:
        monkeypatch.setattr(segments, "_MEMMEM", None)
    for at in (0, WINDOW - 3, WINDOW, 2 * WINDOW - 1, 3 * WINDOW - 6):
        data = bytearray(b"." * (3 * WINDOW))
        data[at : at + 6] = b"needle"
        joined = Joined.of([bytes(data), b"needle"])
        assert joined.find(b"needle", 0, len(data)) == at
        assert joined.holding(b"needle") == ([0, 1], 2)
        assert joined.count(b"needle", 0, len(data)) == 1


def test_counts_are_exact_in_texts_larger_than_a_window() -> None:
    lines = b"aaa needle\n" * (WINDOW // 5)
    joined = Joined.of([lines])
    assert joined.count(b"needle", 0, len(lines)) == lines.count(b"needle")
    assert joined.count(b"aa", 0, len(lines)) == lines.count(b"aa")
    assert joined.count(b"e\na", 0, len(lines)) == lines.count(b"e\na")


def test_a_common_letter_is_counted_exactly_over_many_files() -> None:
    index = LiteralIndex()
    index.update([text(f"{i}.md", "e" * i) for i in range(400)])
    index.update(gone=[DocPath("399.md"), DocPath("0.md")])
    matches = index.search(b"e")
    assert matches.count() == sum(range(399))
    assert matches.files == 398


def test_it_stops_when_asked() -> None:
    index = LiteralIndex()
    index.update([text(f"{i}.md", "x" * SEGMENT_BYTES) for i in range(3)])
    assert index.search(b"x", stop=lambda: True).stopped


def test_whoever_searches_while_it_changes_sees_the_old_text_or_the_new_never_none() -> None:
    index = LiteralIndex()
    index.update([text(f"{i}.md", "needle") for i in range(100)])
    done = threading.Event()
    seen: list[int] = []

    def search() -> None:
        while not done.is_set():
            seen.append(index.search(b"needle").count())

    reader = threading.Thread(target=search)
    reader.start()
    for round_ in range(300):
        index.update([text(f"{round_ % 100}.md", f"{round_} needle")])
    done.set()
    reader.join()
    assert seen
    assert set(seen) == {100}


def test_what_is_mapped_is_found_and_counted_like_what_is_held(tmp_path: Path) -> None:
    texts = [Text(DocPath(f"{n}.md"), Key(1, 1, 1, n), float(n), (b"crane %d berth\n" % n) * 40_000) for n in range(6)]
    held, mapped = LiteralIndex(), LiteralIndex()
    held.update(texts)
    mapped.update(texts)
    mapped.map_beyond(1 << 20, tmp_path)
    assert sum(part.segment.texts.is_mapped for part in mapped.parts) > 1
    assert sum(part.segment.size for part in mapped.parts if not part.segment.texts.is_mapped) <= 1 << 20
    # The heaviest stay in memory, and nothing is seen in the folder.
    assert not mapped.parts[-1].segment.texts.is_mapped
    assert list(tmp_path.iterdir()) == []
    for needle in (b"crane 3", b"berth", b"5 berth\ncrane", b"zeppelin", b"e"):
        ours, theirs = mapped.search(needle), held.search(needle)
        assert [match.entry.path for match in ours.all()] == [match.entry.path for match in theirs.all()]
        assert ours.count() == theirs.count()
    mapped.update([Text(DocPath("0.md"), Key(2, 2, 2, 0), 0.0, b"other")])
    assert mapped.search(b"other").files == 1
    assert mapped.search(b"crane 0").files == 0


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not tell which files are open")
def test_many_texts_are_mapped_from_few_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(literal, "MOST_MAPPED", 3)
    large = b"crane berth\n" * 60_000
    index, before = LiteralIndex(), open_files()
    index.update([Text(DocPath(f"{n}.md"), Key(1, 1, 1, n), float(n), large) for n in range(40)])
    index.map_beyond(2 << 20, tmp_path)
    assert sum(part.segment.texts.is_mapped for part in index.parts) > 30
    assert open_files() <= before + 1
    for turn in range(10):
        # Each time one text of those that are mapped is left, and others come.
        index.update([Text(DocPath(f"{turn}-{n}.md"), Key(2, 2, 2, n), 100.0 + turn, large) for n in range(8)])
        index.map_beyond(2 << 20, tmp_path)
        assert open_files() <= before + 4
        assert index.search(b"crane").files == 40 + 8 * (turn + 1)
    index.update(gone=[DocPath(f"{n}.md") for n in range(39)])
    assert index.search(b"berth\ncrane").files == 81
    index.adopt(())
    assert open_files() == before


def test_what_is_mapped_is_held_no_longer(tmp_path: Path) -> None:
    tracemalloc.start()
    try:
        index = LiteralIndex()
        index.update(Text(DocPath(f"{n}.md"), Key(1, 1, 1, n), float(n), b"%d crane\n" % n * 100_000) for n in range(8))
        held, _most = tracemalloc.get_traced_memory()
        index.map_beyond(0, tmp_path)
        left, _most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held > 6_000_000
    assert left < 500_000
    assert index.search(b"7 crane").files == 1


def test_a_search_that_runs_while_texts_are_mapped_sees_the_same(tmp_path: Path) -> None:
    index = LiteralIndex()
    index.update([Text(DocPath(f"{n}.md"), Key(1, 1, 1, n), float(n), b"crane %d\n" % n * 90_000) for n in range(8)])
    before = index.search(b"crane 3")
    index.map_beyond(0, tmp_path)
    (then,), (now,) = before.all(), index.search(b"crane 3").all()
    assert then.segment is not now.segment
    assert then.count([b"crane 3"]) == now.count([b"crane 3"]) == 90_000
    assert then.holds(b"crane 3")
    assert now.holds(b"crane 3")
    assert now.segment.texts.text(now.index) == then.segment.texts.text(then.index)


def test_where_the_disk_takes_no_file_the_texts_stay_in_memory(tmp_path: Path) -> None:
    index = LiteralIndex()
    index.update([Text(DocPath("a.md"), Key(1, 1, 1, 1), 1.0, b"crane\n" * 200_000)])
    index.map_beyond(0, tmp_path / "nowhere")
    assert not any(part.segment.texts.is_mapped for part in index.parts)
    assert index.search(b"crane").files == 1
