"""How a query with operators is read: words, phrases, OR, -, ( ), /patterns/ and fields.

Reading never fails; what is no operator is text. Operators are written in lower case with no blank after the colon, so
`TODO: fix` is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from memgui.domain.patterns import places_of
from memgui.domain.query import MOST_WORDS
from memgui.i18n import _

MOST_CHARACTERS = 1_000
DEEPEST = 8


class Field(Enum):
    """What a word with a colon may ask for."""

    PATH = "path"
    TYPE = "type"
    STATUS = "status"
    DAY = "day"
    TODO = "todo"
    DONE = "done"
    IS = "is"
    IN = "in"


@dataclass(frozen=True, slots=True)
class Text:
    """A word as it was typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words as they stand one after the other."""

    text: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that a line has to fit, case aside."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Only:
    """A field and what it has to be. A task's text may be empty: any task."""

    field: Field
    value: str


@dataclass(frozen=True, slots=True)
class Without:
    """Nothing of this."""

    wish: Wish


@dataclass(frozen=True, slots=True)
class Every:
    """All of these."""

    wishes: tuple[Wish, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of these."""

    wishes: tuple[Wish, ...]


Wish = Text | Phrase | Pattern | Only | Without | Every | Either


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as it was read. `is_cut`: it is longer than is read."""

    typed: str
    wish: Every
    is_cut: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is words and nothing else."""
        return all(isinstance(wish, Text) for wish in self.wish.wishes)

    @property
    def in_history(self) -> bool:
        """Whether it asks for what stood in earlier versions."""
        return Only(Field.IN, "history") in self.wish.wishes

    @property
    def phrase(self) -> str:
        """The text of a query that is one phrase; empty for any other."""
        only = self.wish.wishes[0] if len(self.wish.wishes) == 1 else None
        return only.text if isinstance(only, Phrase) else ""


_FIELD = re.compile(r"(path|type|status|day|todo|done|is|in):(?=\S|\Z)")
_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
_QUOTED = re.compile(r'"([^"]*)"')
_PATTERN = re.compile(r"/((?:[^/\\\n]|\\.)+)/(?=[\s)]|\Z)")
_CHUNK = re.compile(r"\S+")


def read(text: str) -> Asked:
    """Read a query with its operators."""
    reader = _Reader(text[:MOST_CHARACTERS])
    wish = reader.group(0)
    return Asked(text, wish, is_cut=len(text.strip()) > MOST_CHARACTERS or reader.dropped)


def plain(text: str) -> Asked:
    """Read a query as words alone, whatever looks like an operator in it."""
    found = (Text(chunk[0]) for chunk in _CHUNK.finditer(text[:MOST_CHARACTERS]))
    wishes = tuple(dict.fromkeys(found))
    return Asked(text, Every(wishes[:MOST_WORDS]), is_cut=len(wishes) > MOST_WORDS or len(text) > MOST_CHARACTERS)


_OR = object()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._leaves = 0
        self.dropped = False

    def group(self, depth: int) -> Every:
        """What stands up to the bracket that closes this group, or to the end."""
        found: list[Wish | object] = []
        while (character := self._next()) is not None:
            if character == ")" and depth:
                self._at += 1
                break
            found += self._one(depth)
        return _joined(found)

    def _next(self) -> str | None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._text[self._at] if self._at < len(self._text) else None

    def _one(self, depth: int) -> Iterator[Wish | object]:
        text, at = self._text, self._at
        if text[at] == "-" and at + 1 < len(text) and not text[at + 1].isspace() and text[at + 1] != "-":
            self._at += 1
            inner = [wish for wish in self._one(depth) if wish is not _OR]
            yield from (Without(wish) for wish in inner if isinstance(wish, _WISHES))
        elif text[at] == "(" and depth < DEEPEST:
            self._at += 1
            inside = self.group(depth + 1)
            if inside.wishes:
                yield inside.wishes[0] if len(inside.wishes) == 1 else inside
        else:
            yield from self._leaf(depth)

    def _leaf(self, depth: int) -> Iterator[Wish | object]:
        field = _FIELD.match(self._text, self._at)
        begin = self._at
        if field is not None:
            self._at = field.end()
            value = self._value(depth)
            wish = _only(Field(field[1]), value)
            yield from self._counted(wish if wish is not None else Text(self._text[begin : self._at]))
            return
        quoted = _QUOTED.match(self._text, self._at)
        if quoted is not None:
            self._at = quoted.end()
            if quoted[1].strip():
                yield from self._counted(Phrase(" ".join(quoted[1].split())))
            return
        pattern = _PATTERN.match(self._text, self._at)
        if pattern is not None and places_of(pattern[1]) is not None:
            self._at = pattern.end()
            yield from self._counted(Pattern(pattern[1]))
            return
        word = self._value(depth)
        if word == "OR":
            yield _OR
        elif word:
            yield from self._counted(Text(word))

    def _value(self, depth: int) -> str:
        """A quoted text, or all up to a blank or to the bracket that closes the group."""
        quoted = _QUOTED.match(self._text, self._at)
        if quoted is not None:
            self._at = quoted.end()
            return quoted[1].strip()
        open_inside, begin = 0, self._at
        while self._at < len(self._text) and not self._text[self._at].isspace():
            character = self._text[self._at]
            open_inside += character == "("
            if character == ")":
                if depth and not open_inside:
                    break
                open_inside -= 1
            self._at += 1
        return self._text[begin : self._at]

    def _counted(self, wish: Wish) -> Iterator[Wish]:
        self._leaves += 1
        if self._leaves <= MOST_WORDS:
            yield wish
        else:
            self.dropped = True


_WISHES = (Text, Phrase, Pattern, Only, Without, Every, Either)


def _only(field: Field, value: str) -> Only | None:
    if field is Field.DAY and not _DAY.fullmatch(value):
        return None
    if field is Field.IS and value == "proposed":
        return Only(Field.STATUS, value)
    if field is Field.IS and value not in ("protected", "unseen"):
        return None
    if field is Field.IN and value != "history":
        return None
    return Only(field, value) if value or field in (Field.TODO, Field.DONE) else None


def _joined(found: list[Wish | object]) -> Every:
    """Neighbours of an OR are one of two; an OR that has no neighbour on one side is a word."""
    wishes: list[Wish] = []
    waiting = False
    for number, one in enumerate(found):
        if one is _OR:
            follows = number + 1 < len(found) and found[number + 1] is not _OR
            if wishes and follows and not waiting:
                waiting = True
            else:
                wishes.append(Text("OR"))
            continue
        assert isinstance(one, _WISHES)
        if waiting:
            before = wishes.pop()
            several = before.wishes if isinstance(before, Either) else (before,)
            wishes.append(Either((*several, one)))
            waiting = False
        elif isinstance(one, Every):
            wishes += one.wishes
        else:
            wishes.append(one)
    return Every(tuple(dict.fromkeys(wishes)))


# In words ----------------------------------------------------------------------------------------------------------


def described(wish: Wish) -> str:
    """The reading as a person would say it."""
    match wish:
        case Text(text):
            return text
        case Phrase(text):
            return f"“{text}”"
        case Pattern(pattern):
            return _("a line that fits /{pattern}/").format(pattern=pattern)
        case Without(inner):
            what = described(inner)
            return _("without {what}").format(what=f"({what})" if isinstance(inner, Every) else what)
        case Only(field, value):
            return _only_described(field, value)
        case Either(wishes):
            return "(" + _(" or ").join(map(described, wishes)) + ")"
        case Every(wishes):
            return _(" and ").join(map(described, wishes))


def _only_described(field: Field, value: str) -> str:
    match field:
        case Field.PATH:
            return _("path with “{value}”").format(value=value)
        case Field.TYPE:
            return _("type {value}").format(value=value)
        case Field.STATUS:
            return _("status {value}").format(value=value)
        case Field.DAY:
            return _("day {value}").format(value=value)
        case Field.TODO:
            return _("open task with “{value}”").format(value=value) if value else _("any open task")
        case Field.DONE:
            return _("finished task with “{value}”").format(value=value) if value else _("any finished task")
        case Field.IS:
            return _("file with changes not looked at") if value == "unseen" else _("protected file")
        case Field.IN:
            return _("in earlier versions")
