"""Findings: each rule shown what it is for, and what it is not for."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain import crosslinks, facts, findings
from memgui.domain.crosslinks import Targets
from memgui.domain.fact_index import upserted
from memgui.domain.facts import Fact
from memgui.domain.findings import Finding, StoreText
from memgui.domain.layouts import Layout
from memgui.domain.paths import DocPath

SMITH, CLAUDE = Layout.AGENTSMITH, Layout.CLAUDE
A, B = "---\ndescription: a\ntype: project\n---\n", "---\ndescription: b\ntype: feedback\nstatus: proposed\n---\n"
LINES = "- [a](a.md) (project) \u2014 a\n- [b](b.md) (feedback, proposed) \u2014 b\n"


def store(index: str, layout: Layout = SMITH, *, more: tuple[str, ...] = (), **texts: str) -> StoreText:
    read = [facts.read(DocPath(f"s/{stem}.md"), text, layout) for stem, text in texts.items()]
    names = {"MEMORY.md", *more, *(f"{stem}.md" for stem in texts)}
    return StoreText(layout, DocPath("s/MEMORY.md"), index, names, read)


def found(of: StoreText) -> list[tuple[str, int, str, bool]]:
    return [(one.path[2:], one.line, one.rule, one.fixable) for one in sorted(findings.of_store(of))]


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (LINES, []),
        (LINES + "- [c](c.md) (user) — gone\n", [("MEMORY.md", 3, "index-dangling", True)]),
        (LINES + "- [Readme](README.md) words\nmore words\n", []),
        (LINES + "- [a](a.md) (project) — a\n", [("MEMORY.md", 3, "index-duplicate", False)]),
        (LINES.replace("— a", "— x"), [("MEMORY.md", 1, "index-differs", True)]),
        (LINES.replace("(project)", "(reference)"), [("MEMORY.md", 1, "index-differs", True)]),
        (LINES.replace("(project) — a", "in my own words"), [("MEMORY.md", 1, "index-differs", False)]),
        (LINES.replace("proposed", "ratified"), [("MEMORY.md", 2, "index-status", False)]),
        (LINES.replace(", proposed", ""), [("MEMORY.md", 2, "index-status", False)]),
        ("", [("a.md", 1, "index-missing", True), ("b.md", 1, "index-missing", True)]),
    ],
)
def test_an_index_is_held_against_its_facts(index: str, expected: list[object]) -> None:
    of = store(index, more=("README.md",), a=A, b=B)
    assert found(of) == expected
    fixed = store(findings.fixed_index(of), more=("README.md",), a=A, b=B)
    assert found(fixed) == [one for one in expected if not one[3]]  # type: ignore[index]
    assert findings.fixed_index(fixed) == fixed.text


def test_all_is_fixed_at_once_and_other_lines_stay() -> None:
    of = store("# t\r\n- [c](c.md)\r\n- [b](b.md) (feedback, proposed) — x\r\nwords\r\n- [d](d.md)", a=A, b=B)
    assert findings.fixed_index(of) == (
        "# t\r\n- [b](b.md) (feedback, proposed) — b\r\nwords\r\n- [a](a.md) (project) — a\r\n"
    )


def test_a_hook_may_say_anything() -> None:
    assert found(store("- [Words](a.md) — my hook\n", CLAUDE, a=A)) == []
    assert found(store("- [Words](a.md) (see x, y) — my hook\n", CLAUDE, a=A)) == []
    assert found(store("- [Words](a.md) (project, ratified) — a\n", CLAUDE, a=A)) == [
        ("MEMORY.md", 1, "index-status", False)
    ]
    assert found(store("- [Words](b.md) — my hook\n", CLAUDE, a=A)) == [
        ("MEMORY.md", 1, "index-dangling", True),
        ("a.md", 1, "index-missing", True),
    ]


def test_what_is_no_fact_and_what_has_anothers_name_is_found() -> None:
    same = "---\nname: A.\ntype: project\n---\n"
    of = store("- [a](a.md) (project) — a\n- [c](c.md) (project)\n", a=A, b="words", c=same)
    assert [one[:3] for one in found(of)] == [("b.md", 1, "fact-malformed"), ("c.md", 1, "fact-duplicate-name")]


@given(st.text(max_size=200), st.text(max_size=80), st.sampled_from([SMITH, CLAUDE]))
def test_no_text_trips_the_rules(index: str, text: str, layout: Layout) -> None:
    of = store(index, layout, a=A, b=B, c=f"---\ntype: user\n{text}\n---\n{text}")
    fixed = store(findings.fixed_index(of), layout, a=A, b=B, c=f"---\ntype: user\n{text}\n---\n{text}")
    assert not [one for one in findings.of_store(fixed) if one.fixable]
    assert all(findings.of_store(of) == findings.of_store(of) for _again in range(2))


def test_an_index_that_remember_made_has_no_finding() -> None:
    index = ""
    read = [facts.read(DocPath(f"s/{stem}.md"), text, SMITH) for stem, text in (("a", A), ("b", B))]
    for fact in read:
        assert isinstance(fact, Fact)
        index = upserted(index, fact, SMITH)
    assert found(store(index, a=A, b=B)) == []


@pytest.mark.parametrize(
    ("text", "same", "rule"),
    [
        ("type: feedback\nstatus: ratified", True, None),
        ("type: feedback", True, None),
        ("type: feedback\nstatus: ratified", False, "fact-changed"),
        ("type: feedback\nstatus: proposed", True, "fact-status"),
        ("type: project", True, "fact-status"),
    ],
)
def test_what_became_of_a_ratified_fact(text: str, same: bool, rule: str | None) -> None:
    fact = facts.read(DocPath("s/a.md"), f"---\n{text}\n---\n", SMITH)
    assert isinstance(fact, Fact)
    finding = findings.since_ratified(fact, is_as_ratified=same)
    assert (finding.rule if finding else None) == rule


def test_both_names_of_memory_in_one_folder() -> None:
    paths = {DocPath(path) for path in ("MEMORY.md", "memory.md", "x/memory.md", "y/MEMORY.md", "memory/a.md")}
    assert [(one.path, one.rule) for one in findings.two_memories(paths)] == [("memory.md", "memory-twice")]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\n<<<<<<< mine\nx\n=======\ny\n>>>>>>> theirs\nb", [2]),
        ("<<<<<<<\n||||||| base\n=======\n>>>>>>>", [1]),
        ("<<<<<<< a\n=======\n>>>>>>> b\n<<<<<<< a\n=======\n>>>>>>> b", [1, 4]),
        ("Title\n=======\ntext", []),
        ("<<<<<<< a\nx\n>>>>>>> b", []),
        ("> <<<<<<< a\n=======\n>>>>>>> b", []),
        ("<<<<<<<< a\n=======\n>>>>>>> b", []),
    ],
)
def test_an_unfinished_merge_is_found(text: str, lines: list[int]) -> None:
    assert [one.line for one in findings.conflict_markers(DocPath("a.md"), text.split("\n"))] == lines


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("---\ntitle: x\n\ntext", True),
        ("\ufeff---\ntitle: x", True),
        ("---\ntitle: x\n---\n", False),
        ("---\n\n# A rule\n", False),
        ("---\nhttp://x\n", False),
        ("# T\n---\nx: y\n", False),
        ("---", False),
        ("", False),
    ],
)
def test_front_matter_that_never_ends_is_found(text: str, is_found: bool) -> None:
    assert bool(findings.front_matter(DocPath("a.md"), text.split("\n"))) is is_found


# Links -------------------------------------------------------------------------------------------------------------

PATHS = [
    DocPath(path)
    for path in ("MEMORY.md", "a.md", "sub/a.md", "sub/b.md", "sub", "img/x y.png", "Größe.md", "v1.2.md", "c(1).md")
]


def dangling(text: str, here: str = "sub/b.md") -> list[tuple[int, str]]:
    targets = Targets(PATHS)
    path = DocPath(here)
    made = findings.links(path, crosslinks.links(text.split("\n")), lambda target: targets.ends(target, path))
    return [(one.line, one.rule.removeprefix("link-")) for one in made]


@pytest.mark.parametrize(
    "text",
    [
        "[x](a.md) [x](../MEMORY.md#part) [x](/a.md) [x](../sub) [x](b)",
        '![](<../img/x y.png>) ![](../img/x%20y.png "title") [x](../c(1).md)',
        "[x](https://example.org/none.md) [x](mailto:a@b) [x](#here) [x](//host/x) [x](../../outside.md)",
        "[x](.hidden/x.md) [x](node_modules/x.md) [x]({{path}}.md) [x]()",
        "[[b]] [[MEMORY]] [[memory.md|shown]] [[GRÖSSE#part]] [[sub/a]] [[x y.png]] [[v1.2]] [[#here]]",
        "`[x](none.md)` `` [[none]] ` `` if [[ -f x ]]",
        "```\n[x](none.md)\n[[none]]\n```\ntext",
        "~~~~\n[x](none.md)\n~~~\n[[none]]\n~~~~",
        "[a] (none.md) [x][ref] [[]] [x](",
    ],
)
def test_a_link_that_leads_somewhere_or_cannot_be_known_is_no_finding(text: str) -> None:
    assert dangling(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x\n[x](none.md)", [(2, "dangling")]),
        ("[[none]] and ![](none.png)", [(1, "dangling"), (1, "dangling")]),
        ("[[none/a]] [[v1]]", [(1, "dangling"), (1, "dangling")]),
        ("```\n```\n[[none]]", [(3, "dangling")]),
        ('[x](none.md "title")', [(1, "dangling")]),
    ],
)
def test_a_link_that_leads_nowhere_is_found(text: str, expected: list[object]) -> None:
    assert dangling(text) == expected


def test_a_name_that_two_documents_have_is_ambiguous_but_for_the_one_beside() -> None:
    assert dangling("[[a]]", "MEMORY.md") == []
    assert dangling("[[a]]", "sub/b.md") == []
    assert dangling("[[a]]", "other/c.md") == [(1, "ambiguous")]


@given(st.text(alphabet="[]()|`~#./\\ ab<>\"'\n!{}:", max_size=200))
def test_no_text_trips_the_search_for_links(text: str) -> None:
    dangling(text)


def test_a_finding_says_the_link_as_it_is_written() -> None:
    targets = Targets(PATHS)
    (one,) = findings.links(
        DocPath("a.md"), [(1, "[[no\u202ene")], lambda target: targets.ends(target, DocPath("a.md"))
    )
    assert one == Finding(
        DocPath("a.md"), 1, "link-dangling", findings.Severity.WARNING, "The link to '[[no\\u202ene]]' leads nowhere."
    )


def test_an_index_of_thousands_is_put_right_in_one_go() -> None:
    count = 3000
    facts = {f"f{n}": f"---\nname: f{n}\ndescription: d{n}\nmetadata:\n  type: project\n---\n" for n in range(count)}
    lines = [f"- [f{n}](f{n}.md) (project) — old" for n in range(0, count, 2)] + ["- [gone](gone.md) (project) — x"]
    of = store("# Memory index\n\n" + "\n".join(lines) + "\n", SMITH, more=(), **facts)
    began = time.thread_time()
    fixed = findings.fixed_index(of)
    assert len(findings.of_store(of)) == count + 1
    assert time.thread_time() - began < 10
    assert findings.of_store(store(fixed, SMITH, more=(), **facts)) == []
