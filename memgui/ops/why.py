"""Why a hit is there, and why a file is not, in sentences. Lane: reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memgui.domain import wishes
from memgui.domain.errors import MemguiError
from memgui.domain.hits import FileHits, Found, HitGroup, SearchHit
from memgui.domain.lines import Lines
from memgui.domain.paths import SKIPPED_FOLDERS, DocPath, comparable, is_document, shown
from memgui.domain.tree import NodeKind
from memgui.domain.wishes import Pattern, Phrase, Text, Wish, described
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops.finder import FILES, Finder
from memgui.ops.meaning import embedding
from memgui.ops.meaning.asked import Wanted
from memgui.ops.words import builder
from memgui.ops.words.service import paths_of
from memgui.search.fold import fold, is_binary, needle_of, text_of
from memgui.search.fusion import CLEAR
from memgui.search.meaning.index import Nearness
from memgui.search.segments import Key
from memgui.search.words.pieces import Piece, pieces_of
from memgui.search.words.wanting import Seen, fulfils
from memgui.storage import files

Near = Callable[[Wanted], Nearness | None]
"""Asks how near passages are in meaning; None where nothing is known."""

MOST_PASSAGES = 200
"""Of a very long document no more are asked about."""

_MOST_TERMS = 8


@dataclass(frozen=True, slots=True)
class Why:
    """The reasons, the weightiest first. `path` is what they are about."""

    path: DocPath
    reasons: tuple[str, ...]


def why(ws: Workspace, finder: Finder, near: Near, found: Found, hit: SearchHit) -> Why:
    """Why this hit answers: what it holds and lacks, how near it is in meaning, and how it stands to the best."""
    if hit.version:
        told = _("This line stood in version {number} and stands nowhere now.").format(number=hit.version)
        return Why(hit.path, (told,))
    document = _Document.read(ws, finder, hit.path)
    if document is None:
        return Why(hit.path, (_("The file cannot be read any more."), _unread(ws, hit.path)))
    if hit.group is HitGroup.LITERAL and not hit.in_name and not document.stands_at(hit.line, found.query):
        return Why(hit.path, (_("The line changed since it was found: it no longer holds the text as it was typed."),))
    asked = wishes.read(found.query)
    said: list[str] = []
    if hit.in_name:
        said.append(_("Its name or folder holds what was typed."))
    elif hit.group is HitGroup.LITERAL:
        said.append(_("This line holds the text as it was typed; case, accents and width aside."))
    piece = document.piece_at(hit.line)
    if piece is not None and hit.group is not HitGroup.LITERAL:
        said += _held_and_missing(document, piece, asked.wish.wishes)
    if asked.is_plain and piece is not None:
        nearness = near(Wanted(found.query, 1, ((hit.path, piece.first, piece.end),)))
        closeness = None if nearness is None else nearness.of(hit.path, piece.first, document.key)
        if closeness is not None:
            said.append(_closeness(closeness))
    said.append(_standing(found, hit))
    return Why(hit.path, tuple(said))


def why_not(ws: Workspace, finder: Finder, near: Near, found: Found, path: DocPath) -> Why:
    """Why a file is not among the hits of a query; or that it is."""
    if ws.is_private(path):
        return Why(path, (_("It belongs to memgui itself, and is never searched."),))
    shown_now = (*found.files, *found.by_words, *found.by_meaning, *found.by_history)
    document, place = _Document.read(ws, finder, path), _place_among(shown_now, path)
    asked = wishes.read(found.query)
    if place is not None:
        gone = [_unread(ws, path)] if document is None and not asked.in_history else []
        return Why(path, (place, *gone))
    if asked.in_history:
        return Why(path, (_not_bygone(found),))
    if document is None:
        return Why(path, (_unread(ws, path),))
    if path not in finder.paths and _is_left_out(path):
        told = _(
            "It lies where nothing is searched: folders that hold no memory, as .git and node_modules, are left out."
        )
        return Why(path, (told,))
    real = files.real_path(ws.root, path)
    if real != path:
        told = _("It is a link. What it leads to is searched under its own name, {name}.")
        return Why(path, (told.format(name=shown(real)),))
    said: list[str] = []
    if path not in finder.paths:
        said.append(_("It has not been read yet."))
    if path in found.left_out:
        said.append(_("All texts together take too much memory: its own is left out."))
    holds = needle_of(asked.phrase or found.query) in fold(text_of(document.data))
    if holds and found.total_files > FILES:
        said.append(_("It holds the text, but others come first: {count} files are shown.").format(count=FILES))
    elif holds:
        said.append(_("It holds the text by now: search again."))
    if not is_document(path) and holds:
        return Why(path, tuple(said))
    if not is_document(path):
        said.append(_("It is no Markdown document: only the exact search covers it, and it lacks the text as typed."))
        return Why(path, tuple(said))
    if len(document.data) > builder.LARGEST:
        said.append(_("It is too large for the index of words; only the exact search covers it."))
    said += _terms(document, asked.wish.wishes)
    if asked.is_plain:
        said += _meaning(document, near, found.query)
    return Why(path, tuple(said))


def _place_among(shown_now: Sequence[FileHits], path: DocPath) -> str | None:
    """Where among the hits a file is; None where it is not."""
    told = _("It is among the hits: file {number}, line {line}.")
    for number, file in enumerate(shown_now, 1):
        if file.path == path:
            return told.format(number=number, line=file.hits[0].line if file.hits else 1)
    return None


def _is_left_out(path: DocPath) -> bool:
    """Whether it lies in a folder that is looked into only where a layout names it."""
    folders = path.split("/")[:-1]
    return any(folder.startswith(".") or comparable(folder) in SKIPPED_FOLDERS for folder in folders)


def _not_bygone(found: Found) -> str:
    if not found.history_whole:
        return _("No earlier version of it that was looked at holds what was asked; not all of them were.")
    return _("No earlier version of it holds what was asked, or it was forgotten, or it stands somewhere still.")


def _unread(ws: Workspace, path: DocPath) -> str:
    """Why there is nothing of this file to be searched."""
    try:
        node = files.look(ws.root, path)
        if node is None or node.kind is NodeKind.LINK_BROKEN:
            return _("There is no such file now. What it held may stand in earlier versions: in:history finds it.")
        if node.kind is NodeKind.LINK_OUT:
            return _("It is a link that leads out of the workspace, and is not followed.")
        if not node.kind.has_bytes:
            return _("It is no file.")
        data, _node = files.read(ws.root, path)
    except MemguiError as error:
        return error.message
    return (
        _("It is no text: only its name is searched.") if is_binary(data) else _("It can be read by now: search again.")
    )


@dataclass(slots=True)
class _Document:
    path: DocPath
    data: bytes
    key: Key
    lines: Sequence[str]
    pieces: list[Piece]
    seen: Callable[[Piece], Seen]

    @staticmethod
    def read(ws: Workspace, finder: Finder, path: DocPath) -> _Document | None:
        with finder.reading() as read:
            now = read(path)
        if now is None or is_binary(now[0]):
            return None
        data, key = now
        lines = Lines.split(text_of(data)).texts
        paths = paths_of(ws, [path])
        return _Document(
            path,
            data,
            key,
            lines,
            pieces_of(path, data),
            lambda piece: Seen(path, piece, lines[piece.first : piece.end], paths),
        )

    def piece_at(self, line: int) -> Piece | None:
        """The passage that a line stands in."""
        return next((piece for piece in self.pieces if piece.first < line <= piece.end), None)

    def stands_at(self, line: int, query: str) -> bool:
        """Whether a line (counted from 1) still holds the beginning of a query, or of its one phrase."""
        text = fold(self.lines[line - 1]) if 0 < line <= len(self.lines) else ""
        wanted = (needle_of(query), needle_of(wishes.read(query).phrase))
        return any(one and one.partition("\n")[0] in text for one in wanted)

    def holds(self, piece: Piece, wish: Wish) -> bool:
        return fulfils(self.seen(piece), wish)


def _held_and_missing(document: _Document, piece: Piece, asked: Sequence[Wish]) -> list[str]:
    held = [wish for wish in asked if document.holds(piece, wish)]
    missing = [wish for wish in asked if wish not in held]
    if not asked:
        return []
    if not missing:
        return [_("The passage holds all that was asked: {terms}.").format(terms=_named(held))]
    if not held:
        return [_("The passage holds none of the words: {terms}.").format(terms=_named(missing))]
    said = _("The passage holds {held}; it lacks {missing}.")
    return [said.format(held=_named(held), missing=_named(missing))]


def _terms(document: _Document, asked: Sequence[Wish]) -> list[str]:
    lines = {wish: [piece.first + 1 for piece in document.pieces if document.holds(piece, wish)] for wish in asked}
    missing = [wish for wish in lines if not lines[wish]]
    if missing:
        return [_("No passage of it is what was asked: {terms}.").format(terms=_named(missing))]
    together = [piece for piece in document.pieces if all(document.holds(piece, wish) for wish in asked)]
    if asked and not together:
        places = ", ".join(
            _("{term} (line {line})").format(term=_quoted(wish), line=lines[wish][0]) for wish in asked[:_MOST_TERMS]
        )
        return [_("It holds all of it, but no passage does: {places}.").format(places=places)]
    if asked:
        return [_("It holds all that was asked; passages of other files answer better, or it is not indexed yet.")]
    return []


def _meaning(document: _Document, near: Near, query: str) -> list[str]:
    if len(document.data) > embedding.LARGEST:
        return [_("It is too large to be known by its meaning.")]
    places = tuple((document.path, piece.first, piece.end) for piece in document.pieces[:MOST_PASSAGES])
    nearness = near(Wanted(query, 1, places))
    if nearness is None:
        return [_("Nothing of memory is known by its meaning yet.")]
    if not nearness.named or nearness.as_of.get(document.path) != document.key:
        return [_("It is not known by its meaning yet.")]
    (_path, first), closeness = max(nearness.named.items(), key=lambda one: one[1])
    said = _("The nearest passage begins at line {line}: {closeness}")
    return [said.format(line=first + 1, closeness=_closeness(closeness))]


def _closeness(closeness: float) -> str:
    """How near, in words: 0 is what its model calls noise, 1 what it calls clear."""
    if closeness >= CLEAR:
        return _("Clearly near in meaning.")
    if closeness >= CLEAR / 2:
        return _("Near in meaning, but not clearly.")
    if closeness > 0.0:
        return _("A little nearer in meaning than chance.")
    return _("No nearer in meaning than any text would be.")


def _standing(found: Found, hit: SearchHit) -> str:
    group = next(
        (
            files
            for files in (found.files, found.by_words, found.by_meaning)
            if any(file.path == hit.path and hit in file.hits for file in files)
        ),
        (),
    )
    best = max((file.score for file in group), default=0.0)
    mine = next((file.score for file in group if file.path == hit.path), 0.0)
    place = next((number for number, file in enumerate(group, 1) if file.path == hit.path), 1)
    said = _("File {place} of {count} in its group; scores are relative: {score} of the best.")
    return said.format(place=place, count=len(group), score=_share(mine, best, group))


def _share(mine: float, best: float, group: Sequence[FileHits]) -> str:
    least = min((file.score for file in group), default=0.0)
    # What is counted from a negative figure is counted from the least.
    mine, best = (mine - least + 1.0, best - least + 1.0) if least < 0 else (mine, best)
    return f"{mine / best:.2f}" if best else "1.00"


def _named(asked: Sequence[Wish]) -> str:
    more = len(asked) - _MOST_TERMS
    names = ", ".join(map(_quoted, asked[:_MOST_TERMS]))
    return names if more <= 0 else _("{names} and {count} more").format(names=names, count=more)


def _quoted(wish: Wish) -> str:
    if isinstance(wish, Text | Phrase):
        return f"“{shown(wish.text)}”"
    return f"/{shown(wish.pattern)}/" if isinstance(wish, Pattern) else shown(described(wish))
