"""The one banner of a page: why it does not save, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from memgui.domain.lines import Lines
from memgui.gui.kit.buttons import IconButton
from memgui.gui.panels.page.differing import DifferenceList
from memgui.gui.panels.page.message import Message
from memgui.gui.panels.page.side_writes import WriteList
from memgui.gui.panels.page.standing import SideWrite
from memgui.i18n import _, ngettext

TONES = {
    "conflict": "warning",
    "deleted": "warning",
    "save-failed": "error",
    "encoding": "info",
    "huge": "info",
    "binary": "info",
}
"""In which tone each kind is said; its icon has the same name."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: its `objectName`, its words, and whether it can be pressed yet."""

    name: str
    words: str
    primary: bool = False
    ready: bool = True


class Banner(Message):
    """Says one thing at a time, in the layout; a new reason or a later write changes it in place."""

    chosen = Signal(str)
    """The name of the button that was pressed."""
    encoding_chosen = Signal(object)
    difference_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("bannerText", _("What happened"), parent)
        self.setObjectName("banner")
        self.setAccessibleName(_("Notice about this document"))
        self.setProperty("kind", "")
        self._away = False
        self._choices: tuple[Choice, ...] | None = None
        self._buttons: dict[str, QPushButton] = {}
        self.encodings = QComboBox(self)
        self.encodings.view().setAccessibleName(_("Encodings"))
        self.encodings.setObjectName("encodings")
        self.encodings.setAccessibleName(_("Reopen as…"))
        self.encodings.activated.connect(self._choose_encoding)
        self._show = QPushButton(_("Show difference"), self)
        self._show.setObjectName("showDifference")
        self._show.setAccessibleName(_("Show difference"))
        self._show.setCheckable(True)
        self._show.toggled.connect(self._toggle_difference)
        self._unfold = QPushButton(self)
        self._unfold.setObjectName("showWrites")
        self._unfold.setCheckable(True)
        self._unfold.toggled.connect(self._toggle_writes)
        self._count = 0
        self.writes = WriteList(self)
        self.difference = DifferenceList(self)
        dismiss = IconButton("close", _("Hide this notice"), self, size=14)
        dismiss.setObjectName("bannerDismiss")
        dismiss.clicked.connect(self._put_away)
        self.corner.addWidget(dismiss, 0, Qt.AlignmentFlag.AlignTop)
        self.below.addWidget(self.writes)
        self.below.addWidget(self.difference)
        self.hide()

    @property
    def kind(self) -> str:
        """Which reason is shown; empty where none is."""
        return str(self.property("kind")) if not self.isHidden() else ""

    def tell(self, kind: str, text: str, choices: tuple[Choice, ...], *, difference: bool = False) -> None:
        """Show this reason. What is already so is left alone, so that a button under the pointer stays under it."""
        if kind != self.property("kind"):
            self._show.setChecked(False)
            self._away = False
        self.setProperty("kind", kind)
        self._offer(choices)
        self.say(TONES[kind], TONES[kind], text)
        self._show.setVisible(difference)
        if not difference:
            self._show.setChecked(False)
        self.encodings.setVisible(kind == "encoding" and self.encodings.count() > 1)
        if kind != "conflict":
            self.show_writes((), count=0)
        self.setVisible(not self._away)

    def come_back(self) -> None:
        """Show the reason again, should the person have hidden it."""
        self._away = False

    def quiet(self) -> None:
        """Show nothing."""
        self._show.setChecked(False)
        self.show_writes((), count=0)
        self.setProperty("kind", "")
        self.hide()

    def offer_encodings(self, candidates: list[tuple[str, object]]) -> None:
        """The encodings in which the bytes could be reopened, the likeliest first."""
        self.encodings.clear()
        self.encodings.addItem(_("Reopen as…"), None)
        for words, encoding in candidates:
            self.encodings.addItem(words, encoding)

    def show_difference(self, old: Lines, new: Lines) -> None:
        """List what leads from `old` to `new`, if the person asked to see it."""
        if self._show.isChecked():
            self.difference.show_difference(old, new)
            self.difference.show()

    def show_writes(self, came: Sequence[SideWrite], *, count: int) -> None:
        """How often the other side wrote, where that was more than once: a button that unfolds the single writes."""
        self._count = count
        several = count > 1
        if not several:
            self._unfold.setChecked(False)
        self._unfold.setVisible(several)
        self.writes.show_writes(came if several else (), count=count)
        self._name_writes()

    @property
    def difference_shown(self) -> bool:
        """Whether the person asked to see the difference."""
        return self._show.isChecked()

    def _offer(self, choices: tuple[Choice, ...]) -> None:
        if self._choices is None or _names(choices) != _names(self._choices):
            self.flow.drop_all()
            for name, button in list(self._buttons.items()):
                if name not in _names(choices):
                    del self._buttons[name]
                    button.hide()
                    button.deleteLater()
            for choice in choices:
                self.flow.addWidget(
                    self._buttons.setdefault(choice.name, self._buttons.get(choice.name) or self._button(choice))
                )
            self.flow.addWidget(self._show)
            self.flow.addWidget(self._unfold)
            self.flow.addWidget(self.encodings)
        self._choices = choices
        for choice in choices:
            button = self._buttons[choice.name]
            button.setText(choice.words)
            button.setAccessibleName(choice.words)
            button.setEnabled(choice.ready)
            button.show()

    def _button(self, choice: Choice) -> QPushButton:
        button = QPushButton(choice.words, self)
        button.setObjectName(choice.name)
        button.setProperty("primary", choice.primary)
        button.clicked.connect(self._choose)
        return button

    @Slot()
    def _put_away(self) -> None:
        self._away = True
        self.hide()

    @Slot()
    def _choose(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.chosen.emit(sender.objectName())

    @Slot(int)
    def _choose_encoding(self, index: int) -> None:
        encoding = self.encodings.itemData(index)
        self.encodings.setCurrentIndex(0)
        if encoding is not None:
            self.encoding_chosen.emit(encoding)

    def _name_writes(self) -> None:
        words = ngettext("{count} write", "{count} writes", self._count).format(count=f"{self._count:,}")
        is_open = self._unfold.isChecked()
        self._unfold.setText(f"{words} {'▴' if is_open else '▾'}")
        told = _("{writes} from outside, shown below") if is_open else _("{writes} from outside, show each")
        self._unfold.setAccessibleName(told.format(writes=words))
        self._unfold.setToolTip(told.format(writes=words))

    @Slot(bool)
    def _toggle_writes(self, shown: bool) -> None:
        self.writes.setVisible(shown)
        self._name_writes()

    @Slot(bool)
    def _toggle_difference(self, shown: bool) -> None:
        self._show.setText(_("Hide difference") if shown else _("Show difference"))
        self.difference.hide()
        if shown:
            self.difference_wanted.emit()


def _names(choices: tuple[Choice, ...]) -> list[str]:
    return [choice.name for choice in choices]
