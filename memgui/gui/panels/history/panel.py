"""`HistoryPanel`: the versions of a document on the left, two of them compared on the right; and what is gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QStackedWidget, QWidget

from memgui.domain.paths import DocPath, name_of, shown
from memgui.domain.versions import Version
from memgui.gui.kit.fields import NameChooser
from memgui.gui.kit.key_button import KeyButton
from memgui.gui.kit.labels import ElidedLabel
from memgui.gui.kit.layout import EmptyState, HairLine, Splitter, column, row
from memgui.gui.models.history_model import DeletedModel, HistoryModel, VersionRow, title_of, who_of
from memgui.gui.models.review_model import moment_words
from memgui.gui.panels.history.detail import HistoryDetail
from memgui.gui.panels.history.lists import HistoryRows
from memgui.gui.panels.history.message import HistoryMessage
from memgui.gui.panels.history.wishes import Comparison
from memgui.gui.theme import theme
from memgui.i18n import _
from memgui.ops.restoring import Gone
from memgui.ops.timeline import Compared, Timeline

NARROW, LOW = 720, 420
_COUNT_MS = 40
"""So long the list has to rest before the lines of what is in sight are counted."""


class HistoryPanel(QWidget):
    """Goes through versions, and tells what the person wishes."""

    document_chosen = Signal(object)
    """`DocPath`: show me its versions."""
    comparison_requested = Signal(object)
    """`Comparison`"""
    counts_requested = Signal(object)
    """Pairs of versions, the one before (or None) first."""
    restore_requested = Signal(object, int)
    """`DocPath`, the number of the version."""
    place_requested = Signal(object)
    """`Comparison`: put the framed place of it back."""
    copy_requested = Signal(object, object)
    """`DocPath`, `Version`"""
    forget_requested = Signal(object, object)
    """`DocPath`, `Version`"""
    open_requested = Signal(object, int)
    deleted_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("historyPanel")
        self.setAccessibleName(_("History"))
        self.model = HistoryModel(self)
        self.deleted_model = DeletedModel(self)
        self._wanted: int | None = None
        self._number: int | None = None
        self._is_loading = False
        self._count = QTimer(self, singleShot=True, interval=_COUNT_MS)
        self._count.timeout.connect(self._ask_for_counts)
        self.message = HistoryMessage(self)
        self._build_places()
        box = column(self)
        box.addWidget(self._build_header())
        box.addWidget(HairLine(self))
        box.addWidget(self.message)
        box.addWidget(self._stack, 1)
        self._connect()
        self.setFocusProxy(self.list)
        self.show_nothing()

    def _build_header(self) -> QWidget:
        head = QWidget(self)
        self._title = ElidedLabel(_("History"), head, scale=1.25, mode=Qt.TextElideMode.ElideRight)
        self._title.setObjectName("historyTitle")
        self.chooser = NameChooser(head)
        self.chooser.setObjectName("historyDocument")
        self.chooser.setAccessibleName(_("Document whose versions are shown"))
        self.chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.chooser.setMinimumContentsLength(16)
        self.deleted = KeyButton("deletedFiles", _("Deleted files…"), head, tip=_("Documents that are gone"))
        box = row(head, margins=(12, 8, 12, 8), gap=6)
        box.addWidget(self._title, 1)
        box.addWidget(self.chooser)
        box.addWidget(self.deleted)
        return head

    def _build_places(self) -> None:
        self.list = HistoryRows(self.model, "historyList", _("Versions"), self)
        self.gone_list = HistoryRows(self.deleted_model, "deletedList", _("Deleted files"), self)
        self._lists = QStackedWidget(self)
        self._lists.setProperty("pane", True)
        self._lists.setObjectName("historyLists")
        self._lists.setAccessibleName(_("Versions"))
        self._lists.addWidget(self.list)
        self._lists.addWidget(self.gone_list)
        self.detail = HistoryDetail(self)
        self._splitter = Splitter(Qt.Orientation.Horizontal, self)
        self._splitter.addWidget(self._lists)
        self._splitter.addWidget(self.detail)
        self._splitter.setStretchFactor(0, 0)
        self._splitter.setStretchFactor(1, 1)
        self._empty = EmptyState(self)
        self._empty.setObjectName("historyEmpty")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._splitter)

    def _connect(self) -> None:
        detail = self.detail
        for rows in (self.list, self.gone_list):
            rows.selectionModel().currentChanged.connect(self._on_current)
            rows.entered_text.connect(detail.view.setFocus)
        self.list.opened.connect(self._compare_with_now)
        self.list.marked.connect(self._mark_row)
        self.list.scrolled.connect(self._count.start)
        self.gone_list.opened.connect(self.restore)
        self.message.withdrawn.connect(self._focus_list)
        self.chooser.activated.connect(self._choose_document)
        self.deleted.clicked.connect(self._toggle_deleted)
        detail.view.line_requested.connect(self._open_line)
        detail.restore.clicked.connect(self.restore)
        detail.restore_place.clicked.connect(self.restore_place)
        detail.compare.clicked.connect(self.mark)
        detail.copy.clicked.connect(self.copy)

    # What it is told ---------------------------------------------------------------------------------------------

    @property
    def path(self) -> DocPath | None:
        """The document whose versions are shown."""
        return self.model.path

    @property
    def shows_deleted(self) -> bool:
        """Whether the list is that of what is gone."""
        return self._lists.currentWidget() is self.gone_list

    def show_nothing(self) -> None:
        """No document is chosen."""
        self._empty.show_state(
            icon="clock", title=_("No history to show"), text=_("Open a document; its versions are listed here.")
        )
        self._stack.setCurrentWidget(self._empty)

    def show_loading(self, path: DocPath) -> None:
        """The versions of a document are on their way."""
        if self.model.path != path and not self.shows_deleted:
            self._number = None
            self.model.show(None)
            self.detail.clear(_("Reading the history of {name}…").format(name=_name(path)))
            self._stack.setCurrentWidget(self._splitter)

    def show_trouble(self, path: DocPath, words: str) -> None:
        """The versions of a document cannot be shown."""
        self.model.show(None)
        self._empty.show_state(icon="error", title=_("No history of {name}").format(name=_name(path)), text=words)
        if not self.shows_deleted:
            self._stack.setCurrentWidget(self._empty)

    def show_documents(self, paths: Sequence[DocPath], current: DocPath | None) -> None:
        """The documents to choose from."""
        self.chooser.clear()
        for path in paths:
            self.chooser.addItem(shown(path), path)
        self.chooser.setCurrentIndex(next((at for at, path in enumerate(paths) if path == current), -1))
        self.chooser.setEnabled(bool(paths))

    def show_timeline(self, found: Timeline, *, choose: int | None = None) -> None:
        """List the versions of a document. The chosen one stays chosen; of another document it is the newest."""
        wanted = choose if choose is not None else self._number if self.model.path == found.path else None
        self._is_loading = True
        self.model.show(found)
        self._is_loading = False
        if self.shows_deleted:
            return
        self._stack.setCurrentWidget(self._splitter)
        at = max(0, self.model.row_of(wanted))
        self.list.setCurrentIndex(self.model.index(at))
        self._on_current()
        self._count.start()

    def show_counts(self, path: DocPath, counts: Mapping[int, tuple[int, int]]) -> None:
        """How many lines came and went with some versions."""
        if path == self.model.path:
            self.model.show_counts(counts)

    def show_compared(self, comparison: Comparison, found: Compared) -> None:
        """What was asked for has come."""
        self.detail.show_compared(comparison, found)
        self._count.start()

    def show_deleted(self, gone: Sequence[Gone]) -> None:
        """List the documents that are gone."""
        self._name_deleted(True)
        self._is_loading = True
        self.deleted_model.show(gone)
        self._is_loading = False
        self._lists.setCurrentWidget(self.gone_list)
        if not gone:
            self._empty.show_state(
                icon="check", title=_("Nothing is gone"), text=_("Documents that are deleted are listed here.")
            )
            self._stack.setCurrentWidget(self._empty)
            return
        self._stack.setCurrentWidget(self._splitter)
        self.gone_list.setCurrentIndex(self.deleted_model.index(0))
        self._on_current()

    def _name_deleted(self, shown_now: bool) -> None:
        words = _("Back to versions") if shown_now else _("Deleted files…")
        self.deleted.setText(words)
        self.deleted.setAccessibleName(words)
        self.deleted.setToolTip(words if shown_now else _("Documents that are gone"))
        self._title.setText(_("Deleted files") if shown_now else _("History"))
        self.chooser.setVisible(not shown_now)

    def leave_deleted(self) -> None:
        """Back to the versions of the document."""
        self._name_deleted(False)
        self._lists.setCurrentWidget(self.list)
        self._stack.setCurrentWidget(self._splitter if self.model.rows else self._empty)
        if not self.model.rows:
            self.show_nothing()
        self._on_current()

    # What is chosen ------------------------------------------------------------------------------------------------

    @property
    def row(self) -> VersionRow | None:
        """The chosen moment."""
        return self.model.row_at(self.list.currentIndex().row())

    @property
    def gone(self) -> Gone | None:
        """The chosen document that is gone."""
        return self.deleted_model.gone_at(self.gone_list.currentIndex().row()) if self.shows_deleted else None

    @property
    def version(self) -> Version | None:
        """The chosen version, where it has bytes."""
        chosen = self.gone.version if self.gone is not None else self.row.version if self.row is not None else None
        if self.shows_deleted and self.gone is None:
            return None
        return chosen if chosen is not None and chosen.hash is not None and not chosen.is_forgotten else None

    @property
    def chosen_path(self) -> DocPath | None:
        """The document that a wish is about."""
        return self.gone.path if self.gone is not None else self.model.path

    @Slot()
    def _on_current(self) -> None:
        if self._is_loading:
            return
        if not self.shows_deleted and self.row is not None:
            self._number = self.row.number
        self._compare()

    def _compare(self) -> None:
        comparison = self._comparison()
        if comparison is None:
            row = self.row if not self.shows_deleted else None
            words = "" if row is None else f"{title_of(row)} · {who_of(row.origin)}"
            self.detail.clear("" if row is None else _why_not(row), words)
            return
        row = self.row
        is_now = row is not None and row.is_now and not self.shows_deleted
        can_restore = self.version is not None and not is_now
        words = self._words_of(comparison)
        self.detail.announce(comparison, words, can_restore=can_restore, can_compare=not self.shows_deleted)
        if self.isVisible():
            self.comparison_requested.emit(comparison)

    def _comparison(self) -> Comparison | None:
        if self.shows_deleted:
            return None if self.gone is None else Comparison(self.gone.path, self.gone.version, now=True)
        row, path = self.row, self.model.path
        if row is None or path is None or row.version is None or row.version.is_forgotten:
            return None
        other = self.model.row_at(self.model.row_of(self.model.marked))
        if other is not None and other.version is not None and other.number != row.number:
            if other.version.is_forgotten:
                return None
            old, new = sorted((row, other), key=lambda one: one.number or 0)
            return Comparison(path, old.version, new.version, now=new.is_now)
        if row.is_now:
            return Comparison(path, _readable(row.before), now=True)
        if row.version.hash is None:
            return Comparison(path, _readable(row.before), row.version)
        return Comparison(path, row.version, now=True)

    def _words_of(self, comparison: Comparison) -> str:
        said = [comparison.words]
        if self.gone is not None:
            said = [_("deleted {moment}").format(moment=moment_words(self.gone.time)), who_of(self.gone.origin)]
        elif self.row is not None:
            said += [title_of(self.row), who_of(self.row.origin)]
        return " · ".join(said)

    @Slot()
    def _ask_for_counts(self) -> None:
        if self.detail.waits:
            # What is to be read comes before what is to be counted.
            return
        rows = [self.model.row_at(at) for at in self.list.in_sight]
        pairs = [(_readable(row.before), row.version) for row in rows if row is not None and row.is_counted_later]
        if pairs and self.isVisible():
            self.counts_requested.emit(pairs)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._on_current()
        self._count.start()

    # Wishes --------------------------------------------------------------------------------------------------------

    @Slot()
    def restore(self) -> None:
        """Put the chosen version back."""
        version, path = self.version, self.chosen_path
        if version is not None and path is not None and self.detail.can_restore:
            self.message.withdraw()
            self.restore_requested.emit(path, version.number)

    @Slot()
    def restore_place(self) -> None:
        """Put the framed place back."""
        if self.detail.place is not None:
            self.message.withdraw()
            self.place_requested.emit(self.detail.comparison)

    @Slot()
    def copy(self) -> None:
        """Copy the text of the chosen version."""
        if self.version is not None:
            self.copy_requested.emit(self.chosen_path, self.version)

    @Slot()
    def mark(self) -> None:
        """Let others be compared with the chosen version; where it is the one already, with what stands there now."""
        if not self.shows_deleted:
            self._mark_row(self.list.currentIndex())

    @Slot(QModelIndex)
    def _mark_row(self, index: QModelIndex) -> None:
        row = self.model.row_at(index.row())
        if row is not None and row.version is not None and not row.version.is_forgotten:
            self.model.mark(None if row.is_marked else row.number)
            self._compare()

    @Slot()
    def _compare_with_now(self) -> None:
        self.model.mark(None)
        self._compare()
        self.detail.view.setFocus()

    @Slot()
    def forget(self) -> None:
        """Ask whether the chosen version is to be forgotten."""
        version, path = self.version, self.chosen_path
        if version is None or path is None:
            return
        words = _(
            "Forget version {number} of {name}? Its text goes from everything memgui keeps and cannot be brought back;"
            " the line in this list stays, with the file's name, who wrote it and when."
        ).format(number=version.number, name=_name(path))

        def answer(_text: str) -> None:
            self.forget_requested.emit(path, version)

        self.message.ask(words, action=_("Forget"), answer=answer)

    @Slot()
    def _toggle_deleted(self) -> None:
        if self.shows_deleted:
            self.leave_deleted()
        else:
            self.deleted_requested.emit()

    @Slot(int)
    def _choose_document(self, at: int) -> None:
        path = self.chooser.itemData(at)
        if path is not None:
            if self.shows_deleted:
                self.leave_deleted()
            self.document_chosen.emit(path)

    @Slot(int)
    def _open_line(self, line: int) -> None:
        if self.model.path is not None and not self.shows_deleted:
            self.open_requested.emit(self.model.path, line)

    @Slot()
    def _focus_list(self) -> None:
        (self.gone_list if self.shows_deleted else self.list).setFocus()

    # Its shape -----------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._count.start()
        self.detail.show_low(self.height() < theme().px(LOW))
        narrow = self.width() < theme().px(NARROW)
        wanted = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if self._splitter.orientation() != wanted or event.oldSize().width() <= 0:
            self._splitter.setOrientation(wanted)
            if narrow:
                self._splitter.setSizes([round(self.height() * 0.3), round(self.height() * 0.7)])
            else:
                side = min(theme().px(300), round(self.width() * 0.4))
                self._splitter.setSizes([side, self.width() - side])


def _readable(version: Version | None) -> Version | None:
    """The version, where there are bytes of it to compare with."""
    return None if version is None or version.hash is None or version.is_forgotten else version


def _why_not(row: VersionRow) -> str:
    """Why there is nothing to compare."""
    if row.version is None:
        return _("{who} was about to write here at {moment}; it never came to the disk.").format(
            who=who_of(row.origin), moment=moment_words(row.time)
        )
    return _("This version was forgotten. Only when it was, and who wrote it, is still known.")


def _name(path: DocPath) -> str:
    return shown(name_of(path))
