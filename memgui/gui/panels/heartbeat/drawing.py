"""How the rows of a checklist look: boxes, words that wrap, quiet headings, and lines that are no items."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from memgui.domain.heartbeat import Item, Passage, PassageKind, Section
from memgui.domain.invisible import labelled
from memgui.gui import icons
from memgui.gui.kit.rows import paint_row_ground, quiet_colour
from memgui.gui.models.heartbeat_model import ROW, Shown, told
from memgui.gui.panels.heartbeat.field import WordsField
from memgui.gui.panels.heartbeat.measuring import Heights
from memgui.gui.panels.heartbeat.words import laid_out
from memgui.gui.theme import current, theme
from memgui.i18n import _

Index = QModelIndex | QPersistentModelIndex
_MOST_LINES = {PassageKind.COMMENT: 3, PassageKind.CODE: 6, PassageKind.TABLE: 8}
_MOST_TEXT = 4
_MOST_ITEM = 40
_LONG = 1_000
_SURELY_FITS = 12
_WRAP = Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextWrapAnywhere
_DEEPEST_SHARE = 0.35


class ItemDelegate(QStyledItemDelegate):
    """Draws and measures rows, tells clicks on boxes from others, and edits an item's words in its place."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self.heights = Heights(view, self._height)
        self.dress()

    def dress(self) -> None:
        """Take fonts and sizes from the theme anew."""
        self._plain, self._bold, self._small = theme().font(), theme().font(bold=True), theme().font(0.9)
        self._mono = theme().mono(0.86)
        self._struck = theme().font()
        self._struck.setStrikeOut(True)
        self._metrics, self._bold_metrics = QFontMetrics(self._plain), QFontMetrics(self._bold)
        self._line = self._metrics.height()
        self.heights.forget(usual=max(self._line + theme().px(12), 24))

    # Measures --------------------------------------------------------------------------------------------------------

    def box_of(self, row: QRect, depth: int) -> QRect:
        """Where the box (or the bullet) of an item stands."""
        side, edge = theme().px(17), theme().px(14)
        top = row.top() + theme().px(6) + (self._line - side) // 2
        return QRect(row.left() + edge + self._indent(row.width(), depth), top, side, side)

    def _indent(self, width: int, depth: int) -> int:
        return round(min(depth * theme().px(22), width * _DEEPEST_SHARE))

    def _words_of(self, row: QRect, shown: Shown) -> QRect:
        """Where the words of a row may stand."""
        dress = theme()
        right = row.right() - dress.px(14)
        if isinstance(shown, Section):
            left, top = row.left() + dress.px(14), row.top() + dress.px(14)
        elif isinstance(shown, Passage):
            left = row.left() + dress.px(14) + self._indent(row.width(), shown.depth)
            left += dress.px(9) if shown.kind in _GROUND or shown.kind is PassageKind.UNREAD else 0
            top = row.top() + dress.px(6 if shown.kind in _GROUND else 3)
        else:
            box = self.box_of(row, shown.depth)
            left, top = box.right() + dress.px(10), row.top() + dress.px(6)
        return QRect(left, top, max(right - left, dress.px(40)), row.height())

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return QSize(60, self.heights.of(index.row()))

    def _height(self, shown: Shown, width: int) -> int:
        dress, room = theme(), self._words_of(QRect(0, 0, width, 0), shown).width()
        if isinstance(shown, Passage):
            if shown.kind is PassageKind.RULE:
                return dress.px(13)
            text = laid_out(_drawn(shown), self._font_of(shown), room, _most(shown))
            extra = self._small_line() if shown.kind in (PassageKind.UNREAD, *_GROUND) else 0
            return round(text.boundingRect().height()) + extra + dress.px(14 if shown.kind in _GROUND else 7)
        words, font = labelled(shown.text), self._bold if isinstance(shown, Section) else self._plain
        if "`" in words or len(words) > _LONG or self._is_wide(max(words.split(), key=len, default=""), room):
            high = round(laid_out(words, font, room, _MOST_ITEM, coded=True).boundingRect().height())
        else:
            metrics = self._bold_metrics if isinstance(shown, Section) else self._metrics
            if metrics.horizontalAdvance(words) < room and "\u2028" not in words:
                high = metrics.height()
            else:
                high = metrics.boundingRect(QRect(0, 0, room, 100_000), _WRAP, words).height()
        return max(high + dress.px(20 if isinstance(shown, Section) else 12), 24)

    def _is_wide(self, word: str, room: int) -> bool:
        """Whether a word has to be broken: then only laying it out tells into how many lines."""
        return len(word) > _SURELY_FITS and self._bold_metrics.horizontalAdvance(word) > room

    def _small_line(self) -> int:
        return QFontMetrics(self._small).height() + theme().px(2)

    def _font_of(self, passage: Passage) -> QFont:
        return self._mono if passage.kind in (PassageKind.CODE, PassageKind.TABLE) else self._small

    # Drawing ---------------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        shown: Shown | None = index.data(ROW)
        if shown is None:
            return
        row: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hot = bool(option.state & QStyle.StateFlag.State_MouseOver) and isinstance(shown, Item)
        paint_row_ground(painter, row, self._view, index, hot=hot)
        quiet = quiet_colour(self._view, index)
        if isinstance(shown, Section):
            self._paint_section(painter, row, shown, first=index.row() == 0)
        elif isinstance(shown, Passage):
            self._paint_passage(painter, row, shown, quiet)
        elif isinstance(shown, Item):
            self._paint_item(painter, row, shown, "" if self._is_typed(index) else quiet)
        painter.restore()

    def _paint_section(self, painter: QPainter, row: QRect, section: Section, *, first: bool) -> None:
        words = self._words_of(row, section)
        if not first and section.level <= 2:
            painter.fillRect(words.left(), row.top() + theme().px(5), words.width(), 1, QColor(current().hairline))
        layout = laid_out(labelled(section.text) or _("(no title)"), self._bold, words.width(), _MOST_TEXT)
        painter.setPen(QColor(current().text if section.level == 1 else current().heading))
        layout.draw(painter, words.topLeft().toPointF())

    def _is_typed(self, index: Index) -> bool:
        """Whether a field lies over this row."""
        return self._view.state() == QListView.State.EditingState and index == self._view.currentIndex()

    def _paint_item(self, painter: QPainter, row: QRect, item: Item, quiet: str) -> None:
        """Box and words; without a colour for what stands back the box alone, as the words are being typed."""
        box, words = self.box_of(row, item.depth), self._words_of(row, item)
        if item.mark is not None:
            draw_box(painter, box, item.mark)
        else:
            painter.setFont(self._plain)
            painter.setPen(QColor(icons.current_colour(quiet or "muted")))
            bullet = item.bullet if item.is_numbered else "•"
            room = box.adjusted(-theme().px(14), 0, theme().px(3), 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, bullet)
        if not quiet:
            return
        text = labelled(item.text) or _("(empty)")
        layout = laid_out(text, self._struck if item.is_done else self._plain, words.width(), _MOST_ITEM, coded=True)
        painter.setPen(QColor(icons.current_colour(quiet if item.is_done or not item.text else "text")))
        layout.draw(painter, words.topLeft().toPointF())

    def _paint_passage(self, painter: QPainter, row: QRect, passage: Passage, quiet: str) -> None:
        dress, colours, words = theme(), current(), self._words_of(row, passage)
        if passage.kind is PassageKind.RULE:
            painter.fillRect(words.left(), row.center().y(), words.width(), 1, QColor(colours.hairline))
            return
        if passage.kind in _GROUND:
            ground = QRect(words.left() - dress.px(9), row.top() + dress.px(2), 0, row.height() - dress.px(4))
            ground.setRight(words.right())
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.code_bg))
            painter.drawRoundedRect(ground, dress.px(5), dress.px(5))
        top = words.top()
        if passage.kind in _GROUND:
            top = self._paint_label(painter, words, told(passage), quiet)
        colour = {PassageKind.COMMENT: "comment", PassageKind.UNREAD: "text"}.get(passage.kind, quiet)
        painter.setPen(QColor(icons.current_colour(colour)))
        layout = laid_out(_drawn(passage), self._font_of(passage), words.width(), _most(passage))
        layout.draw(painter, QPointF(words.left(), top))
        if passage.kind is PassageKind.UNREAD:
            side = dress.px(13)
            below = QRect(words.left(), top + round(layout.boundingRect().height()), words.width(), side)
            icons.paint(painter, "warning", QRect(words.left(), below.top() + dress.px(2), side, side), "warning")
            self._paint_label(painter, below.adjusted(side + dress.px(5), 0, 0, 0), told(passage), "warning")

    def _paint_label(self, painter: QPainter, place: QRect, words: str, colour: str) -> int:
        painter.setFont(self._small)
        painter.setPen(QColor(icons.current_colour(colour)))
        high = self._small_line()
        room = QRect(place.left(), place.top(), place.width(), high)
        label = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, label)
        return place.top() + high

    # Deeds -----------------------------------------------------------------------------------------------------------

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        shown: Shown | None = index.data(ROW)
        if not isinstance(event, QMouseEvent) or not isinstance(shown, Item) or shown.mark is None:
            return False
        hit = self.box_of(option.rect, shown.depth).adjusted(-5, -5, 5, 5).contains(event.position().toPoint())
        if not hit or event.button() != Qt.MouseButton.LeftButton:
            return False
        if event.type() == QEvent.Type.MouseButtonRelease:
            wanted = Qt.CheckState.Unchecked if shown.is_done else Qt.CheckState.Checked
            model.setData(index, wanted.value, Qt.ItemDataRole.CheckStateRole)
        return True

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:  # noqa: ARG002
        field = WordsField(parent)
        field.committed.connect(self._commit)
        return field

    @Slot()
    def _commit(self) -> None:
        field = self.sender()
        if isinstance(field, WordsField):
            self.commitData.emit(field)
            self.closeEditor.emit(field)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        # Only once: what is being typed is not replaced by what the disk says meanwhile.
        if isinstance(editor, WordsField) and not editor.property("filled"):
            editor.setProperty("filled", True)
            editor.set_text(index.data(Qt.ItemDataRole.EditRole) or "")

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, WordsField):
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        shown: Shown | None = index.data(ROW)
        if shown is not None and isinstance(editor, WordsField):
            words = self._words_of(option.rect, shown)
            margin = editor.viewportMargins().left() + 2
            editor.place(words.left() - margin, words.top() - editor.edge, words.width() + 2 * margin)


_GROUND = (PassageKind.COMMENT, PassageKind.CODE, PassageKind.TABLE)


def draw_box(painter: QPainter, box: QRect, mark: str) -> None:
    """A box with its mark: a tick where it is done, any other sign as it is."""
    colours, dress = current(), theme()
    edge = box.toRectF().adjusted(0.75, 0.75, -0.75, -0.75)
    pen = painter.pen()
    pen.setWidthF(1.5)
    done = mark in "xX"
    pen.setColor(QColor(colours.button if done else colours.border))
    painter.setPen(pen)
    painter.setBrush(QColor(colours.button if done else colours.page))
    painter.drawRoundedRect(edge, dress.px(4), dress.px(4))
    if done:
        side = box.width() - dress.px(4)
        icons.paint(
            painter, "check", QRect(box.left() + dress.px(2), box.top() + dress.px(2), side, side), "button_text"
        )
    elif mark.strip():
        painter.setFont(dress.font(1.0, bold=True))
        painter.setPen(QColor(colours.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, labelled(mark))


def _drawn(passage: Passage) -> str:
    return labelled(passage.text.replace("\t", "    ")).replace("\n", "\u2028")


def _most(passage: Passage) -> int:
    return _MOST_LINES.get(passage.kind, _MOST_TEXT)
