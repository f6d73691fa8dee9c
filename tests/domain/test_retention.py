"""Which versions fold, and which are over the age."""

from __future__ import annotations

from memgui.domain.documents import fingerprint
from memgui.domain.origin import Origin
from memgui.domain.retention import begun_by, folded, holds_alone, outdated
from memgui.domain.versions import Version

YOU, SCRIBE = Origin.you(), Origin.agent("scribe")


def row(*made: tuple[float, Origin]) -> list[Version]:
    return [
        Version(number, fingerprint(b"%d" % number), time, origin, 1) for number, (time, origin) in enumerate(made, 1)
    ]


def test_saves_within_five_minutes_fold_into_the_last_of_them() -> None:
    found = row((0, YOU), (60, YOU), (299, YOU), (301, YOU), (700, YOU))
    assert folded(found, ()).keys() == {1, 2}


def test_only_saves_in_the_window_fold() -> None:
    found = row((0, YOU), (1, SCRIBE), (2, Origin.shell()), (3, Origin.shell()), (4, YOU), (5, Origin.outside()))
    assert not folded(found, ())


def test_what_a_verdict_or_a_conflict_left_behind_does_not_fold() -> None:
    found = row((0, YOU), (60, YOU), (90, YOU), (120, YOU))
    assert folded(found, (75.0,)).keys() == {1, 3}
    assert folded(found, (90.0,)).keys() == {1}


def test_folding_again_and_again_never_reaches_further_than_five_minutes() -> None:
    found = row(*((second, YOU) for second in range(0, 1200, 30)))
    while numbers := folded(found, ()):
        began = begun_by(found, numbers)
        found = [
            Version(one.number, one.hash, one.time, one.origin, one.size, begun=began.get(one.number, one.begun))
            for one in found
            if one.number not in numbers
        ]
    assert [one.time for one in found] == [300, 630, 960, 1170]


def test_the_version_that_stood_there_at_the_limit_is_not_over_the_age() -> None:
    found = row((0, YOU), (10, SCRIBE), (100, YOU))
    assert outdated(found, 50) == {1}
    assert outdated(found, 1000) == {1, 2}


def test_a_line_that_stands_nowhere_else_is_noticed() -> None:
    assert holds_alone({b"a", b"b"}, {b"a"})
    assert not holds_alone({b"a", b"b"}, {b"a"}, {b"b", b"c"})
    assert not holds_alone(set())
