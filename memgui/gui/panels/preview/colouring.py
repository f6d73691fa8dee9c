"""Fenced code taken apart by what its words are. The colours add nothing and leave nothing out; they may be missing."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from itertools import groupby
from time import perf_counter
from typing import Any

MOST_CHARACTERS = 20_000
LONGEST_LINE = 600
"""Longer code is shown without colours, and code with a longer line: to take that apart holds up the page."""
LONGEST_SECONDS = 0.25
"""After so long the rest of one box stays without colours."""


class Ink(Enum):
    """What a word of code is, as far as it has a colour of its own."""

    PLAIN = "plain"
    KEYWORD = "keyword"
    TEXT = "text"
    NUMBER = "number"
    REMARK = "remark"
    NAME = "name"
    ADDED = "added"
    REMOVED = "removed"
    STRONG = "strong"


_BY_LANGUAGE = {
    "shell.BashLexer": "bash sh shell zsh ksh env dotenv",
    "shell.BashSessionLexer": "console shell-session sh-session terminal",
    "shell.PowerShellLexer": "powershell pwsh ps1",
    "python.PythonLexer": "python py python3 py3",
    "python.PythonConsoleLexer": "pycon",
    "data.JsonLexer": "json json5 jsonc jsonl ndjson",
    "data.YamlLexer": "yaml yml",
    "configs.TOMLLexer": "toml",
    "configs.IniLexer": "ini cfg conf properties systemd",
    "configs.DockerLexer": "dockerfile docker",
    "configs.NginxConfLexer": "nginx",
    "javascript.JavascriptLexer": "javascript js jsx mjs node",
    "javascript.TypeScriptLexer": "typescript ts tsx",
    "html.HtmlLexer": "html htm vue svelte",
    "html.XmlLexer": "xml svg plist",
    "css.CssLexer": "css",
    "css.ScssLexer": "scss sass less",
    "sql.SqlLexer": "sql sqlite postgres postgresql mysql",
    "rust.RustLexer": "rust rs",
    "go.GoLexer": "go golang",
    "c_cpp.CLexer": "c h",
    "c_cpp.CppLexer": "cpp c++ cxx cc hpp",
    "jvm.JavaLexer": "java",
    "jvm.KotlinLexer": "kotlin kt",
    "dotnet.CSharpLexer": "csharp cs c#",
    "objective.SwiftLexer": "swift",
    "ruby.RubyLexer": "ruby rb",
    "php.PhpLexer": "php",
    "perl.PerlLexer": "perl pl",
    "scripting.LuaLexer": "lua",
    "r.SLexer": "r",
    "haskell.HaskellLexer": "haskell hs",
    "erlang.ElixirLexer": "elixir ex exs",
    "zig.ZigLexer": "zig",
    "diff.DiffLexer": "diff patch",
    "make.MakefileLexer": "make makefile",
    "graphql.GraphQLLexer": "graphql gql",
    "textfmts.HttpLexer": "http",
}
_LEXERS = {name: lexer for lexer, names in _BY_LANGUAGE.items() for name in names.split()}
_LANGUAGE = re.compile(r"\{?\s*\.?([\w#+-]+)")
_INKS = (
    ("Token.Comment.Preproc", Ink.KEYWORD),
    ("Token.Comment", Ink.REMARK),
    ("Token.Keyword.Constant", Ink.NUMBER),
    ("Token.Keyword", Ink.KEYWORD),
    ("Token.Operator.Word", Ink.KEYWORD),
    ("Token.Literal.Number", Ink.NUMBER),
    ("Token.Literal", Ink.TEXT),
    ("Token.Name.Function", Ink.NAME),
    ("Token.Name.Class", Ink.NAME),
    ("Token.Name.Tag", Ink.NAME),
    ("Token.Name.Decorator", Ink.NAME),
    ("Token.Name.Attribute", Ink.NAME),
    ("Token.Name.Builtin", Ink.NAME),
    ("Token.Generic.Inserted", Ink.ADDED),
    ("Token.Generic.Deleted", Ink.REMOVED),
    ("Token.Generic.Heading", Ink.STRONG),
    ("Token.Generic.Subheading", Ink.STRONG),
    ("Token.Generic.Prompt", Ink.REMARK),
    ("Token.Generic.Output", Ink.REMARK),
)


def language_of(label: str) -> str:
    """The language that the words behind a fence name; empty where there are no colours for it."""
    found = _LANGUAGE.match(label)
    name = found[1].lower() if found is not None else ""
    return name if name in _LEXERS else ""


def inked(text: str, language: str) -> Iterator[tuple[Ink, str]]:
    """The text in runs of one ink, one after the other; together they are the text. A generator that may be paused."""
    if not language or len(text) > MOST_CHARACTERS or max(map(len, text.split("\n"))) > LONGEST_LINE:
        yield Ink.PLAIN, text
        return
    for ink, run in groupby(_words(text, _lexer(_LEXERS[language])), key=_first):
        yield ink, "".join(word for _ink, word in run)


def _words(text: str, lexer: Any) -> Iterator[tuple[Ink, str]]:
    """Each word with its ink. Whatever the lexer leaves out or tells twice, the text is told once and whole."""
    at, end = 0, perf_counter() + LONGEST_SECONDS
    for start, kind, word in lexer.get_tokens_unprocessed(text):
        if perf_counter() > end:
            break
        if start < at or not word:
            continue
        if start > at:
            yield Ink.PLAIN, text[at:start]
        yield _ink(kind), text[start : start + len(word)]
        at = start + len(word)
    if at < len(text):
        yield Ink.PLAIN, text[at:]


def _first(word: tuple[Ink, str]) -> Ink:
    return word[0]


@lru_cache(maxsize=256)
def _ink(kind: Any) -> Ink:
    name = str(kind)
    return next((ink for beginning, ink in _INKS if name.startswith(beginning)), Ink.PLAIN)


@lru_cache(maxsize=16)
def _lexer(name: str) -> Any:
    # Of the hundreds there are, only the one that is needed is loaded.
    module, _dot, made = name.partition(".")
    return getattr(importlib.import_module(f"pygments.lexers.{module}"), made)()
