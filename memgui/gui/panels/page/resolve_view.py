"""A conflict resolved in the place of its page: mine, the result, and the disk beside each other."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QTabBar, QWidget

from memgui.domain.lines import Lines
from memgui.domain.merging import Merged
from memgui.gui.kit.labels import ElidedLabel, ThemedLabel
from memgui.gui.kit.layout import HairLine, Splitter, column, row
from memgui.gui.kit.speech import announce
from memgui.gui.panels.page.flow import FlowLayout
from memgui.gui.panels.page.resolve_text import BOTH, MINE, OWN, THEIRS, Pane, Resolution
from memgui.gui.theme import theme
from memgui.i18n import _, ngettext

NARROW = 720
"""Where there is less room than this (at 100 %), one text is shown at a time."""
WIDE = 860
"""From here on the buttons stand beside what is said of the overlap at hand."""
LOW = 260
"""Where there is less height than this, the text comes first: what a key does as well has no button."""
_KEYS = {
    (Qt.Key.Key_F7, Qt.KeyboardModifier.NoModifier): "next",
    (Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier): "previous",
    (Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier): MINE,
    (Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier): THEIRS,
    (Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier): "text before",
    (Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier): "text after",
    (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier): "leave",
    (Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier): "save",
}
_SIDES = frozenset({MINE, THEIRS, BOTH})
_EDITING = frozenset({Qt.Key.Key_Z, Qt.Key.Key_Y})


class ResolveView(QWidget):
    """Goes from overlap to overlap; each is mine, theirs, both, or what the person types. Nothing is saved before all
    are decided."""

    resolved = Signal(object)
    """The `Lines` that settle it."""
    left = Signal()
    """The person goes back to the page; nothing is settled."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("resolveView")
        self.setAccessibleName(_("Resolve the conflict"))
        self._panes = (
            Pane("resolveMine", _("Mine"), self),
            Pane("resolveResult", _("Result, can be edited"), self),
            Pane("resolveDisk", _("On disk"), self),
        )
        self.mine, self.result, self.disk = self._panes
        self.resolution = Resolution(self.mine, self.result, self.disk)
        heads = [ThemedLabel(words, self, bold=True) for words in (_("Mine"), _("Result (editable)"), _("On disk"))]
        self._disk_head = heads[2]
        more = ("", "", _("follows the disk"))
        self._tabs = QTabBar(self)
        self._tabs.setObjectName("resolveTabs")
        self._tabs.setAccessibleName(_("Which text is shown"))
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._splitter = Splitter(Qt.Orientation.Horizontal, self)
        self._boxes: list[QWidget] = []
        self._head_rows: list[QWidget] = []
        for pane, head, words in zip(self._panes, heads, more, strict=True):
            self._splitter.addWidget(self._boxed(pane, head, words))
            self._tabs.addTab(pane.accessibleName())
            self._tabs.setTabToolTip(self._tabs.count() - 1, _("The text beside: {keys}").format(keys="Ctrl+↑, Ctrl+↓"))
        self._tabs.setTabText(1, _("Result"))
        self._where = ThemedLabel("", self)
        self._where.setObjectName("resolveWhere")
        box = column(self)
        box.addWidget(self._tabs)
        box.addWidget(self._splitter, 1)
        box.addWidget(HairLine(self))
        box.addWidget(self._foot())
        for pane in self._panes:
            pane.installEventFilter(self)
            pane.set_locked(pane is not self.result)
        self._tabs.setCurrentIndex(1)
        self._tabs.currentChanged.connect(self._lay_out)
        self.resolution.changed.connect(self._show)
        theme().changed.connect(self._lay_out)
        self.setFocusProxy(self.result)
        self._said = ""

    def _boxed(self, pane: Pane, head: ThemedLabel, more: str) -> QWidget:
        box = QWidget(self._splitter)
        inside = column(box)
        above = QWidget(box)
        words = row(above, margins=(12, 5, 12, 5), gap=8)
        words.addWidget(head)
        words.addWidget(ElidedLabel(more, above, colour="muted"), 1)
        inside.addWidget(above)
        self._head_rows.append(above)
        inside.addWidget(pane, 1)
        box.setMinimumWidth(120)
        self._boxes.append(box)
        return box

    def _foot(self) -> QWidget:
        foot = QWidget(self)
        self._foot_box = row(foot, margins=(12, 7, 10, 7), gap=10)
        flow = FlowLayout(gap=6)
        self._foot_box.addWidget(self._where)
        self._foot_box.addLayout(flow, 1)
        self._buttons = {
            name: self._button(foot, f"{'use' if name in _SIDES else 'resolve'}{name.capitalize()}", words, key)
            for name, words, key in (
                ("previous", _("Previous"), "Shift+F7"),
                ("next", _("Next"), "F7"),
                (MINE, _("Use mine"), "Ctrl+←"),
                (BOTH, _("Use both"), ""),
                (THEIRS, _("Use theirs"), "Ctrl+→"),
                ("leave", _("Back to the page"), "Esc"),
                ("save", _("Save resolved"), "Ctrl+S"),
            )
        }
        self._buttons["save"].setProperty("primary", True)
        for button in self._buttons.values():
            flow.addWidget(button)
        return foot

    def _button(self, foot: QWidget, name: str, words: str, key: str) -> QPushButton:
        button = QPushButton(words, foot)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.setToolTip(f"{words}  ({key})" if key else words)
        button.clicked.connect(self._pressed)
        return button

    # Facts -----------------------------------------------------------------------------------------------------------

    def begin(self, base: Lines | None, mine: Lines, theirs: Lines, merged: Merged[str], *, when: datetime) -> None:
        """Show the conflict anew."""
        self._tell_time(when)
        self.resolution.begin(base, mine, theirs, merged)
        self.resolution.show(bring=True)

    def follow(self, theirs: Lines, *, when: datetime) -> None:
        """The disk holds something newer."""
        self._tell_time(when)
        self.resolution.follow(theirs, self.resolution.joined(self.mine.lines(), theirs))

    @property
    def is_begun(self) -> bool:
        """Whether the person has decided anything."""
        return any(region.decided for region in self.resolution.regions)

    @property
    def is_touched(self) -> bool:
        """Whether the result is other than what it began with."""
        return self.is_begun or self.result.document().isUndoAvailable()

    @property
    def lines(self) -> Lines:
        """The result as it stands."""
        return self.result.lines()

    def save(self) -> None:
        """Settle it with the result, if all is decided; else go to what is left."""
        if self.resolution.left:
            self.resolution.next_left()
            self.resolution.show(bring=True)
            self._say(_("Not saved yet: {left}").format(left=self._left()))
        else:
            self.resolved.emit(self.result.lines())

    def _tell_time(self, when: datetime) -> None:
        words = _("On disk {time}").format(time=f"{when:%H:%M:%S}")
        self._disk_head.setText(words)
        self._tabs.setTabText(2, words)

    def _left(self) -> str:
        left = self.resolution.left
        return ngettext("{count} conflict is undecided", "{count} conflicts are undecided", left).format(count=left)

    @Slot()
    def _show(self) -> None:
        regions = self.resolution.regions
        self.resolution.show()
        for name in ("previous", "next", MINE, BOTH, THEIRS):
            self._buttons[name].setEnabled(bool(regions))
        self._buttons["save"].setEnabled(not self.resolution.left)
        if not regions:
            self._say(_("No conflict is left"))
            return
        here = regions[self.resolution.at]
        words = {
            "": _("undecided"),
            MINE: _("mine"),
            THEIRS: _("theirs"),
            BOTH: _("both"),
            OWN: _("your own text"),
        }[self.resolution.choice(here)]
        self._say(
            ngettext("{at} of {count} conflict: {choice}", "{at} of {count} conflicts: {choice}", len(regions)).format(
                at=self.resolution.at + 1, count=len(regions), choice=words
            )
        )

    def _say(self, words: str) -> None:
        self._where.setText(words)
        self._where.setAccessibleName(words)
        if words != self._said and self.isVisible():
            announce(self.result, words)
        self._said = words

    # Wishes ----------------------------------------------------------------------------------------------------------

    def deed(self, name: str) -> None:
        """Do what a button or a key of this view says."""
        if name in (MINE, THEIRS, BOTH):
            self.resolution.take(name)
            self.resolution.show(bring=True)
        elif name in ("next", "previous"):
            self.resolution.step(1 if name == "next" else -1)
            self.resolution.show(bring=True)
        elif name in ("text before", "text after"):
            self._go_to_text(1 if name == "text after" else -1)
        elif name == "save":
            self.save()
        else:
            self.left.emit()

    def _go_to_text(self, by: int) -> None:
        """The keyboard goes to the text beside; where one is shown at a time, that one is shown."""
        here = next((at for at, pane in enumerate(self._panes) if pane.hasFocus()), self._tabs.currentIndex())
        at = (here + by) % len(self._panes)
        self._tabs.setCurrentIndex(at)
        self._panes[at].setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _pressed(self) -> None:
        sender = self.sender()
        for name, button in self._buttons.items():
            if button is sender:
                self.deed(name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) and isinstance(event, QKeyEvent):
            modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            name = _KEYS.get((Qt.Key(event.key()), modifiers), "")
            if name in (MINE, THEIRS) and watched is self.result and self._is_own_text():
                # There the keys go from word to word, as in any text.
                return False
            is_editing = watched is self.result and event.key() in _EDITING and bool(modifiers & _CONTROL)
            if event.type() == QEvent.Type.ShortcutOverride and (name or is_editing):
                event.accept()
                return True
            if name and event.type() == QEvent.Type.KeyPress:
                self.deed(name)
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        name = _KEYS.get((Qt.Key(event.key()), event.modifiers()), "")
        if name:
            self.deed(name)
        else:
            super().keyPressEvent(event)

    def _is_own_text(self) -> bool:
        regions = self.resolution.regions
        return bool(regions) and self.resolution.choice(regions[self.resolution.at]) == OWN

    # Room ------------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    @Slot()
    def _lay_out(self) -> None:
        narrow = self.width() < theme().px(NARROW)
        self._tabs.setVisible(narrow)
        self._foot_box.setDirection(
            QBoxLayout.Direction.TopToBottom if self.width() < theme().px(WIDE) else QBoxLayout.Direction.LeftToRight
        )
        low = self.height() < theme().px(LOW)
        for part in (self._where, *(self._buttons[name] for name in ("previous", "next", "leave"))):
            part.setVisible(not low)
        for head in self._head_rows:
            head.setVisible(not narrow)
        for at, box in enumerate(self._boxes):
            box.setVisible(not narrow or at == self._tabs.currentIndex())


_CONTROL = Qt.KeyboardModifier.ControlModifier
