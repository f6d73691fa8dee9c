"""Pills and the keyboard: of all that are shown one is in front; its deed has a key and an entry in the palette."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from memgui.gui.app import wiring_of
from memgui.gui.notices import Notice, Notices
from memgui.gui.panels.palette import Palette
from tests.gui.flows.conftest import Desk

Acted = list[str]


@pytest.fixture
def acted(desk: Desk) -> Acted:
    """What was done, of the window's pills and those of an open page."""
    desk.open("MEMORY.md")
    done: Acted = []
    for notices in (desk.window.notices, page_notices(desk)):
        notices.acted.connect(done.append)
    return done


def page_notices(desk: Desk) -> Notices:
    page = desk.page("MEMORY.md")
    assert page is not None
    return page.notices  # type: ignore[no-any-return, attr-defined]


def shown_words(pill: Notice) -> str:
    button = pill.findChild(QPushButton, "noticeAction")
    assert button is not None
    return button.text()


def press(desk: Desk) -> None:
    QTest.keyClick(desk.editor("MEMORY.md"), Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier)


def test_of_two_pills_that_wait_in_two_places_the_newer_has_the_key(desk: Desk, acted: Acted) -> None:
    old = page_notices(desk).tell("lost-lines", "Lines are gone", "Re-apply", lasting=True)
    assert shown_words(old) == "Re-apply (Alt+Return)"
    new = desk.window.notices.tell("deletions", "Five are gone", "Restore all", lasting=True)
    assert (shown_words(old), shown_words(new)) == ("Re-apply", "Restore all (Alt+Return)")
    press(desk)
    assert acted == ["deletions"]
    assert shown_words(old) == "Re-apply (Alt+Return)"
    press(desk)
    assert acted == ["deletions", "lost-lines"]
    press(desk)
    assert acted == ["deletions", "lost-lines"]


def test_a_pill_of_a_page_that_is_not_in_front_has_no_key(desk: Desk, acted: Acted) -> None:
    older = desk.window.notices.tell("deletions", "Five are gone", "Restore all", lasting=True)
    page_notices(desk).tell("lost-lines", "Lines are gone", "Re-apply", lasting=True)
    assert shown_words(older) == "Restore all"
    desk.open("HEARTBEAT.md")
    assert shown_words(older) == "Restore all (Alt+Return)"


def test_one_that_goes_by_itself_shows_no_key_and_can_be_chosen(desk: Desk, acted: Acted) -> None:
    pill = page_notices(desk).tell("merged", "Lines were merged", "Undo")
    assert shown_words(pill) == "Undo"
    desk.do("notice.act")
    assert acted == ["merged"]


def test_the_palette_says_what_the_one_in_front_offers(desk: Desk, acted: Acted) -> None:
    desk.window.notices.tell("writing", "Somebody is writing", "Apply now", dismissal="Cancel", lasting=True)
    desk.do("palette.show")
    palette = desk.widget(Palette, "palette")
    assert isinstance(palette, Palette)
    palette.field.setText(">notice")
    model = palette.results.model()
    titles = [str(model.index(row, 0).data()) for row in range(model.rowCount())]
    assert {"Notice: Apply now", "Notice: Cancel"} <= set(titles)
    palette.dismiss()
    desk.do("notice.dismiss")
    assert not desk.shown("notice")
    assert not desk.window.action("notice.act").isEnabled()
    assert not desk.window.action("notice.dismiss").isEnabled()


@pytest.mark.parametrize("view", ["days", "review", "history"])
def test_it_can_be_done_whatever_is_in_front(desk: Desk, acted: Acted, view: str) -> None:
    desk.window.notices.tell("deletions", "Five are gone", "Restore all", lasting=True)
    desk.do(f"view.{view}")
    desk.until(_in_front(desk, view))
    assert desk.window.action("notice.act").isEnabled()
    desk.do("notice.act")
    assert acted == ["deletions"]


def _in_front(desk: Desk, view: str) -> Callable[[], bool]:
    return lambda: desk.window.middle == view


def test_the_keyboard_reaches_a_pill_that_a_save_waits_for(desk: Desk) -> None:
    before = desk.read("MEMORY.md")
    editor = desk.open("MEMORY.md")
    desk.append("MEMORY.md", "agent\n")
    desk.until(lambda: desk.text("MEMORY.md") == before + "agent\n")
    editor.undo()
    desk.until(lambda: desk.window.action("notice.act").isEnabled())
    press(desk)
    desk.until(lambda: desk.read("MEMORY.md") == before)
    assert desk.text("MEMORY.md") == before


def test_a_page_that_closes_takes_its_pill_along(desk: Desk, acted: Acted) -> None:
    page_notices(desk).tell("lost-lines", "Lines are gone", "Re-apply", lasting=True)
    assert desk.window.action("notice.act").isEnabled()
    desk.do("document.close")
    desk.until(lambda: desk.page("MEMORY.md") is None)
    assert not desk.window.action("notice.act").isEnabled()
    wiring = wiring_of(desk.window)
    assert wiring is not None
    assert wiring.pill_in_front.pill is None
    assert not [pill for pill in desk.window.findChildren(QWidget, "notice") if pill.isVisible()]
