"""Everything a person can do in the window: one row an action, with its words, keys, menu place and what it needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow

from memgui.gui.icons import icon
from memgui.i18n import _

Key = str | QKeySequence.StandardKey
_Standard = QKeySequence.StandardKey


class Action(NamedTuple):
    """One row. `needs` names the fields of `Context` that must all hold for it to be of use."""

    id: str
    text: str
    menu: str
    keys: tuple[Key, ...] = ()
    icon: str = ""
    tip: str = ""
    needs: tuple[str, ...] = ()
    checkable: bool = False
    starts_section: bool = False
    in_panel: bool = False
    """Its keys are keys of the panel that it acts in: anywhere else they are letters."""

    @property
    def plain_text(self) -> str:
        """The words without the sign for the mnemonic."""
        return self.text.replace("&", "")


class Context(NamedTuple):
    """What is there to act on; the window is told whenever it changes."""

    workspace: bool = False
    document: bool = False
    editable: bool = False
    unsaved: bool = False
    locked: bool = False
    unlocked: bool = False
    can_undo: bool = False
    can_redo: bool = False
    several_tabs: bool = False
    can_go_back: bool = False
    can_go_forward: bool = False
    hits: bool = False
    recalling: bool = False
    """The history is in front."""
    reviewing: bool = False
    """The review is in front."""
    looking_back: bool = False
    """The activity is in front."""
    finding: bool = False
    """The page's find bar holds something to find."""
    conflicting: bool = False
    """The page's text and the disk's cannot both stand as they are."""
    noticed: bool = False
    """A pill is in front that offers something."""
    told: bool = False
    """A pill is in front."""
    filed: bool = False
    """A file or folder that can be renamed, moved, copied or put in the trash."""


MENUS: tuple[tuple[str, str], ...] = (
    ("file", "&File"),
    ("edit", "&Edit"),
    ("view", "&View"),
    ("go", "&Go"),
    ("review", "&Review"),
    ("tools", "&Tools"),
    ("help", "&Help"),
)

ACTIONS: tuple[Action, ...] = (
    Action(
        "workspace.open", "&Open Folder…", "file", (_Standard.Open,), "folder-open", "Open a folder of agent memory"
    ),
    Action(
        "document.new",
        "&New Document…",
        "file",
        (_Standard.New,),
        "plus",
        "Begin a document in the chosen folder",
        ("workspace",),
        starts_section=True,
    ),
    Action(
        "folder.new",
        "New &Folder…",
        "file",
        ("Ctrl+Shift+N",),
        "folder",
        "Make a folder in the chosen one",
        ("workspace",),
    ),
    Action(
        "document.rename",
        "&Rename…",
        "file",
        ("F2",),
        "edit",
        "Give the file or folder another name",
        ("filed",),
        starts_section=True,
    ),
    Action("document.move", "&Move to Folder…", "file", (), "arrow-right", "Put it into another folder", ("filed",)),
    Action("document.duplicate", "&Duplicate", "file", (), "document", "Put a copy beside it", ("filed",)),
    Action(
        "document.trash",
        "Move to &Trash",
        "file",
        ("Delete",),
        "trash",
        "Put it in memgui's own trash, from where it can be taken back",
        ("filed",),
        in_panel=True,
    ),
    Action(
        "trash.show",
        "Tras&h…",
        "file",
        (),
        "undo",
        "Put something from memgui's trash back where it stood",
        ("workspace",),
    ),
    Action("path.copy", "Copy &Path", "file", (), "", "Put the whole path on the clipboard", ("filed",)),
    Action(
        "path.show",
        "Show in File Mana&ger",
        "file",
        (),
        "folder-open",
        "Open the folder that it lies in, outside memgui",
        ("filed",),
    ),
    Action(
        "history.deleted",
        "Delet&ed Files…",
        "file",
        icon="clock",
        tip="The documents that are gone; each can be restored",
        needs=("workspace",),
    ),
    Action("document.save", "&Save", "file", (_Standard.Save,), "save", needs=("document",), starts_section=True),
    Action(
        "document.close",
        "&Close",
        "file",
        ("Ctrl+W",),
        "close",
        "Close the page; unsaved text is saved first",
        ("document",),
    ),
    Action(
        "document.unlock",
        "&Unlock for Editing",
        "file",
        icon="unlock",
        tip="Allow edits to this identity file, for this session",
        needs=("locked",),
        starts_section=True,
    ),
    Action(
        "document.lock",
        "&Lock Again",
        "file",
        ("Ctrl+Shift+L",),
        "lock",
        "Make this identity file read-only again",
        ("unlocked",),
    ),
    Action("app.quit", "&Quit", "file", ("Ctrl+Q",), "exit", starts_section=True),
    Action("edit.undo", "&Undo", "edit", (_Standard.Undo,), "undo", needs=("can_undo",)),
    Action("edit.redo", "&Redo", "edit", (_Standard.Redo,), "redo", needs=("can_redo",)),
    Action(
        "document.resolve",
        "Res&olve Conflict",
        "edit",
        ("F8",),
        "warning",
        "Mine, theirs and what comes of them, side by side; again: back to the page",
        ("conflicting",),
    ),
    Action("edit.cut", "Cu&t", "edit", (_Standard.Cut,), starts_section=True),
    Action("edit.copy", "&Copy", "edit", (_Standard.Copy,)),
    Action("edit.paste", "&Paste", "edit", (_Standard.Paste,)),
    Action("edit.select_all", "Select &All", "edit", (_Standard.SelectAll,)),
    Action("edit.find", "&Find in Page", "edit", (_Standard.Find,), "search", needs=("document",), starts_section=True),
    Action("edit.find_next", "Find &Next", "edit", ("F3",), needs=("document", "finding")),
    Action("edit.find_previous", "Find Pre&vious", "edit", ("Shift+F3",), needs=("document", "finding")),
    Action("edit.replace", "R&eplace in Page", "edit", (_Standard.Replace,), "replace", needs=("document", "editable")),
    Action(
        "search.save",
        "Save Searc&h…",
        "edit",
        ("Ctrl+D",),
        "star",
        "Keep what stands in the search field under a name",
        ("workspace",),
        in_panel=True,
    ),
    Action(
        "search.why",
        "Wh&y Is This Hit Here?",
        "edit",
        ("Ctrl+I",),
        "help",
        "What the chosen hit holds and lacks, and how near it is in meaning",
        ("hits",),
        in_panel=True,
    ),
    Action(
        "search.why_not",
        "Why &Is This File Not Found?",
        "edit",
        icon="help",
        tip="Why the page in front is not among the hits of the search",
        needs=("document",),
    ),
    Action(
        "search.saved",
        "Save&d Searches…",
        "edit",
        icon="search",
        tip="Ask one of the saved or latest searches again",
        needs=("workspace",),
    ),
    Action(
        "search.replace",
        "Rep&lace in All Files…",
        "edit",
        ("Ctrl+R",),
        "replace",
        "Put another text into the place of one, wherever it stands; every place is shown first",
        ("workspace",),
    ),
    Action(
        "view.memory",
        "&Memory",
        "view",
        ("Ctrl+1",),
        "star",
        "Show the memory files and open MEMORY.md",
        ("workspace",),
    ),
    Action(
        "view.heartbeat",
        "&Heartbeat",
        "view",
        ("Ctrl+2",),
        "checklist",
        "Go through the checklist that the agent reads again and again",
        ("workspace",),
    ),
    Action(
        "view.days",
        "Da&ys",
        "view",
        ("Ctrl+3",),
        "calendar",
        "Read what was logged, day by day",
        ("workspace",),
    ),
    Action(
        "view.search",
        "&Search Memory",
        "view",
        ("Ctrl+K", "Ctrl+Shift+F"),
        "search",
        "Find a word in every file",
        ("workspace",),
    ),
    Action(
        "view.activity",
        "A&ctivity",
        "view",
        ("Ctrl+Shift+A",),
        "live",
        "What was written, refused and decided, by whom, the newest first",
        ("workspace",),
    ),
    Action(
        "activity.export",
        "E&xport Activity…",
        "view",
        tip="Write what is listed into a file, one JSON value a line",
        needs=("looking_back",),
    ),
    Action(
        "activity.history",
        "History of the Chosen Fi&le",
        "view",
        ("H",),
        "clock",
        "Every version of the document that the chosen event is about",
        ("looking_back",),
        in_panel=True,
    ),
    Action(
        "view.side_panel",
        "Side &Panel",
        "view",
        ("Ctrl+B",),
        "panel-left",
        "Show or hide the side panel",
        needs=("workspace",),
        checkable=True,
    ),
    Action(
        "view.source",
        "Pr&eview",
        "view",
        ("Ctrl+E",),
        "eye",
        "From the source to the rendered page, and back",
        ("document",),
        checkable=True,
        starts_section=True,
    ),
    Action(
        "view.side_by_side",
        "Source an&d Preview",
        "view",
        ("Ctrl+Shift+E",),
        "panel-right",
        "The rendered page beside its source",
        ("document",),
        checkable=True,
    ),
    Action(
        "view.next_pane", "&Next Pane", "view", ("F6",), tip="Move the keyboard to the next pane", starts_section=True
    ),
    Action("view.previous_pane", "Pre&vious Pane", "view", ("Shift+F6",), tip="Move the keyboard to the previous pane"),
    Action(
        "view.tab_moves_focus",
        "&Tab Key Moves Focus",
        "view",
        ("Ctrl+M",),
        tip="Tab leaves the editor instead of typing a tab",
        checkable=True,
    ),
    Action("view.wrap", "&Wrap Long Lines", "view", icon="wrap", checkable=True, starts_section=True),
    Action("view.invisibles", "Show Invisi&ble Characters", "view", icon="invisibles", checkable=True),
    Action("view.zoom_in", "Zoom &In", "view", (_Standard.ZoomIn, "Ctrl+="), "zoom-in", starts_section=True),
    Action("view.zoom_out", "Zoom &Out", "view", (_Standard.ZoomOut,), "zoom-out"),
    Action("view.zoom_reset", "&Reset Zoom", "view", ("Ctrl+0",)),
    Action("view.appearance", "Switch &Appearance", "view", icon="contrast", tip="Like the system, light, dark"),
    Action("view.full_screen", "&Full Screen", "view", ("F11",), checkable=True),
    Action(
        "go.file",
        "Go to &File…",
        "go",
        ("Ctrl+P",),
        "document",
        "Open a file by a few letters of its name",
        ("workspace",),
    ),
    Action(
        "go.section",
        "Go to &Section…",
        "go",
        ("Ctrl+Shift+O",),
        "heading",
        "Jump to a heading of this page",
        ("document",),
    ),
    Action("go.line", "Go to &Line…", "go", ("Ctrl+G",), "hash", "Jump to a line of this page", ("document",)),
    Action(
        "go.back",
        "&Back",
        "go",
        ("Alt+Left",),
        "arrow-left",
        "Back to where you were",
        ("can_go_back",),
        starts_section=True,
    ),
    Action("go.forward", "F&orward", "go", ("Alt+Right",), "arrow-right", "Forward again", ("can_go_forward",)),
    Action("tabs.next", "&Next Tab", "go", ("Ctrl+Tab", "Ctrl+PgDown"), needs=("several_tabs",), starts_section=True),
    Action("tabs.previous", "&Previous Tab", "go", ("Ctrl+Shift+Tab", "Ctrl+PgUp"), needs=("several_tabs",)),
    Action(
        "search.next_hit",
        "Next &Hit",
        "go",
        ("F4",),
        "arrow-down",
        "The next hit of the search, in any file",
        ("hits",),
        starts_section=True,
    ),
    Action("search.previous_hit", "Previous H&it", "go", ("Shift+F4",), "arrow-up", "The hit before", ("hits",)),
    Action(
        "go.today",
        "&Today",
        "go",
        icon="calendar",
        tip="Read what was logged today and in the six days before",
        needs=("workspace",),
        starts_section=True,
    ),
    Action(
        "day.add",
        "&Add to Today…",
        "go",
        ("Ctrl+Shift+D",),
        "plus",
        "Add a line to today's log",
        ("workspace",),
    ),
    Action(
        "view.review",
        "Re&view Changes",
        "review",
        ("Ctrl+Shift+R",),
        "review",
        "Go through what was written outside, and keep it or not",
        ("workspace",),
    ),
    Action(
        "review.accept",
        "&Accept",
        "review",
        ("A",),
        "check",
        "Count the chosen change as accepted",
        ("reviewing",),
        starts_section=True,
        in_panel=True,
    ),
    Action(
        "review.reject",
        "&Reject",
        "review",
        ("R",),
        "close",
        "Take the chosen change out of the file again",
        ("reviewing",),
        in_panel=True,
    ),
    Action(
        "review.edit",
        "&Edit in Place",
        "review",
        ("E",),
        "edit",
        "Put your own text in the place of the chosen change",
        ("reviewing",),
        in_panel=True,
    ),
    Action(
        "review.put_back",
        "Put &Lost Lines Back",
        "review",
        ("U",),
        "undo",
        "Put the lost lines back, and keep the new ones",
        ("reviewing",),
        in_panel=True,
    ),
    Action(
        "review.next",
        "&Next Change",
        "review",
        ("J", "F7"),
        "arrow-down",
        "To the next change, and then to the next file",
        ("reviewing",),
        starts_section=True,
        in_panel=True,
    ),
    Action(
        "review.previous",
        "&Previous Change",
        "review",
        ("K", "Shift+F7"),
        "arrow-up",
        "To the change before, and then to the file before",
        ("reviewing",),
        in_panel=True,
    ),
    Action(
        "review.history",
        "&History of the File",
        "review",
        ("H",),
        "clock",
        "Every version of the chosen file",
        ("reviewing",),
        in_panel=True,
    ),
    Action(
        "review.accept_file",
        "Accept &File",
        "review",
        ("Shift+A",),
        "",
        "Accept all of the chosen file",
        ("reviewing",),
        starts_section=True,
        in_panel=True,
    ),
    Action(
        "review.reject_file",
        "Reje&ct File",
        "review",
        ("Shift+R",),
        "",
        "Put the chosen file back as it was",
        ("reviewing",),
        in_panel=True,
    ),
    Action(
        "review.note",
        "A&dd Note for Agents…",
        "review",
        ("N",),
        "",
        "After a rejection: a line into memory, so that it is not written again",
        ("reviewing",),
        in_panel=True,
    ),
    Action("review.accept_all", "Accept All Chan&ges", "review", (), "", "Accept every change", ("reviewing",)),
    Action("review.all_seen", "&Mark All Seen", "review", (), "eye", "As if each was looked at", ("reviewing",)),
    Action(
        "view.history",
        "Histor&y",
        "review",
        ("Ctrl+Shift+H",),
        "clock",
        "Every version of the document, and what has been deleted",
        ("workspace",),
        starts_section=True,
    ),
    Action(
        "view.writers",
        "Who Wrote This (&Blame)",
        "review",
        ("Ctrl+Shift+B",),
        "identity",
        "Beside each line of the page: who brought it, and when",
        ("document",),
        checkable=True,
    ),
    Action(
        "history.restore",
        "Restore Vers&ion",
        "review",
        ("R",),
        "undo",
        "Put the chosen version back into the file",
        ("recalling",),
        in_panel=True,
    ),
    Action(
        "history.restore_place",
        "Re&store This Place",
        "review",
        ("Shift+R",),
        "",
        "Put only the framed lines of the version back",
        ("recalling",),
        in_panel=True,
    ),
    Action(
        "history.compare",
        "Compare &With…",
        "review",
        ("S",),
        "",
        "Compare other versions with the chosen one; again: with what stands there now",
        ("recalling",),
        in_panel=True,
    ),
    Action(
        "history.copy",
        "Copy Version Te&xt",
        "review",
        ("C",),
        "",
        "The whole text of the chosen version",
        ("recalling",),
        in_panel=True,
    ),
    Action(
        "history.next",
        "&Jump to Next Place",
        "review",
        ("J", "F7"),
        "",
        "To the next place where the two versions differ",
        ("recalling",),
        in_panel=True,
    ),
    Action(
        "history.previous",
        "Bac&k to Previous Place",
        "review",
        ("K", "Shift+F7"),
        "",
        "To the place before",
        ("recalling",),
        in_panel=True,
    ),
    Action(
        "history.forget",
        "Forge&t Version…",
        "review",
        tip="Take the bytes of the chosen version out of everything memgui keeps",
        needs=("recalling",),
    ),
    Action(
        "history.forget_text",
        "F&orget a Text…",
        "review",
        tip="Take a secret out of every version and everything else memgui keeps",
        needs=("workspace",),
    ),
    Action(
        "history.lay_out",
        "Lay O&ut Workspace as of Then…",
        "review",
        icon="folder-open",
        tip="Write every document as it stood at the chosen moment into a folder of its own",
        needs=("recalling",),
    ),
    Action("palette.show", "&All Commands…", "tools", ("Ctrl+Shift+P",), "command", "Find a command by a few letters"),
    Action(
        "workspace.reconcile",
        "&Reconcile with Disk",
        "tools",
        ("F5",),
        "refresh",
        "Look at every file on disk again",
        ("workspace",),
        starts_section=True,
    ),
    Action(
        "notice.act",
        "Do What the &Notice Offers",
        "tools",
        ("Alt+Return", "Alt+Enter"),
        "check",
        "What the button of the notice in front does",
        ("noticed",),
        starts_section=True,
    ),
    Action("notice.dismiss", "&Dismiss Notice", "tools", (), "close", "Put the notice in front away", ("told",)),
    Action("preferences.show", "&Preferences…", "tools", ("Ctrl+,",), "settings", starts_section=True),
    Action("help.keys", "&Keys", "help", ("F1",), "keyboard", "Every action with its key"),
    Action(
        "help.connect",
        "&Connect an Agent…",
        "help",
        icon="command",
        tip="What to paste to give an agent this memory",
    ),
    Action("help.about", "&About memgui", "help", icon="info"),
)


def build(window: QMainWindow) -> dict[str, QAction]:
    """Make the actions as children of the window, put them into its menus and one group, and answer them by id."""
    group = QActionGroup(window)
    group.setObjectName("actions")
    group.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
    built: dict[str, QAction] = {}
    for row in ACTIONS:
        action = QAction(_(row.text), window)
        action.setObjectName(row.id)
        action.setShortcuts(sequences(row.keys))
        if row.in_panel:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setCheckable(row.checkable)
        if row.icon:
            action.setIcon(icon(row.icon))
        # In a menu the tick stands where the icon would.
        action.setIconVisibleInMenu(not row.checkable)
        words = _(row.tip) if row.tip else _(row.plain_text).rstrip("…")
        key = shown_key(action)
        action.setToolTip(f"{words}  ({key})" if key else words)
        action.setEnabled(not row.needs)
        group.addAction(action)
        built[row.id] = action
    _fill_menus(window, built)
    return built


def apply(built: dict[str, QAction], context: Context) -> None:
    """Enable what can be done now, and nothing else."""
    for row in ACTIONS:
        built[row.id].setEnabled(all(getattr(context, need) for need in row.needs))


def sequences(keys: Iterable[Key]) -> list[QKeySequence]:
    """The key sequences of this system, the first being the one that is shown."""
    found: list[QKeySequence] = []
    for key in keys:
        for one in [QKeySequence(key)] if isinstance(key, str) else QKeySequence.keyBindings(key):
            if one not in found:
                found.append(one)
    return found


def shown_key(action: QAction) -> str:
    """The action's key as this system writes it; empty where it has none."""
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def _fill_menus(window: QMainWindow, built: dict[str, QAction]) -> None:
    for name, title in MENUS:
        menu = window.menuBar().addMenu(_(title))
        menu.setObjectName(f"menu.{name}")
        menu.setAccessibleName(_(title).replace("&", ""))
        for row in ACTIONS:
            if row.menu != name:
                continue
            if row.starts_section and not menu.isEmpty():
                menu.addSeparator()
            menu.addAction(built[row.id])
