"""What the status bar says of the index of meaning, and what when asked."""

from __future__ import annotations

from memgui.gui.wiring.indexing import meaning_said
from memgui.ops.finding import MeaningProgress

MODELS = ("one", "two")


def test_what_the_models_know_is_said_as_a_share_and_what_stands_in_counts_for_nothing() -> None:
    words, explained = meaning_said(MeaningProgress(covered=3_400, passages=12_300, rough=8_900, models=MODELS))
    assert words == "meaning 27 %"
    assert explained == (
        "3,400 of 12,300 passages are known by their meaning, the newest and curated first."
        " Of 8,900 others a quicker model has a rough idea until then."
    )


def test_where_none_stands_in_nothing_is_said_of_it() -> None:
    _words, explained = meaning_said(MeaningProgress(covered=1, passages=2, models=MODELS))
    assert explained == "1 of 2 passages are known by their meaning, the newest and curated first."


def test_where_all_is_known_or_nothing_can_be_the_bar_is_silent() -> None:
    assert meaning_said(MeaningProgress(covered=5, passages=5, models=MODELS)) == ("", "")
    assert meaning_said(MeaningProgress(passages=5)) == ("", "")


def test_trouble_comes_before_any_share() -> None:
    progress = MeaningProgress(covered=1, passages=2, models=MODELS, problems=("The disk is full.",))
    assert meaning_said(progress) == ("meaning with gaps", "The disk is full.")
