"""The keys: every action with its key, then those that a panel has for itself; to be read and filtered. Not modal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QDialog, QListView, QWidget

from memgui.gui.dialogs.panel_keys import panel_offers
from memgui.gui.kit.fields import FilterField
from memgui.gui.kit.layout import column
from memgui.gui.kit.offers import OfferDelegate
from memgui.gui.models.palette_model import Mode, PaletteModel, offers_of
from memgui.gui.theme import theme
from memgui.i18n import _


class KeysDialog(QDialog):
    """All actions in the order of the menus, and below them what a panel does with a key."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("keys")
        self.setAccessibleName(_("Keys"))
        self.setWindowTitle(_("Keys"))
        self.setModal(False)
        self.model = PaletteModel(self)
        offers = [replace(offer, enabled=True) for offer in offers_of(actions)]
        self.model.set_commands([*offers, *panel_offers()])
        self.field = FilterField(_("Filter actions"), _("Filter actions"), self)
        self.field.setObjectName("keysField")
        self.list = QListView(self)
        self.list.setObjectName("keysList")
        self.list.setAccessibleName(_("Actions and their keys"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(OfferDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        box = column(self, margins=(12, 12, 12, 12), gap=8)
        box.addWidget(self.field)
        box.addWidget(self.list, 1)
        self.field.textChanged.connect(self._filter)
        self.field.steered.connect(self._steer)
        self._filter("")
        room = self.screen().availableGeometry().size() * 0.9
        self.resize(QSize(theme().px(480), theme().px(560)).boundedTo(room))

    @Slot(str)
    def _filter(self, text: str) -> None:
        self.model.find(Mode.COMMANDS.value + text)
        self.list.setCurrentIndex(self.model.index(0, 0))

    @Slot(int)
    def _steer(self, key: int) -> None:
        if key == Qt.Key.Key_Down:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.field.text():
            self.field.clear()
        else:
            self.close()
