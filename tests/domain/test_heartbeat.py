"""A heartbeat is read line by line: what is an item, what is none, and how they hang together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.heartbeat import Checklist, Item, Passage, Row, Section, is_heartbeat, read
from memgui.domain.lines import Lines

HARD = (
    "<!-- template:\n- [ ] not an item\n-->\n# Checks\n\n- [ ] rotate logs\n  - [x] nested\n- [!] urgent\n"
    "* plain bullet\n1. numbered\n\n```\n- [ ] inside a fence\n```\n\n- [X]  two blanks\r\n- [ ]\n"
)


def checklist(text: str) -> Checklist:
    return read(Lines.split(text).texts)


def told(row: Row) -> tuple[object, ...]:
    """A row in few words."""
    if isinstance(row, Section):
        return ("#" * row.level, row.line, row.text)
    if isinstance(row, Passage):
        return (row.kind.name, row.line, row.last)
    return (row.depth, row.line, row.mark, row.text)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("- [ ] a", [(0, 1, " ", "a")]),
        ("- [x] a", [(0, 1, "x", "a")]),
        ("- [X] a", [(0, 1, "X", "a")]),
        ("* [ ] a", [(0, 1, " ", "a")]),
        ("+ [ ] a", [(0, 1, " ", "a")]),
        ("1. [ ] a", [(0, 1, " ", "a")]),
        ("12) [x] a", [(0, 1, "x", "a")]),
        ("- [!] a", [(0, 1, "!", "a")]),
        ("- [-] a", [(0, 1, "-", "a")]),
        ("- [✓] a", [(0, 1, "✓", "a")]),
        ("- a", [(0, 1, None, "a")]),
        ("3. a", [(0, 1, None, "a")]),
        ("- [ ]", [(0, 1, " ", "")]),
        ("- [ ]   ", [(0, 1, " ", "")]),
        ("-", [(0, 1, None, "")]),
        ("- [X]  two blanks", [(0, 1, "X", "two blanks")]),
        ("-   [ ] three before", [(0, 1, " ", "three before")]),
        ("-\t[ ]\ttabs", [(0, 1, " ", "tabs")]),
        ("- [ ] trailing  ", [(0, 1, " ", "trailing")]),
        ("- [link](x.md) is no box", [(0, 1, None, "[link](x.md) is no box")]),
        ("- [x](x.md)", [(0, 1, None, "[x](x.md)")]),
        ("- [ab] two signs", [(0, 1, None, "[ab] two signs")]),
        # Nesting by indent.
        (
            "- [ ] a\n  - [ ] b\n    - [ ] c\n- [ ] d",
            [(0, 1, " ", "a"), (1, 2, " ", "b"), (2, 3, " ", "c"), (0, 4, " ", "d")],
        ),
        ("- a\n\t- b", [(0, 1, None, "a"), (1, 2, None, "b")]),
        ("1. a\n   - b\n   - c", [(0, 1, None, "a"), (1, 2, None, "b"), (1, 3, None, "c")]),
        ("- a\n - b", [(0, 1, None, "a"), (0, 2, None, "b")]),
        ("- a\n    - b\n  - c", [(0, 1, None, "a"), (1, 2, None, "b"), (1, 3, None, "c")]),
        ("- a\n\n  - b", [(0, 1, None, "a"), (1, 3, None, "b")]),
        # Sections.
        ("# A\n## B ##\n- c", [("#", 1, "A"), ("##", 2, "B"), (0, 3, None, "c")]),
        ("A\n===\n- c", [("#", 1, "A"), (0, 3, None, "c")]),
        ("A\n---\n- c", [("##", 1, "A"), (0, 3, None, "c")]),
        ("- a\n# B\n  - c", [(0, 1, None, "a"), ("#", 2, "B"), (0, 3, None, "c")]),
        ("#tag", [("TEXT", 1, 1)]),
        # What holds no items.
        ("```\n- [ ] a\n```\n- b", [("CODE", 1, 3), (0, 4, None, "b")]),
        ("~~~ sh\n- [ ] a\n```\n~~~\n- b", [("CODE", 1, 4), (0, 5, None, "b")]),
        ("````\n```\n- a\n````", [("CODE", 1, 4)]),
        ("```\n- [ ] never closed", [("CODE", 1, 2)]),
        ("- a\n  ```\n  - b\n  ```\n  - c", [(0, 1, None, "a"), ("CODE", 2, 4), (1, 5, None, "c")]),
        ("- a\n  ```\n  x\n- b", [(0, 1, None, "a"), ("CODE", 2, 3), (0, 4, None, "b")]),
        ("- ```\n  - x\n  ```\n- b", [(0, 1, None, "```"), ("CODE", 2, 3), (0, 4, None, "b")]),
        ("`` ` `` no fence\n- a", [("TEXT", 1, 1), (0, 2, None, "a")]),
        ("    - [ ] code by its indent", [("CODE", 1, 1)]),
        ("<!-- - [ ] a -->\n- b", [("COMMENT", 1, 1), (0, 2, None, "b")]),
        ("<!--\n- [ ] a\n-->\n- b", [("COMMENT", 1, 3), (0, 4, None, "b")]),
        ("<!-- open\n- [ ] a", [("COMMENT", 1, 2)]),
        ("- a <!-- open\n- [ ] b\n--> x\n- c", [(0, 1, None, "a <!-- open"), ("COMMENT", 2, 3), (0, 4, None, "c")]),
        ("- a <!-- shut -->\n- b", [(0, 1, None, "a <!-- shut -->"), (0, 2, None, "b")]),
        ("- a `<!--`\n- b", [(0, 1, None, "a `<!--`"), (0, 2, None, "b")]),
        ("text <!-- open\n- [ ] a", [("TEXT", 1, 1), ("COMMENT", 2, 2)]),
        ("| a |\n|---|\n| - [ ] b |\n- c", [("TABLE", 1, 3), (0, 4, None, "c")]),
        ("a | b\n--- | ---\nc | d\n\n- e", [("TABLE", 1, 3), (0, 5, None, "e")]),
        ("* * *\n- - -\n___", [("RULE", 1, 1), ("RULE", 2, 2), ("RULE", 3, 3)]),
        ("> - [ ] quoted", [("TEXT", 1, 1)]),
        ("In the year\n2026. nothing", [("TEXT", 1, 2)]),
        # What belongs to an item.
        ("- a\n  more\n- b", [(0, 1, None, "a"), ("MORE", 2, 2), (0, 3, None, "b")]),
        ("- a\nlazily more\n- b", [(0, 1, None, "a"), ("MORE", 2, 2), (0, 3, None, "b")]),
        ("- a\n\ntext", [(0, 1, None, "a"), ("TEXT", 3, 3)]),
        ("- a\n\n  more", [(0, 1, None, "a"), ("MORE", 3, 3)]),
        # What looks like an item.
        ("-[ ] a", [("UNREAD", 1, 1)]),
        ("[ ] a", [("UNREAD", 1, 1)]),
        ("- [] a", [("UNREAD", 1, 1)]),
        ("- [ ]a", [("UNREAD", 1, 1)]),
        ("- [ x ] a", [("UNREAD", 1, 1)]),
        ("- [] a\n  - [ ] b", [("UNREAD", 1, 1), (1, 2, " ", "b")]),
        ("", []),
        ("\n \n\t\n", []),
    ],
)
def test_each_form_is_read_as_what_it_is(text: str, rows: list[tuple[object, ...]]) -> None:
    assert [told(row) for row in checklist(text).rows] == rows
    for ending in ("\r\n", "\r"):
        assert [told(row) for row in checklist(text.replace("\n", ending)).rows] == rows


def test_the_hard_file_holds_seven_items_and_says_what_the_rest_is() -> None:
    assert [told(row) for row in checklist(HARD).rows] == [
        ("COMMENT", 1, 3),
        ("#", 4, "Checks"),
        (0, 6, " ", "rotate logs"),
        (1, 7, "x", "nested"),
        (0, 8, "!", "urgent"),
        (0, 9, None, "plain bullet"),
        (0, 10, None, "numbered"),
        ("CODE", 12, 14),
        (0, 16, "X", "two blanks"),
        (0, 17, " ", ""),
    ]
    assert (checklist(HARD).done, checklist(HARD).boxes) == (2, 5)


def test_the_mark_and_the_words_stand_where_the_item_says() -> None:
    for line, text in enumerate(Lines.split(HARD).texts, 1):
        item = checklist(HARD).item_at(line)
        if item is not None:
            assert item.mark is None or text[item.mark_at] == item.mark
            assert text[item.text_at :].rstrip() == item.text


def test_an_item_reaches_to_the_last_line_of_what_belongs_to_it() -> None:
    text = "- a\n  - b\n    more\n\n  - c\n    ```\n    x\n    ```\n\n- d\n\ntext"
    assert {item.text: item.last for item in checklist(text).items} == {"a": 8, "b": 3, "c": 8, "d": 10}
    assert checklist(text).item_over(3) == checklist(text).item_at(2)
    assert checklist(text).item_over(12) is None


def test_a_file_that_writes_only_large_ticks_gets_large_ticks() -> None:
    assert checklist("- [X] a\n- [ ] b").tick == "X"
    assert checklist("- [X] a\n- [x] b").tick == "x"
    assert checklist("- [ ] b").tick == "x"


def test_a_heartbeat_is_known_by_its_name() -> None:
    assert is_heartbeat("HEARTBEAT.md")
    assert is_heartbeat("agents/x/heartbeat.md")
    assert not is_heartbeat("HEARTBEAT-old.md")


SIGNS = ["- ", "[ ]", "[x] ", "  ", "\t", "```", "~~~", "<!--", "-->", "# ", "|", "---", "1. ", "a", "`", "=", "*"]
ODD = ["\n", "\r\n", "\r", "\u2029", "\u00a0", "\ufdd0", "\u2028", "é", "扳手"]
MARKDOWN = st.lists(st.sampled_from([*SIGNS, *ODD]), max_size=40).map("".join)


@given(st.one_of(MARKDOWN, st.binary(max_size=200).map(lambda data: data.decode("utf-8", "replace"))))
def test_whatever_the_bytes_are_every_row_stands_on_its_lines(text: str) -> None:
    texts = Lines.split(text).texts
    rows, reached = read(texts).rows, 0
    for row in rows:
        last = row.last if isinstance(row, Passage) else row.line
        assert reached < row.line <= last <= len(texts)
        reached = row.line if isinstance(row, Item | Section) else last
        if isinstance(row, Item):
            assert row.line <= row.last <= len(texts)
    covered = {n for row in rows for n in range(row.line, (row.last if isinstance(row, Passage) else row.line) + 1)}
    underlines = {row.line + 1 for row in rows if isinstance(row, Section)}
    missed = {n for n, line in enumerate(texts, 1) if line.strip()} - covered - underlines
    assert not missed, "every line that is not blank is shown"


def test_long_and_deep_texts_are_read_in_time() -> None:
    assert len(read([f"{' ' * 2 * depth}- a" for depth in range(1000)]).items) == 1000
    read(
        ["- " + "`" * 20_000 + "<!--", "# " + " " * 20_000 + "x", "|" * 20_000, "-" * 20_000 + "|", "* " * 10_000 + "x"]
    )
