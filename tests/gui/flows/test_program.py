"""The program: the first page, a folder or file given by name, a folder dropped on the window, settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from memgui.gui.app import open_workspace, wiring_of
from memgui.gui.program import Program, workspace_of
from memgui.gui.state import Placement
from memgui.gui.window import MainWindow
from memgui.ops import preferences, remembered
from memgui.ops.preferences import Settings


class Played:
    """A program, and the windows it shows."""

    def __init__(self, qtbot: QtBot, app: QApplication) -> None:
        self.qtbot = qtbot
        self.app = app
        self.program = Program(app)

    @property
    def windows(self) -> list[MainWindow]:
        return [w for w in self.app.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible()]

    def window_on(self, root: Path) -> MainWindow:
        def there() -> bool:
            return any(self.is_on(window, root) and bool(window.property("ready")) for window in self.windows)

        self.qtbot.waitUntil(there)
        return next(window for window in self.windows if self.is_on(window, root))

    @staticmethod
    def is_on(window: MainWindow, root: Path) -> bool:
        wiring = wiring_of(window)
        return wiring is not None and wiring.root == root


@pytest.fixture
def played(qtbot: QtBot, qapp: QApplication) -> Iterator[Played]:
    played = Played(qtbot, qapp)
    yield played
    for window in played.windows:
        qtbot.addWidget(window)
        window.close()
    played.program.close()


def test_without_a_workspace_it_welcomes_and_offers_what_was_opened_before(
    qtbot: QtBot, played: Played, workspace_root: Path
) -> None:
    played.program.start(workspace_root, None)
    played.window_on(workspace_root).close()
    played.program.start(None, None)
    (window,) = played.windows
    qtbot.waitUntil(lambda: bool(window.findChildren(QPushButton, "welcomeWorkspace")))
    (recent,) = window.findChildren(QPushButton, "welcomeWorkspace")
    qtbot.mouseClick(recent, Qt.MouseButton.LeftButton)
    opened = played.window_on(workspace_root)
    assert played.windows == [opened]


def test_the_sample_opens_from_the_first_page(qtbot: QtBot, played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    played.program.start(None, None)
    (welcome,) = played.windows
    (sample,) = welcome.findChildren(QPushButton, "welcomeSample")
    qtbot.mouseClick(sample, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(played.windows) and bool(played.windows[0].property("ready")))


def test_a_file_opens_its_workspace_and_the_file_at_the_line(
    qtbot: QtBot, played: Played, workspace_root: Path
) -> None:
    played.program.start(workspace_root / "projects" / "crane" / "plan.md", 4)
    wiring = wiring_of(played.window_on(workspace_root))
    assert wiring is not None
    qtbot.waitUntil(lambda: wiring.tabs.current is not None and wiring.tabs.current.path == "projects/crane/plan.md")
    qtbot.waitUntil(lambda: wiring.tabs.current is not None and wiring.tabs.current.ready)
    page = wiring.tabs.current
    assert page is not None
    assert page.editor.textCursor().blockNumber() == 3


def test_a_file_in_no_workspace_opens_its_folder(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "a.md").write_text("a")
    assert workspace_of(tmp_path / "x" / "a.md") == tmp_path / "x"
    assert workspace_of(tmp_path / "x") == tmp_path / "x"


def test_a_folder_that_is_gone_is_not_taken_for_a_file_of_the_folder_above(
    qtbot: QtBot, played: Played, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    assert workspace_of(gone) == gone
    (tmp_path / "private.md").write_text("not asked for")
    played.program.start(gone, None)
    (window,) = played.windows
    assert played.is_on(window, gone)
    qtbot.waitUntil(lambda: any("is not there" in label.text() for label in window.findChildren(QLabel)))
    assert not window.property("ready")


def test_a_file_that_does_not_exist_yet_is_begun_and_never_written_over_anothers(
    qtbot: QtBot, played: Played, workspace_root: Path
) -> None:
    played.program.start(workspace_root / "new.md", None)
    wiring = wiring_of(played.window_on(workspace_root))
    assert wiring is not None
    qtbot.waitUntil(lambda: wiring.tabs.current is not None and wiring.tabs.current.path == "new.md")
    page = wiring.tabs.current
    assert page is not None
    qtbot.waitUntil(lambda: page.ready)
    (workspace_root / "new.md").write_text("agent\n")
    page.editor.textCursor().insertText("mine")
    page.save()
    qtbot.waitUntil(lambda: page.property("state") == "conflict")
    assert (workspace_root / "new.md").read_text() == "agent\n"


def test_the_same_folder_is_one_window(played: Played, workspace_root: Path) -> None:
    played.program.start(workspace_root, None)
    window = played.window_on(workspace_root)
    played.program.open(workspace_root)
    assert played.windows == [window]


def test_a_folder_dropped_on_the_window_opens(played: Played, workspace_root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "MEMORY.md").write_text("# other\n")
    played.program.start(workspace_root, None)
    window = played.window_on(workspace_root)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(other))])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPointF(5, 5).toPoint(), copy, mime, left, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), copy, mime, left, none))
    assert played.window_on(other).isVisible()


def test_a_setting_is_applied_at_once_and_kept(qtbot: QtBot, qapp: QApplication, workspace_root: Path) -> None:
    window = open_workspace(workspace_root)
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: bool(window.property("ready")))
    window.action("view.zoom_in").trigger()
    assert window.choices.settings.zoom == 110
    window.close()
    assert preferences.load() == Settings(zoom=110)


def test_every_widget_of_the_window_has_a_name_to_be_spoken(
    qtbot: QtBot, qapp: QApplication, workspace_root: Path, settings: Settings
) -> None:
    window = open_workspace(workspace_root, settings=settings)
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: bool(window.property("ready")))
    for name in (
        *("workspaceTree", "treeFilter", "documentTabs", "editor", "searchField", "searchResults", "searchExplain"),
        *("palette", "paletteField", "paletteResults", "statusSave", "statusIndex", "statusWatch"),
    ):
        found = window.findChildren(QWidget, name)
        assert found, name
        assert all(widget.accessibleName() for widget in found), name
    window.close()


def test_the_next_window_stands_where_the_last_one_stood(played: Played, workspace_root: Path) -> None:
    played.program.start(workspace_root, None)
    first = played.window_on(workspace_root)
    first.setGeometry(40, 30, 700, 500)
    first.frame.set_side_width(260)
    first.close()
    played.qtbot.waitUntil(lambda: remembered.recall(remembered.WINDOW).get("width") == 700)
    played.program.open(workspace_root)
    second = played.window_on(workspace_root)
    assert (second.width(), second.height(), second.frame.side_width) == (700, 500, 260)


@pytest.mark.parametrize("kept", ["", "[]", "{", '{"width": "wide", "x": 1e99, "side_shown": 7, "maximised": null}'])
def test_a_place_that_cannot_be_read_is_the_usual_one(places: Path, kept: str) -> None:
    (places / "state").mkdir(parents=True)
    (places / "state/window.json").write_text(kept)
    assert Placement.of(remembered.recall(remembered.WINDOW)) == Placement()
