"""Flows in the real window, on real files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtWidgets import QApplication, QLabel, QListView, QPlainTextEdit, QTabWidget, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from memgui.gui.app import open_workspace
from memgui.gui.window import MainWindow
from memgui.ops.preferences import Settings

PATH = int(Qt.ItemDataRole.UserRole)


class Desk:
    """A person at the window: opens, types, saves, looks; and an agent beside them, who writes to the disk."""

    def __init__(self, qtbot: QtBot, root: Path, settings: Settings) -> None:
        self.qtbot = qtbot
        self.root = root
        self.window = open_workspace(root, settings=settings)
        qtbot.addWidget(self.window)
        self.until(lambda: bool(self.window.property("ready")))

    # Looking ---------------------------------------------------------------------------------------------------------

    def until(self, fact: Callable[[], bool]) -> None:
        """Wait for a fact about the window. Where it never comes, what the window says instead is told."""
        try:
            self.qtbot.waitUntil(fact)
        except self.qtbot.TimeoutError as error:
            error.add_note(self.picture())
            raise

    def picture(self) -> str:
        """What can be read in the window, where the keyboard is, and how its pages are."""
        focus = QApplication.focusWidget()
        pages = [page for number in range(self.tabs.count()) if (page := self.tabs.widget(number)) is not None]
        labels = [label for label in self.window.findChildren(QLabel) if label.isVisible() and label.text()]
        lines = [f"keyboard: {focus.objectName() if focus is not None else None}"]
        lines += [f"page {page.property('path')}: {page.property('state')}" for page in pages]
        lines += [f"{label.objectName() or 'label'}: {label.text()}" for label in labels]
        return "\n".join(lines)

    def widget(self, kind: type[QWidget], name: str) -> QWidget:
        found = [widget for widget in self.window.findChildren(kind, name) if widget.isVisible()]
        assert found, f"no visible {name}"
        return found[0]

    def shown(self, name: str) -> bool:
        return any(widget.isVisible() for widget in self.window.findChildren(QWidget, name))

    @property
    def tabs(self) -> QTabWidget:
        tabs = self.window.findChild(QTabWidget, "documentTabs")
        assert isinstance(tabs, QTabWidget)
        return tabs

    def page(self, path: str) -> QWidget | None:
        pages = [self.tabs.widget(number) for number in range(self.tabs.count())]
        return next((page for page in pages if page.property("path") == path), None)

    def editor(self, path: str) -> QPlainTextEdit:
        page = self.page(path)
        assert page is not None, f"{path} is not open"
        editor = page.findChild(QPlainTextEdit, "editor")
        assert isinstance(editor, QPlainTextEdit)
        return editor

    def text(self, path: str) -> str:
        return self.editor(path).toPlainText()

    def state(self, path: str) -> str:
        page = self.page(path)
        return str(page.property("state")) if page is not None else ""

    def banner(self, path: str) -> str:
        """The kind of the banner on a page, empty where none is shown."""
        page = self.page(path)
        banner = page.findChild(QWidget, "banner") if page is not None else None
        return str(banner.property("kind")) if banner is not None and banner.isVisible() else ""

    def banner_text(self, path: str) -> str:
        page = self.page(path)
        label = page.findChild(QLabel, "bannerText") if page is not None else None
        return label.text() if label is not None else ""

    def tree_paths(self) -> set[str]:
        tree = self.window.findChild(QTreeView, "workspaceTree")
        assert isinstance(tree, QTreeView)
        return {str(path) for path in paths_in(tree.model()) if path is not None}

    def status(self, name: str) -> str:
        widget = self.window.findChild(QWidget, name)
        text = getattr(widget, "text", None)
        return str(text()) if callable(text) else ""

    # Doing -----------------------------------------------------------------------------------------------------------

    def open(self, path: str) -> QPlainTextEdit:
        tree = self.window.findChild(QTreeView, "workspaceTree")
        assert isinstance(tree, QTreeView)
        index = index_of(tree.model(), path)
        assert index is not None, f"{path} is not in the tree"
        tree.setCurrentIndex(index)
        tree.setFocus()
        self.qtbot.keyClick(tree, Qt.Key.Key_Return)
        self.until(lambda: self.ready(path))
        return self.editor(path)

    def ready(self, path: str) -> bool:
        page = self.page(path)
        return page is not None and bool(page.property("ready"))

    def type(self, path: str, text: str) -> None:
        """Type at the very beginning."""
        editor = self.editor(path)
        editor.setFocus()
        editor.moveCursor(editor.textCursor().MoveOperation.Start)
        self.qtbot.keyClicks(editor, text)

    def do(self, action: str) -> None:
        self.window.action(action).trigger()

    def save(self) -> None:
        self.do("document.save")

    # The agent -------------------------------------------------------------------------------------------------------

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def append(self, path: str, text: str) -> None:
        with (self.root / path).open("a", encoding="utf-8", newline="") as file:
            file.write(text)

    def replace(self, path: str, text: str) -> None:
        """As agents write: a temporary file renamed over the old one."""
        target = self.root / path
        part = target.with_name(target.name + ".part")
        part.write_text(text, encoding="utf-8", newline="")
        os.replace(part, target)


def paths_in(model: QAbstractItemModel, parent: QModelIndex | None = None) -> list[object]:
    """The paths of all rows, at any depth."""
    found: list[object] = []
    where = parent or QModelIndex()
    if model.canFetchMore(where):
        model.fetchMore(where)
    for number in range(model.rowCount(where)):
        index = model.index(number, 0, where)
        found.append(index.data(PATH))
        found += paths_in(model, index)
    return found


def index_of(model: QAbstractItemModel, path: str, parent: QModelIndex | None = None) -> QModelIndex | None:
    where = parent or QModelIndex()
    if model.canFetchMore(where):
        model.fetchMore(where)
    for number in range(model.rowCount(where)):
        index = model.index(number, 0, where)
        if index.data(PATH) == path:
            return index
        below = index_of(model, path, index)
        if below is not None:
            return below
    return None


def rows_of(view: QListView) -> list[tuple[object, object]]:
    """Path and line of every row."""
    model = view.model()
    rows = [model.index(number, 0) for number in range(model.rowCount())]
    return [(row.data(PATH), row.data(PATH + 1)) for row in rows]


@pytest.fixture
def settings() -> Settings:
    """Light, and nothing is saved unless asked for."""
    return Settings(appearance="light", autosave_seconds=0.0)


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication, workspace_root: Path, settings: Settings) -> Iterator[Desk]:
    """The window on the small workspace."""
    desk = Desk(qtbot, workspace_root, settings)
    yield desk
    desk.window.close()


@pytest.fixture
def open_desk(qtbot: QtBot, qapp: QApplication, settings: Settings) -> Iterator[Callable[[Path], Desk]]:
    """Opens windows on folders of the test's own."""
    desks: list[Desk] = []

    def begin(root: Path) -> Desk:
        desks.append(Desk(qtbot, root, settings))
        return desks[-1]

    yield begin
    for desk in desks:
        desk.window.close()


def is_open(window: MainWindow) -> bool:
    return window.isVisible()
