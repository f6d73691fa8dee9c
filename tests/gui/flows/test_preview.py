"""Reading a workspace: from the source to the rendered page, along its links, and back."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QTextBrowser, QWidget

from tests.gui.flows.conftest import Desk

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg=="
)


@pytest.fixture
def workspace_root(workspace_root: Path) -> Path:
    """With a page of links."""
    (workspace_root / "links.md").write_text(
        "[[memory]] [[soul|who I am]] [[missing]] [up](../../etc/hosts) [run](javascript:alert(1)) "
        "[berths](MEMORY.md#berths) [web](https://a.example/page?q=1) [[Twice]]\n",
        encoding="utf-8",
    )
    for folder in ("one", "two"):
        (workspace_root / folder).mkdir()
        (workspace_root / folder / "twice.md").write_text(f"# In {folder}\n", encoding="utf-8")
    return workspace_root


def preview(desk: Desk) -> QTextBrowser:
    found = desk.widget(QTextBrowser, "preview")
    assert isinstance(found, QTextBrowser)
    return found


def read(desk: Desk, path: str) -> QTextBrowser:
    """The page rendered, its source out of sight."""
    desk.open(path)
    desk.do("view.source")
    desk.until(lambda: bool(preview(desk).toPlainText()))
    return preview(desk)


def follow(desk: Desk, words: str) -> None:
    """Click on a link with these words."""
    browser = preview(desk)
    cursor = browser.document().find(words)
    place = browser.cursorRect(cursor).center()
    place.setX(place.x() - 6)
    assert browser.anchorAt(place)
    desk.qtbot.mouseClick(browser.viewport(), Qt.MouseButton.LeftButton, pos=place)


def said(desk: Desk) -> str:
    return desk.window.status.currentMessage()


def test_from_the_source_to_the_preview_and_back(desk: Desk) -> None:
    editor = desk.open("MEMORY.md")
    desk.do("view.source")
    desk.until(lambda: "Berths" in preview(desk).toPlainText())
    assert not editor.isVisible()
    assert preview(desk).hasFocus()
    assert desk.window.action("view.source").isChecked()
    desk.do("view.side_by_side")
    assert editor.isVisible()
    assert preview(desk).isVisible()
    assert not desk.window.action("view.source").isChecked()
    desk.do("view.side_by_side")
    assert not desk.shown("preview")
    assert editor.isVisible()


def test_each_page_keeps_its_way(desk: Desk) -> None:
    read(desk, "MEMORY.md")
    desk.open("SOUL.md")
    assert not desk.shown("preview")
    assert not desk.window.action("view.source").isChecked()
    desk.do("document.close")
    desk.until(lambda: desk.shown("preview"))
    assert desk.window.action("view.source").isChecked()
    desk.do("document.close")
    desk.open("MEMORY.md")
    desk.until(lambda: desk.shown("preview"))


def test_panes_are_source_and_preview(desk: Desk) -> None:
    editor = desk.open("MEMORY.md")
    desk.do("view.side_by_side")
    editor.setFocus()
    desk.do("view.next_pane")
    assert preview(desk).hasFocus()
    desk.do("view.previous_pane")
    assert editor.hasFocus()


def test_wiki_links_go_to_their_documents(desk: Desk) -> None:
    read(desk, "links.md")
    follow(desk, "memory")
    desk.until(lambda: desk.tabs.currentWidget().property("path") == "MEMORY.md")
    desk.until(lambda: "Berths" in preview(desk).toPlainText())
    desk.do("go.back")
    desk.until(lambda: desk.tabs.currentWidget().property("path") == "links.md")


def test_a_link_may_name_a_heading(desk: Desk) -> None:
    read(desk, "links.md")
    follow(desk, "berths")
    desk.until(lambda: desk.ready("MEMORY.md"))
    editor = desk.editor("MEMORY.md")
    desk.until(lambda: editor.textCursor().block().text() == "## Berths")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("missing", "There is no document “missing” in this workspace."),
        ("up", "../../etc/hosts lies outside this workspace, and is not opened."),
        ("run", "Links to “javascript:” are not followed."),
    ],
)
def test_what_is_not_followed_is_said(desk: Desk, words: str, sentence: str) -> None:
    before = {path.name for path in desk.root.rglob("*")}
    read(desk, "links.md")
    tabs = desk.tabs.count()
    follow(desk, words)
    desk.until(lambda: said(desk) == sentence)
    assert desk.tabs.count() == tabs
    assert {path.name for path in desk.root.rglob("*")} == before


def test_the_web_is_asked_about_first(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    read(desk, "links.md")
    follow(desk, "web")
    desk.until(lambda: desk.shown("previewQuestion"))
    assert said(desk) == "https://a.example/page?q=1"
    desk.qtbot.keyClick(desk.widget(QPushButton, "openOutside"), Qt.Key.Key_Escape)
    assert not desk.shown("previewQuestion")
    assert not opened
    follow(desk, "web")
    desk.until(lambda: desk.shown("openOutside"))
    desk.qtbot.mouseClick(desk.widget(QPushButton, "openOutside"), Qt.MouseButton.LeftButton)
    assert opened == ["https://a.example/page?q=1"]


def test_one_of_several_is_chosen(desk: Desk) -> None:
    read(desk, "links.md")
    follow(desk, "Twice")
    desk.until(lambda: desk.shown("choice1"))
    button = desk.widget(QPushButton, "choice1")
    assert isinstance(button, QPushButton)
    assert button.text() == "two/twice.md"
    desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.until(lambda: desk.tabs.currentWidget().property("path") == "two/twice.md")


def test_the_keyboard_goes_along_the_links_and_is_told_where_they_lead(desk: Desk) -> None:
    browser = read(desk, "links.md")
    desk.qtbot.keyClick(browser, Qt.Key.Key_Tab)
    desk.until(lambda: said(desk) == "[[memory]]")
    desk.qtbot.keyClick(browser, Qt.Key.Key_Return)
    desk.until(lambda: desk.tabs.currentWidget().property("path") == "MEMORY.md")


def test_pictures_come_from_inside_alone(desk: Desk, tmp_path: Path) -> None:
    (desk.root / "cat.png").write_bytes(PNG)
    outside = tmp_path / "secret.png"
    outside.write_bytes(PNG)
    (desk.root / "link.png").symlink_to(outside)
    (desk.root / "pictures.md").write_text(f"![cat](cat.png) ![out](link.png) ![abs]({outside})\n", encoding="utf-8")
    desk.do("workspace.reconcile")
    desk.until(lambda: "pictures.md" in desk.tree_paths())
    browser = read(desk, "pictures.md")
    desk.until(lambda: "\ufffc" in browser.toPlainText())
    desk.until(lambda: browser.toPlainText().count("\ufffc") == 1)
    assert "out · link.png" in browser.toPlainText()
    assert f"abs · {outside}" in browser.toPlainText()


def test_what_an_agent_writes_is_rendered(desk: Desk) -> None:
    browser = read(desk, "MEMORY.md")
    desk.append("MEMORY.md", "\n- a *new* line <!-- with a comment -->\n")
    desk.until(lambda: "a new line <!-- with a comment -->" in browser.toPlainText())


def test_only_markdown_has_a_preview(desk: Desk) -> None:
    (desk.root / "notes.txt").write_text("# x\n", encoding="utf-8")
    desk.do("workspace.reconcile")
    desk.until(lambda: "notes.txt" in desk.tree_paths())
    desk.open("notes.txt")
    desk.do("view.source")
    assert not any(widget.isVisible() for widget in desk.window.findChildren(QWidget, "preview"))
    assert said(desk) == "Only Markdown files have a preview"
    assert not desk.window.action("view.source").isChecked()


def test_a_locked_page_can_be_read(desk: Desk) -> None:
    browser = read(desk, "SOUL.md")
    assert "Calm, exact" in browser.toPlainText()
    assert browser.isReadOnly()


def test_no_address_is_opened_by_itself(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    browser = read(desk, "links.md")
    for href in ("https://a.example", "file:///etc/hosts", "#99", "javascript:alert(1)", ""):
        browser.anchorClicked.emit(QUrl(href))
        browser.setSource(QUrl(href))
    assert not opened
    assert "web" in browser.toPlainText()


def test_the_checklist_and_the_preview_take_turns(desk: Desk) -> None:
    desk.do("view.heartbeat")
    desk.until(lambda: desk.ready("HEARTBEAT.md"))
    editor = desk.editor("HEARTBEAT.md")
    desk.do("view.source")
    desk.until(lambda: "Check the tide table" in preview(desk).toPlainText())
    assert not editor.isVisible()
    desk.do("view.heartbeat")
    assert not desk.shown("preview")
    desk.do("view.side_by_side")
    assert preview(desk).isVisible()
    assert editor.isVisible()
    desk.do("view.side_by_side")
    assert not desk.shown("preview")


def test_what_can_only_be_looked_at_has_a_preview_that_says_why(desk: Desk) -> None:
    (desk.root / "latin.md").write_bytes("# Pr\xfcfen\n".encode("latin-1"))
    desk.until(lambda: "latin.md" in desk.tree_paths())
    desk.open("latin.md")
    desk.until(lambda: desk.window.action("view.side_by_side").isEnabled())
    desk.do("view.side_by_side")
    desk.until(lambda: desk.shown("previewReason"))
    assert "Not UTF-8" in desk.widget(QWidget, "previewReason").accessibleName()
    desk.open("MEMORY.md")
    desk.do("view.side_by_side")
    desk.until(lambda: desk.shown("preview"))
    assert not desk.shown("previewReason")
