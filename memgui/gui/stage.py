"""`Stage`: a window played as a person would, until it shows what it should. The tour's pictures are taken on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QAbstractItemModel, QEventLoop, QModelIndex, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPixmap, QTextCursor
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QPlainTextEdit, QTabWidget, QTreeView, QWidget

from memgui.domain.errors import ExecutionFailed
from memgui.gui.theme import current
from memgui.gui.window import MainWindow
from memgui.i18n import _

PATIENCE_SECONDS = 30.0
"""So long a screen may take to show what it should. It takes a fraction of a second; on a busy machine more."""

_LOOK_EVERY_MS = 15
_STILL_EVERY_MS = 60

W = TypeVar("W", bound=QWidget)


class Stage:
    """One window, and the folder it shows."""

    def __init__(self, window: MainWindow, root: Path) -> None:
        self.window = window
        self.root = root

    # Waiting -----------------------------------------------------------------------------------------------------

    def until(self, fact: Callable[[], bool], what: str, *, every: int = _LOOK_EVERY_MS) -> None:
        """Let the program run until the fact holds. One that does not come in time is a failure, in words."""
        if fact():
            return
        loop, look, end = QEventLoop(), QTimer(), QTimer()
        look.timeout.connect(lambda: loop.exit(0) if fact() else None)
        end.setSingleShot(True)
        end.timeout.connect(lambda: loop.exit(1))
        look.start(every)
        end.start(round(PATIENCE_SECONDS * 1000))
        if loop.exec():
            raise ExecutionFailed(_("The tour waited in vain for {what}.").format(what=what))

    def ready(self) -> None:
        """Wait until the tree can be used and every file can be found."""
        for name in ("ready", "indexed"):
            self.until(lambda name=name: bool(self.window.property(name)), name)  # type: ignore[misc]

    def shown(self, kind: type[W], name: str) -> W:
        """The visible widget of that name, waited for."""
        self.until(lambda: self._visible(kind, name) is not None, name)
        found = self._visible(kind, name)
        assert found is not None
        return found

    def _visible(self, kind: type[W], name: str) -> W | None:
        return next((widget for widget in self.window.findChildren(kind, name) if widget.isVisible()), None)

    def page(self, path: str) -> QPlainTextEdit:
        """The editor of the page in front, once it is that file's and its text is there."""
        tabs = self.shown(QTabWidget, "documentTabs")

        def in_front() -> bool:
            page = tabs.currentWidget()
            return page is not None and page.property("path") == path and bool(page.property("ready"))

        self.until(in_front, path)
        return self.shown(QPlainTextEdit, "editor")

    # Playing -----------------------------------------------------------------------------------------------------

    def choose(self, action: str) -> None:
        """Choose an action, as from the menu."""
        self.until(self.window.action(action).isEnabled, action)
        self.window.action(action).trigger()

    def press(self, widget: QWidget, key: Qt.Key, text: str = "") -> None:
        """Press and release one key."""
        for kind in (QKeyEvent.Type.KeyPress, QKeyEvent.Type.KeyRelease):
            QApplication.sendEvent(widget, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))

    def type(self, widget: QWidget, text: str) -> None:
        """Type text, one key after another."""
        for letter in text:
            self.press(widget, Qt.Key.Key_unknown, letter)

    def open(self, path: str) -> QPlainTextEdit:
        """Go to the file in the tree, press Enter, and wait for its text."""
        tree = self.shown(QTreeView, "workspaceTree")
        self.until(lambda: bool(rows_of(tree.model(), path)), path)
        tree.setCurrentIndex(rows_of(tree.model(), path)[0])
        tree.scrollTo(tree.currentIndex(), QAbstractItemView.ScrollHint.EnsureVisible)
        self.press(tree, Qt.Key.Key_Return)
        return self.page(path)

    def to_line(self, editor: QPlainTextEdit, holding: str) -> None:
        """Put the caret at the end of the first line that holds this text, and bring it to the middle."""
        block = editor.document().firstBlock()
        while block.isValid() and holding not in block.text():
            block = block.next()
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        editor.setTextCursor(cursor)
        editor.centerCursor()

    def append(self, path: str, text: str) -> None:
        """Be another program, and write at the end of a file."""
        with (self.root / path).open("a", encoding="utf-8", newline="") as file:
            file.write(text)

    def replace(self, path: str, old: str, new: str) -> None:
        """Be another program, and write other words into a file."""
        file = self.root / path
        file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")

    # Looking -----------------------------------------------------------------------------------------------------

    def picture(self) -> QImage:
        """The window, once two looks at it are the same, with what floats over it."""
        self.until(self._is_told, "the status bar")
        looks = [QImage()]

        def still() -> bool:
            looks.append(self._look().toImage())
            return looks[-1] == looks[-2]

        self.until(still, _("a picture that stands still"), every=_STILL_EVERY_MS)
        return looks[-1]

    def _is_told(self) -> bool:
        """Whether the words of the page in front are counted: the last thing to be known about a page."""
        told = self.window.findChild(QLabel, "statusText")
        nothing_open = self._visible(QPlainTextEdit, "editor") is None
        return nothing_open or told is None or bool(re.match(r"[1-9]", told.text()))

    def _look(self) -> QPixmap:
        made = self.window.grab()
        for floating in self.window.findChildren(QWidget):
            if floating.isWindow() and floating.isVisible():
                _lay_over(made, floating)
        return made


def _lay_over(made: QPixmap, floating: QWidget) -> None:
    """Draw a floating window in the middle, under the title that the desktop would give it."""
    bar = floating.fontMetrics().height() * 2
    place = floating.rect().translated(made.rect().center() - floating.rect().center())
    title = place.adjusted(0, -bar, 0, -place.height())
    painter = QPainter(made)
    painter.fillRect(title, QColor(current().hover))
    painter.setPen(QColor(current().text))
    painter.drawText(title, Qt.AlignmentFlag.AlignCenter, floating.windowTitle())
    painter.drawPixmap(place.topLeft(), floating.grab())
    painter.setPen(QColor(current().border))
    painter.drawRect(place.united(title))
    painter.end()


def rows_of(model: QAbstractItemModel, path: str, line: int | None = None) -> list[QModelIndex]:
    """The rows that stand for the path, and for that line of it where one is named."""
    return [
        index
        for index in _rows(model, QModelIndex())
        if index.data(Qt.ItemDataRole.UserRole) == path and line in (None, index.data(Qt.ItemDataRole.UserRole + 1))
    ]


def _rows(model: QAbstractItemModel, above: QModelIndex) -> Iterator[QModelIndex]:
    if model.canFetchMore(above):
        model.fetchMore(above)
    for number in range(model.rowCount(above)):
        index = model.index(number, 0, above)
        yield index
        yield from _rows(model, index)
