"""The view of a rendered page: it shows one document, loads nothing by itself, and tells where its links lead."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QTextBrowser, QWidget

from memgui.gui import theme
from memgui.gui.panels.preview import signs
from memgui.gui.panels.preview.style import Style
from memgui.gui.panels.preview.writer import LINK, Written
from memgui.i18n import _

_LAID_OUT_AT_ONCE = 12_000


class PreviewBrowser(QTextBrowser):
    """Read-only. Its documents hold numbers in the place of targets; `written` knows what they stand for."""

    pointed = Signal(str)
    """The target of the link under the mouse or the keyboard; empty when there is none any more."""
    followed = Signal(str)
    """The target of a link that the person chose."""
    zoom_requested = Signal(int)
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preview")
        self.setAccessibleName(_("Preview"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.written = Written()
        self.pictures: dict[str, QImage] = {}
        self.look = Style(theme.theme())
        self._laid_out = 0
        self._laying_out = QTimer(self, interval=0)
        self._laying_out.timeout.connect(self._lay_out_more)
        self.anchorClicked.connect(self._follow)
        self.highlighted.connect(self._point)

    def show_document(self, document: QTextDocument, written: Written) -> None:
        """Show this in the place of what was shown."""
        self.written = written
        before = self.document()
        # Its first document the view deletes by itself.
        is_own = before.parent() is self and before is not document
        document.setParent(self)
        document.rootFrame().setFrameFormat(self.look.root(self.viewport().width()))
        self.setDocument(document)
        if is_own:
            before.deleteLater()

    def settle(self) -> None:
        """The document is whole: lay it out, a little at a time, so that every place in it is known soon."""
        self._laid_out = 0
        self._laying_out.start()

    @Slot()
    def _lay_out_more(self) -> None:
        self._laid_out += _LAID_OUT_AT_ONCE
        if self._laid_out < self.document().characterCount():
            self.top_of(self._laid_out)
        else:
            self._laying_out.stop()
            self.lay_out()

    def target_of(self, href: str) -> str:
        """What stands behind a link of the document."""
        number = href.removeprefix(LINK)
        return self.written.links[int(number)] if number.isdecimal() and int(number) < len(self.written.links) else ""

    # Nothing is fetched ----------------------------------------------------------------------------------------------

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:  # noqa: ARG002
        """Only what was put into `pictures` exists; there are no files and there is no network."""
        return self.pictures.get(name.toString() if isinstance(name, QUrl) else name, QImage())

    def doSetSource(
        self, name: QUrl | str, kind: QTextDocument.ResourceType = QTextDocument.ResourceType.UnknownResource
    ) -> None:
        """There is nowhere to go."""

    @Slot(QUrl)
    def _follow(self, url: QUrl) -> None:
        if target := self.target_of(url.toString()):
            self.followed.emit(target)

    @Slot(QUrl)
    def _point(self, url: QUrl) -> None:
        self.pointed.emit(self.target_of(url.toString()))

    def focusNextPrevChild(self, next: bool) -> bool:
        stayed = super().focusNextPrevChild(next)
        cursor = self.textCursor()
        cursor.setPosition(cursor.selectionEnd())
        self.pointed.emit(self.target_of(cursor.charFormat().anchorHref()) if stayed else "")
        return stayed

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.pointed.emit("")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        href = self.anchorAt(event.position().toPoint())
        self.viewport().setToolTip(self.target_of(href)[:2000] if href else "")

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        text = self.textCursor().selectedText().replace("\ufffc", "")
        data.setText(text.translate({0x2029: "\n", 0x2028: "\n", 0xFDD0: "\n", 0xFDD1: "\n"}))
        return data

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu(QPoint(-1, -1))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        href = self.anchorAt(event.pos())
        if href:
            copy = menu.addAction(_("Copy link target"))
            copy.setData(self.target_of(href))
            copy.triggered.connect(self._copy_target)
        menu.popup(event.globalPos())

    @Slot()
    def _copy_target(self) -> None:
        sender = self.sender()
        target = sender.property("data") if sender is not None else None
        if isinstance(target, str):
            QApplication.clipboard().setText(target)

    # Places ----------------------------------------------------------------------------------------------------------

    def top_of(self, position: int) -> float:
        """How far down the document a character stands."""
        block = self.document().findBlock(position)
        return self.document().documentLayout().blockBoundingRect(block).top() if block.isValid() else 0.0

    def position_at(self, y: float) -> int:
        """The character that stands so far down."""
        layout = self.document().documentLayout()
        return max(0, layout.hitTest(QPointF(self.viewport().width() / 2, y), Qt.HitTestAccuracy.FuzzyHit))

    @property
    def is_at_end(self) -> bool:
        """Whether the last of the document is in sight, be it laid out already or not."""
        bar = self.verticalScrollBar()
        if bar.value() <= 0 or bar.value() < bar.maximum():
            return False
        self.lay_out()
        return bar.value() >= bar.maximum()

    def lay_out(self) -> None:
        """Lay out all of the document now. Qt does it bit by bit, and tells the scroll bar of it later still."""
        self.document().pageCount()
        height = math.ceil(self.document().size().height()) - self.viewport().height()
        self.verticalScrollBar().setMaximum(max(0, height))

    def visible_blocks(self, within: QRectF) -> Iterator[tuple[QTextBlock, QRectF]]:
        """The blocks between the upper and the lower edge of a rectangle of the document."""
        layout = self.document().documentLayout()
        block = self.document().findBlock(self.position_at(max(0.0, within.top())))
        # A hit between blocks may be the one below.
        for _step in range(2):
            block = block.previous() if block.isValid() and block.previous().isValid() else block
        while block.isValid():
            box = layout.blockBoundingRect(block)
            if box.top() > within.bottom():
                return
            yield block, box
            block = block.next()

    # Looks -----------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self.document().rootFrame().setFrameFormat(self.look.root(self.viewport().width()))
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shift = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        painter.translate(-shift)
        for block, box in self.visible_blocks(QRectF(event.rect()).translated(shift)):
            signs.paint(painter, self.document(), block, box, self.look)
        if self.document().isEmpty():
            root = self.document().rootFrame().frameFormat()
            painter.setFont(theme.theme().font())
            painter.setPen(QColor(theme.current().muted))
            place = QRectF(root.leftMargin(), root.topMargin(), self.viewport().width(), painter.fontMetrics().height())
            painter.drawText(place, _("Nothing is written here yet."))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if event.angleDelta().y():
                self.zoom_requested.emit(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)
