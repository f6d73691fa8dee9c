"""What a model is given of a document."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.paths import DocPath
from memgui.search.meaning.texts import passage_texts


def texts(content: str, path: str = "a.md") -> list[str]:
    return [one.text for one in passage_texts(DocPath(path), content.encode())]


def test_each_section_is_a_passage_with_its_heading() -> None:
    assert texts("# Crane\n\nIt broke.\n\n## Repair\n\nOn Monday.\n") == [
        "# Crane\n\nIt broke.",
        "## Repair\n\nOn Monday.",
    ]


def test_the_entries_of_a_log_are_passages_of_their_own_below_the_heading_of_the_day() -> None:
    found = texts("# Monday\n\n- 09:10 crane broke\n- 09:40 rope ordered\n", "memory/2026-11-30.md")
    assert found == ["# Monday", "Monday\n- 09:10 crane broke", "Monday\n- 09:40 rope ordered"]


def test_of_front_matter_the_description_counts_and_no_key() -> None:
    found = texts(
        "---\nname: ask-first\ndescription: Ask before guessing\nmetadata:\n  type: feedback\n---\n\nAlways.\n"
    )
    assert found == ["Ask before guessing\nAlways."]


def test_what_says_nothing_is_no_passage() -> None:
    assert texts("---\n\n***\n\n- \n") == []


def test_the_same_words_have_the_same_print_wherever_they_stand() -> None:
    one = passage_texts(DocPath("a.md"), b"# A\n\ntext\n\n# B\n\nmore\n")
    other = passage_texts(DocPath("b.md"), b"# C\n\nfirst\n\n# B\n\nmore\n")
    assert one[1].print_ == other[1].print_
    assert (one[1].first, other[1].first) == (4, 4)


@given(st.binary(max_size=400))
def test_no_bytes_raise(data: bytes) -> None:
    for one in passage_texts(DocPath("memory/2026-11-30.md"), data):
        assert one.first < one.end
        assert one.text.strip()


def test_the_items_of_a_long_list_are_passages_below_its_heading() -> None:
    sqlite = "- SQLite it is\n  for one writer" + " and so on" * 15
    roof, tabs = "- red roof" + " of tiles" * 25, "- no tabs" + " at all" * 10
    found = passage_texts(DocPath("MEMORY.md"), f"## Decisions\n\n{sqlite}\n{roof}\n{tabs}\n- tea\n".encode())
    assert [one.text for one in found] == [
        f"## Decisions\n\n{sqlite}",
        f"Decisions\n{roof}",
        f"Decisions\n{tabs}\n- tea",
    ]
    assert [(one.first, one.end) for one in found] == [(0, 4), (4, 5), (5, 7)]


def test_short_items_stay_together() -> None:
    assert texts("- one\n- two\n- three\n- four\n") == ["- one\n- two\n- three\n- four"]
