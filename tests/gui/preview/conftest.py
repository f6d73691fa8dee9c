"""Pages with a preview, in windows of their own."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from memgui.domain.paths import DocPath
from memgui.gui.panels.page.page import Page
from memgui.gui.panels.preview.panel import PreviewPanel
from tests.gui.page.conftest import document


class Reader:
    """A page with its preview, and what the preview asked for."""

    def __init__(self, qtbot: QtBot, page: Page) -> None:
        self.qtbot, self.page = qtbot, page
        self.panel = PreviewPanel(page.editor, page)
        self.pictures: list[str] = []
        self.followed: list[str] = []
        self.outside: list[str] = []
        self.pointed: list[str] = []
        self.panel.picture_wanted.connect(self.pictures.append)
        self.panel.followed.connect(self.followed.append)
        self.panel.outside_chosen.connect(self.outside.append)
        self.panel.pointed.connect(self.pointed.append)

    def show(self, text: str, *, beside: bool = False) -> str:
        """Render a text, and answer it as plain text."""
        self.page.show_document(document(text.encode("utf-8", "surrogateescape")))
        self.page.set_companion(self.panel, side_by_side=beside)
        self.panel.refresh()
        return self.settled()

    def settled(self) -> str:
        self.qtbot.waitUntil(lambda: self.panel.is_current)
        return self.panel.browser.toPlainText()


@pytest.fixture
def reader(qtbot: QtBot) -> Reader:
    page = Page(DocPath("notes/page.md"))
    qtbot.addWidget(page)
    page.resize(1100, 700)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    return Reader(qtbot, page)
