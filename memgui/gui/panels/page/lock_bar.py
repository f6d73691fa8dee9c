"""The bar over a protected page: what it means, how to unlock it, and the question before an unlocked file is saved."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from memgui.domain.lines import Lines
from memgui.gui.panels.page.differing import DifferenceList
from memgui.gui.panels.page.message import Message
from memgui.i18n import _


class LockBar(Message):
    """Asks inline, never by a dialog. Tells what was answered; the page decides what follows."""

    unlock_confirmed = Signal()
    lock_requested = Signal()
    save_confirmed = Signal()
    save_dropped = Signal()
    save_put_off = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("lockText", _("Protection of this document"), parent)
        self.setObjectName("lockBar")
        self.setAccessibleName(_("Protection of this document"))
        self._asking = False
        self._asking = False
        self.minutes = 10
        """How long an unlocked page waits for a key before it locks itself."""
        self._difference = DifferenceList(self)
        self._buttons = {
            "unlockButton": self._button("unlockButton", _("Unlock for editing…"), self._ask),
            "unlockConfirm": self._button(
                "unlockConfirm", _("Unlock for this session"), self.unlock_confirmed, primary=True
            ),
            "unlockCancel": self._button("unlockCancel", _("Leave it locked"), self._leave),
            "saveConfirm": self._button("saveConfirm", _("Save these changes"), self.save_confirmed, primary=True),
            "saveLater": self._button("saveLater", _("Go on editing"), self._put_off),
            "saveDrop": self._button("saveDrop", _("Discard these changes"), self.save_dropped),
            "lockButton": self._button("lockButton", _("Lock again"), self.lock_requested),
        }
        for button in self._buttons.values():
            self.flow.addWidget(button)
        self.below.addWidget(self._difference)
        self.show_locked()
        self.hide()

    def show_locked(self) -> None:
        """Read only."""
        text = _(
            "Identity file – agents read this as instructions. "
            "memgui will not write this. Other programs can, and you will see it."
        )
        self._show("lock", "", text, "unlockButton")

    def show_unlocked(self) -> None:
        """Open for this session."""
        text = _(
            "Unlocked for this session. It locks itself after {minutes} minutes without a key, "
            "and is saved only when you say so."
        ).format(minutes=self.minutes)
        self._show("unlock", "warning", text, "lockButton")

    def show_saving(self, old: Lines, new: Lines) -> None:
        """Ask whether to save, with what would change."""
        text = _("Save this identity file? Agents will follow what it says. This is what changes:")
        self._asking = True
        self._difference.show_difference(old, new)
        self._show("unlock", "warning", text, "saveConfirm", "saveLater", "saveDrop")
        self._difference.show()

    @property
    def is_asking(self) -> bool:
        """Whether a question is open here."""
        return self._asking

    def end_asking(self) -> None:
        """The question was answered, or is no longer one."""
        self._asking = False

    @Slot()
    def _ask(self) -> None:
        self._asking = True
        text = _(
            "Agents take what stands here as instructions. Unlocking lets you edit this file, in this window, until "
            "you lock it, close it, or leave it alone for {minutes} minutes. "
            "Nothing is saved before you saw the difference."
        ).format(minutes=self.minutes)
        self._show("lock", "warning", text, "unlockConfirm", "unlockCancel")
        self._buttons["unlockConfirm"].setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _leave(self) -> None:
        self._asking = False
        self.show_locked()
        self._buttons["unlockButton"].setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _put_off(self) -> None:
        self._asking = False
        self.save_put_off.emit()

    def ask_to_unlock(self) -> None:
        """As if the unlock button had been pressed."""
        self._ask()

    def _show(self, icon: str, tone: str, text: str, *shown: str) -> None:
        self._difference.hide()
        for name, button in self._buttons.items():
            button.setVisible(name in shown)
        self.say(icon, tone, text)

    def _button(self, name: str, words: str, act: object, *, primary: bool = False) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.setProperty("primary", primary)
        button.clicked.connect(act)
        return button
