"""Endings carried through edits, undo and reload, against an oracle that carries each line's ending with the line."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgui.domain.breaks import BreakTable, carried
from memgui.domain.lines import Lines

ENDINGS = ["\r\n", "\n", "\r", "\u2029", "\ufdd0", "\ufdd1"]
ODD = "ab \t\u00a0\u2028\x0b\x0c\x85\ufeff\u200b\r\n\u2029\ufdd0\ufdd1"


@dataclass(frozen=True)
class OldLine:
    """A line of the oracle: its ending goes with it (None: the last). A new one's ending is only known by rule."""

    text: str
    ending: str | None
    known: bool = True


@dataclass
class Page:
    """A text as a widget holds it, the table beside it, and the oracle, which carries endings line by line."""

    lines: tuple[OldLine, ...]
    table: BreakTable

    @staticmethod
    def of(text: str) -> Page:
        base = Lines.split(text)
        pairs = zip(base.texts, (*base.breaks, None), strict=True)
        return Page(tuple(OldLine(text, ending) for text, ending in pairs), BreakTable(base))

    @property
    def texts(self) -> list[str]:
        return [line.text for line in self.lines]

    def place(self, offset: int) -> tuple[int, int]:
        for number, line in enumerate(self.lines):
            if offset <= len(line.text):
                return number, offset
            offset -= len(line.text) + 1
        return len(self.lines) - 1, len(self.lines[-1].text)

    @property
    def length(self) -> int:
        return sum(len(line.text) + 1 for line in self.lines) - 1

    def replace(self, start: int, end: int, text: str) -> None:
        (first, column), (last, last_column) = self.place(start), self.place(end)
        head, tail = self.lines[first].text[:column], self.lines[last].text[last_column:]
        pieces = (head + text + tail).split("\n")
        self.tell(first, column == 0, last - first, len(pieces) - 1, not tail)
        own, below = self.lines[first], self.lines[last]
        new = [OldLine(piece, None, known=False) for piece in pieces]
        if not tail and column and below.ending is not None:
            new[0] = OldLine(pieces[0], own.ending, own.known)
        else:
            new[-1] = OldLine(pieces[-1], below.ending, below.known)
        self.lines = (*self.lines[:first], *new, *self.lines[last + 1 :])

    def tell(self, block: int, column_zero: bool, removed: int, added: int, at_line_end: bool) -> None:
        self.table.changed(block, column_zero, removed, added, at_line_end=at_line_end)

    def become(self, lines: tuple[OldLine, ...]) -> None:
        """Tell of the stretch in which the texts differ, and nothing else."""
        old, new = "\n".join(self.texts), "\n".join(line.text for line in lines)
        if old == new:
            return
        start = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        rest = min(len(old), len(new)) - start
        tail = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
        block, column = self.place(start)
        at_line_end = tail == 0 or new[len(new) - tail] == "\n"
        self.tell(
            block,
            column == 0,
            old[start : len(old) - tail].count("\n"),
            new[start : len(new) - tail].count("\n"),
            at_line_end,
        )
        self.lines = lines

    def check(self) -> None:
        found = self.table.lines(self.texts)
        assert list(found.texts) == self.texts
        for line, ending in zip(self.lines, (*found.breaks, None), strict=True):
            assert not line.known or ending == line.ending
        assert set(found.breaks) <= {*ENDINGS, "\n"}


def pages(words: list[str]) -> st.SearchStrategy[Page]:
    line = st.tuples(st.sampled_from(words), st.sampled_from(ENDINGS[:4]))
    return st.tuples(st.lists(line, max_size=12), st.sampled_from([*words, ""])).map(
        lambda made: Page.of("".join(word + ending for word, ending in made[0]) + made[1])
    )


@settings(max_examples=300, deadline=None)
@given(pages(["aaaa", "bbbb", "cccc"]), st.data())
def test_every_line_keeps_its_own_ending_through_any_edits(page: Page, data: st.DataObject) -> None:
    for number in range(data.draw(st.integers(0, 8))):
        start = data.draw(st.integers(0, page.length))
        end = data.draw(st.integers(start, min(page.length, start + 12)))
        text = data.draw(st.sampled_from(["", "x", "x\nx", "\nx", "x\n", "x\n\nx\n"])).replace("x", f"<{number}>")
        page.replace(start, end, text)
        page.check()


@settings(max_examples=300, deadline=None)
@given(pages(["aaaa", "bbbb", ""]), st.data())
def test_undo_gives_back_every_ending_even_among_equal_lines(page: Page, data: st.DataObject) -> None:
    done = []
    for number in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, page.length))
        end = data.draw(st.integers(start, page.length))
        text = data.draw(st.sampled_from(["", "y", "\n", f"{number}\n{number}", "z\n"]))
        done.append(
            (start, start + len(text), "\n".join(page.texts)[start:end], page.lines, page.table.lines(page.texts))
        )
        page.replace(start, end, text)
    for start, end, text, lines, endings in reversed(done):
        page.replace(start, end, text)
        page.lines = lines
        page.check()
        assert page.table.lines(page.texts) == endings


@settings(max_examples=300, deadline=None)
@given(pages(["line", "one", ""]), st.data())
def test_undo_told_by_the_texts_alone_goes_back_step_by_step(page: Page, data: st.DataObject) -> None:
    before = []
    for number in range(data.draw(st.integers(1, 6))):
        before.append((page.lines, page.table.lines(page.texts)))
        start = data.draw(st.integers(0, page.length))
        end = data.draw(st.integers(start, page.length))
        new = data.draw(st.sampled_from(["", f"<{number}>", f"<{number}\n{number}>", "\n", "\n\n"]))
        text = "\n".join(page.texts)
        page.become(tuple(OldLine(line, None, known=False) for line in (text[:start] + new + text[end:]).split("\n")))
    for lines, found in reversed(before):
        page.become(lines)
        assert page.table.lines(page.texts) == found


@settings(max_examples=200, deadline=None)
@given(pages(["aaaa", "bbbb"]), st.data())
def test_new_lines_take_the_ending_that_the_rule_names(page: Page, data: st.DataObject) -> None:
    for _number in range(data.draw(st.integers(1, 4))):
        now = page.table.lines(page.texts)
        offset = data.draw(st.integers(0, page.length))
        count = data.draw(st.integers(1, 3))
        line, column = page.place(offset)
        page.replace(offset, offset, "\n" * count)
        around = now.breaks[line - 1 : line] if column == 0 and line else now.breaks[line : line + 1]
        expected = (around or now.breaks[line - 1 : line] or ("\n",))[0]
        assert page.table.lines(page.texts).breaks[line : line + count] == (expected,) * count


def edited(text: str, *changes: tuple[int, int, str]) -> str:
    page = Page.of(text)
    for start, end, new in changes:
        page.replace(start, end, new)
    return page.table.lines(page.texts).joined()


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ("a\r\nb\nc\r\n", (3, 3, "x"), "a\r\nbx\nc\r\n"),
        ("a\r\nb\nc\r\n", (1, 1, "\nn"), "a\r\nn\r\nb\nc\r\n"),
        ("a\r\nb\nc\r\n", (2, 2, "n\n"), "a\r\nn\r\nb\nc\r\n"),
        ("a\r\nb\nc\r\n", (0, 0, "n\n"), "n\r\na\r\nb\nc\r\n"),
        ("a\r\nb", (3, 3, "\nn"), "a\r\nb\r\nn"),
        ("abc", (1, 1, "\n"), "a\nbc"),
        ("a\rb", (1, 2, ""), "ab"),
        ("a\r\nb\nc", (1, 3, ""), "a\r\nc"),
        ("a\r\nb\nc", (1, 2, ""), "ab\nc"),
        ("a\r\nb", (1, 3, ""), "a"),
        ("a\r\nb\r\nc\r\n", (0, 6, "x\ny\nz\nw"), "x\r\ny\r\nz\r\nw"),
        ("a\r\nb\nc\r\nd", (0, 7, "A\nB\nC\nD"), "A\r\nB\nC\r\nD"),
    ],
)
def test_an_edit_changes_its_own_lines_only(before: str, change: tuple[int, int, str], after: str) -> None:
    assert edited(before, change) == after


def test_a_line_moved_within_one_change_takes_its_ending_along() -> None:
    table = BreakTable(Lines.split("one\r\ntwo\nthree\rfour\n"))
    table.changed(0, True, 2, 2)
    assert table.lines(["two", "one", "three", "four", ""]).joined() == "two\none\r\nthree\rfour\n"


def test_a_text_as_it_began_is_the_base_whatever_happened() -> None:
    base = Lines.split("a\r\na\na\r")
    table = BreakTable(base)
    table.changed(0, True, 3, 0)
    table.changed(0, False, 0, 3)
    assert table.lines(base.texts) is base


def test_undo_across_a_reload_gives_the_endings_from_before_it() -> None:
    table = BreakTable(Lines.split("a\r\nb\rc\n"))
    table.changed(0, False, 2, 0, at_line_end=True)
    table.rebase(Lines.split("a\n"))
    table.changed(0, False, 0, 2, at_line_end=True)
    assert table.lines(["a", "b", "c", ""]).breaks[1:] == ("\r", "\n")


def test_a_table_that_was_told_too_little_falls_back_on_the_texts() -> None:
    table = BreakTable(Lines.split("a\r\nb\nc\r"))
    assert table.lines(["a", "new", "b", "c", ""]).joined() == "a\r\nnew\r\nb\nc\r"


@given(st.text(alphabet=ODD), st.lists(st.text(alphabet="ab"), min_size=1))
def test_carried_endings_fit_any_texts(text: str, texts: list[str]) -> None:
    base = Lines.split(text)
    assert carried(base, texts).texts == tuple(texts)
    assert carried(base, base.texts) == base
    assert set(carried(base, texts).breaks) <= {*base.breaks, "\n"}


def test_many_edits_in_a_large_text_are_cheap_to_follow() -> None:
    base = Lines.split("line\r\n" * 20_000)
    table = BreakTable(base)
    for block in range(0, 20_000, 7):
        table.changed(block, False, 0, 1, at_line_end=True)
    texts = list(base.texts)
    for block in range(0, 20_000, 7):
        texts.insert(block + 1, "new")
    assert set(table.lines(texts).breaks) == {"\r\n"}
