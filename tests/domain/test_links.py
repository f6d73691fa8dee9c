"""Where links lead, and what they say of it."""

from __future__ import annotations

import pytest

from memgui.domain.links import WIKI, Way, follow, picture, section_line, undisclosed
from memgui.domain.paths import DocPath

HERE = DocPath("projects/tide.md")
DOCUMENTS = [
    DocPath(path)
    for path in ("MEMORY.md", "projects/tide.md", "projects/Crane.md", "people/ines.md", "old/Ines.md", "notes/a b.md")
]


@pytest.mark.parametrize(
    ("target", "path", "section"),
    [
        ("../MEMORY.md", "MEMORY.md", ""),
        ("/MEMORY.md", "MEMORY.md", ""),
        ("Crane.md#The hook", "projects/Crane.md", "The hook"),
        ("crane.md", "projects/Crane.md", ""),
        ("Crane", "projects/Crane.md", ""),
        ("../notes/a%20b.md", "notes/a b.md", ""),
        ("#here", "projects/tide.md", "here"),
        (f"{WIKI}crane", "projects/Crane.md", ""),
        (f"{WIKI}CRANE.md#Hook", "projects/Crane.md", "Hook"),
        (f"{WIKI}people/ines", "people/ines.md", ""),
        (f"{WIKI}#Hook", "projects/tide.md", "Hook"),
    ],
)
def test_to_a_document(target: str, path: str, section: str) -> None:
    link = follow(target, HERE, DOCUMENTS)
    assert (link.way, link.paths, link.section) == (Way.DOCUMENT, (path,), section)


def test_a_name_that_several_have_is_a_choice() -> None:
    link = follow(f"{WIKI}ines", HERE, DOCUMENTS)
    assert (link.way, link.paths) == (Way.CHOICE, ("old/Ines.md", "people/ines.md"))
    assert follow(f"{WIKI}ines", DocPath("people/x.md"), DOCUMENTS).paths == ("people/ines.md",)


@pytest.mark.parametrize("target", ["http://a.example", "HTTPS://a.example/x", "mailto:a@b.example"])
def test_out_into_the_web(target: str) -> None:
    assert follow(target, HERE, DOCUMENTS).way is Way.OUTSIDE


@pytest.mark.parametrize(
    "target",
    [
        "../../etc/hosts",
        "../../../../etc/passwd",
        "..%2f..%2fetc%2fhosts",
        "/../etc/hosts",
        "file:///etc/hosts",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "data:text/html,x",
        "smb://server/share",
        "//server/share",
        "\\\\server\\share",
        "vbscript:x",
        "missing.md",
        "",
        "a\0b",
        f"{WIKI}missing",
        f"{WIKI}../../etc/hosts",
    ],
)
def test_nowhere_else(target: str) -> None:
    link = follow(target, HERE, DOCUMENTS)
    if target:
        assert link.way is Way.REFUSED
        assert link.reason.endswith(".")
    else:
        assert link.paths == (HERE,)


@pytest.mark.parametrize(
    ("text", "target", "said"),
    [
        ("a.example", "http://a.example/x", ""),
        ("https://www.a.example/x", "https://a.example/x", ""),
        ("the page", "https://a.example/x", "a.example"),
        ("google.example", "https://evil.example/google.example", "evil.example"),
        ("https://good.example", "https://good.example@evil.example/", "evil.example"),
        ("good.example.evil.example", "https://good.example", "good.example"),
        ("аррӏе.com", "https://аррӏе.com/", "аррӏе.com = xn--80ak6aa92e.com"),
        ("site", "https://аррӏе.com/", "аррӏе.com = xn--80ak6aa92e.com"),
        ("x", "javascript:alert(1)", "javascript:alert(1)"),
        ("x", "http://[broken", "http://[broken"),
        ("write", "mailto:a@b.example", "a@b.example"),
        ("a@b.example", "mailto:a@b.example", ""),
        ("a@b.example", "mailto:a@b.example?body=x", "mailto:a@b.example?body=x"),
        ("x", "other.md", ""),
    ],
)
def test_what_the_words_of_a_link_leave_out(text: str, target: str, said: str) -> None:
    assert undisclosed(text, target) == said


def test_pictures_lie_inside() -> None:
    assert picture("a.png", HERE) == "projects/a.png"
    assert picture("../img/a%20b.png?x#y", HERE) == "img/a b.png"
    for target in ("../../a.png", "file:///a.png", "http://a/b.png", "//a/b.png", "data:x", "", "#x"):
        assert picture(target, HERE) is None


def test_a_heading_is_found_by_its_words_or_its_slug() -> None:
    lines = ["# One", "", "## The Hook, again!", "```", "# no", "```"]
    assert section_line(lines, "The Hook, again!") == 3
    assert section_line(lines, "the-hook-again") == 3
    assert section_line(lines, "no") is None
