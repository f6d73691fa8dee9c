"""What stands over a checklist: how much is done, what is shown, and whether the agent will run it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from memgui.domain.heartbeat import Checklist
from memgui.domain.heartbeat_run import Verdict
from memgui.gui import icons
from memgui.gui.kit.buttons import IconButton, SideTab
from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import HairLine, column, row
from memgui.gui.theme import current, theme
from memgui.i18n import _, ngettext


class Header(QWidget):
    """Facts about a checklist, and the choice between all items and the open ones."""

    filter_chosen = Signal(bool)
    """Whether only open items are wanted."""
    add_chosen = Signal()
    source_chosen = Signal()
    """The person wants the source away, or back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count = ThemedLabel("", self, bold=True)
        self._count.setObjectName("heartbeatCount")
        self._bar = ProgressLine(self)
        self._all, self._open = SideTab(_("All"), self), SideTab(_("Open"), self)
        self._all.setChecked(True)
        for tab, name in ((self._all, "heartbeatAll"), (self._open, "heartbeatOpen")):
            tab.setObjectName(name)
            tab.setToolTip(_("Show all items, or the open ones alone  (F)"))
            tab.clicked.connect(self._choose)
        self._add = IconButton("plus", _("Add an item  (Insert)"), self)
        self._add.setObjectName("heartbeatAdd")
        self._add.setAccessibleName(_("Add an item"))
        self._add.clicked.connect(self.add_chosen)
        self._source = IconButton("text", _("Show or hide the source"), self)
        self._source.setObjectName("heartbeatSource")
        self._source.setCheckable(True)
        self._source.clicked.connect(self.source_chosen)
        self._sign = QLabel(self)
        self._why = ThemedLabel("", self, colour="muted", scale=0.92)
        self._why.setObjectName("heartbeatWhy")
        self._why.setWordWrap(True)
        why = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        why.setHeightForWidth(True)
        self._why.setSizePolicy(why)
        self._runs = False
        self._build()
        self._dress()
        theme().changed.connect(self._dress)

    def _build(self) -> None:
        box = column(self)
        self._top = row(gap=2)
        self._top.addWidget(self._count, 1)
        for widget in (self._all, self._open, self._source, self._add):
            self._top.addWidget(widget)
        self._below = row(gap=8)
        self._below.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self._below.addWidget(self._why, 1)
        box.addLayout(self._top)
        box.addWidget(self._bar)
        box.addLayout(self._below)
        box.addWidget(HairLine(self))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_facts(self, checklist: Checklist, verdict: Verdict) -> None:
        """Tell how far it is, and what the agent will do."""
        boxes, done = checklist.boxes, checklist.done
        if boxes:
            words = _("{done} of {count} done").format(done=done, count=boxes)
        else:
            count = len(checklist.items)
            words = ngettext("{count} item", "{count} items", count).format(count=count) if count else _("No items")
        if self._count.text() != words:
            self._count.setText(words)
        self._bar.show_share(done / boxes if boxes else 0.0, words)
        self._bar.setVisible(bool(boxes))
        left = boxes - done
        self._open.setText(_("Open {count}").format(count=left) if boxes else _("Open"))
        self._open.setAccessibleName(ngettext("{count} open item", "{count} open items", left).format(count=left))
        self._open.updateGeometry()
        if self._why.text() != verdict.sentence or self._runs != verdict.runs:
            self._runs = verdict.runs
            self._why.setText(verdict.sentence)
            self._dress_sign()

    def show_filter(self, *, open_only: bool) -> None:
        """Which of the two is chosen."""
        (self._open if open_only else self._all).setChecked(True)

    def show_source(self, *, shown: bool) -> None:
        """Whether the source is beside it."""
        self._source.setChecked(shown)

    @Slot()
    def _choose(self) -> None:
        self.filter_chosen.emit(self._open.isChecked())

    def _dress_sign(self) -> None:
        name = "heartbeat" if self._runs else "paused"
        self._sign.setPixmap(icons.pixmap(name, theme().px(16), self.devicePixelRatioF(), "muted"))

    @Slot()
    def _dress(self) -> None:
        edge = theme().px(14)
        self._top.setContentsMargins(edge, theme().px(4), theme().px(8), theme().px(2))
        self._below.setContentsMargins(edge, theme().px(8), edge, theme().px(9))
        self._dress_sign()


class ProgressLine(QWidget):
    """A thin line, filled as far as things are done."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = 0.0
        self._dress()
        theme().changed.connect(self._dress)

    def show_share(self, share: float, words: str) -> None:
        """Fill it so far; `words` say the same."""
        self.setToolTip(words)
        if share != self._share:
            self._share = share
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        colours, edge, high = current(), theme().px(14), theme().px(4)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(edge, (self.height() - high) / 2, max(self.width() - 2 * edge, 0), high)
        painter.setBrush(QColor(colours.pressed))
        painter.drawRoundedRect(whole, high / 2, high / 2)
        if self._share:
            painter.setBrush(QColor(colours.button))
            whole.setWidth(max(whole.width() * self._share, high))
            painter.drawRoundedRect(whole, high / 2, high / 2)

    @Slot()
    def _dress(self) -> None:
        self.setFixedHeight(theme().px(6))
        self.update()
