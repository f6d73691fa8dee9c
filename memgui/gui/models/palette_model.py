"""What the palette offers for what was typed: files, commands, a line, or the headings of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QAction

from memgui.domain.paths import DocPath, name_of, parent_of, shown
from memgui.gui.actions import ACTIONS, MENUS, shown_key
from memgui.gui.kit.rows import RowRole
from memgui.gui.models.fuzzy import Haystack, positions
from memgui.gui.models.tree_words import file_icon
from memgui.i18n import _

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
MOST_ROWS = 80


class Mode(Enum):
    """What is looked for; the value is the sign that the typed text begins with."""

    FILES = ""
    COMMANDS = ">"
    LINE = ":"
    HEADINGS = "@"
    CHOICES = "→"
    """What answers a question that some other part of the window asked."""

    @staticmethod
    def of(text: str) -> Mode:
        """The mode that a text asks for."""
        return next((mode for mode in Mode if mode.value and text.startswith(mode.value)), Mode.FILES)


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing to choose. `id` is an action's id; `path` a file; `line` counts from 1."""

    title: str
    detail: str = ""
    icon: str = ""
    key: str = ""
    id: str = ""
    path: DocPath | None = None
    line: int = 0
    enabled: bool = True
    indent: int = 0
    question: str = ""
    """What it answers, where it is one of the choices."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page in front."""

    text: str
    level: int
    line: int


class PaletteModel(QAbstractListModel):
    """The best offers for a query."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sources: dict[Mode, tuple[Sequence[Offer | DocPath], Haystack]] = {}
        self._recent: dict[Mode, Sequence[int]] = {}
        self._numbers: dict[DocPath, int] = {}
        self._lines = 0
        self._rows: list[Offer] = []
        self._query = ""

    def set_files(self, paths: Iterable[DocPath], recent: Sequence[DocPath] = ()) -> None:
        """Offer these files, those used last first."""
        known = tuple(paths)
        self._numbers = {path: number for number, path in enumerate(known)}
        self.set_recent(recent)
        # An offer is made when it is found: of ten thousand files, a few dozen ever are.
        self._sources[Mode.FILES] = known, Haystack.of((name_of(path) for path in known), known)

    def set_recent(self, paths: Sequence[DocPath]) -> None:
        """Which of the files were used last, the latest first."""
        self._recent[Mode.FILES] = [self._numbers[path] for path in paths if path in self._numbers]

    def set_commands(self, offers: Sequence[Offer], recent: Sequence[str] = ()) -> None:
        """Offer these actions, those used last first."""
        numbers = {offer.id: number for number, offer in enumerate(offers)}
        self._recent[Mode.COMMANDS] = [numbers[id] for id in recent if id in numbers]
        self._sources[Mode.COMMANDS] = (
            offers,
            Haystack.of((offer.title for offer in offers), (f"{offer.title} {offer.detail}" for offer in offers)),
        )

    def set_headings(self, headings: Sequence[Heading]) -> None:
        """Offer the headings of the page in front, in their order."""
        offers = [
            Offer(shown(heading.text), icon="heading", line=heading.line, indent=max(0, heading.level - 1))
            for heading in headings
        ]
        titles = [offer.title for offer in offers]
        self._sources[Mode.HEADINGS] = offers, Haystack.of(titles, titles)

    def set_choices(self, offers: Sequence[Offer]) -> None:
        """Offer these answers to a question."""
        details = (f"{offer.detail}/{offer.title}" for offer in offers)
        self._sources[Mode.CHOICES] = offers, Haystack.of((offer.title for offer in offers), details)

    def set_line_count(self, lines: int) -> None:
        """How many lines the page in front has; 0 where there is none."""
        self._lines = lines

    def find(self, text: str) -> None:
        """Show what fits the typed text."""
        mode = Mode.of(text)
        self._query = text[len(mode.value) :].strip()
        self.beginResetModel()
        self._rows = self._line() if mode is Mode.LINE else self._best(mode)
        self.endResetModel()

    def _best(self, mode: Mode) -> list[Offer]:
        offers, haystack = self._sources.get(mode, ((), Haystack((), ())))
        limit = MOST_ROWS if self._query or mode is Mode.FILES else len(offers)
        numbers = haystack.best(self._query, limit=limit, recent=self._recent.get(mode, ()))
        found = [_offer_of(offers[number]) for number in numbers]
        return sorted(found, key=_is_disabled)

    def _line(self) -> list[Offer]:
        digits = self._query.split(":")[0].strip()
        if not self._lines:
            return []
        if not (digits.isascii() and digits.isdigit()):
            return [
                Offer(_("Type a line number, 1 to {last}").format(last=f"{self._lines:,}"), icon="hash", enabled=False)
            ]
        line = min(max(int(digits[:12]), 1), self._lines)
        return [Offer(_("Go to line {line}").format(line=f"{line:,}"), icon="hash", line=line)]

    def offer(self, index: Index) -> Offer | None:
        """What a row stands for."""
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        offer = self.offer(index)
        if offer is None or not offer.enabled:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        offer = self.offer(index)
        if offer is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return offer.title
        if role == Qt.ItemDataRole.UserRole:
            return offer.id or None
        if role == RowRole.DETAIL:
            return offer.detail
        if role == RowRole.ICON:
            return offer.icon
        if role == RowRole.KEY:
            return offer.key
        if role == RowRole.INDENT:
            return offer.indent
        if role in (RowRole.TITLE_MARKS, RowRole.DETAIL_MARKS):
            title, detail = self._marks(offer)
            return list(title if role == RowRole.TITLE_MARKS else detail)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (offer.title, offer.detail, offer.key) if part)
        return None

    def _marks(self, offer: Offer) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Which characters matched: of the title if all did there, else of the whole path, title and folder."""
        if not self._query or not (offer.id or offer.line):
            return (), ()
        words = self._query.split()
        title = _marks_of(words, self._query, offer.title)
        if title or offer.path is None:
            return title, ()
        start = len(offer.id) - len(offer.title)
        whole = _marks_of(words, self._query, offer.id)
        return tuple(at - start for at in whole if at >= start), tuple(at for at in whole if at < start - 1)


def _offer_of(thing: Offer | DocPath) -> Offer:
    if isinstance(thing, Offer):
        return thing
    return Offer(shown(name_of(thing)), shown(parent_of(thing)), file_icon(thing), id=shown(thing), path=thing)


def _marks_of(words: Sequence[str], query: str, text: str) -> tuple[int, ...]:
    each = [positions(word, text) for word in words]
    if all(each):
        return tuple(sorted({at for some in each for at in some}))
    return positions(query, text)


def _is_disabled(offer: Offer) -> bool:
    return not offer.enabled


def offers_of(actions: Iterable[QAction]) -> list[Offer]:
    """The actions as things to choose, each with its menu and its key, as they are now."""
    rows = {row.id: row for row in ACTIONS}
    menus = {name: _(title).replace("&", "") for name, title in MENUS}
    offers = []
    for action in actions:
        row = rows[action.objectName()]
        offers.append(
            Offer(
                title=action.text().replace("&", ""),
                detail=menus[row.menu],
                icon=row.icon,
                key=shown_key(action),
                id=row.id,
                enabled=action.isEnabled(),
            )
        )
    return offers
