"""Three-way merge: both sides' changes, each once, and nothing guessed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memgui.domain.differences import differences
from memgui.domain.merging import Merged, Overlap, merge

ALIKE = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "a\r\n"]), max_size=12)


def merged(base: str, mine: str, theirs: str) -> Merged[str]:
    """Each character is a line."""
    return merge(list(base), list(mine), list(theirs))


@dataclass(frozen=True)
class Edited:
    """A text of lines that are all different, and what two sides made of different lines of it."""

    base: list[str]
    mine: list[str]
    theirs: list[str]
    both: list[str]
    new_of_mine: list[str]
    new_of_theirs: list[str]


@st.composite
def disjoint_edits(draw: st.DrawFn) -> Edited:
    """Each line is left, changed, removed or followed by a new one, by nobody or by one of the two."""
    base = [f"line {i}\n" for i in range(draw(st.integers(1, 25)))]
    deeds = st.sampled_from(["change", "remove", "insert", "keep"])
    sides = st.sampled_from(["mine", "theirs"])
    made: dict[str, list[str]] = {"mine": [], "theirs": [], "both": []}
    new: dict[str, list[str]] = {"mine": [], "theirs": []}
    for i, line in enumerate(base):
        deed, side = draw(deeds), draw(sides)
        if deed in ("change", "insert"):
            new[side].append(f"{deed} {i} by {side}\n")
        result = {
            "change": new[side][-1:],
            "remove": [],
            "insert": [line, *new[side][-1:]],
            "keep": [line],
        }[deed]
        for name in made:
            made[name] += result if name in (side, "both") else [line]
    return Edited(base, made["mine"], made["theirs"], made["both"], new["mine"], new["theirs"])


@given(disjoint_edits())
def test_changes_of_different_lines_are_both_in_once(edited: Edited) -> None:
    kept = set(edited.base) & set(edited.mine) & set(edited.theirs)
    assume(len(kept) > 0)
    result = merge(edited.base, edited.mine, edited.theirs)
    assert result.lines == tuple(edited.both)
    assert not result.overlaps
    for new in (*edited.new_of_mine, *edited.new_of_theirs):
        assert result.lines.count(new) == 1


@given(ALIKE, ALIKE)
def test_one_side_alone_is_taken_as_it_is(base: list[str], side: list[str]) -> None:
    assert merge(base, side, base) == Merged(tuple(side))
    assert merge(base, side, side) == Merged(tuple(side))
    taken = merge(base, base, side)
    assert taken.lines == tuple(side)
    assert not taken.overlaps
    assert bool(taken.taken) == (base != side)


@st.composite
def edited_lists(draw: st.DrawFn) -> list[list[str]]:
    """Alike lines, and what two sides made of them by a few deeds each: anywhere, the same or not."""
    base = draw(ALIKE)
    sides = [list(base), list(base)]
    for side in sides:
        for deed in draw(st.lists(st.sampled_from(["change", "remove", "insert"]), max_size=3)):
            at = draw(st.integers(0, len(side)))
            new = [] if deed == "remove" else [draw(st.sampled_from(["a\n", "b\n", "c\n", "\n"]))]
            side[at : at + (deed != "insert")] = new
    return [base, *sides]


@given(edited_lists())
def test_alike_lines_are_never_doubled_and_none_is_invented(texts: list[list[str]]) -> None:
    result = merge(*texts)
    if result.overlaps:
        return
    counts = [Counter(lines) for lines in texts]
    for line, count in Counter(result.lines).items():
        if not line.strip():
            continue
        in_base, in_mine, in_theirs = (each[line] for each in counts)
        assert count <= max(in_mine, in_theirs, in_mine + in_theirs - in_base)


@given(ALIKE, ALIKE, ALIKE)
def test_overlaps_stand_where_they_say_and_with_theirs_in_place_the_other_side_is_merged(
    base: list[str], mine: list[str], theirs: list[str]
) -> None:
    result = merge(base, mine, theirs)
    for overlap in result.overlaps:
        assert result.lines[overlap.start : overlap.start + len(overlap.mine)] == overlap.mine
        assert overlap.mine != overlap.theirs
    other = merge(base, theirs, mine)
    assert [(o.base, o.theirs, o.mine) for o in other.overlaps] == [(o.base, o.mine, o.theirs) for o in result.overlaps]


@given(ALIKE, ALIKE, ALIKE)
def test_every_line_of_both_sides_is_somewhere(base: list[str], mine: list[str], theirs: list[str]) -> None:
    """In the text or in an overlap's other side, as far as the base and the other side did not hold it already."""
    result = merge(base, mine, theirs)
    there = Counter(result.lines) + Counter(line for overlap in result.overlaps for line in overlap.theirs)
    for side in (mine, theirs):
        came = Counter(line for splice in differences(base, side) for line in splice.texts if line.strip())
        for line in came:
            assert there[line] > 0


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "lines"),
    [
        ("abc", "xbc", "aby", "xby"),
        ("abc", "axc", "aby", "axy"),
        ("abc", "axbc", "abyc", "axbyc"),
        ("abc", "axc", "axc", "axc"),
        ("abc", "abxc", "ab", "abx"),
        ("abc", "abcx", "abyc", "abycx"),
        ("abc", "abcx", "abcy", "abcyx"),
        ("abc", "abcxy", "abcx", "abcxy"),
        ("abc", "ac", "abxc", "axc"),
        ("abc", "axyc", "abyc", "axyc"),
        ("abcd", "acbd", "acbd", "acbd"),
        ("aaa", "aaaa", "aaaa", "aaaa"),
        ("xaa", "yaaa", "xaaa", "yaaa"),
        ("xaa", "ya", "xa", "ya"),
        ("bvvv", "bxxx", "bvvvv", "bxxxv"),
        ("a  b", "a   b", "a    b", "a    b"),
    ],
    ids=str,
)
def test_what_goes_together(base: str, mine: str, theirs: str, lines: str) -> None:
    result = merged(base, mine, theirs)
    assert "".join(result.lines) == lines
    assert not result.overlaps


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "overlaps"),
    [
        ("abc", "axc", "ayc", ["b|x|y"]),
        ("abc", "ac", "ayc", ["b||y"]),
        ("abc", "axbc", "aybc", ["|x|y"]),
        ("", "x", "y", ["|x|y"]),
        ("abc", "abcd", "y", ["abc|abcd|y"]),
        ("aaa", "aaaa", "aaaaa", ["|a|aa"]),
        ("aaab", "aab", "axab", ["aa||x"]),
        ("aaab", "aaaab", "axab", ["aa|aaa|xa"]),
        ("abc", "abcvx", "abcvvy", ["|vx|vvy"]),
        ("abcdefg", "acdebfg", "acdefgb", ["|b|", "||b"]),
        ("abc", "xyz", "avc", ["abc|xyz|avc"]),
    ],
    ids=str,
)
def test_what_is_left_to_the_person(base: str, mine: str, theirs: str, overlaps: list[str]) -> None:
    found = [
        "|".join("".join(part) for part in (overlap.base, overlap.mine, overlap.theirs))
        for overlap in merged(base, mine, theirs).overlaps
    ]
    assert found == overlaps


def test_lines_taken_are_counted() -> None:
    assert merged("abcdef", "xbcdef", "abcyzf").taken == 2
    assert merged("abcdef", "xbcdef", "abcf").taken == 2
    assert merged("abc", "abcx", "abcyz").taken == 2
    assert merged("abc", "axc", "ayc").taken == 0


def test_two_thousand_alike_lines_all_changed_are_no_conflict() -> None:
    """The standard library's matcher takes these for one overlap, after many seconds."""
    head, items, ticked = ["# List\n"], ["- [ ] buy milk\n"] * 2000, ["- [x] buy milk\n"] * 2000
    result = merge(head + items, head + ticked, ["# Errands\n", *items, "- [ ] sleep\n"])
    assert result.lines == ("# Errands\n", *ticked, "- [ ] sleep\n")
    assert not result.overlaps
    one_more = [*items[:700], "- [x] buy milk\n", *items[701:]]
    assert merge(items, ticked, one_more) == Merged(tuple(ticked))
    numbered = [f"- [ ] {i % 50}\n" for i in range(2000)]
    all_ticked = [line.replace("[ ]", "[x]") for line in numbered]
    assert merge(numbered, all_ticked, [*numbered, "- [ ] sleep\n"]).lines == (*all_ticked, "- [ ] sleep\n")


def test_many_changes_of_both_sides_between_each_other_are_merged_at_once() -> None:
    base = [f"{i}\n" for i in range(20_000)]
    mine = [line if i % 4 else f"mine {line}" for i, line in enumerate(base)]
    theirs = [line if i % 4 != 2 else f"theirs {line}" for i, line in enumerate(base)]
    result = merge(base, mine, theirs)
    assert not result.overlaps
    assert result.taken == 5000
    assert result.lines[:3] == ("mine 0\n", "1\n", "theirs 2\n")


def test_an_overlap_tells_all_three_sides() -> None:
    assert merged("abcd", "aXcd", "aYcZ") == Merged(
        tuple("aXcZ"), (Overlap(1, base=("b",), mine=("X",), theirs=("Y",)),), taken=1
    )
