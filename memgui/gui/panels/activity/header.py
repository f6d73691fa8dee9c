"""What stands above the list of what happened: title, what came since, and which of it is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QHBoxLayout, QWidget

from memgui.domain.activity import EventKind, Wanted
from memgui.gui.kit.fields import FilterField, NameChooser
from memgui.gui.kit.key_button import KeyButton
from memgui.gui.kit.labels import ElidedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.theme import theme
from memgui.i18n import _, ngettext

NARROW = 560
TYPING_MS = 150
"""So long after the last key the list is asked for anew."""


class ActivityHeader(QWidget):
    """Narrows the list. `wanted_changed`: other events are asked for than before."""

    wanted_changed = Signal()
    newest_requested = Signal()
    export_requested = Signal()
    left = Signal()
    """Down in the field: the way to the list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wanted = Wanted()
        self._is_filling = False
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(self._tell)
        title = ElidedLabel(_("Activity"), self, scale=1.25, mode=Qt.TextElideMode.ElideRight)
        title.setObjectName("activityTitle")
        self._new = KeyButton("activityNew", _("New above"), self, tip=_("To what came since"))
        self._new.clicked.connect(self.newest_requested)
        self._new.hide()
        self.export = KeyButton(
            "activityExport", _("Export…"), self, tip=_("Write what is listed into a file, one JSON value a line")
        )
        self.export.clicked.connect(self.export_requested)
        self.field = FilterField(_("Filter by path"), _("Part of a path"), self)
        self.field.setObjectName("activityFilter")
        self.field.textChanged.connect(self._typing.start)
        self.field.steered.connect(self._steer)
        self._kinds = self._choice("activityKind", _("What happened"))
        self._kinds.addItem(_("Everything"), None)
        for kind in EventKind:
            self._kinds.addItem(kind.words, kind)
        self._who = self._choice("activityWho", _("Who did it"))
        self.show_writers(())
        for choice in (self._kinds, self._who):
            choice.currentIndexChanged.connect(self._tell)
        line = row(gap=6)
        line.addWidget(title, 1)
        line.addWidget(self._new)
        line.addWidget(self.export)
        chosen = QHBoxLayout()
        chosen.setSpacing(6)
        chosen.addWidget(self._kinds, 1)
        chosen.addWidget(self._who, 1)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._parts.setSpacing(6)
        self._parts.addWidget(self.field, 3)
        self._parts.addLayout(chosen, 2)
        box = column(self, margins=(12, 8, 12, 8), gap=8)
        box.addLayout(line)
        box.addLayout(self._parts)

    def _choice(self, name: str, words: str) -> QComboBox:
        made = NameChooser(self)
        made.setObjectName(name)
        made.setAccessibleName(words)
        made.setToolTip(words)
        made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        made.setMinimumContentsLength(9)
        return made

    @property
    def wanted(self) -> Wanted:
        """Which events the person asked for."""
        return self._wanted

    @property
    def is_untouched(self) -> bool:
        """Whether the field has the keyboard, and nothing was typed there."""
        return self.field.hasFocus() and not self.field.text()

    def show_writers(self, writers: Sequence[str]) -> None:
        """Whom one can choose. The chosen one stays chosen."""
        listed = tuple(dict.fromkeys(("you", "you (shell)", "outside", *sorted(writers), self._wanted.who)))
        there = tuple(self._who.itemData(at) for at in range(self._who.count()))
        if there == ("", *(who for who in listed if who)):
            return
        self._is_filling = True
        self._who.clear()
        self._who.addItem(_("Everybody"), "")
        for who in listed:
            if who:
                self._who.addItem(who, who)
        self._who.setCurrentIndex(max(0, self._who.findData(self._wanted.who)))
        self._is_filling = False

    def show_new(self, count: int) -> None:
        """So many events came above what is seen."""
        words = ngettext("↑ {count} new", "↑ {count} new", count).format(count=f"{count:,}")
        self._new.setText(words)
        spoken = ngettext("{count} new event above", "{count} new events above", count).format(count=f"{count:,}")
        self._new.setAccessibleName(spoken)
        self._new.setVisible(bool(count))
        self._new.updateGeometry()

    def want_everything(self) -> None:
        """Narrow nothing any more."""
        self._is_filling = True
        self.field.clear()
        self._kinds.setCurrentIndex(0)
        self._who.setCurrentIndex(0)
        self._is_filling = False
        self._tell()

    @Slot()
    def _tell(self) -> None:
        if self._is_filling:
            return
        self._typing.stop()
        kind = self._kinds.currentData()
        kinds = frozenset({EventKind(kind)}) if kind is not None else frozenset()
        wanted = Wanted(kinds, str(self._who.currentData() or ""), self.field.text())
        if wanted != self._wanted:
            self._wanted = wanted
            self.wanted_changed.emit()

    @Slot(int)
    def _steer(self, key: int) -> None:
        if key == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
        else:
            self.left.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < theme().px(NARROW)
        self._parts.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
