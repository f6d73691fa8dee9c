"""Names that a person gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain import filing
from memgui.domain.errors import InvalidParameters
from memgui.domain.paths import DocPath, comparable


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("ideas", "ideas.md"),
        ("ideas.md", "ideas.md"),
        ("v1.2", "v1.2.md"),
        ("2026.11.30", "2026.11.30.md"),
        ("run.sh", "run.sh"),
        ("log.markdown", "log.markdown"),
        ("会议", "会议.md"),
        ("sub/", "sub/"),
        (" ", ""),
    ],
)
def test_a_new_document_ends_in_md_unless_it_says_what_else_it_is(typed: str, name: str) -> None:
    assert filing.document_name(typed) == name


@pytest.mark.parametrize(
    ("path", "typed", "is_folder", "new"),
    [
        ("a/x.md", "y", False, "a/y.md"),
        ("a/x.md", "y.txt", False, "a/y.txt"),
        ("a/x.bin", "y", False, "a/y"),
        ("a/x", "y z", True, "a/y z"),
        ("x.md", "X.md", False, "X.md"),
    ],
)
def test_a_renamed_thing_stays_in_its_folder(path: str, typed: str, is_folder: bool, new: str) -> None:
    assert filing.renamed(DocPath(path), typed, is_folder=is_folder) == new


@pytest.mark.parametrize(
    "typed", ["", "..", "../x", "a/../b", "/x", "~x", "c:x", "a:b", ".x", "a/.x", "a\u200bb", "a\nb", "\0", "x" * 256]
)
def test_what_cannot_be_a_name_is_refused_with_why(typed: str) -> None:
    with pytest.raises(InvalidParameters):
        filing.new_path(DocPath("folder"), typed)


def test_a_name_may_bring_folders_of_its_own() -> None:
    assert filing.new_path(DocPath("a"), "b\\c.md") == "a/b/c.md"
    assert filing.new_path(DocPath(""), "b/./c.md ") == "b/c.md"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("what?.md", "?"),
        ('a"b<c', '"'),
        ("CON.md", "CON"),
        ("com1", "com1"),
        ("a.", "dot"),
        ("x/aux", "aux"),
        ("console.md", ""),
        ("plain name.md", ""),
    ],
)
def test_what_other_systems_could_not_hold_is_said(typed: str, words: str) -> None:
    said = filing.warning_of(typed)
    assert words in said if words else said == ""


@pytest.mark.parametrize(
    ("path", "folder", "may"),
    [
        ("a/b", "a/b", False),
        ("a/b", "a/b/c", False),
        ("a/b", "a", False),
        ("a/b", "", True),
        ("b", "", False),
        ("a/b", "a/bc", True),
    ],
)
def test_nothing_goes_into_itself_or_where_it_is(path: str, folder: str, may: bool) -> None:
    assert filing.may_move(DocPath(path), DocPath(folder)) is may
    if not may:
        with pytest.raises(InvalidParameters):
            filing.check_move(DocPath(path), DocPath(folder))


def test_names_are_alike_where_another_disk_would_take_them_for_one() -> None:
    assert filing.alike("Notes.md", ["x.md", "notes.md"]) == "notes.md"
    assert filing.alike("notes.md", ["Notes.md", "notes.md"]) == "notes.md"
    assert filing.alike("café.md", ["cafe\u0301.md"]) == "cafe\u0301.md"
    assert filing.alike("notes.md", ["note.md"]) is None


@given(st.lists(st.sampled_from(["x copy.md", "X Copy 2.md", "x copy 3.md", "x (2).md", "x.md"]), unique=True))
def test_a_copy_and_a_free_name_are_never_taken(others: list[str]) -> None:
    taken = {comparable(other) for other in others}
    assert comparable(filing.copy_name("x.md", others)) not in taken
    assert comparable(filing.free_name("x.md", others)) not in taken
