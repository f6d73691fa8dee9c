"""A damaged state database: what can be read of it is kept, the rest is begun anew, and nothing waits for a person."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.refusals import Refusal
from memgui.storage import anchors
from memgui.storage.journal import Journal
from memgui.storage.salvage import untold

PAGE = 4096


def filled(state: Path, count: int = 400) -> Path:
    journal = Journal(state)
    for number in range(count):
        journal.intend(
            DocPath(f"{number}.md"), Origin.agent("scribe"), before=None, after=fingerprint(b"%d" % number), time=1.0
        )
    journal.refuse(Refusal(1.0, Origin.agent("scribe"), "memory_write", "SOUL.md", "NotAuthorized", "no"))
    anchors.release()
    return state / "journal.sqlite"


@pytest.mark.parametrize("page", [2, 3, 6, 9, 12])
def test_a_damaged_page_costs_what_lay_on_it(tmp_path: Path, page: int) -> None:
    file = filled(tmp_path)
    with open(file, "r+b") as handle:
        handle.seek(page * PAGE)
        handle.write(b"\xa5" * PAGE)
    journal = Journal(tmp_path)
    for _look in range(2):
        journal.rows()
        journal.refusals()
        journal.intend(DocPath("0.md"), Origin.you(), before=None, after=None, time=2.0)
    rows = journal.rows()
    assert rows[-1].origin == Origin.you()
    assert len(rows) > 300
    assert len({row.id for row in rows}) == len(rows)


def test_rows_keep_their_numbers_and_the_damage_is_told_once_to_each_face(tmp_path: Path) -> None:
    file = filled(tmp_path)
    before = {row.id: row.path for row in Journal(tmp_path).rows()}
    anchors.release()
    with open(file, "r+b") as handle:
        handle.seek(8 * PAGE)
        handle.write(b"\xa5" * 6 * PAGE)
    journal = Journal(tmp_path)
    journal.rows()
    assert {row.id: row.path for row in journal.rows()}.items() <= before.items()
    told = untold(tmp_path, "window")
    assert told is not None
    assert told.rows >= len(journal.rows())
    assert (tmp_path / told.aside).exists()
    assert untold(tmp_path, "window") is None
    assert untold(tmp_path, "shell") is not None


_WRITER = """
import sys
from pathlib import Path
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.storage.journal import Journal
journal = Journal(Path(sys.argv[1]))
for number in range(20):
    journal.intend(DocPath(f"{sys.argv[2]}-{number}.md"), Origin.you(), before=None, after=None, time=2.0)
"""


@pytest.mark.parametrize("part", [slice(0, None), slice(8 * PAGE, 14 * PAGE)])
def test_of_several_processes_that_meet_one_damage_none_loses_a_row(tmp_path: Path, part: slice) -> None:
    file = filled(tmp_path)
    data = bytearray(file.read_bytes())
    data[part] = b"\xa5" * len(data[part])
    file.write_bytes(data)
    commands = [[sys.executable, "-c", _WRITER, str(tmp_path), str(number)] for number in range(4)]
    processes = [subprocess.Popen(command) for command in commands]
    assert [process.wait() for process in processes] == [0, 0, 0, 0]
    rows = [row for row in Journal(tmp_path).rows() if row.time == 2.0]
    assert len({row.path for row in rows}) == 80
    assert len(list(tmp_path.glob("journal.sqlite.damaged-?"))) == 1


def test_where_nothing_was_damaged_nothing_is_told(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    assert untold(tmp_path, "window") is None


@pytest.mark.parametrize("damage", [b"", b"[]", b'{"time": "x"}', b"\xff"])
def test_no_bytes_in_the_note_are_trouble(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "salvaged.json").write_bytes(damage)
    assert untold(tmp_path, "window") is None


_STANDING_BY = _WRITER + 'print("ready", flush=True)\nsys.stdin.readline()\njournal.rows()\n'


@pytest.mark.parametrize("left", [0, 4 * PAGE])
def test_what_is_cut_short_while_another_process_has_it_open_is_begun_anew_by_both(tmp_path: Path, left: int) -> None:
    command = [sys.executable, "-c", _STANDING_BY, str(tmp_path), "0"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        wal = tmp_path / "journal.sqlite-wal"
        wal.write_bytes(wal.read_bytes()[:left])
        journal = Journal(tmp_path)
        journal.intend(DocPath("mine.md"), Origin.you(), before=None, after=None, time=3.0)
        other.communicate("\n")
    assert other.returncode == 0
    assert "mine.md" in [row.path for row in journal.rows()]
    assert untold(tmp_path, "window") is not None
