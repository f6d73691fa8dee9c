"""Pills: a sentence and a deed, in the layout. They take no focus and go by themselves, but never at once."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QEnterEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from memgui.gui.theme import theme
from memgui.i18n import _

SHORTEST_LIFE_MS = 5_000
_LIFE_MS = 8_000
_NARROW = 420


class Notice(QWidget):
    """One pill. A `lasting` one stays until somebody acts; others five seconds or more, longer under the pointer."""

    acted = Signal(object)
    dismissed = Signal(object)
    more_wanted = Signal(object)

    def __init__(
        self,
        kind: str,
        text: str,
        action: str = "",
        *,
        more: str = "",
        dismissal: str = "",
        lasting: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setProperty("kind", kind)
        self.setAccessibleName(text)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.kind = kind
        self._text = QLabel(text, self)
        self._text.setObjectName("noticeText")
        self._text.setAccessibleName(text)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        room = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        room.setHeightForWidth(True)
        self._text.setSizePolicy(room)
        self._action = self._button("noticeAction", action)
        self._action.setProperty("flat", False)
        self._action.setVisible(bool(action))
        self._dismiss = self._button("noticeDismiss", dismissal or _("Dismiss"))
        self._action.clicked.connect(self._act)
        self._dismiss.clicked.connect(self._go)
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        buttons.addStretch(1)
        if more:
            button = self._button("noticeMore", more)
            button.clicked.connect(self._want_more)
            buttons.addWidget(button)
        buttons.addWidget(self._action)
        buttons.addWidget(self._dismiss)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._parts.setContentsMargins(18, 5, 6, 5)
        self._parts.setSpacing(4)
        self._parts.addWidget(self._text, 1)
        self._parts.addLayout(buttons)
        self._paused = False
        self._life = QTimer(self)
        self._life.setSingleShot(True)
        self._life.setInterval(max(SHORTEST_LIFE_MS, _LIFE_MS))
        self._life.timeout.connect(self._go)
        self.deed = action
        self.lasting = lasting
        self.born = time.monotonic()
        if not lasting:
            self._life.start()

    @property
    def text(self) -> str:
        """The sentence."""
        return self._text.text()

    @property
    def dismissal(self) -> str:
        """What its other button says."""
        return self._dismiss.text()

    def show_key(self, key: str) -> None:
        """Show the key that does its deed; empty: it does that of another pill, or of none."""
        self._action.setText(f"{self.deed} ({key})" if key and self.deed else self.deed)

    @Slot()
    def act(self) -> None:
        """Do what it offers."""
        if self.deed:
            self._act()

    @Slot()
    def dismiss(self) -> None:
        """Put it away."""
        self._go()

    def retell(self, text: str) -> None:
        """Say something newer in the same pill."""
        self._text.setText(text)
        self._text.setAccessibleName(text)
        self.setAccessibleName(text)
        if self._life.isActive():
            self._life.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Where it is narrow, the buttons would leave the sentence no room beside them.
        narrow = self.width() < theme().px(_NARROW)
        self._parts.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._paused = self._life.isActive()
        self._life.stop()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._paused:
            self._life.start()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.palette().color(QPalette.ColorRole.Dark))
        painter.setBrush(self.palette().color(QPalette.ColorRole.ToolTipBase))
        radius = theme().px(8)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.palette().color(QPalette.ColorRole.Accent)))
        painter.drawRoundedRect(7, 9, 3, self.height() - 18, 1.5, 1.5)

    def _button(self, name: str, words: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.setProperty("flat", True)
        # A pill must not take the keyboard from the text; it is reached by the pointer and by its entry in the palette.
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    @Slot()
    def _act(self) -> None:
        self._life.stop()
        self.acted.emit(self)

    @Slot()
    def _want_more(self) -> None:
        if self._life.isActive():
            self._life.start()
        self.more_wanted.emit(self)

    @Slot()
    def _go(self) -> None:
        self._life.stop()
        self.dismissed.emit(self)


class Notices(QWidget):
    """A column of pills: one per kind, the newest below. `acted`, `dismissed` and `more_wanted` name the kind."""

    acted = Signal(str)
    dismissed = Signal(str)
    more_wanted = Signal(str)
    changed = Signal()
    """There is another pill, or one less."""
    told = Signal(str, str, bool)
    """Kind and sentence of a pill, and whether it is a new one: for whoever keeps what went by."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(10, 6, 10, 6)
        self._box.setSpacing(4)
        self._pills: dict[str, Notice] = {}
        self.hide()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds now shown."""
        return tuple(self._pills)

    @property
    def pills(self) -> tuple[Notice, ...]:
        """The pills now shown, the oldest first."""
        return tuple(self._pills.values())

    def tell(
        self, kind: str, text: str, action: str = "", *, more: str = "", dismissal: str = "", lasting: bool = False
    ) -> Notice:
        """Show a pill, or say it anew in the one that is there. `dismissal`: what putting it away is called."""
        pill = self._pills.get(kind)
        if pill is not None:
            pill.retell(text)
            self.told.emit(kind, text, False)
            return pill
        pill = Notice(kind, text, action, more=more, dismissal=dismissal, lasting=lasting, parent=self)
        pill.acted.connect(self._act)
        pill.more_wanted.connect(self._tell_more)
        pill.dismissed.connect(self._go)
        self._pills[kind] = pill
        self._box.addWidget(pill)
        pill.show()
        self.show()
        self.changed.emit()
        self.told.emit(kind, text, True)
        return pill

    def withdraw(self, kind: str) -> None:
        """Take away the pill of that kind: it no longer holds."""
        pill = self._pills.pop(kind, None)
        if pill is not None:
            pill.hide()
            self._box.removeWidget(pill)
            pill.deleteLater()
        self.setVisible(bool(self._pills))
        if pill is not None:
            self.changed.emit()

    @Slot(object)
    def _act(self, pill: Notice) -> None:
        self.withdraw(pill.kind)
        self.acted.emit(pill.kind)

    @Slot(object)
    def _tell_more(self, pill: Notice) -> None:
        self.more_wanted.emit(pill.kind)

    @Slot(object)
    def _go(self, pill: Notice) -> None:
        self.withdraw(pill.kind)
        self.dismissed.emit(pill.kind)
