"""The search panel: a field, how its text was read, and every line of every file that holds it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QListView, QPushButton, QWidget

from memgui.domain.hits import Found, SearchHit
from memgui.domain.paths import DocPath
from memgui.domain.searches import LONGEST, MOST_SAVED, Searches
from memgui.gui.kit.buttons import IconButton
from memgui.gui.kit.fields import FilterField
from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.kit.speech import announce
from memgui.gui.models.results_model import ResultsModel
from memgui.gui.panels.search.naming import Naming
from memgui.gui.panels.search.rows import RowPainter
from memgui.gui.panels.search.shelf import Shelf, undo_key
from memgui.gui.panels.search.why import WhyStrip
from memgui.gui.panels.search.words import MOST_OFFERS, explanation, in_history, short, without_one
from memgui.gui.theme import theme
from memgui.i18n import _

LONGEST_OFFER = 24


class SearchPanel(QWidget):
    """Asks as one types, keeps the last answer until the next is there, and leads to the lines found."""

    search_requested = Signal(str)
    hit_chosen = Signal(object)
    """`SearchHit`: open it and go there."""
    why_requested = Signal(object)
    """`SearchHit`: why is it there?"""
    hit_previewed = Signal(object)
    """`SearchHit`: show it, but leave the keyboard here."""
    left = Signal()
    """Back to where the person was before they searched."""
    searches_changed = Signal(object)
    """`Searches`: another was made, saved, or taken away."""
    hits_changed = Signal(bool)
    """Whether there is a hit to go to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("searchPanel")
        self.setAccessibleName(_("Search"))
        self._searches = Searches()
        self._taken: list[tuple[Searches, Searches]] = []
        """What was taken off, as the searches were before and after."""
        self._recalled = -1
        self._found: Found | None = None
        self._covered = (0, 0)
        self._at: SearchHit | None = None
        self._hurried = 0
        """A hit was asked for before what stands in the field was answered: the first (1) or the last (-1) of it."""
        self._model = ResultsModel(self)
        self._build_field()
        self._build_answers()
        layout = column(self)
        top = column(margins=(8, 8, 8, 8), gap=6)
        self._tools = row(gap=4)
        self._tools.addWidget(self.field, 1)
        top.addLayout(self._tools)
        top.addWidget(self.explain)
        layout.addLayout(top)
        layout.addWidget(self.naming)
        layout.addWidget(self._nothing)
        layout.addWidget(self.shelf, 1)
        layout.addWidget(self.results, 1)
        layout.addWidget(self.why)
        layout.addStretch(0)
        theme().changed.connect(self._restyle)
        self._restyle()
        self._show_parts()
        self._explain()

    def _build_field(self) -> None:
        self.field = FilterField(_("Search memory"), _("Search every file…"), self)
        self.field.setObjectName("searchField")
        self.field.textChanged.connect(self._ask)
        self.field.installEventFilter(self)
        self.explain = ThemedLabel("", self, colour="muted", scale=0.92)
        self.explain.setObjectName("searchExplain")
        self.explain.setAccessibleName(_("How the search was read"))
        self.explain.setWordWrap(True)

        self.naming = Naming(self)
        self.naming.named.connect(self._save_as)
        self.naming.left.connect(self.focus_field)
        self.shelf = Shelf(self)
        self.shelf.query_chosen.connect(self._ask_from_shelf)
        self.shelf.removal_requested.connect(self.forget_search)
        self.shelf.return_requested.connect(self.bring_back)
        self.shelf.left_above.connect(self._leave_shelf)

    def _build_answers(self) -> None:
        self.results = QListView(self)
        self.results.setObjectName("searchResults")
        self.results.setAccessibleName(_("Search results"))
        self.results.setModel(self._model)
        self.results.setItemDelegate(RowPainter(self.results))
        self.results.setMouseTracking(True)
        self.results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.results.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.results.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.results.installEventFilter(self)
        self.results.clicked.connect(self._preview_index)
        self.results.doubleClicked.connect(self._choose_index)
        self.results.selectionModel().currentChanged.connect(self._on_current)
        self.why = WhyStrip(self)
        self.why.closed.connect(self._leave_why)
        self._nothing = QWidget(self)
        offers = column(self._nothing, margins=(8, 0, 8, 8), gap=6)
        self._offers: list[QPushButton] = []
        for _number in range(MOST_OFFERS + 1):
            offer = QPushButton(self._nothing)
            offer.setObjectName("searchOffer")
            offer.clicked.connect(self._take_offer)
            offers.addWidget(offer, 0, Qt.AlignmentFlag.AlignLeft)
            self._offers.append(offer)
        self._nothing.hide()

    def add_tools(self, actions: Iterable[QAction]) -> None:
        """What can be done with a search stands beside its field."""
        for action in actions:
            self._tools.addWidget(IconButton.of(action, self, size=16))

    # What it is told ---------------------------------------------------------------------------------------------

    @Slot(object)
    def show_found(self, found: Found) -> None:
        """Show this answer in the place of the last one."""
        if not self.field.text().strip():
            return
        same = self._found is not None and self._found.query == found.query
        before = self._top() if same else None
        self._found = found
        stayed = self._model.show(found)
        self._nothing.setVisible(found.is_empty)
        if not stayed:
            self._keep_place(before)
        self._explain()
        self.hits_changed.emit(not found.is_empty)
        if self._hurried and not self._is_behind:
            self._step(self._hurried)

    @Slot(int, int)
    def show_coverage(self, done: int, total: int) -> None:
        """So many of so many files have been read by now."""
        self._covered = (done, total)
        self._explain()

    @Slot()
    def focus_field(self) -> None:
        """Take the keyboard, the last query ready to be typed over."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_searches(self, searches: Searches) -> None:
        """These were made and saved."""
        self._searches = searches
        self.shelf.show_searches(searches)
        self._show_parts()

    @property
    def searches(self) -> Searches:
        """The searches made and saved, as they are by now."""
        return self._searches

    @Slot()
    def save_search(self) -> None:
        """Ask for a name for what stands in the field, and keep it under that; a saved one can be given another."""
        query = self.field.text().strip()
        if len(query) > LONGEST:
            told = _("It is longer than {most} characters: too long to be wanted again by its name.")
            self.why.say(_("The search is not saved"), [told.format(most=f"{LONGEST:,}")])
        elif query:
            known = self._searches.named(query)
            self.naming.ask(query, known.title if known is not None else query)

    @Slot(str)
    def forget_search(self, query: str) -> None:
        """Take a search off the saved or the latest ones, until it is brought back."""
        before, after = self._searches, self._searches.without(query)
        self._taken.append((before, after))
        self._keep(after)
        if not self.shelf.isVisibleTo(self):
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        announce(self, _("Taken off the list. {key} brings it back.").format(key=undo_key()))

    def forget_taken(self) -> None:
        """What was taken off is not to be brought back any more."""
        self._taken.clear()

    @Slot()
    def bring_back(self) -> None:
        """The search that was last taken off its list is on it again."""
        if self._taken:
            before, after = self._taken.pop()
            self._keep(before.joined(after, self._searches))

    @Slot(str)
    def search(self, text: str) -> None:
        """Put this into the field, and ask."""
        self.field.setText(text)

    @Slot()
    def ask_again(self) -> None:
        """The files are others than before: ask anew what stands in the field."""
        if self.field.text().strip():
            self.search_requested.emit(self.field.text())

    @property
    def found(self) -> Found | None:
        """The answer that is shown."""
        return self._found

    @Slot()
    def ask_why(self) -> None:
        """Ask why the chosen hit (the first, where none is) is there; asked again, be silent."""
        if self.why.isVisible():
            self.why.leave()
        else:
            self._ask_why()

    def _ask_why(self) -> None:
        rows = self._model.hit_rows()
        row = self._model.row(self.results.currentIndex()) if self._at is not None else None
        hit = row.hit if row is not None else None
        if hit is None and rows:
            first = self._model.row(self._model.index(rows[0]))
            hit = first.hit if first is not None else None
        if hit is not None:
            self.why_requested.emit(hit)

    @Slot()
    def _leave_why(self) -> None:
        focus = self.focusWidget()
        if focus is None or not focus.isVisible():
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def query(self) -> str:
        """What was asked last."""
        return self.field.text()

    def hits_in(self, path: DocPath) -> tuple[SearchHit, ...]:
        """The lines of one file that the answer shows."""
        files = (*self._found.files, *self._found.by_words) if self._found is not None else ()
        return tuple(hit for file in files if file.path == path for hit in file.hits)

    # Going through the hits --------------------------------------------------------------------------------------

    @Slot()
    def go_to_next(self) -> None:
        """Open the hit after this one, in whatever file it is; after the last comes the first."""
        self._step(1)

    @Slot()
    def go_to_previous(self) -> None:
        """Open the hit before this one."""
        self._step(-1)

    @property
    def _is_behind(self) -> bool:
        """Whether the rows are the answer to an earlier text than the one in the field."""
        return self._found is None or self._found.query != self.field.text()

    def _step(self, by: int) -> None:
        rows = self._model.hit_rows()
        # What is shown is no hit of what was typed; the first one will be.
        self._hurried = by if self._is_behind and self.field.hasFocus() else 0
        if self._is_behind or not rows:
            return
        here = self.results.currentIndex().row() if self._at is not None else (-1 if by > 0 else self._model.rowCount())
        later = [row for row in rows if row > here] if by > 0 else [row for row in reversed(rows) if row < here]
        row = later[0] if later else (rows[0] if by > 0 else rows[-1])
        self._choose_index(self._model.index(row))

    @Slot(QModelIndex)
    def _choose_index(self, index: QModelIndex) -> None:
        row = self._model.row(index)
        if row is None or row.hit is None:
            return
        self._remember()
        self._set_current(index)
        self.hit_chosen.emit(row.hit)

    @Slot(QModelIndex)
    def _preview_index(self, index: QModelIndex) -> None:
        row = self._model.row(index)
        if row is not None and row.hit is not None:
            self._at = row.hit
            self.hit_previewed.emit(row.hit)
            if self.why.isVisible():
                self.why_requested.emit(row.hit)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, before: QModelIndex) -> None:  # noqa: ARG002
        # Only while one walks through the list: a new answer moves no page.
        if self.results.hasFocus():
            self._preview_index(index)

    def _set_current(self, index: QModelIndex) -> None:
        row = self._model.row(index)
        self._at = row.hit if row is not None else None
        blocked = self.results.selectionModel().blockSignals(True)
        self.results.setCurrentIndex(index)
        self.results.selectionModel().blockSignals(blocked)
        self.results.scrollTo(index)
        self.results.viewport().update()

    def _top(self) -> tuple[int, int]:
        """How far the rows are scrolled, and where in the list the chosen one is seen (beyond it, where none is)."""
        where = self.results.visualRect(self.results.currentIndex()) if self._at is not None else None
        return self.results.verticalScrollBar().value(), where.top() if where is not None else self.results.height()

    def _keep_place(self, before: tuple[int, int] | None) -> None:
        """Stay with the chosen row; where the same was asked again (`before`), leave everything where it is seen."""
        row = self._model.row_of(self._at) if self._at is not None else None
        bar = self.results.verticalScrollBar()
        if row is None:
            self._at = None
            self.results.scrollToTop()
        else:
            self._set_current(self._model.index(row))
        if before is None:
            return
        scrolled, top = before
        if row is not None and 0 <= top < self.results.viewport().height():
            bar.setValue(bar.value() + self.results.visualRect(self._model.index(row)).top() - top)
        else:
            self.results.executeDelayedItemsLayout()
            bar.setValue(scrolled)

    # Asking ------------------------------------------------------------------------------------------------------

    @Slot(str)
    def _ask(self, text: str) -> None:
        self.naming.hide()
        self.why.hide()
        self._hurried = 0
        self._show_parts()
        if text.strip():
            self.search_requested.emit(text)
            return
        self._found = None
        self._at = None
        self._model.show(None)
        self._nothing.hide()
        self._explain()
        self.search_requested.emit("")
        self.hits_changed.emit(False)

    @Slot()
    def _take_offer(self) -> None:
        offer = self.sender()
        if isinstance(offer, QPushButton):
            self.field.setText(str(offer.property("query")))
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _explain(self) -> None:
        self.explain.setText(explanation(self._found, self._covered))
        offered = [(query, _("Search for “{query}”")) for query in without_one(self.field.text())]
        offered.append((in_history(self.field.text()), _("Look in earlier versions")))
        for number, offer in enumerate(self._offers):
            query, form = offered[number] if number < len(offered) else ("", "")
            words = form.format(query=short(query, LONGEST_OFFER))
            offer.setVisible(bool(query))
            offer.setProperty("query", query)
            offer.setText(words.replace("&", "&&"))
            offer.setAccessibleName(words)

    def _remember(self) -> None:
        self._keep(self._searches.made(self.field.text()))
        self._recalled = -1

    def _keep(self, searches: Searches) -> None:
        if searches != self._searches:
            self.show_searches(searches)
            self.searches_changed.emit(searches)

    @Slot(str, str)
    def _save_as(self, query: str, name: str) -> None:
        made = self._searches.with_saved(query, name)
        self._keep(made)
        self.focus_field()
        if made.named(query) is None:
            told = _("There are {count} saved searches, and no more are kept. Take one off the list first.")
            self.why.say(_("The search is not saved"), [told.format(count=f"{MOST_SAVED:,}")])

    @Slot(str)
    def _ask_from_shelf(self, query: str) -> None:
        self.field.setText(query)
        self._remember()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _leave_shelf(self) -> None:
        self.field.setFocus(Qt.FocusReason.BacktabFocusReason)

    def _show_parts(self) -> None:
        """Below an empty field stands what was asked before; else the answer."""
        empty = not self.field.text().strip()
        self.shelf.setVisible(empty and self.shelf.count() > 0)
        self.results.setVisible(not self.shelf.isVisibleTo(self))

    def _recall(self, by: int) -> bool:
        """Walk through earlier searches; only from an empty field, or from one already called back."""
        empty = not self.field.text()
        history = self._searches.recent
        called_back = 0 <= self._recalled < len(history) and self.field.text() == history[self._recalled]
        if not (empty or called_back) or not history:
            return False
        if empty:
            self._recalled = -1
        self._recalled = min(max(self._recalled + by, -1), len(history) - 1)
        self.field.setText(history[self._recalled] if self._recalled >= 0 else "")
        return True

    # Keys --------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and watched is self.field:
            # Who is elsewhere by now is not to be taken away from there.
            self._hurried = 0
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if watched is self.field:
                return self._key_in_field(event)
            if watched is self.results:
                return self._key_in_results(event)
        return super().eventFilter(watched, event)

    def _key_in_field(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self._remember()
            self.left.emit()
        elif event.matches(QKeySequence.StandardKey.Undo) and not self.field.text() and self._taken:
            self.bring_back()
        elif key == Qt.Key.Key_Up:
            return self._recall(1)
        elif key == Qt.Key.Key_Down:
            if not self._recall_forward() and not (self.shelf.isVisible() and self.shelf.enter()):
                self._enter_results()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._at is not None and not self._is_behind:
                self._choose_index(self.results.currentIndex())
            else:
                self._step(1)
        else:
            return False
        return True

    def _key_in_results(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self._remember()
            self.left.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose_index(self.results.currentIndex())
        elif key == Qt.Key.Key_Up and self.results.currentIndex().row() <= 1:
            self.field.setFocus(Qt.FocusReason.BacktabFocusReason)
        elif key == Qt.Key.Key_Slash or (event.text().isprintable() and event.text() and not event.modifiers()):
            # Typing goes on where it was left.
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.field.insert(event.text() if key != Qt.Key.Key_Slash else "")
        else:
            return False
        return True

    def _recall_forward(self) -> bool:
        """From a search that was called back to the one after it; from an empty field there is none."""
        return bool(self.field.text()) and self._recall(-1)

    def _enter_results(self) -> None:
        rows = self._model.hit_rows()
        if not rows:
            return
        index = self.results.currentIndex() if self._at is not None else self._model.index(rows[0])
        # Before the focus: a list that gets it without a current row chooses one itself.
        self._set_current(index)
        self.results.setFocus(Qt.FocusReason.TabFocusReason)
        self._preview_index(index)

    @Slot()
    def _restyle(self) -> None:
        look = theme()
        self.results.setFont(look.font())
        self.results.scheduleDelayedItemsLayout()
