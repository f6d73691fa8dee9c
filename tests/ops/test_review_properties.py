"""Verdicts in any order: at the end baseline and disk hold exactly the kept hunks, and the person's own text."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from memgui.domain.hunks import hunks, pieces, taken
from memgui.domain.workspace import Workspace
from memgui.ops import review
from memgui.ops.recovery import copies
from memgui.ops.review_undo import take_back
from memgui.ops.review_verdicts import accept, reject
from memgui.storage.baselines import Baselines
from tests.ops.review_values import MEMORY, YOU, now_there, only, opened, put, write

ENDINGS = st.sampled_from([b"\n", b"\r\n", b"\n", b"\r"])
BEGINNINGS = st.sampled_from([b"", b"\xef\xbb\xbf"])
FEW = settings(max_examples=max(3, settings().max_examples // 5))


@dataclass
class Texts:
    """Two texts whose every line occurs once in each, so that it is clear what became of which."""

    before: list[bytes] = field(default_factory=list)
    after: list[bytes] = field(default_factory=list)


@st.composite
def texts(draw: st.DrawFn) -> Texts:
    made = Texts()
    for number in range(draw(st.integers(1, 9))):
        line = b"line %d \xff" % number + draw(ENDINGS)
        made.before.append(line)
        deed = draw(st.sampled_from(["keep", "keep", "keep", "delete", "change", "insert"]))
        if deed == "insert":
            made.after.append(b"new %d" % number + draw(ENDINGS))
        if deed == "change":
            made.after.append(b"changed %d" % number + draw(ENDINGS))
        elif deed != "delete":
            made.after.append(line)
    mark = draw(BEGINNINGS)
    for lines in (made.before, made.after):
        is_open: bool = draw(st.booleans())
        if lines and is_open:
            lines[-1] = lines[-1].rstrip(b"\r\n")
        if lines:
            lines[0] = mark + lines[0]
    return made


def workspace(place: str, data: bytes) -> Workspace:
    os.environ["MEMGUI_HOME"] = str(Path(place, "memgui"))
    return opened(Path(place, "ws"), {"MEMORY.md": data})


def accepted(ws: Workspace) -> bytes | None:
    entry = Baselines(ws.state).at(MEMORY)
    return None if entry is None or entry.hash is None else copies(ws).get(entry.hash)


@FEW
@given(texts(), st.randoms(use_true_random=False))
def test_baseline_and_disk_end_with_exactly_the_kept_hunks(made: Texts, random: Random) -> None:
    before, after = b"".join(made.before), b"".join(made.after)
    first = hunks("", pieces(before), pieces(after))
    kept = [one for one in first if random.random() < 0.5]
    wanted = b"".join(taken(pieces(before), kept))
    with TemporaryDirectory() as place:
        ws = workspace(place, before)
        put(ws.root, MEMORY, after)
        if not after and before:
            (ws.root / MEMORY).write_bytes(b"")
        left = {(one.before, one.after): one in kept for one in first}
        while found := review.pending(ws):
            (change,) = found
            shown = review.show(ws, change).hunks
            one = random.choice(shown)
            keeps = left.pop((one.before, one.after))
            disk, baseline = now_there(ws), accepted(ws)
            if keeps:
                verdict = accept(ws, change, hunk=one.number, origin=YOU)
                assert now_there(ws) == disk
            else:
                _changes, verdict = reject(ws, change, hunk=one, origin=YOU)
                assert accepted(ws) == baseline
            if random.random() < 0.2:
                take_back(ws, verdict, origin=YOU)
                assert (now_there(ws), accepted(ws)) == (disk, baseline)
                left[one.before, one.after] = keeps
        assert (left, now_there(ws), accepted(ws)) == ({}, wanted, wanted)


@FEW
@given(
    st.lists(st.sampled_from(["person", "other", "accept", "reject"]), min_size=4, max_size=12),
    st.randoms(use_true_random=False),
)
def test_the_persons_own_text_stays_whatever_is_decided(deeds: list[str], random: Random) -> None:
    lines = [b"line %d\n" % number for number in range(3)]
    mine: set[bytes] = set()
    kept: set[bytes] = set()
    gone: set[bytes] = set()
    with TemporaryDirectory() as place:
        ws = workspace(place, b"".join(lines))
        for number, deed in enumerate(deeds):
            now = pieces(now_there(ws) or b"")
            at = random.randrange(len(now))
            new = b"%s %d\n" % (deed.encode(), number)
            if deed == "person":
                mine.add(new)
                write(ws, b"".join((*now[:at], new, *now[at:])))
            elif deed == "other":
                put(ws.root, MEMORY, b"".join((*now[:at], new, *now[at:])))
            elif found := review.pending(ws):
                one = random.choice(review.show(ws, found[0]).hunks)
                if deed == "accept":
                    accept(ws, found[0], hunk=one, origin=YOU)
                    kept.update(one.after)
                else:
                    reject(ws, found[0], hunk=one, origin=YOU)
                    gone.update(one.after)
            there = set(pieces(now_there(ws) or b""))
            assert mine | kept | set(lines) <= there
            assert not gone & there
            for change in review.pending(ws):
                added = {line for hunk in review.show(ws, change).hunks for line in hunk.after}
                assert not added & mine
                assert change.who == ("outside",)


@FEW
@given(st.binary(max_size=40), st.binary(max_size=40), st.booleans())
def test_any_bytes_are_accepted_and_rejected_to_the_byte(before: bytes, after: bytes, keeps: bool) -> None:
    with TemporaryDirectory() as place:
        ws = workspace(place, before)
        put(ws.root, MEMORY, after)
        if before == after:
            assert review.pending(ws) == ()
            return
        change = only(ws)
        if keeps:
            accept(ws, change, origin=YOU)
        else:
            reject(ws, change, origin=YOU)
        assert now_there(ws) == accepted(ws) == (after if keeps else before)
        assert review.pending(ws) == ()
