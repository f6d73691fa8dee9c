"""The search panel, the session that answers it, and the pages on which hits are shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from memgui.domain import wishes
from memgui.domain.changes import ChangeSet
from memgui.domain.errors import MemguiError
from memgui.domain.hits import Coverage, Found, HitGroup, SearchHit
from memgui.domain.paths import DocPath, name_of, shown
from memgui.gui.jobs import Desk, Ticket
from memgui.gui.models.palette_model import Offer
from memgui.gui.panels.page.matches import Sought, folded
from memgui.gui.panels.page.page import Page
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.panels.search.panel import SearchPanel
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.moves import Moves, Spot
from memgui.i18n import _
from memgui.ops import searches

if TYPE_CHECKING:
    from memgui.gui.disk import View
    from memgui.gui.panels.palette import Palette
    from memgui.ops import why
    from memgui.ops.finder import Finder

AGAIN_MS = 500
"""While files change or are still read, the same question is asked again no more often than this."""
LONGEST_SELECTION = 100
MOST_MARKED = 24
"""So many different texts are marked on a page."""


AGAIN = "search again"
"""What is asked in the palette."""


@dataclass(frozen=True, slots=True)
class AnyOf(Sought):
    """Several texts, each of which is looked for."""

    each: tuple[Sought, ...] = ()

    def in_line(self, line: str) -> list[tuple[int, int]]:
        """Where any of them stands, apart from each other; where two overlap, the one that begins first."""
        spans: list[tuple[int, int]] = []
        for span in sorted((span for one in self.each for span in one.in_line(line)), key=_longest_first):
            if not spans or span[0] >= spans[-1][1]:
                spans.append(span)
        return spans


def _longest_first(span: tuple[int, int]) -> tuple[int, int]:
    return span[0], -span[1]


def sought_in(hits: Iterable[SearchHit]) -> Sought:
    """All that is marked in these hits, to be marked wherever it stands on the page."""
    found: dict[str, Sought] = {}
    for hit in hits:
        for mark in () if hit.in_name else hit.marks:
            text = hit.content[slice(*mark)]
            # A word is a word: "is" is not to be marked in "this".
            whole = hit.group is HitGroup.WORDS and text.isascii() and text.isalnum()
            found.setdefault(folded(text), Sought(text, whole_words=whole))
    each = tuple(found.values())[:MOST_MARKED]
    return each[0] if len(each) == 1 else AnyOf(each[0].text if each else "", each=each)


def _offer(query: str, title: str, detail: str, icon: str) -> Offer:
    return Offer(title, detail, icon, id=query, question=AGAIN)


def _why(view: View, *, finder: Finder, near: why.Near, found: Found, about: SearchHit | DocPath) -> why.Why:
    # In the lane: the words that it needs take longer to load than a window may stand still.
    from memgui.ops import why

    if isinstance(about, SearchHit):
        return why.why(view.workspace, finder, near, found, hit=about)
    return why.why_not(view.workspace, finder, near, found, path=about)


def _known_searches(view: View) -> searches.Searches:
    return searches.known(view.workspace)


def _keep_searches(
    view: View, *, made: searches.Searches, base: searches.Searches
) -> tuple[ChangeSet, searches.Searches]:
    return ChangeSet(), searches.keep(view.workspace, made, base=base)


class Finding(QObject):
    """Asks, shows what was found on the pages, and leads back to where the search began."""

    hits_changed = Signal(bool)
    version_wanted = Signal(object, int)
    """`DocPath` and the number of the version that holds a hit."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        panel: SearchPanel,
        tabs: DocumentTabs,
        moves: Moves,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._session = session
        self._panel = panel
        self._tabs = tabs
        self._moves = moves
        self._before: tuple[str, Spot | None, QWidget | None] | None = None
        self._middle = ""
        self._marked: list[Page] = []
        self._whys, self._searches = Desk(), Desk()
        self._kept = searches.Searches()
        self._again = QTimer(self, singleShot=True, interval=AGAIN_MS)
        self._again.timeout.connect(panel.ask_again)
        panel.add_tools([window.action("search.save"), window.action("search.replace")])
        for name in ("search.save", "search.why"):
            panel.addAction(window.action(name))
        panel.why_requested.connect(self._ask_why)
        panel.searches_changed.connect(self._keep_searches)
        window.palette_made.connect(self._serve_palette)
        if window.command_palette.made is not None:
            self._serve_palette(window.command_palette.made)
        session.opened.connect(self.recall_searches)
        self.recall_searches()
        panel.search_requested.connect(session.search)
        panel.search_requested.connect(window.parts.put_off)
        panel.hit_chosen.connect(self._open)
        panel.hit_previewed.connect(self._preview)
        panel.left.connect(self.leave)
        panel.hits_changed.connect(self.hits_changed)
        session.found.connect(panel.show_found)

    @Slot()
    def begin(self) -> None:
        """Show the panel with the keyboard in its field; what is selected on the page is what is sought."""
        if self._window.side != "search" or self._before is None:
            self._before = (self._window.side, self._moves.here, QApplication.focusWidget())
            self._middle = self._window.middle
        chosen = self._chosen
        self._window.show_side("search")
        if chosen:
            self._panel.search(chosen)
        self._panel.focus_field()

    @property
    def _chosen(self) -> str:
        """What is selected on the page that has the keyboard; empty where that is no text to look for."""
        page = self._tabs.current
        chosen = page.editor.textCursor().selectedText() if page is not None and page.editor.hasFocus() else ""
        return chosen if chosen.strip() and "\u2029" not in chosen and len(chosen) <= LONGEST_SELECTION else ""

    @property
    def wanted(self) -> str:
        """What is selected on the page, or else what the field asks for, a phrase without its quotes."""
        query = self._panel.query.strip()
        return self._chosen or wishes.read(query).phrase or query

    # Why and why not ---------------------------------------------------------------------------------------------

    @Slot()
    def ask_why(self) -> None:
        """Say why the chosen hit is there."""
        self._window.show_side("search")
        self._panel.ask_why()

    @Slot(object)
    def _ask_why(self, hit: SearchHit) -> None:
        self._ask(hit, _("Why line {line} of {name} is here"), hit.line)

    @Slot()
    def ask_why_not(self) -> None:
        """Say why the page in front is not among the hits."""
        page = self._tabs.current
        self._window.show_side("search")
        if page is not None and self._panel.found is not None:
            self._ask(page.path, _("Why {name} is not found"))
        else:
            self._panel.why.say(_("Why not?"), [_("Search for something and open the file that you miss; then ask.")])
            self._panel.focus_field()

    def _ask(self, about: SearchHit | DocPath, title: str, line: int = 0) -> None:
        finder, words, found = self._session.finder, self._session.words.words, self._panel.found
        if finder is None or words is None or found is None:
            return

        def said(answer: why.Why) -> None:
            self._panel.why.say(title.format(name=shown(name_of(answer.path)), line=line), answer.reasons)

        ask = partial(_why, finder=finder, near=words.near, found=found, about=about)
        self._session.ask(ask, said, ticket=self._whys.next())

    # Searches made before ----------------------------------------------------------------------------------------

    @Slot()
    def recall_searches(self) -> None:
        """Show those that are kept, and what is found now: some of it may have been forgotten."""
        self._panel.forget_taken()
        self._panel.ask_again()
        ticket = self._searches.next()
        self._session.ask(_known_searches, partial(self._show_searches, ticket), ticket=ticket)

    @Slot(object)
    def _keep_searches(self, made: searches.Searches) -> None:
        base, self._kept = self._kept, made
        work = partial(_keep_searches, made=made, base=base)
        self._session.change(work, partial(self._show_searches, self._searches.next()), partial(self._not_kept, base))

    def _not_kept(self, base: searches.Searches, error: MemguiError) -> None:
        """The next time it is tried again with these."""
        self._kept = base
        self._session.failed.emit(error)

    def _show_searches(self, ticket: Ticket, kept: searches.Searches) -> None:
        """These are kept, others' among them; where more was made since, that is on its way."""
        if not ticket.stale:
            self._kept = kept
            self._panel.show_searches(kept)

    @Slot()
    def save_search(self) -> None:
        """Keep what stands in the field under a name."""
        self._window.show_side("search")
        self._panel.save_search()

    @Slot()
    def offer_searches(self) -> None:
        """Ask in the palette which of the searches is wanted again."""
        known = self._panel.searches
        offers = [_offer(one.query, one.title, one.query if one.name else "", "star") for one in known.saved]
        offers += [_offer(query, query, "", "clock") for query in known.recent if known.named(query) is None]
        if offers:
            self._window.command_palette().ask(_("Which search?"), offers)
        else:
            self.begin()

    @Slot(object)
    def _serve_palette(self, palette: Palette) -> None:
        palette.answered.connect(self._take_answer)

    @Slot(object)
    def _take_answer(self, offer: Offer) -> None:
        if offer.question == AGAIN:
            self.begin()
            self._panel.search(offer.id)

    @Slot()
    def leave(self) -> None:
        """Back to the page, the place and the panel that were in front when the search began."""
        before, self._before = self._before, None
        self._unmark()
        side, spot, focus = before if before is not None else ("memory", None, None)
        self._window.show_side(side if side != "search" else "memory")
        self._moves.return_to(spot)
        if before is not None and self._middle == "days":
            self._window.show_middle("days")
        if focus is not None and focus.isVisible():
            focus.setFocus()
        elif self._tabs.current is not None:
            self._tabs.current.editor.setFocus()

    def go_to_next(self) -> None:
        """The next hit, in whatever file."""
        self._panel.go_to_next()

    def go_to_previous(self) -> None:
        """The hit before."""
        self._panel.go_to_previous()

    @Slot()
    def ask_again(self) -> None:
        """The answer shown may not be all any more."""
        if self._panel.query.strip() and not self._again.isActive():
            self._again.start()

    def ask_of_unseen(self) -> None:
        """Other changes than before wait to be looked at: whoever asked for these is told anew."""
        if "is:unseen" in self._panel.query:
            self.ask_again()

    def show_coverage(self, coverage: Coverage) -> None:
        """So much has been read by now; what is found grows with it."""
        self._panel.show_coverage(coverage.done, coverage.total)
        self.ask_again()

    @Slot(object)
    def _open(self, hit: SearchHit) -> None:
        if hit.version:
            self.version_wanted.emit(hit.path, hit.version)
            return
        self._mark(self._moves.go(Spot(hit.path, hit.line, hit.column + 1)), hit)

    @Slot(object)
    def _preview(self, hit: SearchHit) -> None:
        if hit.version:
            # What stands nowhere any more is on no page.
            return
        self._mark(self._moves.go(Spot(hit.path, hit.line, hit.column + 1), pin=False, focus=False), hit)

    def _mark(self, page: Page, hit: SearchHit) -> None:
        """Mark the text of the hit wherever it stands on the page, also when its text has yet to come."""
        if page not in self._marked:
            self._unmark()
            self._marked = [page]
            page.destroyed.connect(self._forget)
        page.find_bar.finder.seek(sought_in((hit, *self._panel.hits_in(hit.path))))

    def _unmark(self) -> None:
        for page in self._marked:
            if not page.find_bar.is_open:
                page.find_bar.finder.seek(Sought(""))
        self._marked = []

    @Slot()
    def _forget(self) -> None:
        self._marked = []
