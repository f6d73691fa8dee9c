"""Writes the pieces of a Markdown text into a document, in the theme's look, a little at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrameFormat,
    QTextList,
    QTextListFormat,
    QTextTable,
)

from memgui.domain.invisible import LABEL, labelled
from memgui.domain.links import WIKI, undisclosed
from memgui.domain.rendering import Kind, Piece
from memgui.domain.untold import NOTHING, is_told
from memgui.gui.panels.preview.colouring import inked, language_of
from memgui.gui.panels.preview.style import BULLET, DEEPEST, DISC, DONE, LEFT, OPEN, QUOTE, RING, SQUARE, Style
from memgui.i18n import _

FEATURES = QTextDocument.MarkdownFeature(
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub.value | QTextDocument.MarkdownFeature.MarkdownNoHTML.value
)
LINK = "#"
"""Before the number of a link: the document itself holds no target that anything could follow."""

_BLOCKS_AT_ONCE = 60
_LINES_AT_ONCE = 200
_RUNS_AT_ONCE = 100
_LONGEST_DISCLOSED = 300
_WIKI_LINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")
_HIDDEN_COMMENT = re.compile(r"<!--.*?(?:-->|$)")
_OBJECT = "\ufffc"
_Property = QTextFormat.Property
_BULLETS = (QTextListFormat.Style.ListDisc, QTextListFormat.Style.ListCircle, QTextListFormat.Style.ListSquare)


@dataclass(slots=True)
class Picture:
    """A picture that the text names: where its words begin, and what it names."""

    position: int
    target: str
    is_shown: bool = False


@dataclass(slots=True)
class Written:
    """What became of the text so far: where each piece begins, where each link leads, which pictures it names."""

    lines: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    end: int = 0
    """The first line that is not written yet."""

    def make_room(self, position: int, count: int) -> None:
        """So many characters were put in there."""
        self.positions[:] = [at + count if at > position else at for at in self.positions]
        for picture in self.pictures:
            picture.position += count if picture.position >= position else 0


class Writer:
    """Appends to one document. `write` is a generator, so that whoever calls it may pause in the middle of a piece."""

    def __init__(self, document: QTextDocument, style: Style) -> None:
        self.written = Written()
        self._style = style
        self._cursor = QTextCursor(document)
        self._fresh = True
        self._depth = 0
        self._below = ""
        """What stands above in the same flow, where the next block keeps a distance from it: `list` or `code`."""
        self._language = ""
        """Of the code that is being written."""
        self._scratch = QTextDocument()
        self._scratch.setUndoRedoEnabled(False)
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(style.font)
        document.setDocumentMargin(0)
        document.setIndentWidth(style.indent)

    def write(self, piece: Piece) -> Iterator[None]:
        """Append a piece."""
        begun = self._cursor.position() + (0 if self._fresh else 1)
        self.written.lines.append(piece.line)
        self.written.positions.append(begun)
        if piece.kind in (Kind.TEXT, Kind.TABLE):
            yield from self._markdown(piece)
        elif piece.kind is Kind.PLAIN:
            self._plain(piece)
        else:
            yield from self._boxed(piece)
        self.written.end = piece.end

    def _plain(self, piece: Piece) -> None:
        self._begin(self._style.paragraph(), self._style.fence)
        self._words(piece.text.replace(NOTHING, "").replace("\n", "\u2028"), self._style.fence)

    def finish(self) -> None:
        """Nothing comes any more."""
        if self._fresh:
            self._cursor.setBlockFormat(self._style.gap())

    # Boxes -----------------------------------------------------------------------------------------------------------

    def _boxed(self, piece: Piece) -> Iterator[None]:
        style = self._style
        box, chars = {
            Kind.CODE: (style.code_box(), style.fence),
            Kind.FRONT: (style.quiet_box(), style.fence),
        }.get(piece.kind, (style.literal_box(), style.comment))
        caption = piece.label if piece.kind is Kind.CODE or piece.continued else _caption(piece)
        if piece.continued:
            box.setTopMargin(0)
        self._open_box(box)
        if caption:
            self._begin(style.paragraph(below=3), style.caption)
            self._words(caption, style.caption)
        if piece.kind is Kind.CODE:
            self._language = self._language if piece.continued else language_of(piece.label)
        lines = piece.text.split("\n")
        if piece.kind is Kind.FRONT:
            lines = [line for line in lines if line.strip("\ufeff \t") not in ("", "---")]
        for start in range(0, len(lines), _LINES_AT_ONCE):
            self._begin(style.fenced(), chars)
            part = lines[start : start + _LINES_AT_ONCE]
            if piece.kind is Kind.FRONT:
                self._pairs(part)
            elif piece.kind is Kind.CODE:
                yield from self._inked("\n".join(part), self._language)
            else:
                self._words("\n".join(part), chars)
            yield
        self._close_box()

    def _inked(self, text: str, language: str) -> Iterator[None]:
        for ink, run in inked(text, language):
            self._words(run, self._style.inks[ink])
            yield

    def _pairs(self, lines: list[str]) -> None:
        for number, line in enumerate(lines):
            if number:
                self._cursor.insertBlock()
            key, colon, value = line.partition(":")
            if colon:
                self._words(key + colon, self._style.key)
                self._words(value, self._style.fence)
            else:
                self._words(line, self._style.comment)

    def _open_box(self, box: QTextFrameFormat) -> None:
        if self._fresh:
            self._cursor.setBlockFormat(self._style.gap())
        self._cursor.insertFrame(box)
        self._fresh = True

    def _close_box(self) -> None:
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._fresh = True

    # Markdown --------------------------------------------------------------------------------------------------------

    def _markdown(self, piece: Piece) -> Iterator[None]:
        text = f"{piece.text}\n\n{piece.definitions}" if piece.definitions else piece.text
        self._scratch.setMarkdown(text, FEATURES)
        if not is_told(piece.text, _told(self._scratch)):
            self._plain(piece)
            return
        self._depth = piece.depth
        count = 0
        block = self._scratch.begin()
        seen: QTextTable | None = None
        lists: dict[int, QTextList] = {}
        while block.isValid():
            table: QTextTable | None = QTextCursor(block).currentTable()
            if table is not None:
                if table != seen:
                    yield from self._table(table, piece)
                seen = table
                block = self._scratch.findBlock(table.lastPosition() + 1)
                continue
            if block.length() > 1 or not _is_filler(block):
                yield from self._block(block, lists)
            block = block.next()
            count += 1
            if count % _BLOCKS_AT_ONCE == 0:
                yield

    def _table(self, source: QTextTable, piece: Piece) -> Iterator[None]:
        skip = int(piece.continued)
        rows, columns = source.rows() - skip, source.columns()
        if rows < 1:
            return
        if self._fresh:
            self._cursor.setBlockFormat(self._style.gap())
        made = self._cursor.insertTable(rows, columns, self._style.table(piece.widths, continued=piece.continued))
        for row in range(rows):
            for column in range(columns):
                cell = source.cellAt(row + skip, column).firstCursorPosition().block()
                self._cursor = made.cellAt(row, column).firstCursorPosition()
                look = self._style.cell()
                look.setAlignment(cell.blockFormat().alignment() or LEFT)
                self._cursor.setBlockFormat(look)
                yield from self._runs(cell, self._style.body)
            if row % 8 == 7:
                yield
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._fresh = True

    def _block(self, block: QTextBlock, lists: dict[int, QTextList]) -> Iterator[None]:
        style, source = self._style, block.blockFormat()
        level, quotes = source.headingLevel(), int(source.property(_Property.BlockQuoteLevel) or 0)
        quotes = max(quotes, int(source.leftMargin() // 40))
        is_code = source.hasProperty(_Property.BlockCodeFence) or source.hasProperty(_Property.BlockCodeLanguage)
        chars = style.headings[level - 1] if level else style.quoted if quotes else style.body
        if source.hasProperty(_Property.BlockTrailingHorizontalRulerWidth):
            self._begin(style.rule(), style.body)
            return
        in_list: QTextList | None = block.textList()
        if level:
            look = style.heading(level)
        elif is_code:
            look = style.fenced()
            chars = style.fence
        else:
            look = style.paragraph(below=4 if in_list is not None or source.indent() else 10)
        here = "code" if is_code else "list" if in_list is not None else ""
        if self._below and self._below != here and not self._fresh and not level:
            style.keep_away(look)
        self._below = here
        deep = min(quotes, DEEPEST)
        if deep:
            look.setProperty(QUOTE, deep)
            look.setLeftMargin(deep * style.quote_indent)
        if in_list is None:
            look.setIndent(min(source.indent() + self._depth, DEEPEST))
        if is_code:
            self._begin_code(block, look)
        else:
            if in_list is not None:
                look.setProperty(BULLET, _sign(source.marker(), in_list))
            self._begin(look, chars)
        if in_list is not None:
            self._list(block, lists)
        if is_code:
            yield from self._inked(labelled(block.text().replace(NOTHING, "")), self._language)
        else:
            yield from self._runs(block, chars)

    def _begin_code(self, block: QTextBlock, look: QTextBlockFormat) -> None:
        """A line of code within a list or a quote, before the first one the words behind the fence."""
        look.setLineHeight(100.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        look.setBackground(self._style.code_box().background())
        words = str(block.blockFormat().property(_Property.BlockCodeLanguage) or "")
        before = block.previous()
        first = not before.isValid() or not before.blockFormat().hasProperty(_Property.BlockCodeFence)
        if first:
            self._language = language_of(unquote(words))
        if words and first:
            self._begin(look, self._style.caption)
            self._words(labelled(unquote(words).replace(NOTHING, "")), self._style.caption)
            look.setTopMargin(0)
        self._begin(look, self._style.fence)

    def _list(self, block: QTextBlock, lists: dict[int, QTextList]) -> None:
        source = block.textList()
        first = source.item(0).position()
        if first in lists:
            lists[first].add(self._cursor.block())
            return
        look = QTextListFormat()
        look.setIndent(min(source.format().indent() + self._depth, DEEPEST))
        numbered = source.format().style() not in _BULLETS
        # What is no number is painted by the view.
        look.setStyle(source.format().style() if numbered else QTextListFormat.Style.ListStyleUndefined)
        if numbered:
            look.setStart(source.format().start())
            look.setNumberSuffix(source.format().numberSuffix())
        lists[first] = self._cursor.createList(look)

    # Runs of text ----------------------------------------------------------------------------------------------------

    def _runs(self, block: QTextBlock, base: QTextCharFormat) -> Iterator[None]:
        style = self._style
        href, told, title = "", "", ""
        for number, fragment in enumerate(_fragments(block), 1):
            if number % _RUNS_AT_ONCE == 0:
                yield
            source = fragment.charFormat()
            if href and source.anchorHref() != href:
                self._disclose(href, told, title, base)
                href, told = "", ""
            if source.isImageFormat():
                self._picture(source, len(fragment.text()))
                continue
            text = labelled(fragment.text().replace(NOTHING, ""))
            chars = style.run(base, source)
            if source.anchorHref():
                href, title = source.anchorHref(), source.toolTip()
                text = text or labelled(href)
                told += text
                self._words(text, style.linked(chars, self._numbered(href)))
            elif source.fontFixedPitch():
                self._words(text, chars)
            else:
                self._wiki(text, chars)
        if href:
            self._disclose(href, told, title, base)

    def _disclose(self, href: str, told: str, title: str, base: QTextCharFormat) -> None:
        """After a link: what its text does not say of where it leads, and the title that no page shows."""
        muted = QTextCharFormat(base)
        muted.merge(self._style.muted)
        where = labelled(undisclosed(told, href))
        if len(where) > _LONGEST_DISCLOSED:
            where = _("{start}… {count} characters").format(start=where[:_LONGEST_DISCLOSED], count=f"{len(where):,}")
        words = " ".join(part for part in (where, f"“{labelled(title)}”" if title else "") if part)
        if words:
            self._words(f" ({words})", muted)

    def _wiki(self, text: str, chars: QTextCharFormat) -> None:
        at = 0
        if "[[" in text:
            for found in _WIKI_LINK.finditer(text):
                self._remarks(text[at : found.start()], chars)
                self._words(found[2] or found[1], self._style.linked(chars, self._numbered(WIKI + found[1])))
                if found[2] and found[2].strip() != found[1].strip():
                    self._words(f" ({found[1]})", self._style.muted)
                at = found.end()
        self._remarks(text[at:], chars)

    def _remarks(self, text: str, chars: QTextCharFormat) -> None:
        at = 0
        if "<!--" in text:
            for found in _HIDDEN_COMMENT.finditer(text):
                self._words(text[at : found.start()], chars)
                boxed = QTextCharFormat(self._style.comment)
                boxed.setBackground(self._style.code_box().background())
                self._words(found[0], boxed)
                at = found.end()
        self._words(text[at:], chars)

    def _picture(self, source: QTextCharFormat, count: int) -> None:
        """The words for a picture: what it shows, and where it lies; the picture itself comes later, if it may."""
        image = source.toImageFormat()
        target = labelled(image.name())
        alt = labelled(str(image.property(_Property.ImageAltText) or "").replace(NOTHING, ""))
        title = labelled(str(image.property(_Property.ImageTitle) or ""))
        words = " · ".join(part for part in (alt, target, f"“{title}”" if title else "") if part)
        chars = QTextCharFormat(self._style.muted)
        chars.setBackground(self._style.code_box().background())
        for _number in range(count):
            self.written.pictures.append(Picture(self._cursor.position(), image.name()))
            self._words(f"▨ {words} ", chars)

    def _numbered(self, target: str) -> str:
        self.written.links.append(target)
        return f"{LINK}{len(self.written.links) - 1}"

    def _words(self, text: str, chars: QTextCharFormat) -> None:
        """Put text in, each label of a hidden character in a colour of its own."""
        if not text:
            return
        if "‹" not in text:
            self._cursor.insertText(text, chars)
            return
        at = 0
        for found in LABEL.finditer(text):
            if found.start() > at:
                self._cursor.insertText(text[at : found.start()], chars)
            marked = QTextCharFormat(chars)
            marked.merge(self._style.label)
            self._cursor.insertText(found[0], marked)
            at = found.end()
        if at < len(text):
            self._cursor.insertText(text[at:], chars)

    def _begin(self, look: QTextBlockFormat, chars: QTextCharFormat) -> None:
        if self._fresh:
            self._cursor.setBlockFormat(look)
            self._cursor.setBlockCharFormat(chars)
            self._fresh = False
        else:
            self._cursor.insertBlock(look, chars)


def _sign(marker: QTextBlockFormat.MarkerType, of: QTextList) -> int:
    """The sign before an item of a list; 0 where it has a number."""
    if marker is not QTextBlockFormat.MarkerType.NoMarker:
        return DONE if marker is QTextBlockFormat.MarkerType.Checked else OPEN
    return (DISC, RING, SQUARE)[(of.format().indent() - 1) % 3] if of.format().style() in _BULLETS else 0


def _fragments(block: QTextBlock) -> Iterator[QTextFragment]:
    iterator = block.begin()
    while not iterator.atEnd():
        yield iterator.fragment()
        iterator += 1


def _told(document: QTextDocument) -> str:
    """All words that a document has to show: its text, and what stands behind links, pictures and fences."""
    told = [document.toRawText()]
    looks = document.allFormats()
    # A link around a picture is read and dropped: of where it leads only a format remains that nothing has.
    followed = _targets(document) if any(look.isImageFormat() for look in looks) else None
    for look in looks:
        told.append(str(look.property(_Property.BlockCodeLanguage) or ""))
        if followed is None or look.toCharFormat().anchorHref() in followed:
            told.append(look.toCharFormat().anchorHref())
        told.append(str(look.property(_Property.TextToolTip) or ""))
        if look.isImageFormat():
            image = look.toImageFormat()
            told += [image.name(), str(image.property(_Property.ImageAltText) or "")]
            told.append(str(image.property(_Property.ImageTitle) or ""))
    return " ".join([*told, *map(unquote, told[1:])])


def _targets(document: QTextDocument) -> set[str]:
    found: set[str] = set()
    block = document.begin()
    while block.isValid():
        found.update(fragment.charFormat().anchorHref() for fragment in _fragments(block))
        block = block.next()
    return found


def _is_filler(block: QTextBlock) -> bool:
    """Whether this empty block stands only because a table needs one before it."""
    look = block.blockFormat()
    in_list: QTextList | None = block.textList()
    if in_list is not None:
        return False
    properties = (_Property.BlockTrailingHorizontalRulerWidth, _Property.BlockCodeFence, _Property.BlockCodeLanguage)
    return not look.headingLevel() and not any(look.hasProperty(one) for one in properties)


def _caption(piece: Piece) -> str:
    return {
        Kind.COMMENT: _("Comment: other programs do not show it"),
        Kind.HTML: _("HTML, as it is written"),
        Kind.DEFINITION: _("Target of links: other programs do not show it"),
        Kind.FRONT: "",
    }.get(piece.kind, "")
