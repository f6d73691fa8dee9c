"""Blame: every line has its writer, through edits, moves and lost versions, and none is guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.errors import NotFound
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops.blame import Blamed, blame, blamed
from tests.ops.review_values import MEMORY, SCRIBE, YOU, opened, put, write


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return opened(tmp_path / "ws", {"MEMORY.md": b"one\ntwo\nthree\n"})


def told(ws: Workspace) -> list[tuple[str, int]]:
    return [(line.who, line.version) for line in blame(ws, MEMORY)]


def test_each_line_is_of_the_version_that_brought_it(ws: Workspace) -> None:
    write(ws, b"one\ntwo\nthree\nfour\n", origin=SCRIBE)
    write(ws, b"one\n2\nthree\nfour\n", origin=YOU)
    put(ws.root, MEMORY, b"zero\none\n2\nthree\nfour\n")
    assert told(ws) == [("outside", 4), ("outside", 1), ("you", 3), ("outside", 1), ('agent "scribe"', 2)]
    assert [line.is_first for line in blame(ws, MEMORY)] == [False, True, False, True, False]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_who_begins_a_line_below_the_last_has_not_written_that_one(ws: Workspace, end: bytes) -> None:
    write(ws, b"one" + end + b"mine", origin=YOU)
    write(ws, b"one" + end + b"mine" + end + end + b"theirs", origin=SCRIBE)
    assert [line.who for line in blame(ws, MEMORY)][1:] == ["you", 'agent "scribe"', 'agent "scribe"']


def test_alike_lines_keep_their_writers(ws: Workspace) -> None:
    write(ws, b"- x\n" * 3, origin=SCRIBE)
    write(ws, b"- x\n" * 5, origin=YOU)
    assert told(ws) == [('agent "scribe"', 2)] * 3 + [("you", 3)] * 2


def test_where_a_version_is_lost_nobody_is_guessed(ws: Workspace) -> None:
    lost = b"one\ntwo\nthree\nfour\n"
    write(ws, lost, origin=SCRIBE)
    write(ws, b"one\ntwo\nthree\nfour\nfive\n", origin=YOU)
    print_ = fingerprint(lost)
    for file in (ws.state / "kept" / print_[:2]).glob(f"{print_[2:]}*"):
        file.write_bytes(b"damaged")
    assert told(ws) == [("outside", 1)] * 3 + [("", 3)] * 2


def test_what_was_never_there_has_no_lines(ws: Workspace) -> None:
    with pytest.raises(NotFound):
        blame(ws, DocPath("none.md"))


def test_bytes_that_are_no_text_have_none_either(ws: Workspace) -> None:
    write(ws, b"\0\n\n", origin=YOU)
    assert blame(ws, MEMORY) == ()
    write(ws, b"text\n", origin=YOU)
    assert told(ws) == [("you", 3)]


def test_a_long_log_is_told_in_one_go_and_stops_when_asked(ws: Workspace) -> None:
    data = b""
    for number in range(40):
        data += b"%d\n" % number
        write(ws, data, "log.md", origin=Origin.agent(f"a{number % 3}"))
    lines = blame(ws, DocPath("log.md"))
    assert [line.who for line in lines] == [f'agent "a{number % 3}"' for number in range(40)]
    assert blame(ws, DocPath("log.md"), stop=lambda: True) == ()


def test_over_a_text_that_is_not_saved_its_lines_are_nobodys(ws: Workspace) -> None:
    write(ws, b"one\ntwo\nthree\nfour\n", origin=SCRIBE)
    found = blamed(ws, MEMORY)
    over = found.over(b"one\nand a half\ntwo\nfour")
    assert [line.version if line is not None else None for line in over] == [1, None, 1, 2]
    assert [line.version if line is not None else None for line in found.over(b"one\ntwo\nthree\nfour\n")] == [
        1,
        1,
        1,
        2,
    ]


def test_what_is_no_text_lies_over_nothing(ws: Workspace) -> None:
    write(ws, b"\0\n\n", origin=YOU)
    assert blamed(ws, MEMORY) == Blamed()
