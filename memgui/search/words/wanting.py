"""From a query as it was read to what the index is asked, and whether a passage as it stands now fulfils it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field

from memgui.domain.paths import DocPath
from memgui.domain.patterns import lies_at, places_of
from memgui.domain.wishes import Either, Every, Field, Only, Pattern, Phrase, Text, Wish, Without
from memgui.search.fold import fold
from memgui.search.words import analysis
from memgui.search.words.analysis import asked, words
from memgui.search.words.index import AllOf, AnyOf, Has, In, Marked, NoneOf, Wanted
from memgui.search.words.pieces import Piece, task_in

MOST_PATHS = 200
"""Up to so many documents are named to the index; where more are meant, each answer is looked at instead."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The documents there are, and which of them are protected."""

    all: Sequence[DocPath] = ()
    is_protected: Callable[[DocPath], bool] = field(default=lambda _path: False)
    unseen: Callable[[], frozenset[DocPath]] = field(default=frozenset)
    """Those with changes that no person has looked at."""
    fitting: Callable[[str], frozenset[DocPath] | None] = field(default=lambda _pattern: None)
    """The documents with a line that fits a pattern; None where those are too many, or cannot be told."""

    def wanted(self, only: Only) -> frozenset[DocPath]:
        """The documents that a wish for a path or for protected files means."""
        if only.field is Field.IS and only.value == "unseen":
            return self.unseen()
        if only.field is Field.IS:
            return frozenset(filter(self.is_protected, self.all))
        sought = fold(only.value)
        return frozenset(path for path in self.all if lies_at(sought, fold(path)))


@dataclass(frozen=True, slots=True)
class Seen:
    """A passage as it stands on disk now."""

    path: DocPath
    piece: Piece
    lines: Sequence[str]
    paths: Paths


def pieces_asked(wish: Wish) -> tuple[analysis.Asked, ...]:
    """The words that are asked for (not those that must not be there), each once."""
    return tuple(dict.fromkeys(_pieces_asked(wish)))


def _pieces_asked(wish: Wish) -> Iterable[analysis.Asked]:
    match wish:
        case Text(text) | Phrase(text):
            yield from asked(text)
        case Only(Field.TODO | Field.DONE, value):
            yield from asked(value)
        case Every(wishes) | Either(wishes):
            for one in wishes:
                yield from _pieces_asked(one)
        case _:
            pass


def wanted(wish: Wish, paths: Paths) -> Wanted:
    """What the index is asked for: everything that fulfils the wish, and sometimes more; `is_exact` tells."""
    match wish:
        case Text(text) | Phrase(text):
            return AllOf(tuple(map(held, asked(text))))
        case Pattern(pattern):
            documents = paths.fitting(pattern)
            return AllOf(()) if documents is None else In(documents)
        case Only():
            return _only(wish, paths)
        case Without(inner):
            return NoneOf((wanted(inner, paths),)) if is_exact(inner, paths) else AllOf(())
        case Either(wishes):
            return AnyOf(tuple(wanted(one, paths) for one in wishes))
        case Every(wishes):
            return AllOf(tuple(wanted(one, paths) for one in wishes))


def held(piece: analysis.Asked) -> Wanted:
    """One piece of a query: its whole, or all its parts."""
    if piece.stem:
        return AnyOf((Has(piece.whole), Has(piece.stem)))
    parts = AllOf(tuple(map(Has, piece.parts)))
    if not piece.whole:
        return parts
    return AnyOf((Has(piece.whole), parts)) if piece.parts else Has(piece.whole)


def _only(only: Only, paths: Paths) -> Wanted:
    match only.field:
        case Field.PATH | Field.IS:
            documents = paths.wanted(only)
            return In(documents) if len(documents) <= MOST_PATHS else AllOf(())
        case Field.TYPE | Field.STATUS:
            return Marked(f"{only.field.value}={fold(only.value)}")
        case Field.DAY:
            return Marked(f"day={only.value}")
        case Field.TODO | Field.DONE:
            return AllOf((Marked(only.field.value), *map(held, asked(only.value))))
        case Field.IN:
            return In(frozenset())


def is_exact(wish: Wish, paths: Paths) -> bool:
    """Whether what the index gives for it needs no second look."""
    match wish:
        case Text():
            return True
        case Phrase(text):
            pieces = asked(text)
            return len(pieces) == 1 and len(pieces[0].words) == 1
        case Pattern():
            return False
        case Only(Field.PATH | Field.IS):
            return isinstance(_only(wish, paths), In)
        case Only(Field.TODO | Field.DONE, value):
            return not value
        case Only():
            return True
        case Without(inner):
            return is_exact(inner, paths)
        case Either(wishes) | Every(wishes):
            return all(is_exact(one, paths) for one in wishes)


def fulfils(seen: Seen, wish: Wish) -> bool:
    """Whether the passage is what the wish asks for."""
    match wish:
        case Text(text):
            return all(holds(seen.piece.weights, piece) for piece in asked(text))
        case Phrase(text):
            return fold(text) in " ".join(fold("\n".join(seen.lines)).split()) or fold(text) in fold(seen.path)
        case Pattern(pattern):
            places = places_of(pattern)
            return places is not None and any(map(places, seen.lines))
        case Only():
            return _fulfils_only(seen, wish)
        case Without(inner):
            return not fulfils(seen, inner)
        case Either(wishes):
            return any(fulfils(seen, one) for one in wishes)
        case Every(wishes):
            return all(fulfils(seen, one) for one in wishes)


def _fulfils_only(seen: Seen, only: Only) -> bool:
    match only.field:
        case Field.PATH:
            return lies_at(fold(only.value), fold(seen.path))
        case Field.IS:
            return (
                seen.path in seen.paths.wanted(only) if only.value == "unseen" else seen.paths.is_protected(seen.path)
            )
        case Field.IN:
            # What stands now is in no earlier version alone.
            return False
        case Field.TYPE | Field.STATUS | Field.DAY:
            return f"{only.field.value}={fold(only.value)}" in seen.piece.marks
        case Field.TODO | Field.DONE:
            return any(fulfils_task(line, only) for line in seen.lines)


def fulfils_task(line: str, only: Only) -> bool:
    """Whether a line is such a task, and holds what is asked of it."""
    if task_in(line) is not (only.field is Field.DONE):
        return False
    inside = frozenset(words(line))
    return all(holds(inside, piece) for piece in asked(only.value))


def holds(inside: Container[str], piece: analysis.Asked) -> bool:
    """Whether these words hold a piece of a query."""
    if piece.whole in inside or (piece.stem and piece.stem in inside):
        return True
    return bool(piece.parts) and all(part in inside for part in piece.parts)
