"""The activity in the real window: what happened is listed, followed, narrowed, gone to and exported."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLineEdit, QListView, QPushButton, QWidget

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import ExecutionFailed, NotAuthorized
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.gui.panels.activity.panel import ActivityPanel
from memgui.gui.wiring.activity import Activities
from memgui.ops import baselines, documents, review, review_verdicts, sync, workspace, writing
from memgui.ops.activity import Activity, Events
from memgui.storage.journal import IntentState, Journal
from tests.gui.flows.conftest import Desk

SCRIBE = Origin.agent("scribe")
NOW = datetime.now(UTC)
PATH = int(Qt.ItemDataRole.UserRole)
LINE, KIND = PATH + 1, PATH + 2


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "ws"
    (root / "daily").mkdir(parents=True)
    (root / "HEARTBEAT.md").write_text("")
    (root / "MEMORY.md").write_text("".join(f"- line {number}\n" for number in range(60)))
    (root / "SOUL.md").write_text("soul\n")
    ws = workspace.open(root)
    baselines.begin(ws, sync.look(ws))
    return ws


@pytest.fixture
def desk(ws: Workspace, open_desk: Callable[[Path], Desk]) -> Desk:
    return open_desk(ws.root)


def panel_of(desk: Desk) -> ActivityPanel:
    panel = desk.window.findChild(ActivityPanel)
    assert isinstance(panel, ActivityPanel)
    return panel


def listed(desk: Desk) -> list[str]:
    return [event.sentence for event in panel_of(desk).model.events]


def show(desk: Desk) -> QListView:
    desk.do("view.activity")
    desk.until(lambda: bool(panel_of(desk).property("ready")))
    return panel_of(desk).list


def add(ws: Workspace, text: str = "more", target: str = "memory") -> None:
    writing.memory_write(ws, content=text, target=target, origin=SCRIBE, now=datetime.now(UTC))


def many(ws: Workspace, count: int) -> None:
    journal = Journal(ws.state)
    for number in range(count):
        values = {"before": None, "after": Fingerprint("1" * 64), "time": 1.7e9 + number * 60}
        row = journal.intend(DocPath(f"n/{number}.md"), SCRIBE, **values)  # type: ignore[arg-type]
        journal.settle(row, IntentState.DONE)


def row_of(view: QListView, words: str) -> QModelIndex:
    model = view.model()
    indexes = [model.index(row, 0) for row in range(model.rowCount())]
    return next(index for index in indexes if words in str(index.data()))


def test_where_nothing_happened_it_says_so(desk: Desk) -> None:
    show(desk)
    assert desk.shown("activityEmpty")
    assert not desk.shown("activityList")


def test_what_an_agent_does_is_listed_under_its_day_and_new_rows_join(ws: Workspace, desk: Desk) -> None:
    add(ws)
    view = show(desk)
    desk.until(lambda: listed(desk) == ['agent "scribe" added 1 line to MEMORY.md'])
    heading, row = view.model().index(0, 0), view.model().index(1, 0)
    assert "Today" in heading.data()
    assert (heading.data(PATH), heading.data(LINE), heading.data(KIND)) == (None, None, None)
    assert (row.data(PATH), row.data(LINE), row.data(KIND)) == ("MEMORY.md", 62, "write")
    assert row.data(Qt.ItemDataRole.AccessibleTextRole).startswith('agent "scribe" added 1 line to MEMORY.md, line 62')
    add(ws, "again")
    desk.until(lambda: len(listed(desk)) == 2)
    desk.append("MEMORY.md", "- outside\n")
    desk.until(lambda: listed(desk)[0] == "outside added 1 line to MEMORY.md")


def test_a_refusal_and_a_verdict_elsewhere_come_though_no_file_changed(ws: Workspace, desk: Desk) -> None:
    show(desk)
    with pytest.raises(NotAuthorized):
        writing.memory_write(ws, content="x", target="SOUL.md", origin=SCRIBE, now=NOW)
    desk.until(lambda: listed(desk) == ['agent "scribe" was refused writing to SOUL.md (not allowed)'])
    desk.append("MEMORY.md", "- outside\n")
    desk.until(lambda: len(listed(desk)) == 2)
    review_verdicts.accept(ws, review.pending(ws)[0], origin=Origin.shell())
    desk.until(lambda: "you (shell) accepted the changes of MEMORY.md" in listed(desk))


def test_what_is_read_and_chosen_stays_where_it_is(ws: Workspace, desk: Desk) -> None:
    many(ws, 80)
    view = show(desk)
    desk.until(lambda: len(listed(desk)) == 80)
    view.setCurrentIndex(view.model().index(40, 0))
    view.scrollTo(view.currentIndex(), QListView.ScrollHint.PositionAtCenter)
    chosen, there = view.currentIndex().data(), view.visualRect(view.currentIndex())
    add(ws)
    desk.until(lambda: len(listed(desk)) == 81)
    assert view.currentIndex().data() == chosen
    assert view.visualRect(view.currentIndex()) == there
    assert desk.shown("activityNew")
    newest = desk.widget(QPushButton, "activityNew")
    assert isinstance(newest, QPushButton)
    newest.click()
    assert view.currentIndex().data() == 'agent "scribe" added 1 line to MEMORY.md'
    assert not desk.shown("activityNew")


def test_at_the_top_what_is_new_is_seen(ws: Workspace, desk: Desk) -> None:
    many(ws, 80)
    view = show(desk)
    desk.until(lambda: len(listed(desk)) == 80)
    add(ws)
    desk.until(lambda: len(listed(desk)) == 81)
    assert view.verticalScrollBar().value() == 0
    assert not desk.shown("activityNew")


def test_older_events_come_as_one_scrolls(ws: Workspace, desk: Desk) -> None:
    many(ws, 450)
    view = show(desk)
    desk.until(lambda: len(listed(desk)) >= 200)
    assert len(listed(desk)) == 200
    desk.until(lambda: view.verticalScrollBar().maximum() > 0)
    for count in (400, 450):
        view.scrollToBottom()
        view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
        if view.model().canFetchMore(QModelIndex()):
            view.model().fetchMore(QModelIndex())
        desk.until(lambda count=count: len(listed(desk)) == count)  # type: ignore[misc]
    assert listed(desk) == sorted(listed(desk), key=lambda words: -int(words.rpartition("/")[2][:-3]))
    assert not view.model().canFetchMore(QModelIndex())


def test_it_can_be_narrowed_by_kind_by_whom_and_by_path(ws: Workspace, desk: Desk) -> None:
    add(ws)
    add(ws, target="daily_log")
    with pytest.raises(NotAuthorized):
        writing.memory_write(ws, content="x", target="SOUL.md", origin=Origin.agent("other"), now=NOW)
    show(desk)
    desk.until(lambda: len(listed(desk)) == 3)
    kinds, who = desk.widget(QComboBox, "activityKind"), desk.widget(QComboBox, "activityWho")
    field = desk.widget(QLineEdit, "activityFilter")
    assert isinstance(kinds, QComboBox)
    assert isinstance(who, QComboBox)
    kinds.setCurrentIndex(kinds.findText("Refusals"))
    desk.until(lambda: listed(desk) == ['agent "other" was refused writing to SOUL.md (not allowed)'])
    kinds.setCurrentIndex(0)
    who.setCurrentIndex(who.findText('agent "scribe"'))
    desk.until(lambda: len(listed(desk)) == 2)
    desk.qtbot.keyClicks(field, "memory.m")
    desk.until(lambda: listed(desk) == ['agent "scribe" added 1 line to MEMORY.md'])
    desk.qtbot.keyClicks(field, "xyz")
    desk.until(lambda: desk.shown("activityEmpty"))
    everything = desk.widget(QPushButton, "activityAll")
    assert isinstance(everything, QPushButton)
    everything.click()
    desk.until(lambda: len(listed(desk)) == 3)


def test_enter_opens_the_document_at_its_line_and_h_its_history(ws: Workspace, desk: Desk) -> None:
    add(ws)
    view = show(desk)
    desk.until(lambda: len(listed(desk)) == 1)
    view.setFocus()
    desk.qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 1
    desk.qtbot.keyClick(view, Qt.Key.Key_Return)
    desk.until(lambda: desk.ready("MEMORY.md"))
    desk.until(lambda: desk.editor("MEMORY.md").textCursor().blockNumber() == 61)
    assert desk.window.middle == "documents"
    show(desk)
    desk.do("activity.history")
    assert desk.window.middle == "history"


def test_of_a_document_that_is_gone_enter_shows_the_history(ws: Workspace, desk: Desk) -> None:
    add(ws, "new", "notes/gone.md")
    data = (ws.root / "notes/gone.md").read_bytes()
    documents.remove(ws, DocPath("notes/gone.md"), expected=fingerprint(data), origin=SCRIBE)
    view = show(desk)
    desk.until(lambda: len(listed(desk)) == 2)
    view.setCurrentIndex(row_of(view, "deleted gone.md"))
    desk.qtbot.keyClick(view, Qt.Key.Key_Return)
    desk.until(lambda: desk.window.middle == "history")


def test_pills_that_went_by_can_be_read_again(desk: Desk) -> None:
    desk.window.notices.tell("alarm", "SOUL.md was changed outside memgui")
    desk.window.notices.withdraw("alarm")
    show(desk)
    desk.until(lambda: listed(desk) == ["SOUL.md was changed outside memgui"])
    desk.window.notices.tell("alarm", "first")
    desk.until(lambda: len(listed(desk)) == 2)
    desk.window.notices.tell("alarm", "first and second")
    desk.until(lambda: listed(desk) == ["first and second", "SOUL.md was changed outside memgui"])


def test_pills_on_a_page_are_about_its_document(desk: Desk) -> None:
    desk.open("MEMORY.md")
    page = desk.tabs.currentWidget()
    page.notices.tell("merged", "Agent lines merged")  # type: ignore[attr-defined]
    view = show(desk)
    desk.until(lambda: listed(desk) == ["Agent lines merged"])
    assert view.model().index(1, 0).data(PATH) == "MEMORY.md"


def test_it_is_exported_to_the_file_that_the_person_chooses(ws: Workspace, desk: Desk, tmp_path: Path) -> None:
    add(ws)
    many(ws, 250)
    show(desk)
    desk.until(lambda: len(listed(desk)) == 200)
    desk.do("activity.export")
    dialog = desk.window.findChild(QFileDialog, "activityExportDialog")
    assert isinstance(dialog, QFileDialog)
    assert QApplication.activeModalWidget() in (None, dialog)
    assert dialog.acceptMode() is QFileDialog.AcceptMode.AcceptSave
    assert not dialog.testOption(QFileDialog.Option.DontConfirmOverwrite)
    dialog.close()
    file = tmp_path / "out.jsonl"
    part = desk.window.findChild(Activities)
    assert isinstance(part, Activities)
    part.export(file)
    desk.until(file.exists)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 251
    assert [line["text"] for line in lines[:200]] == listed(desk)
    desk.until(lambda: "251 events" in desk.window.status.currentMessage())


def test_where_the_journal_cannot_be_read_it_says_so_and_tries_again(
    ws: Workspace, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*wanted: object, **how: object) -> Events:
        raise ExecutionFailed("The write journal of this workspace cannot be used.", hint="Make room.")

    add(ws)
    with monkeypatch.context() as patched:
        patched.setattr(Activity, "page", fail)
        show(desk)
        desk.until(lambda: desk.shown("activityRetry"))
    retry = desk.widget(QPushButton, "activityRetry")
    assert isinstance(retry, QPushButton)
    retry.click()
    desk.until(lambda: len(listed(desk)) == 1 and desk.shown("activityList"))


def test_the_list_can_be_read_with_the_keyboard_alone(ws: Workspace, desk: Desk) -> None:
    many(ws, 3000 // 60)
    view = show(desk)
    desk.until(lambda: len(listed(desk)) == 50)
    assert QApplication.focusWidget() in (view, None) or not desk.window.isActiveWindow()
    for _press in range(5):
        desk.qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.model().index(view.currentIndex().row(), 0).data(KIND) == "write"
    desk.qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.currentIndex().row() == 1
    desk.qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert not view.selectionModel().hasSelection()
    for name in ("activityList", "activityFilter", "activityKind", "activityWho", "activityExport"):
        assert desk.widget(QWidget, name).accessibleName()
