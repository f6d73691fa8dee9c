"""The links in a document's text, and which names of the workspace they may mean. For many documents at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from urllib.parse import unquote

from memgui.domain.paths import (
    SKIPPED_FOLDERS,
    DocPath,
    is_document,
    name_of,
    parent_of,
    segments_of,
    sort_key,
    stem_of,
)

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_WIKI = re.compile(r"\[\[(?![\s-])([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]")
_LINK = re.compile(r"\]\(\s*(<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\s*\)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_MOST = 2000
"""A longer line is no prose; it is not searched for links."""

WIKI = "[["
"""Before the words of a wiki link, where it stands among other targets."""


def links(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Each link with the line (from 1) that it is on. Code holds none."""
    fence = ""
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if mark is not None and (not fence or (mark[1].startswith(fence) and not line.strip(" `~"))):
            fence = "" if fence else mark[1]
        elif not fence and len(line) <= _MOST and ("](" in line or WIKI in line):
            plain = _CODE.sub("", line)
            yield from ((number, WIKI + match[1]) for match in _WIKI.finditer(plain))
            yield from ((number, match[1].strip("<>")) for match in _LINK.finditer(plain))


def stands_in_target(line: str, start: int, end: int) -> bool:
    """Whether this part of a line is part of what names a file in a link: other text there leads elsewhere."""
    return any(a < end and start < b for a, b in _targets(line))


@lru_cache(maxsize=8)
def _targets(line: str) -> tuple[tuple[int, int], ...]:
    """Where in a line the names of files stand to which links lead."""
    if ("](" not in line and WIKI not in line) or len(line) > _MOST:
        return ()
    spans = (match.span(1) for kind in (_WIKI, _LINK) for match in kind.finditer(line))
    return tuple((a, b) for a, b in spans if not _SCHEME.match(line[a:b].lstrip("<")))


class Targets:
    """All names of a workspace, made ready to be asked for often."""

    def __init__(self, paths: Iterable[DocPath]) -> None:
        self._paths: dict[str, DocPath] = {}
        self._stems: dict[str, list[DocPath]] = {}
        self._names: dict[str, list[DocPath]] = {}
        for path in sorted(paths, key=sort_key):
            self._paths.setdefault(path.casefold(), path)
            self._names.setdefault(name_of(path).casefold(), []).append(path)
            if is_document(path):
                self._stems.setdefault(stem_of(path).casefold(), []).append(path)

    def ends(self, target: str, here: DocPath) -> Sequence[DocPath] | None:
        """Where a link on the page `here` may lead. None where nobody can tell: outside, or where no scan looks."""
        return self._wiki(target[2:], here) if target.startswith(WIKI) else self._relative(target, here)

    def _relative(self, target: str, here: DocPath) -> Sequence[DocPath] | None:
        path = unquote(target.partition("#")[0].partition("?")[0])
        if not path or _SCHEME.match(target) or target.startswith(("//", "\\")) or "\0" in path or "{" in path:
            return None
        parts = [] if path.startswith("/") else list(segments_of(parent_of(here)))
        for part in path.split("/"):
            if part == "..":
                if not parts:
                    return None
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
        if not parts or any(part.startswith(".") or part in SKIPPED_FOLDERS for part in parts):
            return None
        whole = "/".join(parts).casefold()
        found = self._paths.get(whole) or self._paths.get(f"{whole}.md")
        return (found,) if found is not None else ()

    def _wiki(self, words: str, here: DocPath) -> Sequence[DocPath] | None:
        name = words.partition("#")[0].strip().casefold()
        if not name or _SCHEME.match(name) or ".." in name.split("/"):
            return None
        last = name_of(name)
        known = self._stems.get(last.removesuffix(".md"), []) or self._names.get(last, [])
        if "/" in name:
            wanted = f"/{name.strip('/').removesuffix('.md')}"
            known = [path for path in known if _bare(path).endswith(wanted) or f"/{path.casefold()}".endswith(wanted)]
        beside = [path for path in known if parent_of(path) == parent_of(here)]
        return beside if len(beside) == 1 else known


def _bare(path: DocPath) -> str:
    return "/" + path.casefold().rpartition(".")[0]
