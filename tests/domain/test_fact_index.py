"""The index of a fact store: one line for each fact, all other lines as they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain import fact_index
from memgui.domain.facts import Fact, FactType
from memgui.domain.layouts import Layout
from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath

SMITH, CLAUDE = Layout.AGENTSMITH, Layout.CLAUDE


def fact(stem: str = "a", *, status: str | None = None, description: str = "new") -> Fact:
    return Fact(DocPath(f"s/{stem}.md"), stem, FactType.PROJECT, status, description, "")


def test_a_new_index_has_this_form() -> None:
    assert fact_index.upserted("", fact(), SMITH) == "# Memory index\n\n- [a](a.md) (project) \u2014 new\n"
    assert fact_index.line_for(fact(status="ratified"), SMITH) == "- [a](a.md) (project, ratified) \u2014 new"
    assert fact_index.line_for(fact("build-order"), CLAUDE) == "- [Build order](build-order.md) \u2014 new"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- [a](a.md) (project) — old\n", "- [a](a.md) (project) — new\n"),
        ("x\r\n- [a](a.md) (project) — old\r\ny", "x\r\n- [a](a.md) (project) — new\r\ny"),
        ("x\r- [a](a.md) old\ry", "x\r- [a](a.md) (project) — new\ry"),
        ("\ufeff- [a](a.md)", "\ufeff- [a](a.md) (project) — new"),
        ("x\n", "x\n- [a](a.md) (project) — new\n"),
        ("x", "x\n- [a](a.md) (project) — new\n"),
        ("x\r\ny", "x\r\ny\r\n- [a](a.md) (project) — new\r\n"),
        ("- [ab](ab.md) (project) — old\n", "- [ab](ab.md) (project) — old\n- [a](a.md) (project) — new\n"),
        ("- [A fact](a.md) (user) — old\n", "- [A fact](a.md) (project) — new\n"),
        ("- [b](a.md) x\n- [a](a.md) y\n", "- [b](a.md) x\n- [a](a.md) (project) — new\n"),
        ("- [a](sub/a.md) z\n", "- [a](sub/a.md) z\n- [a](a.md) (project) — new\n"),
        ("  - [a](a.md) z\n", "  - [a](a.md) (project) — new\n"),
        ("\n\n", "\n\n# Memory index\n\n- [a](a.md) (project) — new\n"),
    ],
)
def test_a_line_is_changed_in_its_place_else_put_at_the_end(before: str, after: str) -> None:
    assert fact_index.upserted(before, fact(), SMITH) == after
    assert fact_index.upserted(after, fact(), SMITH) == after


def test_a_title_a_hook_and_words_that_are_not_asked_about_stay() -> None:
    before = "- [My title](a.md) \u2014 my hook\n"
    assert fact_index.upserted(before, fact(), CLAUDE) == "- [My title](a.md) \u2014 new\n"
    assert fact_index.upserted(before, fact(), CLAUDE, keep_text=True) == before
    before = "- [a](a.md) (project, proposed) \u2014 my words\n"
    ratified = fact(status="ratified")
    assert fact_index.upserted(before, ratified, SMITH, keep_text=True) == before.replace("proposed", "ratified")
    assert fact_index.upserted("- [a](a.md)\n", ratified, SMITH, keep_text=True).endswith("ratified) \u2014 new\n")
    assert fact_index.upserted("x\n", fact(), CLAUDE, keep_text=True) == "x\n- [A](a.md) \u2014 new\n"


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("- [a](a.md) (project, proposed) — text", ("a", "a.md", "project", "proposed", "text")),
        ("- [a](a.md) (project) — text — more (x)", ("a", "a.md", "project", None, "text — more (x)")),
        ("* [a](./a.md) (project) - text", ("a", "a.md", "project", None, "text")),
        ("- [a b](a%20b.md)", ("a b", "a b.md", None, None, "")),
        ("- [a](<a b.md>) words", ("a", "a b.md", None, None, "words")),
        ("- [a](a(1).md) (user)", ("a", "a(1).md", "user", None, "")),
        ("- [x [y]](a.md) (user)", ("x [y]", "a.md", "user", None, "")),
    ],
)
def test_lines_of_many_hands_are_read(line: str, parts: tuple[object, ...]) -> None:
    (found,) = fact_index.lines(f"# t\n{line}\n", SMITH)
    assert found.line == 2
    assert (found.title, found.file, found.type, found.status, found.text) == parts


@pytest.mark.parametrize("line", ["- a.md", "- [a](a.txt)", "- [a](https://x/a.md)", "[a](a.md)", "- [a](../a.md)"])
def test_what_leads_elsewhere_is_no_index_line(line: str) -> None:
    assert fact_index.lines(line, SMITH) == []


def test_a_line_goes_and_comes_back() -> None:
    text = "# t\r\n- [a](a.md) (user)\r\n- [b](b.md) (user)\r\n"
    line = fact_index.line_of(text, "a.md", SMITH)
    without = fact_index.without(text, "a.md", SMITH)
    assert without == "# t\r\n- [b](b.md) (user)\r\n"
    assert fact_index.appended(without, line) == f"{without}- [a](a.md) (user)\r\n"
    assert fact_index.without(text, "c.md", SMITH) == text


PIECES = st.sampled_from(
    ["- [a](a.md)", "- [b](b.md) (user) — x", "\n", "\r\n", "\r", "(project)", "```", "\ufeff", " — ", "\udcff"]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=20).map("".join), st.sampled_from([SMITH, CLAUDE]))
def test_no_text_trips_it_and_other_lines_stay(text: str, layout: Layout) -> None:
    after = fact_index.upserted(text, fact(), layout)
    assert [one.text for one in fact_index.lines(after, layout) if one.file == "a.md"]
    assert fact_index.upserted(after, fact(), layout) == after
    old, new = Lines.split(text), Lines.split(after)
    changed = [i for i, (a, b) in enumerate(zip(old.texts, new.texts, strict=False)) if a != b]
    assert len(changed) <= 1
    assert new.breaks[: len(old.breaks)] == old.breaks
    without = fact_index.without(text, "a.md", layout)
    kept = {one.file for one in fact_index.lines(text, layout)} - {"a.md"}
    assert kept <= {one.file for one in fact_index.lines(without, layout)}


@given(st.binary(max_size=300))
def test_no_bytes_are_lost(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    after = fact_index.upserted(text, fact("quite-other"), SMITH).encode("utf-8", "surrogateescape")
    assert after.startswith(data)
