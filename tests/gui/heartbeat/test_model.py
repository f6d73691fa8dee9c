"""The rows of a checklist after any change are those of a new one, whatever the texts were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from memgui.domain.heartbeat import read
from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath
from memgui.gui.models.heartbeat_model import LINE, HeartbeatModel
from tests.domain.test_heartbeat import MARKDOWN
from tests.domain.test_heartbeat_edits import LISTS

PATH = DocPath("HEARTBEAT.md")
TEXTS = st.lists(st.one_of(MARKDOWN, LISTS), min_size=2, max_size=4)


def shown(model: HeartbeatModel) -> list[tuple[object, ...]]:
    indexes = [model.index(at, 0) for at in range(model.rowCount())]
    return [(index.data(), index.data(LINE), index.data(Qt.ItemDataRole.CheckStateRole)) for index in indexes]


@given(TEXTS, st.booleans())
def test_following_ends_where_beginning_anew_would(texts: list[str], open_only: bool) -> None:
    model, fresh = HeartbeatModel(), HeartbeatModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_open_only(open_only)
    fresh.set_open_only(open_only)
    for text in texts:
        model.show_checklist(PATH, read(Lines.split(text).texts))
    fresh.show_checklist(PATH, read(Lines.split(texts[-1]).texts))
    assert shown(model) == shown(fresh)
    assert tester.model() is model
