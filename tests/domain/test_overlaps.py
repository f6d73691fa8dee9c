"""Overlaps while somebody works on them and the other side goes on."""

from __future__ import annotations

from collections.abc import Sequence

from memgui.domain.overlaps import Region, follow, moved, places_in, regions_of
from memgui.domain.pieces import merge_pieces, replaced

BASE = [f"{letter}\n" for letter in "abcdefgh"]


def edited(**lines: str) -> list[str]:
    """The base with other lines in the place of some; more than one where there are blanks."""
    return [f"{word}\n" for line in BASE for word in lines.get(line[0], line[0]).split()]


def words(lines: Sequence[str]) -> str:
    return " ".join(line.strip() for line in lines)


def test_regions_go_with_their_lines_and_take_in_nothing_beside_them() -> None:
    merged = merge_pieces(BASE, edited(c="mine"), edited(c="theirs"))
    (region,) = regions_of(merged)
    assert (region.first, region.count) == (2, 1)
    new = edited(b="b new", c="mine also", d="new d")
    (there,) = moved([region], merged.lines, new)
    assert words(new[there.first : there.end]) == "mine"


def test_an_empty_region_stays_empty_beside_what_comes() -> None:
    merged = merge_pieces(BASE, edited(c=""), edited(c="theirs"))
    (region,) = regions_of(merged)
    assert (region.first, region.count) == (2, 0)
    (there,) = moved([region], merged.lines, edited(a="a new", c=""))
    assert (there.first, there.count) == (3, 0)


def test_a_line_of_a_side_is_found_by_its_place_in_the_merged_text() -> None:
    theirs = edited(a="a new newer", c="theirs")
    merged = merge_pieces(BASE, edited(c="mine"), theirs)
    (region,) = regions_of(merged)
    assert [theirs[line] for line in places_in(theirs, merged.lines, [0, region.first])] == ["a\n", "theirs\n"]
    assert places_in([], merged.lines, [region.first]) == (0,)


def test_what_theirs_changes_elsewhere_comes_in_and_decisions_stay() -> None:
    mine, before = edited(b="mine", g="mine2"), edited(b="theirs", g="theirs2")
    merged = merge_pieces(BASE, mine, before)
    first, second = regions_of(merged)
    result = replaced(merged.lines, first.first, first.count, first.overlap.theirs)
    after = edited(a="new a", b="theirs", g="theirs2")
    anew = merge_pieces(BASE, mine, after)
    lines, regions = follow(
        result, [Region(first.overlap, 1, 1, decided=True), second], before=before, after=after, anew=anew
    )
    assert words(lines) == "new a theirs c d e f mine2 h"
    assert [(region.first, region.decided) for region in regions] == [(2, True), (7, False)]


def test_only_what_theirs_changed_again_has_to_be_decided_again() -> None:
    mine, before = edited(b="mine", g="mine2"), edited(b="theirs", g="theirs2")
    merged = merge_pieces(BASE, mine, before)
    regions = tuple(Region(one.overlap, one.first, one.count, decided=True) for one in regions_of(merged))
    result = replaced(merged.lines, 1, 1, ["my own\n"])
    after = edited(b="theirs-again", g="theirs2")
    anew = merge_pieces(BASE, mine, after)
    lines, there = follow(result, regions, before=before, after=after, anew=anew)
    assert words(lines) == "a my own c d e f mine2 h"
    assert [(words(one.overlap.mine), words(one.overlap.theirs), one.decided) for one in there] == [
        ("my own", "theirs-again", False),
        ("mine2", "theirs2", True),
    ]


def test_what_theirs_gave_up_is_no_matter_any_more() -> None:
    mine, before = edited(b="mine", g="mine2"), edited(b="theirs", g="theirs2")
    merged = merge_pieces(BASE, mine, before)
    after = edited(b="mine", g="theirs2")
    lines, there = follow(
        merged.lines, regions_of(merged), before=before, after=after, anew=merge_pieces(BASE, mine, after)
    )
    assert words(lines) == "a mine c d e f mine2 h"
    assert [words(one.overlap.theirs) for one in there] == ["theirs2"]


def test_the_last_line_keeps_having_no_end() -> None:
    assert replaced(["a\n", "b"], 1, 1, ["x\n", "y\n"]) == ("a\n", "x\n", "y")
    assert replaced(["a\n", "b\n"], 1, 1, ["x"]) == ("a\n", "x\n")
    assert replaced(["a\n", "b\n"], 0, 0, []) == ("a\n", "b\n")
