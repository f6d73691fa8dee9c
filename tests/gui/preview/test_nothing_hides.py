"""Whatever a page tries: nothing is loaded, nothing is hidden, nothing is obeyed."""

from __future__ import annotations

import base64
import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QTimer, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from memgui.domain.invisible import HIDDEN
from memgui.gui.panels.preview.pictures import decode
from tests.gui.preview.conftest import Reader

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg=="
)


@pytest.fixture
def hits() -> Iterator[list[str]]:
    """The paths that somebody asked of a server on this machine; its address is the first entry's host."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    asked.append(f"127.0.0.1:{server.server_port}")
    yield asked
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("a <placeholder> b", "a <placeholder> b"),
        ("before <!-- do X --> after", "before <!-- do X --> after"),
        ("<!-- do X -->", "<!-- do X -->"),
        ("<!-- do X, never closed\n\n# heading", "# heading"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
        ('x <span style="font-size:0">tiny</span>', '<span style="font-size:0">tiny</span>'),
        ("[//]: # (do X)", "do X"),
        ("> [//]: # (do X)", "do X"),
        ("- a\n\n  [//]: # (do X)", "do X"),
        ("[^1]: note", "[^1]: note"),
        ("[](do-x.md)", "do-x.md"),
        ('[ok](x.md "do X")', "do X"),
        ("![](do-x.png)", "do-x.png"),
        ('![alt](a.png "do X")', "do X"),
        ("![do X](data:image/png;base64,AAAA)", "do X · data:image/png;base64,AAAA"),
        ("| a |\n|---|\n| 1 | do X |", "do X"),
        ("```ignore all rules\ncode\n```", "ignore all rules"),
        ("- a\n  ```ignore all rules\n  code\n  ```", "ignore all rules"),
        ("- a\n  ```日本 do X\n  code\n  ```", "日本 do X"),
        ("[my bank](https://evil.example/x)", "my bank (evil.example)"),
        ("[![a](a.png)](https://evil.example/do-x)", "https://evil.example/do-x"),
        ("[![a](a_(b).png)](https://evil.example/do-x)", "https://evil.example/do-x"),
        ("[![a][1] ](do-x.md)\n\n[1]: a.png", "do-x.md"),
        ("[x](javascript:alert(1))", "javascript:alert(1)"),
        ("[x](file:///etc/hosts)", "file:///etc/hosts"),
        ("---\nname: x\nhidden: do X\n---\n", "hidden: do X"),
        ("a\u200bb", "a‹U+200B ZWSP›b"),
        ("a&#8203;b", "a‹U+200B ZWSP›b"),
        ("a&#x202e;b", "a‹U+202E RLO›b"),
        ("a&ZeroWidthSpace;b", "a&ZeroWidthSpace;b"),
        ("`a\u202eb`", "a‹U+202E RLO›b"),
        ("# \u2066x\u2069", "‹U+2066 LRI›x‹U+2069 PDI›"),
        ("| a |\n|---|\n| \u200bx |", "‹U+200B ZWSP›x"),
        ("[a](b.md?\u202e)", "‹U+202E RLO›"),
        ("x \U000e0041\U000e0042", "‹U+E0041›‹U+E0042›"),
        ("[[name|do X]]", "do X (name)"),
        ("[[name#head]]", "name#head"),
        ("```mermaid\ngraph TD\n```", "graph TD"),
        ("$$ x $$ ==y== ^z^ ~w~", "$$ x $$ ==y=="),
        ("&lt;b&gt; &amp; &copy;", "<b> & ©"),
        ("[!NOTE] x", "[!NOTE] x"),
    ],
)
def test_it_is_there_to_be_read(reader: Reader, text: str, visible: str) -> None:
    shown = reader.show(text)
    assert visible in shown
    assert not HIDDEN.search(shown.replace("\n", ""))
    assert not reader.followed


def test_nothing_is_loaded(reader: Reader, hits: list[str], tmp_path: Path, qtbot: QtBot) -> None:
    picture = tmp_path / "secret.png"
    picture.write_bytes(PNG)
    host = hits[0]
    shown = reader.show(
        f"![a](http://{host}/a.png) ![b](file://{picture}) ![c]({picture}) ![d](//{host}/d.png)\n\n"
        f"<img src='http://{host}/e.png'> <link rel=stylesheet href='http://{host}/f.css'>\n\n"
        f"![g][ref] ![h](../../../../{picture})\n\n[ref]: http://{host}/g.png\n"
    )
    reader.panel.resize(500, 400)
    reader.panel.browser.grab()
    qtbot.waitUntil(lambda: len(reader.pictures) == 6 and not hits[1:])
    for target in (f"http://{host}/a.png", f"file://{picture}", str(picture), f"http://{host}/e.png"):
        assert target in shown
    document = reader.panel.browser.document()
    for url in (QUrl(f"http://{host}/a.png"), QUrl.fromLocalFile(str(picture)), QUrl(str(picture))):
        for kind in (QTextDocument.ResourceType.ImageResource, QTextDocument.ResourceType.HtmlResource):
            loaded = document.resource(kind.value, url)
            assert loaded is None or loaded.isNull()
    assert hits == [host]
    assert all("secret" not in block for block in re.findall("\ufffc", shown))


def test_the_document_holds_nothing_to_follow(reader: Reader) -> None:
    reader.show("[a](javascript:alert(1)) [b](file:///etc/hosts) <https://c.example> [[d]]")
    html = reader.panel.browser.toHtml()
    assert set(re.findall(r'href="([^"]*)"', html)) == {"#0", "#1", "#2", "#3"}
    assert reader.panel.browser.written.links == [
        "javascript:alert(1)",
        "file:///etc/hosts",
        "https://c.example",
        "wiki:d",
    ]


HOSTILE = {
    "stars": "*" * 20_000,
    "brackets": "[" * 20_000,
    "closed brackets": "[a](" * 5_000,
    "emphasis": "a* *b " * 3_300,
    "code": "`a " * 6_600,
    "quotes": ">" * 2_000 + " deep",
    "quoted lines": "\n".join("> " * min(number, 12) + "x" for number in range(1_000)),
    "items": "\n".join(f"- item {number}" for number in range(10_000)),
    "nested items": "- top\n" + "\n".join(f"  - item {number}" for number in range(2_000)),
    "ever deeper": "\n".join("  " * number + "- x" for number in range(200)),
    "comment": "<!-- \n" + "line\n" * 5_000,
    "table": "|a|b|\n|---|---|\n" + "|1|2|\n" * 500,
    "wide table": "|" + "a|" * 500 + "\n|" + "---|" * 500 + "\n" + "|" + "x|" * 500,
    "definitions": "\n".join(f"[r{number}]: http://x.example/{number}" for number in range(2_000)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_it_does_not_stand_still(reader: Reader, name: str) -> None:
    text = HOSTILE[name]
    stalls = Stalls()
    shown = reader.show(text)
    worst = stalls.end()
    assert len(re.findall(r"\w", shown)) >= len(re.findall(r"\w", text)) * 0.95 or name == "items"
    assert reader.panel.browser.horizontalScrollBar().maximum() < 4_000
    # A slow machine gets some grace; what is meant here is the seconds and minutes of a program that hangs.
    assert worst < 1.0


class Stalls:
    """The longest work, in seconds of it, that events had to wait for."""

    def __init__(self) -> None:
        QApplication.processEvents()
        self._last, self._worst = process_time(), 0.0
        self._timer = QTimer(interval=0)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        now = process_time()
        self._worst, self._last = max(self._worst, now - self._last), now

    def end(self) -> float:
        self._look()
        self._timer.stop()
        return self._worst


WORD = st.from_regex(r"[a-z]{4,8}", fullmatch=True)
SIGNS = "# |> |- |* |1. |~~~ |<!-- | -->|<b>|</div>|<script>|[|](|]|)|![|]: |`|```|**|_|~~|&#8203;|\u200b|\u202e|\\"
MORE = ["\n", "\n\n", "\n```\n", "\n[", "---\n", "\n===\n", "| ", " |", "\n|---|---|\n", "|", " ", "  ", "    ", "[["]
PARTS = st.sampled_from([*SIGNS.split("|"), *MORE, "]]", ":", '"', "[^1]", "<http://", ">", "\n- ", "\n> ", "\n  "])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.one_of(WORD, PARTS), max_size=30).map("".join))
def test_every_word_can_be_read(reader: Reader, text: str) -> None:
    shown = reader.show(text)
    targets = " ".join(reader.panel.browser.written.links)
    for word in re.findall(r"[a-z]{4,}", text):
        assert word in shown or word in targets
    assert not HIDDEN.search(shown.replace("\n", "").replace("\t", ""))


def test_nothing_is_too_small_or_too_pale_to_see(reader: Reader) -> None:
    reader.show("# a\n\nb `c` <small>d</small> [e](http://f.example)\n\n<!-- g -->\n\n- h\n\n> i\n\n```j\nk\n```")
    block = reader.panel.browser.document().begin()
    body = reader.panel.browser.look.font.pointSizeF()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            assert iterator.fragment().charFormat().font().pointSizeF() > body * 0.7
            iterator += 1
        block = block.next()


def test_pictures_are_decoded_with_care() -> None:
    image = decode(PNG)
    assert image is not None
    assert image.width() == 2
    assert decode(b"no picture") is None
    assert decode(b"") is None
    assert decode(PNG[:40]) is None
    assert decode(b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/hosts"/></svg>') is None
    huge = bytearray(PNG)
    huge[16:24] = (60_000).to_bytes(4, "big") * 2
    assert decode(bytes(huge)) is None


def test_a_picture_comes_above_its_words(reader: Reader) -> None:
    image = decode(PNG)
    assert image is not None
    reader.show("# a\n\n![the cat](cat.png) and ![the cat again](cat.png)\n\n# b")
    positions = list(reader.panel.browser.written.positions)
    reader.panel.show_picture("cat.png", image)
    shown = reader.panel.browser.toPlainText()
    assert shown.count("\ufffc") == 2
    assert "the cat · cat.png" in shown
    assert [now - before for before, now in zip(positions, reader.panel.browser.written.positions, strict=True)] == [
        0,
        0,
        4,
    ]
