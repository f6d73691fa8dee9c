"""The rows of the review's list."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from memgui.domain.paths import DocPath
from memgui.domain.review import Alarm, ChangeShape, PendingChange
from memgui.gui.models.review_model import (
    ID_ROLE,
    KIND_ROLE,
    MOST_STEPS,
    PATH_ROLE,
    ChangeRow,
    ReviewModel,
    alarm_words,
    kind_words,
    moment_words,
    spoken,
)


def change(name: str, **values: object) -> PendingChange:
    return PendingChange(f"id-{name}", DocPath(f"{name}.md"), ChangeShape.EDIT, **values)  # type: ignore[arg-type]


def paths(model: ReviewModel) -> list[str]:
    return [model.index(row, 0).data(PATH_ROLE) for row in range(model.rowCount())]


def test_a_row_answers_what_the_contract_says(qapp: QApplication) -> None:
    model = ReviewModel()
    model.show([replace(change("notes/a"), kind=ChangeShape.SHRINK)])
    row = model.index(0, 0)
    assert (row.data(ID_ROLE), row.data(PATH_ROLE), row.data(KIND_ROLE)) == ("id-notes/a", "notes/a.md", "shrink")


def test_what_is_chosen_stays_while_others_come_and_go(qapp: QApplication) -> None:
    model = ReviewModel()
    a, b, c = change("a"), change("b"), change("c")
    model.show([a, b, c])
    held = QPersistentModelIndex(model.index(2, 0))
    model.show([change("new"), a, c])
    assert held.isValid()
    assert (held.row(), held.data(PATH_ROLE)) == (2, "c.md")
    model.show([change("new"), a, replace(c, id="other")])
    assert held.data(ID_ROLE) == "other"


def test_two_held_changes_of_one_document_are_two_rows(qapp: QApplication) -> None:
    model = ReviewModel()
    one, two = replace(change("a"), held=True, id="1"), replace(change("a"), held=True, id="2")
    model.show([one, two])
    model.show([two])
    assert [model.index(row, 0).data(ID_ROLE) for row in range(model.rowCount())] == ["2"]


_NAMES = st.lists(st.sampled_from("abcdefgh"), unique=True)


@given(st.lists(_NAMES, max_size=5))
def test_it_always_becomes_what_it_is_told(qapp: QApplication, steps: list[list[str]]) -> None:
    model = ReviewModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    known = {name: change(name) for name in "abcdefgh"}
    for names in steps:
        model.show([known[name] for name in names])
        assert paths(model) == [f"{name}.md" for name in names]
        assert [model.row_of(DocPath(f"{name}.md")) for name in names] == list(range(len(names)))
    del tester


def test_thousands_of_rows_begin_anew(qapp: QApplication) -> None:
    model = ReviewModel()
    model.show([change(str(number)) for number in range(MOST_STEPS + 1)])
    assert model.rowCount() == MOST_STEPS + 1
    assert model.rowCount(model.index(0, 0)) == 0
    assert model.data(QModelIndex(), Qt.ItemDataRole.DisplayRole) is None


def test_what_is_said_of_a_row() -> None:
    words = replace(
        change("a"), reasons=(Alarm.PROTECTED,), who=('agent "scribe"',), added=2, removed=1, kind=ChangeShape.APPEND
    )
    assert spoken(ChangeRow(words, 1, 3)) == (
        'a.md, added to the end, A protected file was changed, 2 lines added, 1 line removed, agent "scribe", '
        "1 of 3 changes decided, not looked at yet"
    )


def test_a_deletion_is_called_one() -> None:
    gone = replace(change("a"), kind=ChangeShape.DELETE, reasons=(Alarm.DAILY_LOG, Alarm.DELETED))
    assert alarm_words(gone) == "deleted"
    assert kind_words(replace(change("a"), renamed_from=DocPath("old/b.md"))) == "renamed from b.md"
    assert kind_words(replace(change("a"), held=True)) == "waits for you"


def test_moments_are_told_as_shortly_as_they_can_be() -> None:
    now = datetime(2026, 11, 30, 14, 3)
    assert moment_words(datetime(2026, 11, 30, 9, 5).timestamp(), now) == "09:05"
    assert moment_words(datetime(2026, 11, 28, 18, 20).timestamp(), now) == "Sat 28 Nov 18:20"
    assert moment_words(datetime(2025, 1, 2, 3, 4).timestamp(), now) == "2025-01-02 03:04"
    assert moment_words(0.0) == ""
