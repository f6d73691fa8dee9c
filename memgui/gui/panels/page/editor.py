"""The text of a page: a plain-text editor that keeps every character, and lets nothing in while it is locked."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal, Slot
from PySide6.QtGui import (
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
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from memgui.gui.panels.page import keys
from memgui.gui.panels.page.breaks import exact, pasted, whole
from memgui.gui.panels.page.view import TextView

_MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_OWN_CONTROL_KEYS = frozenset({Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_V, Qt.Key.Key_X, Qt.Key.Key_Insert})
NUL = "\0"
"""By this character everybody tells binary bytes from text: a file that got one could not be edited any more."""
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class MemoryEditor(TextView):
    """Shows lines and gives them back, each with its own ending. While `locked`, no deed of a person changes them."""

    unspellable = Signal(str)
    """A character that the document's encoding does not have, or NUL, was kept out."""
    refused = Signal()
    """Somebody tried to change locked text."""
    settled = Signal()
    """Composition, drag or menu is over: what was held back may be applied."""
    zoom_requested = Signal(int)
    tab_mode_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._locked = False
        self._codec = "utf-8"
        self._tab_moves_focus = False
        self._composing = False
        self._pointer_down = False
        self._dragging = False
        self._menu_open = False

    # Gate ------------------------------------------------------------------------------------------------------------

    @property
    def locked(self) -> bool:
        """Whether the person's keys, pastes, drops and input methods are refused."""
        return self._locked

    def set_locked(self, locked: bool) -> None:
        """Close or open the one gate by which a person's text comes in."""
        if locked == self._locked and locked == self.isReadOnly():
            return
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
        """Whether this text may come in: the gate is open, and it stays text that the document's encoding can spell."""
        if not self.may_change:
            return False
        if NUL in text:
            self.unspellable.emit(NUL)
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
        """Put text in the place of the selection, as a paste does. NULs are left out, and this is said."""
        if NUL in text and self.may_change:
            self.unspellable.emit(NUL)
            text = text.replace(NUL, "")
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

    @Slot(str)
    def appendPlainText(self, text: str) -> None:
        self.moveCursor(QTextCursor.MoveOperation.End)
        self.put(f"\n{text}" if self.document().characterCount() > 1 else text)

    @Slot(str)
    def setPlainText(self, text: str) -> None:
        if self.may_put(text):
            self.selectAll()
            self.textCursor().removeSelectedText()
            self.put(text)

    @Slot()
    def clear(self) -> None:
        self.setPlainText("")

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
        if _brings_files(event.mimeData()):
            # Not text to type here: the window opens them.
            event.ignore()
            return
        super().dragEnterEvent(event)
        self._dragging = event.isAccepted()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._dragging = False
        self._tell_settled()

    def dropEvent(self, event: QDropEvent) -> None:
        if _brings_files(event.mimeData()):
            event.ignore()
        elif self._locked:
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


def _brings_files(data: QMimeData) -> bool:
    return any(url.isLocalFile() for url in data.urls())
