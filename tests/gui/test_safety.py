"""What a window brings into safety: at once, whoever holds the lock; and nothing goes before its copy is kept."""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import MemguiError
from memgui.domain.paths import DocPath
from memgui.domain.requests import SaveRequest, SaveResult, Unsaved
from memgui.gui.session import Session
from memgui.ops import recovery
from memgui.ops.preferences import Places, Settings
from memgui.storage.kept import KeptCopies
from memgui.storage.locks import workspace_lock

MEMORY = DocPath("MEMORY.md")


class Told:
    """A session that is open, and what it has told of saves and failures."""

    def __init__(self, qtbot: QtBot, root: Path) -> None:
        self.session = Session(root, places=Places.find(), settings=Settings())
        self.saved: list[SaveResult] = []
        self.save_failed: list[MemguiError] = []
        self.failed: list[MemguiError] = []
        self.session.saved.connect(self.saved.append)
        self.session.save_failed.connect(self._on_save_failed)
        self.session.failed.connect(self.failed.append)
        with qtbot.waitSignal(self.session.unsaved_found):
            self.session.open()
        self.base = (root / MEMORY).read_bytes()

    def _on_save_failed(self, request: SaveRequest, error: MemguiError) -> None:
        self.save_failed.append(error)

    def journal(self, text: bytes) -> None:
        self.session.journal(Unsaved(MEMORY, fingerprint(self.base), text, 1.0, base_data=self.base))

    def save(self, text: bytes) -> None:
        self.session.save(SaveRequest(MEMORY, text, fingerprint(self.base)))

    @property
    def entries(self) -> list[Path]:
        assert self.session.view is not None
        return sorted((self.session.view.workspace.state / "unsaved").glob("*.unsaved"))


@pytest.fixture
def told(qtbot: QtBot, qapp: QApplication, workspace_root: Path) -> Iterator[Told]:
    told = Told(qtbot, workspace_root)
    yield told
    told.session.close()


def test_unsaved_text_is_safe_while_a_save_waits_for_another_writer(qtbot: QtBot, told: Told) -> None:
    assert told.session.view is not None
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        assert told.session.view is not None
        with workspace_lock(told.session.view.workspace.state):
            held.set()
            done.wait(30)

    other = threading.Thread(target=hold)
    other.start()
    assert held.wait(10)
    told.save(b"saved\n")
    told.journal(b"typed on\n")
    qtbot.waitUntil(lambda: len(told.entries) == 1)
    assert not told.saved
    done.set()
    other.join()
    qtbot.waitUntil(lambda: bool(told.saved))
    told.session.close()
    # What was typed after the text that was saved is still unsaved.
    (left,) = recovery.unsaved(told.session.view.workspace)
    assert left.data == b"typed on\n"


def test_nothing_is_replaced_before_the_copy_that_is_owed_is_kept(
    qtbot: QtBot, told: Told, workspace_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: KeptCopies, data: bytes) -> Fingerprint:
        raise OSError(errno.ENOSPC, "full")

    told.journal(b"mine\n")
    with monkeypatch.context() as disk:
        disk.setattr(KeptCopies, "put", full)
        told.session.keep(MEMORY, b"theirs\n")
        told.save(b"mine\n")
        told.session.drop_journal(MEMORY)
        qtbot.waitUntil(lambda: len(told.failed) == 2 and bool(told.save_failed))
    assert (workspace_root / MEMORY).read_bytes() == told.base
    assert len(told.entries) == 1
    told.save(b"mine\n")
    qtbot.waitUntil(lambda: bool(told.saved))
    assert told.session.view is not None
    assert recovery.copies(told.session.view.workspace).get(fingerprint(b"theirs\n")) == b"theirs\n"
    qtbot.waitUntil(lambda: not told.entries)


def test_the_window_of_another_program_that_ended_loses_nothing_by_a_save_here(
    qtbot: QtBot, qapp: QApplication, told: Told, workspace_root: Path
) -> None:
    other = Told(qtbot, workspace_root)
    other.journal(b"of the other window\n")
    told.journal(b"mine\n")
    qtbot.waitUntil(lambda: len(told.entries) == 2)
    other.session.close()
    told.save(b"mine\n")
    qtbot.waitUntil(lambda: len(told.entries) == 1)
    assert told.session.view is not None
    assert [text.data for text in recovery.unsaved(told.session.view.workspace)] == [b"of the other window\n"]


def test_text_can_be_brought_into_safety_before_the_call_returns(told: Told) -> None:
    text = Unsaved(MEMORY, fingerprint(told.base), b"typed\n", 1.0, base_data=told.base)
    told.journal(b"older\n")
    told.session.journal_now(text)
    assert len(told.entries) == 1
    told.session.close()
    assert told.session.view is not None
    assert [text.data for text in recovery.unsaved(told.session.view.workspace)] == [b"typed\n"]
