"""The path rule that every tool's paths pass, and the forms of names."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.errors import InvalidParameters
from memgui.domain.paths import (
    check_document,
    comparable,
    document_path,
    is_document,
    is_inside,
    join,
    name_of,
    parent_of,
    parse,
    segments_of,
    shown,
    sort_key,
    stem_of,
    suffix_of,
)


@pytest.mark.parametrize(
    ("raw", "meant"),
    [
        ("MEMORY.md", "MEMORY.md"),
        (" SOUL.md", "SOUL.md"),
        ("SOUL.md/", "SOUL.md"),
        ("SOUL.md/.", "SOUL.md"),
        ("./SOUL.md", "SOUL.md"),
        ("././/daily///2026-01-01.md", "daily/2026-01-01.md"),
        ("ＳＯＵＬ．ｍｄ", "SOUL.md"),
        ("daily\\x.md", "daily/x.md"),
        ("a / b .md", "a/b .md"),
        ("\u00a0MEMORY.md\u3000", "MEMORY.md"),
        ("\tMEMORY.md\n", "MEMORY.md"),
        ("cafe\u0301.md", "caf\u00e9.md"),
        ("10：30.md", "10:30.md"),
        ("日記/メモ.md", "日記/メモ.md"),
        ("a/~b.md", "a/~b.md"),
        ("...", "..."),
        ("a\u200b.md", "a\u200b.md"),
    ],
)
def test_a_path_is_what_its_writer_meant(raw: str, meant: str) -> None:
    assert parse(raw) == meant


@pytest.mark.parametrize(
    "raw",
    [
        "",
        " ",
        ".",
        "./",
        "/etc/passwd",
        " /etc/passwd",
        "//etc/passwd",
        "\\\\server\\share",
        "\\windows",
        "~/x.md",
        "~root/x.md",
        "./~/x.md",
        "～/x.md",
        "C:\\x.md",
        "c:x.md",
        "Ｃ：/x.md",
        "..",
        "../x.md",
        "x/../SOUL.md",
        "x/..\\..\\y.md",
        "x/ .. /y.md",
        "x/‥/y.md",
        "．．/x.md",
        ".\u200b./x.md",
        "x/\u200b/y.md",
        "a\0.md",
        "\ud800.md",
        "a/\udbff.md",
    ],
)
def test_a_path_that_leads_out_or_hides_is_refused(raw: str) -> None:
    with pytest.raises(InvalidParameters) as caught:
        parse(raw)
    assert caught.value.message.encode()


@pytest.mark.parametrize("raw", ["", ".", "./", " "])
def test_the_tree_may_be_asked_for_the_workspace_itself(raw: str) -> None:
    assert parse(raw, allow_root=True) == ""


@pytest.mark.parametrize(
    "raw", ["10:30.md", "10：30.md", "a\u200b.md", "a\u202e.md", "a\nb.md", "a\x7f.md", "\udcff.md"]
)
def test_names_that_hide_something_can_be_read_but_not_written(raw: str) -> None:
    assert parse(raw)
    with pytest.raises(InvalidParameters):
        parse(raw, writing=True)


@pytest.mark.parametrize(
    "raw", ["MEMORY.md", "a/b/c.markdown", "X.MD", ".agentsmith/memory/fact.md", "notes.v2.md", " a.md "]
)
def test_tools_reach_documents(raw: str) -> None:
    assert document_path(raw, named_folders=frozenset({".agentsmith"}))


@pytest.mark.parametrize(
    "raw",
    [
        "conftest.py",
        "SOUL.md.",
        "README",
        ".md",
        ".hidden.md",
        "\u200b.hidden.md",
        ".git/x.md",
        "．git/x.md",
        "\u200b.git/x.md",
        ".claude/x.md",
        "node_modules/x.md",
        "Node_Modules/pkg/x.md",
        "a/.github/workflows/x.md",
        "x.md.bak",
        "x.md\u200b",
    ],
)
def test_tools_reach_nothing_else(raw: str) -> None:
    with pytest.raises(InvalidParameters):
        document_path(raw, named_folders=frozenset({".agentsmith"}))


def test_the_two_halves_of_the_document_rule_can_be_asked_apart() -> None:
    path = parse("SOUL.md.")
    with pytest.raises(InvalidParameters):
        check_document(path)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SOUL.md", "soul.MD"),
        ("SOUL.md", "soul.md."),
        ("SOUL.md", "soul.md . ."),
        ("SOUL.md", "ＳＯＵＬ.md"),
        ("SOUL.md", "S\u200bOUL.md"),
        ("SOUL.md", " SOUL.md\u00ad"),
        ("SOUL.md", "ſOUL.md"),
        ("straße.md", "STRASSE.md"),
        ("\u00e9.md", "E\u0301.md"),
    ],
)
def test_names_that_may_be_one_file_compare_equal(one: str, other: str) -> None:
    assert comparable(one) == comparable(other)


def test_names_for_people_hide_nothing() -> None:
    assert shown(os.fsdecode(b"bad\xff.md")) == "bad\\xff.md"
    assert shown("a\u202eb\u200bc\nd\u2028") == "a\\u202eb\\u200bc\\x0ad\\u2028"
    assert shown("\U000e0041") == "\\U000e0041"
    assert shown("\ud800") == "\\ud800"
    assert shown("日記 é 🧠.md") == "日記 é 🧠.md"


@given(st.text() | st.binary().map(os.fsdecode))
def test_what_is_shown_is_printable_and_never_raises(text: str) -> None:
    assert isinstance(shown(text).encode(), bytes)
    assert comparable(text) == comparable(comparable(text))


@given(st.text(alphabet="aA./\\~: \u00a0\u200b\u2025．／C\0"))
def test_a_path_that_passed_stays_inside(raw: str) -> None:
    try:
        path = parse(raw)
    except InvalidParameters:
        return
    assert parse(path) == path
    assert not path.startswith(("/", "~"))
    assert ".." not in segments_of(path)
    assert os.path.normpath(os.path.join("/ws", path)).startswith("/ws/")


def test_the_parts_of_a_path() -> None:
    assert (name_of("a/b.md"), parent_of("a/b.md"), join("a", "b.md")) == ("b.md", "a", "a/b.md")
    assert (name_of("b.md"), parent_of("b.md"), join("", "b.md")) == ("b.md", "", "b.md")
    assert (suffix_of("a.b/c"), suffix_of("x.tar.gz"), suffix_of(".hidden")) == ("", ".gz", "")
    assert (stem_of("a/c.v2.md"), stem_of(".hidden"), segments_of("")) == ("c.v2", ".hidden", ())
    assert is_inside("a/b", "a")
    assert is_inside("a", "a")
    assert is_inside("a", "")
    assert not is_inside("ab", "a")
    assert sort_key("\udcff") == b"\xff"
    assert [is_document(name) for name in ("a.md", "A.MD", "a.markdown", "a.txt", ".md", "md")] == [
        *(True,) * 3,
        *(False,) * 3,
    ]
