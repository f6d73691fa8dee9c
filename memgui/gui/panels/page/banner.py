"""The one banner of a page: why it does not save, and what can be done."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QSizePolicy, QWidget

from memgui.domain.lines import Lines
from memgui.gui import icons, theme
from memgui.gui.kit.buttons import IconButton
from memgui.gui.kit.layout import column, row
from memgui.gui.panels.page.differing import DifferenceList
from memgui.gui.panels.page.flow import FlowLayout
from memgui.gui.panels.page.strip import Strip
from memgui.i18n import _

TONES = {"conflict": "warning", "deleted": "warning", "save-failed": "error", "encoding": "info", "huge": "info"}


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: its `objectName`, its words, and whether it can be pressed yet."""

    name: str
    words: str
    primary: bool = False
    ready: bool = True


class Banner(Strip):
    """Says one thing at a time, in the layout; a new reason or a later write changes it in place."""

    chosen = Signal(str)
    """The name of the button that was pressed."""
    encoding_chosen = Signal(object)
    difference_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAccessibleName(_("Notice about this document"))
        self.setProperty("kind", "")
        self._icon = QLabel(self)
        self._text = QLabel(self)
        self._text.setObjectName("bannerText")
        self._text.setAccessibleName(_("What happened"))
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._away = False
        self._choices: tuple[Choice, ...] = ()
        self._buttons: dict[str, QPushButton] = {}
        self._encodings = QComboBox(self)
        self._encodings.setObjectName("encodings")
        self._encodings.setAccessibleName(_("Reopen as…"))
        self._encodings.activated.connect(self._choose_encoding)
        self._show = QPushButton(_("Show difference"), self)
        self._show.setObjectName("showDifference")
        self._show.setAccessibleName(_("Show difference"))
        self._show.setCheckable(True)
        self._show.toggled.connect(self._toggle_difference)
        self._difference = DifferenceList(self)
        self._row = FlowLayout(gap=6)
        head = row(gap=8)
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._text, 1)
        self._dismiss = IconButton("close", _("Hide this notice"), self, size=14)
        self._dismiss.setObjectName("bannerDismiss")
        self._dismiss.clicked.connect(self._put_away)
        head.addWidget(self._dismiss, 0, Qt.AlignmentFlag.AlignTop)
        box = column(self, margins=(12, 8, 12, 8), gap=6)
        box.addLayout(head)
        box.addLayout(self._row)
        box.addWidget(self._difference)
        self.hide()

    @property
    def kind(self) -> str:
        """Which reason is shown; empty where none is."""
        return str(self.property("kind")) if not self.isHidden() else ""

    @property
    def text(self) -> str:
        """The sentence shown."""
        return self._text.text()

    def tell(self, kind: str, text: str, choices: tuple[Choice, ...], *, difference: bool = False) -> None:
        """Show this reason. What is already so is left alone, so that a button under the pointer stays under it."""
        if kind != self.property("kind"):
            self._show.setChecked(False)
            self._away = False
        self.setProperty("kind", kind)
        self.set_tone(TONES[kind])
        self._icon.setPixmap(
            icons.pixmap("error" if kind == "save-failed" else "warning", theme.theme().px(18), 2.0, TONES[kind])
        )
        self._text.setText(text)
        self._offer(choices)
        self._show.setVisible(difference)
        if not difference:
            self._show.setChecked(False)
        self._encodings.setVisible(kind == "encoding" and self._encodings.count() > 1)
        self.setVisible(not self._away)

    def come_back(self) -> None:
        """Show the reason again, should the person have hidden it."""
        self._away = False

    def quiet(self) -> None:
        """Show nothing."""
        self._show.setChecked(False)
        self.setProperty("kind", "")
        self.hide()

    def offer_encodings(self, candidates: list[tuple[str, object]]) -> None:
        """The encodings in which the bytes could be reopened, the likeliest first."""
        self._encodings.clear()
        self._encodings.addItem(_("Reopen as…"), None)
        for words, encoding in candidates:
            self._encodings.addItem(words, encoding)

    def show_difference(self, old: Lines, new: Lines) -> None:
        """List what leads from `old` to `new`, if the person asked to see it."""
        if self._show.isChecked():
            self._difference.show_difference(old, new)
            self._difference.show()

    @property
    def difference_shown(self) -> bool:
        """Whether the person asked to see the difference."""
        return self._show.isChecked()

    def _offer(self, choices: tuple[Choice, ...]) -> None:
        if [choice.name for choice in choices] != [choice.name for choice in self._choices]:
            self._row.drop_all()
            for name, button in list(self._buttons.items()):
                if name not in {choice.name for choice in choices}:
                    del self._buttons[name]
                    button.hide()
                    button.deleteLater()
            for choice in choices:
                self._row.addWidget(
                    self._buttons.setdefault(choice.name, self._buttons.get(choice.name) or self._button(choice))
                )
            self._row.addWidget(self._show)
            self._row.addWidget(self._encodings)
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
        encoding = self._encodings.itemData(index)
        self._encodings.setCurrentIndex(0)
        if encoding is not None:
            self.encoding_chosen.emit(encoding)

    @Slot(bool)
    def _toggle_difference(self, shown: bool) -> None:
        self._show.setText(_("Hide difference") if shown else _("Show difference"))
        self._difference.hide()
        if shown:
            self.difference_wanted.emit()
