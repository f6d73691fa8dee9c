"""Front matter is read line by line, and what is no YAML is read all the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.frontmatter import MAX_CHARACTERS, read, read_bytes


def test_the_keys_of_a_fact_are_read() -> None:
    text = (
        "---\nname: tide-first\ndescription: Ask for the tide\n"
        "metadata:\n  type: project\nstatus: proposed\n---\n\nbody\n"
    )
    found = read(text)
    assert found is not None
    assert (found.name, found.description) == ("tide-first", "Ask for the tide")
    assert (found.type, found.status) == ("project", "proposed")
    assert text[found.body :] == "\nbody\n"


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        ("type: feedback", "feedback"),
        ("TYPE: Feedback", "feedback"),
        ("type: 'user'", "user"),
        ('type: "reference"', "reference"),
        ("metadata:\n  node_type: memory\n  type: user", "user"),
        ("metadata:\n\ttype: user", "user"),
        ('metadata: {"type": "feedback", "node_type": "memory"}', "feedback"),
        ("type: project\ntype: user", "project"),
        ("metadata:\n  type: user\ntype: project", "project"),
        ("author: @scribe\ntype: project", "project"),
        ("description: when: after, before\ntype: project", "project"),
        ("date: {{date}}\ntags: [a, b] trailing\ntype: user", "user"),
        ("date: 2026-13-01\ntype: user", "user"),
        ("a: &a [x, x]\nb: &b [*a, *a]\ntype: user", "user"),
        ("type: rumour", None),
        ("node_type: user", None),
        ("type:", None),
    ],
)
def test_the_type_is_found_in_every_form(block: str, kind: str | None) -> None:
    for start in ("", "\ufeff", "\n\n", "\ufeff\r\n"):
        for ending in ("\n", "\r\n"):
            found = read(start + f"---\n{block}\n---\nbody\n".replace("\n", ending))
            assert found is not None
            assert found.fact_type == kind


def test_the_status_counts_at_the_top_and_under_metadata_alone() -> None:
    top, under, elsewhere = (
        read(f"---\n{block}\n---\n")
        for block in ("status: ratified", "metadata:\n  status: proposed", "review:\n  status: proposed")
    )
    assert top is not None
    assert top.status == "ratified"
    assert under is not None
    assert under.status == "proposed"
    assert elsewhere is not None
    assert elsewhere.status is None


def test_a_colon_in_a_value_stays_in_the_value() -> None:
    found = read("---\ndescription: when: after the build\n---\n")
    assert found is not None
    assert found.description == "when: after the build"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\n",
        "# Title\n",
        "---\n\n# A rule first\n",
        "---\ntitle: never closed\n\n# Text\n",
        "---\njust text\n---\nbody\n",
        "---\n---\nbody\n",
        "----\nname: x\n----\n",
        "text\n---\nname: x\n---\n",
        "---\n" + "name: x\n" * MAX_CHARACTERS + "---\n",
    ],
)
def test_a_rule_is_no_front_matter(text: str) -> None:
    assert read(text) is None


@given(st.binary(max_size=300))
def test_no_bytes_trip_it(data: bytes) -> None:
    for whole in (data, b"---\n" + data, b"---\nname: x\n" + data + b"\n---\n" + data):
        found = read_bytes(whole)
        assert found is None or found.body <= len(whole)


@given(st.text(max_size=200))
def test_no_text_trips_it(text: str) -> None:
    read(f"---\nmetadata: {{{text}}}\n {text}\n---\n{text}")
