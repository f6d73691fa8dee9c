"""A person goes through the heartbeat's checklist, and an agent writes to the same file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QLabel, QListView, QPushButton, QWidget

from memgui.gui.panels.heartbeat.field import WordsField
from tests.gui.flows.conftest import Desk

PATH, LINE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
CHECK = Qt.ItemDataRole.CheckStateRole
HEARTBEAT = "HEARTBEAT.md"
TIDE = "Check the tide table for tomorrow"
BERTH = "Ask Mara about berth 7"
TEXT = f"# Heartbeat\n\n- [ ] {TIDE}\n- [x] {BERTH}\n"


def begin(desk: Desk) -> QListView:
    """Ctrl+2, and the list once its rows are there."""
    desk.do("view.heartbeat")
    desk.until(lambda: desk.ready(HEARTBEAT) and any(row[0] for row in rows(desk)))
    return items(desk)


def items(desk: Desk) -> QListView:
    found = desk.widget(QListView, "heartbeatItems")
    assert isinstance(found, QListView)
    return found


def rows(desk: Desk) -> list[tuple[object, object, str, object]]:
    model = items(desk).model()
    indexes = [model.index(at, 0) for at in range(model.rowCount())]
    return [(index.data(PATH), index.data(LINE), index.data(), index.data(CHECK)) for index in indexes]


def row_of(desk: Desk, words: str) -> QModelIndex:
    model = items(desk).model()
    return next(index for at in range(model.rowCount()) if (index := model.index(at, 0)).data() == words)


def choose(desk: Desk, words: str) -> QListView:
    view = items(desk)
    view.setCurrentIndex(row_of(desk, words))
    view.setFocus()
    return view


def press(desk: Desk, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    desk.qtbot.keyClick(items(desk), key, modifier)


def type_words(desk: Desk, words: str) -> None:
    field = desk.widget(QWidget, "heartbeatField")
    assert isinstance(field, WordsField)
    field.set_text(words)
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)


def holds(desk: Desk, text: str) -> None:
    desk.until(lambda: desk.read(HEARTBEAT) == text)
    desk.until(lambda: desk.state(HEARTBEAT) == "saved")


def notice(desk: Desk) -> str:
    page = desk.page(HEARTBEAT)
    assert page is not None
    return next((str(n.property("kind")) for n in page.findChildren(QWidget, "notice") if n.isVisible()), "")


def test_the_checklist_opens_with_the_keyboard_in_it(desk: Desk) -> None:
    view = begin(desk)
    assert view.hasFocus()
    assert [row[:2] for row in rows(desk)] == [(None, None), (HEARTBEAT, 3), (HEARTBEAT, 4)]
    assert view.currentIndex().data() == TIDE


def test_a_tick_changes_one_byte_on_disk_at_once_and_undo_takes_it_back(desk: Desk) -> None:
    begin(desk)
    before = (desk.root / HEARTBEAT).read_bytes()
    press(desk, Qt.Key.Key_Space)
    holds(desk, TEXT.replace(f"- [ ] {TIDE}", f"- [x] {TIDE}"))
    after = (desk.root / HEARTBEAT).read_bytes()
    assert sum(one != two for one, two in zip(before, after, strict=True)) == 1
    assert desk.status("statusSave").startswith("Saved ")
    desk.do("edit.undo")
    desk.save()
    holds(desk, TEXT)
    desk.until(lambda: row_of(desk, TIDE).data(CHECK) == Qt.CheckState.Unchecked)


def test_a_tick_by_the_models_own_door_is_saved_too(desk: Desk) -> None:
    view = begin(desk)
    assert view.model().setData(row_of(desk, TIDE), Qt.CheckState.Checked.value, CHECK)
    holds(desk, TEXT.replace("- [ ]", "- [x]"))


def test_a_mark_of_its_own_comes_back_when_it_is_turned_twice(desk: Desk) -> None:
    text = "- [!] urgent\n- [X] big\n"
    desk.replace(HEARTBEAT, text)
    begin(desk)
    for words, once in (("urgent", "- [X] urgent\n- [X] big\n"), ("big", "- [!] urgent\n- [ ] big\n")):
        desk.until(lambda words=words: any(row[2] == words for row in rows(desk)))
        choose(desk, words)
        press(desk, Qt.Key.Key_Space)
        holds(desk, once)
        press(desk, Qt.Key.Key_Space)
        holds(desk, text)


def test_items_are_edited_added_moved_and_removed(desk: Desk) -> None:
    begin(desk)
    press(desk, Qt.Key.Key_Return)
    type_words(desk, "Check the tide")
    holds(desk, TEXT.replace(TIDE, "Check the tide"))
    press(desk, Qt.Key.Key_Insert)
    type_words(desk, "Call 港口")
    holds(desk, f"# Heartbeat\n\n- [ ] Check the tide\n- [ ] Call 港口\n- [x] {BERTH}\n")
    assert items(desk).currentIndex().data() == "Call 港口"
    press(desk, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    holds(desk, f"# Heartbeat\n\n- [ ] Call 港口\n- [ ] Check the tide\n- [x] {BERTH}\n")
    assert items(desk).currentIndex().data() == "Call 港口"
    choose(desk, BERTH)
    press(desk, Qt.Key.Key_Delete)
    holds(desk, "# Heartbeat\n\n- [ ] Call 港口\n- [ ] Check the tide\n")
    assert items(desk).hasFocus()
    desk.do("edit.undo")
    desk.until(lambda: any(row[2] == BERTH for row in rows(desk)))


def test_the_list_follows_an_agent_and_the_selection_stays(desk: Desk) -> None:
    begin(desk)
    choose(desk, BERTH)
    desk.replace(HEARTBEAT, f"# New\n\n- [ ] Before\n\n{TEXT}- [ ] After\n")
    desk.until(lambda: any(row[2] == "After" for row in rows(desk)))
    assert items(desk).currentIndex().data() == BERTH
    assert items(desk).currentIndex().data(LINE) == 8
    press(desk, Qt.Key.Key_Space)
    desk.until(lambda: f"- [ ] {BERTH}" in desk.read(HEARTBEAT))


def test_a_tick_goes_with_other_text_that_is_not_saved_yet(desk: Desk) -> None:
    begin(desk)
    desk.type(HEARTBEAT, "Mine. ")
    choose(desk, TIDE)
    press(desk, Qt.Key.Key_Space)
    holds(desk, "Mine. " + TEXT.replace("- [ ]", "- [x]"))


def test_in_conflict_a_tick_is_refused_in_a_sentence(desk: Desk) -> None:
    begin(desk)
    desk.type(HEARTBEAT, "Mine. ")
    desk.replace(HEARTBEAT, "# Theirs\n")
    desk.until(lambda: desk.state(HEARTBEAT) == "conflict")
    text = desk.text(HEARTBEAT)
    choose(desk, TIDE)
    press(desk, Qt.Key.Key_Space)
    assert desk.text(HEARTBEAT) == text
    assert desk.window.status.currentMessage() == "Conflict – not saving"
    assert desk.read(HEARTBEAT) == "# Theirs\n"


def test_a_dropped_tick_is_told_and_can_be_put_back(desk: Desk) -> None:
    begin(desk)
    press(desk, Qt.Key.Key_Space)
    holds(desk, TEXT.replace("- [ ]", "- [x]"))
    desk.replace(HEARTBEAT, TEXT + "- [ ] From the agent\n")
    desk.until(lambda: notice(desk) == "lost-tick")
    page = desk.page(HEARTBEAT)
    assert page is not None
    label = next(label for label in page.findChildren(QLabel, "noticeText") if label.isVisible())
    assert label.text() == f"An outside write dropped your tick on ‘{TIDE}’"
    button = next(button for button in page.findChildren(QPushButton, "noticeAction") if button.isVisible())
    button.click()
    holds(desk, TEXT.replace("- [ ]", "- [x]") + "- [ ] From the agent\n")
    assert notice(desk) == ""


def test_a_tick_that_was_dropped_while_its_page_was_closed_is_told_when_it_opens(desk: Desk) -> None:
    begin(desk)
    press(desk, Qt.Key.Key_Space)
    holds(desk, TEXT.replace("- [ ]", "- [x]"))
    desk.do("document.close")
    desk.until(lambda: desk.page(HEARTBEAT) is None)
    desk.replace(HEARTBEAT, TEXT)
    begin(desk)
    desk.until(lambda: notice(desk) == "lost-tick")


def test_a_tick_that_the_person_took_back_is_not_missed(desk: Desk) -> None:
    begin(desk)
    press(desk, Qt.Key.Key_Space)
    holds(desk, TEXT.replace("- [ ]", "- [x]"))
    desk.do("edit.undo")
    desk.save()
    holds(desk, TEXT)
    desk.append(HEARTBEAT, "- [ ] From the agent\n")
    desk.until(lambda: "From the agent" in desk.text(HEARTBEAT))
    assert notice(desk) == ""


def test_a_missing_heartbeat_is_offered_and_made_only_when_asked(
    open_desk: Callable[[Path], Desk], tmp_path: Path
) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n")
    desk = open_desk(tmp_path)
    desk.do("view.heartbeat")
    desk.until(lambda: desk.shown("heartbeatCreate"))
    assert not (tmp_path / HEARTBEAT).exists()
    button = desk.widget(QPushButton, "heartbeatCreate")
    assert isinstance(button, QPushButton)
    assert button.hasFocus()
    desk.qtbot.keyClick(button, Qt.Key.Key_Space)
    desk.until(lambda: (tmp_path / HEARTBEAT).exists())
    type_words(desk, "Look at the mail")
    holds(desk, "# Heartbeat\n\n- [ ] Look at the mail\n")


def test_a_workspace_of_facts_has_no_heartbeat_and_says_so(open_desk: Callable[[Path], Desk], tmp_path: Path) -> None:
    (tmp_path / ".agentsmith" / "memory").mkdir(parents=True)
    desk = open_desk(tmp_path)
    desk.do("view.heartbeat")
    assert "keep no heartbeat" in desk.window.status.currentMessage()


def test_the_source_leads_the_list_and_the_list_leads_the_source(desk: Desk) -> None:
    begin(desk)
    press(desk, Qt.Key.Key_Down)
    editor = desk.editor(HEARTBEAT)
    assert editor.textCursor().blockNumber() + 1 == 4
    press(desk, Qt.Key.Key_Escape)
    assert editor.hasFocus()
    desk.qtbot.keyClick(editor, Qt.Key.Key_Up)
    assert items(desk).currentIndex().data() == TIDE


def test_the_preview_takes_its_place_and_gives_it_back(desk: Desk) -> None:
    begin(desk)
    desk.do("view.source")
    assert not desk.shown("heartbeat")
    desk.do("view.source")
    assert desk.shown("heartbeat")
    desk.do("view.source")
    desk.do("view.heartbeat")
    assert items(desk).hasFocus()


def test_a_file_of_thousands_of_items_is_a_checklist_like_any_other(desk: Desk) -> None:
    text = "".join(f"- [ ] item {number}\n" for number in range(3_000))
    desk.replace(HEARTBEAT, text)
    desk.do("view.heartbeat")
    desk.until(lambda: desk.ready(HEARTBEAT) and desk.shown("heartbeatItems"))
    desk.until(lambda: items(desk).model().rowCount() == 3_000)
    choose(desk, "item 2990")
    press(desk, Qt.Key.Key_Space)
    ticked = text.replace("[ ] item 2990", "[x] item 2990")
    holds(desk, ticked)
    desk.until(lambda: row_of(desk, "item 2990").data(CHECK) == Qt.CheckState.Checked)
    desk.replace(HEARTBEAT, "- [ ] theirs\n" + ticked)
    desk.until(lambda: items(desk).model().rowCount() == 3_001)
    assert items(desk).currentIndex().data() == "item 2990"
    press(desk, Qt.Key.Key_F)
    desk.until(lambda: items(desk).model().rowCount() == 3_000)


def test_a_protected_heartbeat_is_not_ticked(open_desk: Callable[[Path], Desk], workspace_root: Path) -> None:
    text = "# Soul\n\n- [ ] be kind\n"
    (workspace_root / "SOUL.md").write_text(text)
    (workspace_root / HEARTBEAT).unlink()
    (workspace_root / HEARTBEAT).symlink_to("SOUL.md")
    desk = open_desk(workspace_root)
    begin(desk)
    press(desk, Qt.Key.Key_Space)
    press(desk, Qt.Key.Key_Delete)
    assert desk.window.status.currentMessage() == "Protected – read only"
    assert desk.text(HEARTBEAT) == text
    assert (workspace_root / "SOUL.md").read_text() == text


def test_what_can_only_be_looked_at_has_no_checklist_and_says_why(desk: Desk) -> None:
    (desk.root / HEARTBEAT).write_bytes(b"# Pr\xfcfen\n\n- [ ] \xe4\n")
    desk.do("view.heartbeat")
    desk.until(lambda: desk.ready(HEARTBEAT) and desk.state(HEARTBEAT) == "view")
    desk.until(lambda: desk.shown("heartbeat") and not desk.shown("heartbeatItems"))


def test_a_file_that_went_away_is_not_ticked(desk: Desk) -> None:
    begin(desk)
    (desk.root / HEARTBEAT).unlink()
    desk.until(lambda: desk.state(HEARTBEAT) == "deleted")
    press(desk, Qt.Key.Key_Space)
    assert not (desk.root / HEARTBEAT).exists()
    assert "Deleted on disk" in desk.window.status.currentMessage()


def test_words_for_an_item_that_the_agent_took_away_are_not_lost(desk: Desk) -> None:
    begin(desk)
    press(desk, Qt.Key.Key_Return)
    field = desk.widget(QWidget, "heartbeatField")
    assert isinstance(field, WordsField)
    field.set_text("Check the tide twice")
    desk.replace(HEARTBEAT, "# Heartbeat\n\n- [ ] Theirs\n")
    desk.until(lambda: "Theirs" in desk.text(HEARTBEAT))
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    desk.until(lambda: any(row[2] == "Theirs" for row in rows(desk)) and desk.shown("heartbeatField"))
    again = desk.widget(QWidget, "heartbeatField")
    assert isinstance(again, WordsField)
    assert again.text() == "Check the tide twice"
    desk.qtbot.keyClick(again, Qt.Key.Key_Return)
    holds(desk, "# Heartbeat\n\n- [ ] Theirs\n- [ ] Check the tide twice\n")


def test_every_line_keeps_its_bytes_and_the_tick_is_spelt_as_the_file_spells_it(desk: Desk) -> None:
    data = b"\xef\xbb\xbf# H\r\n- [ ] a\xc2\xa0b  \r\n\t- [X]  c\r- [ ] d\xe2\x80\xa8e\n- [ ] last"
    (desk.root / HEARTBEAT).write_bytes(data)
    begin(desk)
    desk.until(lambda: any(str(row[2]).startswith("d") for row in rows(desk)))
    choose(desk, "last")
    press(desk, Qt.Key.Key_Space)
    ticked = data.replace(b"- [ ] last", b"- [X] last")
    desk.until(lambda: (desk.root / HEARTBEAT).read_bytes() == ticked)


def test_a_storm_of_ticks_is_saved_whole(desk: Desk) -> None:
    text = "".join(f"- [ ] item {number}\n" for number in range(12))
    desk.replace(HEARTBEAT, text)
    begin(desk)
    desk.until(lambda: any(row[2] == "item 11" for row in rows(desk)))
    choose(desk, "item 0")
    for _number in range(12):
        press(desk, Qt.Key.Key_Space)
        press(desk, Qt.Key.Key_Down)
    holds(desk, text.replace("[ ]", "[x]"))


def test_an_empty_heartbeat_takes_its_first_item_by_insert(desk: Desk) -> None:
    desk.replace(HEARTBEAT, "")
    desk.do("view.heartbeat")
    desk.until(lambda: desk.ready(HEARTBEAT) and desk.shown("heartbeatFirst"))
    first = desk.widget(QPushButton, "heartbeatFirst")
    assert first.hasFocus()
    desk.qtbot.keyClick(first, Qt.Key.Key_Insert)
    type_words(desk, "Look at the mail")
    holds(desk, "- [ ] Look at the mail\n")
    assert items(desk).hasFocus()


# A tick over what the window has not seen yet ------------------------------------------------------------------------


def test_a_tick_goes_into_a_rewrite_that_the_window_has_not_seen(desk: Desk) -> None:
    begin(desk)
    theirs = f"# Heartbeat\n\nRewritten.\n\n- [ ] Theirs\n- [x] {BERTH}\n- [ ] {TIDE}\n- [ ] More of theirs\n"
    desk.replace(HEARTBEAT, theirs)
    press(desk, Qt.Key.Key_Space)
    holds(desk, theirs.replace(f"- [ ] {TIDE}", f"- [x] {TIDE}"))
    desk.until(lambda: desk.text(HEARTBEAT) == desk.read(HEARTBEAT))
    assert desk.banner(HEARTBEAT) == ""
    assert notice(desk) == ""
    desk.do("edit.undo")
    assert desk.text(HEARTBEAT) == theirs
    desk.save()
    holds(desk, theirs)


def test_several_ticks_over_an_unseen_rewrite_all_land(desk: Desk) -> None:
    mine = "".join(f"- [ ] item {number}\n" for number in range(6))
    desk.replace(HEARTBEAT, mine)
    begin(desk)
    desk.until(lambda: any(row[2] == "item 5" for row in rows(desk)))
    choose(desk, "item 0")
    theirs = f"# New\n\n- [ ] theirs\n{mine}"
    desk.replace(HEARTBEAT, theirs)
    for _number in range(6):
        press(desk, Qt.Key.Key_Space)
        press(desk, Qt.Key.Key_Down)
    holds(desk, theirs.replace("[ ] item", "[x] item"))
    desk.until(lambda: desk.text(HEARTBEAT) == desk.read(HEARTBEAT))
    assert desk.banner(HEARTBEAT) == ""


def test_a_tick_on_what_the_unseen_rewrite_took_away_is_refused_in_a_sentence(desk: Desk) -> None:
    begin(desk)
    theirs = "# Heartbeat\n\n- [ ] Theirs alone\n"
    desk.replace(HEARTBEAT, theirs)
    press(desk, Qt.Key.Key_Space)
    desk.until(lambda: "not there any more" in desk.window.status.currentMessage())
    holds(desk, theirs)
    desk.until(lambda: desk.text(HEARTBEAT) == theirs)
    assert desk.banner(HEARTBEAT) == ""


def test_a_tick_beside_unsaved_typing_is_an_edit_of_the_page(desk: Desk) -> None:
    begin(desk)
    desk.type(HEARTBEAT, "Z")
    choose(desk, TIDE)
    press(desk, Qt.Key.Key_Space)
    holds(desk, "Z" + TEXT.replace("- [ ]", "- [x]"))


def test_typing_on_while_a_tick_is_on_its_way_loses_neither(desk: Desk) -> None:
    begin(desk)
    press(desk, Qt.Key.Key_Space)
    desk.type(HEARTBEAT, "Z")
    ticked = TEXT.replace("- [ ]", "- [x]")
    desk.until(lambda: desk.read(HEARTBEAT) == ticked)
    desk.open("MEMORY.md")
    desk.open(HEARTBEAT)
    desk.until(lambda: desk.banner(HEARTBEAT) == "" and desk.state(HEARTBEAT) in ("saved", "unsaved"))
    assert desk.text(HEARTBEAT) == f"Z{ticked}"

    def saved() -> bool:
        desk.save()
        return desk.read(HEARTBEAT) == f"Z{ticked}"

    # A save that was on its way together with the tick may have come to nothing.
    desk.until(saved)
    holds(desk, f"Z{ticked}")


def test_a_tick_taken_back_while_it_is_on_its_way_stays_taken_back(desk: Desk) -> None:
    begin(desk)
    press(desk, Qt.Key.Key_Space)
    desk.do("edit.undo")
    desk.until(lambda: desk.state(HEARTBEAT) == "saved" and desk.read(HEARTBEAT) == TEXT)
    desk.until(lambda: desk.text(HEARTBEAT) == TEXT)


def test_closing_the_page_right_after_a_tick_keeps_it(desk: Desk) -> None:
    begin(desk)
    press(desk, Qt.Key.Key_Space)
    desk.do("document.close")
    desk.until(lambda: desk.page(HEARTBEAT) is None)
    assert desk.read(HEARTBEAT) == TEXT.replace("- [ ]", "- [x]")
