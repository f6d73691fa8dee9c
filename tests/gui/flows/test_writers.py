"""Who wrote this, in the real window: a column beside the page that follows its text, and goes when asked to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from memgui.domain.origin import Origin
from memgui.domain.workspace import Workspace
from memgui.gui.panels.page.writers import WriterColumn, name_of
from memgui.ops import baselines, reading, sync, workspace, writing
from tests.gui.flows.conftest import Desk


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "ws"
    (root / "notes").mkdir(parents=True)
    (root / "HEARTBEAT.md").write_text("")
    (root / "MEMORY.md").write_text("one\ntwo\n")
    (root / "notes" / "a.md").write_text("a\n")
    ws = workspace.open(root)
    baselines.begin(ws, sync.look(ws))
    reading.read(ws, "MEMORY.md")
    add(ws)
    return ws


@pytest.fixture
def desk(ws: Workspace, open_desk: Callable[[Path], Desk]) -> Desk:
    desk = open_desk(ws.root)
    desk.open("MEMORY.md")
    return desk


def add(ws: Workspace, text: str = "three") -> None:
    patch = {"content": text, "target": "memory", "origin": Origin.agent("scribe")}
    writing.memory_write(ws, now=datetime.now(UTC), **patch)  # type: ignore[arg-type]


def columns(desk: Desk) -> list[WriterColumn]:
    found = desk.window.findChildren(WriterColumn)
    return [column for column in found if column.isVisible()]


def names(desk: Desk) -> list[str]:
    return [name_of(written) for column in columns(desk) for written in column.told]


def begin(desk: Desk) -> WriterColumn:
    desk.do("view.writers")
    desk.until(lambda: bool(names(desk)))
    return columns(desk)[0]


def test_each_line_has_its_writer_and_moment(desk: Desk) -> None:
    column = begin(desk)
    assert names(desk) == ["first seen", "first seen", "scribe", "scribe"]
    assert column.words_at(4).startswith('Line 4: agent "scribe", ')
    assert column.words_at(1).startswith("Line 1 stood there when memgui first saw it")
    assert (column.words_at(0), column.words_at(6)) == ("", "")
    assert column.accessibleName()


def test_it_goes_again_and_the_text_takes_its_room(desk: Desk) -> None:
    before = desk.editor("MEMORY.md").viewport().x()
    column = begin(desk)
    assert desk.editor("MEMORY.md").viewport().x() == before + column.width()
    desk.do("view.writers")
    desk.until(lambda: not columns(desk))
    assert desk.editor("MEMORY.md").viewport().x() == before


def test_what_is_typed_is_nobodys_until_it_is_saved(desk: Desk) -> None:
    begin(desk)
    desk.type("MEMORY.md", "zero")
    desk.qtbot.keyClick(desk.editor("MEMORY.md"), Qt.Key.Key_Return)
    desk.until(lambda: names(desk) == ["not saved", "first seen", "first seen", "scribe", "scribe"])
    desk.save()
    desk.until(lambda: names(desk) == ["you", "first seen", "first seen", "scribe", "scribe"])


def test_beside_other_lines_nothing_stands_while_it_is_looked_up(desk: Desk) -> None:
    column = begin(desk)
    cursor = QTextCursor(desk.editor("MEMORY.md").document())
    cursor.insertText("zero\n")
    assert column.told == ()
    desk.until(lambda: names(desk)[:1] == ["not saved"])


def test_what_comes_from_elsewhere_is_told_as_it_comes(ws: Workspace, desk: Desk) -> None:
    begin(desk)
    add(ws, "four")
    desk.until(lambda: names(desk)[4:] == ["scribe", "scribe"])
    desk.append("MEMORY.md", "five\n")
    desk.until(lambda: names(desk)[-1:] == ["outside"])


def test_it_goes_along_to_the_page_in_front(desk: Desk) -> None:
    begin(desk)
    desk.open("notes/a.md")
    desk.until(lambda: names(desk) == ["first seen"])
    assert len(columns(desk)) == 1
    desk.do("document.close")
    desk.until(lambda: len(names(desk)) == 4)


def test_the_line_of_the_caret_is_said(desk: Desk) -> None:
    column = begin(desk)
    editor = desk.editor("MEMORY.md")
    for _line in range(3):
        desk.qtbot.keyClick(editor, Qt.Key.Key_Down)
    assert column.accessibleDescription().startswith('Line 4: agent "scribe"')
    desk.until(lambda: desk.window.status.currentMessage().startswith('Line 4: agent "scribe"'))


def test_it_leaves_room_for_the_text_in_a_narrow_window(desk: Desk) -> None:
    column = begin(desk)
    desk.window.resize(480, 360)
    editor = desk.editor("MEMORY.md")
    desk.until(lambda: editor.width() <= 480)
    assert column.width() <= 0.35 * editor.width()
    assert editor.viewport().width() > 0.4 * editor.width()
