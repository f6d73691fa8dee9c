"""Facts: what one document of a fact store says, what an agent may make of it, and how facts are found again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from memgui.domain import arguments, frontmatter
from memgui.domain.errors import InvalidParameters
from memgui.domain.layouts import IDENTITY_NAMES, Layout
from memgui.domain.paths import DocPath, comparable, name_of, stem_of, suffix_of
from memgui.i18n import _

PROPOSED, RATIFIED = "proposed", "ratified"
RESERVED = frozenset({"memory", "readme"})
"""Names that no fact can have: the index, and what a repository shows of itself."""
LONGEST_NAME_BYTES = 200
LONGEST_DESCRIPTION = 2000

_UNLINKABLE = re.compile(r"[\[\]()<>\\/]")
_BLANK = re.compile("[\\s\ufdd0\ufdd1]+")
"""What parts words, and what a window takes for a line's end."""
_SPLIT = re.compile(r"[\s,\[\]]+")
_NEW_LINE = "[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]"
_LABEL = rf"\([ \t]*(?:{'|'.join(sorted(frontmatter.FACT_TYPES))})\b[^()\n]*\)"
_HEADING_FORM = re.compile(
    rf"(^|(?<={_NEW_LINE}))(?=[ \t]{{0,3}}##[ \t].*{_LABEL}[ \t#]*(?:{_NEW_LINE}|$))", re.IGNORECASE
)


class FactType(StrEnum):
    """What a fact is about. `user` is known to Claude's layout alone."""

    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact as it stands in its document. `status` is None where none is set."""

    path: DocPath
    name: str
    type: FactType
    status: str | None
    description: str
    body: str

    @property
    def is_ratified(self) -> bool:
        """Whether a person stands behind it. Feedback without a status counts as ratified."""
        return self.status == RATIFIED or (self.status is None and self.type is FactType.FEEDBACK)

    @property
    def is_open(self) -> bool:
        """Whether an agent may still change it: proposed, or of a type that needs no ratifying."""
        return self.status == PROPOSED or (self.status is None and self.type is not FactType.FEEDBACK)

    @property
    def label(self) -> str:
        """What stands in parentheses behind its name."""
        return f"{self.type}, {self.status}" if self.status else str(self.type)


@dataclass(frozen=True, slots=True)
class Malformed:
    """A document of a fact store that is no fact; `reason` is a sentence."""

    path: DocPath
    reason: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What `remember` is asked to keep, known to be well-formed."""

    name: str
    type: FactType
    description: str
    body: str | None
    """None: none was given, and a fact that has one keeps it."""


def types_of(layout: Layout) -> tuple[FactType, ...]:
    """The types that facts of a layout have."""
    every = tuple(FactType)
    return every if layout is Layout.CLAUDE else tuple(kind for kind in every if kind is not FactType.USER)


@lru_cache(maxsize=16_384)
def is_fact_file(name: str) -> bool:
    """Whether a name directly in a fact store is that of a fact: not the index, nor what explains the folder."""
    if name.startswith(".") or suffix_of(name).lower() != ".md":
        return False
    return comparable(stem_of(name)) not in RESERVED and comparable(name) not in IDENTITY_NAMES


# Reading -----------------------------------------------------------------------------------------------------------


def read(path: DocPath, text: str, layout: Layout) -> Fact | Malformed:
    """The fact in a document's text, or why it is none. Never raises."""
    block = frontmatter.read(text)
    if block is None:
        if frontmatter.is_unclosed(text):
            return Malformed(path, _("the front matter has no closing ---"))
        return Malformed(path, _("it has no front matter"))
    kind = one_line(block.type or "")
    if not kind:
        return Malformed(path, _("the front matter says no type"))
    if kind.lower() not in types_of(layout):
        return Malformed(path, _("'{type}' is no type of fact").format(type=kind[:40]))
    status = one_line(block.status or "").lower()
    return Fact(
        path,
        name=one_line(block.name or "") or stem_of(name_of(path)),
        type=FactType(kind.lower()),
        status=status or None,
        description=one_line(block.description or ""),
        body=text[block.body :].strip("\r\n"),
    )


def one_line(text: str) -> str:
    """The text in one line that every reader takes for one: breaks and runs of blanks are one blank, no controls."""
    return "".join(c for c in _BLANK.sub(" ", text) if unicodedata.category(c) != "Cc").strip()


# Names -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16_384)
def slug(name: str) -> str:
    """The name as a file can have it: lower case; each run of what is no letter, digit or `-` is one `-`."""
    lower = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).lower())
    kept, is_letter = [], False
    for character in lower:
        category = unicodedata.category(character)
        # A mark belongs to the letter before it: many scripts write their vowels so.
        is_letter = category[0] == "L" or category == "Nd" or (is_letter and category[0] == "M")
        kept.append(character if is_letter else "-")
    return re.sub("-+", "-", "".join(kept)).strip("-")


def is_same_name(one: str, other: str) -> bool:
    """Whether two names differ in case and blanks at the most."""
    return _plain_name(one) == _plain_name(other)


def _plain_name(name: str) -> str:
    return "-".join(unicodedata.normalize("NFKC", name).casefold().replace("-", " ").split())


def stem_for(name: str, others: Iterable[tuple[str, str]]) -> str:
    """The stem of the document in which a fact of this name is, or will be. `others`: the stems and names there are.

    An exact stem, or the exact name of a fact, is that fact. InvalidParameters where nothing of a name can be used,
    where it is reserved, and where it would come upon another fact's document.
    """
    wanted = slug(name)
    if not wanted:
        raise InvalidParameters(
            _("the name '{name}' holds no letter and no digit").format(name=one_line(name)[:60]),
            hint=_("Give a few words that say what it is about, such as 'build-order'."),
        )
    if comparable(name) in RESERVED or wanted in RESERVED:
        raise InvalidParameters(
            _("the name '{name}' is reserved").format(name=wanted), hint=_("Give the fact another name.")
        )
    if len(wanted.encode()) > LONGEST_NAME_BYTES:
        raise InvalidParameters(
            _("the name is too long"),
            hint=_("Give a few words, such as 'build-order'; the rest is for the description."),
        )
    known = list(others)
    given = one_line(name)
    exact = (
        [stem for stem, _name in known if stem == given]
        or [stem for stem, known_ in known if known_ == given]
        or [stem for stem, _name in known if f"{stem}.md" == given]
    )
    if len(exact) == 1:
        return _linkable(exact[0])
    for stem, title in known:
        if wanted in (stem, slug(stem), slug(title)):
            if not exact and (is_same_name(given, stem) or is_same_name(given, title)):
                return _linkable(stem)
            raise InvalidParameters(
                _("the name '{name}' is too like that of the fact '{other}'").format(name=given, other=title),
                hint=_("To change that fact, give the name '{stem}'; for another one, a name of its own.").format(
                    stem=stem
                ),
            )
    return wanted


def _linkable(stem: str) -> str:
    """The stem, if an index line can hold it."""
    if _UNLINKABLE.search(stem) or one_line(stem) != stem:
        raise InvalidParameters(_("the file '{name}' has a name that no index line can hold").format(name=stem))
    return stem


# Writing -----------------------------------------------------------------------------------------------------------


def wanted(name: object, type: object, description: object, body: object, layout: Layout) -> Wanted:
    """What is asked to be remembered; InvalidParameters where it cannot be a fact of this layout."""
    texts = {"name": name, "type": type, "description": description, "body": body}
    checked = {key: arguments.text(key, value) for key, value in texts.items() if value is not None or key != "body"}
    kinds = types_of(layout)
    kind = checked["type"].strip().lower()
    if kind not in kinds:
        raise InvalidParameters(
            _("'{type}' is no type of fact").format(type=one_line(checked["type"])[:40]),
            hint=_("Give one of: {types}.").format(types=", ".join(kinds)),
        )
    line = one_line(checked["description"])
    if not line:
        raise InvalidParameters(
            _("description cannot be empty"), hint=_("Say in one line what the fact is; the index shows it.")
        )
    if len(line) > LONGEST_DESCRIPTION:
        raise InvalidParameters(_("description is too long"), hint=_("One line; what is long belongs into the body."))
    text = checked.get("body")
    return Wanted(checked["name"], FactType(kind), line, None if text is None else text.strip("\r\n"))


def new_text(stem: str, wish: Wanted) -> str:
    """The document of a fact that is new. Feedback is proposed: a person ratifies it."""
    status = f"status: {PROPOSED}\n" if wish.type is FactType.FEEDBACK else ""
    head = f"---\nname: {stem}\ndescription: {wish.description}\nmetadata:\n  type: {wish.type}\n{status}---\n"
    return f"{head}\n{wish.body}\n" if wish.body else head


def changed_text(text: str, fact: Fact, wish: Wanted) -> str:
    """The document with what was asked for in it: description, type and body; all else stays byte for byte.

    Feedback stays feedback and a status stays as it is; what becomes feedback is proposed.
    """
    if one_line(wish.description) != fact.description:
        text = frontmatter.with_value(text, "description", wish.description)
    if wish.type is not fact.type and fact.type is not FactType.FEEDBACK:
        text = frontmatter.with_value(text, "type", wish.type)
        if wish.type is FactType.FEEDBACK and fact.status is None:
            text = frontmatter.with_value(text, "status", PROPOSED)
    return text if wish.body is None else with_body(text, wish.body)


def with_body(text: str, body: str) -> str:
    """The document with another body, in the file's own line ends; the same body changes nothing."""
    block = frontmatter.read(text)
    assert block is not None
    head, old = text[: block.body], text[block.body :]
    found = re.search(r"\r\n|\n|\r", head)
    ending = found[0] if found else "\n"
    new = ending.join(re.split(r"\r\n|\n|\r", body.strip("\r\n")))
    stripped = old.strip("\r\n")
    if new == stripped:
        return text
    before = old[: len(old) - len(old.lstrip("\r\n"))]
    after = old[len(old.rstrip("\r\n")) :] if stripped else ""
    if not head.endswith(("\n", "\r")):
        head += ending
    if not stripped:
        before = ending
    return f"{head}{before}{new}{after or ending}" if new else head


# Finding again -----------------------------------------------------------------------------------------------------


def recalled(query: str, facts: Iterable[Fact]) -> list[Fact]:
    """The facts that hold every token of a query, best first. `type:x` asks for a type; nothing asked finds nothing."""
    tokens, kinds = _asked(query)
    if not tokens and not kinds:
        return []
    found = []
    for fact in facts:
        if any(fact.type != kind for kind in kinds):
            continue
        fields = [_folded(text) for text in (fact.name, fact.description, fact.body)]
        if all(any(token in field for field in fields) for token in tokens):
            found.append((-sum(_weight(token, fields) for token in tokens), fact.name, fact.path, fact))
    return [fact for *_key, fact in sorted(found, key=lambda one: one[:3])]


def _asked(query: str) -> tuple[list[str], list[str]]:
    tokens, kinds = [], []
    for token in filter(None, _SPLIT.split(_folded(query))):
        if token.startswith("type:") and len(token) > len("type:"):
            kinds.append(token.removeprefix("type:"))
        else:
            tokens.append(token)
    return tokens, kinds


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _weight(token: str, fields: list[str]) -> float:
    """How much a token says of a fact: in the name most, in the body least; a whole word more than a part of one."""
    weight = 0.0
    for field, worth in zip(fields, (4.0, 2.0, 1.0), strict=True):
        if token in field:
            whole = re.search(rf"(?<!\w){re.escape(token)}(?!\w)", field) is not None
            weight += worth * (1.5 if whole else 1.0)
    return weight


def told(facts: Iterable[Fact], query: str) -> str:
    """Facts as an agent reads them; what only looks like the heading of a fact is marked as text."""
    pieces = [_told(fact) for fact in facts]
    if not pieces:
        return _("No memories matched '{query}'. The index in your context lists what exists.").format(
            query=one_line(query)
        )
    return "\n\n".join(pieces)


def _told(fact: Fact) -> str:
    lines = [f"## {one_line(fact.name)} ({fact.label})", escaped(fact.description)]
    if fact.body:
        lines += ["", escaped(fact.body)]
    return "\n".join(lines)


def escaped(text: str) -> str:
    r"""The text with each line of the form `## name (type)` as `\## name (type)`."""
    return _HEADING_FORM.sub(r"\\", text)
