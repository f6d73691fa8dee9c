"""`MainWindow`: the frame that all else stands in. It has menus, a tool bar and places; it knows no workspace."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QStackedWidget, QToolBar, QWidget

from memgui.gui import actions, icons
from memgui.gui.actions import Context
from memgui.gui.choices import Choices
from memgui.gui.kit.badge import BadgeButton
from memgui.gui.kit.buttons import IconButton, SearchButton
from memgui.gui.kit.entering import EnterPresses
from memgui.gui.kit.frame import Frame
from memgui.gui.kit.layout import EmptyState, column, on_a_screen, row
from memgui.gui.kit.side import SidePanel
from memgui.gui.notices import Notices
from memgui.gui.panels.status import StatusBar
from memgui.gui.parts import Part, Parts
from memgui.gui.state import Placement
from memgui.gui.theme import theme
from memgui.i18n import _, ngettext

if TYPE_CHECKING:
    from memgui.gui.panels.palette import Palette

APP_ID = "org.memgui.Memgui"
_SMALLEST = QSize(480, 360)
T = TypeVar("T")


class MainWindow(QMainWindow):
    """The window. Each action is a child by its id; `action_chosen` tells every one that a person chose, by id."""

    action_chosen = Signal(str)
    activated = Signal()
    """The window came to the front."""
    middle_changed = Signal(str)
    """What the middle shows is another: `documents`, `days`, `review`, `history`, `activity`, `welcome`, `empty`."""
    palette_made = Signal(object)
    """The `Palette` is there: whoever answers it connects with it now."""
    closing = Signal()
    """The window is about to go: whoever holds text or threads ends now."""
    settings_requested = Signal(object)
    """The person chose other settings; they are in force already and want to be kept."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.setAccessibleName("memgui")
        self.setProperty("ready", False)
        self.setProperty("indexed", False)
        QGuiApplication.setDesktopFileName(APP_ID)
        self.setWindowIcon(icons.application_icon())
        self.setWindowTitle("memgui")
        self.setMinimumSize(_SMALLEST)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.context = Context()
        self.parts = Parts(self.action, self)
        self.actions_by_id = actions.build(self)
        self._side = SidePanel()
        self._side.wanted.connect(self.parts.build)
        self._side.offer("memory", _("Memory"))
        self._side.offer("search", _("Search"))
        self._middle = QStackedWidget()
        self._middle.setObjectName("middle")
        self._nothing_open = EmptyState()
        self._nothing_open.setObjectName("nothingOpen")
        self._middle.addWidget(self._nothing_open)
        self._places: dict[str, QWidget] = {"empty": self._nothing_open}
        self.frame = Frame(self._side, self._middle, self)
        self.notices = Notices()
        self.notices.setObjectName("windowNotices")
        self._above = QWidget()
        self._above.setObjectName("aboveMiddle")
        strips = column(self._above)
        strips.addWidget(self.notices)
        body = QWidget()
        stacked = column(body)
        stacked.addWidget(self._above)
        stacked.addWidget(self.frame, 1)
        self.setCentralWidget(body)
        self.status = StatusBar(self)
        self.setStatusBar(self.status)
        self.choices = Choices(self, self.actions_by_id)
        self._sheets: dict[str, QDialog] = {}
        EnterPresses(self)
        self.connects_to: Path | None = None
        """The folder that the words for connecting an agent name."""
        self.command_palette = self._offer_palette()
        self._build_toolbar()
        self._connect()
        self._dress()

    def _build_toolbar(self) -> None:
        bar = QToolBar(_("Tools"), self)
        bar.setObjectName("toolBar")
        bar.setMovable(False)
        bar.setFloatable(False)
        strip = QWidget(bar)
        box = row(strip, margins=(6, 3, 6, 3), gap=2)
        for name in ("view.side_panel", "go.back", "go.forward"):
            box.addWidget(IconButton.of(self.action(name), strip))
        box.addStretch(2)
        search = self.action("view.search")
        self._search_button = SearchButton(_("Search memory…"), actions.shown_key(search), strip)
        self._search_button.setObjectName("searchButton")
        self._search_button.clicked.connect(search.trigger)
        search.enabledChanged.connect(self._search_button.setEnabled)
        self._search_button.setEnabled(search.isEnabled())
        self._search_button.setMaximumWidth(theme().px(560))
        box.addWidget(self._search_button, 6)
        box.addStretch(2)
        review = self.action("view.review")
        self._review_button = BadgeButton("review", _("Review"), strip)
        self._review_button.setObjectName("reviewButton")
        self._review_button.clicked.connect(review.trigger)
        review.enabledChanged.connect(self._review_button.setEnabled)
        self._review_button.setEnabled(review.isEnabled())
        self.show_review_count(0)
        box.addWidget(self._review_button)
        for name in ("palette.show", "view.appearance"):
            box.addWidget(IconButton.of(self.action(name), strip))
        bar.addWidget(strip)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)

    def _connect(self) -> None:
        group = self.findChild(QActionGroup, "actions")
        assert group is not None
        group.triggered.connect(self._tell)
        self.frame.side_shown_changed.connect(self.action("view.side_panel").setChecked)
        self.action("view.side_panel").setChecked(True)
        self.action("view.side_panel").triggered.connect(self.frame.show_side)
        self.action("view.full_screen").triggered.connect(self._set_full_screen)
        self.action("view.next_pane").triggered.connect(self._focus_next_pane)
        self.action("view.previous_pane").triggered.connect(self._focus_previous_pane)
        self.action("app.quit").triggered.connect(self.close)
        for name in ("cut", "copy", "paste", "select_all"):
            self.action(f"edit.{name}").triggered.connect(self._edit_in_focus)
        self.status.reconcile_requested.connect(self.action("workspace.reconcile").trigger)
        self.status.line_requested.connect(self.action("go.line").trigger)
        self.choices.settings_requested.connect(self.settings_requested)
        self.action("help.keys").triggered.connect(self._show_keys)
        self.action("help.connect").triggered.connect(self._show_connect)
        self.action("help.about").triggered.connect(self._show_about)
        theme().changed.connect(self._dress)

    def _offer_palette(self) -> Part[Palette]:
        part = self.part("palette", self._build_palette)
        part.answers("palette.show", lambda palette: palette.show_commands())
        part.answers("go.file", lambda palette: palette.show_files())
        part.answers("go.section", lambda palette: palette.show_headings())
        part.answers("go.line", lambda palette: palette.show_line())
        return part

    def _build_palette(self) -> Palette:
        from memgui.gui.panels.palette import Palette

        palette = Palette(self.frame)
        palette.set_actions(list(self.actions_by_id.values()))
        palette.action_chosen.connect(self._trigger)
        self.frame.resized.connect(palette.place)
        self.palette_made.emit(palette)
        return palette

    def action(self, name: str) -> QAction:
        """The action with that id."""
        return self.actions_by_id[name]

    def show_context(self, context: Context) -> None:
        """Enable what can be done now."""
        if context != self.context:
            self.context = context
            actions.apply(self.actions_by_id, context)

    # Parts -----------------------------------------------------------------------------------------------------

    def part(self, name: str, make: Callable[[], T]) -> Part[T]:
        """A part that is built late, see `parts`. One with the name of a place is built before that is shown."""
        return self.parts.add(name, make)

    if not TYPE_CHECKING:
        # Signatures and answers are Qt's own. Who looks for a widget by its name finds it, whether it was wanted
        # before or not.

        def findChild(self, *wanted: Any, **how: Any) -> Any:
            found = super().findChild(*wanted, **how)
            return super().findChild(*wanted, **how) if found is None and self.parts.build_all() else found

        def findChildren(self, *wanted: Any, **how: Any) -> Any:
            self.parts.build_all()
            return super().findChildren(*wanted, **how)

    # Places ----------------------------------------------------------------------------------------------------

    def place_memory(self, widget: QWidget) -> None:
        """Put the memory panel into the side."""
        self._side.place("memory", widget)

    def place_search(self, widget: QWidget) -> None:
        """Put the search panel into the side, beside the memory panel."""
        self._side.place("search", widget)

    def place_documents(self, widget: QWidget) -> None:
        """Put the tabs into the middle."""
        self._place_in_middle("documents", widget)

    def place_days(self, widget: QWidget) -> None:
        """Put the days into the middle."""
        self._place_in_middle("days", widget)

    def place_review(self, widget: QWidget) -> None:
        """Put the review into the middle."""
        self._place_in_middle("review", widget)

    def place_history(self, widget: QWidget) -> None:
        """Put the history into the middle."""
        self._place_in_middle("history", widget)

    def place_replace(self, widget: QWidget) -> None:
        """Put what replaces in all files into the middle."""
        self._place_in_middle("replace", widget)

    def place_activity(self, widget: QWidget) -> None:
        """Put the activity into the middle."""
        self._place_in_middle("activity", widget)

    def place_strip(self, widget: QWidget) -> None:
        """Put a strip across the window, over all that it shows; it goes when it is closed."""
        layout = self._above.layout()
        assert layout is not None
        layout.addWidget(widget)

    def show_review_count(self, count: int, *, alarms: int = 0) -> None:
        """How many changes wait for the person, on the button that leads to them."""
        words = ngettext("{count} change to review", "{count} changes to review", count).format(count=f"{count:,}")
        if alarms:
            words += ", " + ngettext("{count} alarm", "{count} alarms", alarms).format(count=f"{alarms:,}")
        self._review_button.show_count(count, alert=bool(alarms))
        self._review_button.setAccessibleName(_("Review, {words}").format(words=words) if count else _("Review"))
        tip = words if count else _("Nothing to review")
        self._review_button.setToolTip(f"{tip}  ({actions.shown_key(self.action('view.review'))})")

    def place_welcome(self, widget: QWidget) -> None:
        """Put the page for when no workspace is open into the middle."""
        self._place_in_middle("welcome", widget)

    def _place_in_middle(self, name: str, widget: QWidget) -> None:
        self._middle.addWidget(widget)
        self._places[name] = widget

    def show_middle(self, name: str) -> None:
        """What the middle shows: `documents`, `days`, `review`, `history`, `replace`, `welcome`, or `empty`."""
        before = self.middle
        if name not in self._places:
            self.parts.build(name)
        self._middle.setCurrentWidget(self._places[name])
        self._middle.setFocusProxy(self._places[name])
        if name == "welcome":
            self.frame.show_side(False)
        self.status.setVisible(name != "welcome")
        self._search_button.setVisible(name != "welcome")
        self._review_button.setVisible(name != "welcome")
        if name != before:
            self.middle_changed.emit(name)

    @property
    def middle(self) -> str:
        """What the middle shows now."""
        return next(name for name, widget in self._places.items() if widget is self._middle.currentWidget())

    def show_side(self, name: str) -> None:
        """Show `memory` or `search` in the side panel, and the side panel itself."""
        self.frame.show_side(True)
        self._side.choose(name)

    @property
    def side(self) -> str:
        """What the side panel holds in front: `memory` or `search`."""
        return self._side.chosen

    @property
    def empty_state(self) -> EmptyState:
        """The page for a middle with nothing to show."""
        return self._nothing_open

    # Placement -------------------------------------------------------------------------------------------------

    def placement(self) -> Placement:
        """Where the window stands now."""
        there = self.normalGeometry() if self.isMaximized() or self.isFullScreen() else self.geometry()
        return Placement(
            there.x(),
            there.y(),
            there.width(),
            there.height(),
            self.isMaximized(),
            self.frame.side_width,
            self.frame.side_wanted,
        )

    def place_at(self, wanted: Placement) -> None:
        """Stand where it stood, moved onto a screen that is there."""
        if wanted.is_placed:
            self.setGeometry(on_a_screen(QRect(wanted.x, wanted.y, wanted.width, wanted.height), _SMALLEST))
        else:
            room = QGuiApplication.primaryScreen().availableGeometry().size()
            self.resize(QSize(wanted.width, wanted.height).boundedTo(room).expandedTo(_SMALLEST))
        if wanted.side_width:
            self.frame.set_side_width(wanted.side_width)
        self.frame.show_side(wanted.side_shown)
        if wanted.maximised:
            self.setWindowState(self.windowState() | Qt.WindowState.WindowMaximized)

    # Panes -----------------------------------------------------------------------------------------------------

    def panes(self) -> list[QWidget]:
        """What F6 goes through: those that are shown."""
        # In the side panel they stand one above the other, at one edge or another.
        side = sorted(self._panes_in(self._side), key=lambda pane: pane.mapTo(self, QPoint()).y())
        middle = sorted(self._panes_in(self._middle), key=self._place_of)
        return [pane for pane in (*side, *middle, self.status) if pane.isVisible()]

    def _panes_in(self, part: QWidget) -> list[QWidget]:
        """Those that a part of the window is made of; the part itself where it is one."""
        return [pane for pane in part.findChildren(QWidget) if pane.property("pane") and pane.isVisible()] or [part]

    def _place_of(self, pane: QWidget) -> tuple[int, int]:
        there = pane.mapTo(self, QPoint())
        return there.x(), there.y()

    def focus_pane(self, pane: QWidget) -> None:
        """Give the keyboard to a pane, where it last was in it."""
        last = pane.focusWidget()
        if last is not None and last is not pane and last.isVisibleTo(self) and last.isEnabled():
            last.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        for child in pane.findChildren(QWidget):
            if child.isVisibleTo(self) and child.isEnabled() and child.focusPolicy() & Qt.FocusPolicy.TabFocus:
                child.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        pane.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _focus_next_pane(self) -> None:
        self._step_pane(1)

    @Slot()
    def _focus_previous_pane(self) -> None:
        self._step_pane(-1)

    def _step_pane(self, step: int) -> None:
        panes, focus = self.panes(), QApplication.focusWidget()
        here = [number for number, pane in enumerate(panes) if focus is not None and pane.isAncestorOf(focus)]
        self.focus_pane(panes[(here[0] + step) % len(panes) if here else 0])

    # Events ----------------------------------------------------------------------------------------------------

    @Slot(QAction)
    def _tell(self, action: QAction) -> None:
        self.action_chosen.emit(action.objectName())

    @Slot(bool)
    def _set_full_screen(self, wanted: bool) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        self.action("view.full_screen").setChecked(wanted)

    @Slot()
    def _edit_in_focus(self) -> None:
        sender, focus = self.sender(), QApplication.focusWidget()
        deed = {"edit.cut": "cut", "edit.copy": "copy", "edit.paste": "paste", "edit.select_all": "selectAll"}
        if isinstance(sender, QAction) and callable(act := getattr(focus, deed[sender.objectName()], None)):
            act()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.activated.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.parts.close()
        self.closing.emit()
        super().closeEvent(event)

    @Slot(str)
    def _trigger(self, name: str) -> None:
        self.action(name).trigger()

    @Slot()
    def _show_keys(self) -> None:
        from memgui.gui.dialogs.keys import KeysDialog

        self._show_sheet("keys", partial(KeysDialog, list(self.actions_by_id.values()), self))

    @Slot()
    def _show_connect(self) -> None:
        from memgui.gui.dialogs.connect import ConnectDialog
        from memgui.ops.connecting import setups_here

        folder = self.connects_to
        self._show_sheet(f"connect {folder}", partial(ConnectDialog, setups_here(folder), self))

    @Slot()
    def _show_about(self) -> None:
        from memgui.gui.dialogs.about import AboutDialog

        self._show_sheet("about", partial(AboutDialog, self))

    def _show_sheet(self, name: str, make: Callable[[], QDialog]) -> None:
        sheet = self._sheets.get(name) or make()
        self._sheets[name] = sheet
        sheet.show()
        sheet.activateWindow()

    @Slot()
    def _dress(self) -> None:
        side = theme().px(18)
        self.setIconSize(QSize(side, side))
        self._search_button.setMaximumWidth(theme().px(560))
        self.action("view.appearance").setIcon(
            icons.icon({"light": "sun", "dark": "moon"}.get(theme().appearance, "contrast"))
        )
