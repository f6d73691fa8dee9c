"""What was open is open again at the next start; what is kept of it never stands in the way."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QTabWidget
from pytestqt.qtbot import QtBot

from memgui.domain.text import Encoding
from memgui.gui.app import open_workspace, wiring_of
from memgui.gui.program import Program
from memgui.gui.state import Sitting, Tab
from memgui.gui.window import MainWindow

NOTES, PLAN, MEMORY = "projects/notes.md", "projects/crane/plan.md", "MEMORY.md"


class Life:
    """A program from its start to its end, on one workspace."""

    def __init__(self, qtbot: QtBot, app: QApplication, root: Path, line: int | None, file: str | None) -> None:
        self.qtbot, self.app, self.root = qtbot, app, root
        self.program = Program(app)
        self.program.start(root / file if file else root, line)
        (self.window,) = (w for w in app.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible())
        self.until(lambda: bool(self.window.property("ready")))
        wiring = wiring_of(self.window)
        assert wiring is not None
        assert wiring.session.view is not None
        self.kept: Path = wiring.session.view.workspace.state / "sitting.json"
        self.has_ended = False

    @property
    def is_shown(self) -> bool:
        return any(isinstance(w, MainWindow) and w.isVisible() for w in self.app.topLevelWidgets())

    def until(self, fact: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(fact)

    @property
    def tabs(self) -> QTabWidget:
        found = self.window.findChild(QTabWidget, "documentTabs")
        assert isinstance(found, QTabWidget)
        return found

    @property
    def open(self) -> list[str]:
        return [str(self.tabs.widget(number).property("path")) for number in range(self.tabs.count())]

    @property
    def front(self) -> str:
        page = self.tabs.currentWidget()
        return str(page.property("path")) if page is not None else ""

    def ready(self, path: str) -> bool:
        return any(
            bool(page.property("ready"))
            for page in map(self.tabs.widget, range(self.tabs.count()))
            if page.property("path") == path
        )

    def editor(self, path: str) -> QPlainTextEdit:
        (page,) = (p for p in map(self.tabs.widget, range(self.tabs.count())) if p.property("path") == path)
        editor = page.findChild(QPlainTextEdit, "editor")
        assert isinstance(editor, QPlainTextEdit)
        return editor

    def go(self, path: str) -> QPlainTextEdit:
        wiring = wiring_of(self.window)
        assert wiring is not None
        wiring.show_file(self.root / path)
        self.until(lambda: self.ready(path) and self.front == path)
        return self.editor(path)

    def end(self) -> Path:
        if not self.has_ended:
            self.has_ended = True
            if self.is_shown:
                self.window.close()
            self.program.close()
        return self.kept


@pytest.fixture
def begin(qtbot: QtBot, qapp: QApplication, workspace_root: Path) -> Iterator[Callable[..., Life]]:
    lives: list[Life] = []

    def start(file: str | None = None, line: int | None = None) -> Life:
        lives.append(Life(qtbot, qapp, workspace_root, line, file))
        return lives[-1]

    yield start
    lives[-1].end()


def three_pages(begin: Callable[..., Life]) -> Path:
    life = begin()
    for path in (MEMORY, NOTES, PLAN):
        life.go(path)
    editor = life.go(NOTES)
    cursor = editor.textCursor()
    cursor.setPosition(3)
    cursor.setPosition(7, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    return life.end()


def test_tabs_their_order_the_front_one_and_its_selection_come_back(begin: Callable[..., Life]) -> None:
    three_pages(begin)
    life = begin()
    life.until(lambda: life.open == [MEMORY, NOTES, PLAN])
    assert life.front == NOTES
    life.until(lambda: life.ready(NOTES))
    cursor = life.editor(NOTES).textCursor()
    assert (cursor.anchor(), cursor.position()) == (3, 7)


def test_only_the_page_in_front_is_read_and_the_others_when_they_are_looked_at(begin: Callable[..., Life]) -> None:
    three_pages(begin)
    life = begin()
    life.until(lambda: life.open == [MEMORY, NOTES, PLAN] and life.ready(NOTES))
    assert not life.ready(PLAN)
    assert life.tabs.tabToolTip(2).startswith(PLAN)
    life.tabs.setCurrentIndex(2)
    life.until(lambda: life.ready(PLAN))


def test_a_long_page_is_where_it_was(begin: Callable[..., Life], workspace_root: Path) -> None:
    (workspace_root / NOTES).write_text("".join(f"line {number}\n" for number in range(600)))
    life = begin()
    editor = life.go(NOTES)
    editor.verticalScrollBar().setValue(300)
    top = editor.firstVisibleBlock().blockNumber()
    life.end()
    life = begin()
    life.until(lambda: life.ready(NOTES))
    life.until(lambda: life.editor(NOTES).firstVisibleBlock().blockNumber() == top)
    assert top > 250


def test_a_preview_comes_back_as_a_preview(begin: Callable[..., Life]) -> None:
    life = begin()
    life.go(MEMORY)
    wiring = wiring_of(life.window)
    assert wiring is not None
    wiring.moves.preview(wiring.session.view.groups[-1].paths[-1])  # type: ignore[union-attr]
    life.until(lambda: len(life.open) == 2)
    previewed = life.front
    life.end()
    life = begin()
    life.until(lambda: life.open == [MEMORY, previewed])
    life.go(NOTES)
    wiring = wiring_of(life.window)
    assert wiring is not None
    wiring.moves.preview(wiring.session.view.groups[0].paths[-1])  # type: ignore[union-attr]
    life.until(lambda: previewed not in life.open)


def test_a_page_that_was_shown_rendered_is_shown_so_again(begin: Callable[..., Life]) -> None:
    life = begin()
    life.go(MEMORY)
    life.go(NOTES)
    life.window.action("view.side_by_side").trigger()
    life.end()
    life = begin()
    life.until(lambda: life.ready(NOTES) and life.window.action("view.side_by_side").isChecked())
    life.until(lambda: life.open == [MEMORY, NOTES])
    life.tabs.setCurrentIndex(0)
    life.until(lambda: life.ready(MEMORY) and not life.window.action("view.side_by_side").isChecked())


def test_what_the_middle_showed_comes_back(begin: Callable[..., Life]) -> None:
    life = begin()
    life.go(MEMORY)
    life.window.action("view.days").trigger()
    life.until(lambda: life.window.middle == "days")
    life.end()
    life = begin()
    life.until(lambda: life.window.middle == "days")
    assert life.open == [MEMORY]


def test_a_file_that_was_asked_for_is_in_front_of_what_was_open(begin: Callable[..., Life]) -> None:
    three_pages(begin)
    life = begin("memory/2026-11-28.md", 3)
    life.until(lambda: len(life.open) == 4)
    assert life.front == "memory/2026-11-28.md"
    life.until(lambda: life.ready("memory/2026-11-28.md"))
    assert life.editor("memory/2026-11-28.md").textCursor().blockNumber() == 2


def test_files_that_are_gone_are_left_out(begin: Callable[..., Life], workspace_root: Path) -> None:
    three_pages(begin)
    (workspace_root / NOTES).unlink()
    life = begin()
    life.until(lambda: life.open == [MEMORY, PLAN])
    life.until(lambda: life.ready(life.front))


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xff\xfe",
        b"[1, 2]",
        b'{"tabs": 7}',
        b'{"tabs": [null, {"path": 3}, {"path": "x"}], "front": -4}',
        b"{" * 9000,
    ],
)
def test_what_is_damaged_stands_in_nobodys_way(begin: Callable[..., Life], damage: bytes) -> None:
    kept = three_pages(begin)
    kept.write_bytes(damage)
    life = begin()
    life.until(lambda: life.ready(life.front))
    assert life.open == [MEMORY]


def test_an_encoding_is_tried_again_on_the_bytes_of_now(begin: Callable[..., Life], workspace_root: Path) -> None:
    (workspace_root / NOTES).write_bytes(b"caf\xe9\n")
    life = begin()
    life.go(NOTES)
    page = life.tabs.currentWidget()
    assert page is not None
    page.reopen_as(Encoding.CP1252)  # type: ignore[attr-defined]
    assert life.editor(NOTES).toPlainText() == "café\n"
    life.end()
    life = begin()
    life.until(lambda: life.ready(NOTES) and life.editor(NOTES).toPlainText() == "café\n")
    life.end()
    (workspace_root / NOTES).write_bytes("café now\n".encode())
    life = begin()
    life.until(lambda: life.ready(NOTES) and life.editor(NOTES).toPlainText() == "café now\n")


def test_it_is_kept_privately_outside_the_workspace_while_one_works(
    begin: Callable[..., Life], workspace_root: Path
) -> None:
    before = sorted(path for path in workspace_root.rglob("*"))
    life = begin()
    life.go(NOTES)
    life.until(lambda: life.kept.exists() and NOTES in json.loads(life.kept.read_bytes())["tabs"][-1]["path"])
    assert not life.kept.stat().st_mode & 0o077
    assert sorted(path for path in workspace_root.rglob("*")) == before


def test_a_page_that_goes_by_another_name_is_kept_and_called_by_it(
    begin: Callable[..., Life], workspace_root: Path
) -> None:
    life = begin()
    life.go(NOTES)
    life.until(lambda: life.kept.exists() and NOTES in life.kept.read_text())
    (workspace_root / NOTES).rename(workspace_root / "projects/quays.md")
    life.until(lambda: life.open[-1] == "projects/quays.md")
    assert life.window.windowTitle().startswith("quays.md")
    life.until(lambda: "projects/quays.md" in life.kept.read_text())


def test_a_window_that_only_a_test_or_another_program_opens_begins_clean(
    begin: Callable[..., Life], qtbot: QtBot, workspace_root: Path
) -> None:
    kept = three_pages(begin)
    told = kept.read_bytes()
    window = open_workspace(workspace_root)
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: bool(window.property("ready")))
    tabs = window.findChild(QTabWidget, "documentTabs")
    assert isinstance(tabs, QTabWidget)
    assert tabs.count() <= 1
    window.close()
    assert kept.read_bytes() == told


def test_a_signal_to_end_keeps_unsaved_text_and_what_was_open(begin: Callable[..., Life]) -> None:
    life = begin()
    life.go(MEMORY)
    life.go("SOUL.md")
    wiring = wiring_of(life.window)
    assert wiring is not None
    (page,) = (page for page in wiring.tabs.pages if page.path == "SOUL.md")
    page.unlock()
    page.editor.insertPlainText("mine ")
    os.kill(os.getpid(), signal.SIGTERM)
    life.until(lambda: not life.is_shown)
    assert [tab["path"] for tab in json.loads(life.kept.read_bytes())["tabs"]] == [MEMORY, "SOUL.md"]
    life.end()
    life = begin()
    life.until(lambda: life.ready("SOUL.md") and life.editor("SOUL.md").toPlainText().startswith("mine "))
    assert life.open == [MEMORY, "SOUL.md"]


def test_logging_out_keeps_what_is_open_before_it_returns(begin: Callable[..., Life], qapp: QApplication) -> None:
    life = begin()
    life.go(NOTES)
    life.program._on_log_out(None)  # type: ignore[arg-type]
    assert [tab["path"] for tab in json.loads(life.kept.read_bytes())["tabs"]][-1] == NOTES


def test_what_is_kept_is_read_as_it_was_written() -> None:
    sitting = Sitting(
        (Tab(MEMORY, True, 1, 2, 3, "CP1252", "beside"), Tab("x\udcff.md", pinned=False)), 1, "days", "search"
    )  # type: ignore[arg-type]
    assert Sitting.of(json.loads(json.dumps(sitting.values()))) == sitting
