"""Preferences: what a person can choose, applied at once. Not modal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column, row
from memgui.gui.theme import DARK, LARGEST_ZOOM, LIGHT, SMALLEST_ZOOM, SYSTEM, theme
from memgui.i18n import _
from memgui.ops.preferences import Settings

_APPEARANCES = ((SYSTEM, "Like the system"), (LIGHT, "Light"), (DARK, "Dark"))


class PreferencesDialog(QDialog):
    """Shows settings and tells each change as a whole new `Settings`."""

    settings_requested = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None, *, workspace: Path | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preferences")
        self.setAccessibleName(_("Preferences"))
        self.setWindowTitle(_("Preferences"))
        self.setModal(False)
        self._settings = settings
        self._workspace = workspace
        self._build()
        self.show_settings(settings)
        self.appearance.currentIndexChanged.connect(self._tell)
        self.zoom.valueChanged.connect(self._tell)
        self.autosave.valueChanged.connect(self._tell)
        self.wrap.toggled.connect(self._tell)
        self.invisibles.toggled.connect(self._tell)
        self.newest_first.toggled.connect(self._tell)
        self.note.toggled.connect(self._tell)
        self.hold.editingFinished.connect(self._tell)

    def _build(self) -> None:
        self.appearance = QComboBox(self)
        for value, words in _APPEARANCES:
            self.appearance.addItem(_(words), value)
        self.appearance.view().setAccessibleName(_("Appearances"))
        self.zoom = QSpinBox(self)
        self.zoom.setRange(SMALLEST_ZOOM, LARGEST_ZOOM)
        self.zoom.setSingleStep(10)
        self.zoom.setSuffix(" %")
        self.zoom.setKeyboardTracking(False)
        self.autosave = QSpinBox(self)
        self.autosave.setRange(0, 600)
        self.autosave.setSuffix(_(" s after the last key"))
        self.autosave.setSpecialValueText(_("Only when asked, and on switching"))
        self.autosave.setKeyboardTracking(False)
        self._dress()
        theme().changed.connect(self._dress)
        self.wrap = QCheckBox(_("Wrap long lines"), self)
        self.invisibles = QCheckBox(_("Mark characters that cannot be seen"), self)
        self.newest_first = QCheckBox(_("Days: newest first"), self)
        self.note = QCheckBox(_("Review: offer a note for agents after a rejection"), self)
        self.hold = QLineEdit(self)
        self.hold.setPlaceholderText(_("such as MEMORY.md, notes/*.md"))
        about = _(
            "What agents write to these documents with memgui's tools waits until you accept it. ** stands for all."
        )
        self.hold.setToolTip(about)
        self.hold.setAccessibleDescription(about)
        self.hold.setEnabled(self._workspace is not None)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        form.setVerticalSpacing(10)
        form.setHorizontalSpacing(14)
        for name, words, field in (
            ("prefAppearance", _("Appearance"), self.appearance),
            ("prefZoom", _("Zoom"), self.zoom),
            ("prefAutosave", _("Save by itself"), self.autosave),
            ("prefWrap", "", self.wrap),
            ("prefInvisibles", "", self.invisibles),
            ("prefNewestFirst", "", self.newest_first),
            ("prefNote", "", self.note),
            ("prefHold", _("Hold agent writes to"), self.hold),
        ):
            field.setObjectName(name)
            field.setAccessibleName(words or field.property("text"))
            if isinstance(field, QSpinBox):
                # It is this part that has the keyboard.
                field.lineEdit().setAccessibleName(words)
            form.addRow(QLabel(words, self), field)
        close = QPushButton(_("Close"), self)
        close.setObjectName("prefClose")
        close.setAccessibleName(_("Close"))
        close.clicked.connect(self.close)
        foot = row(gap=12)
        foot.addWidget(ThemedLabel(_("Changes apply at once."), self, colour="muted", scale=0.92))
        foot.addStretch(1)
        foot.addWidget(close)
        box = column(self, margins=(22, 20, 22, 16), gap=20)
        box.addLayout(form)
        box.addStretch(1)
        box.addLayout(foot)
        box.setSizeConstraint(QLayout.SizeConstraint.SetMinAndMaxSize)

    @Slot()
    def _dress(self) -> None:
        """Let the numbers begin where the words of the fields around them begin, at any zoom."""
        for spin in (self.zoom, self.autosave):
            spin.lineEdit().setTextMargins(theme().px(7), 0, 0, 0)

    def show_settings(self, settings: Settings) -> None:
        """Show these, without telling anybody."""
        self._settings = settings
        ticks = (self.wrap, self.invisibles, self.newest_first, self.note)
        fields = (self.appearance, self.zoom, self.autosave, *ticks, self.hold)
        before = [field.blockSignals(True) for field in fields]
        self.appearance.setCurrentIndex(self.appearance.findData(settings.appearance))
        self.zoom.setValue(settings.zoom)
        self.autosave.setValue(round(settings.autosave_seconds))
        self.wrap.setChecked(settings.wrap_lines)
        self.invisibles.setChecked(settings.show_invisibles)
        self.newest_first.setChecked(settings.newest_day_first)
        self.note.setChecked(settings.note_after_reject)
        if self._workspace is not None and not self.hold.hasFocus():
            self.hold.setText(", ".join(settings.held_in(self._workspace)))
        for field, blocked in zip(fields, before, strict=True):
            field.blockSignals(blocked)

    @Slot()
    def _tell(self) -> None:
        seconds = self.autosave.value()
        kept = self._settings.autosave_seconds
        settings = replace(
            self._settings,
            appearance=str(self.appearance.currentData()),
            zoom=self.zoom.value(),
            # What was finer than the field shows stays as fine until it is changed.
            autosave_seconds=kept if round(kept) == seconds else float(seconds),
            wrap_lines=self.wrap.isChecked(),
            show_invisibles=self.invisibles.isChecked(),
            newest_day_first=self.newest_first.isChecked(),
            note_after_reject=self.note.isChecked(),
        )
        if self._workspace is not None:
            settings = settings.holding(self._workspace, self.hold.text().split(","))
        self._settings = settings
        self.settings_requested.emit(self._settings)
