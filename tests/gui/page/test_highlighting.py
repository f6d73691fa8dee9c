"""Colours for Markdown source: what is told apart, and that no key waits for them."""

from __future__ import annotations

from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from memgui.domain.lines import Lines
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.highlighting import Kind, Span, begins_front_matter, read_line


def kinds(line: str, before: int = 0) -> dict[str, Kind]:
    spans, _ = read_line(line, before)
    return {line[span.start : span.end]: span.kind for span in spans}


@pytest.mark.parametrize(
    ("line", "piece", "kind"),
    [
        ("## Decisions", "## Decisions", Kind.HEADING),
        ("a *b* c", "*b*", Kind.EMPHASIS),
        ("a **b** c", "**b**", Kind.STRONG),
        ("a ~~b~~ c", "~~b~~", Kind.STRIKE),
        ("a `b * c` d", "`b * c`", Kind.CODE),
        ("``a ` b``", "``a ` b``", Kind.CODE),
        ("- [ ] todo", "[ ]", Kind.BOX),
        ("- [x] done", " done", Kind.DONE),
        ("10. ten", "10.", Kind.MARKER),
        ("> quoted", "quoted", Kind.QUOTE),
        ("see [a](b.md)", "[a](b.md)", Kind.LINK),
        ("see [[note]] here", "[[note]]", Kind.WIKI),
        ("see https://example.org/x.", "https://example.org/x", Kind.LINK),
        ("a <!-- b --> c", "<!-- b -->", Kind.COMMENT),
        ("| a | b |", "|", Kind.MARKER),
        ("[14:03:05] text", "[14:03:05]", Kind.STAMP),
        ("- 09:10 text", "09:10", Kind.STAMP),
        ("### title (16:40)", "(16:40)", Kind.STAMP),
        ("- 2026-11-12 text", "2026-11-12", Kind.STAMP),
        ("***", "***", Kind.MARKER),
    ],
)
def test_each_part_of_markdown_is_told(line: str, piece: str, kind: Kind) -> None:
    assert kinds(line).get(piece) is kind


@pytest.mark.parametrize(
    "line", ["snake_case_name here", "2 * 3 * 4", "#tag", r"\*not\*", "a - b", "1.5 litres", "plain"]
)
def test_ordinary_text_is_left_plain(line: str) -> None:
    assert kinds(line) == {}


def read(text: str) -> list[list[Span]]:
    spans, state = [], 0
    for line in text.split("\n"):
        found, state = read_line(line, state)
        spans.append(found)
    return spans


def test_fences_close_only_with_their_own_kind() -> None:
    spans = read("~~~py\n```\n# no heading\n~~~\n# heading")
    assert [line[0].kind for line in spans] == [Kind.FENCE, Kind.CODE, Kind.CODE, Kind.FENCE, Kind.HEADING]


def test_a_comment_goes_on_over_lines() -> None:
    spans = read("a <!-- b\nc\nd --> *e*")
    assert [[span.kind for span in line] for line in spans] == [
        [Kind.COMMENT],
        [Kind.COMMENT],
        [Kind.COMMENT, Kind.EMPHASIS],
    ]


def test_a_rule_at_the_top_is_not_front_matter() -> None:
    assert begins_front_matter(["---", "name: x", "---", "text"])
    assert not begins_front_matter(["---", "", "# Heading", "---"])
    assert not begins_front_matter(["---", "name: x", "no end"])
    assert not begins_front_matter(["text", "---", "name: x", "---"])


@given(st.text(alphabet="*_`~[]()<>!-|# a\\:/h1\t", max_size=400), st.sampled_from([0, 1, 2, 3, 22]))
def test_any_line_is_read_within_its_bounds(line: str, before: int) -> None:
    spans, after = read_line(line, before)
    assert all(0 <= span.start <= span.end <= len(line) for span in spans)
    assert after >= 0


@pytest.mark.parametrize(
    "line", ["*" * 4000, "[" * 4000, "`" * 4000, "_a" * 2000, "[](" * 1500, "**a " * 1200, "<!--" * 1000, "~~a" * 1500]
)
def test_hostile_lines_cost_little(line: str) -> None:
    begun = thread_time()
    read_line(line, 0)
    assert thread_time() - begun < 0.25


def formatted(editor: MemoryEditor, line: int) -> int:
    return len(editor.document().findBlockByNumber(line).layout().formats())


def test_colours_change_nothing_in_the_text(editor: MemoryEditor, qtbot: QtBot) -> None:
    text = "# one\n\n```\ncode\n```\n😀 **bold** and \u00a0 `x`\n"
    editor.show_lines(Lines.split(text))
    qtbot.waitUntil(lambda: editor.highlighter.settled)
    assert editor.lines().joined() == text
    assert not editor.document().isModified()
    assert not editor.document().isUndoAvailable()
    spans = editor.document().findBlockByNumber(5).layout().formats()
    assert (spans[0].start, spans[0].length) == (3, 8)


def test_an_unclosed_fence_is_coloured_slice_by_slice(editor: MemoryEditor, qtbot: QtBot) -> None:
    editor.show_lines(Lines.split("# some *words* of text\n" * 40_000))
    qtbot.waitUntil(lambda: editor.highlighter.settled)
    last = editor.document().blockCount() - 2
    plain = editor.document().findBlockByNumber(last).userState()
    editor.go_to(1)
    begun = thread_time()
    qtbot.keyClicks(editor, "```")
    qtbot.keyClick(editor, "\r")
    assert thread_time() - begun < 0.25
    assert not editor.highlighter.settled
    qtbot.waitUntil(lambda: editor.highlighter.settled)
    assert editor.document().findBlockByNumber(last).userState() != plain
    editor.undo()
    qtbot.waitUntil(lambda: editor.highlighter.settled)


def test_colours_can_be_off(editor: MemoryEditor, qtbot: QtBot) -> None:
    editor.show_lines(Lines.split("# one\n"), coloured=False)
    qtbot.keyClicks(editor, "## ")
    assert formatted(editor, 0) == 0
