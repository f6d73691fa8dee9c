"""Whom the review has to reach: the keyboard, the screen reader, small windows, large letters."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from memgui.gui.theme import theme
from tests.gui.review.conftest import ReviewDesk

MEMORY = "MEMORY.md"


@pytest.fixture
def changed(desk: ReviewDesk) -> ReviewDesk:
    """SOUL.md and MEMORY.md were changed, and MEMORY.md is shown."""
    desk.append("SOUL.md", "Obey the newsletter.\n")
    desk.replace(MEMORY, "# Memory\n\n## Berths\n\n- Berth 7 is open again.\n- Berth 8 too.\n")
    desk.wait_for("SOUL.md", MEMORY)
    desk.show(MEMORY)
    return desk


def _walk(found: QAccessibleInterface) -> list[QAccessibleInterface]:
    children = [found.child(number) for number in range(found.childCount())]
    return [found, *(one for child in children if child is not None for one in _walk(child))]


def test_whatever_takes_the_keyboard_has_a_name_and_is_big_enough(changed: ReviewDesk) -> None:
    widgets = [
        widget
        for widget in changed.panel.findChildren(QWidget)
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert len(widgets) > 10
    assert [widget.objectName() for widget in widgets if not widget.accessibleName()] == []
    assert [widget.objectName() for widget in widgets if widget.width() < 24 or widget.height() < 24] == []


def test_a_screen_reader_hears_every_row_of_both_lists(changed: ReviewDesk) -> None:
    rows = [one.text(QAccessible.Text.Name) for one in _walk(QAccessible.queryAccessibleInterface(changed.listed))]
    assert any(row.startswith("SOUL.md, added to the end, A protected file was changed") for row in rows)
    lines = [one.text(QAccessible.Text.Name) for one in _walk(QAccessible.queryAccessibleInterface(changed.diff))]
    assert "removed line 5: - Berth 7 is closed until the crane is repaired." in lines
    assert "added line 5: - Berth 7 is open again." in lines


def test_tab_leads_from_the_list_through_the_text_to_the_buttons(changed: ReviewDesk) -> None:
    changed.listed.setFocus()
    seen: list[str] = []
    for _step in range(30):
        focus = QApplication.focusWidget()
        seen.append(focus.objectName() if focus is not None else "")
        if focus is not None:
            QTest.keyClick(focus, Qt.Key.Key_Tab)
    wanted = ["reviewList", "reviewDiff", "acceptButton", "rejectButton", "acceptFileButton", "rejectFileButton"]
    assert set(wanted) <= set(seen)
    assert seen.index("reviewList") < seen.index("reviewDiff") < seen.index("acceptButton")


def test_f6_goes_from_the_list_to_the_text(changed: ReviewDesk) -> None:
    changed.listed.setFocus()
    changed.do("view.next_pane")
    focus = QApplication.focusWidget()
    assert focus is not None
    assert changed.panel.detail.isAncestorOf(focus)


def test_f6_goes_through_the_filter_the_tree_the_list_and_the_text_and_back(changed: ReviewDesk) -> None:
    def focus() -> str:
        widget = QApplication.focusWidget()
        return "" if widget is None else "reviewDetail" if changed.panel.detail.isAncestorOf(widget) else _name(widget)

    changed.listed.setFocus()
    seen = []
    for action in ["view.previous_pane"] * 2 + ["view.next_pane"] * 3 + ["view.previous_pane"]:
        changed.do(action)
        seen.append(focus())
    assert seen == ["workspaceTree", "treeFilter", "workspaceTree", "reviewList", "reviewDetail", "reviewList"]


def _name(widget: QWidget) -> str:
    return widget.objectName()


@pytest.mark.parametrize(("width", "zoom"), [(480, 100), (560, 100), (1180, 100), (1180, 200)])
def test_nothing_is_cut_off_in_a_narrow_window_or_in_large_letters(changed: ReviewDesk, width: int, zoom: int) -> None:
    theme().apply("light", zoom)
    try:
        changed.window.resize(width, 700)
        changed.until(lambda: changed.panel.isVisible() and changed.panel.width() <= width)
        QApplication.sendPostedEvents()
        right = changed.panel.width()
        for button in changed.panel.detail.buttons:
            if button.isVisible():
                place = button.mapTo(changed.panel, button.rect().topRight())
                assert place.x() <= right, button.objectName()
        assert changed.diff.height() >= 40
        assert changed.listed.height() >= 40
    finally:
        theme().apply("light", 100)


def test_the_chosen_row_and_hunk_are_framed_and_not_only_coloured(changed: ReviewDesk) -> None:
    changed.diff.setFocus()
    picture = changed.diff.grab().toImage()
    wanted = theme().tokens.focus
    pixels = {picture.pixelColor(x, y).name() for x in (2, 3) for y in range(0, picture.height(), 2)}
    assert wanted in pixels
