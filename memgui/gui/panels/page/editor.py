"""The text of a page: a plain-text editor that keeps every character, and lets nothing in while it is locked."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QMimeData, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFocusEvent,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from memgui.domain.lines import Lines
from memgui.gui import theme
from memgui.gui.panels.page import keys, marks, painting
from memgui.gui.panels.page.breaks import Breaks, exact, pasted, place, units, whole
from memgui.gui.panels.page.gutter import Gutter
from memgui.gui.panels.page.highlighter import Highlighter
from memgui.i18n import _

_MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_OWN_CONTROL_KEYS = frozenset({Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_V, Qt.Key.Key_X, Qt.Key.Key_Insert})
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class MemoryEditor(QPlainTextEdit):
    """Shows lines and gives them back, each with its own ending. While `locked`, no deed of a person changes them."""

    unspellable = Signal(str)
    """A character that the document's encoding does not have was kept out."""
    refused = Signal()
    """Somebody tried to change locked text."""
    settled = Signal()
    """Composition, drag or menu is over: what was held back may be applied."""
    zoom_requested = Signal(int)
    tab_mode_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("editor")
        self.setAccessibleName(_("Text"))
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.breaks = Breaks(self.document())
        self.highlighter = Highlighter(self.document())
        self.gutter = Gutter(self)
        self._locked = False
        self._codec = "utf-8"
        self._tab_moves_focus = False
        self._composing = False
        self._pointer_down = False
        self._dragging = False
        self._menu_open = False
        self._show_invisibles = True
        self._found: list[QTextEdit.ExtraSelection] = []
        self._marked_line = -1
        self.document().setDocumentMargin(4)
        self.setCenterOnScroll(False)
        self.updateRequest.connect(self._scroll_gutter)
        self.blockCountChanged.connect(self._make_room)
        self.cursorPositionChanged.connect(self._follow_caret)
        theme.theme().changed.connect(self._dress)
        self._dress()

    # Text ------------------------------------------------------------------------------------------------------------

    def show_lines(self, lines: Lines, *, coloured: bool = True) -> None:
        """Show these lines and forget what was there, undo included."""
        self.highlighter.set_enabled(False)
        self.breaks.load(lines)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.highlighter.set_enabled(coloured)

    def lines(self) -> Lines:
        """The text, exactly."""
        return self.breaks.lines()

    def go_to(self, line: int, column: int = 1) -> None:
        """Put the caret there (both count from 1, the column in characters); centred if it was not seen."""
        block = self.document().findBlockByNumber(min(max(line, 1), self.blockCount()) - 1)
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + min(units(block.text()[: max(column, 1) - 1]), block.length() - 1))
        self.setTextCursor(cursor)
        if (
            not self.viewport().rect().contains(self.cursorRect())
            or self.cursorRect().bottom() > self.viewport().height() * 0.9
        ):
            self.centerCursor()

    def set_caret(self, caret: int) -> None:
        """Put the caret after so many characters of the text, each ending counting as one."""
        raw = self.document().toRawText()
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(units(raw[: max(caret, 0)]), max(self.document().characterCount() - 1, 0)))
        self.setTextCursor(cursor)

    def caret(self) -> int:
        """How many characters stand before the caret."""
        return place(self.document().toRawText(), self.textCursor().position())

    # Gate ------------------------------------------------------------------------------------------------------------

    @property
    def locked(self) -> bool:
        """Whether the person's keys, pastes, drops and input methods are refused."""
        return self._locked

    def set_locked(self, locked: bool) -> None:
        """Close or open the one gate by which a person's text comes in."""
        self._locked = locked
        self.setReadOnly(locked)
        if locked:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self.setAcceptDrops(not locked)
        self.setTabChangesFocus(locked or self._tab_moves_focus)

    def set_codec(self, codec: str) -> None:
        """The encoding that the text is written in: what it cannot spell does not come in."""
        self._codec = codec

    def may_put(self, text: str) -> bool:
        """Whether this text may come in: the gate is open, and the document's encoding can spell it."""
        if not self.may_change:
            return False
        try:
            whole(text).encode(self._codec)
        except UnicodeEncodeError as error:
            self.unspellable.emit(error.object[error.start])
            return False
        return True

    @property
    def may_change(self) -> bool:
        """Whether the gate is open; where it is not, this says so to whoever listens."""
        if self._locked:
            self.refused.emit()
        return not self._locked

    def put(self, text: str) -> None:
        """Put text in the place of the selection, as a paste does."""
        if text and self.may_put(text):
            cursor = self.textCursor()
            ending = self.breaks.ending_for_selection(cursor)
            self.breaks.insert(cursor, pasted(text, ending))
            self.setTextCursor(cursor)
            self.ensureCursorVisible()

    @Slot()
    def undo(self) -> None:
        if self.may_change:
            super().undo()

    @Slot()
    def redo(self) -> None:
        if self.may_change:
            super().redo()

    @Slot()
    def cut(self) -> None:
        if self.may_change:
            super().cut()

    @Slot()
    def paste(self) -> None:
        if self.may_change:
            super().paste()

    @Slot(str)
    def insertPlainText(self, text: str) -> None:
        self.put(text)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return not self._locked and source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            self.put(source.text())

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(exact(self.breaks.selected(self.textCursor())))
        return data

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if self._locked:
            if event.commitString():
                self.refused.emit()
            event.ignore()
            return
        committed = event.commitString()
        if committed and not self.may_put(committed):
            event.setCommitString("")
        elif set(committed) & set("\r\n\u2029\ufdd0\ufdd1"):
            event.setCommitString("")
            self.put(committed)
        super().inputMethodEvent(event)
        self._composing = bool(event.preeditString())
        self._tell_settled()

    # Keys ------------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._is_for_the_window(event)
        ):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if modifiers == Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_M:
            self.set_tab_moves_focus(not self._tab_moves_focus)
        elif self._locked:
            if (event.text().isprintable() and event.text() and not modifiers & _MODIFIERS) or key in _ENTER:
                self.refused.emit()
            super().keyPressEvent(event)
        elif event.text().isprintable() and not event.text().isascii() and not self.may_put(event.text()):
            event.accept()
        elif not self._edit_by_key(event, key, modifiers):
            super().keyPressEvent(event)

    def _edit_by_key(self, event: QKeyEvent, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        cursor = self.textCursor()
        if key in _ENTER and not modifiers & _MODIFIERS:
            # With Shift, Qt would put in U+2028, which no other program takes for a new line.
            keys.new_line(cursor, self.breaks, plain=modifiers == Qt.KeyboardModifier.ShiftModifier)
        elif key == Qt.Key.Key_Tab and not modifiers and not self._tab_moves_focus:
            keys.indent(cursor)
        elif key == Qt.Key.Key_Backtab and not self._tab_moves_focus:
            keys.outdent(cursor)
        elif modifiers == Qt.KeyboardModifier.AltModifier and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            keys.move_lines(cursor, self.breaks, down=key == Qt.Key.Key_Down)
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo()
            return True
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.redo()
            return True
        else:
            return False
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        event.accept()
        return True

    def set_tab_moves_focus(self, wanted: bool) -> None:
        """Whether the Tab key leaves the editor instead of typing a tab."""
        if wanted != self._tab_moves_focus:
            self._tab_moves_focus = wanted
            self.setTabChangesFocus(self._locked or wanted)
            self.tab_mode_changed.emit(wanted)

    def _is_for_the_window(self, event: QKeyEvent) -> bool:
        # Qt takes some control keys as its own (Ctrl+K deletes to the end of the line); the window goes first.
        letter = Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z
        return (
            bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            and letter
            and event.key() not in _OWN_CONTROL_KEYS
        )

    # What must not be disturbed ---------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether a change from outside has to wait: an input method composes, a drag goes on, or a menu is open."""
        return self._composing or self._pointer_down or self._dragging or self._menu_open

    def _tell_settled(self) -> None:
        if not self.busy:
            self.settled.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pointer_down = event.button() == Qt.MouseButton.LeftButton
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        # A drag that began here went on inside that call, and swallowed the release.
        if self._pointer_down and not QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self._release()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._release()

    def _release(self) -> None:
        self._pointer_down = False
        self._tell_settled()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        super().dragEnterEvent(event)
        self._dragging = event.isAccepted()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._dragging = False
        self._tell_settled()

    def dropEvent(self, event: QDropEvent) -> None:
        if self._locked:
            self.refused.emit()
            event.ignore()
        else:
            super().dropEvent(event)
        self._dragging = self._pointer_down = False
        self._tell_settled()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.aboutToHide.connect(self._menu_closed)
        self._menu_open = True
        menu.popup(event.globalPos())

    @Slot()
    def _menu_closed(self) -> None:
        self._menu_open = False
        self._tell_settled()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._composing:
            QGuiApplication.inputMethod().commit()
        super().focusOutEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if event.angleDelta().y():
                self.zoom_requested.emit(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    # Looks -----------------------------------------------------------------------------------------------------------

    def set_wrap(self, wrap: bool) -> None:
        """Whether long lines turn at the edge."""
        mode = QPlainTextEdit.LineWrapMode.WidgetWidth if wrap else QPlainTextEdit.LineWrapMode.NoWrap
        self.setLineWrapMode(mode)

    def set_show_invisibles(self, shown: bool) -> None:
        """Whether blanks that look alike are marked. What deceives is marked always."""
        self._show_invisibles = shown
        self.viewport().update()

    def show_found(self, found: list[QTextEdit.ExtraSelection]) -> None:
        """Mark these places as found."""
        self._found = found
        self._mark_current_line()

    def visible_blocks(self, within: QRect | None = None) -> Iterator[tuple[QTextBlock, float, float]]:
        """The lines in sight (of them, those within a rectangle): block, top in the viewport, height."""
        first, last = (within.top(), within.bottom()) if within is not None else (0, self.viewport().height())
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= last:
            height = self.blockBoundingRect(block).height()
            if block.isVisible() and top + height >= first:
                yield block, top, height
            top += height
            block = block.next()

    def flag_of(self, block: QTextBlock) -> str:
        """The sign beside a line that holds hidden characters."""
        return "⚑" if marks.hidden(block.text()) else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painting.paint_marks(self, QPainter(self.viewport()), event.rect(), self._show_invisibles)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_gutter()

    @Slot()
    def _dress(self) -> None:
        self.setFont(theme.theme().mono())
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self._make_room()
        self._mark_current_line()

    @Slot()
    def _make_room(self) -> None:
        self.setViewportMargins(self.gutter.wanted_width(), 0, 0, 0)
        self._place_gutter()

    def _place_gutter(self) -> None:
        box = self.contentsRect()
        self.gutter.setGeometry(QRect(box.left(), box.top(), self.gutter.wanted_width(), self.viewport().height()))

    @Slot(QRect, int)
    def _scroll_gutter(self, box: QRect, by: int) -> None:
        if by:
            self.gutter.scroll(0, by)
        else:
            self.gutter.update(0, box.y(), self.gutter.width(), box.height())

    @Slot()
    def _follow_caret(self) -> None:
        # Within its line the caret changes nothing that is marked; to mark it anew would paint all of the view.
        if self.textCursor().blockNumber() != self._marked_line:
            self._mark_current_line()

    @Slot()
    def _mark_current_line(self) -> None:
        self._marked_line = self.textCursor().blockNumber()
        line = QTextEdit.ExtraSelection()
        line.format.setBackground(QColor(theme.current().current_line))
        line.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        cursor = self.textCursor()
        cursor.clearSelection()
        line.cursor = cursor
        self.setExtraSelections([line, *self._found])
        self.gutter.update()
