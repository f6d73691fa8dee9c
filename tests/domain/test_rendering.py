"""A text is cut into pieces of which nothing is missing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.invisible import HIDDEN, label, labelled
from memgui.domain.rendering import Kind, Piece, pieces
from memgui.domain.untold import NOTHING, is_told


def cut(text: str) -> list[Piece]:
    return list(pieces(text.split("\n")))


def kinds(text: str) -> list[str]:
    return [piece.kind.value for piece in cut(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", []),
        ("\n \n", []),
        ("# A\ntext\n\nmore", ["text", "text", "text"]),
        ("Title\n=====\ntext", ["text"]),
        ("---\nname: x\n---\ntext", ["front", "text"]),
        ("---\n\ntext", ["text", "text"]),
        ("```sh\n# no heading\n\n```\nafter", ["code", "text"]),
        ("```\nnever closed\n\n# no heading", ["code"]),
        ("~~~\n```\n~~~\nafter", ["code", "text"]),
        ("    four\n\n    more\nafter", ["code", "text"]),
        ("<!-- one line -->\ntext", ["comment", "text"]),
        ("<!-- a\n\nb -->\ntext", ["comment", "text"]),
        ("<!-- never closed\n\n# inside", ["comment"]),
        ("text\n<!-- right below -->", ["text", "comment"]),
        ("<script>\n\nalert(1)\n</script>\ntext", ["html", "text"]),
        ("<div>\n*x*\n\ntext", ["html", "text"]),
        ("<https://a.example> is a link", ["text"]),
        ("<b>bold</b> and so on", ["text"]),
        ("[//]: # (hidden)\n[a]: b\ntext", ["definition", "text"]),
        ("[^1]: a note", ["text"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\nend", ["table", "text"]),
        ("text\n| a | b |\n|---|---|\n| 1 | 2 |", ["text", "table"]),
        ("a | b\nno table", ["text"]),
        ("- a\n  - b\n\n  more of a\n- c\n\nend", ["text", "text", "text"]),
        ("- a\n\n```\nnot in the list\n```", ["text", "code"]),
        ("- a\n  ```\n  # in the list\n\n  ```\n- b", ["text", "text"]),
        ("> a\nlazy\n> b\n\nend", ["text", "text"]),
        ("text\n***\ntext", ["text", "text", "text"]),
        ("- " * 30 + "deep", ["plain"]),
        (">" * 2000 + " deep", ["plain"]),
        ("x" * 20_001, ["plain"] * 6),
    ],
)
def test_kinds(text: str, wanted: list[str]) -> None:
    assert kinds(text) == wanted


def test_each_piece_knows_its_lines() -> None:
    text = "---\nname: x\n---\n\n# A\n\none\ntwo\n\n```sh\n$ x\n```\n- a\n- b\n"
    assert [(piece.line, piece.end) for piece in cut(text)] == [(0, 3), (4, 5), (6, 8), (9, 12), (12, 13), (13, 14)]


def test_a_list_counts_on_as_its_reader_does() -> None:
    assert [piece.text for piece in cut("3. a\n3. b\n\n3. c\n\ntext\n\n1. d")] == [
        "3. a",
        "4. b",
        "5. c",
        "text",
        "1. d",
    ]


def test_code_is_what_it_was() -> None:
    text = "- x\n\n```py <b> hidden words\n<!-- not a comment -->\n\\[a]: b [[c]] &lt;\n```"
    piece = cut(text)[-1]
    assert (piece.kind, piece.label) == (Kind.CODE, "py <b> hidden words")
    assert piece.text == "<!-- not a comment -->\n\\[a]: b [[c]] &lt;"


def test_what_markdown_would_swallow_is_kept_from_it() -> None:
    assert cut("> [//]: # (hidden)")[0].text == f"> {NOTHING}[//]: # (hidden)"
    assert cut("- [a]: b\n- x")[0].text == f"- {NOTHING}[a]: b"
    assert cut("[](target)")[0].text == f"[{NOTHING}](target)"
    assert cut("![ ](target)")[0].text == f"![ {NOTHING}](target)"
    assert cut(f"a{NOTHING}b")[0].text == "a‹U+F8FF›b"
    assert cut("| a |\n|---|\n| 1 | HIDDEN |")[0].text.endswith("| 1 \\| HIDDEN \\|")


def test_definitions_come_with_who_uses_them() -> None:
    first, second, _definition = cut("see [it][Here]\n\nnot me\n\n[here]: https://a.example")
    assert first.definitions == "[here]: <https://a.example>"
    assert second.definitions == ""


def test_words_that_got_lost_are_noticed() -> None:
    for text, rendered in (
        ("- [x] a **b**c &amp; [d](e)", "a bc & d e"),
        ("1. one\n2) two", "one two"),
        ("[it][Here]", "it https://a.example"),
        ("> - 3. x", "x"),
    ):
        assert is_told(cut(text)[0].text, rendered)
    assert not is_told(cut("a | b | c\n--|--")[0].text, "a b")
    assert not is_told(cut("a hidden word")[0].text, "a word")


def test_a_long_table_goes_on_under_its_head() -> None:
    rows = "\n".join(f"| {number} |" for number in range(100))
    found = cut(f"| number |\n|---|\n{rows}\n\ntext")
    assert [(piece.line, piece.end, piece.continued) for piece in found] == [
        (0, 42, False),
        (42, 82, True),
        (82, 102, True),
        (103, 104, False),
    ]
    assert found[2].text.startswith("| number |\n|---|\n| 80 |")
    assert {piece.widths for piece in found[:3]} == {(8,)}


def test_long_code_goes_on() -> None:
    lines = "\n".join(f"line {number}" for number in range(600))
    found = cut(f"```sh\n{lines}\n```\ntext")
    assert [(piece.line, piece.end, piece.label) for piece in found] == [
        (0, 251, "sh"),
        (251, 501, ""),
        (501, 602, ""),
        (602, 603, ""),
    ]
    assert "\n".join(piece.text for piece in found[:3]) == lines


def test_a_long_item_is_parted_where_another_begins_in_it() -> None:
    lines = "\n".join(f"  - below {number}" for number in range(500))
    found = cut(f"- top\n{lines}\n- next")
    assert [(piece.line, piece.end, piece.depth) for piece in found] == [
        (0, 200, 0),
        (200, 400, 1),
        (400, 501, 1),
        (501, 502, 0),
    ]
    assert found[1].text.startswith("- below 199\n- below 200")


def test_hidden_characters_are_labelled() -> None:
    assert labelled("a\u200bb") == "a‹U+200B ZWSP›b"
    assert labelled("\u202eabc") == "‹U+202E RLO›abc"
    assert labelled("a" + 5 * "\u200b") == "a‹U+200B ZWSP ×5›"
    assert labelled("\U000e0041") == "‹U+E0041›"
    assert "‹U+202E RLO›" in cut("```\n\u202e\n```")[0].text
    assert "‹U+FEFF BOM›" in cut("a \ufeff b")[0].text


def test_joiners_that_join_are_left_alone() -> None:
    for text in ("👩\u200d👩\u200d👧", "❤\ufe0f\u200d🔥", "می\u200cخواهم", "क्\u200dष"):
        assert labelled(text) == text
    for text in ("a\u200db", "\u200d", "👩\u200dx", "x\u200d👩"):
        assert labelled(text) != text


WORD = st.from_regex(r"[a-z]{3,8}", fullmatch=True)
SIGNS = "# |> |- |* |1. |~~~ |<!-- | -->|<b>|</div>|<script>|[|](|]|)|![|]: |`|```|**|_|~~|&#8203;|\u200b|\u202e|\\"
MORE = ["\n", "\n\n", "\n```\n", "\n[", "---\n", "\n===\n", "| ", " |", "\n|---|---|\n", "|", " ", "  ", "    ", "\t"]
PARTS = st.sampled_from([*SIGNS.split("|"), *MORE, "[[", "]]", ":", '"', "[^1]", "<http://", ">"])


@given(st.lists(st.one_of(WORD, PARTS), max_size=40).map("".join))
def test_no_word_is_lost(text: str) -> None:
    found = cut(text)
    shown = " ".join(f"{piece.label} {piece.text}" for piece in found)
    for word in re.findall(r"[a-z]{3,}", text):
        assert word in shown
    assert not HIDDEN.search(shown.replace("\n", "").replace("\t", ""))
    covered = {line for piece in found for line in range(piece.line, piece.end)}
    assert {number for number, line in enumerate(text.split("\n")) if line.strip()} <= covered
    assert [piece.line for piece in found] == sorted(piece.line for piece in found)


@given(st.text(max_size=60))
def test_any_text_can_be_cut(text: str) -> None:
    shown = "".join(piece.text + piece.label for piece in pieces(text.split("\n")))
    for character in set(text):
        if HIDDEN.match(character) and character not in "\u200c\u200d\r\n":
            assert label(character)[:-1] in shown or not text.strip() or character.isspace()
