"""Edits of items change their own lines and nothing else, byte for byte; what cannot be done is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memgui.domain.errors import ExecutionFailed
from memgui.domain.heartbeat import Checklist, Item, Section, read
from memgui.domain.heartbeat_edits import (
    Edit,
    ItemNotFound,
    add_below,
    add_to_section,
    locate,
    move,
    remove,
    set_mark,
    set_text,
)
from memgui.domain.lines import Lines
from tests.domain.test_heartbeat import MARKDOWN


def lines(text: str) -> Lines:
    return Lines.split(text)


def checklist(text: str) -> Checklist:
    return read(lines(text).texts)


def item(text: str, words: str) -> Item:
    (found,) = (each for each in checklist(text).items if each.text == words)
    return found


def after(edit: Callable[..., Edit], text: str, words: str, *args: object, **named: object) -> str:
    return edit(lines(text), item(text, words), *args, **named).lines.joined()


# Ticking -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "mark", "expected"),
    [
        ("- [ ] a\r\n- [ ] b\n", "b", "x", "- [ ] a\r\n- [x] b\n"),
        ("  1) [X]  a", "a", " ", "  1) [ ]  a"),
        ("- [!] a [ ]", "a [ ]", "x", "- [x] a [ ]"),
        ("\ufeff\n- [ ] é扳手\r", "é扳手", "x", "\ufeff\n- [x] é扳手\r"),
        ("- [ ]", "", "x", "- [x]"),
    ],
)
def test_a_tick_changes_one_character(text: str, words: str, mark: str, expected: str) -> None:
    assert after(set_mark, text, words, mark) == expected


def test_an_item_without_a_box_is_not_ticked() -> None:
    with pytest.raises(ExecutionFailed, match="no box"):
        after(set_mark, "- a", "a", "x")


# Words ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "new", "expected"),
    [
        ("- [ ] a  \r\nb", "a", "c", "- [ ] c  \r\nb"),
        ("- [X]  a", "a", " c d ", "- [X]  c d"),
        ("- [ ]", "", "c", "- [ ] c"),
        ("-", "", "c", "- c"),
        ("- [ ]  ", "", "c", "- [ ]  c"),
        ("1. a", "a", "c\nd\u2029e", "1. c d e"),
        ("- a", "a", "c  d", "- c  d"),
    ],
)
def test_other_words_leave_the_rest_of_the_line(text: str, words: str, new: str, expected: str) -> None:
    assert after(set_text, text, words, new) == expected


@pytest.mark.parametrize("new", ["", "  ", "\n"])
def test_an_item_is_not_emptied_by_its_words(new: str) -> None:
    with pytest.raises(ExecutionFailed):
        after(set_text, "- a", "a", new)


def test_words_that_would_make_no_item_are_refused() -> None:
    with pytest.raises(ExecutionFailed, match="line 1 would not be an item"):
        after(set_text, "* a", "a", "* *")


# Adding --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("- [ ] a\n- [ ] b\n", "a", "- [ ] a\n- [ ] new\n- [ ] b\n"),
        ("- [x] a", "a", "- [x] a\n- [ ] new"),
        ("- [ ] a\r\n", "a", "- [ ] a\r\n- [ ] new\r\n"),
        ("# H\r\n- [ ] a", "a", "# H\r\n- [ ] a\r\n- [ ] new"),
        ("- [ ] a\n  - [ ] b\n  more\n\n- c\n", "a", "- [ ] a\n  - [ ] b\n  more\n- [ ] new\n\n- c\n"),
        ("- a\n\t+ [ ] b\n", "b", "- a\n\t+ [ ] b\n\t+ [ ] new\n"),
        ("1. a\n", "a", "1. a\n2. new\n"),
        ("9) [ ] a\n", "a", "9) [ ] a\n10) [ ] new\n"),
        ("* a\r- b\n", "a", "* a\r* new\r- b\n"),
    ],
)
def test_a_new_item_stands_below_in_the_same_form(text: str, words: str, expected: str) -> None:
    edit = add_below(lines(text), item(text, words), "new")
    assert edit.lines.joined() == expected
    added = read(edit.lines.texts).item_at(edit.line)
    assert added is not None
    assert added.text == "new"


@pytest.mark.parametrize(
    ("text", "heading", "expected"),
    [
        ("", None, "- [ ] new\n"),
        ("# H", None, "# H\n\n- [ ] new"),
        ("# H\n", None, "# H\n\n- [ ] new\n"),
        ("- [ ] a\n\n", None, "- [ ] a\n- [ ] new\n\n"),
        ("text\r\n", None, "text\r\n\r\n- [ ] new\r\n"),
        ("# H\n\n- [ ] a\n", "H", "# H\n\n- [ ] new\n- [ ] a\n"),
        ("# H\n## I\n- a\n", "H", "# H\n\n- [ ] new\n\n## I\n- a\n"),
        ("# H\n\n## I\n", "H", "# H\n\n- [ ] new\n\n## I\n"),
        ("# H\n\ntext\n", "H", "# H\n\n- [ ] new\n\ntext\n"),
        ("# H", "H", "# H\n\n- [ ] new"),
        ("H\n---\n- a\n", "H", "H\n---\n- [ ] new\n- a\n"),
    ],
)
def test_a_section_takes_a_new_item(text: str, heading: str | None, expected: str) -> None:
    section = next((row for row in checklist(text).rows if isinstance(row, Section) and row.text == heading), None)
    edit = add_to_section(lines(text), section, "new")
    assert edit.lines.joined() == expected
    assert read(edit.lines.texts).item_at(edit.line) is not None


def test_nothing_is_added_inside_a_comment_that_never_ends() -> None:
    with pytest.raises(ExecutionFailed, match="would not be an item"):
        add_to_section(lines("# H\n<!-- open\n"), None, "new")


# Removing and moving -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("- a\n- b\n- c", "b", "- a\n- c"),
        ("- a\n  - b\n    more\n- c\n", "a", "- c\n"),
        ("- a\r\n- b", "b", "- a\r\n"),
        ("- a", "a", ""),
        ("- a\n\n- b\r\n\n- c", "b", "- a\n\n\n- c"),
    ],
)
def test_removing_takes_the_items_own_lines(text: str, words: str, expected: str) -> None:
    assert after(remove, text, words) == expected


@pytest.mark.parametrize(
    ("text", "words", "down", "expected"),
    [
        ("- a\n- b\n", "b", False, "- b\n- a\n"),
        ("- a\n- b", "b", False, "- b\n- a"),
        ("- a\r\n- b\n- c", "a", True, "- b\n- a\r\n- c"),
        ("- a\n  - x\n- b\n  - y\n", "a", True, "- b\n  - y\n- a\n  - x\n"),
        ("- a\n\ntext\n\n- b\n", "a", True, "- b\n\ntext\n\n- a\n"),
        ("- p\n  - a\n  - b\n", "b", False, "- p\n  - b\n  - a\n"),
        ("1. a\n2. b\n", "b", False, "1. b\n2. a\n"),
        ("1. a\n- b\n", "b", False, "- b\n1. a\n"),
        ("# A\n\n- a\n\n# B\n\n- b\n", "b", False, "# A\n\n- a\n- b\n\n# B\n\n"),
        ("# A\n\n- a\n\n# B\n\n- b\n", "a", True, "# A\n\n\n# B\n\n- a\n- b\n"),
        ("# A\n- a\n  - x\n# B\n- b", "b", False, "# A\n- a\n  - x\n- b\n# B"),
    ],
)
def test_an_item_moves_with_its_children(text: str, words: str, down: bool, expected: str) -> None:
    edit = move(lines(text), item(text, words), down=down)
    assert edit.lines.joined() == expected
    moved = read(edit.lines.texts).item_at(edit.line)
    assert moved is not None
    assert moved.text == words


@pytest.mark.parametrize(
    ("text", "words", "down"),
    [
        ("- a\n- b\n", "a", False),
        ("- a\n- b\n", "b", True),
        ("- p\n  - a\n- q\n", "a", True),
        ("# A\n# B\n- b\n", "b", False),
    ],
)
def test_an_item_at_the_edge_stays(text: str, words: str, down: bool) -> None:
    with pytest.raises(ExecutionFailed):
        after(move, text, words, down=down)


# Finding anew --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "words", "now", "line"),
    [
        ("- [ ] a\n- [ ] b\n", "b", "# H\n- [ ] a\n- [x] b\n", 3),
        ("- [ ] a\n", "a", "- [ ] a\n- [ ] a\n", 1),
        ("- [ ] p\n- [ ] a\n- [ ] q\n", "a", "- [ ] a\n\n- [ ] p\n- [ ] a\n- [ ] q\n", 4),
    ],
)
def test_an_item_is_found_where_it_went(then: str, words: str, now: str, line: int) -> None:
    assert locate(checklist(now), checklist(then), item(then, words)).line == line


def test_of_two_with_the_same_words_the_other_one_at_that_line_is_not_taken() -> None:
    then = checklist("# A\n- [ ] c\n# B\n- [ ] a\n# C\n- [ ] a\n")
    now = checklist("# C\n- [ ] a\n- [ ] n\n\n# B\n- [ ] a\n- [ ] z\n")
    meant = then.item_at(6)
    assert meant is not None
    with pytest.raises(ItemNotFound):
        locate(now, then, meant)
    moved = checklist("# A\n- [ ] c\n# D\n- [ ] d\n# B\n- [ ] a\n# C\n- [ ] a\n")
    assert locate(moved, then, meant).line == 8


@pytest.mark.parametrize(
    ("then", "words", "now", "why"),
    [
        ("- [ ] a\n", "a", "- [ ] b\n", "not there any more"),
        ("- [ ] a\n", "a", "- a\n", "not there any more"),
        ("- [ ] p\n- [ ] a\n", "a", "# H\n\n- [ ] a\n- [ ] z\n- [ ] a\n", "2 times"),
    ],
)
def test_what_is_not_found_exactly_once_is_refused(then: str, words: str, now: str, why: str) -> None:
    with pytest.raises(ExecutionFailed, match=why):
        locate(checklist(now), checklist(then), item(then, words))


# Any text ------------------------------------------------------------------------------------------------------------


LINES = ["- [ ] a", "  - [x] b", "* [!] c", "1. d", "2. [X] e", "    - f", "-", "- [ ]", "# H", "```", "<!-- o", "-->"]
OTHERS = ["", "text", "  more", "| t |", "    code", "- [] no", "---"]
ENDED = st.tuples(st.sampled_from([*LINES, *OTHERS]), st.sampled_from(["\n", "\r\n", "\r"]))
LISTS = st.tuples(st.lists(ENDED, max_size=10), st.sampled_from(["- [ ] last", "  - last", "", "```"])).map(
    lambda made: "- [ ] first\n" + "".join(text + ending for text, ending in made[0]) + made[1]
)


def with_ends(whole: Lines) -> list[str]:
    return [text + end for text, end in zip(whole.texts, (*whole.breaks, ""), strict=True)]


def any_item(text: str, data: st.DataObject) -> Item:
    return data.draw(st.sampled_from(checklist(text).items))


@given(LISTS, st.data())
def test_ticking_changes_one_byte_and_twice_none(text: str, data: st.DataObject) -> None:
    chosen = any_item(text, data)
    assume(chosen.mark is not None and chosen.mark.isascii())
    assert chosen.mark is not None
    other = "x" if chosen.mark == " " else " "
    ticked = set_mark(lines(text), chosen, other).lines
    old, new = text.encode(), ticked.joined().encode()
    assert sum(one != two for one, two in zip(old, new, strict=True)) == 1
    again = read(ticked.texts).item_at(chosen.line)
    assert again is not None
    assert set_mark(ticked, again, chosen.mark).lines.joined() == text


@given(LISTS, st.data(), st.text(max_size=8))
def test_other_words_change_one_line(text: str, data: st.DataObject, words: str) -> None:
    chosen, before = any_item(text, data), lines(text)
    try:
        new = set_text(before, chosen, words).lines
    except ExecutionFailed:
        return
    assert Lines.split(new.joined()) == new
    assert new.breaks == before.breaks
    at = chosen.line - 1
    assert (new.texts[:at], new.texts[at + 1 :]) == (before.texts[:at], before.texts[at + 1 :])


@given(LISTS, st.data())
def test_removing_is_taking_out_a_piece(text: str, data: st.DataObject) -> None:
    chosen = any_item(text, data)
    whole = with_ends(lines(text))
    kept = whole[: chosen.line - 1] + whole[chosen.last :]
    made = remove(lines(text), chosen).lines
    assert Lines.split(made.joined()).texts == made.texts
    if not any(one.endswith("\r") and two == "\n" for one, two in pairwise(kept)):
        assert made.joined() == "".join(kept)


@given(LISTS, st.data())
def test_adding_is_putting_in_lines(text: str, data: st.DataObject) -> None:
    chosen, before = any_item(text, data), lines(text)
    try:
        edit = add_below(before, chosen, "new")
    except ExecutionFailed:
        return
    texts = list(edit.lines.texts)
    del texts[edit.line - 1]
    assert tuple(texts) == before.texts
    assert len(edit.lines.breaks) == len(before.breaks) + 1


@given(LISTS, st.data(), st.booleans())
def test_moving_loses_no_line_and_leaves_the_others(text: str, data: st.DataObject, down: bool) -> None:
    chosen, before = any_item(text, data), lines(text)
    try:
        edit = move(before, chosen, down=down)
    except ExecutionFailed:
        return
    assert len(edit.lines.texts) == len(before.texts)
    bare = sorted(line.strip(" \t0123456789.)") for line in before.texts if line.strip())
    assert sorted(line.strip(" \t0123456789.)") for line in edit.lines.texts if line.strip()) == bare
    assert Lines.split(edit.lines.joined()).texts == edit.lines.texts


@given(MARKDOWN, MARKDOWN)
def test_any_section_of_any_text_takes_an_item_or_refuses(text: str, more: str) -> None:
    for section in (None, *(row for row in checklist(text + more).rows if isinstance(row, Section))):
        try:
            edit = add_to_section(lines(text + more), section, "new")
        except ExecutionFailed:
            continue
        kept = [line for line in edit.lines.texts if line.strip() and "new" not in line]
        assert kept == [line for line in lines(text + more).texts if line.strip()]
