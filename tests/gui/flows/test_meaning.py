"""In the window, what says the like in other words comes below the words, and moves no row above it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QListView

from memgui.gui.app import wiring_of
from tests.gui.flows.conftest import Desk

GROUP = int(Qt.ItemDataRole.UserRole) + 2


def test_what_only_means_the_like_is_found_below_what_holds_the_words(
    workspace_root: Path, open_desk: Callable[[Path], Desk]
) -> None:
    (workspace_root / "storage.md").write_text("# Storage\n\nWe keep an embedded database on the one machine.\n")
    (workspace_root / "engine.md").write_text("# Engine\n\nThe SQL engine was chosen by Tomek.\n")
    desk = open_desk(workspace_root)
    wiring = wiring_of(desk.window)
    assert wiring is not None
    keeper = wiring.session.words

    def is_known() -> bool:
        progress = keeper.words.meaning.progress if keeper.words is not None else None
        return progress is not None and progress.covered > 0 and progress.complete

    desk.qtbot.waitUntil(is_known, timeout=60_000)
    action, field = desk.window.findChild(QAction, "view.search"), desk.window.findChild(QLineEdit, "searchField")
    results = desk.window.findChild(QListView, "searchResults")
    assert isinstance(action, QAction)
    assert isinstance(field, QLineEdit)
    assert isinstance(results, QListView)
    action.trigger()
    field.setText("SQL engine")
    model = results.model()

    def rows() -> list[tuple[str | None, str]]:
        indexes = [model.index(number, 0) for number in range(model.rowCount())]
        return [(model.data(index, GROUP), model.data(index)) for index in indexes]

    desk.until(lambda: ("meaning", "storage.md") in rows())
    groups = [group for group, _text in rows() if group is not None]
    assert groups == sorted(groups, key=["literal", "words", "meaning"].index)
    assert groups[0] == "literal"
