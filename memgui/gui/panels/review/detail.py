"""One change in full: what it is and why it stands first, its text, and the buttons that decide it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from memgui.domain.paths import name_of, parent_of, shown
from memgui.domain.review import ChangeShape, Hunk, PendingChange, ShownChange
from memgui.gui.kit.buttons import IconButton
from memgui.gui.kit.key_button import KeyButton
from memgui.gui.kit.labels import ElidedLabel, ThemedLabel
from memgui.gui.kit.layout import HairLine, column, row
from memgui.gui.kit.strip import Strip
from memgui.gui.models.review_model import kind_words, lines_words, moment_words, who_words
from memgui.gui.panels.review.editing import HunkEditor
from memgui.gui.panels.review.wishes import ReviewDifference, difference_of
from memgui.i18n import _


class ChangeDetail(QWidget):
    """Shows a `ShownChange`. What the buttons wish is the panel's to tell: it connects to them by name."""

    edited = Signal(object, str)
    """`Hunk`, and the person's own text for it."""
    hunk_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reviewDetail")
        self.setProperty("pane", True)
        self.shown: ShownChange | None = None
        self._later: ShownChange | None = None
        self._editor: HunkEditor | None = None
        self._decided: set[str] = set()
        self._build_head()
        self._reasons = _Reasons(self)
        self.view = ReviewDifference(self)
        self.view.setObjectName("reviewDiff")
        self.view.setAccessibleName(_("Text of the change"))
        self.view.part_chosen.connect(self._tell_hunk)
        self.note = ThemedLabel("", self, colour="muted", scale=0.92)
        self.note.setObjectName("reviewNote")
        self.note.setWordWrap(True)
        self.note.setContentsMargins(12, 6, 12, 6)
        self.note.hide()
        box = column(self)
        box.addWidget(self._head)
        box.addWidget(HairLine(self))
        box.addWidget(self._reasons)
        box.addWidget(self.note)
        box.addWidget(self.view, 1)
        box.addWidget(HairLine(self))
        box.addWidget(self._build_buttons())
        self.clear()

    def _build_head(self) -> None:
        self._head = QWidget(self)
        self._name = ElidedLabel("", self._head, scale=1.1)
        self._name.setObjectName("reviewName")
        self._what = ElidedLabel("", self._head, colour="muted", scale=0.9, mode=Qt.TextElideMode.ElideRight)
        self._what.setObjectName("reviewWhat")
        self.history = IconButton("clock", _("History of the file (H)"), self._head)
        self.open = IconButton("document", _("Open the file at this place (Enter)"), self._head)
        self.open.setObjectName("reviewOpen")
        self.open.setAccessibleName(_("Open the file at this place"))
        self.history.setObjectName("reviewHistory")
        self.history.setAccessibleName(_("History of the file"))
        names = column(gap=1)
        names.addWidget(self._name)
        names.addWidget(self._what)
        box = row(self._head, margins=(12, 7, 8, 7), gap=4)
        box.addLayout(names, 1)
        box.addWidget(self.history)
        box.addWidget(self.open)

    def _build_buttons(self) -> QWidget:
        strip = QWidget(self)
        self.accept = KeyButton("acceptButton", _("Accept"), strip, tip=_("Keep this change: it counts as accepted"))
        self.accept.setProperty("primary", True)
        self.edit = KeyButton("reviewEditButton", _("Edit"), strip, tip=_("Put your own text in its place"))
        self.skip = KeyButton("skipButton", _("Skip"), strip, tip=_("To the next change, deciding nothing"))
        self.reject = KeyButton("rejectButton", _("Reject"), strip, tip=_("Take this change out of the file again"))
        self.accept_file = KeyButton(
            "acceptFileButton", _("Accept file"), strip, tip=_("Accept all changes of this file")
        )
        self.reject_file = KeyButton(
            "rejectFileButton", _("Reject file"), strip, tip=_("Put the file back as accepted")
        )
        self.put_back = KeyButton(
            "putBackButton", _("Put lost lines back"), strip, tip=_("Put the lost lines back, keep the new ones")
        )
        self._of_the_file = QWidget(strip)
        first, second = row(gap=6), row(self._of_the_file, gap=6)
        for button in (self.accept, self.edit, self.skip):
            first.addWidget(button)
        first.addStretch(1)
        first.addWidget(self.reject)
        second.addWidget(self.accept_file)
        second.addWidget(self.put_back)
        second.addStretch(1)
        second.addWidget(self.reject_file)
        box = column(strip, margins=(12, 8, 12, 8), gap=6)
        box.addLayout(first)
        box.addWidget(self._of_the_file)
        return strip

    def show_low(self, low: bool) -> None:
        """Where there is little height, the text comes first: what acts on the file is left to keys and the menu."""
        self._of_the_file.setVisible(not low)
        self._what.setVisible(not low)

    @property
    def buttons(self) -> tuple[KeyButton, ...]:
        """Those that act on the change, and that need one."""
        return (self.accept, self.edit, self.skip, self.reject, self.accept_file, self.reject_file, self.put_back)

    # What it shows -----------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Show nothing: another change is on its way, or there is none."""
        self.close_editor()
        self.shown = self._later = None
        self._decided.clear()
        self.view.clear()
        self.note.hide()
        self._reasons.hide()
        self._refresh()

    def announce_change(self, change: PendingChange) -> None:
        """Name the change whose text is on its way."""
        folder = shown(parent_of(change.path))
        name = shown(name_of(change.path))
        self._name.setText(f"{name}  ·  {folder}" if folder else name)
        said = [kind_words(change), lines_words(change), who_words(change), moment_words(change.since)]
        self._what.setText(" · ".join(part for part in said if part))
        self._reasons.show_reasons(change)

    def show_change(self, shown_change: ShownChange, waiting: Sequence[Hunk] = ()) -> None:
        """Show the text of a change; of one that is read already, what it is now, where one is in it."""
        if self._editor is not None and self.shown is not None and self.shown.path == shown_change.path:
            # What is being typed belongs to the hunk as it was; it finds its place by itself when it is saved.
            self._later = shown_change
            return
        again = self.shown is not None and self.shown.path == shown_change.path
        chosen = self._counterpart(shown_change) if again else None
        self.shown = shown_change
        self._decided = {one.id for one in shown_change.hunks if any(_are_alike(one, other) for other in waiting)}
        self.announce_change(shown_change.change)
        self.note.setText(shown_change.note)
        self.note.setVisible(bool(shown_change.note))
        self.view.show_difference(difference_of(shown_change), keep_place=again, chosen=chosen)
        self._refresh()

    def _counterpart(self, newer: ShownChange) -> str | None:
        """The hunk of the newer text that is the chosen one of the older: alike, else the one in its place."""
        old = self.hunk
        if old is None or not newer.hunks:
            return None
        alike = [one for one in newer.hunks if _are_alike(one, old)]
        if alike:
            return min(alike, key=lambda one: abs(one.new_start - old.new_start)).id
        left = [one for one in newer.hunks if one.new_start >= old.new_start]
        return (left[0] if left else newer.hunks[-1]).id

    @property
    def hunk(self) -> Hunk | None:
        """The chosen hunk; the first where none is."""
        hunks = self.shown.hunks if self.shown is not None else ()
        return next((one for one in hunks if one.id == self.view.part), hunks[0] if hunks else None)

    def decide(self, hunk: Hunk) -> None:
        """A verdict on this hunk is on its way: choose the next one that none is asked for."""
        self._decided.add(hunk.id)
        left = self.undecided
        after = [one for one in left if one.number > hunk.number]
        if left:
            self.view.choose_part(next(iter(after or left)).id)
        self._refresh()

    @property
    def undecided(self) -> tuple[Hunk, ...]:
        """The hunks that no verdict is on its way for."""
        hunks = self.shown.hunks if self.shown is not None else ()
        return tuple(hunk for hunk in hunks if hunk.id not in self._decided)

    def undecide(self) -> None:
        """What was asked for did not come about."""
        self._decided.clear()
        self._refresh()

    @property
    def waits(self) -> bool:
        """Whether the chosen hunk has a verdict on its way already, or there is none to decide."""
        hunk = self.hunk
        return hunk is None or hunk.id in self._decided

    @Slot(object)
    def _tell_hunk(self, hunk: str | None) -> None:
        self._refresh()
        self.hunk_chosen.emit(hunk)

    def _refresh(self) -> None:
        shown_change = self.shown
        self.view.note_parts(dict.fromkeys(self._decided, _("decided, on its way")))
        for button in self.buttons:
            button.setEnabled(shown_change is not None and not self.is_editing)
        self.open.setEnabled(shown_change is not None)
        self.history.setEnabled(shown_change is not None)
        if shown_change is None:
            self.put_back.hide()
            return
        change = shown_change.change
        for button in (self.accept, self.reject):
            button.setEnabled(not self.waits and not self.is_editing)
        self.edit.setEnabled(self.can_edit)
        deleted = change.kind is ChangeShape.DELETE
        self.put_back.setVisible(self.can_put_back)
        self.accept.setText(_("Accept deletion") if deleted else _("Accept"))
        self.reject.setText(_("Restore") if deleted else _("Reject"))
        for button in (self.accept_file, self.reject_file):
            button.setVisible(not deleted or change.held)

    @property
    def can_put_back(self) -> bool:
        """Whether lines were lost that can come back beside the new ones."""
        if self.shown is None or self.shown.change.held or self.shown.change.kind is ChangeShape.DELETE:
            return False
        return any(hunk.lost for hunk in self.shown.hunks)

    @property
    def can_edit(self) -> bool:
        """Whether the chosen hunk can be edited where it stands."""
        hunk = self.hunk
        if self.shown is None or hunk is None or hunk.whole:
            return False
        is_there = not self.shown.change.held and self.shown.change.disk is not None
        return is_there and not self.waits and not self.is_editing

    # Editing in place --------------------------------------------------------------------------------------------

    def begin_edit(self) -> None:
        """Put a field in the place of the chosen hunk's new lines."""
        hunk = self.hunk
        if hunk is None or not self.can_edit:
            return
        editor = HunkEditor(hunk)
        editor.saved.connect(self._save_edit)
        editor.cancelled.connect(self.close_editor)
        editor.grew.connect(self._grow)
        self._editor = editor
        self.view.open_editor(hunk.id, editor)
        editor.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._refresh()

    @property
    def is_editing(self) -> bool:
        """Whether the field is open."""
        return self._editor is not None

    @Slot(str)
    def _save_edit(self, text: str) -> None:
        if self._editor is not None:
            hunk = self._editor.hunk
            self.close_editor()
            self.edited.emit(hunk, text)

    @Slot()
    def close_editor(self) -> None:
        """Take the field away; the lines are shown as they are by now."""
        if self._editor is None:
            return
        self._editor = None
        self.view.close_editor()
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        later, self._later = self._later, None
        self._refresh()
        if later is not None:
            self.show_change(later)

    @Slot()
    def _grow(self) -> None:
        if self._editor is not None:
            self.view.resize_editor(self._editor.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow()


def _are_alike(one: Hunk, other: Hunk) -> bool:
    return (one.removed, one.added) == (other.removed, other.added)


class _Reasons(Strip):
    """Why a change stands before all others, in words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tone="warning")
        self.setObjectName("reviewReasons")
        self._text = ThemedLabel("", self, colour="warning")
        self._text.setObjectName("reviewReasonsText")
        self._text.setWordWrap(True)
        box = row(self, margins=(12, 6, 12, 7), gap=8)
        box.addWidget(self._text, 1)

    def show_reasons(self, change: PendingChange) -> None:
        """Say them, or nothing where there is none."""
        sentences = [reason.sentence for reason in change.reasons]
        if change.held:
            sentences.append(_("An agent asked for this and waits for you; nothing of it is on disk yet."))
        self._text.setText("⚠ " + " ".join(sentences) if sentences else "")
        self.setVisible(bool(sentences))
