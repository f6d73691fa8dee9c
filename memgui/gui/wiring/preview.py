"""Pages and their previews: which page shows which, where links lead, and what pictures may be seen."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtWidgets import QWidget

from memgui.domain import links
from memgui.domain.errors import MemguiError
from memgui.domain.invisible import labelled
from memgui.domain.paths import DocPath, is_document
from memgui.domain.text import Editability
from memgui.gui.kit.buttons import IconButton
from memgui.gui.kit.layout import row
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.session import Session
from memgui.gui.state import DocumentState
from memgui.gui.window import MainWindow
from memgui.gui.wiring.moves import Moves, Spot
from memgui.i18n import _

if TYPE_CHECKING:
    from memgui.domain.documents import Document
    from memgui.gui.panels.page.page import Page
    from memgui.gui.panels.preview.panel import PreviewPanel

ALONE, BESIDE = "view.source", "view.side_by_side"


class Mode(Enum):
    """How a page is shown."""

    SOURCE = "source"
    ALONE = "alone"
    BESIDE = "beside"


class Previews(QObject):
    """Gives pages their previews. Each document keeps its way of being shown as long as the window lives."""

    said = Signal(str)

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        tabs: DocumentTabs,
        moves: Moves,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._session, self._tabs, self._moves = window, session, tabs, moves
        self._modes: dict[DocPath, Mode] = {}
        self._panels: dict[Page, PreviewPanel] = {}
        self._sections: dict[DocPath, str] = {}
        self._share = 0.5
        corner = QWidget(tabs)
        buttons = row(corner, margins=(4, 0, 6, 3), gap=2)
        for name in (ALONE, BESIDE):
            buttons.addWidget(IconButton.of(window.action(name), corner))
        tabs.setCornerWidget(corner)
        tabs.page_shown.connect(self._show_front)
        tabs.page_closed.connect(self._forget)
        session.document_read.connect(self._attend)
        session.document_read.connect(self._go_to_section)

    # Ways of showing -------------------------------------------------------------------------------------------------

    @Slot()
    def toggle_alone(self) -> None:
        """From the source to the preview, and back."""
        self._toggle(Mode.ALONE)

    @Slot()
    def toggle_beside(self) -> None:
        """Source and preview side by side, and back to the source."""
        self._toggle(Mode.BESIDE)

    def _toggle(self, wanted: Mode) -> None:
        page = self._tabs.current
        if page is None:
            return
        if not is_document(page.path):
            self.said.emit(_("Only Markdown files have a preview"))
        elif self.mode_of(page) is wanted:
            self._show(page, Mode.SOURCE)
        else:
            self._show(page, wanted)
        self._tell_actions()

    def recall(self, path: DocPath, mode: str) -> None:
        """A document is to be shown in this way once it comes to the front; what names no way is passed over."""
        if mode in (Mode.ALONE.value, Mode.BESIDE.value) and is_document(path):
            self._modes[path] = Mode(mode)

    def mode_of(self, page: Page) -> Mode:
        """How a page is shown now."""
        panel = self._panels.get(page)
        if panel is None or page.halves.companion is not panel:
            return Mode.SOURCE
        return Mode.BESIDE if page.halves.source_shown else Mode.ALONE

    def _show(self, page: Page, mode: Mode) -> None:
        before = self.mode_of(page)
        self._modes[page.path] = mode
        if mode is Mode.SOURCE:
            line = self._panels[page].sync.preview_line() if before is Mode.ALONE else None
            page.set_companion(None, side_by_side=False)
            if line is not None:
                self._panels[page].sync.show_source_line(line)
            return
        panel = self._panels.get(page) or self._make(page)
        line = panel.sync.source_line() if before is Mode.SOURCE else None
        page.halves.set_share(self._share)
        page.set_companion(panel, side_by_side=mode is Mode.BESIDE)
        if line is not None:
            panel.start_at(line)

    def _make(self, page: Page) -> PreviewPanel:
        from memgui.gui.panels.preview.panel import PreviewPanel

        panel = PreviewPanel(page.editor, page)
        self._panels[page] = panel
        panel.explain(_reason(page))
        panel.followed.connect(partial(self._follow, page))
        panel.outside_chosen.connect(self._leave)
        panel.document_chosen.connect(partial(self._open, page, ""))
        panel.pointed.connect(self.said)
        panel.picture_wanted.connect(partial(self._fetch_picture, page, panel))
        panel.browser.zoom_requested.connect(self._tabs.zoom_requested)
        page.halves.share_changed.connect(self._remember_share)
        page.halves.changed.connect(self._tell_actions)
        return panel

    @Slot(float)
    def _remember_share(self, share: float) -> None:
        self._share = share

    @Slot(object)
    def _show_front(self, page: Page | None) -> None:
        if page is not None and page not in self._panels:
            mode = self._modes.get(page.path, Mode.SOURCE)
            if mode is not Mode.SOURCE:
                self._show(page, mode)
        self._tell_actions()

    @Slot()
    def _tell_actions(self) -> None:
        page = self._tabs.current
        mode = self.mode_of(page) if page is not None else Mode.SOURCE
        self._window.action(ALONE).setChecked(mode is Mode.ALONE)
        self._window.action(BESIDE).setChecked(mode is Mode.BESIDE)

    @Slot(object)
    def _forget(self, path: DocPath) -> None:
        for page in [page for page in self._panels if page.path == path]:
            del self._panels[page]

    @Slot(object)
    def _attend(self, document: Document) -> None:
        page = self._tabs.page_for(document.path)
        if page is None or not page.ready:
            return
        if page in self._panels:
            self._panels[page].explain(_reason(page))
        if page.state is DocumentState.VIEW and page is self._tabs.current:
            # Before it was read it was in this state too; what can be done with it is known only now.
            self._tabs.state_changed.emit(page)

    # Links -----------------------------------------------------------------------------------------------------------

    def _follow(self, page: Page, target: str) -> None:
        view = self._session.view
        if view is None:
            return
        link = links.follow(target, page.path, view.snapshot.nodes)
        if link.way is links.Way.REFUSED:
            self.said.emit(link.reason)
        elif link.way is links.Way.OUTSIDE:
            self._panels[page].ask_outside(target)
            self.said.emit(labelled(target))
        elif link.way is links.Way.CHOICE:
            self._panels[page].offer(link.paths)
        else:
            self._open(page, link.section, link.paths[0])

    def _open(self, page: Page, section: str, path: DocPath) -> None:
        """Go there, and read on in the same way as here."""
        self._modes.setdefault(path, self.mode_of(page))
        if section:
            self._sections[path] = section
        there = self._tabs.page_for(path)
        if there is None or there is not page:
            self._moves.open(path)
        if there is not None and there.ready and there.document is not None:
            self._go_to_section(there.document)

    @Slot(object)
    def _go_to_section(self, document: Document) -> None:
        section, page = self._sections.pop(document.path, ""), self._tabs.page_for(document.path)
        if not section or page is None or not page.ready:
            return
        line = links.section_line(page.lines().texts, section)
        if line is None:
            self.said.emit(_("There is no heading “{section}” in this document.").format(section=section))
            return
        self._moves.go(Spot(document.path, line))
        panel = self._panels.get(page)
        if panel is not None:
            panel.start_at(line - 1)

    @Slot(str)
    def _leave(self, target: str) -> None:
        QDesktopServices.openUrl(QUrl(target))

    # Pictures --------------------------------------------------------------------------------------------------------

    def _fetch_picture(self, page: Page, panel: PreviewPanel, target: str) -> None:
        from memgui.gui.panels.preview.pictures import decode

        path = links.picture(target, page.path)
        if path is not None:
            # Read and unpacked in the lane; what lies outside the root by its real path is refused there.
            self._session.look_into(path, decode, partial(self._show_picture, page, panel, target), _not_shown)

    def _show_picture(self, page: Page, panel: PreviewPanel, target: str, image: QImage | None) -> None:
        if image is not None and self._panels.get(page) is panel:
            panel.show_picture(target, image)


def _reason(page: Page) -> str:
    """Why a page's preview is not all of it, or not as it is meant; empty where it is."""
    document = page.document
    if document is None or page.state is not DocumentState.VIEW:
        return ""
    return {
        Editability.NOT_UTF8: _("Not UTF-8: what cannot be read stands as �. The page offers to read it anew."),
        Editability.BINARY: _("Binary: this is what can be read of it."),
        Editability.HUGE: _("Large: what the page shows of it is rendered here."),
        Editability.LONG_LINE: _("A very long line: what the page shows of it is rendered here."),
    }.get(document.editability, "")


def _not_shown(error: MemguiError) -> None:
    """A picture that cannot be read stays the box with its words that it is."""
