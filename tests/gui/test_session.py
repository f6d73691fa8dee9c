"""The session turns wishes into jobs and answers with facts, whatever the disk does meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from memgui.domain.changes import ChangeKind, ChangeSet
from memgui.domain.documents import Document, fingerprint
from memgui.domain.errors import Conflict, MemguiError, NotFound, ProtectedDocument
from memgui.domain.hits import Coverage, Found
from memgui.domain.origin import OriginKind
from memgui.domain.paths import DocPath
from memgui.domain.requests import SaveRequest, SaveResult, Unsaved
from memgui.domain.tree import Snapshot
from memgui.domain.watch import WatchState
from memgui.gui.disk import View
from memgui.gui.session import Session
from memgui.ops.finder import Finder
from memgui.ops.preferences import Places, Settings

MEMORY = DocPath("MEMORY.md")


class Told:
    """A session, and everything it has told."""

    def __init__(self, qtbot: QtBot, root: Path) -> None:
        self.qtbot = qtbot
        self.session = Session(root, places=Places.find(), settings=Settings())
        self.opened: list[View] = []
        self.open_failed: list[MemguiError] = []
        self.views: list[View] = []
        self.changes: list[ChangeSet] = []
        self.documents: list[Document] = []
        self.read_failed: list[tuple[str, MemguiError]] = []
        self.saved: list[SaveResult] = []
        self.save_failed: list[tuple[SaveRequest, MemguiError]] = []
        self.conflicted: list[tuple[SaveRequest, Conflict]] = []
        self.found: list[Found] = []
        self.coverage: list[Coverage] = []
        self.states: list[WatchState] = []
        self.unsaved: list[tuple[Unsaved, ...]] = []
        self.failed: list[MemguiError] = []
        told = self.session
        told.opened.connect(self.opened.append)
        told.open_failed.connect(self.open_failed.append)
        told.view_changed.connect(self.views.append)
        told.changed.connect(self.changes.append)
        told.document_read.connect(self.documents.append)
        told.read_failed.connect(self._on_read_failed)
        told.saved.connect(self.saved.append)
        told.save_failed.connect(self._on_save_failed)
        told.conflicted.connect(self._on_conflicted)
        told.found.connect(self.found.append)
        told.coverage_changed.connect(self.coverage.append)
        told.watch_state_changed.connect(self.states.append)
        told.unsaved_found.connect(self.unsaved.append)
        told.failed.connect(self.failed.append)

    def _on_read_failed(self, path: str, error: MemguiError) -> None:
        self.read_failed.append((path, error))

    def _on_save_failed(self, request: SaveRequest, error: MemguiError) -> None:
        self.save_failed.append((request, error))

    def _on_conflicted(self, request: SaveRequest, error: Conflict) -> None:
        self.conflicted.append((request, error))

    def open(self) -> None:
        """Open, and wait until changes on disk are seen."""
        self.session.open()
        self.qtbot.waitUntil(lambda: self.states == [WatchState.LIVE] and bool(self.unsaved))

    def kinds(self, path: str) -> list[ChangeKind]:
        return [change.kind for changes in self.changes for change in changes.changes if change.path == path]


@pytest.fixture
def told(qtbot: QtBot, qapp: QApplication, workspace_root: Path) -> Iterator[Told]:
    told = Told(qtbot, workspace_root)
    yield told
    told.session.close()


def request(data: str, expected: str, path: str = "MEMORY.md") -> SaveRequest:
    return SaveRequest(DocPath(path), data.encode(), fingerprint(expected.encode()), ticket=7)


def test_it_opens_with_names_groups_and_states(qtbot: QtBot, told: Told) -> None:
    told.open()
    (view,) = told.opened
    assert MEMORY in view.snapshot.nodes
    assert {group.key for group in view.groups} >= {"memory", "days", "identity", "files"}
    assert view.states[DocPath("SOUL.md")] == ("protected",)


def test_a_folder_that_is_missing_is_told_and_can_be_tried_again(
    qtbot: QtBot, told: Told, workspace_root: Path
) -> None:
    away = workspace_root.with_name("away")
    os.rename(workspace_root, away)
    told.session.open()
    qtbot.waitUntil(lambda: bool(told.open_failed))
    assert isinstance(told.open_failed[0], NotFound)
    os.rename(away, workspace_root)
    told.open()
    assert told.opened


def test_what_an_agent_does_is_told_once_and_by_its_kind(qtbot: QtBot, told: Told, workspace_root: Path) -> None:
    told.open()
    with (workspace_root / "MEMORY.md").open("a") as file:
        file.write("- more\n")
    qtbot.waitUntil(lambda: told.kinds("MEMORY.md") != [])
    (workspace_root / "projects" / "new.md").write_text("new\n")
    qtbot.waitUntil(lambda: ChangeKind.CREATED in told.kinds("projects/new.md"))
    os.rename(workspace_root / "projects" / "new.md", workspace_root / "memory" / "moved.md")
    qtbot.waitUntil(lambda: told.kinds("memory/moved.md") != [])
    (workspace_root / "memory" / "moved.md").unlink()
    qtbot.waitUntil(lambda: ChangeKind.DELETED in told.kinds("memory/moved.md"))
    assert DocPath("memory/moved.md") not in told.views[-1].snapshot.nodes
    assert all(change.origin.kind is OriginKind.OUTSIDE for changes in told.changes for change in changes.changes)


def test_a_save_is_told_as_ours_and_its_echo_is_nothing_new(qtbot: QtBot, told: Told, workspace_root: Path) -> None:
    told.open()
    before = (workspace_root / "MEMORY.md").read_text()
    told.session.save(request("mine\n", before))
    qtbot.waitUntil(lambda: bool(told.saved))
    assert (workspace_root / "MEMORY.md").read_text() == "mine\n"
    assert (told.saved[0].fingerprint, told.saved[0].ticket) == (fingerprint(b"mine\n"), 7)
    told.session.reconcile()
    (workspace_root / "projects" / "after.md").write_text("x")
    qtbot.waitUntil(lambda: told.kinds("projects/after.md") != [])
    assert told.kinds("MEMORY.md") == [ChangeKind.MODIFIED]
    (ours,) = [change for changes in told.changes for change in changes.changes if change.path == "MEMORY.md"]
    assert ours.origin.kind is OriginKind.YOU


def test_saving_what_is_there_already_writes_nothing(qtbot: QtBot, told: Told, workspace_root: Path) -> None:
    told.open()
    file = workspace_root / "MEMORY.md"
    before = file.stat()
    told.session.save(request(file.read_text(), file.read_text()))
    qtbot.waitUntil(lambda: bool(told.saved))
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert told.saved[0].node.stat is not None


def test_a_stale_save_changes_nothing(qtbot: QtBot, told: Told, workspace_root: Path) -> None:
    told.open()
    told.session.save(request("mine\n", "what stood there long ago"))
    qtbot.waitUntil(lambda: bool(told.conflicted))
    assert (workspace_root / "MEMORY.md").read_text().startswith("# Memory")
    assert told.saved == []


def test_an_identity_file_is_written_only_when_unlocked(qtbot: QtBot, told: Told, workspace_root: Path) -> None:
    told.open()
    before = (workspace_root / "SOUL.md").read_text()
    told.session.save(request("mine\n", before, "SOUL.md"))
    qtbot.waitUntil(lambda: bool(told.save_failed))
    assert isinstance(told.save_failed[0][1], ProtectedDocument)
    assert (workspace_root / "SOUL.md").read_text() == before
    unlocked = SaveRequest(DocPath("SOUL.md"), b"mine\n", fingerprint(before.encode()), unlocked=True)
    told.session.save(unlocked)
    qtbot.waitUntil(lambda: bool(told.saved))
    assert (workspace_root / "SOUL.md").read_text() == "mine\n"
    view = told.session.view
    assert view is not None
    assert "protected" in view.states[DocPath("SOUL.md")]


def test_only_the_latest_reading_of_a_document_arrives(qtbot: QtBot, told: Told, workspace_root: Path) -> None:
    told.open()
    for _ in range(30):
        told.session.read(MEMORY)
    told.session.read(DocPath("USER.md"))
    qtbot.waitUntil(lambda: {document.path for document in told.documents} == {"MEMORY.md", "USER.md"})
    assert len(told.documents) < 31
    told.session.read(DocPath("gone.md"))
    qtbot.waitUntil(lambda: bool(told.read_failed))
    assert told.read_failed[0][0] == "gone.md"


def test_search_answers_the_latest_query(qtbot: QtBot, told: Told) -> None:
    told.open()
    qtbot.waitUntil(lambda: bool(told.coverage) and told.coverage[-1].complete)
    for text in ("b", "be", "ber", "berth 7"):
        told.session.search(text)
    qtbot.waitUntil(lambda: bool(told.found) and told.found[-1].query == "berth 7")
    assert told.found[-1].total_files >= 3


def test_search_knows_what_an_agent_wrote(qtbot: QtBot, told: Told, workspace_root: Path) -> None:
    told.open()
    qtbot.waitUntil(lambda: bool(told.coverage) and told.coverage[-1].complete)
    (workspace_root / "projects" / "whale.md").write_text("A whale in the harbour\n")

    def found() -> bool:
        told.session.search("a whale")
        return bool(told.found) and told.found[-1].total_files == 1

    qtbot.waitUntil(found)
    assert told.found[-1].hits[0].path == "projects/whale.md"


def test_unsaved_text_survives_the_session(qtbot: QtBot, told: Told, workspace_root: Path) -> None:
    told.open()
    base = (workspace_root / "MEMORY.md").read_bytes()
    told.session.journal(Unsaved(MEMORY, fingerprint(base), b"typed\n", 1.0, caret=3, base_data=base))
    told.session.close()
    again = Told(qtbot, workspace_root)
    again.open()
    ((unsaved,),) = again.unsaved
    assert (unsaved.path, unsaved.data, unsaved.base, unsaved.caret) == (MEMORY, b"typed\n", fingerprint(base), 3)
    again.session.save(SaveRequest(MEMORY, b"typed\n", fingerprint(base)))
    qtbot.waitUntil(lambda: bool(again.saved))
    again.session.close()
    third = Told(qtbot, workspace_root)
    third.open()
    assert third.unsaved == [()]
    third.session.close()


def test_a_folder_that_vanishes_keeps_what_was_known(qtbot: QtBot, told: Told, workspace_root: Path) -> None:
    told.open()
    away = workspace_root.with_name("away")
    os.rename(workspace_root, away)
    qtbot.waitUntil(lambda: told.states[-1] is WatchState.FOLDER_MISSING)
    told.session.reconcile()
    told.session.save(request("mine\n", "x"))
    qtbot.waitUntil(lambda: bool(told.save_failed) or bool(told.conflicted))
    assert told.changes == []
    (away / "while-away.md").write_text("x")
    os.rename(away, workspace_root)
    qtbot.waitUntil(lambda: told.states[-1] is WatchState.LIVE)
    qtbot.waitUntil(lambda: told.kinds("while-away.md") == [ChangeKind.CREATED])
    assert told.failed == []


def test_closing_at_any_time_is_clean(qtbot: QtBot, workspace_root: Path) -> None:
    for turn in range(6):
        told = Told(qtbot, workspace_root)
        told.session.open()
        if turn % 3 == 1:
            qtbot.waitUntil(partial(bool, told.opened))
        elif turn % 3 == 2:
            qtbot.waitUntil(partial(bool, told.states))
            (workspace_root / "projects" / f"{turn}.md").write_text("x")
        told.session.search("berth")
        told.session.close()
        told.session.close()


# The words come after the exact search ------------------------------------------------------------------------------


def test_the_words_are_begun_when_the_exact_search_knows_everything(
    qtbot: QtBot, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[Coverage] = []

    def begin(_snapshot: Snapshot) -> None:
        assert told.session.finder is not None
        known.append(told.session.finder.coverage)

    monkeypatch.setattr(told.session.words, "refresh", begin)
    told.open()
    qtbot.waitUntil(lambda: bool(known))
    assert known[0].complete
    assert known[0].total > 0


def test_where_the_exact_search_cannot_read_the_words_are_begun_all_the_same(
    qtbot: QtBot, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Snapshot] = []

    def fail(*_asked: object, **_how: object) -> None:
        raise NotFound("gone for now")

    monkeypatch.setattr(Finder, "refresh", fail)
    monkeypatch.setattr(told.session.words, "refresh", begun.append)
    told.open()
    qtbot.waitUntil(lambda: bool(begun))
    assert [error.message for error in told.failed] == ["gone for now"]


def test_what_is_to_be_seen_first_may_keep_the_rest_waiting(qtbot: QtBot, told: Told) -> None:
    told.session.opened.connect(lambda _view: told.session.wait_for_first_look())
    told.session.open()
    qtbot.waitUntil(lambda: bool(told.unsaved))
    assert told.session.finder is None
    told.session.go_on()
    qtbot.waitUntil(lambda: told.session.finder is not None)
