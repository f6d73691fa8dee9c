"""The panel that replaces in all files: what, by what, every place with a box to tick, and one button that counts."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QGridLayout,
    QLineEdit,
    QListView,
    QPushButton,
    QToolButton,
    QWidget,
)

from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath
from memgui.domain.replacing import Exchange, Plan
from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import EmptyState, HairLine, column, row
from memgui.gui.kit.speech import announce
from memgui.gui.kit.strip import Strip
from memgui.gui.models.replace_model import LINE_ROLE, ReplaceModel, left_out_said, places_said
from memgui.gui.panels.search.replace_rows import ReplacePainter, turn
from memgui.gui.panels.search.words import short
from memgui.gui.theme import theme
from memgui.i18n import _, ngettext

WAIT_MS = 200
"""So long after the last key it is looked where the text stands."""


class ReplacePanel(QWidget):
    """Asks for the places as one types, and for the replacement once the person has seen them."""

    places_requested = Signal(object)
    """An `Exchange`: where does it stand?"""
    replace_requested = Signal()
    """Do what is ticked in `model`."""
    stop_requested = Signal()
    undo_requested = Signal()
    place_chosen = Signal(object, int)
    """`DocPath` and line: open it there."""
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("replacePanel")
        self.setAccessibleName(_("Replace in all files"))
        self.model = ReplaceModel(self)
        self._looking = self._working = False
        self._focus: QWidget | None = None
        self._taken_out: Exchange | None = None
        """What was confirmed to be taken out without anything in its place."""
        self._wait = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._wait.timeout.connect(self._ask)
        self._build_fields()
        self._build_list()
        self._build_message()
        box = column(self)
        box.addWidget(self._bar)
        box.addWidget(self._message)
        box.addWidget(self._note)
        box.addWidget(HairLine(self))
        box.addWidget(self.list, 1)
        box.addWidget(self._empty, 1)
        self.setFocusProxy(self.what)
        self.model.chosen_changed.connect(self._tell)
        theme().changed.connect(self._restyle)
        self._tell()

    def _build_fields(self) -> None:
        self._bar = Strip(self)
        self.what = self._field("replaceWhat", _("Replace in all files"))
        self.by = self._field("replaceBy", _("Replace with"))
        self._exact = self._toggle("replaceCase", "Aa", _("Match case, accents and width"))
        self._whole = self._toggle("replaceWords", "|ab|", _("Whole words only"))
        self.button = QPushButton(self._bar)
        self.button.setObjectName("replaceAllButton")
        self.button.setProperty("primary", True)
        self.button.clicked.connect(self._wish)
        self._all = self._button("replaceTickAll", _("Untick all"), self._turn_all)
        self._stop = self._button("replaceStop", _("Stop"), self.stop_requested.emit)
        self._close = self._button("replaceClose", _("Close"), self.left.emit)
        options, deeds = row(gap=4), row(gap=6)
        for widget in (self._exact, self._whole):
            options.addWidget(widget)
        options.addStretch(1)
        options.addWidget(self._all)
        options.addWidget(self._close)
        deeds.addWidget(self.button)
        deeds.addWidget(self._stop)
        deeds.addStretch(1)
        grid = QGridLayout(self._bar)
        grid.setContentsMargins(14, 10, 10, 10)
        grid.setSpacing(6)
        grid.addWidget(self.what, 0, 0)
        grid.addLayout(options, 0, 1)
        grid.addWidget(self.by, 1, 0)
        grid.addLayout(deeds, 1, 1)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 2)

    def _build_list(self) -> None:
        self.list = QListView(self)
        self.list.setObjectName("replacePlaces")
        self.list.setAccessibleName(_("Places where it would be replaced"))
        self.list.setProperty("pane", True)
        self.list.setModel(self.model)
        self.list.setItemDelegate(ReplacePainter(self.list))
        self.list.setMouseTracking(True)
        self.list.setLayoutMode(QListView.LayoutMode.Batched)
        self.list.setBatchSize(200)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.doubleClicked.connect(self._choose)
        self._empty = EmptyState(self)
        self._empty.setObjectName("replaceEmpty")
        for watched in (self.list, self.what, self.by):
            watched.installEventFilter(self)

    def _build_message(self) -> None:
        self._message = Strip(self, tone="info")
        self._message.setObjectName("replaceMessage")
        self._words = ThemedLabel("", self._message, colour="info")
        self._words.setObjectName("replaceMessageText")
        self._words.setWordWrap(True)
        self._yes = self._button("replaceMessageAction", "", self._answer)
        self._yes.setProperty("flat", False)
        self._no = self._button("replaceMessageDismiss", _("Dismiss"), self._message.hide)
        line = row(self._message, margins=(12, 6, 12, 6), gap=6)
        line.addWidget(self._words, 1)
        line.addWidget(self._yes)
        line.addWidget(self._no)
        self._message.hide()
        self._note = ThemedLabel("", self, colour="muted", scale=0.92)
        self._note.setObjectName("replaceNote")
        self._note.setWordWrap(True)
        self._note.setContentsMargins(14, 6, 14, 6)

    # What it is told ---------------------------------------------------------------------------------------------

    def begin(self, what: str) -> None:
        """Take the keyboard: with the text to be replaced, the field for the other has it."""
        if what and what != self.what.text():
            self.what.setText(what)
        field = self.by if self.what.text() else self.what
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()
        self.look_again()

    def look_again(self) -> None:
        """The files are others than before."""
        if not self._working:
            self._wait.start()

    def show_plan(self, plan: Plan) -> None:
        """These are the places."""
        self._looking = False
        self.model.show(plan)

    def show_trouble(self, words: str) -> None:
        """Where it stands could not be looked up; what was shown before is no answer to it."""
        self._looking = False
        self.model.show(None)
        self.say(words)

    def show_progress(self, done: int, of: int) -> None:
        """So far it is with what it does."""
        if self._looking or self._working:
            words = _("Looking: {done} of {of} files") if self._looking else _("Replacing: {done} of {of} files")
            self._note.setText(words.format(done=f"{done:,}", of=f"{of:,}"))

    def show_working(self, *, working: bool) -> None:
        """Whether it is being replaced just now."""
        focus = QApplication.focusWidget()
        here = focus is not None and self.isAncestorOf(focus)
        if working and not self._working:
            self._focus = focus if here else None
        self._working = working
        self._tell()
        if not working and here and self._focus is not None:
            # What had the keyboard could not keep it meanwhile.
            self._focus.setFocus(Qt.FocusReason.OtherFocusReason)

    def say(self, words: str, action: str = "") -> None:
        """Say what came of it, with what can be done about that."""
        self._taken_out = None
        self._show_message("info", words, action, _("Dismiss"))

    @property
    def exchange(self) -> Exchange:
        """What the fields say."""
        return Exchange(self.what.text(), self.by.text(), self._exact.isChecked(), self._whole.isChecked())

    # Asking ------------------------------------------------------------------------------------------------------

    @Slot()
    def _changed(self) -> None:
        self._taken_out = None
        if self._message.property("tone") == "warning" or self._yes.isHidden():
            # A question was about what stood in the fields before, and so was trouble; an undo stays to be had.
            self._message.hide()
        self._wait.start()

    @Slot()
    def _ask(self) -> None:
        if self._working:
            return
        self._looking = bool(self.what.text())
        if self._looking:
            self.places_requested.emit(self.exchange)
        else:
            self.model.show(None)

    @Slot()
    def _wish(self) -> None:
        plan = self.model.plan
        if plan is None or not self.model.counted[0] or self._working:
            return
        if plan.exchange != self.exchange:
            # What is shown is older than what the fields say.
            self._ask()
        elif plan.exchange.by or self._taken_out == plan.exchange:
            self._message.hide()
            self.replace_requested.emit()
        else:
            self._taken_out = plan.exchange
            count, files = self._counts()
            words = _("Nothing will stand in the place of “{what}”: it is taken out of {count} in {files}.")
            self._show_message(
                "warning",
                words.format(what=short(plan.exchange.what), count=count, files=files),
                _("Take out {count}").format(count=f"{self.model.counted[0]:,}"),
                _("Cancel"),
            )
            self._yes.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _answer(self) -> None:
        self._message.hide()
        if self._taken_out is not None:
            self._wish()
        else:
            self.undo_requested.emit()

    @Slot()
    def _turn_all(self) -> None:
        self.model.tick_all(on=not self.model.counted[0])

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        row = self.model.row(index)
        if row is not None:
            self.place_chosen.emit(DocPath(row.file.path), int(index.data(LINE_ROLE)))

    # What it says ------------------------------------------------------------------------------------------------

    def _show_message(self, tone: str, words: str, action: str, dismiss: str) -> None:
        self._message.set_tone(tone)
        self._message.setProperty("tone", tone)
        self._words.set_colour(tone)
        self._words.setText(words)
        for button, text in ((self._yes, action), (self._no, dismiss)):
            button.setText(text)
            button.setAccessibleName(text)
            button.setVisible(bool(text))
        self._message.show()
        announce(self, words)

    def _counts(self) -> tuple[str, str]:
        places, files = self.model.counted
        return places_said(places), ngettext("{count} file", "{count} files", files).format(count=f"{files:,}")

    @Slot()
    def _tell(self) -> None:
        places = self.model.counted[0]
        plan = self.model.plan
        words = _("Replace {places} in {files}").format(places=f"{places:,}", files=self._counts()[1])
        self.button.setText(words if places else _("Replace"))
        self.button.setAccessibleName(self.button.text())
        self.button.setEnabled(bool(places) and not self._working)
        self._stop.setVisible(self._working)
        for widget in (self.what, self.by, self._exact, self._whole, self.list, self._all):
            widget.setEnabled(not self._working)
        self._all.setText(_("Untick all") if places else _("Tick all"))
        self._all.setVisible(plan is not None and plan.places > 0)
        any_place = plan is not None and plan.places > 0
        self.list.setVisible(any_place)
        self._empty.setVisible(not any_place)
        if not any_place:
            self._say_empty(plan)
        self._note.setText(self._noted(plan))
        self._note.setVisible(bool(self._note.text()) or self._working)

    def _say_empty(self, plan: Plan | None) -> None:
        what = self.what.text()
        if plan is None or not what:
            title = _("Replace in all files")
            text = _(
                "Type what is to be replaced. Every place is shown first, and nothing is written before you say so."
            )
        else:
            title = _("No place holds it")
            text = _("“{what}” stands in no file that can be written.").format(what=short(what))
            if len(Lines.split(what).texts) > 1:
                text = _(
                    "Every line is looked at by itself: a text of several lines is not found. Take one line of it."
                )
        self._empty.show_state(icon="replace", title=title, text=text)

    def _noted(self, plan: Plan | None) -> str:
        if plan is None:
            return ""
        said = []
        if not plan.whole:
            said.append(_("There are more places; these come first. Replace them, then look again."))
        if plan.in_links:
            words = ngettext(
                "{count} place names the file that a link leads to: it leads on only if that is renamed as well.",
                "{count} places name the files that links lead to: they lead on only if those are renamed as well.",
                plan.in_links,
            )
            said.append(words.format(count=f"{plan.in_links:,}"))
        return "\n".join([*said, *left_out_said(plan.left_out)])

    # Keys --------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = event.key()
            if key == Qt.Key.Key_Escape:
                self.left.emit()
                return True
            if watched is self.list:
                return self._key_in_list(key)
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if watched is self.what:
                    self.by.setFocus(Qt.FocusReason.TabFocusReason)
                else:
                    self._wish()
                return True
            if key == Qt.Key.Key_Down and watched is self.by and self.model.rowCount():
                self.list.setFocus(Qt.FocusReason.TabFocusReason)
                self.list.setCurrentIndex(self.model.index(0))
                return True
        return super().eventFilter(watched, event)

    def _key_in_list(self, key: int) -> bool:
        index = self.list.currentIndex()
        if key == Qt.Key.Key_Space and index.isValid():
            turn(self.model, index)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(index)
        else:
            return False
        return True

    # Parts -------------------------------------------------------------------------------------------------------

    def _field(self, name: str, words: str) -> QLineEdit:
        line = QLineEdit(self._bar)
        line.setObjectName(name)
        line.setAccessibleName(words)
        line.setPlaceholderText(words)
        line.textChanged.connect(self._changed)
        return line

    def _toggle(self, name: str, sign: str, words: str) -> QToolButton:
        button = QToolButton(self._bar)
        button.setObjectName(name)
        button.setText(sign)
        button.setToolTip(words)
        button.setAccessibleName(words)
        button.setCheckable(True)
        button.toggled.connect(self._changed)
        return button

    def _button(self, name: str, words: str, act: object) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.setProperty("flat", True)
        button.clicked.connect(act)
        return button

    @Slot()
    def _restyle(self) -> None:
        for button in (self._exact, self._whole):
            button.setMinimumSize(theme().px(34), theme().px(26))
        self.list.setFont(theme().font())
        self.list.scheduleDelayedItemsLayout()
