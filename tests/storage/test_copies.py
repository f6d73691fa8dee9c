"""Kept copies that stand on others: they cost little, come back to the byte, and no damaged file costs another."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import NotFound, ReadFailed
from memgui.storage import deltas
from memgui.storage.kept import KeptCopies

LINES = st.lists(st.sampled_from([b"one\n", b"two\r\n", b"three\r", b"\n", b"no end", b"\xff\x00\n"]), max_size=30)


@settings(deadline=None)
@given(LINES, LINES)
def test_a_difference_gives_the_bytes_back(old: list[bytes], new: list[bytes]) -> None:
    base, data = b"".join(old), b"".join(new)
    assert deltas.applied(base, deltas.between(base, data)) == data


def test_lines_edited_here_and_there_cost_those_lines() -> None:
    lines = [b"line %d of a memory, with a few words to it\n" % number for number in range(2000)]
    base = b"".join(lines)
    lines[3], lines[1000], lines[1990] = b"first edit\n", b"second edit\n", b"third edit\n"
    data = b"".join(lines)
    assert len(deltas.between(base, data).body) < 200


def grown(copies: KeptCopies, count: int = 60) -> list[Fingerprint]:
    """The versions of a log that is appended to."""
    words = random.Random(1)
    prints: list[Fingerprint] = []
    data = b"# Log\n" * 100
    for number in range(count):
        data += b"- 14:%02d %d berth %x\n" % (number % 60, number, words.getrandbits(64))
        prints.append(copies.put(data, like=prints[-1] if prints else None))
    return prints


def files(copies: Path) -> list[Path]:
    return sorted(path for path in copies.rglob("*") if path.is_file())


def test_an_append_only_log_of_a_thousand_versions_takes_under_fifteen_hundredths(tmp_path: Path) -> None:
    copies = KeptCopies(tmp_path)
    prints = grown(copies, 1000)
    whole = sum(len(copies.get(print_)) for print_ in prints)
    assert sum(path.stat().st_size for path in files(tmp_path)) < 0.15 * whole


@pytest.mark.parametrize("damage", ["cut", "other", "gone", "empty"])
def test_each_damaged_file_costs_itself_alone(tmp_path: Path, damage: str) -> None:
    copies = KeptCopies(tmp_path)
    prints = grown(copies, 40)
    texts = {print_: copies.get(print_) for print_ in prints}
    assert sum(copy.base is not None for copy in copies.all()) > 20
    for path in files(tmp_path):
        whole = path.read_bytes()
        if damage == "gone":
            path.unlink()
        else:
            path.write_bytes({"cut": whole[:-2], "other": b"mgd1" + bytes(90), "empty": b""}[damage])
        lost = []
        for print_ in prints:
            try:
                assert copies.get(print_) == texts[print_]
            except (ReadFailed, NotFound):
                lost.append(print_)
        assert lost in ([], [Fingerprint(path.parent.name + path.name)])
        path.write_bytes(whole)


def test_a_base_that_is_damaged_gets_both_its_files_again(tmp_path: Path) -> None:
    copies = KeptCopies(tmp_path)
    prints = grown(copies, 20)
    base = next(copy.base for copy in copies.all() if copy.base is not None)
    (tmp_path / base[:2] / base[2:]).write_bytes(b"damage")
    assert copies.mend(base)
    assert not copies.mend(base)
    (tmp_path / base[:2] / (base[2:] + ".twin")).unlink()
    assert copies.mend(base)
    assert all(copies.get(print_) for print_ in prints)


def test_a_base_put_again_after_damage_stays_whole(tmp_path: Path) -> None:
    copies = KeptCopies(tmp_path)
    prints = grown(copies, 20)
    base = next(copy.base for copy in copies.all() if copy.base is not None)
    data = copies.get(base)
    (tmp_path / base[:2] / base[2:]).write_bytes(b"damage")
    copies.put(data, like=prints[-1])
    assert next(copy for copy in copies.all() if copy.hash == base).base is None


def test_what_was_forgotten_is_gone_and_is_not_kept_again(tmp_path: Path) -> None:
    copies = KeptCopies(tmp_path)
    print_ = copies.put(b"the key is 4711")
    copies.forget(print_)
    copies.put(b"the key is 4711")
    with pytest.raises(NotFound, match="forgotten"):
        copies.get(print_)
    assert print_ not in copies
    assert copies.is_forgotten(print_)
    assert [copy.is_forgotten for copy in copies.all()] == [True]


def test_a_copy_can_be_made_to_stand_alone(tmp_path: Path) -> None:
    copies = KeptCopies(tmp_path)
    prints = grown(copies, 20)
    texts = [copies.get(print_) for print_ in prints]
    base = next(copy.base for copy in copies.all() if copy.base is not None)
    for copy in list(copies.all()):
        if copy.base == base:
            copies.make_whole(copy.hash)
    copies.drop(base)
    assert [copies.get(print_) for print_ in prints if print_ != base] == [
        text for text in texts if fingerprint(text) != base
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(st.lists(LINES, min_size=1, max_size=8))
def test_any_row_of_versions_comes_back(tmp_path: Path, versions: list[list[bytes]]) -> None:
    copies, like = KeptCopies(tmp_path), None
    texts = [b"begin\n" * 200 + b"".join(lines) for lines in versions]
    prints = []
    for text in texts:
        like = copies.put(text, like=like)
        prints.append(like)
    assert [copies.get(print_) for print_ in prints] == texts
