"""Searches made before: the latest first, saved ones under their names, each to be taken away."""

from __future__ import annotations

from memgui.domain.searches import LONGEST, MOST_RECENT, SavedSearch, Searches


def test_the_latest_stands_first_and_once() -> None:
    made = Searches().made("crane").made(" berth ").made("crane").made("  ")
    assert made.recent == ("crane", "berth")


def test_no_more_are_remembered_than_anybody_goes_through() -> None:
    made = Searches()
    for number in range(MOST_RECENT + 10):
        made = made.made(str(number))
    assert len(made.recent) == MOST_RECENT
    assert made.made("x" * (LONGEST + 1)) == made


def test_saved_ones_stand_by_name_and_one_search_has_one() -> None:
    saved = Searches().with_saved("day:2026-11 crane", "November").with_saved("berth", "berth")
    assert saved.saved == (SavedSearch("berth"), SavedSearch("day:2026-11 crane", "November"))
    again = saved.with_saved("berth", " the  quay ")
    assert [one.title for one in again.saved] == ["November", "the quay"]


def test_what_is_taken_away_is_saved_no_more_and_then_forgotten() -> None:
    made = Searches().made("crane").with_saved("crane", "the crane")
    once = made.without("crane")
    assert once.saved == ()
    assert once.recent == ("crane",)
    assert once.without("crane") == Searches()


def test_what_was_taken_away_comes_back_by_joining_what_was_before() -> None:
    before = Searches().made("moon").made("crane").made("tide").with_saved("crane", "the crane")
    after = before.without("crane")
    later = after.made("berth")
    assert before.joined(after, later) == later.with_saved("crane", "the crane")
    gone = before.without("moon")
    assert set(before.joined(gone, gone.made("berth")).recent) == {"berth", "tide", "crane", "moon"}
