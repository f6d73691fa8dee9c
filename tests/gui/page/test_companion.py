"""A page shows a second widget beside its source, below it, or in its place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QTextBrowser
from pytestqt.qtbot import QtBot

from memgui.gui.panels.page.page import Page


@pytest.fixture
def wide(shown: Callable[..., Page], qtbot: QtBot) -> Page:
    page = shown(b"one\ntwo\n")
    page.resize(1000, 600)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.setFocus()
    return page


def test_beside_the_source(wide: Page) -> None:
    other = QTextBrowser()
    wide.set_companion(other, side_by_side=True)
    assert wide.editor.isVisible()
    assert other.isVisible()
    assert wide.editor.hasFocus()
    assert other.mapTo(wide, other.rect().topLeft()).x() > wide.editor.mapTo(wide, wide.editor.rect().topRight()).x()


def test_below_the_source_where_it_is_narrow(wide: Page, qtbot: QtBot) -> None:
    other = QTextBrowser()
    wide.set_companion(other, side_by_side=True)
    wide.resize(500, 600)
    qtbot.waitUntil(lambda: other.mapTo(wide, other.rect().topLeft()).y() > 200)
    assert other.mapTo(wide, other.rect().topLeft()).x() < 10
    assert wide.editor.isVisible()


def test_in_a_low_window_the_companion_has_the_most_of_the_room(wide: Page, qtbot: QtBot) -> None:
    other = QTextBrowser()
    wide.set_companion(other, side_by_side=True)
    wide.resize(480, 240)
    qtbot.waitUntil(lambda: other.height() > 2 * wide.editor.height())
    assert wide.editor.height() >= 2 * wide.editor.fontMetrics().height()


def test_alone_it_takes_the_keyboard_and_gives_it_back(wide: Page) -> None:
    other = QTextBrowser()
    wide.set_companion(other, side_by_side=False)
    assert not wide.editor.isVisible()
    assert other.hasFocus()
    wide.set_companion(None, side_by_side=False)
    assert wide.editor.isVisible()
    assert not other.isVisible()
    assert wide.editor.hasFocus()
    assert wide.isAncestorOf(other)


def test_one_takes_the_place_of_another(wide: Page) -> None:
    one, other = QTextBrowser(), QTextBrowser()
    wide.set_companion(one, side_by_side=True)
    wide.set_companion(other, side_by_side=True)
    assert not one.isVisible()
    assert other.isVisible()
    assert wide.halves.companion is other


def test_the_share_of_the_source_stays_when_the_window_grows(wide: Page, qtbot: QtBot) -> None:
    wide.set_companion(QTextBrowser(), side_by_side=True)
    wide.halves.set_share(0.3)
    assert abs(wide.editor.width() - 300) < 30
    wide.resize(1400, 600)
    qtbot.waitUntil(lambda: abs(wide.editor.width() - 420) < 40)


def test_the_find_bar_closes_to_what_is_shown(wide: Page) -> None:
    other = QTextBrowser()
    wide.set_companion(other, side_by_side=False)
    wide.find_bar.open_find()
    wide.find_bar.close_bar()
    assert other.hasFocus()
