"""The side panel beside the middle; where the window is narrow, the side panel lies over the middle as a drawer."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from memgui.gui.kit.layout import Splitter, column
from memgui.gui.theme import current, theme

NARROW = 700
_NARROWEST_SIDE, _WIDEST_SIDE = 200, 640


class DrawerEdge(QWidget):
    """Where the drawer ends: a line, and a shadow on what lies below it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(12), 0)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        from PySide6.QtGui import QLinearGradient

        painter, dark = QPainter(self), current().dark
        shadow = QLinearGradient(QPointF(0, 0), QPointF(self.width(), 0))
        shadow.setColorAt(0, QColor(0, 0, 0, 110 if dark else 45))
        shadow.setColorAt(1, QColor(0, 0, 0, 0))
        painter.fillRect(self.rect(), shadow)
        painter.fillRect(0, 0, 1, self.height(), QColor(current().border))


class Frame(QWidget):
    """A side panel and a middle. `side_shown_changed` tells when the side panel came or went, for whatever reason."""

    side_shown_changed = Signal(bool)
    resized = Signal()

    def __init__(self, side: QWidget, middle: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._side, self._middle = side, middle
        self._narrow = False
        self._wanted = True
        self._side_width = theme().px(292)
        self._laid_out = False
        self._splitter = Splitter(Qt.Orientation.Horizontal, self)
        side.setMinimumWidth(_NARROWEST_SIDE)
        side.setMaximumWidth(_WIDEST_SIDE)
        side.setAutoFillBackground(True)
        self._splitter.addWidget(side)
        self._splitter.addWidget(middle)
        self._splitter.setStretchFactor(0, 0)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.splitterMoved.connect(self._remember_width)
        self._edge = DrawerEdge(self)
        self._edge.hide()
        column(self).addWidget(self._splitter)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._close_drawer_behind)

    @property
    def is_narrow(self) -> bool:
        """Whether the side panel is a drawer now."""
        return self._narrow

    @property
    def side_shown(self) -> bool:
        """Whether the side panel can be seen (or could, were the window shown)."""
        return not self._side.isHidden()

    @property
    def side_wanted(self) -> bool:
        """Whether the side panel is shown where there is room for it."""
        return self._wanted

    @property
    def side_width(self) -> int:
        """How wide the side panel is beside the middle."""
        return self._side_width

    def show_side(self, shown: bool) -> None:
        """Show or hide the side panel; the keyboard goes to the middle if it was in what is hidden."""
        if not self._narrow:
            self._wanted = shown
        focus = QApplication.focusWidget()
        held_focus = focus is not None and self._side.isAncestorOf(focus)
        self._set_side_visible(shown)
        if self._narrow and shown:
            self._place_drawer()
            self._side.setFocus(Qt.FocusReason.OtherFocusReason)
        if not shown and held_focus:
            self._middle.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_side_width(self, width: int) -> None:
        """Give the side panel a width; the middle takes the rest."""
        self._side_width = min(max(width, _NARROWEST_SIDE), _WIDEST_SIDE)
        if not self._narrow:
            self._splitter.setSizes([self._side_width, max(1, self.width() - self._side_width)])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        if narrow != self._narrow:
            self._narrow = narrow
            if narrow:
                self._side.setParent(self)
                self._set_side_visible(False)
            else:
                self._edge.hide()
                self._splitter.insertWidget(0, self._side)
                self._set_side_visible(self._wanted)
                self.set_side_width(self._side_width)
        elif not narrow and not self._laid_out:
            # The splitter shares its room by the hints of its panes until it is told otherwise.
            self._laid_out = True
            self.set_side_width(self._side_width)
        if narrow and self.side_shown:
            self._place_drawer()
        self.resized.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._narrow and self.side_shown:
            self.show_side(False)
            return
        super().keyPressEvent(event)

    @Slot()
    def _remember_width(self) -> None:
        self._side_width = self._splitter.sizes()[0]

    @Slot(QWidget, QWidget)
    def _close_drawer_behind(self, old: QWidget | None, new: QWidget | None) -> None:  # noqa: ARG002
        if self._narrow and self.side_shown and new is not None and self._middle.isAncestorOf(new):
            self.show_side(False)

    def _set_side_visible(self, visible: bool) -> None:
        self._side.setVisible(visible)
        self._edge.setVisible(visible and self._narrow)
        self.side_shown_changed.emit(visible)

    def _place_drawer(self) -> None:
        self._side.setGeometry(
            0, 0, min(max(theme().px(320), _NARROWEST_SIDE), round(self.width() * 0.86)), self.height()
        )
        self._side.raise_()
        self._edge.setGeometry(self._side.width(), 0, self._edge.sizeHint().width(), self.height())
        self._edge.raise_()
