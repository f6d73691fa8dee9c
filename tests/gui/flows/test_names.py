"""Names with anything in them, in the real window: they are shown as they are, and never taken for markup."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as Gui
from PySide6.QtWidgets import QTreeView
from pytestqt.qtbot import QtBot

from memgui.gui.kit.labels import ElidedLabel
from memgui.gui.kit.tips import plain
from tests.gui.flows.conftest import Desk, index_of

MARKUP = "<img src='x'><b>bold"


@pytest.mark.parametrize("text", [MARKUP, f"notes/{MARKUP}.md\nunseen", "a &lt; b"])
def test_a_tip_shows_markup_as_text(text: str) -> None:
    assert Gui.mightBeRichText(text)
    assert "<img" not in plain(text)
    assert "<b>" not in plain(text)


def test_a_tip_of_other_text_is_that_text() -> None:
    assert plain("1 < 2, notes/a.md\nunseen") == "1 < 2, notes/a.md\nunseen"


def test_a_label_that_is_cut_tells_all_of_it_as_text(qtbot: QtBot) -> None:
    label = ElidedLabel(MARKUP * 4)
    qtbot.addWidget(label)
    label.resize(60, 20)
    label.show()
    assert label.toolTip() == plain(MARKUP * 4)


def test_the_tree_tells_a_name_that_looks_like_markup_as_text(desk: Desk) -> None:
    name = "<b>bold<b>.md"
    (desk.root / name).write_text("crane\n")
    desk.until(lambda: name in desk.tree_paths())
    tree = desk.window.findChild(QTreeView, "workspaceTree")
    assert isinstance(tree, QTreeView)
    index = index_of(tree.model(), name)
    assert index is not None
    assert index.data() == name
    assert "&lt;b&gt;bold" in index.data(Qt.ItemDataRole.ToolTipRole)
