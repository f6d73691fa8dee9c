"""What an agent will see, byte for byte, on small files and small limits, and on the limits as they are."""

from __future__ import annotations

import pytest

from memgui.domain.briefing import (
    PROJECT_SENTENCE,
    ContextFile,
    Dropped,
    Limits,
    Part,
    agentsmith,
    claude,
    indusagi,
    ironclaw,
    openclaw,
)

SMALL = Limits(openclaw_file=100, openclaw_all=250, claude_lines=3, claude_bytes=40)


def _index(text: str) -> ContextFile:
    return ContextFile("MEMORY.md", text)


# IronClaw ----------------------------------------------------------------------------------------------------------


def test_ironclaw_joins_what_is_there() -> None:
    files = [
        ("## Core Values", ContextFile("SOUL.md", "calm\n")),
        ("## Identity", ContextFile("IDENTITY.md", "")),
        ("## Tool Notes", ContextFile("TOOLS.md", None)),
        ("## Today's Notes", ContextFile("daily/2026-11-30.md", "\r\nx")),
    ]
    found = ironclaw(files)
    assert found.text == "## Core Values\n\ncalm\n\n\n---\n\n## Today's Notes\n\n\r\nx"
    assert found.parts == (
        Part("SOUL.md", "## Core Values", 5),
        Part("daily/2026-11-30.md", "## Today's Notes", 3),
    )
    assert found.dropped == ()


# OpenClaw ----------------------------------------------------------------------------------------------------------


def test_openclaw_says_what_is_missing_and_skips_what_is_blank() -> None:
    found = openclaw(
        [
            ContextFile("AGENTS.md", "a"),
            ContextFile("SOUL.md", None, "/home/mara/SOUL.md"),
            ContextFile("USER.md", " \n"),
        ],
        Limits(),
    )
    assert found.text == "## AGENTS.md\n\na\n\n## SOUL.md\n\n[MISSING] Expected at: /home/mara/SOUL.md"
    assert [(part.path, part.characters, part.limit) for part in found.parts] == [
        ("AGENTS.md", 1, 20_000),
        ("SOUL.md", 0, 20_000),
    ]


@pytest.mark.parametrize("length", [99, 100])
def test_openclaw_cuts_nothing_up_to_the_limit(length: int) -> None:
    found = openclaw([ContextFile("SOUL.md", "é" * length)], SMALL)
    assert found.text == "## SOUL.md\n\n" + "é" * length
    assert not found.parts[0].cut


def test_openclaw_keeps_the_beginning_and_the_end() -> None:
    text = "".join(f"line {number:02}\n" for number in range(1, 26))
    found = openclaw([ContextFile("SOUL.md", text)], SMALL)
    head, tail = text[:70], text[-20:]
    assert found.text == f"## SOUL.md\n\n{head}\n\n[...truncated, read SOUL.md for full content...]\n\n{tail}"
    assert found.parts == (Part("SOUL.md", "## SOUL.md", 200, 100, cut=True),)
    assert [one.line for one in found.dropped] == list(range(9, 24))
    assert found.dropped[0] == Dropped("SOUL.md", 9, "line 09")


def test_openclaw_at_its_own_limits() -> None:
    text = "".join(chr(97 + number % 26) for number in range(30_000))
    found = openclaw([ContextFile("MEMORY.md", text)], Limits())
    between = "\n\n[...truncated, read MEMORY.md for full content...]\n\n"
    assert found.text == "## MEMORY.md\n\n" + text[:14_000] + between + text[-4_000:]
    many = [ContextFile(f"{number}.md", "x" * 20_000) for number in range(9)]
    found = openclaw(many, Limits())
    assert [part.limit for part in found.parts][:8] == [20_000] * 7 + [10_000]
    assert [part.cut for part in found.parts] == [False] * 7 + [True, True]
    assert found.text.count("x") <= 150_000


def test_openclaw_leaves_out_what_no_longer_fits_at_all() -> None:
    files = [ContextFile(f"{name}.md", name * 95 + "\n") for name in "abc"]
    found = openclaw(files, SMALL)
    assert "c" * 40 not in found.text
    assert found.parts[-1] == Part("c.md", "## c.md", 96, 58, cut=True)
    assert found.dropped == (Dropped("c.md", 1, "c" * 95),)


# Claude ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "given", "dropped"),
    [
        ("", "", []),
        ("a\nb\nc\n", "a\nb\nc\n", []),
        ("a\nb\nc", "a\nb\nc", []),
        ("a\nb\nc\nd\n\ne", "a\nb\nc\n", [4, 6]),
        ("a\r\nb\r\nc\r\nd\r\n", "a\r\nb\r\nc\r\n", [4]),
        ("x" * 40, "x" * 40, []),
        ("x" * 40 + "\n", "x" * 40 + "\n", []),
        ("x" * 41, "x" * 40, [1]),
        ("é" * 21, "é" * 20, [1]),
        ("é" * 10 + "\n" + "é" * 10, "é" * 10 + "\n", [2]),
        ("---\nname: x\n---\na\nb\nc\nd\n", "a\nb\nc\n", [7]),
        ("---\na\nb\nc\n", "---\na\nb\n", [4]),
        ("<!-- one\ntwo -->\na\nb\nc\nd\n", "a\nb\nc\n", [6]),
        ("a <!-- inline -->\nb\n", "a <!-- inline -->\nb\n", []),
        ("```\n<!-- x -->\n```\n", "```\n<!-- x -->\n```\n", []),
        ("<!-- never closed\nb\n", "<!-- never closed\nb\n", []),
        ("a\u2028b\x0cc\n", "a\u2028b\x0cc\n", []),
    ],
)
def test_claude_gives_the_first_lines(text: str, given: str, dropped: list[int]) -> None:
    found = claude(_index(text), SMALL)
    assert found.text == given
    assert [one.line for one in found.dropped] == dropped
    assert all(part.cut == bool(dropped) for part in found.parts)


def test_claude_at_its_own_limits() -> None:
    lines = [f"- [fact {number}](fact-{number}.md) — hook\n" for number in range(1, 231)]
    found = claude(_index("".join(lines)), Limits())
    assert found.text == "".join(lines[:200])
    assert found.dropped[0] == Dropped("MEMORY.md", 201, lines[200].rstrip("\n"))
    assert len(found.dropped) == 30
    wide = ["x" * 499 + "\n"] * 60
    assert claude(_index("".join(wide)), Limits()).text == "".join(wide[:50])


# AgentSmith, indusagi ----------------------------------------------------------------------------------------------


def test_agentsmith_gives_the_index() -> None:
    assert agentsmith(_index("# Memory index\n\n- x\n")).text == (
        "## Experiential memory index\n\n# Memory index\n\n- x\n"
    )
    assert agentsmith(ContextFile("MEMORY.md", None)).value == {
        "system": "agentsmith",
        "text": "",
        "parts": [],
        "dropped": [],
    }


def test_indusagi_gives_each_document_after_one_sentence() -> None:
    files = [ContextFile("AGENTS.md", "one\n"), ContextFile("/home/mara/CLAUDE.md", "two\n")]
    assert PROJECT_SENTENCE == (
        "The following project documents describe conventions for this repository. Treat them as standing instructions."
    )
    assert indusagi(files).text == (f"{PROJECT_SENTENCE}\n\n## AGENTS.md\n\none\n\n\n## /home/mara/CLAUDE.md\n\ntwo\n")
    assert indusagi([]).text == ""


def test_the_form_for_programs() -> None:
    assert openclaw([ContextFile("SOUL.md", "x" * 99)], Limits(openclaw_file=98)).value == {
        "system": "openclaw",
        "text": "## SOUL.md\n\n" + "x" * 68 + "\n\n[...truncated, read SOUL.md for full content...]\n\n" + "x" * 19,
        "parts": [{"path": "SOUL.md", "heading": "## SOUL.md", "characters": 99, "limit": 98, "cut": True}],
        "dropped": [{"path": "SOUL.md", "line": 1, "text": "x" * 99}],
    }
