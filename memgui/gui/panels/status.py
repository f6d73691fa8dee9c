"""The status bar: is what I see what is on disk, how far the index is, where the caret stands, is my text saved."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QPushButton, QStatusBar, QToolButton, QWidget, QWidgetAction

from memgui.domain.watch import WatchState
from memgui.gui import icons
from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column
from memgui.gui.kit.speech import announce
from memgui.gui.state import DocumentState
from memgui.gui.theme import theme
from memgui.i18n import _, ngettext


@dataclass(frozen=True, slots=True)
class CaretPlace:
    """Where the caret stands and in what kind of text; lines and columns count from 1."""

    line: int
    column: int
    words: int | None
    """None while they are being counted."""
    encoding: str = "UTF-8"
    line_ending: str = "LF"
    selected: int = 0


_WATCHES: dict[WatchState, tuple[str, str, str, str]] = {
    WatchState.STARTING: ("paused", "muted", "Starting…", "memgui is looking at the folder for the first time."),
    WatchState.LIVE: (
        "live",
        "added",
        "Live",
        "The system tells memgui of every change, and memgui looks at everything once a minute as well.",
    ),
    WatchState.POLLING_NETWORK: (
        "polling",
        "warning",
        "Polling every 3 s (network folder)",
        "This folder lies on a network, where others can write without this computer being told. "
        "memgui looks for changes every three seconds.",
    ),
    WatchState.POLLING_LIMIT: (
        "polling",
        "warning",
        "Polling every 3 s (watch limit)",
        "There are more folders than this system lets a program watch (fs.inotify.max_user_watches). "
        "memgui looks for changes every three seconds.",
    ),
    WatchState.FOLDER_MISSING: (
        "error",
        "error",
        "Folder missing",
        "The folder is not there: moved, deleted, or on a drive that was taken away. Unsaved text is kept, "
        "and memgui goes on when the folder is back.",
    ),
    WatchState.FOLDER_CLOSED: (
        "error",
        "error",
        "Not open",
        "The folder could not be read, so nothing is watched. memgui looks again when you say so.",
    ),
}


class StatusBar(QStatusBar):
    """What is true now, in words. `reconcile_requested` and `line_requested` are the wishes it can tell."""

    reconcile_requested = Signal()
    line_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._watch = WatchState.STARTING
        self._explanation = ""
        self._covered: tuple[int, int] | None = None
        """None until it is known how many files there are: nothing is said then."""
        self._words = self._explained_words = ""
        self._meaning = self._explained_meaning = ""
        self.watch = self._button("statusWatch", _("Watching"))
        self.watch.clicked.connect(self._explain)
        self.index = _text("statusIndex")
        self.index.setAccessibleName(_("Index"))
        self.caret = self._button("statusCaret", _("Caret position, go to line"))
        self.caret.clicked.connect(self.line_requested)
        self.text_kind = _text("statusText")
        self.save = _text("statusSave")
        self.addWidget(self.watch)
        self.addWidget(self.index)
        for widget in (self.caret, self.text_kind, self.save):
            self.addPermanentWidget(widget)
        self.show_watch(WatchState.STARTING)
        self.show_caret(None)
        self.show_save(None, "")
        self._dress()
        theme().changed.connect(self._dress)
        self.messageChanged.connect(self._make_room)

    def _button(self, name: str, accessible: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setAccessibleName(accessible)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def show_watch(self, state: WatchState) -> None:
        """How memgui learns of what others write."""
        self._watch = state
        picture, colour, words, self._explanation = _WATCHES[state]
        self.watch.setIcon(icons.icon(picture, colour))
        self.watch.setText(_(words))
        self.watch.setAccessibleName(_("Watching: {state}").format(state=_(words)))
        self.watch.setAccessibleDescription(_(self._explanation))
        self.watch.setToolTip(_("{state}. Click for what this means").format(state=_(words)))
        self._make_room()

    def show_index(self, done: int, total: int) -> None:
        """How many of the files a search covers by now."""
        self._covered = (done, total)
        self._tell_index()

    def show_words(self, words: str, explanation: str = "") -> None:
        """How far the index of words is, where it is not ready; `explanation` says more."""
        self._words = words
        self._explained_words = explanation
        self._tell_index()

    def show_meaning(self, words: str, explanation: str = "") -> None:
        """How much of memory is known by its meaning, where it is not all; `explanation` says more."""
        self._meaning = words
        self._explained_meaning = explanation
        self._tell_index()

    def _tell_index(self) -> None:
        done, total = self._covered or (0, 0)
        if self._covered is None:
            words = ""
        elif not total:
            words = _("No files")
        elif done < total:
            words = _("Reading {done} of {total} files for search").format(done=f"{done:,}", total=f"{total:,}")
        else:
            words = ngettext("{total} file, all searchable", "{total} files, all searchable", total).format(
                total=f"{total:,}"
            )
            if self._words:
                words = (
                    ngettext("{total} file", "{total} files", total).format(total=f"{total:,}") + f" · {self._words}"
                )
            if self._meaning:
                words += f" · {self._meaning}"
        self.index.setToolTip("\n".join(filter(None, (self._explained_words, self._explained_meaning))))
        if words == self.index.text():
            return
        self.index.setText(words)
        self.index.setAccessibleName(_("Index: {state}").format(state=words))
        self._make_room()

    def show_caret(self, place: CaretPlace | None) -> None:
        """Where the caret is; None where no text is open."""
        if place is None:
            self.caret.setText("")
            self.text_kind.setText("")
            self._make_room()
            return
        where = _("Ln {line}, Col {column}").format(line=f"{place.line:,}", column=place.column)
        if place.selected:
            where += "  " + _("({count} selected)").format(count=f"{place.selected:,}")
        self.caret.setText(where)
        self.caret.setAccessibleName(_("Line {line}, column {column}").format(line=place.line, column=place.column))
        known = [place.encoding, place.line_ending]
        if place.words is not None:
            known.insert(0, ngettext("{count} word", "{count} words", place.words).format(count=f"{place.words:,}"))
        self.text_kind.setText("   ".join(known))
        self.text_kind.setAccessibleName(", ".join(known))
        self._make_room()

    def show_save(self, state: DocumentState | None, words: str) -> None:
        """The state of the page in front, in words; None where there is none. Trouble is also spoken."""
        if state is None:
            self.save.setText("")
            self._make_room()
            self.save.setAccessibleName(_("Nothing open"))
            return
        told = words != self.save.text()
        self.save.setText(words)
        self.save.set_colour(state.colour)
        # Nothing is said yet of a page that is being read.
        self.save.setAccessibleName(words or _("Opening"))
        self.save.setToolTip(words)
        self._make_room()
        if told and state in (
            DocumentState.CONFLICT,
            DocumentState.NOT_SAVED,
            DocumentState.MERGED,
            DocumentState.DELETED,
        ):
            announce(self, words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    @Slot()
    def _make_room(self) -> None:
        """Where it gets narrow, what matters least goes first; whether text is saved never goes."""
        room = self.width() - theme().px(24)
        parts = (self.watch, self.save, self.caret, self.index, self.text_kind)
        for part in parts:
            has_something = bool(part.text())
            room -= part.sizeHint().width() + theme().px(8) if has_something else 0
            # A sentence that is said for a while stands in the place of what is on the left.
            is_covered = bool(self.currentMessage()) and part in (self.watch, self.index)
            part.setVisible(has_something and not is_covered and (room >= 0 or part in (self.watch, self.save)))

    @Slot()
    def _explain(self) -> None:
        menu = QMenu(self)
        menu.setObjectName("watchExplanation")
        menu.setAccessibleName(_("About watching"))
        action = QWidgetAction(menu)
        action.setDefaultWidget(_Explanation(self.watch.text(), _(self._explanation), self.reconcile_requested, menu))
        menu.addAction(action)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.watch.mapToGlobal(QPoint(0, -menu.sizeHint().height() - 4)))

    @Slot()
    def _dress(self) -> None:
        dress = theme()
        # As far from the right edge as the sign at the left is from its own.
        self.save.setContentsMargins(dress.px(6), 0, dress.px(10), 0)
        for button in (self.watch, self.caret):
            button.setFont(dress.font(0.92))
            button.setIconSize(QSize(dress.px(14), dress.px(14)))
            button.setMinimumHeight(max(24, dress.px(24)))
        self._make_room()


class _Explanation(QFrame):
    def __init__(self, title: str, text: str, wish: object, menu: QMenu) -> None:
        super().__init__(menu)
        box = column(self, margins=(14, 12, 14, 12), gap=8)
        box.addWidget(ThemedLabel(title, self, bold=True))
        body = QLabel(text, self)
        body.setWordWrap(True)
        body.setFixedWidth(theme().px(320))
        box.addWidget(body)
        button = QPushButton(_("Reconcile now"), self)
        button.setObjectName("reconcileNow")
        button.setAccessibleName(_("Reconcile now"))
        button.clicked.connect(wish)
        button.clicked.connect(menu.close)
        box.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)


def _text(name: str) -> ThemedLabel:
    label = ThemedLabel("", colour="muted", scale=0.92)
    label.setObjectName(name)
    label.setContentsMargins(6, 0, 6, 0)
    return label
