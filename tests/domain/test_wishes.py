"""How queries with operators are read: a table, hostile input, and that reading never fails."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.query import MOST_WORDS
from memgui.domain.wishes import MOST_CHARACTERS, Asked, Either, Every, Text, Wish, Without, described, plain, read


@pytest.mark.parametrize(
    ("query", "reading"),
    [
        ("berth seven", "berth and seven"),
        ("TODO: fix", "TODO: and fix"),
        ("Path:x todo: fix DAY:2026", "Path:x and todo: and fix and DAY:2026"),
        ("todo:milk done:eggs", "open task with “milk” and finished task with “eggs”"),
        ("todo:", "any open task"),
        ('"one writer" sqlite', "“one writer” and sqlite"),
        ('"one   writer', '"one and writer'),
        ('""', ""),
        ("a OR b c", "(a or b) and c"),
        ("a OR b OR c", "(a or b or c)"),
        ("OR a OR OR b OR", "OR and a and (OR or b)"),
        ("a or b", "a and or and b"),
        ("ferry -berth", "ferry and without berth"),
        ("ferry - berth -- --json", "ferry and - and berth and -- and --json"),
        ("semi-detached 2026-11-30", "semi-detached and 2026-11-30"),
        ('-"two words" -(x y)', "without “two words” and without (x and y)"),
        ("(a OR b) (c d)", "(a or b) and c and d"),
        ("(a OR b", "(a or b)"),
        ("a) b", "a) and b"),
        ("f(x) ((y))", "f(x) and y"),
        ("(f(x))", "f(x)"),
        ("() a", "a"),
        ('path:"my notes" path:src/a', "path with “my notes” and path with “src/a”"),
        ("type:feedback status:proposed", "type feedback and status proposed"),
        ("day:2026-11 day:2026 day:2026-11-30", "day 2026-11 and day 2026 and day 2026-11-30"),
        ("day:november is:odd is:protected", "day:november and is:odd and protected file"),
        ("is:unseen in:history in:box", "file with changes not looked at and in earlier versions and in:box"),
        ("-path:old", "without path with “old”"),
        ("https://example.org/path:x", "https://example.org/path:x"),
        ("is:proposed", "status proposed"),
        ("/sq.*te/ ferry", "a line that fits /sq.*te/ and ferry"),
        ("(/a b/ OR -/c\\/d/)", "(a line that fits /a b/ or without a line that fits /c\\/d/)"),
        ("/usr/bin/ /etc/hosts", "/usr/bin/ and /etc/hosts"),
        ("/(/ // /.*/ a/b/", "/(/ and // and /.*/ and a/b/"),
        ("港口 OR 码头", "(港口 or 码头)"),
    ],
)
def test_a_query_is_read_as_its_explanation_says(query: str, reading: str) -> None:
    assert described(read(query).wish) == reading


@pytest.mark.parametrize("query", ["berth seven", "TODO: fix", "(a b)", "***", "a - b", "f(x)", "and or not"])
def test_words_alone_are_plain(query: str) -> None:
    assert read(query).is_plain


@pytest.mark.parametrize("query", ['"a b"', "a OR b", "-a", "path:x", "todo:", "is:protected"])
def test_an_operator_makes_a_query_more_than_plain_but_not_for_tools(query: str) -> None:
    assert not read(query).is_plain
    assert plain(query).is_plain


def test_one_phrase_is_known_as_such() -> None:
    assert read(' "one writer" ').phrase == "one writer"
    assert read('"one" two').phrase == read("one").phrase == ""


def leaves(wish: Wish) -> int:
    match wish:
        case Every(wishes) | Either(wishes):
            return sum(map(leaves, wishes))
        case Without(inner):
            return leaves(inner)
        case _:
            return 1


HOSTILE = [
    "*" * 2_000,
    "(" * 5_000,
    ")" * 5_000,
    "-" * 5_000,
    "-(" * 3_000,
    '"' * 4_001,
    "a OR " * 3_000,
    "NOT " * 3_000,
    " ".join(f"word{i}" for i in range(3_000)),
    "path:" * 2_000,
    "todo:(" * 1_000,
    "x" * 100_000,
    "\x00\ud800\udc80\uffff \u202e",
    "[a TO z] foo~9 ????? a^1000 /(a+)+$/",
    "\N{FULLWIDTH QUOTATION MARK}a b\N{FULLWIDTH QUOTATION MARK}",
    "🎉" * 3_000,
]


@pytest.mark.parametrize("query", HOSTILE)
def test_a_hostile_query_is_read_at_once_and_within_bounds(query: str) -> None:
    begun = time.thread_time()
    for asked in (read(query), plain(query)):
        assert leaves(asked.wish) <= MOST_WORDS + 1
        assert len(described(asked.wish)) <= 8 * MOST_CHARACTERS
    assert time.thread_time() - begun < 1


def test_what_is_longer_than_is_read_says_so() -> None:
    assert read(" ".join(f"w{i}" for i in range(MOST_WORDS + 1))).is_cut
    assert read("x" * (MOST_CHARACTERS + 1)).is_cut
    assert not read("short").is_cut


@given(st.text(alphabet=st.sampled_from('ab"()-: OR\tpathdo:todo:day:2026is:'), max_size=60) | st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    asked = read(text)
    assert isinstance(asked, Asked)
    assert isinstance(described(asked.wish), str)
    assert all(isinstance(wish, Text) for wish in plain(text).wish.wishes)
