"""The palette: a field over the window to go to a file, a heading or a line, or to do anything, by a few letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QListView,
    QWidget,
)

from memgui.domain.paths import DocPath
from memgui.gui.kit.fields import SteeringField
from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import HairLine, column
from memgui.gui.kit.offers import OfferDelegate
from memgui.gui.kit.rows import row_height
from memgui.gui.kit.speech import announce
from memgui.gui.models.palette_model import Heading, Mode, Offer, PaletteModel, offers_of
from memgui.gui.theme import blend, current, theme
from memgui.i18n import _

_SHADOW = 14
_ROWS_SHOWN = 12
_STEPS: dict[int, int] = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: _ROWS_SHOWN,
    Qt.Key.Key_PageUp: -_ROWS_SHOWN,
}
_KEYS = (
    Qt.Key.Key_Down,
    Qt.Key.Key_Up,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
)
_HINTS = {
    Mode.FILES: "Go to file   ·   > commands   @ sections   : line",
    Mode.COMMANDS: "Do anything…",
    Mode.HEADINGS: "Go to a section of this page",
    Mode.LINE: "Go to a line of this page",
    Mode.CHOICES: "",
}
_NOTHING = {
    Mode.FILES: "No file matches",
    Mode.COMMANDS: "No command matches",
    Mode.HEADINGS: "This page has no such heading",
    Mode.LINE: "No page is open",
    Mode.CHOICES: "Nothing matches",
}


class Palette(QWidget):
    """An overlay of the window, not modal. It tells what was chosen; closing it gives the keyboard back."""

    document_chosen = Signal(object)
    document_previewed = Signal(object)
    action_chosen = Signal(str)
    answered = Signal(object)
    """One of the choices: the `Offer`."""
    line_chosen = Signal(int)
    line_previewed = Signal(int)
    dismissed = Signal()
    """Closed without a choice: whatever was previewed is to be taken back."""
    headings_requested = Signal()
    """The headings and lines of the page in front are wanted now: `set_headings`, `set_line_count`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setObjectName("palette")
        self.setAccessibleName(_("Commands and files"))
        self.setVisible(False)
        self.model = PaletteModel(self)
        self._actions: Sequence[QAction] = ()
        self._used: list[str] = []
        self._focus_before: QWidget | None = None
        self.field = SteeringField(_KEYS, self)
        self.field.setObjectName("paletteField")
        self.field.setAccessibleName(_("Type to find a file or a command"))
        self.field.setProperty("bare", True)
        self.results = QListView(self)
        self.results.setObjectName("paletteResults")
        self.results.setAccessibleName(_("Found"))
        self.results.setModel(self.model)
        self.results.setItemDelegate(OfferDelegate(self.results))
        self.results.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.results.setUniformItemSizes(True)
        self.results.setMouseTracking(True)
        self.results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.results.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._nothing = ThemedLabel("", self, colour="muted")
        self._nothing.setContentsMargins(12, 8, 12, 10)
        self._question = ThemedLabel("", self, colour="muted", scale=0.9)
        self._question.setObjectName("paletteQuestion")
        self._question.setContentsMargins(12, 6, 12, 0)
        box = column(self, margins=(_SHADOW + 1, 4, _SHADOW + 1, _SHADOW + 4))
        box.addWidget(self._question)
        box.addWidget(self.field)
        box.addWidget(HairLine(self))
        box.addWidget(self.results)
        box.addWidget(self._nothing)
        self.field.textChanged.connect(self._find)
        self.field.steered.connect(self._steer)
        self.results.clicked.connect(self._choose)
        theme().changed.connect(self.place)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._close_when_left)

    # What there is -----------------------------------------------------------------------------------------

    def set_actions(self, actions: Sequence[QAction]) -> None:
        """Offer these actions; their words, keys and whether they are enabled are read each time it opens."""
        self._actions = actions

    def set_files(self, paths: Iterable[DocPath], recent: Sequence[DocPath] = ()) -> None:
        """Offer these files, those used last first."""
        self.model.set_files(paths, recent)

    def set_recent(self, paths: Sequence[DocPath]) -> None:
        """Which of the files were used last."""
        self.model.set_recent(paths)

    def set_headings(self, headings: Sequence[Heading]) -> None:
        """Offer the headings of the page in front."""
        self.model.set_headings(headings)

    def set_line_count(self, lines: int) -> None:
        """How many lines the page in front has."""
        self.model.set_line_count(lines)

    # Opening and closing -----------------------------------------------------------------------------------

    @Slot()
    def show_files(self) -> None:
        """Go to a file."""
        self.open(Mode.FILES)

    @Slot()
    def show_commands(self) -> None:
        """Do anything."""
        self.open(Mode.COMMANDS)

    @Slot()
    def show_headings(self) -> None:
        """Go to a heading."""
        self.open(Mode.HEADINGS)

    @Slot()
    def show_line(self) -> None:
        """Go to a line."""
        self.open(Mode.LINE)

    def ask(self, question: str, choices: Sequence[Offer]) -> None:
        """Ask for one of these."""
        self._question.setText(question)
        self.model.set_choices(choices)
        self.open(Mode.CHOICES)
        announce(self.field, question)

    def open(self, mode: Mode) -> None:
        """Come up in a mode, empty, with the keyboard."""
        if not self.isVisible():
            self._focus_before = QApplication.focusWidget()
        self.model.set_commands(offers_of(self._actions), self._used)
        self.headings_requested.emit()
        self.show()
        self.raise_()
        if self.field.text() == mode.value:
            self._find(mode.value)
        else:
            self.field.setText(mode.value)
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def dismiss(self) -> None:
        """Go away without a choice."""
        self._close()
        self.dismissed.emit()

    def _close(self) -> None:
        before, self._focus_before = self._focus_before, None
        self.hide()
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot(QWidget, QWidget)
    def _close_when_left(self, old: QWidget | None, new: QWidget | None) -> None:  # noqa: ARG002
        if self.isVisible() and new is not None and new is not self and not self.isAncestorOf(new):
            self._focus_before = None
            self.dismiss()

    # Finding and choosing ----------------------------------------------------------------------------------

    @Slot(str)
    def _find(self, text: str) -> None:
        mode = Mode.of(text)
        self.model.find(text)
        self.field.setPlaceholderText(_(_HINTS[mode]))
        self._nothing.setText(_(_NOTHING[mode]))
        self._question.setVisible(mode is Mode.CHOICES)
        found = self.model.rowCount() > 0
        self.results.setVisible(found)
        self._nothing.setVisible(not found)
        self.results.setCurrentIndex(self.model.index(0, 0))
        self.results.scrollToTop()
        self.place()

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        offer = self.model.offer(index)
        if offer is None or not offer.enabled:
            return
        self._close()
        if offer.question:
            self.answered.emit(offer)
        elif offer.path is not None:
            self.document_chosen.emit(offer.path)
        elif offer.line:
            self.line_chosen.emit(offer.line)
        else:
            self._used = [offer.id, *(id for id in self._used if id != offer.id)][:8]
            self.action_chosen.emit(offer.id)

    def _move(self, step: int) -> None:
        count = self.model.rowCount()
        if not count:
            return
        row = self.results.currentIndex().row() + step
        row = row % count if abs(step) == 1 else min(max(row, 0), count - 1)
        self.results.setCurrentIndex(self.model.index(row, 0))
        offer = self.model.offer(self.results.currentIndex())
        if offer is None:
            return
        announce(self, str(self.results.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)))
        if offer.path is not None and not offer.question:
            self.document_previewed.emit(offer.path)
        elif offer.line and not offer.id:
            self.line_previewed.emit(offer.line)

    @Slot(int)
    def _steer(self, key: int) -> None:
        if key in _STEPS:
            self._move(_STEPS[key])
        elif key == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            self._choose(self.results.currentIndex())

    # Looks -------------------------------------------------------------------------------------------------

    @Slot()
    def place(self) -> None:
        """Stand at the top of the parent's middle; to be called when the parent has another size."""
        dress, parent = theme(), self._over
        self.field.setFont(dress.font(1.1))
        self.field.setMinimumHeight(dress.px(40))
        self.field.setTextMargins(dress.px(12), 0, dress.px(12), 0)
        rows = min(self.model.rowCount(), _ROWS_SHOWN)
        room = max(1, (parent.height() - dress.px(120)) // row_height())
        self.results.setFixedHeight(min(rows, room) * row_height() + 2)
        width = min(dress.px(640), parent.width() - 2 * 8) + 2 * _SHADOW
        self.setFixedWidth(width)
        self.adjustSize()
        self.move((parent.width() - width) // 2, dress.px(6))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        colours, painter = current(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        body = self.rect().adjusted(_SHADOW, 0, -_SHADOW, -_SHADOW).toRectF()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(0, 0, 0, 12 if colours.dark else 5))
        for spread in range(_SHADOW, 0, -2):
            painter.drawRoundedRect(body.adjusted(-spread, 2, spread, spread), 10 + spread, 10 + spread)
        painter.setPen(blend(colours.border, colours.raised, 0.35))
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(body.adjusted(0.5, 0.5, -0.5, -0.5), 9, 9)
