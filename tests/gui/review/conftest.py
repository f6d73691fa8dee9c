"""The review in the real window, on real files, beside an agent who writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from memgui.domain.review import PendingChange
from memgui.gui.app import wiring_of
from memgui.gui.panels.review.panel import ReviewPanel
from memgui.gui.wiring.pending import Pending
from memgui.gui.wiring.review import Review
from memgui.ops.preferences import Settings
from tests.gui.flows.conftest import PATH, Desk

ID = PATH
OLD_SECONDS = 60.0
"""A file that was written so long ago is quiet."""


class ReviewDesk(Desk):
    """A person at the review; an agent wrote, long enough ago."""

    def __init__(self, qtbot: QtBot, root: Path, settings: Settings) -> None:
        super().__init__(qtbot, root, settings)
        self.late = OLD_SECONDS
        self.review.verdicts.now = lambda: time.time() + self.late
        self.until(lambda: self.pending.known)

    @property
    def pending(self) -> Pending:
        wiring = wiring_of(self.window)
        assert wiring is not None
        return wiring.pending()

    @property
    def review(self) -> Review:
        wiring = wiring_of(self.window)
        assert wiring is not None
        return wiring.review()

    @property
    def panel(self) -> ReviewPanel:
        return self.review.panel

    @property
    def listed(self) -> QListView:
        found = self.window.findChild(QListView, "reviewList")
        assert isinstance(found, QListView)
        return found

    @property
    def diff(self) -> QListView:
        found = self.window.findChild(QListView, "reviewDiff")
        assert isinstance(found, QListView)
        return found

    # Looking ---------------------------------------------------------------------------------------------------------

    def rows(self) -> list[tuple[str, str]]:
        """Path and kind of every row."""
        model = self.listed.model()
        rows = [model.index(number, 0) for number in range(model.rowCount())]
        return [(str(row.data(PATH + 1)), str(row.data(PATH + 2))) for row in rows]

    def change(self, path: str) -> PendingChange | None:
        return next((one for one in self.pending.changes if one.path == path), None)

    def hunk(self) -> str | None:
        value = self.diff.property("hunk")
        return None if value is None else str(value)

    def lines(self, sign: str) -> list[str]:
        """The lines of the shown difference with that sign."""
        texts = [str(row.data()) for row in rows_in(self.diff.model())]
        return [text[2:] for text in texts if text.startswith(f"{sign} ")]

    def said(self, row: int = 0) -> str:
        return str(self.listed.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole))

    def notice(self, kind: str) -> QWidget | None:
        pills = [pill for pill in self.window.findChildren(QWidget, "notice") if pill.isVisible()]
        return next((pill for pill in pills if pill.property("kind") == kind), None)

    # Doing -----------------------------------------------------------------------------------------------------------

    def wait_for(self, *paths: str) -> None:
        """Until exactly these pend, in any order."""
        self.until(lambda: sorted(path for path, _kind in self.rows()) == sorted(paths))

    def show(self, path: str) -> None:
        """Go to the review, at the change of a document, and wait for its text."""
        self.do("view.review")
        self.until(lambda: any(path == there for there, _kind in self.rows()))
        number = [there for there, _kind in self.rows()].index(path)
        self.listed.setCurrentIndex(self.listed.model().index(number, 0))
        self.until(lambda: self.panel.detail.shown is not None and self.panel.detail.shown.path == path)

    def click(self, name: str) -> None:
        button = self.widget(QPushButton, name)
        self.until(button.isEnabled)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def rows_in(model: QAbstractItemModel) -> list[QModelIndex]:
    return [model.index(number, 0) for number in range(model.rowCount())]


@pytest.fixture
def settings() -> Settings:
    return Settings(appearance="light", autosave_seconds=0.0)


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication, workspace_root: Path, settings: Settings) -> Iterator[ReviewDesk]:
    """The window on the small workspace, all of it accepted."""
    desk = ReviewDesk(qtbot, workspace_root, settings)
    yield desk
    desk.window.close()


@pytest.fixture
def open_desk(qtbot: QtBot, qapp: QApplication, settings: Settings) -> Iterator[Callable[[Path], ReviewDesk]]:
    desks: list[ReviewDesk] = []

    def begin(root: Path) -> ReviewDesk:
        desks.append(ReviewDesk(qtbot, root, settings))
        return desks[-1]

    yield begin
    for desk in desks:
        desk.window.close()
