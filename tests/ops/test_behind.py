"""Words and meaning are seen to behind servers: by one of them, where no window stands, and never before a search."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from memgui.domain.tree import Snapshot
from memgui.domain.workspace import Workspace
from memgui.ops import indexing, sync, workspace
from memgui.ops.meaning.progress import ByModel
from memgui.ops.words import behind as room
from memgui.ops.words.behind import Behind
from memgui.ops.words.presence import has_window, window_stands
from memgui.ops.words.progress import rows_of

WORDS_ALONE = ByModel(wanted=False)


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "harbour"
    root.mkdir()
    (root / "MEMORY.md").write_text("# Harbour\n\nThe ship needs repair.\n")
    (root / "tea.md").write_text("# Tea\n\nGreen leaves, three minutes.\n")
    return workspace.open(root)


@pytest.fixture
def behind(ws: Workspace) -> Iterator[Behind]:
    made = Behind(ws, meaning=WORDS_ALONE)
    yield made
    made.close()


def until(fact: object, seconds: float = 30.0) -> None:
    assert callable(fact)
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end, "it did not come to pass"
        threading.Event().wait(0.01)


def tries(behind: Behind, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Grows with each look whether there is something to do here."""
    looked: list[bool] = []
    alone = behind._alone

    def counted(snapshot: Snapshot) -> bool:
        looked.append(alone(snapshot))
        return looked[-1]

    monkeypatch.setattr(behind, "_alone", counted)
    return looked


def is_done(behind: Behind) -> bool:
    return behind._held is not None and behind._held is behind._wanted


def test_nothing_is_begun_before_a_search(ws: Workspace, behind: Behind) -> None:
    assert behind._thread is None
    assert behind.helper is None
    assert not any(ws.cache.iterdir())


def test_after_a_search_everything_is_indexed_and_what_did_it_ends(ws: Workspace, behind: Behind) -> None:
    behind.searched(sync.look(ws))
    until(lambda: is_done(behind))
    assert indexing.state(ws).words == "ready"
    assert behind.helper is None


def test_the_meaning_is_embedded_too(ws: Workspace) -> None:
    behind = Behind(ws)
    try:
        behind.searched(sync.look(ws))
        until(lambda: is_done(behind), 60.0)
    finally:
        behind.close()
    state = indexing.state(ws)
    assert state.covered == state.meant > 0


def test_what_works_has_the_processor_when_nobody_else_wants_it(ws: Workspace, behind: Behind) -> None:
    with FileLock(ws.cache / "words.lock"):
        behind.searched(sync.look(ws))
        until(lambda: behind.helper is not None and behind.helper.process is not None)
        assert behind.helper is not None
        process = behind.helper.process
        until(lambda: _niceness(process) == 19)


def _niceness(process: int | None) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[16])


def test_while_another_server_is_at_it_nothing_is_begun(
    ws: Workspace, behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "AGAIN_SECONDS", 0.05)
    begun: list[object] = []

    def work(rows: object) -> bool:
        begun.append(rows)
        return True

    monkeypatch.setattr(behind, "_work", work)
    looked = tries(behind, monkeypatch)
    with FileLock(ws.cache / room.LOCK):
        behind.searched(sync.look(ws))
        until(lambda: len(looked) > 2)
        assert not begun
    # That server has ended: this one takes over.
    until(lambda: bool(begun))


def test_what_another_server_has_just_done_is_not_looked_at_again(ws: Workspace, behind: Behind) -> None:
    behind.searched(sync.look(ws))
    until(lambda: is_done(behind))
    other = Behind(ws, meaning=WORDS_ALONE)
    try:
        assert other._is_done(other._state(rows_of(ws, sync.look(ws))))
        (ws.root / "tea.md").write_text("# Tea\n\nFour minutes.\n")
        assert not other._is_done(other._state(rows_of(ws, sync.look(ws))))
    finally:
        other.close()


def test_while_a_window_stands_it_sees_to_everything_itself(
    ws: Workspace, behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "AGAIN_SECONDS", 0.05)
    looked = tries(behind, monkeypatch)
    with window_stands(ws.cache):
        assert has_window(ws.cache)
        behind.searched(sync.look(ws))
        until(lambda: len(looked) > 2)
        assert behind.helper is None
        assert not (ws.cache / "words").exists()
    assert not has_window(ws.cache)
    until(lambda: is_done(behind))


def test_what_works_stands_back_when_a_window_comes(
    ws: Workspace, behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "LOOK_SECONDS", 0.05)
    with FileLock(ws.cache / "words.lock"):
        behind.searched(sync.look(ws))
        until(lambda: behind.helper is not None and behind.helper.process is not None)
        assert behind.helper is not None
        process = behind.helper.process
        with window_stands(ws.cache):
            until(lambda: not Path(f"/proc/{process}").exists())
            until(lambda: behind.helper is None)


def test_the_end_of_a_server_is_the_end_of_what_works_for_it(ws: Workspace, behind: Behind) -> None:
    with FileLock(ws.cache / "words.lock"):
        behind.searched(sync.look(ws))
        until(lambda: behind.helper is not None and behind.helper.process is not None)
        assert behind.helper is not None
        process = behind.helper.process
        behind.close()
    assert not Path(f"/proc/{process}").exists()


def test_a_while_after_the_last_search_it_tells_that_it_is_idle(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "REST_SECONDS", 0.1)
    told: list[bool] = []
    behind = Behind(ws, idle=lambda: told.append(True), meaning=WORDS_ALONE)
    try:
        behind.searched(sync.look(ws))
        until(lambda: is_done(behind))
        until(lambda: told == [True])
    finally:
        behind.close()
