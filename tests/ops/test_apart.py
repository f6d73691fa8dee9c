"""What reads every document when a workspace is new, done by a process apart: it comes to the same, come what may."""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from memgui.domain.errors import MemguiError
from memgui.domain.hits import Found
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import baselines, following, opening, own_process, review, sync, versions
from memgui.ops.apart import reading
from memgui.ops.apart.reading import Apart
from memgui.ops.finder import Finder
from memgui.storage.baselines import Baselines

DOCUMENTS = 260
KILLS = int(os.environ.get("MEMGUI_TEST_KILLS", "6"))
"""Of the report: `MEMGUI_TEST_KILLS=200`."""

Begin = Callable[..., "subprocess.Popen[bytes]"]
real_begin: Begin = own_process.begin


@dataclass
class Processes:
    """Those that were begun, and how the next ones are to be."""

    begun: list[subprocess.Popen[bytes]] = field(default_factory=list)
    begin: Begin = real_begin

    def __call__(self, *told: str) -> subprocess.Popen[bytes]:
        process = self.begin(*told)
        self.begun.append(process)
        return process

    @property
    def running(self) -> list[subprocess.Popen[bytes]]:
        return [process for process in self.begun if process.poll() is None]


@pytest.fixture(autouse=True)
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Processes]:
    made = Processes()
    monkeypatch.setattr(own_process, "begin", made)
    yield made
    assert not made.running


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    for number in range(DOCUMENTS):
        path = root / f"{number % 7}/{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Document {number}\n\n" + f"Berth {number} is closed.\n" * (number % 40 + 1))
    return root


def kept_in(place: Path, root: Path) -> Workspace:
    """The workspace, with what memgui keeps of it in a place of its own."""
    return Workspace(root, "id", "name", place / "state", place / "cache")


@pytest.fixture
def ws(tmp_path: Path, root: Path) -> Workspace:
    return kept_in(tmp_path / "apart", root)


@pytest.fixture
def here(tmp_path: Path, root: Path) -> Workspace:
    """The same folder, seen to in this process."""
    return kept_in(tmp_path / "here", root)


@pytest.fixture
def apart() -> Iterator[Apart]:
    apart = Apart()
    yield apart
    apart.close()


def accepted(ws: Workspace) -> dict[DocPath, tuple[object, ...]]:
    entries, opened = Baselines(ws.state).all()
    assert opened.done
    # The time of a change that was only just is not relied on, and so not kept.
    return {path: (entry.hash, entry.state and entry.state[:2], entry.settled) for path, entry in entries.items()}


def history(ws: Workspace) -> dict[str, list[tuple[object, ...]]]:
    return {
        path: [(one.number, one.hash, one.size, one.time, one.origin) for one in versions.seen(ws, path)]
        for path in sync.look(ws).nodes
        if path.endswith(".md")
    }


# The same as here ---------------------------------------------------------------------------------------------------


def test_what_stands_there_counts_as_accepted(
    ws: Workspace, here: Workspace, processes: Processes, apart: Apart
) -> None:
    told: list[tuple[int, int]] = []
    assert apart.begin(ws, sync.look(ws), progress=lambda done, total: told.append((done, total)))
    baselines.begin(here, sync.look(here))
    assert accepted(ws) == accepted(here)
    assert len(accepted(ws)) == DOCUMENTS
    assert told[-1] == (DOCUMENTS, DOCUMENTS)
    assert review.pending(ws, sync.look(ws)) == ()
    assert len(processes.begun) == 1


def test_every_document_is_met(ws: Workspace, here: Workspace, processes: Processes, apart: Apart) -> None:
    apart.meet(ws, sync.look(ws))
    following.meet(here, sync.look(here))
    assert history(ws) == history(here)
    assert all(len(found) == 1 for found in history(ws).values())
    apart.meet(ws, sync.look(ws))
    assert len(processes.begun) == 1


def test_what_was_wrong_before_anybody_looked_is_found(
    ws: Workspace, here: Workspace, processes: Processes, apart: Apart
) -> None:
    (ws.root / "hidden.md").write_text("Do as you are told\u200b\n")
    (ws.root / "broken.md").write_text("[the plan](nowhere.md)\n")
    found = apart.look_over(ws, sync.look(ws))
    assert found == opening.look_over(here, sync.look(here))
    assert (found.findings, found.hiding) == (1, ("hidden.md",))
    assert len(processes.begun) == 1


@pytest.mark.parametrize("name", ["caf\udce9.md", "two\nlines.md", "港口.md"])
def test_whatever_a_document_is_called(ws: Workspace, here: Workspace, name: str, apart: Apart) -> None:
    Path(os.fsdecode(os.fsencode(ws.root / name))).write_text("# Named\n")
    assert apart.begin(ws, sync.look(ws))
    baselines.begin(here, sync.look(here))
    assert accepted(ws) == accepted(here)


def test_few_documents_need_no_process(
    ws: Workspace, processes: Processes, monkeypatch: pytest.MonkeyPatch, apart: Apart
) -> None:
    monkeypatch.setattr(reading, "FEW", DOCUMENTS + 1)
    assert apart.begin(ws, sync.look(ws))
    assert len(accepted(ws)) == DOCUMENTS
    assert processes.begun == []


def test_expected_trouble_is_raised_here(ws: Workspace, processes: Processes, apart: Apart) -> None:
    ws.state.parent.mkdir()
    ws.state.write_text("where a folder should be")
    with pytest.raises(MemguiError) as there:
        apart.begin(ws, sync.look(ws))
    with pytest.raises(MemguiError) as told:
        baselines.begin(ws, sync.look(ws))
    assert (type(there.value), there.value.message, there.value.hint) == (
        type(told.value),
        told.value.message,
        told.value.hint,
    )
    assert len(processes.begun) == 1


# While others write --------------------------------------------------------------------------------------------------


def test_what_is_written_between_the_look_and_the_reading_pends(ws: Workspace, apart: Apart) -> None:
    snapshot = sync.look(ws)
    with (ws.root / "3/3.md").open("a") as file:
        file.write("An agent was here.\n")
    assert apart.begin(ws, snapshot)
    assert [change.path for change in review.pending(ws, sync.look(ws))] == ["3/3.md"]


def test_what_is_written_while_it_goes_on_pends(ws: Workspace, apart: Apart) -> None:
    def write(done: int, total: int) -> None:
        for path in ("6/6.md", "6/258.md") if done < total else ():
            (ws.root / path).write_text("Another text.\n")

    assert apart.begin(ws, sync.look(ws), progress=write)
    assert {change.path for change in review.pending(ws, sync.look(ws))} == {"6/6.md", "6/258.md"}


# Stopped, killed, dying ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("least", [0, 1, 2])
def test_stopped_it_leaves_no_process_and_goes_on_another_time(
    ws: Workspace, here: Workspace, processes: Processes, apart: Apart, least: int
) -> None:
    told: list[tuple[int, int]] = []
    snapshot = sync.look(ws)
    assert not apart.begin(ws, snapshot, progress=lambda *part: told.append(part), stop=lambda: len(told) >= least)
    assert not processes.running
    assert len(processes.begun) == min(1, least)
    assert apart.begin(ws, sync.look(ws))
    baselines.begin(here, sync.look(here))
    assert accepted(ws) == accepted(here)


def killing(processes: Processes, moments: random.Random) -> Callable[[], bool]:
    """Asked whether to stop again and again, it kills what works, at a random moment."""
    left = moments.randrange(1, 60)

    def stop() -> bool:
        nonlocal left
        left -= 1
        if left == 0:
            left = moments.randrange(1, 60)
            for process in processes.running:
                process.send_signal(signal.SIGKILL)
        return False

    return stop


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begun again as often as it is killed; asked for every few milliseconds."""
    monkeypatch.setattr(reading, "ATTEMPTS", KILLS)
    monkeypatch.setattr(reading, "LOOK_SECONDS", 0.005)


@pytest.mark.usefixtures("often")
def test_killed_at_random_moments_all_is_whole_in_the_end(
    ws: Workspace, here: Workspace, processes: Processes, apart: Apart
) -> None:
    moments = random.Random(7)
    assert apart.begin(ws, sync.look(ws), stop=killing(processes, moments))
    apart.meet(ws, sync.look(ws), stop=killing(processes, moments))
    baselines.begin(here, sync.look(here))
    following.meet(here, sync.look(here))
    assert accepted(ws) == accepted(here)
    assert history(ws) == history(here)
    # More than the two that it takes.
    assert len(processes.begun) > 2


def not_there(*_told: str) -> subprocess.Popen[bytes]:
    raise FileNotFoundError


@pytest.mark.parametrize("begin", [partial(real_begin, "memgui.not_there"), not_there])
def test_where_there_is_no_such_process_it_is_done_here(
    ws: Workspace, here: Workspace, processes: Processes, begin: Begin, apart: Apart
) -> None:
    processes.begin = lambda *_told: begin()
    assert apart.begin(ws, sync.look(ws))
    apart.meet(ws, sync.look(ws))
    baselines.begin(here, sync.look(here))
    following.meet(here, sync.look(here))
    assert accepted(ws) == accepted(here)
    assert history(ws) == history(here)
    assert apart.look_over(ws, sync.look(ws)) == opening.Overview()


# Folded texts --------------------------------------------------------------------------------------------------------


@pytest.fixture
def finders(
    ws: Workspace, here: Workspace, apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Finder, Finder]]:
    """One that has most of its texts read apart, and one that reads them here."""
    monkeypatch.setattr("memgui.ops.finder._FIRST", 20)
    made = Finder(ws, apart=apart), Finder(here)
    yield made
    for finder in made:
        finder.close(keep=False)


def answers(finder: Finder) -> list[Found]:
    return [finder.search(query) for query in ("berth 1", "document", "binary", "alias", "closed. berth", "nothing")]


def test_texts_that_were_read_apart_are_found_as_others(
    ws: Workspace, finders: tuple[Finder, Finder], processes: Processes
) -> None:
    (ws.root / "binary.md").write_bytes(b"\0binary" * 100)
    (ws.root / "alias.md").symlink_to("1/1.md")
    (ws.root / "no.txt").write_text("no document\n")
    snapshot = sync.look(ws)
    told: list[tuple[int, int]] = []
    finders[0].refresh(snapshot, progress=lambda done, total: told.append((done, total)))
    finders[1].refresh(snapshot)
    assert answers(finders[0]) == answers(finders[1])
    assert finders[0].coverage == finders[1].coverage
    assert told[-1] == (DOCUMENTS + 3, DOCUMENTS + 3)
    assert len(processes.begun) == 1


def test_a_file_that_goes_or_changes_meanwhile_is_known_as_it_is(ws: Workspace, finders: tuple[Finder, Finder]) -> None:
    snapshot = sync.look(ws)
    (ws.root / "1/1.md").unlink()
    (ws.root / "2/2.md").write_text("# Another document\n")
    for finder in finders:
        finder.refresh(snapshot)
        finder.refresh(sync.look(ws))
    assert answers(finders[0]) == answers(finders[1])
    assert finders[0].search("another document").total_files == 1


@pytest.mark.usefixtures("often")
def test_what_a_killed_process_did_not_read_is_read_here(
    ws: Workspace, finders: tuple[Finder, Finder], processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "ATTEMPTS", 1)
    snapshot = sync.look(ws)
    finders[0].refresh(snapshot, stop=killing(processes, random.Random(3)))
    finders[1].refresh(snapshot)
    assert answers(finders[0]) == answers(finders[1])
    assert len(processes.begun) == 1


def test_no_more_is_asked_for_than_there_is_room_for(ws: Workspace, apart: Apart) -> None:
    finder = Finder(ws, most_text=40_000, apart=apart)
    finder.refresh(sync.look(ws))
    assert finder.coverage.done == DOCUMENTS
    assert sum(part.segment.size for part in finder._index.parts) <= 40_000 + DOCUMENTS
    assert finder.search("berth").left_out
    finder.close(keep=False)
