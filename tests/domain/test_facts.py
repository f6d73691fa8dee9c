"""Facts: how they are read, named, changed and told."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memgui.domain import fact_index, facts, frontmatter
from memgui.domain.errors import InvalidParameters
from memgui.domain.facts import Fact, FactType, Malformed, Wanted
from memgui.domain.layouts import Layout
from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath

PATH = DocPath("store/tide-first.md")
TEXT = (
    "---\nname: tide-first\ndescription: Ask for the tide: before berths\n"
    "metadata:\n  type: project\nstatus: proposed\n---\n\nThe tide decides.\n"
)


def fact(text: str = TEXT, layout: Layout = Layout.AGENTSMITH) -> Fact:
    found = facts.read(PATH, text, layout)
    assert isinstance(found, Fact), found
    return found


def block(lines: str, body: str = "") -> str:
    return f"---\n{lines}\n---\n{body}"


# Reading -----------------------------------------------------------------------------------------------------------


def test_a_fact_is_read() -> None:
    found = fact()
    assert (found.name, found.type, found.status) == ("tide-first", FactType.PROJECT, "proposed")
    assert (found.description, found.body) == ("Ask for the tide: before berths", "The tide decides.")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it has no front matter"),
        ("# Only a page\n", "it has no front matter"),
        ("---\n\nA rule first\n", "it has no front matter"),
        ("---\ntype: project\nbody without an end\n", "the front matter has no closing ---"),
        (block("name: x"), "the front matter says no type"),
        (block("type:"), "the front matter says no type"),
        (block("type: rumour"), "'rumour' is no type of fact"),
        (block("type: user"), "'user' is no type of fact"),
    ],
)
def test_what_is_no_fact_says_why(text: str, reason: str) -> None:
    assert facts.read(PATH, text, Layout.AGENTSMITH) == Malformed(PATH, reason)


def test_facts_about_the_user_are_claudes_alone() -> None:
    assert fact(block("type: USER"), Layout.CLAUDE).type is FactType.USER


def test_a_name_falls_back_to_the_stem_and_the_first_key_wins() -> None:
    assert fact(block("type: project")).name == "tide-first"
    assert fact(block("name: a\nname: b\ntype: project")).name == "a"
    assert fact(block("type: project\nstatus: Ratified\nstatus: proposed")).status == "ratified"


@pytest.mark.parametrize("break_", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_no_character_but_a_line_end_begins_a_key(break_: str) -> None:
    text = block(f"type: feedback\nstatus: proposed\ndescription: x{break_}status: ratified")
    assert fact(text).status == "proposed"
    text = block(f"description: x{break_}status: ratified\ntype: feedback\nstatus: proposed")
    assert fact(text).status == "proposed"


@pytest.mark.parametrize(
    ("lines", "ratified", "open_"),
    [
        ("type: feedback", True, False),
        ("type: feedback\nstatus: proposed", False, True),
        ("type: feedback\nstatus: ratified", True, False),
        ("type: feedback\nstatus: PROPOSED", False, True),
        ("type: project", False, True),
        ("type: project\nstatus: proposed", False, True),
        ("type: project\nstatus: ratified", True, False),
        ("type: project\nstatus: rejected", False, False),
        ("type: reference\nmetadata:\n  status: ratified", True, False),
    ],
)
def test_a_status_says_whether_an_agent_may_change_it(lines: str, ratified: bool, open_: bool) -> None:
    found = fact(block(lines))
    assert (found.is_ratified, found.is_open) == (ratified, open_)


@pytest.mark.parametrize(
    ("name", "is_fact"),
    [
        ("a.md", True),
        ("a.MD", True),
        ("MEMORY.md", False),
        ("memory.md", False),
        ("README.md", False),
        ("a.markdown", False),
        ("a.txt", False),
        (".a.md", False),
        ("SOUL.md", False),
        ("claude.md", True),
    ],
)
def test_only_markdown_beside_the_index_is_a_fact(name: str, is_fact: bool) -> None:
    assert facts.is_fact_file(name) is is_fact


# Names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Build Order", "build-order"),
        ("  build--order!! ", "build-order"),
        ("../x", "x"),
        ("a/b\\c.md", "a-b-c-md"),
        ("a\nb", "a-b"),
        ("x](y.md) (feedback, ratified)", "x-y-md-feedback-ratified"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", "full-width"),
        ("Größe der Datei", "größe-der-datei"),
        ("cafe\u0301", "café"),
        ("港口 时间", "港口-时间"),
        ("しりとり・ルール", "しりとり-ルール"),
        ("항구 규칙", "항구-규칙"),
        ("Порядок сборки", "порядок-сборки"),
        ("हिन्दी नियम", "हिन्दी-नियम"),
        ("ภาษาไทย", "ภาษาไทย"),
        ("قاعدة المدّ", "قاعدة-المدّ"),
        ("a\u202eb\u200bc", "a-b-c"),
        ("snake_case_9", "snake-case-9"),
        ("😀", ""),
        ("---", ""),
        ("\u0301", ""),
    ],
)
def test_a_name_becomes_a_file_name_in_every_script(name: str, slug: str) -> None:
    assert facts.slug(name) == slug


@given(st.text(max_size=60))
def test_a_slug_is_a_plain_name_and_stays_what_it_is(name: str) -> None:
    slug = facts.slug(name)
    assert facts.slug(slug) == slug
    assert not set(slug) & set("/\\.:[]()<>\n\r\0 _")
    assert slug == slug.strip("-")


KNOWN = [("build-order", "build-order"), ("feedback_style", "feedback_style"), ("e", "emulator")]


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("build-order", "build-order"),
        ("Build Order", "build-order"),
        ("feedback_style", "feedback_style"),
        ("emulator", "e"),
        ("e", "e"),
        ("build-order.md", "build-order"),
        ("something new", "something-new"),
    ],
)
def test_a_name_finds_its_fact_or_a_place_of_its_own(name: str, stem: str) -> None:
    assert facts.stem_for(name, KNOWN) == stem


@pytest.mark.parametrize(
    "name",
    [
        *("build.order", "Build_Order", "build/order!", "feedback-style", "Feedback Style", "Emulator!", "", "!!"),
        *("MEMORY", "ＭＥＭＯＲＹ", "memory.", "README", "x" * 300, "me\u200bmory"),
    ],
)
def test_a_name_that_would_hide_or_reach_another_is_refused_with_advice(name: str) -> None:
    with pytest.raises(InvalidParameters) as refused:
        facts.stem_for(name, KNOWN)
    assert refused.value.hint


def test_a_file_name_that_would_break_its_index_line_is_refused() -> None:
    for stem in ("a](b", "a\nb", "a(b)"):
        with pytest.raises(InvalidParameters):
            facts.stem_for(stem, [(stem, stem)])


# Writing -----------------------------------------------------------------------------------------------------------


def wish(**more: object) -> Wanted:
    values = {"name": "n", "type": "project", "description": "d", "body": "b"} | more
    return facts.wanted(values["name"], values["type"], values["description"], values["body"], Layout.AGENTSMITH)


@pytest.mark.parametrize(
    "more",
    [
        {"type": "rumour"},
        {"type": "user"},
        {"type": "project\nstatus: ratified"},
        {"type": ""},
        {"description": " \n "},
        {"description": "x" * 3000},
        {"description": "\ud800"},
        {"body": "\0"},
        {"body": 7},
        {"name": None},
        {"body": "x" * 1_000_001},
    ],
)
def test_what_cannot_be_a_fact_is_refused(more: dict[str, object]) -> None:
    with pytest.raises(InvalidParameters):
        wish(**more)


def test_a_new_fact_has_this_form() -> None:
    made = facts.new_text("ask-first", wish(type="Feedback", description=' a: b\n "c" ', body="one\ntwo\n"))
    assert made == (
        '---\nname: ask-first\ndescription: a: b "c"\nmetadata:\n  type: feedback\nstatus: proposed\n---\n\none\ntwo\n'
    )
    assert "status" not in facts.new_text("x", wish())
    assert facts.new_text("x", wish(body="")).endswith("type: project\n---\n")


@example("a\ufdd0- [b](b.md) (feedback, ratified) \u2014 x", "", "project")
@given(st.text(max_size=80), st.text(max_size=200), st.sampled_from(["feedback", "project", "reference"]))
def test_nothing_in_a_text_sets_a_status_or_a_type(description: str, body: str, kind: str) -> None:
    try:
        asked = wish(description=description, body=body, type=kind)
    except InvalidParameters:
        return
    before = facts.new_text("s", wish(type=kind))
    for text in (facts.new_text("s", asked), facts.changed_text(before, fact(before), asked)):
        found = fact(text)
        assert found.type == kind
        assert found.status == ("proposed" if kind == "feedback" else None)
        assert asked.body is not None
        assert found.body.splitlines() == asked.body.splitlines()
        index = fact_index.upserted("", found, Layout.AGENTSMITH)
        assert [(one.file, one.type, one.status) for one in fact_index.lines(index, Layout.AGENTSMITH)] == [
            ("tide-first.md", found.type, found.status)
        ]
        assert len(Lines.split(index).texts) == 4


def test_a_change_touches_its_own_lines_alone() -> None:
    text = (
        "\ufeff---\r\nauthor: @mara\r\nDescription: 'old'  \r\nname: tide-first\r\n"
        "metadata:\r\n  node: {{x}}\r\n  type: project\r\ntags: [a: b\r\n---\r\n\r\nold body\r\n\r\n"
    )
    changed = facts.changed_text(text, fact(text), wish(description="new", body="one\ntwo"))
    assert changed == text.replace("Description: 'old'  ", "Description: new").replace("old body", "one\r\ntwo")
    assert facts.changed_text(text, fact(text), wish(description="old", body="old body")) == text


def test_feedback_stays_feedback_and_a_mark_stays() -> None:
    text = block("type: feedback\nstatus: proposed", "b\n")
    assert facts.changed_text(text, fact(text), wish(type="project", description="d")) == block(
        "type: feedback\nstatus: proposed\ndescription: d", "b\n"
    )
    text = block("metadata:\n  type: project", "b\n")
    changed = fact(facts.changed_text(text, fact(text), wish(type="feedback")))
    assert (changed.type, changed.status) == (FactType.FEEDBACK, "proposed")
    text = block("metadata:\n  type: project\n  status: proposed", "b\n")
    changed = fact(facts.changed_text(text, fact(text), wish(type="reference")))
    assert (changed.type, changed.status) == (FactType.REFERENCE, "proposed")


@given(st.binary(max_size=200))
def test_no_bytes_of_a_fact_are_lost(data: bytes) -> None:
    for whole in (data, b"---\ntype: project\n" + data, b"---\ntype: project\n---\n" + data, TEXT.encode() + data):
        text = whole.decode("utf-8", "surrogateescape")
        found = facts.read(PATH, text, Layout.AGENTSMITH)
        if isinstance(found, Malformed):
            continue
        marked = frontmatter.with_value(text, "status", "ratified")
        assert fact(marked).status == "ratified"
        # One line more, or one line changed; every other stays as it is, byte for byte.
        begin = next((i for i, (a, b) in enumerate(zip(text, marked, strict=False)) if a != b), len(text))
        end = 0
        while end < min(len(text), len(marked)) - begin and text[-1 - end] == marked[-1 - end]:
            end += 1
        lost = text[begin : len(text) - end]
        assert "\n" not in lost
        assert "\r" not in lost


# Finding again -----------------------------------------------------------------------------------------------------


def made(name: str, description: str = "", body: str = "", kind: FactType = FactType.PROJECT) -> Fact:
    return Fact(DocPath(f"s/{name}.md"), name, kind, None, description, body)


SOME = [
    made("tide-first", "Ask for the tide", "Berth 7 [closed]"),
    made("berths", "All berths", "the tide is elsewhere", FactType.FEEDBACK),
    made("größe", "Straße", "CAFÉ Anker", FactType.REFERENCE),
]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("tide", ["tide-first", "berths"]),
        ("TIDE, berth", ["tide-first", "berths"]),
        ("[[berths]]", ["berths"]),
        ("tide nowhere", []),
        ("type:feedback", ["berths"]),
        ("Type:Feedback tide", ["berths"]),
        ("type:project berths", []),
        ("type:feedback type:project", []),
        ("type:rumour", []),
        ("STRASSE", ["größe"]),
        ("GRÖSSE", ["größe"]),
        ("cafe\u0301", ["größe"]),
        ("", []),
        (" ,[] ", []),
        ("type:", []),
        ("(.*", []),
    ],
)
def test_every_token_has_to_be_found(query: str, names: list[str]) -> None:
    assert [one.name for one in facts.recalled(query, SOME)] == names


def test_facts_are_told_with_a_blank_line_between_them() -> None:
    told = facts.told([made("a", "first", "one\n\ntwo"), made("b", "second")], "x")
    assert told == "## a (project)\nfirst\n\none\n\ntwo\n\n## b (project)\nsecond"
    assert facts.told([], "q\n") == "No memories matched 'q'. The index in your context lists what exists."
    assert facts.told([fact()], "").startswith("## tide-first (project, proposed)\n")


@pytest.mark.parametrize(
    "line",
    ["## x (feedback)", "## x (feedback, ratified)", "  ##  y (Project) ", "##\tz (user) ##", "## (reference, x)"],
)
def test_what_looks_like_a_facts_heading_is_told_as_text(line: str) -> None:
    for before in ("", "text\n", "text\r\n", "text\r", "text\u2028", "text\x0b"):
        assert facts.escaped(f"{before}{line}\nmore") == f"{before}\\{line}\nmore"
    assert "\n\\##" in facts.told([made("a", line.strip(), "body")], "x")


@pytest.mark.parametrize("line", ["## Setup (Linux)", "### x (feedback)", "# x (user)", "x ## y (feedback)", "## x"])
def test_other_headings_stay(line: str) -> None:
    assert facts.escaped(f"a\n{line}\nb") == f"a\n{line}\nb"
