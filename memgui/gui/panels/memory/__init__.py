"""The memory panel: the groups and files of a workspace, a filter over them, and the keyboard in both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStackedWidget, QWidget

from memgui.domain.changes import ChangeSet
from memgui.domain.groups import Group
from memgui.domain.origin import OriginKind
from memgui.domain.paths import DocPath, parent_of, shown
from memgui.domain.tree import Snapshot
from memgui.gui.kit.fields import FilterField
from memgui.gui.kit.layout import EmptyState, column, row
from memgui.gui.models.tree_model import States, TreeModel
from memgui.gui.notices import Notices
from memgui.gui.panels.memory.naming import NameCard
from memgui.gui.panels.memory.tree import MemoryTree, Place
from memgui.i18n import _

FRESH_SECONDS = 12
"""How long a file that changed outside keeps its dot, at least."""


class MemoryPanel(QWidget):
    """What the memory holds. `document_previewed`: looked at in passing; `document_opened`: meant; both with a DocPath.

    The paths go as objects: Qt would drop the bytes of a name that is no UTF-8 from a text.
    """

    document_previewed = Signal(object)
    document_opened = Signal(object)
    move_requested = Signal(object, object)
    """A path was dropped on a folder."""
    menu_requested = Signal(QPoint)
    """The menu of the chosen row is wanted, at this place on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryPanel")
        self.model = TreeModel(self)
        self._before = Place()
        self._unfiltered = Place()
        self._keep_place = True
        self._named: tuple[DocPath | None, bool] = (None, False)
        self._fresh: tuple[frozenset[DocPath], frozenset[DocPath]] = (frozenset(), frozenset())
        self._cooling = QTimer(self)
        self._cooling.setSingleShot(True)
        self._cooling.setInterval(FRESH_SECONDS * 1000)
        self._cooling.timeout.connect(self._cool)
        self._build()
        self._connect()
        self.setFocusProxy(self.tree)

    def _build(self) -> None:
        self.filter = FilterField(_("Filter files"), _("Filter files  /"), self)
        self.filter.setObjectName("treeFilter")
        self.filter.setProperty("pane", True)
        self.tree = MemoryTree(self.model, self)
        self._empty = EmptyState(self)
        self._stack = QStackedWidget(self)
        self._stack.setProperty("pane", True)
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self._empty)
        box = column(self)
        head = row(margins=(8, 8, 8, 6))
        head.addWidget(self.filter)
        box.addLayout(head)
        box.addWidget(self._stack, 1)
        self.notices = Notices(self)
        box.addWidget(self.notices)
        self.card = NameCard(self)

    def _connect(self) -> None:
        self.filter.textChanged.connect(self._apply_filter)
        self.filter.returnPressed.connect(self._open_first)
        self.filter.steered.connect(self._steer)
        self.tree.looked_at.connect(self._preview)
        self.tree.activated.connect(self._open)
        self.tree.filter_requested.connect(self._go_to_filter)
        self.model.modelAboutToBeReset.connect(self._remember_place)
        self.model.modelReset.connect(self._return_to_place)
        self._empty.chosen.connect(self.filter.clear)
        self.model.move_requested.connect(self.move_requested)
        self.tree.menu_requested.connect(self.menu_requested)
        self.tree.verticalScrollBar().valueChanged.connect(self._place_card)
        self.card.left.connect(self._return_to_tree)

    # Filling -----------------------------------------------------------------------------------------------

    def show_workspace(self, groups: Sequence[Group], snapshot: Snapshot, states: States | None = None) -> None:
        """Show a workspace from its beginning: the groups on top are open, the raw tree is closed."""
        self._keep_place = False
        self.model.show(tuple(groups), snapshot, states or {})
        self._keep_place = True
        if not self.model.query:
            self.tree.expand_first_groups()
        self._show_emptiness()

    def apply(
        self,
        groups: Sequence[Group],
        snapshot: Snapshot,
        changes: ChangeSet | None = None,
        states: States | None = None,
    ) -> None:
        """Come into step with the disk. What was open, chosen and in sight stays so; outside writes get a dot."""
        self.model.apply(tuple(groups), snapshot, states)
        self._show_emptiness()
        if changes is not None:
            self.mark_fresh(
                change.path
                for change in changes.changes
                if change.node is not None and change.origin.kind not in (OriginKind.YOU, OriginKind.SHELL)
            )

    def mark_fresh(self, paths: Iterable[DocPath]) -> None:
        """Put the dot of `changed outside just now` on these files, for a while."""
        new = frozenset(paths)
        if new:
            self._fresh = (self._fresh[0] | new, self._fresh[1] - new)
            self.model.set_fresh(self._fresh[0] | self._fresh[1])
            if not self._cooling.isActive():
                self._cooling.start()

    def unmark_fresh(self, path: DocPath) -> None:
        """Take the dot from a file that is being looked at."""
        if any(path in some for some in self._fresh):
            self._fresh = (self._fresh[0] - {path}, self._fresh[1] - {path})
            self.model.set_fresh(self._fresh[0] | self._fresh[1])

    def show_unseen(self, unseen: Mapping[DocPath, int]) -> None:
        """Mark the files with changes that nobody looked at; with how many lines came into each."""
        self.model.set_unseen(unseen)

    @Slot()
    def _cool(self) -> None:
        self._fresh = (frozenset(), self._fresh[0])
        self.model.set_fresh(self._fresh[1])
        if self._fresh[1]:
            self._cooling.start()

    # Choosing ----------------------------------------------------------------------------------------------

    def reveal(self, path: DocPath) -> None:
        """Choose the row of a path without telling anybody; nothing is unfolded for it but its own group.

        A path without a row leaves none chosen.
        """
        current = self.tree.currentIndex()
        if self.model.path_of(current) == path and self.tree.selectionModel().isSelected(current):
            return
        index = self.model.index_of(path)
        if index.isValid():
            self.tree.setCurrentIndex(index)
            self.tree.scrollTo(index)
        else:
            self.leave()

    def leave(self) -> None:
        """Choose no row: what is in front is none of these files. The keyboard's place stays."""
        self.tree.clearSelection()

    def current_path(self) -> DocPath | None:
        """The path of the chosen row."""
        return self.model.path_of(self.tree.currentIndex())

    @Slot(QModelIndex)
    def _preview(self, index: QModelIndex) -> None:
        if self.model.is_file(index) and (path := self.model.path_of(index)) is not None:
            self.document_previewed.emit(path)

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        if self.model.is_file(index) and (path := self.model.path_of(index)) is not None:
            self.document_opened.emit(path)

    @Slot()
    def _open_first(self) -> None:
        index = self.tree.first_file()
        if index.isValid():
            self.tree.setCurrentIndex(index)
            self._open(index)

    def current_folder(self) -> DocPath | None:
        """The folder of the chosen row: the one it stands for, or the one that it lies in."""
        index = self.tree.currentIndex()
        folder = self.model.folder_of(index)
        if folder is not None or not self.tree.selectionModel().isSelected(index):
            return folder
        path = self.model.path_of(index)
        return parent_of(path) if path is not None else None

    @property
    def is_chosen(self) -> bool:
        """Whether a row is chosen that stands for a file or a folder."""
        return bool(self.tree.selectionModel().selectedIndexes()) and self.current_path() is not None

    # Naming ------------------------------------------------------------------------------------------------

    def ask_name(self, caption: str, text: str, *, at: DocPath | None, chosen: int, below: bool = False) -> None:
        """Ask for a name at the row of a path, or `below` it; at the top where it has none."""
        self._named = at, below
        index = self.model.index_of(at) if at is not None else QModelIndex()
        if index.isValid():
            self.tree.scrollTo(index)
        self.card.ask(caption, text, chosen)
        self._place_card()
        if index.isValid() and self.tree.visualRect(index).bottom() + self.card.height() > self.tree.height():
            # So that the card does not lie over the folder that it is for.
            self.tree.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
            self._place_card()

    @Slot()
    def _place_card(self) -> None:
        if not self.card.isVisible():
            return
        at, below = self._named
        index = self.tree.currentIndex()
        if at is None or self.model.path_of(index) != at:
            index = self.model.index_of(at) if at is not None else QModelIndex()
        row = self.tree.visualRect(index)
        where = self.tree.viewport().mapTo(self, row.bottomLeft() if below else row.topLeft())
        self.card.place(where.y() if index.isValid() and not row.isEmpty() else self.tree.y())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_card()

    @Slot()
    def _return_to_tree(self) -> None:
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    # Filtering ---------------------------------------------------------------------------------------------

    @Slot()
    def _go_to_filter(self) -> None:
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    @Slot(str)
    def _apply_filter(self, text: str) -> None:
        had, has = bool(self.model.query), bool(text.strip())
        if has and not had:
            self._unfiltered = self.tree.place()
        self._keep_place = False
        self.model.set_filter(text)
        self._keep_place = True
        if has:
            self.tree.expand_hits()
        elif had:
            self.tree.return_to(self._unfiltered)
        self._show_emptiness()

    def _show_emptiness(self) -> None:
        nothing = not any(self.model.hasChildren(index) for index in self.model.folders_in(QModelIndex()))
        if nothing and self.model.query:
            self._empty.show_state(
                icon="search",
                title=_("No file matches “{query}”").format(query=shown(self.filter.text().strip())),
                text=_("The filter looks at names and folders, not at what files say."),
                buttons=[("clearFilter", _("Clear the filter"))],
            )
        elif nothing:
            # The middle says why and what to do; here it would only be said twice.
            self._empty.show_state(icon="", title="", text=_("No files yet"))
        self.filter.setEnabled(not nothing or bool(self.model.query))
        self._stack.setCurrentWidget(self._empty if nothing else self.tree)

    @Slot(int)
    def _steer(self, key: int) -> None:
        if key == Qt.Key.Key_Down:
            self._go_to_first_row()
        elif self.filter.text():
            self.filter.clear()
        else:
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _go_to_first_row(self) -> None:
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        index = self.tree.first_file() if self.model.query else self.tree.currentIndex()
        self.tree.setCurrentIndex(index if index.isValid() else self.model.index(0, 0))
        if self.model.query:
            self._preview(self.tree.currentIndex())

    # Keeping the place -------------------------------------------------------------------------------------

    @Slot()
    def _remember_place(self) -> None:
        if self._keep_place:
            self._before = self.tree.place()

    @Slot()
    def _return_to_place(self) -> None:
        if self._keep_place:
            if self.model.query:
                self.tree.expand_hits()
            self.tree.return_to(self._before)
