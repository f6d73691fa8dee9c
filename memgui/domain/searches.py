"""Searches that a person made and may want again: the latest ones, and those that were given a name."""

from __future__ import annotations

from dataclasses import dataclass, replace

MOST_RECENT, MOST_SAVED = 50, 200
LONGEST = 1_000
"""Longer texts are no searches that anybody wants again."""


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search that was given a name; without one it goes by its text."""

    query: str
    name: str = ""

    @property
    def title(self) -> str:
        return self.name or self.query


@dataclass(frozen=True, slots=True)
class Searches:
    """Those of one workspace: the latest first, and the saved ones in the order of their names."""

    recent: tuple[str, ...] = ()
    saved: tuple[SavedSearch, ...] = ()

    def made(self, query: str) -> Searches:
        """One more was made."""
        query = query.strip()
        if not query or len(query) > LONGEST:
            return self
        return replace(self, recent=(query, *(one for one in self.recent if one != query))[:MOST_RECENT])

    def with_saved(self, query: str, name: str) -> Searches:
        """This one is saved under this name, and under no other."""
        query, name = query.strip(), " ".join(name.split())
        if not query or len(query) > LONGEST or (len(self.saved) >= MOST_SAVED and self.named(query) is None):
            return self
        others = (one for one in self.saved if one.query != query)
        saved = sorted((SavedSearch(query, "" if name == query else name[:LONGEST]), *others), key=_by_title)
        return replace(self, saved=tuple(saved))

    def without(self, query: str) -> Searches:
        """A saved one goes; one that is not saved is no longer among the latest."""
        if self.named(query) is not None:
            return replace(self, saved=tuple(one for one in self.saved if one.query != query))
        return replace(self, recent=tuple(one for one in self.recent if one != query))

    def joined(self, base: Searches, theirs: Searches) -> Searches:
        """These, made of `base`, with what somebody else made of it meanwhile: what either took away is gone."""
        gone = {one for one in base.recent if one not in theirs.recent}
        mine = [one for one in self.recent if one not in gone]
        new = [one for one in mine if one not in base.recent]
        others = [one for one in theirs.recent if one not in base.recent]
        recent = tuple(dict.fromkeys((*new, *others, *mine)))[:MOST_RECENT]
        queries = dict.fromkeys(one.query for one in (*self.saved, *theirs.saved))
        chosen = (self if self.named(query) != base.named(query) else theirs for query in queries)
        saved = (known.named(query) for query, known in zip(queries, chosen, strict=True))
        return Searches(recent, tuple(sorted(filter(None, saved), key=_by_title)))

    def named(self, query: str) -> SavedSearch | None:
        """The saved search with this text."""
        return next((one for one in self.saved if one.query == query.strip()), None)


def _by_title(one: SavedSearch) -> tuple[str, str]:
    return one.title.casefold(), one.query
