"""Pills: they take no focus, live long enough to be read, and one kind is one pill."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from memgui.gui.notices import SHORTEST_LIFE_MS, Notice, Notices


@pytest.fixture
def notices(qtbot: QtBot) -> Notices:
    made = Notices()
    qtbot.addWidget(made)
    made.resize(500, 80)
    return made


def life(notice: Notice) -> QTimer:
    return notice.findChildren(QTimer)[0]


def test_a_pill_says_its_kind_and_its_text(notices: Notices) -> None:
    pill = notices.tell("merged", "Agent lines merged", "Show")
    assert (pill.objectName(), pill.property("kind")) == ("notice", "merged")
    assert notices.isVisibleTo(None)
    text = pill.findChild(QLabel, "noticeText")
    assert text is not None
    assert text.text() == text.accessibleName() == "Agent lines merged"
    notices.tell("merged", "More lines merged", "Show")
    assert text.text() == text.accessibleName() == "More lines merged"
    for button in pill.findChildren(QPushButton):
        assert button.accessibleName()
        assert button.focusPolicy() is Qt.FocusPolicy.NoFocus


def test_a_pill_lives_at_least_five_seconds_and_waits_under_the_pointer(notices: Notices) -> None:
    pill = notices.tell("merged", "Agent lines merged")
    assert SHORTEST_LIFE_MS >= 5000
    assert life(pill).interval() >= SHORTEST_LIFE_MS
    assert life(pill).isActive()
    QApplication.sendEvent(pill, QEnterEvent(QPointF(1, 1), QPointF(1, 1), QPointF(1, 1)))
    assert not life(pill).isActive()
    QApplication.sendEvent(pill, QEvent(QEvent.Type.Leave))
    assert life(pill).isActive()


def test_a_lasting_pill_stays_until_somebody_acts(notices: Notices, qtbot: QtBot) -> None:
    pill = notices.tell("undo-outside", "Saving waits.", "Save", lasting=True)
    assert not life(pill).isActive()
    action = pill.findChild(QPushButton, "noticeAction")
    assert action is not None
    with qtbot.waitSignal(notices.acted) as acted:
        action.click()
    assert acted.args == ["undo-outside"]
    assert notices.kinds == ()
    assert notices.isHidden()


def test_the_same_kind_is_said_anew_in_the_same_pill(notices: Notices) -> None:
    first = notices.tell("writing", "one")
    assert notices.tell("writing", "two") is first
    assert first.text == "two"
    notices.tell("alarm", "other")
    assert notices.kinds == ("writing", "alarm")
    notices.withdraw("writing")
    assert notices.kinds == ("alarm",)


def test_time_takes_a_pill_away(notices: Notices, qtbot: QtBot) -> None:
    pill = notices.tell("merged", "Agent lines merged")
    life(pill).setInterval(1)
    life(pill).start()
    with qtbot.waitSignal(notices.dismissed) as gone:
        pass
    assert gone.args == ["merged"]
