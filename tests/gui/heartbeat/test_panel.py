"""The checklist by itself: what its rows answer, what its keys ask for, and how it follows a text."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from memgui.domain.heartbeat import Item, Section, read
from memgui.domain.heartbeat_run import verdict
from memgui.domain.paths import DocPath
from memgui.gui import theme
from memgui.gui.panels.heartbeat import HeartbeatPanel
from memgui.gui.panels.heartbeat.field import WordsField
from memgui.gui.panels.heartbeat.measuring import Heights
from tests.domain.test_heartbeat import HARD

PATH, LINE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
CHECK = Qt.ItemDataRole.CheckStateRole
TEXT = "# Day\n\n- [ ] a\n  - [ ] a1\n- [x] b\n- [!] c\n- d\n\n# Week\n\n- [ ] e\n"


@dataclass
class Wishes:
    """What the panel asked for."""

    all: list[tuple[str, object]] = field(default_factory=list)

    def note(self, name: str) -> object:
        return lambda what, *more: self.all.append(
            (name, (what.text if isinstance(what, Item | Section) else what, *more))
        )


@pytest.fixture
def panel(qtbot: QtBot) -> HeartbeatPanel:
    made = HeartbeatPanel()
    qtbot.addWidget(made)
    QAbstractItemModelTester(made.list.model(), QAbstractItemModelTester.FailureReportingMode.Fatal, made)
    made.resize(420, 600)
    made.show()
    made.activateWindow()
    show(made, TEXT)
    made.list.setFocus()
    return made


@pytest.fixture
def wishes(panel: HeartbeatPanel) -> Wishes:
    heard = Wishes()
    for name in ("tick", "text", "add", "remove", "move"):
        getattr(panel, f"{name}_requested").connect(heard.note(name))
    panel.line_chosen.connect(heard.note("line"))
    return heard


def show(panel: HeartbeatPanel, text: str) -> None:
    texts = text.split("\n")
    panel.show_checklist(DocPath("HEARTBEAT.md"), read(texts), verdict(texts))


def rows(panel: HeartbeatPanel) -> list[str]:
    model = panel.list.model()
    return [str(model.index(at, 0).data()) for at in range(model.rowCount())]


def go_to(panel: HeartbeatPanel, words: str) -> None:
    panel.list.setCurrentIndex(panel.list.model().index(rows(panel).index(words), 0))


def current(panel: HeartbeatPanel) -> str:
    return str(panel.list.currentIndex().data())


def field_of(panel: HeartbeatPanel) -> WordsField:
    """The field that is open; one that was closed may live on for a moment."""
    (found,) = (field for field in panel.findChildren(WordsField, "heartbeatField") if field.isVisible())
    return found


def type_into(panel: HeartbeatPanel, qtbot: QtBot, words: str) -> None:
    field = field_of(panel)
    field.set_text(words)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not panel.list.is_editing)


def test_items_answer_their_path_their_line_and_their_tick(panel: HeartbeatPanel) -> None:
    model = panel.list.model()
    answers = [(model.index(at, 0).data(PATH), model.index(at, 0).data(LINE)) for at in range(model.rowCount())]
    assert answers == [
        (None, None),
        *(("HEARTBEAT.md", line) for line in (3, 4, 5, 6, 7)),
        (None, None),
        ("HEARTBEAT.md", 11),
    ]
    assert [model.index(at, 0).data(CHECK) for at in range(model.rowCount())] == [
        None,
        Qt.CheckState.Unchecked,
        Qt.CheckState.Unchecked,
        Qt.CheckState.Checked,
        Qt.CheckState.Unchecked,
        None,
        None,
        Qt.CheckState.Unchecked,
    ]
    checkable = [
        bool(model.flags(model.index(at, 0)) & Qt.ItemFlag.ItemIsUserCheckable) for at in range(model.rowCount())
    ]
    assert checkable == [False, True, True, True, True, False, False, True]


@pytest.mark.parametrize("state", [2, Qt.CheckState.Checked])
def test_a_state_arrives_as_a_number_or_as_itself(panel: HeartbeatPanel, wishes: Wishes, state: object) -> None:
    assert panel.list.model().setData(panel.list.model().index(1, 0), state, CHECK)
    assert panel.list.model().setData(panel.list.model().index(3, 0), state, CHECK)
    assert wishes.all == [("tick", ("a", True))], "what is ticked already is not asked for again"


def test_space_turns_the_tick_and_says_where_there_is_no_box(
    qtbot: QtBot, panel: HeartbeatPanel, wishes: Wishes
) -> None:
    go_to(panel, "b")
    qtbot.keyClick(panel.list, Qt.Key.Key_Space)
    go_to(panel, "d")
    with qtbot.waitSignal(panel.said):
        qtbot.keyClick(panel.list, Qt.Key.Key_Space)
    assert wishes.all == [("tick", ("b", False))]


def test_a_click_on_the_box_turns_the_tick_and_one_on_the_words_does_not(
    qtbot: QtBot, panel: HeartbeatPanel, wishes: Wishes
) -> None:
    place = panel.list.visualRect(panel.list.model().index(1, 0))
    box = panel.list._rows.box_of(place, 0)
    qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=box.center() + QPoint(60, 0))
    assert [wish for wish in wishes.all if wish[0] == "tick"] == [("tick", ("a", True))]
    assert ("line", (3,)) in wishes.all


def test_enter_edits_the_words_and_escape_gives_up(qtbot: QtBot, panel: HeartbeatPanel, wishes: Wishes) -> None:
    go_to(panel, "a1")
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    type_into(panel, qtbot, " other  words ")
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    field = field_of(panel)
    field.set_text("never")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not panel.list.is_editing)
    assert wishes.all == [("text", ("a1", "other  words"))]


def test_long_words_are_typed_in_as_many_lines_as_they_need_and_stay_one(
    qtbot: QtBot, panel: HeartbeatPanel, wishes: Wishes
) -> None:
    go_to(panel, "a")
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    field = field_of(panel)
    low = field.height()
    QGuiApplication.clipboard().setText("many words\nto be pasted " * 8)
    field.paste()
    assert field.height() > 2 * low
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not panel.list.is_editing)
    assert wishes.all == [("text", ("a", ("many words to be pasted " * 8).strip()))]


def test_insert_offers_a_row_below_that_is_gone_when_nothing_is_typed(
    qtbot: QtBot, panel: HeartbeatPanel, wishes: Wishes
) -> None:
    go_to(panel, "a")
    before = rows(panel)
    qtbot.keyClick(panel.list, Qt.Key.Key_Insert)
    assert rows(panel) == [*before[:3], "", *before[3:]], "below the item and its children"
    type_into(panel, qtbot, "new")
    assert rows(panel) == before
    qtbot.keyClick(panel.list, Qt.Key.Key_Insert)
    type_into(panel, qtbot, "  ")
    go_to(panel, "Week")
    qtbot.keyClick(panel.list, Qt.Key.Key_Insert)
    type_into(panel, qtbot, "newer")
    assert wishes.all == [("add", ("a", "new")), ("add", ("Week", "newer"))]


def test_the_other_keys_move_remove_and_filter(qtbot: QtBot, panel: HeartbeatPanel, wishes: Wishes) -> None:
    go_to(panel, "b")
    qtbot.keyClick(panel.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(panel.list, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    assert wishes.all == [("move", ("b", False)), ("move", ("b", True)), ("remove", ("b",))]
    qtbot.keyClick(panel.list, Qt.Key.Key_F)
    assert rows(panel) == ["Day", "a", "a1", "c", "d", "Week", "e"]
    qtbot.keyClick(panel.list, Qt.Key.Key_F)
    assert "b" in rows(panel)
    with qtbot.waitSignal(panel.left):
        qtbot.keyClick(panel.list, Qt.Key.Key_Escape)


def test_open_items_keep_what_they_stand_in(panel: HeartbeatPanel) -> None:
    show(panel, "# A\n- [x] p\n  - [x] q\n    - [ ] deep\n  - [x] r\n- [x] s\n# B\n- [x] t\n  - [x] u\n")
    panel.show_open_only(True)
    assert rows(panel) == ["A", "p", "q", "deep"]


def test_what_is_ticked_among_the_open_ones_stays_until_the_filter_is_chosen_again(panel: HeartbeatPanel) -> None:
    panel.show_open_only(True)
    model = panel.list.model()
    model.setData(model.index(1, 0), 2, CHECK)
    show(panel, TEXT.replace("- [ ] a\n", "- [x] a\n"))
    assert "a" in rows(panel)
    panel.show_open_only(True)
    assert rows(panel)[1] == "a", "it holds an open one"
    show(panel, TEXT.replace("- [ ] e\n", "- [x] e\n"))
    assert "e" not in rows(panel)


def test_the_selection_stays_on_its_item_by_its_words(panel: HeartbeatPanel) -> None:
    go_to(panel, "c")
    show(panel, "# New\n\n- [ ] z\n" + TEXT.replace("- [!] c", "- [x] c"))
    assert current(panel) == "c"
    show(panel, "- [ ] c\n- [ ] a\n")
    assert current(panel) == "c"


def test_only_what_changed_is_laid_out_anew(qtbot: QtBot, panel: HeartbeatPanel) -> None:
    model = panel.list.model()
    heard: list[str] = []
    model.modelReset.connect(lambda: heard.append("reset"))
    model.rowsInserted.connect(lambda _parent, first, last: heard.append(f"in {first}-{last}"))
    model.rowsRemoved.connect(lambda _parent, first, last: heard.append(f"out {first}-{last}"))
    show(panel, TEXT.replace("- [ ] a\n", "- [x] a\n"))
    assert heard == []
    show(panel, TEXT.replace("- [x] b\n", "- [x] b\n- [ ] new\n"))
    assert heard == ["in 4-4"]


def test_a_tick_lays_out_no_row_anew(qtbot: QtBot, panel: HeartbeatPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[int] = []
    of = Heights.of

    def noted(heights: Heights, row: int) -> int:
        laid_out.append(row)
        return of(heights, row)

    monkeypatch.setattr(Heights, "of", noted)

    def after(text: str) -> int:
        laid_out.clear()
        show(panel, text)
        panel.list.visualRect(panel.list.model().index(0, 0))
        return len(laid_out)

    items = "".join(f"- [ ] item {number}\n" for number in range(200))
    assert after(items) >= 200
    assert after(items.replace("[ ] item 3\n", "[x] item 3\n")) < 10
    assert after(items + "- [ ] one more\n") >= 200


def test_a_text_that_changes_while_words_are_typed_is_shown_afterwards(
    qtbot: QtBot, panel: HeartbeatPanel, wishes: Wishes
) -> None:
    go_to(panel, "a")
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    field = field_of(panel)
    field.set_text("typed")
    show(panel, "- [ ] z\n")
    assert "a" in rows(panel)
    assert field.text() == "typed"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: rows(panel) == ["z"])
    assert wishes.all == [("text", ("a", "typed"))]


def test_words_that_found_no_place_are_offered_again(qtbot: QtBot, panel: HeartbeatPanel) -> None:
    panel.offer_again("typed")
    field = field_of(panel)
    assert field.text() == "typed"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not panel.list.is_editing)


def test_the_header_counts_and_says_what_the_agent_will_do(panel: HeartbeatPanel) -> None:
    count, why = panel.findChild(QLabel, "heartbeatCount"), panel.findChild(QLabel, "heartbeatWhy")
    opened = panel.findChild(QPushButton, "heartbeatOpen")
    assert count is not None
    assert why is not None
    assert opened is not None
    assert (count.text(), opened.text()) == ("1 of 5 done", "Open 4")
    assert "line 3" in why.text()
    show(panel, "# Day\n")
    assert count.text() == "No items"
    assert "will skip this" in why.text()
    show(panel, "- a\n")
    assert count.text() == "1 item"


def test_what_is_no_item_is_shown_and_said(panel: HeartbeatPanel) -> None:
    show(panel, HARD + "- [] odd\n")
    shown = rows(panel)
    assert any("not an item" in row for row in shown)
    assert any("inside a fence" in row for row in shown)
    index = panel.list.model().index(len(shown) - 1, 0)
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "Line 18 could not be read as an item – shown as text"
    assert "‹U+202E RLO›" in _row_of(panel, "- [ ] a\u202eb\n")


def _row_of(panel: HeartbeatPanel, text: str) -> str:
    show(panel, text)
    return rows(panel)[0]


def test_an_empty_text_and_a_missing_file_offer_what_can_be_done(qtbot: QtBot, panel: HeartbeatPanel) -> None:
    show(panel, "\n")
    first = panel.findChild(QPushButton, "heartbeatFirst")
    assert first is not None
    first.click()
    assert panel.list.is_editing
    field = field_of(panel)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not panel.list.is_editing)
    panel.show_absent("HEARTBEAT.md")
    create = panel.findChild(QPushButton, "heartbeatCreate")
    assert create is not None
    with qtbot.waitSignal(panel.create_requested):
        create.click()


def test_a_screen_reader_hears_rows_and_ticks(panel: HeartbeatPanel) -> None:
    spoken = [
        panel.list.model().index(at, 0).data(Qt.ItemDataRole.AccessibleTextRole) for at in range(len(rows(panel)))
    ]
    assert spoken == ["Section Day", "a", "a1, level 2", "b", "c, marked !", "d", "Section Week", "e"]
    child = QAccessible.queryAccessibleInterface(panel.list).child(3)
    assert child.state().checked
    assert child.text(QAccessible.Text.Name) == "b"


@pytest.mark.parametrize("zoom", [100, 200])
@pytest.mark.parametrize("width", [160, 420])
def test_every_row_is_high_enough_for_its_words(qtbot: QtBot, panel: HeartbeatPanel, zoom: int, width: int) -> None:
    theme.theme().apply("light", zoom)
    try:
        panel.resize(width, 600)
        long = "words that need several lines " * 6
        show(panel, f"# {long}\n\n- [ ] {long}\n\n{long}\n\n<!-- {long} -->\n\n| {long} |\n\n- [ ] short\n")
        qtbot.waitUntil(lambda: panel.list.visualRect(panel.list.model().index(5, 0)).height() > 0)
        heights = [panel.list.visualRect(panel.list.model().index(at, 0)).height() for at in range(6)]
        assert heights[1] > 2 * heights[5]
        assert not panel.grab().isNull()
    finally:
        theme.theme().apply("system", 100)


def test_of_a_very_long_list_every_row_gets_its_own_height_in_a_moment(qtbot: QtBot, panel: HeartbeatPanel) -> None:
    long = "words that wrap " * 20
    show(panel, "".join(f"- [ ] item {number}\n" for number in range(600)) + f"- [ ] {long}\n- [ ] last\n")
    rows = panel.list.model()
    one, wrapped = rows.index(0, 0), rows.index(600, 0)
    qtbot.waitUntil(lambda: panel.list.visualRect(wrapped).height() > 2 * panel.list.visualRect(one).height())
    assert panel.list.visualRect(rows.index(601, 0)).top() >= panel.list.visualRect(wrapped).bottom()
    before = panel.list.visualRect(wrapped).height()
    panel.resize(300, 600)
    qtbot.waitUntil(lambda: panel.list.visualRect(wrapped).height() > before)
