"""Documents and pages for the tests of pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from pytestqt.qtbot import QtBot

from memgui.domain.documents import Document, fingerprint
from memgui.domain.paths import DocPath
from memgui.domain.requests import SaveRequest, SaveResult, Unsaved
from memgui.domain.tree import Node, NodeKind, Stat
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.keeping import PageOptions
from memgui.gui.panels.page.page import Page
from memgui.gui.panels.page.tabs import DocumentTabs
from tests.conftest import Clock


def document(data: bytes, path: str = "MEMORY.md") -> Document:
    """What a reading of these bytes would be."""
    name = DocPath(path)
    return Document.of(name, data, Node(name, NodeKind.FILE, Stat(len(data), 0, 0, 1, 1, 0o644, 1)))


def result(request: SaveRequest) -> SaveResult:
    """The answer to a save that went well."""
    return SaveResult(
        request.path, fingerprint(request.data), document(request.data, request.path).node, request.ticket
    )


@dataclass
class Heard:
    """What a page asked for, in order."""

    saves: list[SaveRequest] = field(default_factory=list)
    journal: list[Unsaved] = field(default_factory=list)
    dropped: list[DocPath] = field(default_factory=list)
    kept: list[bytes] = field(default_factory=list)
    rereads: list[DocPath] = field(default_factory=list)

    def keep(self, path: DocPath, data: bytes) -> None:
        self.kept.append(data)


@pytest.fixture
def editor(qtbot: QtBot) -> MemoryEditor:
    """An editor on a screen."""
    made = MemoryEditor()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    return made


@pytest.fixture
def page(qtbot: QtBot, clock: Clock) -> Page:
    """A page that has read nothing yet and never saves by itself."""
    made = Page(DocPath("MEMORY.md"), PageOptions(autosave_seconds=0, journal_seconds=60), now=clock)
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    return made


@pytest.fixture
def heard(page: Page) -> Heard:
    """What `page` asks for."""
    return hear(page)


@pytest.fixture
def tabs(qtbot: QtBot, clock: Clock) -> DocumentTabs:
    """The pages of a window, which has none yet."""
    made = DocumentTabs(PageOptions(autosave_seconds=5, journal_seconds=60), now=clock)
    qtbot.addWidget(made)
    made.resize(800, 500)
    made.show()
    return made


@pytest.fixture
def asked(tabs: DocumentTabs) -> Heard:
    """What the pages of `tabs` ask for."""
    return hear(tabs)


def hear(page: Page | DocumentTabs) -> Heard:
    """Listen to a page, or to all pages."""
    ears = Heard()
    page.save_requested.connect(ears.saves.append)
    page.journal_requested.connect(ears.journal.append)
    page.journal_dropped.connect(ears.dropped.append)
    page.keep_requested.connect(ears.keep)
    if isinstance(page, Page):
        page.reread_requested.connect(ears.rereads.append)
    return ears


@pytest.fixture
def shown(page: Page) -> Callable[..., Page]:
    """Gives the page bytes to show."""

    def show(data: bytes, *, protected: bool = False) -> Page:
        page.show_document(document(data), protected=protected)
        return page

    return show
