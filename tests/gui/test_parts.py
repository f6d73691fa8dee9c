"""Parts of a window that are built late: when asked for, by an action, by their widget's name, or by and by."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from memgui.gui.actions import Context
from memgui.gui.parts import BUSY_SECONDS, Part
from memgui.gui.window import MainWindow


class Review:
    """A part as the wiring has them: it places a widget, and acts."""

    def __init__(self, window: MainWindow, name: str = "review") -> None:
        self.label = QLabel(f"the {name}")
        self.label.setObjectName(f"{name}Label")
        self.shown = 0
        window.place_days(self.label)

    def show(self) -> None:
        self.shown += 1


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    made = MainWindow()
    qtbot.addWidget(made)
    made.show_context(Context(workspace=True))
    return made


@pytest.fixture
def review(window: MainWindow) -> Part[Review]:
    part = window.part("days", lambda: Review(window))
    part.answers("view.days", lambda review: review.show())
    return part


def test_it_is_built_once_and_when_it_is_first_asked_for(review: Part[Review], window: MainWindow) -> None:
    assert review.made is None
    assert "days" in window.parts.due
    assert review() is review() is review.made
    assert "days" not in window.parts.due


def test_an_action_builds_it_and_then_acts(review: Part[Review], window: MainWindow) -> None:
    window.action("view.days").trigger()
    assert review.made is not None
    assert review.made.shown == 1
    window.action("view.days").trigger()
    assert review.made.shown == 2


def test_what_it_is_made_of_is_loaded_before_its_turn(
    review: Part[Review], window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[tuple[str, bool]] = []
    monkeypatch.setattr("memgui.gui.parts.import_module", lambda name: loaded.append((name, review.is_made)))
    monkeypatch.setattr("memgui.gui.parts.SLICE_SECONDS", 0.0)
    review.is_made_of("first", "second")
    window.parts.begin()
    qtbot.waitUntil(lambda: review.is_made)
    assert loaded == [("first", False), ("second", False)]


def test_nothing_is_built_while_somebody_searches(
    review: Part[Review], window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr("memgui.gui.parts.perf_counter", lambda: clock[0])
    turns: list[int] = []
    build_later = window.parts._build_later
    monkeypatch.setattr(window.parts, "_build_later", lambda wait: (turns.append(wait), build_later(wait)))
    window.parts.begin()
    window.parts.put_off()
    qtbot.waitUntil(lambda: len(turns) > 1)
    assert not review.is_made
    assert turns[1] > BUSY_SECONDS * 900
    clock[0] += BUSY_SECONDS + 0.1
    qtbot.waitUntil(lambda: review.is_made)


def test_who_asks_first_waits_for_no_turn(review: Part[Review], window: MainWindow) -> None:
    review.is_made_of("a module that takes long")
    window.action("view.days").trigger()
    assert review.made is not None
    assert review.made.shown == 1


def test_who_looks_for_its_widget_finds_it(review: Part[Review], window: MainWindow) -> None:
    found = window.findChild(QWidget, "reviewLabel")
    assert review.made is not None
    assert found is review.made.label


def test_who_looks_for_all_widgets_finds_it_too(review: Part[Review], window: MainWindow) -> None:
    assert "reviewLabel" in [label.objectName() for label in window.findChildren(QLabel)]


def test_who_looks_for_what_is_there_builds_nothing(review: Part[Review], window: MainWindow) -> None:
    assert window.findChild(QWidget, "searchButton") is not None
    assert review.made is None


def test_what_is_in_no_part_is_not_found(review: Part[Review], window: MainWindow) -> None:
    assert window.findChild(QPushButton, "nowhere") is None
    assert review.made is not None


def test_to_show_its_place_builds_it(review: Part[Review], window: MainWindow) -> None:
    window.show_middle("days")
    assert window.middle == "days"
    assert review.made is not None


def test_after_the_first_picture_each_is_built_in_a_turn_of_its_own(window: MainWindow, qtbot: QtBot) -> None:
    turns: list[str] = []

    def build(name: str) -> None:
        turns.append(name)
        QTimer.singleShot(0, lambda: turns.append("a turn"))

    window.part("first", lambda: build("first"))
    window.part("second", lambda: build("second"))
    window.parts.begin()
    assert not turns
    qtbot.waitUntil(lambda: "second" in turns)
    assert turns[:3] == ["first", "a turn", "second"]
    assert not window.parts.due


def test_one_that_cannot_be_built_keeps_none_of_the_others_from_it(window: MainWindow, qtbot: QtBot) -> None:
    def fail() -> None:
        raise LookupError("no such part")

    window.part("broken", fail)
    whole = window.part("whole", lambda: QLabel("whole", window))
    with qtbot.captureExceptions() as caught:
        window.parts.begin()
        qtbot.waitUntil(lambda: whole.is_made)
    assert [kind for kind, _error, _trace in caught] == [LookupError]


def test_a_part_may_ask_for_another(window: MainWindow) -> None:
    outer = window.part("outer", lambda: QLabel(inner().text(), window))
    inner = window.part("inner", lambda: QLabel("within", window))
    assert {label.text() for label in window.findChildren(QLabel)} >= {"within"}
    assert outer().text() == "within"


def test_a_name_in_the_side_panel_builds_what_is_shown_under_it(window: MainWindow) -> None:
    part = window.part("search", lambda: window.place_search(QLabel("found")))
    window.place_memory(QLabel("memory"))
    window.show_side("memory")
    assert not part.is_made
    window.show_side("search")
    assert part.is_made
    assert window.side == "search"


def test_one_that_asks_for_itself_is_told_so(window: MainWindow) -> None:
    part: Part[QWidget] = window.part("round", lambda: part())
    with pytest.raises(AssertionError, match="the part round was asked for while it was being built"):
        part()


def test_a_closed_window_builds_nothing_more(review: Part[Review], window: MainWindow, qtbot: QtBot) -> None:
    window.show()
    qtbot.waitExposed(window)
    window.parts.begin()
    window.close()
    assert window.findChild(QWidget, "reviewLabel") is None
    window.parts.begin()
    assert not any(timer.isActive() for timer in window.parts.findChildren(QTimer))
    assert review.made is None
