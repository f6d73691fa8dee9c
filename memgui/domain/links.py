"""Where a link leads: to a document of the workspace, to a page of the web, or nowhere, with a sentence on why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import unquote, urlsplit

from memgui.domain.errors import InvalidParameters
from memgui.domain.outline import outline
from memgui.domain.paths import DocPath, is_document, join, name_of, parent_of, shown, sort_key, stem_of
from memgui.i18n import _

WIKI = "wiki:"
"""Before the words of a `[[link]]`, where it stands among other targets."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_OUTSIDE = frozenset({"http", "https", "mailto"})
_HOST = re.compile(r"(?:[\w-]+\.)+[^\W\d_]{2,}", re.UNICODE)


class Way(StrEnum):
    """What following a link means."""

    DOCUMENT = "document"
    CHOICE = "choice"
    OUTSIDE = "outside"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Link:
    """`paths`: one for a document, several to choose from. `section`: its heading. `reason`: why it is refused."""

    way: Way
    target: str
    paths: tuple[DocPath, ...] = ()
    section: str = ""
    reason: str = ""


def follow(target: str, here: DocPath, documents: Iterable[DocPath]) -> Link:
    """Where a link on the page `here` leads. Nothing outside the workspace's documents is ever looked at."""
    if target.startswith(WIKI):
        return _wiki(target.removeprefix(WIKI), here, documents)
    scheme = _SCHEME.match(target.strip())
    if scheme is not None and scheme[1].lower() in _OUTSIDE:
        return Link(Way.OUTSIDE, target)
    if scheme is not None or target.startswith(("//", "\\")):
        name = scheme[1].lower() if scheme is not None else "//"
        return _refused(target, _("Links to “{scheme}” are not followed.").format(scheme=f"{name}:"))
    path, _hash, section = target.partition("#")
    path, section = unquote(path.partition("?")[0]), unquote(section)
    if not path:
        return Link(Way.DOCUMENT, target, (here,), section)
    try:
        wanted = _joined(parent_of(here), path)
    except InvalidParameters:
        return _refused(
            target, _("{target} lies outside this workspace, and is not opened.").format(target=shown(path))
        )
    known = set(documents)
    found = [one for one in (wanted, DocPath(f"{wanted}.md")) if one in known]
    if not found:
        found = sorted((one for one in known if one.casefold() == wanted.casefold()), key=sort_key)
    if not found:
        return _refused(target, _("There is no {path} in this workspace.").format(path=shown(wanted)))
    return _to(target, found[:1], section)


def _wiki(words: str, here: DocPath, documents: Iterable[DocPath]) -> Link:
    name, _hash, section = words.partition("#")
    name = name.strip()
    if not name:
        return Link(Way.DOCUMENT, words, (here,), section)
    wanted = name.removesuffix(".md").casefold()
    known = [path for path in documents if is_document(path)]
    if "/" in wanted:
        ends = [path for path in known if f"/{_without_suffix(path)}".endswith(f"/{wanted.lstrip('/')}")]
        if any(part == ".." for part in wanted.split("/")):
            return _refused(words, _("{target} lies outside this workspace, and is not opened.").format(target=name))
    else:
        ends = [path for path in known if stem_of(name_of(path)).casefold() == wanted]
    if not ends:
        return _refused(words, _("There is no document “{name}” in this workspace.").format(name=shown(name)))
    beside = [path for path in ends if parent_of(path) == parent_of(here)]
    return _to(words, beside if len(beside) == 1 else sorted(ends, key=sort_key), section)


def _to(target: str, paths: Sequence[DocPath], section: str) -> Link:
    way = Way.DOCUMENT if len(paths) == 1 else Way.CHOICE
    return Link(way, target, tuple(paths), section.strip())


def _refused(target: str, reason: str) -> Link:
    return Link(Way.REFUSED, target, reason=reason)


def _without_suffix(path: DocPath) -> str:
    return path.rpartition(".")[0].casefold()


def _joined(folder: DocPath, path: str) -> DocPath:
    """The path as seen from a folder; InvalidParameters where it leaves the root."""
    parts = [] if path.startswith("/") else [part for part in folder.split("/") if part]
    for part in path.split("/"):
        if part == "..":
            if not parts:
                raise InvalidParameters(path)
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if not parts or "\0" in path:
        raise InvalidParameters(path)
    joined = DocPath("")
    for part in parts:
        joined = join(joined, part)
    return joined


def picture(target: str, here: DocPath) -> DocPath | None:
    """The file in the workspace that a picture's target names, by its words alone; None for everything else."""
    if _SCHEME.match(target.strip()) or target.startswith(("//", "\\", "#")) or not target.strip():
        return None
    try:
        return _joined(parent_of(here), unquote(target.partition("#")[0].partition("?")[0]))
    except InvalidParameters:
        return None


def section_line(lines: Sequence[str], section: str) -> int | None:
    """The line (from 1) of the heading that a link names, by its words or by its slug."""
    wanted = _slug(section)
    return next((entry.line for entry in outline(lines) if _slug(entry.text) == wanted), None)


def _slug(text: str) -> str:
    return re.sub(r"[\s_-]+", "-", re.sub(r"[^\w\s-]", "", text.casefold())).strip("-")


def undisclosed(text: str, target: str) -> str:
    """What a reader of the link's text does not learn about where it leads: its host, or all of an odd target."""
    scheme = _SCHEME.match(target)
    if scheme is None or target == text:
        return ""
    if scheme[1].lower() == "mailto":
        address = unquote(target[7:].partition("?")[0])
        return "" if target[7:].casefold() == text.casefold() else target if "?" in target else address
    if scheme[1].lower() not in _OUTSIDE:
        return target
    try:
        host = urlsplit(target).hostname or target
    except ValueError:
        return target
    told = {_bare(name) for name in _HOST.findall(text)}
    return "" if told == {_bare(host)} and host.isascii() else _spelled(host)


def _bare(host: str) -> str:
    return host.casefold().removeprefix("www.")


def _spelled(host: str) -> str:
    """The host, and with it how it goes over the wire, where its letters may be taken for others."""
    if host.isascii():
        return host
    try:
        return f"{host} = {host.encode('idna').decode()}"
    except UnicodeError:
        return host
