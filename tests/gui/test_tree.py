"""The tree's model and the memory panel."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from memgui.domain.changes import Change, ChangeKind, ChangeSet
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.gui.models.tree_model import Role, TreeModel
from memgui.gui.panels.memory import MemoryPanel
from tests.gui.shell_values import FILES, STATES, arranged

Key = Qt.Key


@pytest.fixture
def model(qtbot: QtBot) -> TreeModel:
    made = TreeModel()
    made.tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)  # type: ignore[attr-defined]
    made.show(*arranged(), STATES)
    return made


@pytest.fixture
def panel(qtbot: QtBot) -> MemoryPanel:
    made = MemoryPanel()
    qtbot.addWidget(made)
    made.resize(300, 700)
    made.show_workspace(*arranged(), STATES)
    made.show()
    qtbot.waitExposed(made)
    return made


def rows(model: TreeModel, parent: QModelIndex | None = None) -> list[QModelIndex]:
    """Every row below, top to bottom."""
    found = []
    for number in range(model.rowCount(parent or QModelIndex())):
        index = model.index(number, 0, parent or QModelIndex())
        found += [index, *rows(model, index)]
    return found


def paths(model: TreeModel) -> list[str]:
    """The path of every row that has one."""
    return [path for index in rows(model) if (path := model.path_of(index)) is not None]


def at(model: TreeModel, *titles: str) -> QModelIndex:
    index = QModelIndex()
    for title in titles:
        index = next(
            model.index(n, 0, index) for n in range(model.rowCount(index)) if model.index(n, 0, index).data() == title
        )
    return index


def test_the_groups_stand_on_top_and_every_file_below(model: TreeModel) -> None:
    titles = [model.index(n, 0).data() for n in range(model.rowCount())]
    assert titles == ["Memory", "Days", "Identity", "Other files"]
    assert set(FILES) <= set(paths(model))


def test_a_heading_has_no_path_and_a_folder_has_its_own(model: TreeModel) -> None:
    assert at(model, "Days").data(Role.PATH) is None
    assert at(model, "Days", "This week").data(Qt.ItemDataRole.UserRole) is None
    assert at(model, "Other files", "projects", "crane").data(Qt.ItemDataRole.UserRole) == "projects/crane"


def test_a_file_answers_its_path_and_its_states(model: TreeModel) -> None:
    soul = at(model, "Identity", "SOUL.md")
    assert soul.data(Qt.ItemDataRole.UserRole) == "SOUL.md"
    assert soul.data(Qt.ItemDataRole.UserRole + 1) == ["protected"]
    assert at(model, "Memory", "MEMORY.md").data(Qt.ItemDataRole.UserRole + 1) == []
    assert "protected" in soul.data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_day_tells_its_weekday(model: TreeModel) -> None:
    assert at(model, "Days", "This week", "2026-11-30").data(Qt.ItemDataRole.AccessibleTextRole) == "2026-11-30, Mon"


def test_a_name_that_is_no_utf8_never_passes_for_another_file(model: TreeModel) -> None:
    odd = next(index for index in rows(model) if model.path_of(index) == "projects/bad\udcff.md")
    assert odd.data() == r"bad\xff.md"
    assert odd.data(Qt.ItemDataRole.UserRole) == r"projects/bad\xff.md"


@pytest.mark.parametrize(
    "files",
    [
        (*FILES, "projects/new.md", "zoo/a/b.md"),
        FILES[1:],
        tuple(path for path in FILES if not path.startswith("projects/")),
        (*FILES[:4], "memory/2026-11-30.md"),
        (),
    ],
)
@pytest.mark.parametrize("looked", [True, False], ids=["all rows made", "no row made"])
def test_the_tree_becomes_what_it_would_be_anew(
    model: TreeModel, qtbot: QtBot, files: tuple[str, ...], looked: bool
) -> None:
    if looked:
        rows(model)
    model.apply(*arranged(files), STATES)
    fresh = TreeModel()
    fresh.show(*arranged(files), STATES)
    assert [model.trail_of(index) for index in rows(model)] == [fresh.trail_of(index) for index in rows(fresh)]
    model.apply(*arranged(), STATES)
    assert set(FILES) <= set(paths(model))


def test_a_new_file_puts_in_rows_and_resets_nothing(model: TreeModel, qtbot: QtBot) -> None:
    rows(model)
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.rowsInserted):
        model.apply(*arranged((*FILES, "projects/new.md")), STATES)


def test_the_same_again_changes_nothing(model: TreeModel, qtbot: QtBot) -> None:
    rows(model)
    with (
        qtbot.assertNotEmitted(model.modelReset),
        qtbot.assertNotEmitted(model.rowsInserted),
        qtbot.assertNotEmitted(model.rowsRemoved),
        qtbot.assertNotEmitted(model.dataChanged),
    ):
        model.apply(*arranged(), STATES)


def test_fifty_thousand_files_show_and_filter_in_a_moment(qtbot: QtBot) -> None:
    many = [f"notes/{n // 500:03}/note-{n:05}.md" for n in range(50_000)]
    groups, found = arranged(many)
    model = TreeModel()
    before = time.thread_time()
    model.show(groups, found, {})
    model.rowCount(model.index(0, 0))
    shown = time.thread_time()
    model.set_filter("note-49")
    model.rowCount()
    first = time.thread_time()
    model.set_filter("note-499")
    assert model.index(model.rowCount() - 1, 0).isValid()
    second = time.thread_time()
    assert shown - before < 0.25
    # The first key also folds all names. Quick machines need a fifth of this.
    assert first - shown < 0.25
    assert second - first < 0.25


def current(panel: MemoryPanel) -> str | None:
    return panel.current_path()


def test_the_first_groups_are_open_and_the_raw_tree_is_not(panel: MemoryPanel) -> None:
    assert panel.tree.isExpanded(at(panel.model, "Memory"))
    assert panel.tree.isExpanded(at(panel.model, "Days", "This week"))
    assert not panel.tree.isExpanded(at(panel.model, "Days", "November 2026"))
    assert not panel.tree.isExpanded(at(panel.model, "Other files"))


def test_arrows_preview_and_enter_opens(panel: MemoryPanel, qtbot: QtBot) -> None:
    panel.tree.setFocus()
    panel.tree.setCurrentIndex(at(panel.model, "Memory"))
    with qtbot.waitSignal(panel.document_previewed) as looked:
        qtbot.keyClick(panel.tree, Key.Key_Down)
    assert looked.args == ["MEMORY.md"]
    with qtbot.waitSignal(panel.document_opened) as opened:
        qtbot.keyClick(panel.tree, Key.Key_Return)
    assert opened.args == ["MEMORY.md"]


def test_enter_on_a_heading_opens_or_closes_it(panel: MemoryPanel, qtbot: QtBot) -> None:
    panel.tree.setCurrentIndex(at(panel.model, "Other files"))
    with qtbot.assertNotEmitted(panel.document_opened):
        qtbot.keyClick(panel.tree, Key.Key_Return)
    assert panel.tree.isExpanded(at(panel.model, "Other files"))


def test_a_click_looks_and_a_double_click_opens_once(panel: MemoryPanel, qtbot: QtBot) -> None:
    place = panel.tree.visualRect(at(panel.model, "Identity", "SOUL.md")).center()
    opened: list[object] = []
    panel.document_opened.connect(opened.append)
    with qtbot.waitSignal(panel.document_previewed):
        qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened == ["SOUL.md"]


def test_a_name_that_is_no_utf8_opens_by_its_bytes(panel: MemoryPanel, qtbot: QtBot) -> None:
    odd = DocPath("projects/bad\udcff.md")
    panel.reveal(odd)
    with qtbot.waitSignal(panel.document_opened) as opened:
        qtbot.keyClick(panel.tree, Key.Key_Return)
    assert opened.args == [odd]


def test_space_does_nothing(panel: MemoryPanel, qtbot: QtBot) -> None:
    panel.reveal(DocPath("MEMORY.md"))
    with qtbot.assertNotEmitted(panel.document_opened), qtbot.assertNotEmitted(panel.document_previewed):
        qtbot.keyClick(panel.tree, Key.Key_Space)
    assert current(panel) == "MEMORY.md"


def test_a_file_that_goes_away_previews_no_other(panel: MemoryPanel, qtbot: QtBot) -> None:
    panel.reveal(DocPath("MEMORY.md"))
    with qtbot.assertNotEmitted(panel.document_previewed), qtbot.assertNotEmitted(panel.document_opened):
        panel.apply(*arranged(FILES[1:]))


def test_a_file_that_goes_away_leaves_no_row_chosen_and_the_keyboard_its_place(panel: MemoryPanel) -> None:
    panel.reveal(DocPath("MEMORY.md"))
    panel.apply(*arranged(FILES[1:]))
    assert not panel.tree.selectionModel().hasSelection()
    assert current(panel) == "HEARTBEAT.md"


def test_a_path_without_a_row_leaves_none_chosen_and_its_neighbour_can_be(panel: MemoryPanel) -> None:
    panel.reveal(DocPath("MEMORY.md"))
    panel.reveal(DocPath("gone.md"))
    assert not panel.tree.selectionModel().hasSelection()
    panel.reveal(DocPath("MEMORY.md"))
    assert panel.tree.selectionModel().isSelected(panel.tree.currentIndex())


def test_the_filter_shows_hits_with_their_folders(panel: MemoryPanel, qtbot: QtBot) -> None:
    qtbot.keyClick(panel.tree, "/")
    assert panel.filter.hasFocus()
    qtbot.keyClicks(panel.filter, "plan")
    assert set(paths(panel.model)) == {"projects", "projects/crane", "projects/crane/plan.md"}
    assert panel.tree.isExpanded(at(panel.model, "Other files", "projects", "crane"))
    with qtbot.waitSignal(panel.document_previewed) as looked:
        qtbot.keyClick(panel.filter, Key.Key_Down)
    assert looked.args == ["projects/crane/plan.md"]
    assert panel.tree.hasFocus()


def test_escape_clears_the_filter_and_gives_back_what_was_open(panel: MemoryPanel, qtbot: QtBot) -> None:
    panel.reveal(DocPath("MEMORY.md"))
    qtbot.keyClicks(panel.filter, "plan")
    qtbot.keyClick(panel.filter, Key.Key_Escape)
    assert panel.filter.text() == ""
    assert panel.tree.isExpanded(at(panel.model, "Memory"))
    assert not panel.tree.isExpanded(at(panel.model, "Other files"))
    assert current(panel) == "MEMORY.md"


def test_enter_in_the_filter_opens_the_first_hit(panel: MemoryPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.filter, "crane")
    with qtbot.waitSignal(panel.document_opened) as opened:
        qtbot.keyClick(panel.filter, Key.Key_Return)
    assert opened.args == ["memory/2026-10-05-crane.md"]


def test_a_filter_without_a_hit_says_so(panel: MemoryPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.filter, "zzz")
    assert not panel.tree.isVisible()
    assert "zzz" in panel._empty.title()
    panel._empty.chosen.emit("clearFilter")
    assert panel.tree.isVisible()


def test_a_star_opens_all_that_lies_below(panel: MemoryPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    # One folder a turn, as where there are very many.
    monkeypatch.setattr("memgui.gui.panels.memory.tree._SLICE_SECONDS", 0.0)
    top = at(panel.model, "Other files")
    panel.tree.collapse(top)
    panel.tree.setCurrentIndex(top)
    qtbot.keyClick(panel.tree, Key.Key_Asterisk)

    def folders(index: QModelIndex) -> list[QModelIndex]:
        return [index, *(below for inner in panel.model.folders_in(index) for below in folders(inner))]

    assert len(folders(top)) > 2
    qtbot.waitUntil(lambda: all(panel.tree.isExpanded(folder) for folder in folders(top)))


def test_an_empty_workspace_says_so_until_a_file_comes(panel: MemoryPanel) -> None:
    panel.show_workspace(*arranged(()), {})
    assert not panel.tree.isVisible()
    assert not panel.filter.isEnabled()
    panel.apply(*arranged(("MEMORY.md",)))
    assert panel.tree.isVisible()
    assert panel.filter.isEnabled()
    assert "MEMORY.md" in paths(panel.model)
    assert panel.tree.isExpanded(at(panel.model, "Memory"))


def test_a_new_file_joins_a_filtered_tree_only_if_it_matches(panel: MemoryPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.filter, "plan")
    panel.apply(*arranged((*FILES, "projects/plan-b.md", "projects/other.md")))
    assert {"projects/plan-b.md", "projects/crane/plan.md"} <= set(paths(panel.model))
    assert "projects/other.md" not in paths(panel.model)


@pytest.mark.parametrize("count", [3, 5_000], ids=["a few", "a storm"])
def test_what_was_open_chosen_and_in_sight_stays_so(panel: MemoryPanel, qtbot: QtBot, count: int) -> None:
    panel.resize(300, 200)
    panel.tree.expand(at(panel.model, "Days", "November 2026"))
    panel.reveal(DocPath("memory/2026-11-24.md"))
    panel.tree.verticalScrollBar().setValue(60)
    panel.apply(*arranged((*FILES, *(f"zoo/{n:04}.md" for n in range(count)))))
    assert current(panel) == "memory/2026-11-24.md"
    assert panel.tree.isExpanded(at(panel.model, "Days", "November 2026"))
    assert panel.tree.verticalScrollBar().value() == 60


def test_an_outside_write_gets_a_dot_until_it_is_looked_at(panel: MemoryPanel, qtbot: QtBot) -> None:
    groups, found = arranged()
    soul, mine = DocPath("SOUL.md"), DocPath("MEMORY.md")
    changes = ChangeSet(
        (
            Change(mine, ChangeKind.MODIFIED, Origin.you(), found.nodes[mine]),
            Change(soul, ChangeKind.MODIFIED, Origin.outside(), found.nodes[soul]),
        )
    )
    panel.apply(groups, found, changes)
    said = Qt.ItemDataRole.AccessibleTextRole
    assert "changed outside just now" in at(panel.model, "Identity", "SOUL.md").data(said)
    assert "changed outside" not in at(panel.model, "Memory", "MEMORY.md").data(said)
    panel.unmark_fresh(soul)
    assert "changed outside" not in at(panel.model, "Identity", "SOUL.md").data(said)


def test_the_dot_goes_by_itself(panel: MemoryPanel, qtbot: QtBot) -> None:
    panel._cooling.setInterval(1)
    panel.mark_fresh([DocPath("SOUL.md")])
    index = at(panel.model, "Identity", "SOUL.md")
    qtbot.waitUntil(lambda: "changed outside" not in index.data(Qt.ItemDataRole.AccessibleTextRole))
