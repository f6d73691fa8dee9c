"""Connect an agent: what to paste into the program that it runs in, to be copied. Not modal."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QDialog, QPlainTextEdit, QPushButton, QWidget

from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.theme import theme
from memgui.i18n import _
from memgui.ops.connecting import Setup


class ConnectDialog(QDialog):
    """For each program: the place, and the text for it."""

    def __init__(self, setups: Sequence[Setup], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("connect")
        self.setAccessibleName(_("Connect an agent"))
        self.setWindowTitle(_("Connect an Agent"))
        self.setModal(False)
        self._setups = tuple(setups)
        self.program = QComboBox(self)
        self.program.setObjectName("connectProgram")
        self.program.setAccessibleName(_("Program that the agent runs in"))
        self.program.view().setAccessibleName(_("Programs"))
        self.program.addItems([setup.program for setup in self._setups])
        self.place = ThemedLabel("", self, colour="muted")
        self.place.setObjectName("connectPlace")
        self.text = QPlainTextEdit(self)
        self.text.setObjectName("connectText")
        self.text.setAccessibleName(_("What to paste"))
        self.text.setReadOnly(True)
        self.text.setFont(theme().mono())
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.copy = QPushButton(_("Copy"), self)
        self.copy.setObjectName("connectCopy")
        self.copy.setAccessibleName(_("Copy what to paste"))
        self.copy.setDefault(True)
        self.copy.setProperty("primary", True)
        close = QPushButton(_("Close"), self)
        close.setObjectName("connectClose")
        close.setAccessibleName(_("Close"))
        words = _(
            "The agent gets its memory tools from memgui: it can search, read and write this memory by the rules."
        )
        about = ThemedLabel(words, self)
        about.setWordWrap(True)
        box = column(self, margins=(20, 18, 20, 16), gap=10)
        box.addWidget(about)
        box.addWidget(self.program)
        box.addWidget(self.place)
        box.addWidget(self.text, 1)
        buttons = row(margins=(0, 0, 0, 0), gap=8)
        buttons.addStretch(1)
        buttons.addWidget(close)
        buttons.addWidget(self.copy)
        box.addLayout(buttons)
        self.program.currentIndexChanged.connect(self._show)
        self.copy.clicked.connect(self._copy)
        close.clicked.connect(self.close)
        self._show(0)
        self.resize(theme().px(600), theme().px(380))

    @Slot(int)
    def _show(self, index: int) -> None:
        setup = self._setups[index]
        self.place.setText(_("Paste this {place}:").format(place=setup.where))
        self.text.setPlainText(setup.text)
        self.copy.setText(_("Copy"))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copy.setText(_("Copied"))
