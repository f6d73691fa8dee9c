"""Find and replace in a page: a bar in the layout, never over the text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QToolButton, QWidget

from memgui.gui import theme
from memgui.gui.kit.buttons import IconButton
from memgui.gui.kit.layout import row
from memgui.gui.kit.strip import Strip
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.finding import MOST_MATCHES, Finder
from memgui.gui.panels.page.matches import Sought
from memgui.i18n import _


class FindBar(Strip):
    """Enter and F3 go on, with Shift back; Esc closes and leaves the match selected."""

    def __init__(self, editor: MemoryEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.setAccessibleName(_("Find in page"))
        self._editor = editor
        self.finder = Finder(editor)
        self._field = self._line("findField", _("Find"))
        self._with = self._line("replaceField", _("Replace with"))
        self._count = QLabel(self)
        self._count.setObjectName("findCount")
        self._count.setAccessibleName(_("Matches"))
        self._count.setMinimumWidth(theme.theme().px(84))
        self._case = self._toggle("findCase", "Aa", _("Match case, accents and width"))
        self._words = self._toggle("findWords", "|ab|", _("Whole words only"))
        self._replacing = QWidget(self)
        self._choosing = False
        """What was typed is sought, and the match from the caret on is not known yet."""
        self._build()
        self._field.textChanged.connect(self._seek)
        self._case.toggled.connect(self._seek)
        self._words.toggled.connect(self._seek)
        self.finder.changed.connect(self._choose)
        self.finder.changed.connect(self._tell_count)
        editor.cursorPositionChanged.connect(self._tell_count)
        self._field.installEventFilter(self)
        self._with.installEventFilter(self)
        self.hide()

    def _build(self) -> None:
        tools = row(gap=4)
        for widget in (self._case, self._words, self._count):
            tools.addWidget(widget)
        for icon, name, words, act in (
            ("arrow-up", "findPrevious", _("Previous match (Shift+F3)"), self.find_previous),
            ("arrow-down", "findNext", _("Next match (F3)"), self.find_next),
        ):
            tools.addWidget(self._icon(icon, name, words, act))
        tools.addStretch(1)
        tools.addWidget(self._icon("close", "findClose", _("Close find (Esc)"), self.close_bar))
        self._one = self._button("replaceOne", _("Replace"), self.replace_one)
        self._all = self._button("replaceAll", _("Replace all"), self.replace_all)
        replacing = row(self._replacing, gap=4)
        replacing.addWidget(self._one)
        replacing.addWidget(self._all)
        replacing.addStretch(1)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 6, 8, 6)
        grid.setSpacing(5)
        grid.addWidget(self._field, 0, 0)
        grid.addLayout(tools, 0, 1)
        grid.addWidget(self._with, 1, 0)
        grid.addWidget(self._replacing, 1, 1)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)

    # Opening and closing ---------------------------------------------------------------------------------------------

    @Slot()
    def open_find(self) -> None:
        """Show the bar, with what is selected in the text as what is sought."""
        self._open(replacing=False)

    @Slot()
    def open_replace(self) -> None:
        """Show the bar with the field for replacing."""
        self._open(replacing=True)

    def _open(self, *, replacing: bool) -> None:
        for widget in (self._with, self._replacing):
            widget.setVisible(replacing and not self._editor.locked)
        chosen = self._editor.breaks.selected(self._editor.textCursor())
        self.show()
        if chosen and "\n" not in chosen and chosen != self._field.text():
            self._field.setText(chosen)
        else:
            self._seek()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    @Slot()
    def close_bar(self) -> None:
        """Hide the bar; the text has the keyboard, and the match stays selected."""
        self.hide()
        self.finder.seek(Sought(""))
        # The page knows whether its source can be seen.
        (self.parentWidget() or self._editor).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def is_open(self) -> bool:
        """Whether something is being sought."""
        return not self.isHidden()

    # Going through ---------------------------------------------------------------------------------------------------

    @Slot()
    def find_next(self) -> None:
        """Select the next match, after the last the first."""
        self._go(back=False)

    @Slot()
    def find_previous(self) -> None:
        """Select the match before."""
        self._go(back=True)

    def _go(self, *, back: bool) -> None:
        if not self.is_open:
            self.open_find()
            return
        self._choosing = False
        self.finder.settle()
        match = self.finder.nearest(back=back)
        if match is not None:
            self.finder.select(match)
        self._tell_count()

    @Slot()
    def replace_one(self) -> None:
        """Replace the selected match and select the next; where none is selected, select one."""
        self.finder.settle()
        here = self.finder.here()
        if here is not None and self._editor.may_put(self._with.text()):
            self.finder.replace(self.finder.matches[here], self._with.text())
        match = self.finder.nearest(stay=True)
        if match is not None:
            self.finder.select(match)

    @Slot()
    def replace_all(self) -> None:
        """Replace every match; one undo brings all back."""
        if self._field.text() and self._editor.may_put(self._with.text()):
            self.finder.replace_all(self._with.text())

    @Slot()
    def _seek(self) -> None:
        if not self.is_open:
            return
        sought = Sought(self._field.text(), exact=self._case.isChecked(), whole_words=self._words.isChecked())
        self._choosing = bool(sought.text)
        self.finder.seek(sought)

    @Slot()
    def _choose(self) -> None:
        """Select the match from the caret on as soon as it is found: in a long text that takes some turns."""
        if not self._choosing:
            return
        match = self.finder.from_caret()
        self._choosing = self._field.hasFocus() and match is None and not self.finder.complete
        if match is not None and self._field.hasFocus():
            self.finder.select(match)

    @Slot()
    def _tell_count(self) -> None:
        if not self.is_open:
            return
        total, here = len(self.finder.matches), self.finder.here()
        of = f"{MOST_MATCHES:,}+" if self.finder.capped else f"{total:,}"
        if not self._field.text():
            said = ""
        elif not total:
            said = _("No matches") if self.finder.complete else "…"
        elif here is None:
            said = _("{total} found").format(total=of)
        else:
            said = _("{number} of {total}").format(number=f"{here + 1:,}", total=of)
        self._count.setText(said)
        self._all.setText(_("Replace all ({total})").format(total=of) if total else _("Replace all"))
        self._one.setEnabled(bool(total))
        self._all.setEnabled(bool(total))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if watched is self._with and not shift:
                    self.replace_one()
                else:
                    self._go(back=shift)
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
            return
        super().keyPressEvent(event)

    # Parts -----------------------------------------------------------------------------------------------------------

    def _line(self, name: str, words: str) -> QLineEdit:
        line = QLineEdit(self)
        line.setObjectName(name)
        line.setAccessibleName(words)
        line.setPlaceholderText(words)
        line.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return line

    def _toggle(self, name: str, sign: str, words: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setText(sign)
        button.setToolTip(words)
        button.setAccessibleName(words)
        button.setCheckable(True)
        button.setMinimumSize(theme.theme().px(30), theme.theme().px(26))
        return button

    def _icon(self, icon: str, name: str, words: str, act: object) -> IconButton:
        button = IconButton(icon, words, self, size=16)
        button.setObjectName(name)
        button.clicked.connect(act)
        return button

    def _button(self, name: str, words: str, act: object) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.clicked.connect(act)
        return button
