"""A document's text in a page's editor: how much of it is shown, whether it may be edited, and its bytes."""

from __future__ import annotations

from memgui.domain.documents import Document
from memgui.domain.lines import Lines
from memgui.domain.text import HUGE_BYTES, Editability, Encoding, Text, lossy
from memgui.gui.panels.page.adopting import adopt
from memgui.gui.panels.page.editor import MemoryEditor

LONGEST_SHOWN = 100_000
"""A longer line is shown up to here until the person chooses to edit the document: laying it out takes its time."""

LONG = 1 << 18
"""A longer text is put into the editor in several turns: in one, the window would stand still."""


class PageText:
    """What the editor holds of a document. Where that is not all, or no text, the bytes are the document's own."""

    def __init__(self, editor: MemoryEditor) -> None:
        self._editor = editor
        self.encoding = Encoding.UTF8
        self.editable = True
        """The editor holds all of the page's text, and a person may change it, protection aside."""
        self.forced = False
        """The person chose to edit it although it is large."""
        self.in_part = False
        """What is shown is not all there is."""

    def show(self, document: Document) -> None:
        """Show it in the place of anything that was there."""
        self._write_in(document.text.encoding if document.text else Encoding.UTF8)
        self.editable = self.can_be_edited(document)
        lines, self.in_part = (document.display, False) if self.editable else _glimpse(document)
        self._editor.show_lines(lines, coloured=len(document.data) <= HUGE_BYTES)

    def show_some(self, document: Document) -> bool:
        """Begin to show it, or go on with that for a moment; whether `show` has little left to do."""
        if len(document.data) <= LONG or document.text is None or not self.can_be_edited(document):
            return True
        return self._editor.show_some(document.text.lines)

    def show_nothing(self) -> None:
        """Show an empty text."""
        self._write_in(Encoding.UTF8)
        self.editable, self.in_part = True, False
        self._editor.show_lines(Lines.split(""))

    def take(self, text: Text) -> tuple[tuple[int, int], ...]:
        """Make it this text, by the smallest edits and as one step of undo; in the place of a stand-in, without.

        Answers which lines are new: (the first, how many) each.
        """
        self._write_in(text.encoding)
        if self.editable:
            return adopt(self._editor, text.lines)
        # What stands in for bytes that are no text is never to be undone to: it could be saved.
        self.editable, self.in_part = True, False
        self._editor.show_lines(text.lines)
        return ()

    def bytes(self, document: Document | None) -> bytes:
        """The text in the editor as the bytes it would be saved as; `document` is what it was read from.

        A text that a person may change is their own from then on, whatever has become of the document on disk.
        """
        if document is not None and not self.editable:
            return document.data
        return Text(self._editor.lines(), self.encoding).encode()

    def can_be_edited(self, document: Document) -> bool:
        """Whether a person may change this document, protection aside."""
        return document.editability is Editability.EDITABLE or (self.forced and document.editability.can_be_forced)

    def read_alike(self, document: Document) -> Document:
        """The document read in the encoding that the person chose for this page, where its bytes still fit that."""
        if self.encoding in (Encoding.UTF8, Encoding.UTF8_BOM):
            return document
        if document.text is not None and not document.data.isascii():
            # By chance no other encoding spells UTF-8: somebody wrote it anew, and typing on in the old one mixed both.
            return document
        reread = Document.of(document.path, document.data, document.node, encoding=self.encoding)
        return reread if reread.text is not None else document

    def read_as_typed(self, document: Document, encoding: Encoding | None) -> Document:
        """The document as it was open when text was typed into it: in that encoding, and for editing if it is large."""
        if document.text is None and encoding is not None:
            document = Document.of(document.path, document.data, document.node, encoding=encoding)
        self.stay_editable(document)
        return document

    def stay_editable(self, document: Document) -> None:
        """A text that grew while it was open is not closed to editing for that."""
        if document.text is not None and document.editability.can_be_forced:
            self.forced = True

    def _write_in(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._editor.set_codec(encoding.codec)


def _glimpse(document: Document) -> tuple[Lines, bool]:
    """As much of a document that is no text, or a large one, as can be shown at once; and whether that is a part."""
    lines = lossy(document.data[:HUGE_BYTES])
    texts = tuple(text[:LONGEST_SHOWN] for text in lines.texts)
    return Lines(texts, lines.breaks), texts != lines.texts or len(document.data) > HUGE_BYTES
