"""Words in the window: they join the exact matches, F4 goes through both, and no trouble stops a search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QPushButton, QWidget

import memgui.gui.words
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.ops import baselines, review, review_verdicts, versions, workspace
from memgui.ops.words.progress import FOLDER
from tests.gui.flows.conftest import Desk

GROUP = int(Qt.ItemDataRole.UserRole) + 2
LINE = int(Qt.ItemDataRole.UserRole) + 1
PATH = int(Qt.ItemDataRole.UserRole)

Rows = list[tuple[str, int, str]]


@pytest.fixture(autouse=True)
def words_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memgui.gui.words, "BEGIN_MS", 0)


def index_of(desk: Desk) -> Path:
    return workspace.open(desk.root).cache / FOLDER


def ready(desk: Desk) -> None:
    desk.until(lambda: "all searchable" in desk.status("statusIndex") and index_of(desk).is_dir())
    desk.until(lambda: bool(list(index_of(desk).glob("*.seg"))))


def rows(desk: Desk) -> Rows:
    results = desk.window.findChild(QListView, "searchResults")
    assert results is not None
    model = results.model()
    found = [
        [model.index(n, 0).data(role) for role in (PATH, LINE, GROUP)] for n in range(model.rowCount(QModelIndex()))
    ]
    return [(path, line, group) for path, line, group in found if path is not None]


def ask(desk: Desk, query: str, fact: Callable[[Rows], bool]) -> Rows:
    action = desk.window.findChild(QAction, "view.search")
    field = desk.window.findChild(QLineEdit, "searchField")
    assert action is not None
    assert field is not None
    action.trigger()
    field.setText(query)
    desk.until(lambda: fact(rows(desk)))
    return rows(desk)


def groups(found: Rows) -> dict[str, set[str]]:
    return {group: {path for path, _line, other in found if other == group} for _path, _line, group in found}


def test_words_stand_below_the_exact_matches_and_f4_goes_through_both(desk: Desk) -> None:
    (desk.root / "a.md").write_text("# Closed\n\nThe ferry office, berth 7.\n")
    ready(desk)
    found = ask(desk, "berth 7", lambda found: len(groups(found)) >= 1 and "a.md" in {row[0] for row in found})
    assert set(groups(found)) == {"literal"}
    found = ask(desk, "closed berth", lambda found: groups(found).get("words", set()) >= {"a.md", "MEMORY.md"})
    (desk.root / "b.md").write_text("closed berth\n")
    desk.until(lambda: groups(rows(desk)).get("literal", set()) >= {"b.md"})
    desk.until(lambda: groups(rows(desk)).get("words", set()) >= {"a.md", "MEMORY.md"})
    after = desk.window.findChild(QAction, "search.next_hit")
    assert after is not None
    seen = set()
    for _step in range(6):
        after.trigger()
        seen.add(desk.tabs.currentWidget().property("path"))
    assert seen >= {"a.md", "b.md", "MEMORY.md"}


def test_the_explain_line_says_how_operators_were_read(desk: Desk) -> None:
    ready(desk)
    ask(desk, "day:2026-11-30 berth", lambda found: groups(found).get("words") == {"memory/2026-11-30.md"})
    assert desk.status("searchExplain") == "Read as: day 2026-11-30 and berth"
    ask(desk, "berth zeppelin -crane", lambda _found: "these have some" in desk.status("searchExplain"))
    assert rows(desk)
    ask(desk, "zeppelin: fog", lambda _found: "No line in" in desk.status("searchExplain"))
    assert not rows(desk)


def test_without_an_index_the_exact_search_answers_and_a_new_one_is_made_behind_it(desk: Desk) -> None:
    ready(desk)
    for part in index_of(desk).iterdir():
        if part.is_file():
            part.unlink()
    found = ask(desk, "berth", lambda found: "literal" in groups(found))
    assert "MEMORY.md" in groups(found)["literal"]
    ready(desk)
    ask(desk, "people telephone", lambda found: groups(found).get("words") == {"MEMORY.md"})


def test_a_hit_of_several_words_has_all_of_them_marked_on_its_page(desk: Desk) -> None:
    text = "# Notes\n\nThe crane waits; this is the berth.\n\nA berth without.\nBerthing is another word.\n"
    (desk.root / "a.md").write_text(text)
    ready(desk)
    ask(desk, "crane berth", lambda found: groups(found).get("words", set()) >= {"a.md"})
    after = desk.window.findChild(QAction, "search.next_hit")
    assert after is not None

    def at_the_file() -> bool:
        after.trigger()
        return bool(desk.tabs.currentWidget().property("path") == "a.md")

    desk.until(at_the_file)
    desk.until(lambda: desk.ready("a.md"))
    editor = desk.editor("a.md")

    def marked() -> list[str]:
        return [one.cursor.selectedText() for one in editor.extraSelections() if one.cursor.hasSelection()]

    desk.until(lambda: marked() == ["crane", "berth", "berth"])


def is_missed(desk: Desk) -> bool:
    """Whether the words of one more line could not be indexed, and the status bar says so."""
    desk.append("MEMORY.md", "one more line\n")
    return "words not indexed, trying again" in desk.status("statusIndex")


def test_an_index_that_cannot_be_written_is_tried_again_and_then_when_the_person_asks(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memgui.gui.words, "AGAIN_MS", (300, 10, 10))
    ready(desk)
    lock = index_of(desk).with_name(f"{FOLDER}.lock")
    lock.unlink(missing_ok=True)
    lock.mkdir()
    desk.until(lambda: is_missed(desk))
    desk.until(lambda: "only exact text is found" in desk.status("statusIndex"))
    lock.rmdir()
    desk.do("workspace.reconcile")
    desk.until(lambda: "all searchable" in desk.status("statusIndex"))


def test_an_index_that_could_not_be_written_for_a_moment_comes_back_by_itself(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memgui.gui.words, "AGAIN_MS", (500, 500, 500))
    ready(desk)
    lock = index_of(desk).with_name(f"{FOLDER}.lock")
    lock.unlink(missing_ok=True)
    lock.mkdir()
    desk.until(lambda: is_missed(desk))
    lock.rmdir()
    desk.until(lambda: "all searchable" in desk.status("statusIndex"))


def test_what_stands_nowhere_now_is_found_in_history_and_enter_leads_to_its_version(desk: Desk) -> None:
    (desk.root / "bygone.md").write_text("The zeppelin was never built.\n")
    desk.until(lambda: "bygone.md" in desk.tree_paths())
    ready(desk)
    ws = workspace.open(desk.root)
    desk.until(lambda: len(versions.versions(ws, "bygone.md")["versions"]) == 1)
    (desk.root / "bygone.md").write_text("Nothing any more.\n")
    desk.until(lambda: len(versions.versions(ws, "bygone.md")["versions"]) == 2)
    ask(desk, "zeppelin", lambda _found: "No line in" in desk.status("searchExplain"))
    offers = [offer for offer in desk.window.findChildren(QPushButton, "searchOffer") if offer.isVisible()]
    assert [offer.text() for offer in offers] == ["Look in earlier versions"]
    offers[0].click()
    desk.until(lambda: groups(rows(desk)) == {"history": {"bygone.md"}})
    assert desk.status("searchExplain") == "Read as: in earlier versions and zeppelin"
    field = desk.widget(QLineEdit, "searchField")
    field.setFocus()
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    history = desk.window.findChild(QListView, "historyList")
    assert history is not None
    desk.until(lambda: history.isVisible() and history.currentIndex().data(PATH) == 1)


def why(desk: Desk) -> str:
    strip = desk.window.findChild(QWidget, "searchWhy")
    label = desk.window.findChild(QLabel, "searchWhyText")
    assert strip is not None
    assert label is not None
    return label.text() if strip.isVisible() else ""


def test_a_hit_and_a_file_say_why_by_a_key_and_from_the_palette(desk: Desk) -> None:
    ready(desk)
    ask(desk, "closed berth", lambda found: "MEMORY.md" in groups(found).get("words", set()))
    field = desk.widget(QLineEdit, "searchField")
    field.setFocus()
    desk.qtbot.keyClick(field, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    desk.until(lambda: why(desk).startswith("This line holds the text as it was typed"))
    desk.qtbot.keyClick(field, Qt.Key.Key_Down)
    for _row in range(2):
        desk.qtbot.keyClick(desk.widget(QListView, "searchResults"), Qt.Key.Key_Down)
    desk.until(lambda: "The passage holds all that was asked: “closed”, “berth”." in why(desk))
    desk.do("search.why")
    assert why(desk) == ""
    desk.open("SOUL.md")
    desk.do("search.why_not")
    desk.until(lambda: "No passage of it is what was asked" in why(desk))
    desk.qtbot.mouseClick(desk.widget(QWidget, "searchWhyClose"), Qt.MouseButton.LeftButton)
    assert why(desk) == ""


def test_what_is_unseen_is_told_anew_after_a_verdict(desk: Desk) -> None:
    space = workspace.open(desk.root)
    ready(desk)
    desk.until(lambda: baselines.is_begun(space))
    (desk.root / "a.md").write_text("# Ferries\n\nThe ferry office, berth 7.\n")
    ask(desk, "is:unseen ferry", lambda found: groups(found).get("words") == {"a.md"})
    (change,) = [one for one in review.pending(space) if one.path == "a.md"]
    review_verdicts.accept(space, change, origin=Origin.shell())
    desk.until(lambda: not rows(desk))


def test_what_is_forgotten_leaves_the_rows_that_are_shown(desk: Desk) -> None:
    ready(desk)
    (desk.root / "a.md").write_text("the key is hunter2-swordfish\nthe ferry\n")
    desk.until(lambda: "a.md" in desk.tree_paths())
    space = workspace.open(desk.root)
    desk.until(lambda: bool(versions.seen(space, DocPath("a.md"))))
    (desk.root / "a.md").write_text("the ferry\n")
    ask(desk, "in:history swordfish", lambda found: groups(found).get("history") == {"a.md"})
    desk.do("history.forget_text")
    secret = desk.widget(QLineEdit, "historyMessageField")
    desk.qtbot.keyClicks(secret, "hunter2-swordfish")
    desk.qtbot.keyClick(secret, Qt.Key.Key_Return)
    desk.until(lambda: not rows(desk))
