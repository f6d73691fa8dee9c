"""Fenced code in colours: they change nothing of the text, and what would take long goes without."""

from __future__ import annotations

from time import thread_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor

from memgui.gui.panels.preview import colouring
from memgui.gui.panels.preview.colouring import Ink, inked, language_of
from tests.gui.preview.conftest import Reader

PYTHON = 'def berth(number: int) -> str:\n    """Which."""\n    return f"berth {number}"  # free\n'


def inks(text: str, language: str) -> dict[str, Ink]:
    return {word.strip(): ink for ink, word in inked(text, language) if word.strip()}


@pytest.mark.parametrize(
    ("label", "language"),
    [
        ("python", "python"),
        ("Python title=x", "python"),
        ("{.sh #id}", "sh"),
        ("c++", "c++"),
        ("js {1,3}", "js"),
        ("", ""),
        ("mermaid", ""),
        ("nothing known", ""),
    ],
)
def test_the_language_is_the_first_word_behind_the_fence(label: str, language: str) -> None:
    assert language_of(label) == language


def test_words_have_the_ink_of_what_they_are() -> None:
    found = inks(PYTHON, "python")
    assert found["def"] is Ink.KEYWORD
    assert found["berth"] is Ink.NAME
    assert found["# free"] is Ink.REMARK
    assert inks('{"a": [1, "b"]}', "json")["1"] is Ink.NUMBER
    assert inks("+new\n-old\n", "diff") == {"+new": Ink.ADDED, "-old": Ink.REMOVED}


@given(st.text(max_size=300), st.sampled_from(sorted(colouring._LEXERS)))
@settings(max_examples=150, deadline=None)
def test_nothing_of_a_text_is_lost_or_told_twice(text: str, language: str) -> None:
    assert "".join(word for _ink, word in inked(text, language)) == text


@pytest.mark.parametrize("language", sorted(set(colouring._BY_LANGUAGE)))
def test_every_language_named_has_its_lexer(language: str) -> None:
    name = colouring._BY_LANGUAGE[language].split()[0]
    assert "".join(word for _ink, word in inked("a = 1\n", name)) == "a = 1\n"


@pytest.mark.parametrize("text", ["x" * 700, "x = 1\n" * 5_000])
def test_long_code_goes_without(text: str) -> None:
    assert list(inked(text, "python")) == [(Ink.PLAIN, text)]


def test_code_that_takes_long_is_told_whole_and_in_time() -> None:
    text = ("a " * 250 + "\n") * 39
    began = thread_time()
    assert "".join(word for _ink, word in inked(text, "java")) == text
    assert thread_time() - began < 3


def test_a_fence_has_colours_in_the_preview_also_within_a_list(reader: Reader) -> None:
    text = reader.show(
        f'```python\n{PYTHON}```\n\n- item\n\n  ```json\n  {{"a": true}}\n  ```\n\n```\nplain def\n```\n'
    )
    assert 'return f"berth {number}"  # free' in text
    document = reader.panel.browser.document()
    style = reader.panel.browser.look

    def colour(words: str, after: int = 0) -> str:
        cursor = document.find(words, after)
        assert isinstance(cursor, QTextCursor)
        assert not cursor.isNull()
        return cursor.charFormat().foreground().color().name()

    assert colour("def") == style.inks[Ink.KEYWORD].foreground().color().name()
    assert colour("true") == style.inks[Ink.NUMBER].foreground().color().name()
    assert colour("plain def") == style.fence.foreground().color().name()
