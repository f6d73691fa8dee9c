"""What a person chose of the window's looks: actions and the preferences dialog change one `Settings` value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget

from memgui.gui import theme
from memgui.gui.theme import DARK, LARGEST_ZOOM, LIGHT, SMALLEST_ZOOM, SYSTEM
from memgui.ops.preferences import Settings

if TYPE_CHECKING:
    from memgui.gui.dialogs.preferences import PreferencesDialog

_STEP = 10
_NEXT_APPEARANCE = {SYSTEM: LIGHT, LIGHT: DARK, DARK: SYSTEM}


class Choices(QObject):
    """Holds the settings in force, dresses the application in them, and tells when a person wants others kept."""

    settings_requested = Signal(object)

    def __init__(self, window: QWidget, actions: Mapping[str, QAction]) -> None:
        super().__init__(window)
        self.settings = Settings(appearance=theme.theme().appearance, zoom=theme.theme().zoom)
        self.workspace: Path | None = None
        """The real path of the workspace that the window shows."""
        self._window = window
        self._actions = actions
        self._dialog: PreferencesDialog | None = None
        for name, deed in {
            "view.zoom_in": self._zoom_in,
            "view.zoom_out": self._zoom_out,
            "view.zoom_reset": self._zoom_reset,
            "view.appearance": self._switch_appearance,
            "view.wrap": self._wrap,
            "view.invisibles": self._show_invisibles,
            "preferences.show": self.show_dialog,
        }.items():
            actions[name].triggered.connect(deed)
        self._show()

    def show_settings(self, settings: Settings) -> None:
        """Put settings in force, without telling anybody."""
        self.settings = settings
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        theme.apply(app, settings.appearance, settings.zoom)
        self._show()

    def _show(self) -> None:
        self._actions["view.wrap"].setChecked(self.settings.wrap_lines)
        self._actions["view.invisibles"].setChecked(self.settings.show_invisibles)
        if self._dialog is not None:
            self._dialog.show_settings(self.settings)

    @Slot(object)
    def _want(self, settings: Settings) -> None:
        if settings != self.settings:
            self.show_settings(settings)
            self.settings_requested.emit(settings)

    def _zoom(self, zoom: int) -> None:
        self._want(replace(self.settings, zoom=min(max(zoom, SMALLEST_ZOOM), LARGEST_ZOOM)))

    @Slot()
    def _zoom_in(self) -> None:
        self._zoom(self.settings.zoom + _STEP)

    @Slot()
    def _zoom_out(self) -> None:
        self._zoom(self.settings.zoom - _STEP)

    @Slot()
    def _zoom_reset(self) -> None:
        self._zoom(100)

    @Slot()
    def _switch_appearance(self) -> None:
        self._want(replace(self.settings, appearance=_NEXT_APPEARANCE[self.settings.appearance]))

    @Slot(bool)
    def _wrap(self, wanted: bool) -> None:
        self._want(replace(self.settings, wrap_lines=wanted))

    @Slot(bool)
    def _show_invisibles(self, wanted: bool) -> None:
        self._want(replace(self.settings, show_invisibles=wanted))

    @Slot()
    def show_dialog(self) -> None:
        """Open the preferences, or bring them to the front."""
        if self._dialog is None:
            from memgui.gui.dialogs.preferences import PreferencesDialog

            self._dialog = PreferencesDialog(self.settings, self._window, workspace=self.workspace)
            self._dialog.settings_requested.connect(self._want)
        self._dialog.show()
        self._dialog.activateWindow()
