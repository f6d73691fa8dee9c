"""The first page: what memgui is for, a folder to open, the sample to try, and what is written where."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from memgui.domain.paths import shown
from memgui.domain.workspace import FoundWorkspace, RecentWorkspace
from memgui.gui import icons
from memgui.gui.kit.choice import ChoiceButton
from memgui.gui.kit.labels import SectionLabel, ThemedLabel
from memgui.gui.kit.layout import HairLine, column, row
from memgui.gui.theme import theme
from memgui.i18n import _, ngettext

_MOST_RECENT = 6


class WelcomePanel(QScrollArea):
    """Shown where no workspace is open. `workspace_chosen` carries the folder's path."""

    folder_requested = Signal()
    sample_requested = Signal()
    workspace_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcome")
        self.setAccessibleName(_("Welcome"))
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._paths: dict[QPushButton, Path] = {}
        ground = QWidget()
        self._column = QWidget(ground)
        across = row(ground, margins=(24, 24, 24, 24))
        across.addStretch(1)
        across.addWidget(self._column, 8)
        across.addStretch(1)
        box = column(self._column, gap=10)
        box.addStretch(2)
        self._mark = QLabel(self._column)
        box.addWidget(self._mark)
        box.addSpacing(6)
        box.addWidget(_wrapped(ThemedLabel(_("Welcome to memgui"), scale=1.9, bold=True)))
        box.addWidget(
            _wrapped(ThemedLabel(_("Curate the memory your agents keep as Markdown files."), colour="muted", scale=1.1))
        )
        box.addSpacing(10)
        box.addLayout(self._build_buttons())
        self._lists = column(gap=2)
        box.addLayout(self._lists)
        box.addSpacing(14)
        box.addWidget(HairLine(self._column))
        self._promise = _wrapped(ThemedLabel("", colour="muted", scale=0.92))
        box.addWidget(self._promise)
        box.addStretch(3)
        self.setWidget(ground)
        self.setFocusProxy(self.open_button)
        self.show_places(None, None)
        self._dress()
        theme().changed.connect(self._dress)

    def _build_buttons(self) -> QVBoxLayout:
        self.open_button = _button("welcomeOpen", _("Open a folder…"))
        self.open_button.setProperty("primary", True)
        self.open_button.clicked.connect(self.folder_requested)
        self.sample_button = _button("welcomeSample", _("Try with a sample"))
        self.sample_button.setToolTip(_("Writes a small, made-up workspace to a temporary folder and opens it"))
        self.sample_button.setAccessibleDescription(self.sample_button.toolTip())
        self.sample_button.clicked.connect(self.sample_requested)
        across = row(gap=8)
        across.addWidget(self.open_button)
        across.addWidget(self.sample_button)
        across.addStretch(1)
        box = column()
        box.addLayout(across)
        return box

    def show_workspaces(self, recent: Sequence[RecentWorkspace], found: Sequence[FoundWorkspace]) -> None:
        """Offer the folders opened before, and those found in the usual places."""
        self._paths.clear()
        while item := self._lists.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        known = {one.path for one in recent}
        if recent:
            self._add_heading(_("Recent"))
            for one in recent[:_MOST_RECENT]:
                self._add(one.path, one.name, "clock", "" if one.is_there else _("not there"))
        fresh = [other for other in found if other.path not in known]
        if fresh:
            self._add_heading(_("Found on this computer"))
            for other in fresh:
                self._add(other.path, other.path.name, "folder", _count(other))

    def show_places(self, history: Path | None, index: Path | None) -> None:
        """Say what memgui writes, and where."""
        said = [_("memgui writes nothing into a folder until you edit something.")]
        if history is not None and index is not None:
            said.append(
                _("What it keeps for itself: {history}; the search index, which may be deleted: {index}.").format(
                    history=_at_home(history), index=_at_home(index)
                )
            )
        self._promise.setText(" ".join(said))

    def _add_heading(self, words: str) -> None:
        label = SectionLabel(words, self._column)
        label.setContentsMargins(0, 18, 0, 4)
        self._lists.addWidget(label)

    def _add(self, path: Path, name: str, icon: str, note: str) -> None:
        button = ChoiceButton(shown(name), _at_home(path), self._column, icon=icon, note=note)
        button.setObjectName("welcomeWorkspace")
        button.clicked.connect(self._choose)
        self._paths[button] = path
        self._lists.addWidget(button)

    @Slot()
    def _choose(self) -> None:
        sender = self.sender()
        if isinstance(sender, QPushButton) and sender in self._paths:
            self.workspace_chosen.emit(self._paths[sender])

    @Slot()
    def _dress(self) -> None:
        dress = theme()
        self._column.setMaximumWidth(dress.px(620))
        picture = icons.application_icon().pixmap(dress.px(64), dress.px(64))
        # Without the room that an icon keeps around itself, so that it stands over the first letter.
        edge = picture.width() // 16
        self._mark.setPixmap(picture.copy(edge, edge, picture.width() - 2 * edge, picture.height() - 2 * edge))


def _button(name: str, words: str) -> QPushButton:
    button = QPushButton(words)
    button.setObjectName(name)
    button.setAccessibleName(words.rstrip("…"))
    return button


def _wrapped(label: ThemedLabel) -> ThemedLabel:
    label.setWordWrap(True)
    return label


def _at_home(path: Path) -> str:
    home = Path.home()
    return shown(f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path))


def _count(found: FoundWorkspace) -> str:
    if not found.is_complete:
        return _("over {count} files").format(count=f"{found.documents:,}")
    return ngettext("{count} file", "{count} files", found.documents).format(count=f"{found.documents:,}")
