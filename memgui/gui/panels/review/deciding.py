"""`Deciding`: turns keys and buttons into wishes, over what is shown and for nothing else."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from memgui.domain.review import VerdictKind
from memgui.gui.models.review_model import ReviewModel
from memgui.gui.panels.review.detail import ChangeDetail
from memgui.gui.panels.review.wishes import Wish, WishForAll


class Deciding(QObject):
    """What the person decides of the change that is shown, or of all that are listed."""

    wished = Signal(object)
    """`Wish` or `WishForAll`."""

    def __init__(self, detail: ChangeDetail, model: ReviewModel, parent: QObject) -> None:
        super().__init__(parent)
        self._detail, self._model = detail, model
        detail.edited.connect(self._wish_edit)
        for button, deed in (
            (detail.accept, self.accept),
            (detail.reject, self.reject),
            (detail.edit, self.edit),
            (detail.accept_file, self.accept_file),
            (detail.reject_file, self.reject_file),
            (detail.put_back, self.put_back),
        ):
            button.clicked.connect(deed)

    @Slot()
    def accept(self) -> None:
        """Accept the chosen hunk, and choose the next."""
        self._decide(VerdictKind.ACCEPT)

    @Slot()
    def reject(self) -> None:
        """Reject the chosen hunk, and choose the next."""
        self._decide(VerdictKind.REJECT)

    def _decide(self, kind: VerdictKind) -> None:
        shown_change, hunk = self._detail.shown, self._detail.hunk
        if shown_change is None or hunk is None or self._detail.waits or self._detail.is_editing:
            return
        self._detail.decide(hunk)
        # One that has no lines is decided as a whole, whatever it is asked by.
        self.wished.emit(Wish(kind, shown_change.change, None if hunk.whole else hunk))

    @Slot()
    def accept_file(self) -> None:
        """Accept all of the chosen change."""
        self._wish_file(VerdictKind.ACCEPT)

    @Slot()
    def reject_file(self) -> None:
        """Reject all of the chosen change."""
        self._wish_file(VerdictKind.REJECT)

    @Slot()
    def put_back(self) -> None:
        """Put the lost lines of the chosen change back, and keep the new ones."""
        if self._detail.can_put_back:
            self._wish_file(VerdictKind.PUT_BACK)

    def _wish_file(self, kind: VerdictKind) -> None:
        shown_change = self._detail.shown
        if shown_change is None or self._detail.is_editing:
            return
        hunks = self._detail.undecided
        if not hunks:
            return
        for hunk in hunks:
            self._detail.decide(hunk)
        self.wished.emit(Wish(kind, shown_change.change, hunks=hunks))

    @Slot()
    def accept_every(self) -> None:
        """Accept every change of the list, as it is listed."""
        if self._model.changes:
            self.wished.emit(WishForAll(VerdictKind.ACCEPT, self._model.changes))

    @Slot()
    def edit(self) -> None:
        """Edit the chosen hunk where it stands."""
        self._detail.begin_edit()

    @Slot(object, str)
    def _wish_edit(self, hunk: object, text: str) -> None:
        shown_change = self._detail.shown
        if shown_change is not None:
            self.wished.emit(Wish(VerdictKind.EDIT, shown_change.change, hunk, text))  # type: ignore[arg-type]
