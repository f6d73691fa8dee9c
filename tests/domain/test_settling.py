"""What a person writes is brought into what they accepted; what others wrote is not."""

from __future__ import annotations

import pytest

from memgui.domain.settling import settled


@pytest.mark.parametrize(
    ("accepted", "before", "after", "now"),
    [
        # elsewhere, beside, and in the midst of what others wrote
        (b"a\nb\n", b"a\nX\nb\n", b"mine\na\nX\nb\n", b"mine\na\nb\n"),
        (b"a\nb\n", b"a\nX\nb\n", b"a\nX\nmine\nb\n", b"a\nmine\nb\n"),
        (b"a\nb\n", b"a\nX\nY\nb\n", b"a\nX\nmine\nY\nb\n", b"a\nmine\nb\n"),
        (b"a\nold\nb\n", b"a\nX\nY\nb\n", b"a\nX\nmine\nY\nb\n", b"a\nold\nmine\nb\n"),
        # what others wrote, mended, is still theirs; taken away, it is gone
        (b"a\nb\n", b"a\nthe ferry\nb\n", b"a\nthe fast ferry\nb\n", b"a\nb\n"),
        (b"a\nb\n", b"a\nthe ferry\nb\n", b"a\nthe fast ferry\nmine\nb\n", b"a\nmine\nb\n"),
        (b"a\nb\n", b"a\nX\nb\n", b"a\nb\n", b"a\nb\n"),
        # what others took away, brought back
        (b"a\nlost\nb\n", b"a\nb\n", b"a\nlost\nb\n", b"a\nlost\nb\n"),
        # at the end, without a last line end
        (b"a\n", b"a\nX", b"a\nX\nmine", b"a\nmine"),
        # a document that others made, or took away
        (None, b"the ferry\n", b"the fast ferry\n", None),
        (None, b"X\n", b"X\nmine\n", b"mine\n"),
        (b"a\nb\n", None, b"a\nmine\n", b"a\nb\nmine\n"),
        (b"a\r\nb", b"a\r\nX\r\nb", b"a\r\nX\r\nb\r\nmine", b"a\r\nb\r\nmine"),
    ],
)
def test_what_a_person_changes_settles(
    accepted: bytes | None, before: bytes | None, after: bytes, now: bytes | None
) -> None:
    assert settled(accepted, before, after) == now
