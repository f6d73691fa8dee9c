"""Where things stand: splitters with a thin line, boxes without margins, the centred page of an empty place."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QSplitterHandle,
    QVBoxLayout,
    QWidget,
)

from memgui.gui import icons
from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.theme import current, theme


class Splitter(QSplitter):
    """Panes parted by one thin line; the mouse may take it from a few pixels beside."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        return _Line(self.orientation(), self)


class _Line(QSplitterHandle):
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        colours = current()
        QPainter(self).fillRect(self.rect(), QColor(colours.focus if self.underMouse() else colours.hairline))


class HairLine(QWidget):
    """A quiet line across a panel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        QPainter(self).fillRect(self.rect(), QColor(current().hairline))


def column(
    parent: QWidget | None = None, *, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 0
) -> QVBoxLayout:
    """A column without the style's own margins."""
    made = QVBoxLayout() if parent is None else QVBoxLayout(parent)
    _plain(made, margins, gap)
    return made


def row(
    parent: QWidget | None = None, *, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 0
) -> QHBoxLayout:
    """A row without the style's own margins."""
    made = QHBoxLayout() if parent is None else QHBoxLayout(parent)
    _plain(made, margins, gap)
    return made


def _plain(box: QBoxLayout, margins: tuple[int, int, int, int], gap: int) -> None:
    box.setContentsMargins(*margins)
    box.setSpacing(gap)


class EmptyState(QWidget):
    """An icon, a title, a sentence, and buttons for what to do next. `chosen` names the button."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = QLabel(self)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._icon = "folder"
        self._title = ThemedLabel("", self, scale=1.25, bold=True)
        self._text = ThemedLabel("", self, colour="muted")
        for label in (self._title, self._text):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._buttons = row(gap=8)
        box = column(self, margins=(20, 20, 20, 20), gap=8)
        box.addStretch(2)
        for widget in (self._picture, self._title, self._text):
            box.addWidget(widget)
        box.addSpacing(8)
        box.addLayout(self._buttons)
        box.addStretch(3)
        self._dress()
        theme().changed.connect(self._dress)

    def show_state(self, *, icon: str, title: str, text: str, buttons: Iterable[tuple[str, str]] = ()) -> None:
        """Say what is missing and why; `buttons` are (name, words), the first the obvious one.

        Without an icon and a title it is one quiet sentence.
        """
        self._icon = icon
        self._picture.setVisible(bool(icon))
        self._title.setVisible(bool(title))
        self._title.setText(title)
        self._text.setText(text)
        while item := self._buttons.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        self._buttons.addStretch(1)
        for number, (name, words) in enumerate(buttons):
            button = QPushButton(words, self)
            button.setObjectName(name)
            button.setAccessibleName(words)
            button.setProperty("primary", number == 0)
            button.clicked.connect(self._choose)
            self._buttons.addWidget(button)
        self._buttons.addStretch(1)
        self._dress()

    def title(self) -> str:
        """The title shown."""
        return self._title.text()

    @Slot()
    def _choose(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.chosen.emit(sender.objectName())

    @Slot()
    def _dress(self) -> None:
        if self._icon:
            self._picture.setPixmap(icons.pixmap(self._icon, theme().px(36), self.devicePixelRatioF(), "muted"))


def on_a_screen(wanted: QRect, smallest: QSize) -> QRect:
    """The rectangle moved and cut so that all of it lies on the screen it mostly stood on, or on the first."""
    screen = QGuiApplication.screenAt(wanted.center()) or QGuiApplication.primaryScreen()
    room = screen.availableGeometry()
    size = wanted.size().boundedTo(room.size()).expandedTo(smallest.boundedTo(room.size()))
    left = min(max(wanted.left(), room.left()), room.right() + 1 - size.width())
    top = min(max(wanted.top(), room.top()), room.bottom() + 1 - size.height())
    return QRect(QPoint(left, top), size)
